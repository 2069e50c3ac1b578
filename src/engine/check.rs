//! Whether an engine loads an archive, and why not.

use super::engines::Engines;
use super::facts::Facts;
use super::names::LongName;
use super::profile::{ArchiveRules, Effect, MaxEntries, ODD_WORDS, OddEntry, Offsets, Paks};
use super::reason::Reason;
use super::table::Engine;
use crate::archive::Format;
use crate::codec::Bytes;

/// The verdict of an engine on an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// What happens to the archive.
    pub effect: Effect,
    /// The reasons. An archive that loads can have some, too.
    pub why: Vec<Reason>,
}

impl Verdict {
    /// It loads, without any remark.
    pub(super) const fn loaded() -> Self {
        Self { effect: Effect::Loads, why: Vec::new() }
    }

    /// Whether it loads correctly.
    #[must_use]
    pub fn loads(&self) -> bool {
        self.effect == Effect::Loads
    }

    /// Adds a property of the archive.
    pub(crate) fn add(&mut self, effect: Effect, what: String) {
        self.effect = self.effect.max(effect);
        self.why.push(Reason::Archive(what));
    }

    /// Adds a property and its effect, unless the archive loads in spite of it.
    pub(super) fn add_effect(&mut self, effect: Effect, what: &str) {
        if effect != Effect::Loads {
            self.add(effect, format!("{what}{}", effect.words()));
        }
    }

    /// Adds that the archive has another format than the engine reads.
    pub(super) fn add_format(&mut self, effect: Effect, found: Format, wanted: Format) {
        self.effect = self.effect.max(effect);
        self.why.push(Reason::Format { found, wanted });
    }

    /// Adds that the file is longer than the engine can open.
    pub(super) fn add_len(&mut self, effect: Effect, len: u64, limit: u64) {
        let what =
            format!("it is {len} bytes long, and files of more than {limit} bytes are not opened");
        self.add(effect, what);
    }

    /// Adds a remark if there are more entries than the engine accepts, or none.
    pub(super) fn add_count(
        &mut self,
        entries: u64,
        read_as: Option<Format>,
        rules: &ArchiveRules,
    ) {
        match (rules.max_entries, rules.empty) {
            (Some(MaxEntries { count, over }), _) if entries > count.into() => {
                let what = match read_as {
                    None => format!("it has {entries} entries, more than {count}"),
                    Some(layout) => format!(
                        "read as {} pak it has {entries} entries, more than {count}",
                        layout.with_article()
                    ),
                };
                self.add(over, format!("{what}{}", over.words()));
            }
            (_, effect) if entries == 0 => {
                let what = match read_as {
                    None => "it has no entries".to_owned(),
                    Some(layout) => {
                        format!("read as {} pak it has no entries", layout.with_article())
                    }
                };
                match effect {
                    Effect::CountsAsMissing => {
                        self.add(effect, format!("{what}, and no archives after it are looked for"))
                    }
                    _ => self.add_effect(effect, &what),
                }
            }
            _ => {}
        }
    }
}

impl Facts {
    /// The verdicts of these engines.
    #[must_use]
    pub fn judge_for(&self, engines: Engines) -> Vec<(Engine, Verdict)> {
        let engines = engines.iter();
        engines.map(|engine| (engine, self.judge(engine))).collect()
    }

    /// The verdicts of all engines. None if the archive is a WAD or not a file of a format, because no engine reads
    /// these as archives of files.
    #[must_use]
    pub fn judge_for_all(&self) -> Vec<(Engine, Verdict)> {
        match self.layout {
            Some(layout) if !layout.spec().has_lumps() => self.judge_for(Engines::ALL),
            _ => Vec::new(),
        }
    }

    /// The verdict of one engine.
    #[must_use]
    pub fn judge(&self, engine: Engine) -> Verdict {
        let mut verdict = Verdict::loaded();
        let profile = engine.profile();
        let Some(layout) = self.layout else {
            verdict.add(Effect::Refused, "it is not an archive's file".to_owned());
            return verdict;
        };
        if let Some(zip) = &self.zip {
            self.judge_zip(zip, engine, &mut verdict);
            return verdict;
        }
        let extension = self.extension.as_deref().unwrap_or_default();
        let is_named_like_zip = profile.loads_zip(extension);
        let Some(paks) = profile.paks.as_ref().filter(|_| !is_named_like_zip) else {
            verdict.add_format(Effect::Refused, layout, Format::Pk3);
            return verdict;
        };
        self.judge_directory(layout, paks, &mut verdict);
        // A pak of another format must be converted first, which changes its offsets and perhaps its names.
        if paks.layout == layout || self.is_recognised_by_length(paks) {
            self.judge_numbers(paks, &mut verdict);
            self.judge_entries(engine, &paks.rules, &mut verdict);
        }
        verdict
    }

    fn judge_directory(&self, found: Format, paks: &Paks, verdict: &mut Verdict) {
        let broken = paks.broken;
        let mut entries = self.entries;
        let mut partial = self.partial;
        let wanted = paks.layout;
        if wanted.spec().magic != found.spec().magic {
            verdict.add_format(broken.not_a_pak, found, wanted);
            return;
        }
        let mut read_as = None;
        if wanted != found && !self.is_recognised_by_length(paks) {
            read_as = Some(wanted);
            verdict.add_format(broken.other_layout, found, wanted);
            // The engine reads the same bytes as records of its own length.
            let len = self.directory_len(found);
            let record = wanted.spec().record_len as u64;
            (entries, partial) = (len / record, len % record);
        }
        verdict.add_count(entries, read_as, &paks.rules);
        if partial > 0 {
            let (bytes, is) = (Bytes(partial), if partial == 1 { "is" } else { "are" });
            let what = format!("its directory ends in {bytes} that {is} not a whole record");
            verdict.add_effect(broken.partial_record, &what);
        }
        if let Some((claimed, held)) = self.cut {
            let claimed = Bytes(claimed);
            let what = format!("the file holds only {held} of the directory's {claimed}");
            verdict.add_effect(broken.cut_directory, &what);
        }
    }

    /// Whether it is a Daikatana pak that the engine recognises by the length of its directory.
    const fn is_recognised_by_length(&self, paks: &Paks) -> bool {
        matches!(self.layout, Some(Format::Daikatana))
            && paks.by_length
            && !self
                .directory_len(Format::Daikatana)
                .is_multiple_of(Format::Quake.spec().record_len as u64)
    }

    /// The length of the directory in this format.
    const fn directory_len(&self, format: Format) -> u64 {
        self.entries.saturating_mul(format.spec().record_len as u64).saturating_add(self.partial)
    }

    fn judge_numbers(&self, paks: &Paks, verdict: &mut Verdict) {
        let (broken, limit) = (paks.broken, paks.offsets.max_bytes());
        if self.directory > limit {
            let at = self.directory;
            let what = format!("its directory begins at byte {at}, beyond byte {limit}");
            verdict.add_effect(broken.far_directory, &what);
        }
        if paks.offsets == Offsets::ShortFile
            && let Some(len) = self.file_len.filter(|len| *len > limit)
        {
            verdict.add_len(Effect::CountsAsMissing, len, limit);
        }
        let limit = paks.offsets.max_payload();
        let [begins, largest, ends] = &self.far;
        let ends = ends.as_ref().filter(|_| paks.offsets == Offsets::SignedEnds);
        let far = [begins.as_ref(), largest.as_ref(), ends].into_iter().flatten();
        for entry in far.filter(|entry| entry.value > limit) {
            verdict.add(broken.far_payload, format!("{entry}, beyond the limit of {limit}"));
        }
    }

    /// Adds entries that are not read like others, and names that are hard to find.
    pub(super) fn judge_entries(
        &self,
        engine: Engine,
        rules: &ArchiveRules,
        verdict: &mut Verdict,
    ) {
        let kinds = ODD_WORDS.each().into_iter().zip(self.odd.each());
        for ((&what, odd), &then) in kinds.zip(rules.odd.each()) {
            if !matches!(then, OddEntry::Read | OddEntry::NotKnown)
                && let Some(entries) = odd.clone()
            {
                verdict.why.push(Reason::OddEntries { what, then, entries });
            }
        }
        let spelled = self.spelled(engine);
        if let (Some(longest), Some(entries)) = (rules.names.longest, &spelled.long) {
            if longest.over == LongName::Refused {
                verdict.effect = verdict.effect.max(Effect::Refused);
            }
            verdict.why.push(Reason::LongNames {
                most: longest.bytes,
                over: longest.over,
                entries: entries.clone(),
            });
        }
        let never = spelled.never.clone().map(Reason::NeverFound);
        let exactly = spelled.exactly.clone().map(Reason::FoundAsSpelled);
        verdict.why.extend(never.into_iter().chain(exactly));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::{Format, RawName};

    fn facts(layout: Format, entries: usize) -> Facts {
        let mut facts = Facts::new(layout, 12);
        for _ in 0..entries {
            facts.add(RawName::from("a"), 1, Some((12, 13)));
        }
        facts
    }

    /// The engines for which this is the effect, in the order of the table.
    fn those(facts: &Facts, effect: Effect) -> String {
        let judged = Engine::ALL.into_iter();
        let names: Vec<&str> = judged
            .filter(|engine| facts.judge(*engine).effect == effect)
            .map(Engine::as_str)
            .collect();
        names.join(" ")
    }

    #[test]
    fn the_wrong_layout_is_the_first_thing_to_say() {
        let quake = facts(Format::Quake, 1);
        assert_eq!(those(&quake, Effect::Refused), "ioquake3 dhewm3 daikatana");
        let daikatana = facts(Format::Daikatana, 2049);
        // One tells them by the directory's length.
        let loads = "yquake2remaster daikatana";
        assert_eq!(those(&daikatana, Effect::Loads), loads);
        let words: Vec<String> =
            daikatana.judge(Engine::Quake).why.iter().map(ToString::to_string).collect();
        assert_eq!(
            words,
            [
                "it is a daikatana archive, not a quake archive",
                // As records of 64 bytes, there are more entries.
                "read as a quake pak it has 2305 entries, more than 2048, and the game does not start with it"
            ]
        );
        let empty = facts(Format::Daikatana, 0).judge(Engine::QuakeSpasm);
        assert_eq!(
            empty.why[1].to_string(),
            "read as a quake pak it has no entries, and no archives after it are looked for"
        );
    }

    #[test]
    fn unfound_names_are_counted_for_each_engine() {
        let mut facts = facts(Format::Quake, 1);
        facts.add(RawName::from("MAPS\\e1m1.bsp"), 0, None);
        facts.add(RawName::from("b\\c"), 0, None);
        let words = |engine: Engine| {
            let verdict = facts.judge(engine);
            assert!(verdict.loads());
            let words: Vec<String> = verdict.why.iter().map(ToString::to_string).collect();
            words.join("; ")
        };
        let both = "2 entries, first entry 1 \"MAPS\\\\e1m1.bsp\"";
        assert_eq!(
            words(Engine::Qss),
            format!("it finds names only as they are spelled: those of {both}")
        );
        assert_eq!(words(Engine::DarkPlaces), format!("it never finds {both}"));
        assert_eq!(words(Engine::Fteqw), "");
    }

    /// Of several that reach as far, the first is named; of one that reaches farther, that one.
    #[test]
    fn the_first_of_those_that_reach_farthest_is_named() {
        let mut facts = facts(Format::Quake, 1);
        for (name, begin) in [("b", 1 << 31), ("c", 3 << 30), ("d", 3 << 30), ("e", 5 << 29)] {
            facts.add(RawName::from(name), 1, Some((begin, begin + 1)));
        }
        let verdict = facts.judge(Engine::Quake);
        assert_eq!(verdict.why.len(), 1);
        assert_eq!(
            verdict.why[0].to_string(),
            "entry 2 \"c\" begins at byte 3221225472, beyond the limit of 2147483647"
        );
    }

    /// A conversion changes offsets, and perhaps names.
    #[test]
    fn format_changes_report_no_numbers_or_names() {
        let mut facts = Facts::new(Format::Daikatana, 1 << 31);
        facts.add(RawName::from("A\\b"), 1 << 31, Some((1 << 31, 1 << 32)));
        for engine in Engine::ALL {
            let expected = match engine {
                // Where the directory and the payload begin, and how large that is; and the name.
                Engine::Daikatana | Engine::Yquake2Remaster => 4,
                // The length of the directory is a number that all of them look at.
                Engine::DarkPlaces | Engine::Xash3d | Engine::Q2pro => 2,
                _ => 1,
            };
            assert_eq!(facts.judge(engine).why.len(), expected, "{engine}");
        }
    }

    /// Neither hides the other: the worst counts, and all are reported.
    #[test]
    fn too_many_entries_beyond_reach_stop_the_engine() {
        let mut facts = facts(Format::Quake, 2048);
        facts.add(RawName::from("b"), 1, Some((1 << 31, (1 << 31) + 1)));
        let verdict = facts.judge(Engine::Quake);
        assert_eq!((verdict.effect, verdict.why.len()), (Effect::NoStart, 2));
    }
}

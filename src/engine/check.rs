//! Whether an engine loads an archive, and why not.

use super::engines::{Engine, Engines};
use super::facts::{Entries, Facts};
use super::names::LongName;
use super::profile::{CutPayload, Effect, MaxEntries, OddEntry, Offsets, Profile, has_extension};
use super::reason::Reason;
use crate::archive::{Archive, Format};

/// The verdict of an engine on an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// What happens to the archive.
    pub effect: Effect,
    /// The reasons. An archive that loads can have some, too.
    pub why: Vec<Reason>,
}

/// Judges an archive for one engine. Only the extension of its name matters, because it decides how some engines
/// read the file.
pub fn check(archive: &Archive, engine: Engine) -> Verdict {
    Facts::of(archive).judge(engine)
}

impl Verdict {
    /// It loads, without any remark.
    pub(super) const fn loaded() -> Self {
        Self {
            effect: Effect::Loads,
            why: Vec::new(),
        }
    }

    /// Whether it loads correctly.
    #[must_use]
    pub fn loads(&self) -> bool {
        self.effect == Effect::Loads
    }

    pub(super) fn add(&mut self, effect: Effect, reason: Reason) {
        self.effect = self.effect.max(effect);
        self.why.push(reason);
    }

    /// Adds a reason unless the archive loads in spite of it.
    pub(super) fn add_unless_it_loads(&mut self, effect: Effect, reason: Reason) {
        if effect != Effect::Loads {
            self.add(effect, reason);
        }
    }

    /// Adds a reason if there are more entries than the engine accepts.
    pub(super) fn add_count(
        &mut self,
        read_as: Option<Format>,
        entries: u64,
        most: Option<MaxEntries>,
    ) {
        if let Some(MaxEntries { count: limit, over }) = most
            && entries > limit.into()
        {
            let reason = Reason::Entries {
                read_as,
                entries,
                limit,
                over,
            };
            self.add(over, reason);
        }
    }

    /// Adds odd entries, if there are any that the engine does not read like others.
    pub(super) fn add_odd(
        &mut self,
        what: &'static str,
        entries: &Option<Entries>,
        then: OddEntry,
    ) {
        if let (Some(entries), true) = (entries, then != OddEntry::Read) {
            let entries = entries.clone();
            let reason = Reason::OddEntries {
                what,
                then,
                entries,
            };
            self.add(Effect::Loads, reason);
        }
    }
}

impl Facts {
    /// The verdicts of these engines, or of all engines if the set is empty. No engine reads a WAD as an archive of
    /// files, so WADs are judged only for engines in the set.
    #[must_use]
    pub fn judge_for(&self, engines: Engines) -> Vec<(Engine, Verdict)> {
        let all = engines.is_empty() && !self.layout.spec().has_lumps();
        let mut verdicts = Vec::new();
        for engine in Engine::ALL {
            if all || engines.contains(engine) {
                verdicts.push((engine, self.judge(engine)));
            }
        }
        verdicts
    }

    /// The verdict of one engine.
    #[must_use]
    pub fn judge(&self, engine: Engine) -> Verdict {
        let mut verdict = Verdict::loaded();
        let profile = engine.profile();
        if let Some(zip) = &self.zip {
            self.judge_zip(zip, engine, &mut verdict);
            return verdict;
        }
        let extension = self.extension.as_deref().unwrap_or_default();
        if let Some(zips) = profile.zips
            && has_extension(extension, zips.extensions, true)
        {
            let (found, wanted) = (self.layout, Format::Pk3);
            verdict.add(Effect::Refused, Reason::Format { found, wanted });
            return verdict;
        }
        self.judge_directory(engine, &mut verdict);
        // A pak of another format must be converted first, which changes its offsets and perhaps its names.
        if profile.layout == self.layout || self.is_told(&profile) {
            self.judge_numbers(engine, &mut verdict);
            self.judge_names(engine, &mut verdict);
        }
        verdict
    }

    fn judge_directory(&self, engine: Engine, verdict: &mut Verdict) {
        let profile = engine.profile();
        let broken = profile.broken;
        let mut entries = self.entries;
        let mut partial = self.partial;
        if profile.layout.spec().magic != self.layout.spec().magic {
            let (found, wanted) = (self.layout, profile.layout);
            verdict.add(broken.not_a_pak, Reason::Format { found, wanted });
            return;
        }
        let is_told = self.is_told(&profile);
        let mut read_as = None;
        if profile.layout != self.layout && !is_told {
            read_as = Some(profile.layout);
            let (found, wanted) = (self.layout, profile.layout);
            verdict.add(broken.other_layout, Reason::Format { found, wanted });
            // The engine reads the same bytes as records of its own length.
            let len = self.directory_len();
            let record = wanted.spec().record_len as u64;
            (entries, partial) = (len / record, len % record);
        }
        verdict.add_count(read_as, entries, profile.max_entries);
        if self.entries == 0 {
            let effect = profile.empty;
            verdict.add_unless_it_loads(effect, Reason::Empty { effect });
        }
        if partial > 0 {
            let (bytes, effect) = (partial, broken.partial_record);
            verdict.add_unless_it_loads(effect, Reason::PartialRecord { bytes, effect });
        }
        if let Some((claimed, held)) = self.cut {
            let effect = broken.cut_directory;
            let reason = Reason::CutDirectory {
                claimed,
                held,
                effect,
            };
            verdict.add_unless_it_loads(effect, reason);
        }
    }

    /// Whether it is a Daikatana pak that the engine recognises by the length of its directory.
    const fn is_told(&self, profile: &Profile) -> bool {
        matches!(self.layout, Format::Daikatana)
            && profile.by_length
            && !self
                .directory_len()
                .is_multiple_of(Format::Quake.spec().record_len as u64)
    }

    /// The length of the directory.
    const fn directory_len(&self) -> u64 {
        self.entries
            .saturating_mul(self.layout.spec().record_len as u64)
            .saturating_add(self.partial)
    }

    fn judge_numbers(&self, engine: Engine, verdict: &mut Verdict) {
        let profile = engine.profile();
        let (broken, limit) = (profile.broken, profile.offsets.max_bytes());
        if self.directory > limit {
            let (at, effect) = (self.directory, broken.far_directory);
            verdict.add(effect, Reason::Directory { at, limit, effect });
        }
        if profile.offsets == Offsets::ShortFile
            && let Some(len) = self.file_len.filter(|len| *len > limit)
        {
            let reason = Reason::FileLen { len, limit };
            verdict.add(Effect::CountsAsMissing, reason);
        }
        let ends = if profile.offsets == Offsets::SignedEnds {
            &self.ends
        } else {
            &None
        };
        let limit = profile.offsets.max_payload();
        let far = [&self.begins, &self.largest, ends].into_iter().flatten();
        for entry in far.filter(|entry| entry.value > limit) {
            let entry = entry.clone();
            verdict.add(broken.far_payload, Reason::Far { entry, limit });
        }
        let then = broken.cut_payload;
        if let Some(entries) = &self.cut_payloads
            && matches!(then, CutPayload::NotFound | CutPayload::Stops)
        {
            let entries = entries.clone();
            verdict.add(Effect::Loads, Reason::CutPayload { entries, then });
        }
        verdict.add_odd("empty files", &self.empty_files, profile.empty_file);
    }

    pub(super) fn judge_names(&self, engine: Engine, verdict: &mut Verdict) {
        let Some(spelled) = self.names.get(engine as usize) else {
            return;
        };
        let longest = engine.profile().names_in(self.layout).longest;
        if let (Some(longest), Some(entries)) = (longest, &spelled.long) {
            let effect = match longest.over {
                LongName::Refused => Effect::Refused,
                LongName::NotFound | LongName::Cut | LongName::Stops => Effect::Loads,
            };
            let reason = Reason::LongNames {
                most: longest.bytes,
                over: longest.over,
                entries: entries.clone(),
            };
            verdict.add(effect, reason);
        }
        if let Some(entries) = &spelled.never {
            verdict.add(Effect::Loads, Reason::NeverFound(entries.clone()));
        }
        if let Some(entries) = &spelled.exactly {
            verdict.add(Effect::Loads, Reason::FoundAsSpelled(entries.clone()));
        }
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
            .map(Engine::name)
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
        let words: Vec<String> = daikatana
            .judge(Engine::Quake)
            .why
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(
            words,
            [
                "it is a daikatana archive, not a quake archive",
                // As records of 64 bytes, there are more entries.
                "read as a quake pak it has 2305 entries, more than 2048, and such an archive keeps the game from starting"
            ]
        );
    }

    #[test]
    fn names_are_counted_for_each_engine_and_the_first_is_named() {
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
        for (name, begin) in [
            ("b", 1 << 31),
            ("c", 3 << 30),
            ("d", 3 << 30),
            ("e", 5 << 29),
        ] {
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
    fn of_a_pak_in_another_format_neither_numbers_nor_names_are_reported() {
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
    fn a_pak_with_too_many_entries_that_reach_too_far_stops_the_engine() {
        let mut facts = facts(Format::Quake, 2048);
        facts.add(RawName::from("b"), 1, Some((1 << 31, (1 << 31) + 1)));
        let verdict = facts.judge(Engine::Quake);
        assert_eq!((verdict.effect, verdict.why.len()), (Effect::NoStart, 2));
    }
}

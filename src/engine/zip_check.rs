//! Whether an engine loads a ZIP, why not, and which of its entries it skips.

use super::check::Verdict;
use super::facts::{Facts, ZipFacts, zip_oddities};
use super::load_order::is_pak_name;
use super::profile::{Effect, Larger, OddEntry, Zips};
use super::reason::in_words;
use super::table::Engine;
use crate::archive::{Archive, Entry, Format};

impl Facts {
    /// Adds what `engine` says about the ZIP.
    pub(super) fn judge_zip(&self, zip: &ZipFacts, engine: Engine, verdict: &mut Verdict) {
        let profile = engine.profile();
        let name = self.extension.as_deref();
        let paks = profile.paks.as_ref();
        if let Some(paks) = paks.filter(|_| profile.zips.is_none() || name.is_some_and(is_pak_name))
        {
            verdict.add_format(paks.broken.not_a_pak, Format::Pk3, paks.layout);
            return;
        }
        let Some(zips) = &profile.zips else {
            return;
        };
        if name.is_some_and(|name| !profile.loads_zip(name)) {
            let loads = in_words(&profile.zip_extensions());
            let what = format!("it loads only ZIPs whose names end in {loads}");
            verdict.add(Effect::Refused, what);
            return;
        }
        self.judge_whole(zip, zips, verdict);
        self.judge_entries(engine, &zips.rules, verdict);
    }

    /// Adds what matters to the ZIP as a whole.
    fn judge_whole(&self, zip: &ZipFacts, zips: &Zips, verdict: &mut Verdict) {
        let mut rules = zips.rules;
        if zips.larger == Larger::LiftsLimit && zip.larger_end {
            rules.max_entries = None;
        }
        verdict.add_count(self.entries, None, &rules);
        let limit = zips.max_bytes;
        if let Some(len) = self.file_len.filter(|len| *len > limit) {
            verdict.add_len(Effect::Refused, len, limit);
        }
        let larger = &self.odd.larger;
        let larger_end = match zips.larger {
            Larger::Read | Larger::LiftsLimit | Larger::Required => false,
            Larger::RefusedIfNeeded => zip.larger_end_needed,
            Larger::Refused => zip.larger_end,
        };
        let lacks_end = zips.larger == Larger::Required && !zip.larger_end && larger.is_some();
        let begins = zip.begins_otherwise && !zip.before;
        let utf8 = zip.utf8.is_some();
        let before = "there are bytes before the ZIP that its offsets do not count";
        let properties = [
            (larger_end, "it has a ZIP64 end record", Effect::Refused, &None),
            (zip.before, before, zips.before, &None),
            (begins, "the file begins with something other than an entry", zips.begins, &None),
            (utf8, "it has names that are marked as UTF-8", zips.utf8, &zip.utf8),
            (lacks_end, "it has ZIP64 numbers but no ZIP64 end record", Effect::Refused, larger),
        ];
        for (is_so, what, effect, entries) in properties {
            if is_so && effect != Effect::Loads {
                let mut what = format!("{what}{}", effect.words());
                if let Some(entries) = entries {
                    what += &format!(": {entries}");
                }
                verdict.add(effect, what);
            }
        }
    }
}

/// The indices of the entries that `engine` skips as if they did not exist, in order.
pub(crate) fn passed_over(archive: &Archive, engine: Engine) -> Vec<usize> {
    let Some(zips) = engine.profile().zips_in(archive.format()) else {
        return Vec::new();
    };
    let is_passed_over = |entry: &Entry<'_>| {
        let oddities = zip_oddities(entry);
        let mut all = oddities.each().into_iter().zip(zips.rules.odd.each());
        all.any(|(is_so, then)| *is_so && *then == OddEntry::NotFound)
    };
    let entries = archive.entries().filter(is_passed_over);
    entries.map(|entry| entry.index()).collect()
}

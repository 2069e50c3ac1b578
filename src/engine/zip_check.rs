//! Whether an engine loads a ZIP, why not, and which of its entries it skips.

use super::check::Verdict;
use super::engines::Engine;
use super::facts::{Facts, ZipFacts};
use super::load_order::{in_words, is_pak_name};
use super::profile::{Effect, Larger, LargerEntry, OddEntry, Zips};
use super::reason::Reason;
use crate::archive::{Archive, Entry, Flaw};

impl Facts {
    /// Adds what `engine` says about the ZIP.
    pub(super) fn judge_zip(&self, zip: &ZipFacts, engine: Engine, verdict: &mut Verdict) {
        let profile = engine.profile();
        let name = self.extension.as_deref();
        let as_pak = profile.layout != self.layout && name.is_some_and(is_pak_name);
        let Some(zips) = profile.zips.filter(|_| !as_pak) else {
            let (found, wanted) = (self.layout, profile.layout);
            let effect = profile.broken.not_a_pak;
            verdict.add(effect, Reason::Format { found, wanted });
            return;
        };
        if name.is_some_and(|name| !zips.loads(name)) {
            let loads = in_words(zips.extensions.iter().copied());
            verdict.add(Effect::Refused, Reason::Extension { loads });
            return;
        }
        self.judge_whole(zip, &zips, verdict);
        #[rustfmt::skip]
        let odd = [
            ("encrypted entries", &zip.encrypted, zips.encrypted),
            ("entries that are neither stored nor deflated", &zip.methods, zips.method),
            ("symbolic links", &zip.links, zips.link),
            ("deflated entries whose sizes only follow them", &zip.behind, zips.behind),
            ("empty files", &self.empty_files, zips.empty_file),
        ];
        for (what, entries, then) in odd {
            verdict.add_odd(what, entries, then);
        }
        self.judge_names(engine, verdict);
    }

    /// Adds what matters to the ZIP as a whole.
    fn judge_whole(&self, zip: &ZipFacts, zips: &Zips, verdict: &mut Verdict) {
        let lifted = zips.larger == Larger::LiftsLimit && zip.larger_end;
        let most = zips.max_entries.filter(|_| !lifted);
        verdict.add_count(None, self.entries, most);
        if self.entries == 0 {
            let effect = zips.empty;
            verdict.add_unless_it_loads(effect, Reason::Empty { effect });
        }
        if let Some(len) = self.file_len.filter(|len| *len > zips.max_bytes) {
            let limit = zips.max_bytes;
            verdict.add(Effect::Refused, Reason::FileLen { len, limit });
        }
        let larger_end = match zips.larger {
            Larger::Read | Larger::LiftsLimit => false,
            Larger::RefusedIfNeeded => zip.larger_end_needed,
            Larger::Refused => zip.larger_end,
        };
        let begins = zip.begins_otherwise && !zip.before;
        let utf8 = zip.utf8.is_some();
        let lacks_end =
            zips.larger_entry == LargerEntry::NeedsEnd && !zip.larger_end && zip.larger.is_some();
        #[rustfmt::skip]
        let properties = [
            (larger_end, "it has a ZIP64 end record", Effect::Refused, &None),
            (zip.before, "there are bytes before the ZIP that its offsets do not count", zips.before, &None),
            (begins, "the file begins with something other than an entry", zips.begins, &None),
            (utf8, "it has names that are marked as UTF-8", zips.utf8, &zip.utf8),
            (lacks_end, "it has ZIP64 numbers but no ZIP64 end record", Effect::Refused, &zip.larger),
        ];
        for (is_so, what, effect, entries) in properties {
            if is_so {
                let entries = entries.clone();
                let reason = Reason::Zip {
                    what,
                    effect,
                    entries,
                };
                verdict.add_unless_it_loads(effect, reason);
            }
        }
        if let LargerEntry::Entry(then) = zips.larger_entry {
            verdict.add_odd("entries with ZIP64 numbers", &zip.larger, then);
        }
    }
}

/// The indices of the entries that `engine` skips as if they did not exist, in order.
#[must_use]
pub(crate) fn passed_over(archive: &Archive, engine: Engine) -> Vec<usize> {
    let profile = engine.profile();
    let Some(zips) = profile.zips_in(archive.format()) else {
        return Vec::new();
    };
    let quirks = archive.quirks();
    let marked = |marked: &[u32], entry: &Entry<'_>| {
        let index = u32::try_from(entry.index());
        index.is_ok_and(|index| marked.binary_search(&index).is_ok())
    };
    let is_passed_over = |entry: &Entry<'_>| {
        let odd = match archive.flaw(entry.index()) {
            Some((Flaw::Encrypted, _)) => zips.encrypted,
            Some((Flaw::Method(_), _)) => zips.method,
            _ => OddEntry::Read,
        };
        let empty = entry.size() == 0 && zips.empty_file == OddEntry::NotFound;
        odd == OddEntry::NotFound
            || empty
            || zips.link == OddEntry::NotFound && marked(&quirks.links, entry)
            || zips.larger_entry == LargerEntry::Entry(OddEntry::NotFound)
                && marked(&quirks.larger, entry)
    };
    let entries = archive.entries().filter(is_passed_over);
    entries.map(|entry| entry.index()).collect()
}

//! Whether an engine loads a ZIP, and why not, and which of its entries it passes over.

use super::check::Verdict;
use super::engines::Engine;
use super::facts::{Entries, Facts, ZipFacts};
use super::load_order::{in_words, is_pak_name};
use super::profile::{Effect, Larger, LargerEntry, OddEntry, Zips};
use super::reason::Reason;
use crate::archive::{Archive, Entry, Flaw};

impl Facts {
    /// What `engine` makes of the ZIP.
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
        for (what, entries, then) in [
            ("encrypted entries", &zip.encrypted, zips.encrypted),
            (
                "entries that are neither stored nor deflated",
                &zip.methods,
                zips.method,
            ),
            ("symbolic links", &zip.links, zips.link),
            (
                "deflated entries whose sizes only follow them",
                &zip.behind,
                zips.behind,
            ),
            ("empty files", &self.empty_files, zips.empty_file),
        ] {
            verdict.add_odd(what, entries, then);
        }
        self.judge_names(engine, verdict);
    }

    /// What becomes of the ZIP as a whole.
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
        let larger = match zips.larger {
            Larger::Read | Larger::LiftsLimit => false,
            Larger::RefusedIfNeeded => zip.larger_end_needed,
            Larger::Refused => zip.larger_end,
        };
        for (is_so, what, effect) in [
            (larger, "it has a ZIP64 end record", Effect::Refused),
            (
                zip.before,
                "there are bytes before the ZIP that its offsets do not count",
                zips.before,
            ),
            (
                zip.begins_otherwise && !zip.before,
                "the file begins with something other than an entry",
                zips.begins,
            ),
        ] {
            if is_so {
                verdict.add_unless_it_loads(effect, Reason::Zip { what, effect });
            }
        }
        let what = "it has names that are marked as UTF-8";
        refuse(verdict, what, &zip.utf8, zips.utf8);
        match zips.larger_entry {
            LargerEntry::Entry(then) => {
                verdict.add_odd("entries with ZIP64 numbers", &zip.larger, then);
            }
            LargerEntry::NeedsEnd if !zip.larger_end => {
                let what = "it has ZIP64 numbers but no ZIP64 end record";
                refuse(verdict, what, &zip.larger, Effect::Refused);
            }
            LargerEntry::NeedsEnd => {}
        }
    }
}

/// Adds entries for which the whole ZIP is not loaded, if there are any.
fn refuse(verdict: &mut Verdict, what: &'static str, entries: &Option<Entries>, effect: Effect) {
    if let Some(entries) = entries.clone() {
        let reason = Reason::ZipEntries {
            what,
            effect,
            entries,
        };
        verdict.add_unless_it_loads(effect, reason);
    }
}

/// The numbers of the entries that `engine` passes over as if they were not there, in order.
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

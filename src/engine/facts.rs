//! The facts of an archive that matter to engines, collected once for all of them.
//!
//! They can also be collected for an archive that is only planned.

use core::fmt;
use std::borrow::Cow;

use super::engines::Engine;
use super::names::{Findable, findable, is_plain};
use super::profile::Offsets;
use crate::archive::{Archive, Flaw, Format, Note, RawName, escape, quoted};

/// The facts of an archive that matter to engines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    pub(super) layout: Format,
    pub(super) entries: u64,
    pub(super) directory: u64,
    /// How many bytes at the directory's end are not a whole record.
    pub(super) partial: u64,
    /// The claimed length of the directory and the length of the part in the file, if the directory is cut off.
    pub(super) cut: Option<(u64, u64)>,
    /// The length of the file, if it exists.
    pub(super) file_len: Option<u64>,
    /// The payload that begins last, if it begins beyond the smallest limit of all engines.
    pub(super) begins: Option<FarEntry>,
    /// The payload that ends last, if it ends beyond that limit.
    pub(super) ends: Option<FarEntry>,
    /// The largest payload, if its size is beyond that limit.
    pub(super) largest: Option<FarEntry>,
    /// The entries whose payloads are cut off by the end of the file.
    pub(super) cut_payloads: Option<Entries>,
    /// The entries without content.
    pub(super) empty_files: Option<Entries>,
    /// The file's name from the last dot on.
    pub(super) extension: Option<Vec<u8>>,
    /// The facts of a ZIP; `None` for other formats.
    pub(super) zip: Option<ZipFacts>,
    /// For each engine, in the order of [`Engine::ALL`].
    pub(super) names: [Spelled; Engine::ALL.len()],
}

/// The properties of a ZIP that some engines do not accept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ZipFacts {
    pub(super) larger_end: bool,
    pub(super) larger_end_needed: bool,
    pub(super) begins_otherwise: bool,
    /// Whether the file has bytes before the ZIP that its offsets do not count.
    pub(super) before: bool,
    pub(super) larger: Option<Entries>,
    pub(super) utf8: Option<Entries>,
    pub(super) behind: Option<Entries>,
    pub(super) links: Option<Entries>,
    pub(super) encrypted: Option<Entries>,
    pub(super) methods: Option<Entries>,
}

/// The entries that an engine does not find under every spelling of their names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Spelled {
    /// Found only as they are spelled.
    pub(super) exactly: Option<Entries>,
    pub(super) never: Option<Entries>,
    /// With names that are too long.
    pub(super) long: Option<Entries>,
}

/// An entry with a number that is too large for some engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FarEntry {
    /// The entry's number.
    pub index: usize,
    /// Its name.
    pub name: Vec<u8>,
    /// The number.
    pub value: u64,
    /// The meaning of the number.
    what: &'static str,
}

/// Some entries of an archive: how many, and the first one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entries {
    /// Their number.
    pub count: usize,
    /// The index of the first.
    pub first: usize,
    /// Its name.
    pub name: Vec<u8>,
}

impl Facts {
    /// The facts of an archive without entries, to which entries are added.
    #[must_use]
    pub fn new(layout: Format, directory: u64) -> Self {
        Self {
            layout,
            entries: 0,
            directory,
            partial: 0,
            cut: None,
            file_len: None,
            begins: None,
            ends: None,
            largest: None,
            cut_payloads: None,
            empty_files: None,
            extension: None,
            zip: (layout == Format::Pk3).then(ZipFacts::default),
            names: Engine::ALL.map(|_| Spelled::default()),
        }
    }

    /// The facts of an open archive.
    pub fn of(archive: &Archive) -> Self {
        let structure = archive.structure();
        let (claimed, held) = (structure.claimed, structure.directory.len);
        let directory = structure.directory.offset;
        let mut facts = Self::new(archive.format(), directory);
        facts.file_len = Some(archive.file_len());
        facts.cut = (held < claimed).then_some((claimed, held));
        facts.partial = claimed % archive.format().spec().record_len as u64;
        for entry in archive.entries() {
            let offset = entry.offset();
            let end = offset.saturating_add(entry.stored_len());
            facts.add(entry.name(), entry.size(), Some((offset, end)));
        }
        facts.extension = archive.path().and_then(|path| {
            let name = path.file_name()?.as_encoded_bytes();
            let dot = name.iter().rposition(|byte| *byte == b'.')?;
            name.get(dot..).map(<[u8]>::to_vec)
        });
        if let Some(zip) = &mut facts.zip {
            *zip = ZipFacts::of(archive);
        }
        facts
    }

    /// The same facts for a file of length `len` whose directory begins at `directory`.
    #[must_use]
    pub fn with_directory(mut self, directory: u64, len: u64) -> Self {
        (self.directory, self.file_len) = (directory, Some(len));
        self
    }

    /// Adds the next entry: its name, its size, and the offsets where its payload begins and ends.
    pub fn add(&mut self, name: RawName<'_>, size: u64, extent: Option<(u64, u64)>) {
        let index = usize::try_from(self.entries).unwrap_or(usize::MAX);
        self.entries += 1;
        if size == 0 {
            Entries::add(&mut self.empty_files, index, name);
        }
        if let Some((begin, end)) = extent {
            // No engine minds where an empty payload begins, or that it is outside of the file.
            let begin = if size > 0 { begin } else { 0 };
            for (far, value, what) in [
                (&mut self.begins, begin, "begins at byte"),
                (&mut self.ends, end, "ends at byte"),
                (&mut self.largest, size, "has a size of"),
            ] {
                // Numbers below the smallest limit are never reported.
                let is_far = value > Offsets::Signed.max_bytes();
                if is_far && far.as_ref().is_none_or(|far| far.value < value) {
                    let name = name.as_bytes().to_vec();
                    *far = Some(FarEntry {
                        index,
                        name,
                        value,
                        what,
                    });
                }
            }
            if size > 0 && self.file_len.is_some_and(|len| len < end) {
                Entries::add(&mut self.cut_payloads, index, name);
            }
        }
        if !is_found_by_all(name.as_bytes()) {
            for (engine, spelled) in Engine::ALL.into_iter().zip(&mut self.names) {
                let names = engine.profile().names_in(self.layout);
                if self.zip.is_some() && names.is_too_long(name.as_bytes()) {
                    Entries::add(&mut spelled.long, index, name);
                    continue;
                }
                match names.find(name.as_bytes()) {
                    Findable::Any => {}
                    Findable::Exactly => Entries::add(&mut spelled.exactly, index, name),
                    Findable::Never => Entries::add(&mut spelled.never, index, name),
                }
            }
        }
    }
}

impl ZipFacts {
    fn of(archive: &Archive) -> Self {
        let quirks = archive.quirks();
        let marked = |marked: &[u32]| {
            let mut entries = None;
            for index in marked {
                if let Some(entry) = archive.entry(*index as usize) {
                    Entries::add(&mut entries, entry.index(), entry.name());
                }
            }
            entries
        };
        let mut notes = archive.notes().iter();
        let mut facts = Self {
            larger_end: quirks.larger_end,
            larger_end_needed: quirks.larger_end_needed,
            begins_otherwise: quirks.begins_otherwise,
            before: notes.any(|note| matches!(note, Note::Before { .. })),
            larger: marked(&quirks.larger),
            utf8: marked(&quirks.utf8),
            behind: marked(&quirks.behind),
            links: marked(&quirks.links),
            encrypted: None,
            methods: None,
        };
        for entry in archive.entries() {
            let (index, name) = (entry.index(), entry.name());
            match archive.flaw(index) {
                Some((Flaw::Encrypted, _)) => Entries::add(&mut facts.encrypted, index, name),
                Some((Flaw::Method(_), _)) => Entries::add(&mut facts.methods, index, name),
                _ => {}
            }
        }
        facts
    }
}

/// Whether every engine finds the name under every spelling, so that the engines' rules need not be tried. The
/// name is short, has no upper-case letter and no `\`, and no pair of bytes with a meaning.
fn is_found_by_all(name: &[u8]) -> bool {
    let is_short = name.len() <= Format::Quake.spec().name_max;
    is_short && is_plain(name) && matches!(findable(name), Cow::Borrowed(_))
}

impl Entries {
    /// Counts an entry, and keeps it if it is the first.
    fn add(entries: &mut Option<Self>, index: usize, name: RawName<'_>) {
        let first = || Self {
            count: 0,
            first: index,
            name: name.as_bytes().to_vec(),
        };
        entries.get_or_insert_with(first).count += 1;
    }
}

impl fmt::Display for FarEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, what) = (escape(&self.name), self.what);
        write!(f, "entry {} \"{name}\" {what} {}", self.index, self.value)
    }
}

impl fmt::Display for Entries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, name) = (self.first, quoted(&self.name));
        match self.count {
            1 => write!(f, "entry {first} {name}"),
            count => write!(f, "{count} entries, first entry {first} {name}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The quick check never accepts a name that some engine does not find.
    #[test]
    fn a_name_that_passes_the_quick_check_is_found_by_all() {
        for name in [
            "a/b.c", "A", "a\\b", "/a", "a//b", "./a", "a/../b", "a..b", "",
        ] {
            let is_plain = is_found_by_all(name.as_bytes());
            for engine in Engine::ALL {
                for format in [Format::Quake, Format::Pk3] {
                    let found = engine.profile().names_in(format).find(name.as_bytes());
                    assert!(!is_plain || found == Findable::Any, "{engine} {name}");
                }
            }
        }
    }
}

//! The facts of an archive that matter to engines, collected once for all of them.
//!
//! They can also be collected for an archive that is only planned.

use core::fmt;
use std::borrow::Cow;

use super::names::{Findable, findable, is_plain};
use super::profile::{Odd, SIGNED_MAX};
use super::table::Engine;
use crate::archive::error::Error;
use crate::archive::{Archive, Coding, Entry, Flaw, Format, Note, RawName, escape, quoted};

/// The facts of an archive that matter to engines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    /// `None` if it is not a file of a format.
    pub(super) layout: Option<Format>,
    pub(super) entries: u64,
    /// The offset of the directory.
    pub(super) directory: u64,
    /// How many bytes at the directory's end are not a whole record.
    pub(super) partial: u64,
    /// The claimed length of the directory and the length of the part in the file, if the directory is cut off.
    pub(super) cut: Option<(u64, u64)>,
    /// The length of the file, if it exists.
    pub(super) file_len: Option<u64>,
    /// The payload that begins last, the largest, and the one that ends last, if the number is beyond the smallest
    /// limit of all engines.
    pub(super) far: [Option<FarEntry>; 3],
    /// The entries that some engines do not read like others.
    pub(super) odd: Odd<Option<EntrySet>>,
    /// The file's name from the last dot on.
    pub(super) extension: Option<Vec<u8>>,
    /// The facts of a ZIP; `None` for other formats.
    pub(super) zip: Option<ZipFacts>,
    /// The names that some engine does not find under every spelling, with the indices of their entries.
    odd_names: Vec<(usize, Box<[u8]>)>,
}

/// The properties of a ZIP that some engines do not accept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ZipFacts {
    pub(super) larger_end: bool,
    pub(super) larger_end_needed: bool,
    pub(super) begins_otherwise: bool,
    /// Whether the file has bytes before the ZIP that its offsets do not count.
    pub(super) before: bool,
    pub(super) utf8: Option<EntrySet>,
}

/// The entries that an engine does not find under every spelling of their names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Spelled {
    /// Found only as they are spelled.
    pub(super) exactly: Option<EntrySet>,
    pub(super) never: Option<EntrySet>,
    /// With names that are too long.
    pub(super) long: Option<EntrySet>,
}

/// An entry with a number that is too large for some engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FarEntry {
    index: usize,
    name: Vec<u8>,
    pub(super) value: u64,
    /// The meaning of the number.
    what: &'static str,
}

/// Some entries of an archive: how many, and the first one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntrySet {
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
    pub fn new(layout: impl Into<Option<Format>>, directory: u64) -> Self {
        let layout = layout.into();
        Self {
            layout,
            entries: 0,
            directory,
            partial: 0,
            cut: None,
            file_len: None,
            far: [const { None }; 3],
            odd: Odd::default(),
            extension: None,
            zip: (layout == Some(Format::Pk3)).then(ZipFacts::default),
            odd_names: Vec::new(),
        }
    }

    /// The facts of an open archive.
    ///
    /// # Errors
    /// If the local headers of a ZIP cannot be read.
    pub fn of(archive: &Archive) -> Result<Self, Error> {
        archive.check_headers()?;
        let structure = archive.structure();
        let (claimed, held) = (structure.claimed, structure.directory.len);
        let directory = structure.directory.offset;
        let mut facts = Self::new(archive.format(), directory);
        facts.file_len = Some(archive.file_len());
        facts.cut = (held < claimed).then_some((claimed, held));
        if let Some(format) = archive.format() {
            facts.partial = claimed % format.spec().record_len as u64;
        }
        for entry in archive.entries() {
            let offset = entry.known_offset();
            let end = offset.saturating_add(entry.stored_len());
            facts.add(entry.name(), entry.size(), Some((offset, end)));
            if facts.zip.is_some() {
                let (is, odd) = (zip_oddities(&entry), &mut facts.odd);
                for (is_odd, odd) in [
                    (is.larger, &mut odd.larger),
                    (is.encrypted, &mut odd.encrypted),
                    (is.method, &mut odd.method),
                    (is.link, &mut odd.link),
                    (is.behind, &mut odd.behind),
                ] {
                    if is_odd {
                        EntrySet::add(odd, entry.index(), entry.name());
                    }
                }
            }
        }
        facts.extension = archive.path().and_then(|path| {
            let name = path.file_name()?.as_encoded_bytes();
            let dot = name.iter().rposition(|byte| *byte == b'.')?;
            name.get(dot..).map(<[u8]>::to_vec)
        });
        if let Some(zip) = &mut facts.zip {
            *zip = ZipFacts::of(archive);
        }
        Ok(facts)
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
            EntrySet::add(&mut self.odd.empty, index, name);
        }
        if let Some((begin, end)) = extent {
            if size > 0 && self.file_len.is_some_and(|len| len < end) {
                EntrySet::add(&mut self.odd.cut, index, name);
            }
            // No engine minds where an empty payload begins, or that it is outside of the file.
            let begin = if size > 0 { begin } else { 0 };
            let numbers =
                [(begin, "begins at byte"), (size, "has a size of"), (end, "ends at byte")];
            for (far, (value, what)) in self.far.iter_mut().zip(numbers) {
                // Numbers below the smallest limit are never reported.
                if value > SIGNED_MAX && far.as_ref().is_none_or(|far| far.value < value) {
                    let name = name.as_bytes().to_vec();
                    *far = Some(FarEntry { index, name, value, what });
                }
            }
        }
        if !is_found_by_all(name.as_bytes()) {
            self.odd_names.push((index, name.as_bytes().into()));
        }
    }

    /// The entries that an engine does not find under every spelling.
    pub(super) fn spelled(&self, engine: Engine) -> Spelled {
        let names = engine.profile().rules_in(self.layout).names;
        let mut spelled = Spelled::default();
        for (index, name) in &self.odd_names {
            let found = names.find(name);
            let entries = match found {
                _ if self.zip.is_some() && names.is_too_long(name) => &mut spelled.long,
                Findable::Any => continue,
                Findable::Exactly => &mut spelled.exactly,
                Findable::Never => &mut spelled.never,
            };
            EntrySet::add(entries, *index, RawName::new(name));
        }
        spelled
    }
}

impl ZipFacts {
    fn of(archive: &Archive) -> Self {
        let quirks = archive.quirks();
        let mut notes = archive.notes().iter();
        let mut facts = Self {
            larger_end: quirks.larger_end,
            larger_end_needed: quirks.larger_end_needed,
            begins_otherwise: quirks.begins_otherwise,
            before: notes.any(|note| matches!(note, Note::Before { .. })),
            utf8: None,
        };
        for index in &quirks.utf8 {
            if let Some(entry) = archive.entry(*index as usize) {
                EntrySet::add(&mut facts.utf8, entry.index(), entry.name());
            }
        }
        facts
    }
}

/// In which ways an entry of a ZIP is odd. A payload that is cut off is not looked for.
pub(super) fn zip_oddities(entry: &Entry<'_>) -> Odd<bool> {
    let quirks = entry.archive().quirks();
    let index = u32::try_from(entry.index());
    let is_in = |marked: &[u32]| index.is_ok_and(|index| marked.binary_search(&index).is_ok());
    let flaw = entry.archive().flaw(entry.index()).map(|(flaw, _)| flaw);
    Odd {
        larger: is_in(&quirks.larger),
        encrypted: matches!(flaw, Some(Flaw::Encrypted)),
        method: matches!(flaw, Some(Flaw::Method(_))) || !is_known_to_engines(entry.coding()),
        link: is_in(&quirks.links),
        behind: entry.archive().known_header(entry.index()).is_some_and(|it| it.is_behind),
        cut: false,
        empty: entry.size() == 0,
    }
}

/// Whether engines that read ZIPs know the coding of an entry.
const fn is_known_to_engines(coding: Coding) -> bool {
    // No engine has been seen to read an entry of a ZIP that has another coding.
    matches!(coding, Coding::Stored | Coding::Deflate)
}

/// Whether every engine finds the name under every spelling, so that the engines' rules need not be tried. The
/// name is short, has no upper-case letter and no `\`, and no pair of bytes with a meaning.
fn is_found_by_all(name: &[u8]) -> bool {
    let is_short = name.len() <= Format::Quake.spec().name_max;
    is_short && is_plain(name) && matches!(findable(name), Cow::Borrowed(_))
}

impl EntrySet {
    /// Counts an entry, and keeps it if it is the first.
    fn add(entries: &mut Option<Self>, index: usize, name: RawName<'_>) {
        let first = || Self { count: 0, first: index, name: name.as_bytes().to_vec() };
        entries.get_or_insert_with(first).count += 1;
    }
}

impl fmt::Display for FarEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, what) = (escape(&self.name), self.what);
        write!(f, "entry {} \"{name}\" {what} {}", self.index, self.value)
    }
}

impl fmt::Display for EntrySet {
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
        for name in ["a/b.c", "A", "a\\b", "/a", "a//b", "./a", "a/../b", "a..b", ""] {
            let is_plain = is_found_by_all(name.as_bytes());
            for engine in Engine::ALL {
                for format in [Format::Quake, Format::Pk3] {
                    let names = engine.profile().rules_in(format).names;
                    let found = names.find(name.as_bytes());
                    assert!(!is_plain || found == Findable::Any, "{engine} {name}");
                }
            }
        }
    }
}

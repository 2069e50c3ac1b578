//! Decides which parts go into which output, before anything is written.

use crate::ops::finding::{Finding, same_name};
use std::collections::HashMap;

use super::judge::{facts_of_file, refused};
use super::options::WriteOptions;
use super::part::{OfPart, Part, payload_bytes};
use crate::archive::{Archive, Coding, Format, quoted_name};
use crate::format::{Directory, Limits, Payload};
use crate::ops::expansion::Limit;
use crate::ops::finding;
use crate::ops::row::Created;

/// The parts of one output, or of the outputs that it is split into.
pub(in crate::ops) struct Layout<'a> {
    /// All parts, in their order.
    pub(in crate::ops) parts: Vec<Part<'a>>,
    /// The parts that no output can contain, and why not. This is known without reading their contents.
    failed: Vec<OfPart>,
    /// For each output, the numbers of its parts. Every part that has not failed is in one output.
    lists: Vec<Vec<u32>>,
    /// Whether there is something to write, and no part is missing that must not be.
    pub(in crate::ops) is_possible: bool,
    /// How many bytes of content are written.
    bytes: u64,
    limit: Limit,
    /// How many entries share a payload with an earlier one, which the format cannot express.
    stored_apart: usize,
}

impl<'a> Layout<'a> {
    /// Lays out the entries of an archive that are selected.
    ///
    /// # Errors
    /// If entries that must stay together fit into no output.
    pub(in crate::ops) fn of_archive(
        archive: &'a Archive,
        options: &WriteOptions,
    ) -> Result<Self, Finding> {
        let picked = options.selection.entries(archive);
        let parts = Part::all(picked, options.to, options.lowercase);
        // If the directory is cut off, entries are missing.
        let whole = !finding::archive_notes(archive)
            .iter()
            .any(Finding::is_error);
        Self::of(parts, whole, archive.file_len(), options)
    }

    /// Lays out these parts. The files that they come from have this total length. `whole` is false if entries are
    /// known to be missing from the sources.
    ///
    /// # Errors
    /// If entries that must stay together fit into no output.
    pub(in crate::ops) fn of(
        mut parts: Vec<Part<'a>>,
        whole: bool,
        len: u64,
        options: &WriteOptions,
    ) -> Result<Self, Finding> {
        let (mut failed, mut list) = (Vec::new(), Vec::new());
        let mut taken = names_taken(&parts, options.to);
        for (number, part) in (0_u32..).zip(&mut parts) {
            let checked = match taken.remove(&part.number) {
                Some(error) => Err(error),
                None => part.check(options.to),
            };
            match checked {
                Ok(()) => {
                    part.read_texture(options.to);
                    list.push(number);
                }
                Err(error) => failed.push(part.finding(error)),
            }
        }
        let is_possible = !list.is_empty() && (failed.is_empty() && whole || options.keep_going);
        let limit = Limit::together(&archives_of(&parts), len);
        let mut layout = Self {
            parts,
            failed,
            lists: vec![list],
            is_possible,
            bytes: 0,
            limit,
            stored_apart: 0,
        };
        layout.share_payloads(options.to);
        layout.bytes = payload_bytes(layout.outputs().iter().flatten());
        if is_possible && options.rules.limit() && layout.check_expansion(options).is_ok() {
            layout.split(options)?;
            // If parts in several outputs share a payload, it is written in each of these outputs.
            layout.bytes = payload_bytes(layout.outputs().iter().flatten());
        }
        Ok(layout)
    }

    /// The files of a new archive, as they are reported.
    pub(in crate::ops) fn created(&self) -> Vec<Created> {
        let mut files = Vec::new();
        for part in &self.parts {
            files.push(Created {
                name: part.name().as_bytes().to_vec(),
                size: part.size(),
            });
        }
        files
    }

    /// How many outputs there are; one if nothing can be written.
    pub(in crate::ops) fn count(&self, options: &WriteOptions) -> usize {
        if self.is_possible && self.check_expansion(options).is_ok() {
            self.lists.len()
        } else {
            1
        }
    }

    /// The size of all parts together.
    pub(in crate::ops) fn size(&self) -> u64 {
        let sizes = self.parts.iter().map(Part::size);
        sizes.fold(0, u64::saturating_add)
    }

    /// The archives that the parts come from.
    pub(in crate::ops) fn archives(&self) -> Vec<&'a Archive> {
        archives_of(&self.parts)
    }

    /// Refuses to write more than honest sources can contain.
    pub(in crate::ops) fn check_expansion(&self, options: &WriteOptions) -> Result<(), Finding> {
        self.limit.check(self.bytes, options.max_expansion)
    }

    /// The parts that no output can contain, and why not.
    pub(in crate::ops) fn failed(&self) -> Vec<OfPart> {
        self.failed.clone()
    }

    /// The parts of each output.
    pub(in crate::ops) fn outputs(&self) -> Vec<Vec<&Part<'a>>> {
        let mut outputs = Vec::with_capacity(self.lists.len());
        for list in &self.lists {
            let parts = list.iter();
            outputs.push(
                parts
                    .filter_map(|it| self.parts.get(*it as usize))
                    .collect(),
            );
        }
        outputs
    }

    /// Finds parts that share a payload: their archive, position, sizes, stated CRC-32, coding, and coding in the
    /// output all agree. Two payloads with the same bytes at different positions stay separate, and so does a payload that is
    /// stored for one part and compressed for another. In formats that [state
    /// sums](crate::format::Spec::states_sums) every entry has a payload of its own, and so has one whose first bytes
    /// change.
    fn share_payloads(&mut self, to: Format) {
        if is_in_order(&self.parts) {
            return;
        }
        let mut firsts = HashMap::with_capacity(self.parts.len());
        for number in self.lists.iter().flatten() {
            let Some(part) = self.parts.get_mut(*number as usize) else {
                continue;
            };
            let entry = part.entry;
            let can_share = !entry.is_file() && part.new_start().is_none();
            let Some(extent) = entry.extent().filter(|_| can_share) else {
                continue;
            };
            let archive = core::ptr::from_ref(entry.archive());
            let coding = (entry.coding(), part.coding(to));
            let payload = (archive, extent, entry.size(), coding, entry.stated_crc32());
            let first = *firsts.entry(payload).or_insert(part.number);
            if to.spec().states_sums {
                self.stored_apart += usize::from(first != part.number)
            } else {
                part.payload = first
            }
        }
    }

    /// A warning about entries that shared a payload, if the format cannot express that.
    pub(in crate::ops) fn unshared(&self) -> Option<Finding> {
        let why = match self.stored_apart {
            0 => return None,
            1 => "1 entry shared its content with another one, and now has a copy of its own"
                .to_owned(),
            n => format!(
                "{n} entries shared their content with others, and now have copies of their own"
            ),
        };
        Some(
            Finding::warning(why).advice(
                "a pak can store one content for several names: convert to one of its formats",
            ),
        )
    }

    /// Divides the parts among as many outputs as the limits require.
    fn split(&mut self, options: &WriteOptions) -> Result<(), Finding> {
        let outputs = self.outputs();
        let all = outputs.first().map_or(&[][..], Vec::as_slice);
        self.lists = options.rules.split(all, options.to)?;
        if self.lists.len() == 1 {
            return Ok(());
        }
        for list in &self.lists {
            let mut firsts = HashMap::new();
            for number in list {
                if let Some(part) = self.parts.get_mut(*number as usize) {
                    part.payload = *firsts.entry(part.payload).or_insert(part.number);
                }
            }
        }
        Ok(())
    }

    /// Checks that the format can represent an output that is not split: its number of entries, and its length if
    /// that is known.
    pub(in crate::ops) fn check_size(&self, options: &WriteOptions) -> Result<(), Finding> {
        match self.outputs().as_slice() {
            [list] if self.is_possible && !options.rules.limit() => {
                foresee(list, options.to).map(drop)
            }
            _ => Ok(()),
        }
    }

    /// Checks that an output that must not be split has a size that the format can represent, and keeps the
    /// engines' limits.
    pub(in crate::ops) fn check_whole(&self, options: &WriteOptions) -> Result<(), Finding> {
        let parts = self.outputs().concat();
        let (to, engines) = (options.to, options.rules.engines);
        if !engines.is_empty() {
            // What is to be compressed is counted as if it were not, as where a split is planned.
            let len = all_stored(&parts, to)?.file_len();
            let facts = facts_of_file(&parts, to, len);
            if let Some(refused) = refused(&facts, engines).into_iter().next() {
                return Err(refused);
            }
        }
        foresee(&parts, to).map(drop)
    }
}

/// An error for each part of a WAD that would get the name of an earlier part, although their names in the source
/// differ. The key is the part's number. A WAD has no folders, so `a/x.mip` and `b/x.mip` both become `x.mip`.
fn names_taken(parts: &[Part<'_>], to: Format) -> HashMap<usize, Finding> {
    let mut taken = HashMap::new();
    if !to.spec().has_lumps() || !parts.iter().any(Part::is_renamed) {
        return taken;
    }
    let mut firsts: HashMap<&[u8], &Part<'_>> = HashMap::with_capacity(parts.len());
    for part in parts {
        let first = *firsts.entry(part.name().as_bytes()).or_insert(part);
        let before = first.entry.name();
        if before == part.entry.name() {
            continue;
        }
        let before = quoted_name(before.as_bytes());
        let why = format!(
            "in a WAD this is the same name as that of entry {} {before}",
            first.entry.index()
        );
        let error = same_name(why).of_entry(&part.entry);
        taken.insert(part.number, error);
    }
    taken
}

/// The archives that these parts come from.
fn archives_of<'a>(parts: &[Part<'a>]) -> Vec<&'a Archive> {
    let mut archives: Vec<&Archive> = Vec::new();
    for part in parts {
        let archive = part.entry.archive();
        // Most parts come from the archive of the part before.
        if !archives.iter().rev().any(|it| core::ptr::eq(*it, archive)) {
            archives.push(archive);
        }
    }
    archives
}

/// Whether each payload lies after the previous one, so that none is shared. This is so in most archives.
fn is_in_order(parts: &[Part<'_>]) -> bool {
    let payloads = parts.iter().filter(|part| part.size() > 0);
    payloads.map(|part| part.entry).is_sorted_by(|a, b| {
        let one_archive = core::ptr::eq(a.archive(), b.archive());
        a.is_file() || one_archive && a.offset() < b.offset()
    })
}

/// Whether the sizes in an archive with these parts are known only after all of them are encoded.
pub(in crate::ops) fn needs_encoder(parts: &[&Part<'_>], to: Format) -> bool {
    let mut parts = parts.iter();
    let encodes = |part: &&Part<'_>| part.size() > 0 && part.coding(to) != Coding::Stored;
    to.spec().states_sums || parts.any(encodes)
}

/// The directory of an archive in which every part is stored.
pub(in crate::ops) fn all_stored<'p>(
    parts: &[&'p Part<'_>],
    to: Format,
) -> Result<Directory<'p>, Finding> {
    directory(parts, to, None)
}

/// The directory, as far as it is known before anything is encoded. If sizes depend on the encoder, every payload
/// counts as empty. Everything that is refused here would also be refused after encoding.
pub(in crate::ops) fn foresee<'p>(
    parts: &[&'p Part<'_>],
    to: Format,
) -> Result<Directory<'p>, Finding> {
    match to.spec().coding {
        Some(coding) if needs_encoder(parts, to) => directory(parts, to, Some(coding)),
        _ => all_stored(parts, to),
    }
}

/// The directory of these parts. Payloads are stored, or count as empty if they get a coding.
fn directory<'p>(
    parts: &[&'p Part<'_>],
    to: Format,
    coding: Option<Coding>,
) -> Result<Directory<'p>, Finding> {
    let mut directory = Directory::new(to, Limits::default());
    for part in parts {
        let name = part.name().as_bytes().into();
        let added = match part.shared_with(parts) {
            Some(first) => directory.share(name, first),
            None => {
                let stored = Payload::stored(part.size(), 0);
                let payload = match coding {
                    None => stored,
                    Some(coding) => Payload {
                        stored_len: 0,
                        coding,
                        ..stored
                    },
                };
                directory.add(name, payload).map(drop)
            }
        };
        added.map_err(|error| Finding::from(error).of_entry(&part.entry))?;
    }
    Ok(directory)
}

//! Decides which parts go into which output, before anything is written.

use std::collections::HashMap;

use crate::archive::{Archive, Coding, Format, quoted_name};
use crate::format::{Directory, Limits, Payload};
use crate::ops::expansion::ExpansionLimit;
use crate::ops::finding::{self, Finding, same_name};
use crate::ops::plan::judge::{facts_of_file, refused};
use crate::ops::plan::options::WriteOptions;
use crate::ops::plan::part::{OfPart, Part, PartList, payload_bytes};
use crate::ops::row::Created;

/// What goes into one output, or into the outputs that it is split into.
pub(crate) struct Layout<'a> {
    /// The outputs. Every part that is not left out is in one of them.
    pub(crate) outputs: Vec<PartList<'a>>,
    /// The parts that no output can contain, and why not. This is known without reading their contents.
    left_out: Vec<(Part<'a>, Finding)>,
    /// Whether there is something to write, and no part is missing that must not be.
    pub(crate) is_possible: bool,
    /// How many bytes of content are written.
    bytes: u64,
    limit: ExpansionLimit,
    /// How many entries share a payload with an earlier one, which the format cannot express.
    stored_apart: usize,
}

impl<'a> Layout<'a> {
    /// Lays out the entries of an archive that are selected.
    ///
    /// # Errors
    /// If entries that must stay together fit into no output.
    pub(crate) fn of_archive(
        archive: &'a Archive,
        options: &WriteOptions,
    ) -> Result<Self, Finding> {
        let picked = options.selection.entries(archive);
        let parts = Part::all(picked, options.to, options.lowercase);
        // If the directory is cut off, entries are missing.
        let whole = !finding::archive_notes(archive).iter().any(Finding::is_error);
        Self::of(parts, whole, archive.file_len(), options)
    }

    /// Lays out these parts. The files that they come from have this total length. `whole` is false if entries are
    /// known to be missing from the sources.
    ///
    /// # Errors
    /// If entries that must stay together fit into no output, or an engine that the outputs are for loads no archive
    /// with one of the names.
    pub(crate) fn of(
        parts: Vec<Part<'a>>,
        whole: bool,
        len: u64,
        options: &WriteOptions,
    ) -> Result<Self, Finding> {
        let mut layout = Self::of_one(parts, whole, len, options);
        if layout.is_possible && options.rules.limit() && layout.check_expansion(options).is_ok() {
            for list in core::mem::take(&mut layout.outputs) {
                let places = options.rules.split(&list, options.to)?;
                layout.outputs.extend(list.divide(&places));
            }
            // If parts in several outputs share a payload, it is written in each of these outputs.
            layout.bytes = payload_bytes(layout.outputs.iter().flat_map(PartList::iter));
            layout.check_engines(options)?;
        }
        Ok(layout)
    }

    /// Lays out these parts as one output, which is not split.
    pub(crate) fn of_one(
        parts: Vec<Part<'a>>,
        whole: bool,
        len: u64,
        options: &WriteOptions,
    ) -> Self {
        let limit = ExpansionLimit::together(&archives_of(&parts), len);
        let mut taken = names_taken(&parts, options.to);
        let mut left_out = Vec::new();
        // The list is filtered in its own memory, because a second one would be as large.
        let kept = parts.into_iter().filter_map(|mut part| {
            let checked = match taken.remove(&part.number) {
                Some(error) => Err(error),
                None => part.check(options.to),
            };
            if let Err(error) = checked {
                left_out.push((part, error));
                return None;
            }
            part.texture = part.read_texture(options.to);
            Some(part)
        });
        let mut list: PartList<'_> = kept.collect();
        let stored_apart = list.share_payloads(options.to);
        Self {
            is_possible: !list.is_empty() && (left_out.is_empty() && whole || options.keep_going),
            bytes: payload_bytes(list.iter()),
            outputs: vec![list],
            left_out,
            limit,
            stored_apart,
        }
    }

    /// All parts, in their order.
    pub(crate) fn all(&self) -> Vec<&Part<'a>> {
        let mut parts = Vec::with_capacity(self.len());
        parts.extend(self.outputs.iter().flat_map(PartList::iter));
        parts.extend(self.left_out.iter().map(|(part, _)| part));
        parts.sort_by_key(|part| part.number);
        parts
    }

    /// How many parts there are.
    pub(crate) fn len(&self) -> usize {
        let in_outputs: usize = self.outputs.iter().map(PartList::len).sum();
        in_outputs + self.left_out.len()
    }

    /// The files of a new archive, as they are reported.
    pub(crate) fn created(&self) -> Vec<Created> {
        let mut files = Vec::new();
        for part in self.all() {
            files.push(Created { name: part.name().as_bytes().to_vec(), size: part.size() });
        }
        files
    }

    /// How many outputs there are; one if nothing can be written.
    pub(crate) fn count(&self, options: &WriteOptions) -> usize {
        if self.is_possible && self.check_expansion(options).is_ok() {
            self.outputs.len()
        } else {
            1
        }
    }

    /// The size of all parts together.
    pub(crate) fn size(&self) -> u64 {
        let sizes = self.all().into_iter().map(Part::size);
        sizes.fold(0, u64::saturating_add)
    }

    /// The archives that the parts come from.
    pub(crate) fn archives(&self) -> Vec<&'a Archive> {
        archives_of(self.all())
    }

    /// Refuses to write more than honest sources can contain.
    pub(crate) fn check_expansion(&self, options: &WriteOptions) -> Result<(), Finding> {
        self.limit.check(self.bytes, options.max_expansion)
    }

    /// The parts that no output can contain, and why not.
    pub(crate) fn failed(&self) -> Vec<OfPart> {
        let left_out = self.left_out.iter();
        left_out.map(|(part, why)| part.finding(why.clone())).collect()
    }

    /// A warning about entries that shared a payload, if the format cannot express that.
    pub(crate) fn unshared(&self) -> Option<Finding> {
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

    /// Checks that the format can represent an output that is not split: its number of entries, and its length if
    /// that is known.
    pub(crate) fn check_size(&self, options: &WriteOptions) -> Result<(), Finding> {
        match self.outputs.as_slice() {
            [list] if self.is_possible && !options.rules.limit() => {
                foresee(list, options.to).map(drop)
            }
            _ => Ok(()),
        }
    }

    /// Checks that an output that must not be split has a size that the format can represent, and keeps the
    /// engines' limits.
    pub(crate) fn check_whole(&self, options: &WriteOptions) -> Result<(), Finding> {
        self.check_engines(options)?;
        for list in &self.outputs {
            foresee(list, options.to)?;
        }
        Ok(())
    }

    /// Checks that the engines that the outputs are for will load them.
    fn check_engines(&self, options: &WriteOptions) -> Result<(), Finding> {
        let (to, engines) = (options.to, options.rules.engines);
        if engines.is_empty() {
            return Ok(());
        }
        for list in &self.outputs {
            // What is to be compressed is counted as if it were not, as where a split is planned.
            let len = all_stored(list, to)?.file_len();
            let facts = facts_of_file(list.iter(), to, len);
            if let Some(refused) = refused(&facts, engines).into_iter().next() {
                return Err(refused);
            }
        }
        Ok(())
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
fn archives_of<'p, 'a: 'p>(parts: impl IntoIterator<Item = &'p Part<'a>>) -> Vec<&'a Archive> {
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

/// Whether the sizes in an archive with these parts are known only after all of them are encoded.
pub(crate) fn needs_encoder(parts: &PartList<'_>, to: Format) -> bool {
    let mut parts = parts.iter();
    let encodes = |part: &Part<'_>| part.size() > 0 && part.coding(to) != Coding::Stored;
    to.spec().states_sums || parts.any(encodes)
}

/// The directory of an archive in which every part is stored.
pub(crate) fn all_stored<'p>(
    parts: &'p PartList<'_>,
    to: Format,
) -> Result<Directory<'p>, Finding> {
    directory(parts, to, None)
}

/// The directory, as far as it is known before anything is encoded. If sizes depend on the encoder, every payload
/// counts as empty. Everything that is refused here would also be refused after encoding.
pub(crate) fn foresee<'p>(parts: &'p PartList<'_>, to: Format) -> Result<Directory<'p>, Finding> {
    match to.spec().coding {
        Some(coding) if needs_encoder(parts, to) => directory(parts, to, Some(coding)),
        _ => all_stored(parts, to),
    }
}

/// The directory of these parts. Payloads are stored, or count as empty if they get a coding.
fn directory<'p>(
    parts: &'p PartList<'_>,
    to: Format,
    coding: Option<Coding>,
) -> Result<Directory<'p>, Finding> {
    let mut directory = Directory::new(to, Limits::default());
    directory.check_count(parts.len())?;
    for part in parts.iter() {
        let name = part.name().as_bytes().into();
        let added = match part.shares {
            Some(first) => directory.share(name, first as usize),
            None => {
                let stored = Payload::stored(part.size(), 0);
                let payload = match coding {
                    None => stored,
                    Some(coding) => Payload { stored_len: 0, coding, ..stored },
                };
                directory.add(name, payload).map(drop)
            }
        };
        added.map_err(|error| Finding::from(error).of_entry(&part.entry))?;
    }
    Ok(directory)
}

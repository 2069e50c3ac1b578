//! A part: an entry to write, the name that it will have, and its place among all parts.

use std::borrow::Cow;
use std::io::Read as _;

use crate::archive::{Coding, Entry, Format, RawName};
use crate::engine::findable;
use crate::format::{TEXTURE_HEADER, check_name, has_palette, lump_name_in, name_in, texture_name};
use crate::ops::finding::{Finding, shares_damage};
use crate::ops::row::OutputRow;

/// An entry to write. Findings about it name its place in the source.
#[derive(Debug, Clone)]
pub(in crate::ops) struct Part<'a> {
    pub(in crate::ops) entry: Entry<'a>,
    /// Its number among all parts.
    pub(in crate::ops) number: usize,
    /// The number of the first part of the same output with the same payload. This is its own number if no part
    /// before it has the payload.
    pub(in crate::ops) payload: usize,
    /// Its new name, if it gets one.
    name: Option<Box<[u8]>>,
    /// What matters about its content if it goes into a WAD and is a texture.
    pub(in crate::ops) texture: Option<Box<Texture>>,
}

/// A texture that goes into a WAD.
#[derive(Debug, Clone)]
pub(in crate::ops) struct Texture {
    /// Whether it has a palette of its own.
    pub(in crate::ops) has_palette: bool,
    /// The field with its name, at the beginning of the content, if it becomes another one there. Compilers of maps
    /// use this name and not that of the lump.
    pub(in crate::ops) new_name: Option<[u8; 16]>,
}

/// A finding about a part that could not be read or is odd: which part, and what was found.
#[derive(Debug, Clone)]
pub(in crate::ops) struct OfPart {
    pub(in crate::ops) part: usize,
    pub(in crate::ops) finding: Finding,
}

/// The findings about parts.
#[derive(Debug, Default)]
pub(in crate::ops) struct Findings {
    /// Parts that could not be read.
    pub(in crate::ops) failed: Vec<OfPart>,
    /// Oddities of parts that are complete in the output.
    pub(in crate::ops) odd: Vec<OfPart>,
}

impl<'a> Part<'a> {
    /// Makes parts from all of these entries, in order, for an archive of this format. With `lowercase`, they get
    /// names that every engine finds.
    pub(in crate::ops) fn all(
        entries: impl IntoIterator<Item = Entry<'a>>,
        to: Format,
        lowercase: bool,
    ) -> Vec<Self> {
        let entries = entries.into_iter().map(|entry| (entry, None));
        Self::named(entries.collect(), to, lowercase)
    }

    /// Makes parts from these entries, in order, for an archive of this format. Each has its new name, if one is
    /// given. With `lowercase`, they get names that every engine finds.
    pub(in crate::ops) fn named(
        entries: Vec<(Entry<'a>, Option<Vec<u8>>)>,
        to: Format,
        lowercase: bool,
    ) -> Vec<Self> {
        let part = |(number, (entry, name)): (usize, (Entry<'a>, Option<Vec<u8>>))| {
            let plain = name.as_deref().unwrap_or(entry.name().as_bytes());
            let lowered = lowercase.then(|| findable(plain));
            let lowered = lowered.unwrap_or(Cow::Borrowed(plain));
            let own = if is_lump(&entry) {
                lump_name_in(to, &lowered)
            } else {
                name_in(to, &lowered)
            };
            let is_same = name.is_none() && *own == *entry.name().as_bytes();
            let name = (!is_same).then(|| own.into_owned().into_boxed_slice());
            Self {
                entry,
                number,
                payload: number,
                name,
                texture: None,
            }
        };
        entries.into_iter().enumerate().map(part).collect()
    }

    /// The name that it will have.
    pub(in crate::ops) fn name(&self) -> RawName<'_> {
        match &self.name {
            Some(name) => RawName::new(name),
            None => self.entry.name(),
        }
    }

    /// Whether it gets a new name.
    pub(in crate::ops) const fn is_renamed(&self) -> bool {
        self.name.is_some()
    }

    /// Reads what matters about a texture that goes into a WAD. An error is reported when the content is written.
    pub(in crate::ops) fn read_texture(&mut self, to: Format) {
        self.texture = self.look_for_texture(to).map(Box::new);
    }

    fn look_for_texture(&self, to: Format) -> Option<Texture> {
        if !to.spec().has_lumps() || !is_texture(self.name()) {
            return None;
        }
        let start = texture_start(&self.entry)?;
        let has_palette = has_palette(&start, self.size())?;
        let mut new_name = None;
        if self.is_renamed() || !is_lump(&self.entry) {
            let old = RawName::from_field(start.get(..16)?);
            new_name = texture_name(to, self.name());
            new_name = new_name.filter(|new| RawName::from_field(new) != old);
        }
        Some(Texture {
            has_palette,
            new_name,
        })
    }

    /// The bytes that replace the first ones of its content.
    pub(in crate::ops) fn new_start(&self) -> Option<&[u8; 16]> {
        self.texture.as_ref()?.new_name.as_ref()
    }

    /// How long the content is.
    pub(in crate::ops) const fn size(&self) -> u64 {
        self.entry.size()
    }

    /// Whether its content must be read. This can be true for an empty file, if its checksum must be checked.
    pub(in crate::ops) const fn is_read(&self) -> bool {
        self.size() > 0 || !self.entry.is_plain()
    }

    /// Whether its payload must be written: there is something to read, and no part before it has the same payload.
    pub(in crate::ops) const fn has_payload(&self) -> bool {
        self.is_read() && self.payload == self.number
    }

    /// The index, among all parts of the output, of an earlier part with the same payload.
    pub(in crate::ops) fn shared_with(&self, parts: &[&Part<'_>]) -> Option<usize> {
        if self.payload == self.number {
            return None;
        }
        let found = parts.binary_search_by_key(&self.payload, |part| part.number);
        found.ok()
    }

    /// How it is coded in the output, if that makes it smaller.
    pub(in crate::ops) fn coding(&self, to: Format) -> Coding {
        to.coding_for(self.name())
    }

    /// Checks whether an archive of this format can contain it, without reading its content.
    pub(in crate::ops) fn check(&self, to: Format) -> Result<(), Finding> {
        check_name(to, self.name()).map_err(|error| self.entry.locate(error))?;
        Ok(self.entry.check_claims()?)
    }

    /// A finding about it.
    pub(in crate::ops) fn finding(&self, finding: impl Into<Finding>) -> OfPart {
        OfPart {
            part: self.number,
            finding: finding.into(),
        }
    }
}

impl Findings {
    /// Adds the findings about other parts.
    pub(in crate::ops) fn extend(&mut self, other: Self) {
        self.failed.extend(other.failed);
        self.odd.extend(other.odd);
    }

    /// Whether this part is among the failed parts, which must be [sorted](Self::sort).
    pub(in crate::ops) fn has_failed(&self, part: &Part<'_>) -> bool {
        let found = self.failed.binary_search_by_key(&part.number, |it| it.part);
        found.is_ok()
    }

    /// Sorts the findings by part. Each failed part is kept only once.
    pub(in crate::ops) fn sort(&mut self) {
        self.failed
            .sort_by_key(|it| (it.part, it.finding.place.offset));
        self.failed.dedup_by_key(|it| it.part);
        self.odd.sort_by_key(|it| it.part);
    }

    /// Adds the parts of an output that share a payload with a failed part, and sorts.
    pub(in crate::ops) fn spread(&mut self, parts: &[&Part<'_>]) {
        self.sort();
        let mut shared = Vec::new();
        for part in parts {
            let Some(first) = part.shared_with(parts).and_then(|at| parts.get(at)) else {
                continue;
            };
            if self.has_failed(first) {
                let first = first.entry.index();
                shared.push(part.finding(shares_damage(first).of_entry(&part.entry)));
            }
        }
        self.failed.extend(shared);
        self.sort();
    }

    /// Adds them to the report about an output, in the order of the parts.
    pub(in crate::ops) fn add_to(mut self, report: &mut OutputRow) {
        self.sort();
        report.skipped = self.failed.len() as u64;
        let mut mended: Vec<usize> = self.odd.iter().map(|it| it.part).collect();
        mended.dedup();
        report.mended = mended.len() as u64;
        let mut findings = Vec::new();
        for OfPart { part, finding } in self.failed {
            findings.push((part, finding));
        }
        for OfPart { part, finding } in self.odd {
            findings.push((part, finding.as_warning()));
        }
        findings.sort_by_key(|(part, _)| *part);
        let findings = findings.into_iter().map(|(_, finding)| finding);
        report.findings.extend(findings);
    }
}

/// Whether a texture of a WAD has a palette of its own. `None` if the entry is no such texture.
pub(in crate::ops) fn has_own_palette(entry: &Entry<'_>) -> Option<bool> {
    if !is_texture(entry.name()) {
        return None;
    }
    has_palette(&texture_start(entry)?, entry.size())
}

fn is_texture(name: RawName<'_>) -> bool {
    let extension = name.extension().unwrap_or_default();
    extension.eq_ignore_ascii_case(b"mip")
}

/// The header of a texture.
fn texture_start(entry: &Entry<'_>) -> Option<[u8; TEXTURE_HEADER]> {
    let mut start = [0; TEXTURE_HEADER];
    entry.reader().ok()?.read_exact(&mut start).ok()?;
    Some(start)
}

/// Whether an entry is a lump of a WAD, whose name is not a path.
fn is_lump(entry: &Entry<'_>) -> bool {
    let format = entry.archive().format();
    format.is_some_and(|format| format.spec().has_lumps())
}

/// How many bytes the payloads of these parts have, decompressed.
pub(in crate::ops) fn payload_bytes<'p, 'a: 'p>(
    parts: impl IntoIterator<Item = &'p &'p Part<'a>>,
) -> u64 {
    let payloads = parts.into_iter().filter(|part| part.has_payload());
    payloads.fold(0, |sum, part| sum.saturating_add(part.size()))
}

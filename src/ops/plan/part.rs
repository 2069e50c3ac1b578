//! A part is an entry to write, and the name that it will have. A list of parts is what an output holds.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, Read as _};

use crate::archive::{Coding, Entry, Format, RawName};
use crate::engine::findable;
use crate::format::{Miptex, check_name, lump_name_in, name_in, texture_name};
use crate::ops::finding::{Finding, shares_damage};
use crate::ops::row::OutputRow;
use crate::ops::selection::is_lump;

/// An entry to write. Findings about it name its place in the source.
#[derive(Debug, Clone)]
pub(crate) struct Part<'a> {
    pub(crate) entry: Entry<'a>,
    /// Its number among all parts of all outputs, and of those that no output holds.
    pub(crate) number: usize,
    /// The place in its list of the first part with the same payload. `None` if no part before it has the payload.
    pub(crate) shares: Option<u32>,
    /// Its new name, if it gets one.
    name: Option<Box<[u8]>>,
    /// What matters about its content if it goes into a WAD and is a texture.
    pub(crate) texture: Option<Box<Texture>>,
}

/// A texture that goes into a WAD.
#[derive(Debug, Clone)]
pub(crate) struct Texture {
    /// Whether it has a palette of its own.
    pub(crate) has_palette: bool,
    /// The field with its name, at the beginning of the content, if it becomes another one there. Compilers of maps
    /// use this name and not that of the lump.
    pub(crate) new_name: Option<[u8; 16]>,
}

/// A finding about a part that could not be read or is odd: which part, and what was found.
#[derive(Debug, Clone)]
pub(crate) struct OfPart {
    pub(crate) part: usize,
    pub(crate) finding: Finding,
}

/// The findings about parts.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    /// Parts that could not be read.
    pub(crate) failed: Vec<OfPart>,
    /// Oddities of parts that are complete in the output.
    pub(crate) odd: Vec<OfPart>,
}

impl<'a> Part<'a> {
    /// Makes parts from all of these entries, in order, for an archive of this format. With `lowercase`, they get
    /// names that every engine finds.
    pub(crate) fn all(
        entries: impl IntoIterator<Item = Entry<'a>>,
        to: Format,
        lowercase: bool,
    ) -> Vec<Self> {
        let entries = entries.into_iter().map(|entry| (entry, None));
        Self::named(entries.collect(), to, lowercase)
    }

    /// Makes parts from these entries, in order, for an archive of this format. Each has its new name, if one is
    /// given. With `lowercase`, they get names that every engine finds.
    pub(crate) fn named(
        entries: Vec<(Entry<'a>, Option<Vec<u8>>)>,
        to: Format,
        lowercase: bool,
    ) -> Vec<Self> {
        let mut parts = Vec::with_capacity(entries.len());
        for (number, (entry, name)) in entries.into_iter().enumerate() {
            let plain = name.as_deref().unwrap_or(entry.name().as_bytes());
            let mut new = Cow::Borrowed(plain);
            if lowercase {
                new = findable(plain);
            }
            let new = if is_lump(&entry) { lump_name_in(to, &new) } else { name_in(to, &new) };
            let is_same = name.is_none() && *new == *entry.name().as_bytes();
            parts.push(Self {
                entry,
                number,
                shares: None,
                name: (!is_same).then(|| new.into_owned().into_boxed_slice()),
                texture: None,
            });
        }
        parts
    }

    /// The name that it will have.
    pub(crate) fn name(&self) -> RawName<'_> {
        match &self.name {
            Some(name) => RawName::new(name),
            None => self.entry.name(),
        }
    }

    /// Whether it gets a new name.
    pub(crate) const fn is_renamed(&self) -> bool {
        self.name.is_some()
    }

    /// Reads what matters about a texture that goes into a WAD. An error is reported when the content is written.
    pub(crate) fn read_texture(&self, to: Format) -> Option<Box<Texture>> {
        if !to.spec().has_lumps() || !is_texture(self.name()) {
            return None;
        }
        let start = texture_start(&self.entry)?;
        let miptex = Miptex::new(&start);
        let has_palette = miptex.has_palette(self.size())?;
        let mut new_name = None;
        if self.is_renamed() || !is_lump(&self.entry) {
            new_name = texture_name(to, self.name());
            new_name = new_name.filter(|new| RawName::from_field(new).as_bytes() != miptex.name);
        }
        Some(Box::new(Texture { has_palette, new_name }))
    }

    /// The bytes that replace the first ones of its content.
    pub(crate) fn new_start(&self) -> Option<&[u8; 16]> {
        self.texture.as_ref()?.new_name.as_ref()
    }

    /// How long the content is.
    pub(crate) const fn size(&self) -> u64 {
        self.entry.size()
    }

    /// Whether its content must be read. This can be true for an empty file, if its checksum must be checked.
    pub(crate) const fn is_read(&self) -> bool {
        self.size() > 0 || !self.entry.is_plain()
    }

    /// Whether its payload must be written: there is something to read, and no part before it has the same payload.
    pub(crate) const fn has_payload(&self) -> bool {
        self.is_read() && self.shares.is_none()
    }

    /// How it is coded in the output, if that makes it smaller.
    pub(crate) fn coding(&self, to: Format) -> Coding {
        to.coding_for(self.name())
    }

    /// Checks whether an archive of this format can contain it, without reading its content.
    pub(crate) fn check(&self, to: Format) -> Result<(), Finding> {
        check_name(to, self.name()).map_err(|error| self.entry.locate(error))?;
        Ok(self.entry.check_claims()?)
    }

    /// A finding about it.
    pub(crate) fn finding(&self, finding: impl Into<Finding>) -> OfPart {
        OfPart { part: self.number, finding: finding.into() }
    }
}

/// The parts of an output, in their order. The place of a part in the list is its place in the new directory.
#[derive(Debug, Default)]
pub(crate) struct PartList<'a>(Vec<Part<'a>>);

/// For the places of payloads in an old list, their places in a new one.
type Moved = HashMap<u32, u32>;

impl<'a> PartList<'a> {
    pub(crate) fn iter(&self) -> std::slice::Iter<'_, Part<'a>> {
        self.0.iter()
    }

    pub(crate) const fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The part at a place.
    pub(crate) fn get(&self, place: usize) -> Option<&Part<'a>> {
        self.0.get(place)
    }

    /// Finds parts that share a payload: their archive, position, sizes, stated CRC-32, coding, and coding in the
    /// output all agree. Two payloads with the same bytes at different positions stay separate, and so does a payload that
    /// is stored for one part and compressed for another. In formats that [state
    /// sums](crate::format::Spec::states_sums) every entry has a payload of its own, and so has one whose first bytes
    /// change. Returns how many parts have a payload of their own only because of the format.
    pub(super) fn share_payloads(&mut self, to: Format) -> usize {
        let mut stored_apart = 0;
        if is_in_order(&self.0) {
            return stored_apart;
        }
        let mut firsts = HashMap::with_capacity(self.len());
        for (place, part) in (0_u32..).zip(&mut self.0) {
            let entry = part.entry;
            let can_share = !entry.is_file() && part.new_start().is_none();
            let Some(extent) = entry.place().filter(|_| can_share) else {
                continue;
            };
            let archive = core::ptr::from_ref(entry.archive());
            let coding = (entry.coding(), part.coding(to));
            let payload = (archive, extent, entry.size(), coding, entry.stated_crc32());
            let first = *firsts.entry(payload).or_insert(place);
            if first == place {
                continue;
            }
            if to.spec().states_sums {
                stored_apart += 1;
            } else {
                part.shares = Some(first);
            }
        }
        stored_apart
    }

    /// The parts that have not failed. The failed parts must be [sorted](Findings::sort).
    pub(crate) fn without(&self, findings: &Findings) -> Self {
        let (mut list, mut moved) = (Self::default(), Moved::new());
        for (place, part) in (0_u32..).zip(&self.0) {
            if !findings.has_failed(part) {
                list.push_moved(part.clone(), place, &mut moved);
            }
        }
        list
    }

    /// Divides the list into lists of the parts at these places. Each place is in one of them.
    pub(super) fn divide(self, places: &[Vec<u32>]) -> Vec<Self> {
        if places.len() == 1 {
            return vec![self];
        }
        let mut list_of = vec![0; self.len()];
        for (list, places) in places.iter().enumerate() {
            for place in places {
                if let Some(of) = list_of.get_mut(*place as usize) {
                    *of = list;
                }
            }
        }
        let mut lists: Vec<(Self, Moved)> = Vec::new();
        lists.resize_with(places.len(), Default::default);
        for (place, (part, of)) in (0_u32..).zip(self.0.into_iter().zip(list_of)) {
            if let Some((list, moved)) = lists.get_mut(of) {
                list.push_moved(part, place, moved);
            }
        }
        lists.into_iter().map(|(list, _)| list).collect()
    }

    /// Adds a part from another list, where it has this place. If several parts share a payload, the first of them
    /// here has it.
    fn push_moved(&mut self, mut part: Part<'a>, place: u32, moved: &mut Moved) {
        let payload = part.shares.unwrap_or(place);
        let here = u32::try_from(self.len()).unwrap_or(u32::MAX);
        let first = *moved.entry(payload).or_insert(here);
        part.shares = (first != here).then_some(first);
        self.0.push(part);
    }
}

impl<'a> FromIterator<Part<'a>> for PartList<'a> {
    fn from_iter<I: IntoIterator<Item = Part<'a>>>(parts: I) -> Self {
        Self(parts.into_iter().collect())
    }
}

/// Whether each payload lies after the previous one, so that none is shared. This is so in most archives.
fn is_in_order(parts: &[Part<'_>]) -> bool {
    let payloads = parts.iter().filter(|part| part.size() > 0);
    payloads.map(|part| part.entry).is_sorted_by(|a, b| {
        let one_archive = core::ptr::eq(a.archive(), b.archive());
        a.is_file() || one_archive && a.offset() < b.offset()
    })
}

impl Findings {
    /// Adds the findings about other parts.
    pub(crate) fn extend(&mut self, other: Self) {
        self.failed.extend(other.failed);
        self.odd.extend(other.odd);
    }

    /// Whether this part is among the failed parts, which must be [sorted](Self::sort).
    pub(crate) fn has_failed(&self, part: &Part<'_>) -> bool {
        let found = self.failed.binary_search_by_key(&part.number, |it| it.part);
        found.is_ok()
    }

    /// Sorts the findings by part. Each failed part is kept only once.
    pub(crate) fn sort(&mut self) {
        self.failed.sort_by_key(|it| (it.part, it.finding.place.offset));
        self.failed.dedup_by_key(|it| it.part);
        self.odd.sort_by_key(|it| it.part);
    }

    /// Adds the parts of an output that share a payload with a failed part, and sorts.
    pub(crate) fn spread(&mut self, parts: &PartList<'_>) {
        self.sort();
        let mut shared = Vec::new();
        for part in parts.iter() {
            let Some(first) = part.shares.and_then(|first| parts.get(first as usize)) else {
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
    pub(crate) fn add_to(mut self, report: &mut OutputRow) {
        self.sort();
        report.skipped += self.failed.len() as u64;
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
pub(crate) fn has_own_palette(entry: &Entry<'_>) -> Option<bool> {
    if !is_texture(entry.name()) {
        return None;
    }
    let start = texture_start(entry)?;
    let miptex = Miptex::new(&start);
    if !miptex.has_palette(entry.size())? {
        return Some(false);
    }
    // Other bytes can follow the pixels.
    let (mut file, end) = (entry.reader().ok()?, miptex.end()?);
    io::copy(&mut file.by_ref().take(end), &mut io::sink()).ok()?;
    let mut count = [0; 2];
    file.read_exact(&mut count).ok()?;
    let count = u64::from(u16::from_le_bytes(count));
    Some((1..=256).contains(&count) && end + 2 + 3 * count <= entry.size())
}

fn is_texture(name: RawName<'_>) -> bool {
    let extension = name.extension().unwrap_or_default();
    extension.eq_ignore_ascii_case(b"mip")
}

/// The header of a texture.
fn texture_start(entry: &Entry<'_>) -> Option<[u8; Miptex::HEADER]> {
    let mut start = [0; Miptex::HEADER];
    entry.reader().ok()?.read_exact(&mut start).ok()?;
    Some(start)
}

/// How many bytes the payloads of these parts have, decompressed.
pub(crate) fn payload_bytes<'p, 'a: 'p>(parts: impl IntoIterator<Item = &'p Part<'a>>) -> u64 {
    let payloads = parts.into_iter().filter(|part| part.has_payload());
    payloads.fold(0, |sum, part| sum.saturating_add(part.size()))
}

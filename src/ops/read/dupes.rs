//! Finds files and archives that are stored more than once, within an archive and across archives.
//!
//! First the directories of all archives are read. Then archives that look alike (the same length,
//! directory and bytes in the middle), and entries with the same size, are hashed with SHA-256. So if all sizes in a
//! collection differ, little more than its directories is read. If archives are equal, only the first of them is
//! searched for files.

use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use serde::ser::Serializer;
use sha2::{Digest as _, Sha256};

use crate::archive::{Archive, Entry};
use crate::fs::FileId;
use crate::ops::catalogue::{Contents, Trouble};
use crate::ops::context::{Context, Refusal};
use crate::ops::finding;
use crate::ops::finding::Finding;
use crate::ops::json::{self, hex};
use crate::ops::report::{Sink, hand_on, hand_on_rows};
use crate::ops::source::{Found, Input, Selection, Waiting, for_each, nested};

/// What to look for.
#[derive(Debug, Default)]
pub struct DupesOptions {
    /// The entries to compare. Whole archives are compared if all entries are.
    pub selection: Selection,
    /// The size of the smallest file that counts. Empty files never count.
    pub min_size: u64,
}

/// What a search for duplicates reports.
#[derive(Debug)]
pub enum DupesRow {
    /// How much is stored more than once. Reported before all copies.
    Whole(DuplicatesRow),
    /// One of several copies of a file or an archive.
    Copy(CopyRow),
}

/// One of several copies of a content.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct CopyRow {
    /// The content's SHA-256.
    #[serde(serialize_with = "hexadecimal")]
    pub sha256: [u8; 32],
    /// How long the content is.
    pub size: u64,
    /// How many copies there are.
    pub copies: usize,
    /// The archive.
    #[serde(flatten, serialize_with = "json::archive")]
    pub archive: Arc<Path>,
    /// The entry's number there. `None` if the whole archive is the copy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<usize>,
    /// The entry's name.
    #[serde(flatten, serialize_with = "json::name")]
    pub name: Option<Vec<u8>>,
    /// How many bytes the copy takes: 0 if it shares another entry's payload.
    pub packed_size: u64,
}

/// How much is stored more than once.
#[derive(Debug, Clone, Copy, Default)]
pub struct DuplicatesRow {
    /// Archives that are stored more than once, each group counted once.
    pub archives: usize,
    /// How many times these are stored.
    pub archive_copies: usize,
    /// Files that are stored more than once, each group counted once.
    pub files: usize,
    /// How many times these are stored.
    pub file_copies: usize,
    /// The bytes of all copies but the first of each group.
    pub wasted: u64,
}

/// What was searched for duplicates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DupesTotals {
    /// Archives that could be read.
    pub archives: u64,
    /// Inputs that could not be read.
    pub unread: u64,
    /// Archives whose directory is cut off.
    pub cut: u64,
    /// Contents that are stored more than once.
    pub contents: u64,
    /// Archives and entries that could not be read when they were compared.
    pub damaged: u64,
    /// Whether a name or a pattern has matched nothing.
    pub is_unmatched: bool,
}

/// Finds files and archives that are stored more than once, among the archives that `paths` name.
///
/// If there are duplicates, reports a [`DuplicatesRow`], then the copies of each archive, then the copies of each
/// file, beginning with the file that wastes the most bytes.
///
/// # Errors
/// If a stop is asked for.
pub fn dupes(
    context: &Context<'_>,
    paths: &[impl AsRef<Path>],
    options: &DupesOptions,
    out: &mut dyn Sink<DupesRow>,
) -> Result<DupesTotals, Refusal> {
    let mut totals = DupesTotals::default();
    let selection = &options.selection;
    let archives = gather(context, paths, selection, &mut totals, out);
    // What could not be read might have matched.
    if totals.unread == 0 {
        hand_on(out, selection.unmatched());
        totals.is_unmatched = selection.has_missed();
    }
    let (archives, equal) = if selection.is_all() {
        equal_archives(context, archives, &mut totals, out)
    } else {
        (archives, Vec::new())
    };
    let paths = archives.iter().map(|archive| &archive.input.path);
    let nested = paths.filter(|path| nested::split(path).is_some());
    let search = Search {
        context,
        options,
        alike: sizes_of_several(&archives),
        nested: nested.map(|path| path.clone().into_os_string()).collect(),
    };
    let mut contents = Vec::new();
    let copies = |archive: &GatheredArchive| search.copies(&archive.input);
    let _ = for_each(context, &archives, usize::MAX, copies, |found| {
        match found {
            Ok((copies, damage)) => {
                totals.damaged += damage.len() as u64;
                hand_on(out, damage);
                contents.extend(copies);
            }
            Err(error) => {
                totals.damaged += 1;
                out.finding(error);
            }
        }
        ControlFlow::Continue(())
    });
    totals.contents = report(equal, several(contents), out);
    Ok(totals)
}

/// The sizes that several entries have.
fn sizes_of_several(archives: &[GatheredArchive]) -> HashSet<u64> {
    let (mut once, mut several) = (HashSet::new(), HashSet::new());
    for size in archives.iter().flat_map(|archive| &archive.sizes) {
        if !once.insert(*size) {
            several.insert(*size);
        }
    }
    several
}

/// The search for equal files.
struct Search<'a> {
    context: &'a Context<'a>,
    options: &'a DupesOptions,
    /// The sizes that several entries have. No other entries are read.
    alike: HashSet<u64>,
    /// The paths of archives within others. Such an entry is compared by what is in it.
    nested: HashSet<OsString>,
}

impl Search<'_> {
    /// The entries of an archive that may be copies of others, and the damage of what cannot be read.
    fn copies(&self, input: &Input) -> Result<(Vec<CopyRow>, Vec<Finding>), Finding> {
        let archive = input.open(self.context)?;
        let contents = Contents::of(self.context, &archive, self.entries(input, &archive), None)
            .map_err(|error| error.at_path(&input.path))?;
        let path: Arc<Path> = Arc::from(&*input.path);
        let (mut copies, mut damage, mut seen) = (Vec::new(), Vec::new(), HashSet::new());
        for content in contents.hash(self.context, Sha256::new()) {
            let entry = content.entry;
            if let Some(Trouble::Damaged(error)) = content.trouble.map(|it| *it) {
                damage.push(error);
                continue;
            }
            let is_first = entry.is_file() || seen.insert(entry.place());
            copies.push(CopyRow {
                sha256: content.digest,
                size: entry.size(),
                copies: 0,
                archive: Arc::clone(&path),
                index: Some(entry.index()),
                name: Some(entry.name().as_bytes().to_vec()),
                packed_size: if is_first { entry.stored_len() } else { 0 },
            });
        }
        Ok((copies, damage))
    }

    /// The entries of an archive whose contents must be read.
    fn entries<'e>(&self, input: &Input, archive: &'e Archive) -> Vec<Entry<'e>> {
        let smallest = self.options.min_size.max(1);
        let mut taken = HashSet::new();
        let mut entries = self.options.selection.entries(archive);
        entries.retain(|entry| {
            if entry.size() < smallest || !self.alike.contains(&entry.size()) {
                return false;
            }
            if self.nested.is_empty() {
                return true;
            }
            // Of several entries with this name, the first is the archive.
            let path = nested::join(&input.path, entry.name().as_bytes()).into_os_string();
            !(self.nested.contains(&path) && taken.insert(path))
        });
        entries
    }
}

/// An archive whose directory was read.
struct GatheredArchive {
    input: Input,
    looks: Looks,
    /// The sizes of the entries that are selected.
    sizes: Vec<u64>,
}

/// Where an archive is: which file, and the names that lead on from there.
fn file_and_names(context: &Context<'_>, input: &Input) -> Option<(FileId, Vec<Vec<u8>>)> {
    let (file, names) = match nested::split(&input.path) {
        None => (input.path.clone(), Vec::new()),
        Some(within) => (within.file, within.names),
    };
    Some((context.system.identify(&file).ok()?, names))
}

/// Reads the directories of all archives.
fn gather(
    context: &Context<'_>,
    paths: &[impl AsRef<Path>],
    selection: &Selection,
    totals: &mut DupesTotals,
    out: &mut dyn Sink<DupesRow>,
) -> Vec<GatheredArchive> {
    let (mut archives, mut notes) = (Vec::new(), Vec::new());
    let (mut seen, waiting) = (HashSet::new(), Waiting::default());
    let mut found = Found::new(context, paths);
    while let Some((mut input, archive)) = found.next_opened(false) {
        totals.archives += 1;
        // A file with two names is stored once, and so is what it holds.
        if file_and_names(context, &input).is_some_and(|place| !seen.insert(place)) {
            continue;
        }
        // If a directory is cut off, entries are missing.
        notes.extend(finding::archive_errors(&archive));
        let entries = selection.entries(&archive);
        waiting.add(context, &mut input);
        archives.push(GatheredArchive {
            input,
            looks: Looks::of(&archive),
            sizes: entries.iter().map(Entry::size).collect(),
        });
    }
    totals.unread = hand_on(out, found.into_findings());
    totals.cut = notes.len() as u64;
    hand_on(out, notes);
    archives
}

/// Finds equal archives. Returns one archive of each content, and the copies of archives that are stored more than once.
fn equal_archives(
    context: &Context<'_>,
    archives: Vec<GatheredArchive>,
    totals: &mut DupesTotals,
    out: &mut dyn Sink<DupesRow>,
) -> (Vec<GatheredArchive>, Vec<Vec<CopyRow>>) {
    let mut alike: HashMap<Looks, u32> = HashMap::new();
    for archive in &archives {
        *alike.entry(archive.looks).or_default() += 1;
    }
    let hashed = context.pool.map(&archives, |archive| {
        let is_alone = alike.get(&archive.looks).is_none_or(|count| *count < 2);
        if is_alone || context.cancel.is_set() {
            return None;
        }
        Some(archive.input.open(context).and_then(|it| hash_whole(&it)))
    });
    let (mut different, mut contents, mut seen) = (Vec::new(), Vec::new(), HashSet::new());
    for (archive, hashed) in archives.into_iter().zip(hashed) {
        let sha256 = match hashed.transpose() {
            Ok(sha256) => sha256,
            Err(error) => {
                totals.damaged += 1;
                out.finding(error.at_path(&archive.input.path));
                None
            }
        };
        let Some(sha256) = sha256 else {
            different.push(archive);
            continue;
        };
        let len = archive.looks.len;
        contents.push(CopyRow {
            sha256,
            size: len,
            copies: 0,
            archive: Arc::from(&*archive.input.path),
            index: None,
            name: None,
            packed_size: len,
        });
        if seen.insert(sha256) {
            different.push(archive);
        }
    }
    (different, several(contents))
}

/// What equal archives have in common, and most others do not.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Looks {
    len: u64,
    directory: u32,
    /// The CRC-32 of a few bytes in the middle. Without it, archives that differ only in their contents would all be
    /// hashed whole.
    middle: u32,
}

impl Looks {
    fn of(archive: &Archive) -> Self {
        let (len, mut sample) = (archive.file_len(), [0; 4096]);
        if let Some(source) = archive.source() {
            // If it cannot be read, that is reported later.
            let _ = source.read_full_at(&mut sample, len / 2);
        }
        Self { len, directory: archive.directory_crc32(), middle: crc32fast::hash(&sample) }
    }
}

/// The SHA-256 of all bytes of an archive.
fn hash_whole(archive: &Archive) -> Result<[u8; 32], Finding> {
    let mut hasher = Sha256::new();
    let Some(source) = archive.source() else {
        return Ok(hasher.finalize().into());
    };
    let mut buffer = vec![0; 1 << 16];
    let mut offset = 0;
    loop {
        let len = source.read_at(&mut buffer, offset).map_err(Finding::from_io)?;
        let Some(piece @ [_, ..]) = buffer.get(..len) else {
            return Ok(hasher.finalize().into());
        };
        hasher.update(piece);
        offset += len as u64;
    }
}

/// Reports the totals, and then each copy. Returns how many contents have copies.
fn report(
    archives: Vec<Vec<CopyRow>>,
    files: Vec<Vec<CopyRow>>,
    out: &mut dyn Sink<DupesRow>,
) -> u64 {
    let groups = || archives.iter().chain(&files);
    let wasted = groups().map(|copies| wasted(copies));
    let row = DuplicatesRow {
        archives: archives.len(),
        archive_copies: archives.iter().map(Vec::len).sum(),
        files: files.len(),
        file_copies: files.iter().map(Vec::len).sum(),
        wasted: wasted.fold(0, u64::saturating_add),
    };
    let contents = archives.len() + files.len();
    let whole = (contents > 0).then_some(DupesRow::Whole(row));
    let copies = archives.into_iter().chain(files).flatten();
    // There is nothing after them that could be ended.
    let _ = hand_on_rows(out, whole.into_iter().chain(copies.map(DupesRow::Copy)));
    contents as u64
}

/// The copies of each content that is stored more than once, beginning with the content that wastes the most bytes.
/// If two waste the same, the place of the first copy decides.
fn several(mut contents: Vec<CopyRow>) -> Vec<Vec<CopyRow>> {
    let content = |copy: &CopyRow| (copy.size, copy.sha256);
    contents.sort_by_key(content);
    let mut several = Vec::new();
    for copies in contents.chunk_by(|a, b| content(a) == content(b)) {
        if copies.len() > 1 {
            let mut copies = copies.to_vec();
            let count = copies.len();
            for copy in &mut copies {
                copy.copies = count;
            }
            several.push(copies);
        }
    }
    several.sort_by(|a, b| {
        let place = |copies: &[CopyRow]| {
            let first = copies.first();
            first.map(|copy| (Arc::clone(&copy.archive), copy.index))
        };
        let order = wasted(b).cmp(&wasted(a));
        order.then_with(|| place(a).cmp(&place(b)))
    });
    several
}

/// The bytes of all copies but the first.
fn wasted(copies: &[CopyRow]) -> u64 {
    let others = copies.iter().skip(1).map(|copy| copy.packed_size);
    others.fold(0, u64::saturating_add)
}

fn hexadecimal<S: Serializer>(bytes: &[u8; 32], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&hex(bytes))
}

//! Finds files and archives that are stored more than once, within an archive and across archives.
//!
//! First the directories of all archives are read. Then archives that look alike (the same length,
//! directory and bytes in the middle), and entries with the same size, are hashed with SHA-256. So if all sizes in a
//! collection differ, little more than its directories is read. If archives are equal, only the first of them is
//! searched for files.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sha2::{Digest as _, Sha256};

use crate::archive::{Archive, Entry};
use crate::ops::catalogue::{Contents, Trouble};
use crate::ops::context::{Context, Refusal};
use crate::ops::finding;
use crate::ops::finding::Finding;
use crate::ops::report::{Sink, hand_on, hand_on_rows};
use crate::ops::row::{CopyRow, DuplicatesRow};
use crate::ops::source::{Found, Input, Selection, for_each, nested};

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
    }
    let (archives, equal) = if selection.is_all() {
        equal_archives(context, archives, out)
    } else {
        (archives, Vec::new())
    };
    let search = Search {
        context,
        options,
        alike: sizes_of_several(&archives),
        nested: archives.iter().map(|it| it.input.path.clone()).collect(),
    };
    let mut contents = Copies::new();
    let copies = |archive: &GatheredArchive| search.copies(&archive.input);
    let _ = for_each(context, &archives, copies, |found| {
        match found {
            Ok((copies, damage)) => {
                hand_on(out, damage);
                for copy in copies {
                    add(&mut contents, copy);
                }
            }
            Err(error) => out.finding(error),
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
    /// The paths of all archives. Entries that are archives of their own are compared by what is in them.
    nested: HashSet<PathBuf>,
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
            let is_first = entry.is_file() || seen.insert(entry.extent());
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
            // Of several entries with this name, the first is the archive.
            let path = nested::join(&input.path, entry.name().as_bytes());
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

/// Reads the directories of all archives.
fn gather(
    context: &Context<'_>,
    paths: &[impl AsRef<Path>],
    selection: &Selection,
    totals: &mut DupesTotals,
    out: &mut dyn Sink<DupesRow>,
) -> Vec<GatheredArchive> {
    let mut archives = Vec::new();
    let mut seen = HashSet::new();
    let mut notes = Vec::new();
    let mut found = Found::new(context, paths);
    while let Some((mut input, archive)) = found.next_opened() {
        totals.archives += 1;
        // A file with two names is stored once, and so is what it holds.
        let (file, names) = match nested::split(&input.path) {
            None => (input.path.clone(), Vec::new()),
            Some(within) => (within.file, within.names),
        };
        let id = context.system.identify(&file);
        if !id.map_or(true, |id| seen.insert((id, names))) {
            continue;
        }
        // If a directory is cut off, entries are missing.
        notes.extend(
            finding::archive_notes(&archive)
                .into_iter()
                .filter(Finding::is_error),
        );
        let entries = selection.entries(&archive);
        let looks = Looks::of(&archive);
        let sizes = entries.iter().map(Entry::size).collect();
        input.set_aside(archives.len() < context.system.files_kept_open());
        archives.push(GatheredArchive {
            input,
            looks,
            sizes,
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
    let (mut different, mut contents) = (Vec::new(), Copies::new());
    for (archive, hashed) in archives.into_iter().zip(hashed) {
        let sha256 = match hashed {
            Some(Ok(sha256)) => sha256,
            Some(Err(error)) => {
                out.finding(error.at_path(&archive.input.path));
                different.push(archive);
                continue;
            }
            None => {
                different.push(archive);
                continue;
            }
        };
        let len = archive.looks.len;
        let copy = CopyRow {
            sha256,
            size: len,
            copies: 0,
            archive: Arc::from(&*archive.input.path),
            index: None,
            name: None,
            packed_size: len,
        };
        if add(&mut contents, copy) == 1 {
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
        let read = archive
            .source()
            .map(|source| source.read_full_at(&mut sample, len / 2));
        // If it cannot be read, that is reported later.
        let read = read.and_then(Result::ok).unwrap_or_default();
        Self {
            len,
            directory: archive.directory_crc32(),
            middle: crc32fast::hash(sample.get(..read).unwrap_or_default()),
        }
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
        let len = source
            .read_at(&mut buffer, offset)
            .map_err(Finding::from_io)?;
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

/// Copies by their sizes and hashes.
type Copies = HashMap<(u64, [u8; 32]), Vec<CopyRow>>;

/// Adds a copy, and returns how many there are of its content.
fn add(copies: &mut Copies, copy: CopyRow) -> usize {
    let of_content = copies.entry((copy.size, copy.sha256)).or_default();
    of_content.push(copy);
    of_content.len()
}

/// The copies of each content that is stored more than once, beginning with the content that wastes the most bytes.
/// If two waste the same, the place of the first copy decides.
fn several(contents: Copies) -> Vec<Vec<CopyRow>> {
    let mut several: Vec<Vec<CopyRow>> = contents.into_values().collect();
    several.retain(|copies| copies.len() > 1);
    for copies in &mut several {
        let count = copies.len();
        for copy in copies {
            copy.copies = count;
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

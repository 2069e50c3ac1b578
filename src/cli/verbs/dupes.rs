//! `dupes`: finds files and archives that are stored more than once, within an archive and across archives.
//!
//! First the directories of all archives are read. Then archives that look alike (the same length,
//! directory and bytes in the middle), and entries with the same size, are hashed with SHA-256. So if all sizes in a
//! collection differ, little more than its directories is read. If archives are equal, only the first of them is
//! searched for files.

use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::io::{self, Write as _};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use clap::Args;
use serde::ser::Serializer;
use sha2::{Digest as _, Sha256};

use crate::archive::{Archive, Entry, escape};
use crate::cli::args::parse_size;
use crate::cli::inputs::{GlobArgs, InputArgs};
use crate::cli::output::{DataKind, Stdout};
use crate::cli::rows::{RunKind, Show, Totals};
use crate::cli::ui::Ui;
use crate::cli::{exit, text};
use crate::fs::FileId;
use crate::ops::catalogue::{Contents, Trouble};
use crate::ops::finding::{self, Finding};
use crate::ops::json::{self, hex};
use crate::ops::report::{hand_on, hand_on_rows};
use crate::ops::source::{How, Input, Search, Selection, for_each, missing_names, nested};
use crate::ops::{Context, Refusal, Sink};

/// Find files that are stored more than once
///
/// Files are equal if their sizes and SHA-256 are equal, whatever their names, formats and archives.
/// The files that waste the most bytes come first. Equal archives are reported as whole archives, and only one of
/// them is searched for files. Empty files are left out, and a file whose size no other file has is not read.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER)]
#[command(override_usage = "daisho dupes [OPTIONS] PATH... [NAME|GLOB]...")]
pub(crate) struct DupesArgs {
    #[command(flatten)]
    pub(super) inputs: InputArgs,
    #[command(flatten)]
    globs: GlobArgs,
    /// Skip files smaller than SIZE, such as 64K
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    min_size: Option<u64>,
}

const AFTER: &str = "\
Examples:
  daisho dupes pak0.pak pak1.pak '*.wav'
  daisho dupes games/ -i '*.dkm' --json | jq -r .sha256";

pub(super) fn run(mut args: DupesArgs, ui: &Ui) -> Result<(), Refusal> {
    let selection = args.inputs.selection(&args.globs, false, ui)?;
    let mut copies = Copies(Vec::new());
    let (totals, _) = ui.run(RunKind::Decodes, &mut copies, |context, out| {
        dupes(context, &args, &selection, out)
    })?;
    if !copies.0.is_empty() {
        ui.write(DataKind::Text, |out| show(out, &copies.0));
    }
    let is_whole = totals.unread + totals.cut + totals.damaged == 0;
    // After a stop, what was not compared may be a copy.
    let is_compared = totals.archives > 0 && !totals.is_unmatched && exit::caught().is_none();
    if totals.contents == 0 && is_compared {
        ui.note(if is_whole {
            "no file is stored more than once"
        } else {
            "no file that could be read is stored more than once"
        });
    }
    Ok(())
}

/// One of several copies of a content.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
struct CopyRow {
    /// The content's SHA-256.
    #[serde(serialize_with = "hexadecimal")]
    sha256: [u8; 32],
    /// How long the content is.
    size: u64,
    /// How many copies there are.
    copies: usize,
    /// The archive.
    #[serde(flatten, serialize_with = "json::archive")]
    archive: Arc<Path>,
    /// The entry's number there. `None` if the whole archive is the copy.
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<usize>,
    /// The entry's name.
    #[serde(flatten, serialize_with = "json::name")]
    name: Option<Vec<u8>>,
    /// How many bytes the copy takes: 0 if it shares another entry's payload.
    packed_size: u64,
}

impl CopyRow {
    /// Whether a file is the copy, and not a whole archive.
    fn is_file(&self) -> bool {
        self.index.is_some()
    }
}

/// What was searched for duplicates.
#[derive(Debug, Default)]
struct DupesTotals {
    /// Archives that could be read.
    archives: u64,
    /// Inputs that could not be read.
    unread: u64,
    /// Archives whose directory is cut off.
    cut: u64,
    /// Contents that are stored more than once.
    contents: u64,
    /// Archives and entries that could not be read when they were compared.
    damaged: u64,
    /// Whether a name or a pattern has matched nothing.
    is_unmatched: bool,
}

impl Totals for DupesTotals {
    fn is_nothing_read(&self) -> bool {
        self.archives == 0
    }
}

/// The copies so far, those of one content together. As text they are shown after their totals.
struct Copies(Vec<CopyRow>);

impl Show<CopyRow> for Copies {
    fn text(&mut self, _: &mut Stdout, row: CopyRow) -> io::Result<()> {
        self.0.push(row);
        Ok(())
    }
}

/// Writes how much is stored more than once, as `2 files stored 5 times; 7280 bytes wasted`, and the copies of each
/// file or archive.
fn show(out: &mut Stdout, copies: &[CopyRow]) -> io::Result<()> {
    let groups = || copies.chunk_by(|a, b| content(a) == content(b));
    let mut parts = Vec::new();
    for (is_file, one, many) in [(false, "archive", "archives"), (true, "file", "files")] {
        let number = groups().filter(|group| group.iter().any(|it| it.is_file() == is_file));
        let count = copies.iter().filter(|copy| copy.is_file() == is_file).count();
        if count > 0 {
            let what = text::count(number.count(), one, many);
            parts.push(format!("{what} stored {count} times"));
        }
    }
    let all = text::bytes(groups().map(wasted).fold(0, u64::saturating_add));
    writeln!(out, "{}", text::heading(&format!("{}; {all} wasted", parts.join(", "))))?;
    for group in groups() {
        let Some(first) = group.first() else { continue };
        let what = if first.is_file() { "copies" } else { "equal archives" };
        let (size, wasted) = (text::bytes(first.size), text::bytes(wasted(group)));
        writeln!(out, "\n{} {what} of {size}, {wasted} wasted", group.len())?;
        for copy in group {
            let archive = text::path(&copy.archive);
            let Some(name) = &copy.name else {
                writeln!(out, "  {archive}")?;
                continue;
            };
            let is_shared = copy.packed_size == 0;
            let shared = if is_shared { " (shared)" } else { "" };
            writeln!(out, "  {archive}: {}{shared}", escape(name))?;
        }
    }
    Ok(())
}

/// Finds files and archives that are stored more than once, among archives.
///
/// Reports the copies of each archive, then the copies of each file, beginning with the file that wastes the most
/// bytes.
///
/// # Errors
/// If a stop is asked for.
fn dupes(
    context: &Context<'_>,
    args: &DupesArgs,
    selection: &Selection,
    out: &mut dyn Sink<CopyRow>,
) -> Result<DupesTotals, Refusal> {
    let mut totals = DupesTotals::default();
    let mut found = Search::new(context, &args.inputs.paths, How::default());
    let missing = missing_names(context, &found, selection);
    let is_missing = !missing.is_empty();
    hand_on(out, missing);
    totals.unread = hand_on(out, found.take_findings());
    if is_missing {
        totals.archives = found.inputs.len() as u64;
        totals.is_unmatched = true;
        return Ok(totals);
    }
    let archives = gather(context, &found, selection, &mut totals, out);
    hand_on(out, selection.unmatched());
    totals.is_unmatched = selection.has_missed();
    let (archives, equal) = if selection.is_all() {
        equal_archives(context, archives, &mut totals, out)
    } else {
        (archives, Vec::new())
    };
    let paths = archives.iter().map(|archive| &archive.input.path);
    let nested = paths.filter(|path| nested::split(path).is_some());
    let comparison = Comparison {
        context,
        selection,
        smallest: args.min_size.unwrap_or(0).max(1),
        alike: sizes_of_several(&archives),
        nested: nested.map(|path| path.clone().into_os_string()).collect(),
    };
    let mut contents = Vec::new();
    let inputs = archives.iter().map(|archive| archive.input);
    let copies = |input: &Input| comparison.copies(input);
    let _ = for_each(context, inputs, copies, |_, copies| {
        match copies {
            Ok((copies, damage)) => {
                totals.damaged += damage.len() as u64;
                hand_on(out, damage);
                contents.extend(copies);
            }
            Err(error) => totals.unread += hand_on(out, [error]),
        }
        ControlFlow::Continue(())
    });
    let files = several(contents);
    totals.contents = (equal.len() + files.len()) as u64;
    // There is nothing after them that could be ended.
    let _ = hand_on_rows(out, equal.into_iter().chain(files).flatten());
    Ok(totals)
}

/// The sizes that several entries have.
fn sizes_of_several(archives: &[GatheredArchive<'_>]) -> HashSet<u64> {
    let (mut once, mut several) = (HashSet::new(), HashSet::new());
    for size in archives.iter().flat_map(|archive| &archive.sizes) {
        if !once.insert(*size) {
            several.insert(*size);
        }
    }
    several
}

/// The search for equal files.
struct Comparison<'a> {
    context: &'a Context<'a>,
    selection: &'a Selection,
    /// The size of the smallest file that counts.
    smallest: u64,
    /// The sizes that several entries have. No other entries are read.
    alike: HashSet<u64>,
    /// The paths of archives within others. Such an entry is compared by what is in it.
    nested: HashSet<OsString>,
}

impl Comparison<'_> {
    /// The entries of an archive that may be copies of others, and the damage of what cannot be read.
    fn copies(&self, input: &Input) -> Result<(Vec<CopyRow>, Vec<Finding>), Finding> {
        let archive = input.open(self.context)?;
        let entries = self.entries(input, &archive);
        let contents = Contents::of(self.context, &archive, entries, None)?;
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
        let mut taken = HashSet::new();
        let mut entries = self.selection.entries(archive);
        entries.retain(|entry| {
            if entry.size() < self.smallest || !self.alike.contains(&entry.size()) {
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
struct GatheredArchive<'i> {
    input: &'i Input,
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
fn gather<'i>(
    context: &Context<'_>,
    found: &'i Search,
    selection: &Selection,
    totals: &mut DupesTotals,
    out: &mut dyn Sink<CopyRow>,
) -> Vec<GatheredArchive<'i>> {
    let (mut archives, mut notes, mut seen) = (Vec::new(), Vec::new(), HashSet::new());
    let look = |input: &'i Input| {
        let archive = input.open_as_found(context)?;
        let sizes = selection.entries(&archive).iter().map(Entry::size).collect();
        // If a directory is cut off, entries are missing.
        let notes = finding::archive_errors(&archive);
        Ok((GatheredArchive { input, looks: Looks::of(&archive), sizes }, notes))
    };
    let _ = for_each(context, &found.inputs, look, |input, looked| {
        match looked {
            Ok((archive, errors)) => {
                totals.archives += 1;
                // A file with two names is stored once, and so is what it holds.
                if file_and_names(context, input).is_none_or(|place| seen.insert(place)) {
                    notes.extend(errors);
                    archives.push(archive);
                }
            }
            Err(error) => totals.unread += hand_on(out, [error]),
        }
        ControlFlow::Continue(())
    });
    totals.cut = notes.len() as u64;
    hand_on(out, notes);
    archives
}

/// Finds equal archives. Returns one archive of each content, and the copies of archives that are stored more than once.
fn equal_archives<'i>(
    context: &Context<'_>,
    archives: Vec<GatheredArchive<'i>>,
    totals: &mut DupesTotals,
    out: &mut dyn Sink<CopyRow>,
) -> (Vec<GatheredArchive<'i>>, Vec<Vec<CopyRow>>) {
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

/// The copies of each content that is stored more than once, beginning with the content that wastes the most bytes.
/// If two waste the same, the place of the first copy decides.
fn several(mut contents: Vec<CopyRow>) -> Vec<Vec<CopyRow>> {
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

/// What copies of one content have in common.
fn content(copy: &CopyRow) -> (u64, [u8; 32], bool) {
    (copy.size, copy.sha256, copy.is_file())
}

/// The bytes of all copies but the first.
fn wasted(copies: &[CopyRow]) -> u64 {
    let others = copies.iter().skip(1).map(|copy| copy.packed_size);
    others.fold(0, u64::saturating_add)
}

fn hexadecimal<S: Serializer>(bytes: &[u8; 32], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&hex(bytes))
}

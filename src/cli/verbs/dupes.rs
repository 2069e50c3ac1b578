//! `dupes`: finds files and archives that are stored more than once, within an archive and across archives.
//!
//! First the directories of all archives are read. Then archives that look alike (the same length, directory and bytes
//! in the middle), and entries with the same size, are hashed with SHA-256. So if all sizes in a collection differ, little
//! more than its directories is read. If archives are equal, only the first of them is searched for files.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::hash::Hash;
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
use crate::cli::rows::RunKind;
use crate::cli::text;
use crate::cli::ui::Ui;
use crate::ops::catalogue::{self, Contents, Summer};
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
  daisho dupes games/ -i '*.dkm' --json | jq -r .sha256
  daisho dupes games/ --json | jq -r 'select(has(\"index\") | not) | .archive'
                                              archives that are the same as others";

pub(super) fn run(mut args: DupesArgs, ui: &Ui) -> Result<(), Refusal> {
    let selection = args.inputs.selection(&args.globs, false, ui)?;
    let mut copies = Vec::new();
    let (totals, _) = ui.run(RunKind::Decodes, &mut copies, |context, out| {
        dupes(context, &args, &selection, out)
    })?;
    if !copies.is_empty() {
        ui.write(DataKind::Text, |out| show(out, &copies));
    }
    if let Some(verdict) = totals.verdict {
        ui.note(verdict);
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
    /// What to say if everything was compared, and nothing is stored more than once.
    verdict: Option<&'static str>,
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
    found.refuse_strangers(context)?;
    let missing = missing_names(context, &found, selection);
    if !missing.is_empty() {
        hand_on(out, missing);
        hand_on(out, found.take_findings());
        totals.archives = found.inputs.len() as u64;
        return Ok(totals);
    }
    let mut not_compared = hand_on(out, found.take_findings());
    let look = |input: &Input| {
        let archive = input.open_as_found(context)?;
        let looks = archive.source().map(|source| {
            let (len, mut middle) = (archive.file_len(), [0; 64]);
            // An archive that cannot be read there cannot be hashed, and the error is reported then.
            let _ = source.read_full_at(&mut middle, len / 2);
            (len, archive.directory_crc32(), middle)
        });
        let sizes: Vec<u64> = selection.entries(&archive).iter().map(Entry::size).collect();
        // If a directory is cut off, entries are missing.
        Ok((looks, sizes, finding::archive_errors(&archive)))
    };
    let (mut archives, mut places) = (Vec::new(), HashSet::new());
    let _ = for_each(context, &found.inputs, look, |input, looked| {
        match looked {
            Ok((looks, sizes, errors)) => {
                totals.archives += 1;
                // A file with two names is stored once, and so is what it holds.
                let within = nested::split(&input.path);
                let (file, names) =
                    within.map_or((input.path.clone(), Vec::new()), |it| (it.file, it.names));
                let file = context.system.identify(&file);
                if file.map_or(true, |file| places.insert((file, names))) {
                    archives.push(Listed { input, looks, sizes });
                    not_compared += errors.len() as u64;
                    hand_on(out, errors);
                }
            }
            Err(error) => not_compared += hand_on(out, [error]),
        }
        ControlFlow::Continue(())
    });
    hand_on(out, selection.unmatched());
    let searched: HashSet<&Path> = archives.iter().map(|archive| &*archive.input.path).collect();
    let mut copies = Vec::new();
    if selection.is_all() {
        let (different, errors) = different(context, archives, &mut copies);
        archives = different;
        not_compared += errors.len() as u64;
        hand_on(out, errors);
    }
    let sizes = archives.iter().flat_map(|archive| archive.sizes.iter().copied());
    let alike = repeated(sizes.filter(|size| *size >= args.min_size.unwrap_or(0).max(1)));
    let hash = |input: &Input| {
        let archive = input.open(context)?;
        let mut entries = selection.entries(&archive);
        entries.retain(|entry| alike.contains(&entry.size()));
        // An archive that is searched itself is compared by what is in it.
        entries.retain(|entry| {
            let path = || nested::join(&input.path, entry.name().as_bytes());
            !nested::is_named_as_nested(entry.name()) || !searched.contains(&*path())
        });
        let contents = Contents::of(context, &archive, entries, None)?;
        Ok(copies_of(context, input, &contents))
    };
    let inputs = archives.iter().map(|archive| archive.input);
    let _ = for_each(context, inputs, hash, |_, hashed| {
        match hashed {
            Ok((files, damage)) => {
                copies.extend(files);
                not_compared += damage.len() as u64;
                hand_on(out, damage);
            }
            Err(error) => not_compared += hand_on(out, [error]),
        }
        ControlFlow::Continue(())
    });
    let several = several(copies);
    // After a stop, what was not compared may be a copy.
    let is_compared = totals.archives > 0 && !selection.has_missed() && !context.cancel.is_set();
    if several.is_empty() && is_compared {
        totals.verdict = Some(if not_compared == 0 {
            "no file is stored more than once"
        } else {
            "no file that could be read is stored more than once"
        });
    }
    // There is nothing after them that could be ended.
    let _ = hand_on_rows(out, several);
    Ok(totals)
}

/// An archive whose directory was read.
struct Listed<'i> {
    input: &'i Input,
    /// Its length, the CRC-32 of its directory, and the bytes in the middle, which equal archives have in common, and
    /// most others do not. `None` for a directory of loose files.
    looks: Option<(u64, u32, [u8; 64])>,
    /// The sizes of the entries that are selected.
    sizes: Vec<u64>,
}

/// One archive of each content, and why archives could not be compared. Adds a row for each archive that may be equal to
/// another one.
fn different<'i>(
    context: &Context<'_>,
    archives: Vec<Listed<'i>>,
    copies: &mut Vec<CopyRow>,
) -> (Vec<Listed<'i>>, Vec<Finding>) {
    let alike = repeated(archives.iter().filter_map(|archive| archive.looks));
    let hashed = context.pool.map(&archives, |archive| {
        if archive.looks.is_none_or(|looks| !alike.contains(&looks)) || context.cancel.is_set() {
            return Ok(None);
        }
        archive.input.open(context).and_then(|it| hash_whole(&it)).map(Some)
    });
    let (mut different, mut errors, mut seen) = (Vec::new(), Vec::new(), HashSet::new());
    for (archive, hashed) in archives.into_iter().zip(hashed) {
        match hashed {
            Ok(Some((sha256, size))) => {
                copies.push(CopyRow {
                    sha256,
                    size,
                    copies: 0,
                    archive: Arc::from(&*archive.input.path),
                    index: None,
                    name: None,
                    packed_size: size,
                });
                if !seen.insert(sha256) {
                    continue;
                }
            }
            Ok(None) => {}
            Err(error) => errors.push(error.at_path(&archive.input.path)),
        }
        different.push(archive);
    }
    (different, errors)
}

/// The values that occur more than once.
fn repeated<T: Copy + Eq + Hash>(values: impl Iterator<Item = T>) -> HashSet<T> {
    let (mut once, mut repeated) = (HashSet::new(), HashSet::new());
    for value in values {
        if !once.insert(value) {
            repeated.insert(value);
        }
    }
    repeated
}

/// The SHA-256 of all bytes of an archive, and how many these are.
fn hash_whole(archive: &Archive) -> Result<([u8; 32], u64), Finding> {
    let (mut sha256, mut at, mut piece) = (Sha256::new(), 0, vec![0; 1 << 16]);
    while let Some(source) = archive.source() {
        let len = source.read_full_at(&mut piece, at).map_err(Finding::from_io)?;
        sha256.update(piece.get(..len).unwrap_or_default());
        at += len as u64;
        if len < piece.len() {
            break;
        }
    }
    Ok((sha256.finalize().into(), at))
}

/// The rows of these contents, and the damage of what cannot be read.
fn copies_of(
    context: &Context<'_>,
    input: &Input,
    contents: &Contents<'_>,
) -> (Vec<CopyRow>, Vec<Finding>) {
    let path: Arc<Path> = Arc::from(&*input.path);
    let (mut copies, mut damage, mut seen) = (Vec::new(), Vec::new(), HashSet::new());
    for content in contents.hash(context, &Summer::new(&[catalogue::Hash::Sha256])) {
        let entry = content.entry;
        let Some(sha256) = content.sums.sha256 else {
            damage.extend(content.findings);
            continue;
        };
        let is_first = entry.is_file() || seen.insert(entry.place());
        copies.push(CopyRow {
            sha256,
            size: entry.size(),
            copies: 0,
            archive: Arc::clone(&path),
            index: Some(entry.index()),
            name: Some(entry.name().as_bytes().to_vec()),
            packed_size: if is_first { entry.stored_len() } else { 0 },
        });
    }
    (copies, damage)
}

/// The copies of each content that is stored more than once: first those of archives, then those of files, beginning
/// with the content that wastes the most bytes. If two waste the same, the place of the first copy decides.
fn several(mut copies: Vec<CopyRow>) -> Vec<CopyRow> {
    copies.sort_by_key(content);
    let groups = copies.chunk_by(|a, b| content(a) == content(b));
    let mut groups: Vec<_> = groups.filter(|group| group.len() > 1).collect();
    groups.sort_by_cached_key(|group| {
        let is_file = group.iter().any(CopyRow::is_file);
        let place = group.first().map(|copy| (Arc::clone(&copy.archive), copy.index));
        (is_file, Reverse(wasted(group)), place)
    });
    let mut several = Vec::new();
    for group in groups {
        let count = group.len();
        for copy in group {
            several.push(CopyRow { copies: count, ..copy.clone() });
        }
    }
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

//! `diff`: compares two archives by the names and contents of their entries, across formats.
//!
//! Entries with the same name are matched in order: the first with the first, and so on. Two contents are the same
//! if a keyed hash of them agrees. This way each payload is decoded only once, however many entries share it, and in
//! constant memory. Reading pairs side by side would decode a shared payload once for each of its partners.
//!
//! If an entry's name occurs in only one archive, and the other archive has its content under a name that also
//! occurs only there, the entry is renamed. Such entries are matched in order. Empty entries are never renamed,
//! because they are all alike.
//!
//! Entries with the same name and content have moved if their order differs. As many of them as possible count as
//! unmoved, and the others have moved.
//!
//! A damaged entry differs from an intact one. If both are damaged, it is unknown whether they differ, so diff reports
//! only the damage.

use std::collections::HashSet;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anstyle::AnsiColor;
use clap::builder::TypedValueParser;
use clap::{Args, ValueHint};
use serde::Serialize;

use crate::archive::{Archive, Entry, escape};
use crate::cli::args::{ExpansionArgs, one_of};
use crate::cli::exit::Exit;
use crate::cli::inputs::GlobArgs;
use crate::cli::output::{DataKind, Stdout};
use crate::cli::rows::{RunKind, Show};
use crate::cli::text;
use crate::cli::ui::Ui;
use crate::fs::is_standard_input;
use crate::media::FileType;
use crate::ops::catalogue::{
    Change, ChangeCounts, ChangeRow, Contents, Pair, Summer, by_content, by_name, longest_rise,
};
use crate::ops::finding::{Finding, archive_notes, reserved_reading};
use crate::ops::pictures::full_size;
use crate::ops::report::{Reported, hand_on};
use crate::ops::source::directory::entry_name;
use crate::ops::source::named::named;
use crate::ops::source::{self, How, Input, Search, Selection};
use crate::ops::{Context, Refusal, Sink};

/// Compare the contents of two archives
///
/// Contents are decoded and compared by name, so the formats may differ. Either side may be a
/// directory. If anything differs, the exit status is 1.
#[derive(Debug, Default, Args)]
#[command(after_long_help = DIFF)]
pub(crate) struct DiffArgs {
    /// An archive, a directory of archives, or a directory of files
    #[arg(value_name = "A", value_hint = ValueHint::AnyPath)]
    pub(crate) a: PathBuf,
    /// What to compare it with
    #[arg(value_name = "B", value_hint = ValueHint::AnyPath)]
    pub(crate) b: PathBuf,
    /// Report only these changes (A,B)
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = change())]
    pub(crate) only: Vec<Change>,
    #[command(flatten)]
    pub(crate) globs: GlobArgs,
    #[command(flatten)]
    pub(crate) expansion: ExpansionArgs,
}

/// Parses the word for a change.
fn change() -> impl TypedValueParser<Value = Change> {
    one_of(Change::OF_ARCHIVES.map(|it| (it.as_str().into(), it)))
}

const DIFF: &str = "\
Rules:
  Entries with the same name are compared in order. An entry is renamed if each
  side has its content under another name. Moved entries take one line, or with
  -v a line each.
  A directory that holds paks or ZIPs, or nothing but archives, is compared
  archive by archive; any other directory is compared file by file.

Examples:
  daisho diff pak1.pak quake1.pak              no output: nothing was lost
  daisho diff games/ backup/                   archive by archive
  daisho diff old.pak new.pak --only removed";

pub(super) fn run(args: DiffArgs, ui: &Ui) -> Result<(), Refusal> {
    let selection = args.globs.selection()?;
    let mut differences = Vec::new();
    let (compared, _) = ui.run(RunKind::Decodes, &mut differences, |context, out| {
        diff(context, &args, &selection, out)
    })?;
    if !compared.is_any {
        ui.worsen(Exit::Refused);
    }
    ui.write(DataKind::Text, |out| show(out, &differences, ui.verbose));
    if !compared.differences.is_empty() {
        ui.worsen(Exit::NotAllWell);
        let mut counts = Vec::new();
        for change in Change::OF_ARCHIVES {
            let count = compared.differences.get(&change).copied().unwrap_or_default();
            counts.push(format!("{count} {}", change.as_str()));
        }
        ui.note(&format!("{}, {} the same", counts.join(", "), compared.same));
    }
    Ok(())
}

/// The changes that make one archive the other one, without those of the order. None if they cannot be compared.
pub(super) fn changes(context: &Context<'_>, a: &Path, b: &Path) -> Vec<ChangeRow> {
    let only = Change::OF_ARCHIVES.into_iter().filter(|it| *it != Change::Moved).collect();
    let args = DiffArgs { a: a.into(), b: b.into(), only, ..DiffArgs::default() };
    let mut changes = Reported::default();
    let _ = diff(context, &args, &Selection::all(), &mut changes);
    changes.rows
}

/// How two sides compare as a whole.
#[derive(Debug, Default)]
struct Compared {
    /// Whether there was something on both sides that could be read.
    is_any: bool,
    /// How many entries are the same, and in the same order.
    same: usize,
    differences: ChangeCounts,
}

/// Keeps rows that are shown as text when all are known.
impl<R: Serialize> Show<R> for Vec<R> {
    fn text(&mut self, _: &mut Stdout, row: R) -> io::Result<()> {
        self.push(row);
        Ok(())
    }
}

/// Writes a line for each difference, with a heading for each archive if there are several. All moved entries of an
/// archive share one line, unless `each` is true: order alone says little, and repacking an archive can move all of its
/// entries.
fn show(out: &mut Stdout, differences: &[ChangeRow], each: bool) -> io::Result<()> {
    for group in differences.chunk_by(|a, b| a.archive == b.archive) {
        let archive = group.first().and_then(|first| first.archive.as_deref());
        let indent = if archive.is_some() { "  " } else { "" };
        if let Some(archive) = archive {
            writeln!(out, "{}:", text::path(archive))?;
        }
        let moved = group.iter().filter(|it| it.change == Change::Moved);
        let moved = moved.count();
        let mut is_told = false;
        for difference in group {
            if each || moved < 2 || difference.change != Change::Moved {
                writeln!(out, "{indent}{}", words(difference))?;
            } else if !is_told {
                is_told = true;
                let (word, name) = (word(Change::Moved), escape(&difference.name));
                writeln!(out, "{indent}{word}  {moved} entries, the first of them {name}")?;
            }
        }
    }
    Ok(())
}

/// `changed  NAME: 3 bytes, then 5 bytes`
fn words(difference: &ChangeRow) -> String {
    let name = match &difference.new_name {
        Some(new) => format!("{} -> {}", escape(&difference.name), escape(new)),
        None => escape(&difference.name).to_string(),
    };
    let sizes = match (difference.change, difference.size_a, difference.size_b) {
        _ if difference.problem.is_some() => "cannot be compared".to_owned(),
        _ if difference.same_picture => "same picture, other small sizes".to_owned(),
        (Change::Changed, Some(a), Some(b)) => text::sizes(a, b),
        (_, a, b) => text::bytes(a.or(b).unwrap_or(0)),
    };
    format!("{}  {name}: {sizes}", word(difference.change))
}

/// The word for a change, in a column of its own.
fn word(change: Change) -> String {
    let color = match change {
        Change::Added => AnsiColor::Green,
        Change::Removed => AnsiColor::Red,
        Change::Moved | Change::Renamed => AnsiColor::Cyan,
        _ => AnsiColor::Yellow,
    };
    text::coloured(color, &format!("{:<7}", change.as_str()))
}

/// Compares the archives at `a` and `b`, or directories. A directory is a directory of archives if it contains paks
/// or ZIPs, or nothing but archives, unless these are entries of the other side. Two directories of archives are
/// compared archive by archive, matched by their paths without extensions. If only one side is such a directory,
/// all of its archives together are compared with the other side. For all other directories, their files are
/// compared.
///
/// Reports first the entries of A, in order, then the entries that only B has. For directories of archives it does
/// so pair by pair.
///
/// # Errors
///
/// If a file of a directory cannot be an entry, or one side has more content than may be decoded.
fn diff(
    context: &Context<'_>,
    args: &DiffArgs,
    selection: &Selection,
    out: &mut dyn Sink<ChangeRow>,
) -> Result<Compared, Refusal> {
    let (a, b) = (args.a.as_path(), args.b.as_path());
    if is_standard_input(a) && is_standard_input(b) {
        let why = "standard input can be only one of the two archives";
        return Err(Finding::error(why).into());
    }
    let one = side(context, a, b, out)?;
    let other = side(context, b, a, out)?;
    let are_collections =
        [&one, &other].iter().all(|side| side.first().is_some_and(|input| input.found));
    let pairs = if are_collections {
        pairs(&one, &other)
    } else {
        vec![(one.iter().collect(), other.iter().collect())]
    };
    let mut compared = Compared::default();
    for (a, b) in pairs {
        context.cancel.check()?;
        let rows = match (&a[..], &b[..]) {
            ([lone], []) if are_collections => vec![lone_row(context, Change::Removed, lone)],
            ([], [lone]) if are_collections => vec![lone_row(context, Change::Added, lone)],
            _ => {
                let (one, other) = (open(context, &a, out), open(context, &b, out));
                if one.is_empty() || other.is_empty() {
                    continue;
                }
                let mut rows =
                    compare(context, args, selection, [&one, &other], &mut compared.same, out)?;
                let archive = a.first().filter(|_| are_collections).map(|input| &input.relative);
                for row in &mut rows {
                    row.archive = archive.cloned();
                }
                rows
            }
        };
        compared.is_any = true;
        for row in rows {
            if args.only.is_empty() || args.only.contains(&row.change) {
                *compared.differences.entry(row.change).or_default() += 1;
                if out.row(row).is_break() {
                    return Ok(compared);
                }
            } else if row.change == Change::Moved {
                compared.same += 1;
            }
        }
    }
    if compared.is_any && !context.cancel.is_set() {
        hand_on(out, selection.unmatched());
    }
    Ok(compared)
}

/// What is at `path`, which will be compared with `other`: one archive, or the archives of a directory. Empty if nothing
/// there can be compared.
fn side(
    context: &Context<'_>,
    path: &Path,
    other: &Path,
    out: &mut dyn Sink<ChangeRow>,
) -> Result<Vec<Input>, Refusal> {
    let mut found = if path.is_dir() {
        Search::of_directory(context, path)
    } else {
        Search::new(context, &[path], How::default())
    };
    if path.is_dir() && is_taken_apart(context, other, &found) {
        found = Search::whole_directory(context, path).map_err(Refusal)?;
    }
    hand_on(out, found.take_findings());
    Ok(found.inputs)
}

/// Opens archives, and reports why one cannot be read.
fn open(
    context: &Context<'_>,
    inputs: &[&Input],
    out: &mut dyn Sink<ChangeRow>,
) -> Vec<Arc<Archive>> {
    let mut opened = Vec::new();
    for input in inputs {
        match input.open(context) {
            Ok(archive) => {
                let mut notes = archive_notes(&archive);
                if notes.iter().any(Finding::is_error) {
                    notes.retain(Finding::is_error);
                } else {
                    opened.push(archive);
                }
                hand_on(out, notes);
            }
            Err(error) => out.finding(Finding::unread(&input.path, error)),
        }
    }
    opened
}

/// Whether everything that is an archive or is named like one is an entry of the archive at `other`, from which the
/// directory was extracted, or which was made of it.
fn is_taken_apart(context: &Context<'_>, other: &Path, found: &Search) -> bool {
    let mut inputs = found.inputs.iter().chain(&found.ruined).peekable();
    if inputs.peek().is_none_or(|first| first.as_directory().is_some()) || other.is_dir() {
        return false;
    }
    let Ok(other) = source::one(context, other, false, &mut Vec::new()) else {
        return false;
    };
    inputs.all(|input| named(&other, &entry_name(&input.relative)).is_some())
}

/// Pairs the archives of two directories by their paths, or otherwise by their paths without the extension.
fn pairs<'i>(one: &'i [Input], other: &'i [Input]) -> Vec<(Vec<&'i Input>, Vec<&'i Input>)> {
    let [one, other] = [one, other].map(|side| {
        let mut side: Vec<&Input> = side.iter().collect();
        side.sort_by_key(|input| &input.relative);
        side
    });
    let mut pairs = by_name(&one, &other, |input| &input.relative);
    by_content(&mut pairs, |input| Some(input.relative.with_extension("")));
    pairs.sort_by_key(|(a, _)| a.is_none());
    let pairs = pairs.into_iter();
    pairs.map(|(a, b)| (Vec::from_iter(a.copied()), Vec::from_iter(b.copied()))).collect()
}

/// The row of an archive that only one of two directories has.
fn lone_row(context: &Context<'_>, change: Change, input: &Input) -> ChangeRow {
    let size = input.len(&context.system);
    ChangeRow {
        size_a: (change == Change::Removed).then_some(size),
        size_b: (change == Change::Added).then_some(size),
        ..ChangeRow::new(change, entry_name(&input.relative))
    }
}

/// Compares two sides. Each consists of one archive or several. Counts the entries that are the same.
fn compare(
    context: &Context<'_>,
    args: &DiffArgs,
    selection: &Selection,
    sides: [&[Arc<Archive>]; 2],
    same: &mut usize,
    out: &mut dyn Sink<ChangeRow>,
) -> Result<Vec<ChangeRow>, Finding> {
    // The files of a directory have no order, nor do the entries of several archives together.
    let is_ordered =
        sides.iter().all(|side| matches!(side, [archive] if archive.format().is_some()));
    let [old, new] = read(context, args, selection, sides, out)?;
    if context.cancel.is_set() {
        return Ok(Vec::new());
    }
    let mut pairs = by_name(&old, &new, |item| item.entry.name());
    pairs.sort_unstable_by_key(first_place);
    // Contents of one size were read. If both are damaged, they have no hash.
    let (equal, mut others): (Vec<_>, Vec<_>) =
        pairs.into_iter().partition(|(a, b)| match (a, b) {
            (Some(a), Some(b)) => a.entry.size() == b.entry.size() && a.keyed == b.keyed,
            _ => false,
        });
    let places: Vec<usize> = equal.iter().filter_map(|(_, b)| Some((*b)?.place)).collect();
    let mut differences = Vec::new();
    for (pair, stays) in equal.into_iter().zip(longest_rise(&places)) {
        if stays || !is_ordered {
            *same += 1;
        } else {
            differences.push((Change::Moved, pair));
        }
    }
    // Empty ones are all alike.
    by_content(&mut others, |item| {
        item.keyed.map(|keyed| (keyed, item.entry.size())).filter(|(_, size)| *size > 0)
    });
    for pair in others {
        let change = match pair {
            (Some(a), Some(b)) if a.entry.name() == b.entry.name() => Change::Changed,
            (Some(_), Some(_)) => Change::Renamed,
            (Some(_), None) => Change::Removed,
            (None, _) => Change::Added,
        };
        differences.push((change, pair));
    }
    differences.sort_by_key(|(_, pair)| first_place(pair));
    let mut rows = Vec::new();
    for (change, (a, b)) in differences {
        let name = |item: &Item<'_>| item.entry.name().as_bytes().to_vec();
        rows.push(ChangeRow {
            new_name: b.filter(|_| change == Change::Renamed).map(name),
            size_a: a.map(|item| item.entry.size()),
            size_b: b.map(|item| item.entry.size()),
            problem: [a, b].into_iter().flatten().find_map(|item| item.problem.clone()),
            same_picture: change == Change::Changed && are_drawn_alike((a, b)),
            ..ChangeRow::new(change, a.or(b).map(name).unwrap_or_default())
        });
    }
    Ok(rows)
}

/// An entry of one of the two sides.
struct Item<'a> {
    entry: Entry<'a>,
    /// Its number among the entries of both sides, those of the first side before those of the second.
    place: usize,
    /// A hash of the content, if it was read and is not damaged.
    keyed: Option<u64>,
    /// Why the content cannot be read.
    problem: Option<Box<str>>,
}

/// The selected entries of both sides, sorted by name. Entries with the same name keep the order of their archives. Reads
/// those whose size an entry of the other side has, too, and reports what cannot be decoded.
fn read<'a>(
    context: &Context<'_>,
    args: &DiffArgs,
    selection: &Selection,
    sides: [&'a [Arc<Archive>]; 2],
    out: &mut dyn Sink<ChangeRow>,
) -> Result<[Vec<Item<'a>>; 2], Finding> {
    let [sizes_of_one, sizes_of_other] = sides.map(|side| {
        let entries = side.iter().flat_map(|archive| archive.entries());
        entries.map(|entry| entry.size()).collect::<HashSet<u64>>()
    });
    let (mut items, mut to_read, mut len_of_one) = (Vec::new(), Vec::new(), 0);
    for (side, sizes) in sides.into_iter().zip([sizes_of_other, sizes_of_one]) {
        len_of_one = items.len();
        for archive in side {
            let mut entries = selection.entries(archive);
            for (place, entry) in (items.len()..).zip(&entries) {
                items.push(Item { entry: *entry, place, keyed: None, problem: None });
            }
            entries.retain(|entry| sizes.contains(&entry.size()));
            let max_expansion = args.expansion.max_expansion;
            to_read.push((archive, Contents::of(context, archive, entries, max_expansion)?));
        }
    }
    let start = Summer::keyed();
    let mut unread = items.iter_mut();
    for (archive, contents) in to_read {
        for content in contents.hash(context, &start) {
            if let Some(item) = unread.find(|item| item.entry == content.entry) {
                item.keyed = content.sums.keyed;
                for error in content.findings.into_iter().filter(Finding::is_error) {
                    item.problem = Some(error.detail.clone());
                    out.finding(error);
                }
            }
        }
        hand_on(out, reserved_reading(archive));
    }
    let items_of_other = items.split_off(len_of_one);
    Ok([items, items_of_other].map(|mut items| {
        items.sort_unstable_by_key(|item| (item.entry.name(), item.place));
        items
    }))
}

/// The place of the first item of a pair. Pairs are reported in this order.
fn first_place((a, b): &Pair<&Item<'_>>) -> Option<usize> {
    a.or(*b).map(|item| item.place)
}

/// Whether two files are the same texture, but for its smaller sizes.
fn are_drawn_alike((a, b): Pair<&Item<'_>>) -> bool {
    let (Some(a), Some(b)) = (a, b) else { return false };
    let (name, len) = (a.entry.name(), a.entry.size());
    let has_sizes = |it: FileType| matches!(it, FileType::Mip | FileType::Wal | FileType::Wal3);
    let is_texture = name.extension().is_some_and(|it| FileType::by_extension(it).any(has_sizes));
    let drawn = |item: &Item<'_>| full_size(name, &item.entry.read().ok()?);
    is_texture
        && len == b.entry.size()
        && len <= TEXTURE_MAX
        && drawn(a).is_some_and(|picture| drawn(b) == Some(picture))
}

/// The longest texture that is decoded. Those that daisho makes are at most 22 MiB long.
const TEXTURE_MAX: u64 = 32 << 20;

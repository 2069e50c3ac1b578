//! `diff`: compares two archives by the names and contents of their entries, across formats.
//!
//! Entries with the same name are matched in order: the first with the first, and so on. Two contents are the same
//! if a keyed hash of them agrees. The key is random and new for each run. Nobody knows it in advance, so the hashes
//! of two different contents agree only once in 2^64, even if somebody made the contents for that purpose. This way
//! each payload is decoded only once, however many entries share it, and in constant memory. Reading pairs side by
//! side would decode a shared payload once for each of its partners.
//!
//! If an entry's name occurs in only one archive, and the other archive has its content under a name that also
//! occurs only there, the entry is renamed. Such entries are matched in order. Empty entries are never renamed,
//! because they are all alike.
//!
//! Entries with the same name and content have moved if their order differs. As many of them as possible count as
//! unmoved, and the others have moved.
//!
//! A damaged entry differs from an intact one. If both are damaged in the same way, it is unknown whether they
//! differ, so diff reports only the damage.

use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::{BuildHasher as _, DefaultHasher, Hasher as _, RandomState};
use std::io::{self, Write as _};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anstyle::AnsiColor;
use clap::builder::TypedValueParser;
use clap::{Args, ValueHint};

use crate::archive::{Archive, Entry, escape, path_bytes};
use crate::cli::args::{ExpansionArgs, one_of};
use crate::cli::exit::Exit;
use crate::cli::inputs::GlobArgs;
use crate::cli::output::{DataKind, Stdout};
use crate::cli::rows::{RunKind, Show, Totals};
use crate::cli::text;
use crate::cli::ui::Ui;
use crate::fs::is_standard_input;
use crate::media::FileType;
use crate::ops::catalogue::{
    Change, ChangeCounts, ChangeRow, ContentHash, Contents, Named, Pair, Trouble, by_content,
    by_name, longest_rise,
};
use crate::ops::finding::{Finding, archive_errors, archive_notes, reserved_reading};
use crate::ops::pictures::full_size;
use crate::ops::report::hand_on;
use crate::ops::source::named::named;
use crate::ops::source::{self, How, Input, Search, Selection};
use crate::ops::{Context, Refusal, Sink};

/// Compare the contents of two archives
///
/// Contents are decoded and compared by name, so the formats may differ. Either side may be a
/// directory. If anything differs, the exit status is 1.
#[derive(Debug, Args)]
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
    let mut differences = Differences(Vec::new());
    let (compared, _) = ui.run(RunKind::Decodes, &mut differences, |context, out| {
        diff(context, &args, &selection, out)
    })?;
    if compared.sides < 2 {
        return Ok(());
    }
    for (count, words) in [
        (compared.pairs, "compared, each with the one of its path"),
        (compared.together, "of a directory compared as if they were one"),
    ] {
        if count > 0 {
            let archives = text::count(count, "archive", "archives");
            ui.note(&format!("{archives} {words}"));
        }
    }
    ui.write(DataKind::Text, |out| show(out, &differences.0, ui.verbose));
    let mut counts = Vec::new();
    for change in Change::OF_ARCHIVES {
        let count = compared.differences.of(change);
        counts.push(format!("{count} {}", change.as_str()));
    }
    if compared.differences != ChangeCounts::default() {
        ui.note(&format!("{}, {} the same", counts.join(", "), compared.same));
        ui.worsen(Exit::NotAllWell);
    }
    Ok(())
}

/// How two sides compare as a whole.
#[derive(Debug, Default)]
struct Compared {
    /// How many sides could be read. If fewer than two, nothing was compared.
    sides: usize,
    /// How many pairs of archives were compared, if both sides are directories of archives.
    pairs: usize,
    /// How many archives were taken together, if only one side is a directory of archives.
    together: usize,
    /// How many entries are the same, and in the same order.
    same: usize,
    differences: ChangeCounts,
}

impl Totals for Compared {
    fn is_nothing_read(&self) -> bool {
        self.sides < 2
    }
}

/// The differences so far. As text they are shown when all are known, because archives can have headings.
struct Differences(Vec<ChangeRow>);

impl Show<ChangeRow> for Differences {
    fn text(&mut self, _: &mut Stdout, row: ChangeRow) -> io::Result<()> {
        self.0.push(row);
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
        Change::Changed | Change::Unreadable | Change::Readable => AnsiColor::Yellow,
        Change::Moved | Change::Renamed => AnsiColor::Cyan,
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
    let flow = ControlFlow::Continue(());
    let compared = Compared::default();
    let mut comparison = Comparison { context, args, selection, out, flow, compared };
    let (a, b) = (args.a.as_path(), args.b.as_path());
    if is_standard_input(a) && is_standard_input(b) {
        let why = "standard input can be only one of the two archives";
        return Err(Finding::error(why).into());
    }
    let one = side(context, a, b, comparison.out)?;
    let other = side(context, b, a, comparison.out)?;
    if is_collection(&one) && is_collection(&other) {
        comparison.compared.sides = 2;
        for (a, b) in pairs(one, other) {
            context.cancel.check()?;
            comparison.add_pair(a, b)?;
            if comparison.flow.is_break() {
                break;
            }
        }
        return Ok(comparison.end());
    }
    let mut opened = Vec::new();
    for side in [&one, &other] {
        let mut archives = Vec::new();
        for input in side {
            archives.extend(open(context, input, comparison.out));
        }
        if is_collection(side) {
            comparison.compared.together = archives.len();
        }
        comparison.compared.sides += usize::from(!archives.is_empty());
        opened.push(archives);
    }
    if let ([one, other], 2) = (&opened[..], comparison.compared.sides) {
        comparison.compare(one, other, None)?;
        return Ok(comparison.end());
    }
    Ok(comparison.compared)
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

/// Whether these are the archives of a directory.
fn is_collection(side: &[Input]) -> bool {
    side.first().is_some_and(|input| input.found)
}

/// Opens an archive, or reports why it cannot be read.
fn open(
    context: &Context<'_>,
    input: &Input,
    out: &mut dyn Sink<ChangeRow>,
) -> Option<Arc<Archive>> {
    let findings = match input.open(context) {
        Ok(archive) => match archive_errors(&archive) {
            errors if errors.is_empty() => return Some(archive),
            errors => errors,
        },
        Err(error) => vec![Finding::unread(&input.path, error)],
    };
    hand_on(out, findings);
    None
}

/// Whether everything that is an archive or is named like one is an entry of the archive at `other`, from which the
/// directory was extracted, or which was made of it.
fn is_taken_apart(context: &Context<'_>, other: &Path, found: &Search) -> bool {
    let mut inputs = found.inputs.iter().chain(&found.ruined).peekable();
    if inputs.peek().is_none_or(|first| first.as_directory().is_some()) || other.is_dir() {
        return false;
    }
    let Ok(other) = source::one(context, other, &mut Vec::new()) else {
        return false;
    };
    inputs.all(|input| named(&other, &path_bytes(&input.relative)).is_some())
}

/// Pairs the archives of two directories by their paths, or otherwise by their paths without the extension.
fn pairs(one: Vec<Input>, other: Vec<Input>) -> Vec<(Option<Input>, Option<Input>)> {
    let mut pairs: Vec<_> = one.into_iter().map(|a| (Some(a), None)).collect();
    let mut rest: Vec<Option<Input>> = other.into_iter().map(Some).collect();
    for key in [|it: &Input| it.relative.clone(), |it: &Input| it.relative.with_extension("")] {
        let mut places: HashMap<PathBuf, VecDeque<usize>> = HashMap::new();
        for (place, b) in rest.iter().enumerate() {
            if let Some(b) = b {
                places.entry(key(b)).or_default().push_back(place);
            }
        }
        for (a, b) in &mut pairs {
            let (Some(a), None) = (a, &b) else { continue };
            let place = places.get_mut(&key(a)).and_then(VecDeque::pop_front);
            *b = place.and_then(|place| rest.get_mut(place)?.take());
        }
    }
    pairs.extend(rest.into_iter().flatten().map(|b| (None, Some(b))));
    pairs
}

/// Whether the entries have an order. The files of a directory have none, nor do the entries of several archives
/// together.
fn is_ordered(archives: &[Arc<Archive>]) -> bool {
    matches!(archives, [archive] if archive.format().is_some())
}

/// A comparison under way.
struct Comparison<'a, 'r> {
    context: &'a Context<'a>,
    args: &'a DiffArgs,
    selection: &'a Selection,
    out: &'r mut dyn Sink<ChangeRow>,
    /// Whether the sink takes more rows.
    flow: ControlFlow<()>,
    compared: Compared,
}

impl Comparison<'_, '_> {
    /// Compares two archives of directories, or reports one that only one of them has.
    fn add_pair(&mut self, a: Option<Input>, b: Option<Input>) -> Result<(), Refusal> {
        let (input, change) = match (a, b) {
            (Some(a), Some(b)) => {
                let relative = a.relative.clone();
                let opened = [a, b].map(|input| open(self.context, &input, self.out));
                if let [Some(one), Some(other)] = opened {
                    self.compared.pairs += 1;
                    self.compare(&[one], &[other], Some(&relative))?;
                }
                return Ok(());
            }
            (Some(a), None) => (a, Change::Removed),
            (None, Some(b)) => (b, Change::Added),
            (None, None) => return Ok(()),
        };
        let size = input.len(&self.context.system);
        let row = ChangeRow {
            size_a: (change == Change::Removed).then_some(size),
            size_b: (change == Change::Added).then_some(size),
            ..ChangeRow::new(change, path_bytes(&input.relative).into_owned())
        };
        self.keep(row, true);
        Ok(())
    }

    /// Compares two sides. Each consists of one archive or several.
    fn compare(
        &mut self,
        one: &[Arc<Archive>],
        other: &[Arc<Archive>],
        archive: Option<&Path>,
    ) -> Result<(), Finding> {
        for archive in one.iter().chain(other) {
            hand_on(self.out, archive_notes(archive));
        }
        let selection = self.selection;
        let entries_of_one = one.iter().map(|archive| archive.len()).sum();
        let (old, new) = (items(one, selection, 0), items(other, selection, entries_of_one));
        let pairs = by_name(&old, &new).into_iter();
        let mut pairs: Vec<Pair<Item<'_>>> = pairs.map(|(a, b)| (a.copied(), b.copied())).collect();
        pairs.sort_unstable_by_key(first_place);
        let prints = self.read(one.iter().chain(other), &pairs)?;
        if self.context.cancel.is_set() {
            return Ok(());
        }
        let is_same: Vec<bool> = pairs.iter().map(|pair| prints.are_same(pair)).collect();
        let same = pairs.iter().zip(&is_same).filter(|(_, is_same)| **is_same);
        let places: Vec<usize> = same.filter_map(|((_, b), _)| Some((*b)?.place)).collect();
        let mut stays = longest_rise(&places).into_iter();
        let (mut differences, mut others) = (Vec::new(), Vec::new());
        for (pair, is_same) in pairs.into_iter().zip(is_same) {
            match pair {
                (Some(_), Some(_)) if !is_same => differences.push((Change::Changed, pair)),
                (Some(_), Some(_)) if stays.next() == Some(true) => self.compared.same += 1,
                (Some(_), Some(_)) => differences.push((Change::Moved, pair)),
                _ => others.push(pair),
            }
        }
        by_content(&mut others, |item| prints.intact(*item));
        for pair in others {
            let change = match pair {
                (Some(_), Some(_)) => Change::Renamed,
                (Some(_), None) => Change::Removed,
                (None, _) => Change::Added,
            };
            differences.push((change, pair));
        }
        differences.sort_by_key(|(_, pair)| first_place(pair));
        let is_ordered = archive.is_some() || is_ordered(one) && is_ordered(other);
        for (change, pair) in differences {
            let mut row = row(change, pair);
            row.problem = prints.problem(&pair);
            row.same_picture = change == Change::Changed && are_drawn_alike(&pair);
            row.archive = archive.map(Path::to_path_buf);
            self.keep(row, is_ordered);
        }
        Ok(())
    }

    /// Reads the contents of both sides that can be the same, and reports what cannot be decoded.
    fn read<'i>(
        &mut self,
        archives: impl Iterator<Item = &'i Arc<Archive>>,
        pairs: &[Pair<Item<'i>>],
    ) -> Result<Prints, Finding> {
        let context = self.context;
        let to_read = to_read(context, archives, pairs, self.args.expansion.max_expansion)?;
        let start = Keyed::default();
        let mut prints = Prints::default();
        for (archive, contents) in to_read {
            let base = prints.all.len();
            prints.all.resize(base + archive.len(), None);
            for content in contents.hash(context, start.clone()) {
                let mut print = Print { keyed: content.digest, damaged: false };
                // A stop is no damage; nothing is judged after it.
                if let Some(Trouble::Damaged(error)) = content.trouble.map(|it| *it)
                    && !error.is_stop()
                {
                    print.damaged = true;
                    let place = base + content.entry.index();
                    prints.problems.insert(place, error.detail.clone());
                    self.out.finding(error);
                }
                if let Some(of_entry) = prints.all.get_mut(base + content.entry.index()) {
                    *of_entry = Some(print);
                }
            }
            hand_on(self.out, reserved_reading(archive));
        }
        Ok(prints)
    }

    /// Reports a difference, if it counts.
    fn keep(&mut self, row: ChangeRow, is_ordered: bool) {
        if self.flow.is_break() {
            return;
        }
        let only = &self.args.only;
        let is_moved = row.change == Change::Moved;
        let is_asked = only.is_empty() || only.contains(&row.change);
        if is_asked && (is_ordered || !is_moved) {
            self.compared.differences.add(row.change);
            self.flow = self.out.row(row);
        } else if is_moved {
            self.compared.same += 1;
        }
    }

    /// Reports which globs have matched nothing.
    fn end(self) -> Compared {
        if !self.context.cancel.is_set() {
            hand_on(self.out, self.selection.unmatched());
        }
        self.compared
    }
}

/// An entry of one of the two sides.
#[derive(Clone, Copy)]
struct Item<'a> {
    entry: Entry<'a>,
    /// Its number among the entries of all archives, those of the first side before those of the second.
    place: usize,
}

impl Named for Item<'_> {
    fn name(&self) -> &[u8] {
        self.entry.name().as_bytes()
    }

    /// Nothing is known before the contents are read.
    fn is_same(&self, _: &Self) -> Option<bool> {
        None
    }
}

/// The selected entries of a side, sorted by name. Entries with the same name keep the order of their archives.
fn items<'a>(
    archives: &'a [Arc<Archive>],
    selection: &Selection,
    mut base: usize,
) -> Vec<Item<'a>> {
    let mut items = Vec::new();
    for archive in archives {
        for entry in selection.entries(archive) {
            let place = base + entry.index();
            items.push(Item { entry, place });
        }
        base += archive.len();
    }
    items.sort_unstable_by_key(|item| (item.entry.name(), item.place));
    items
}

/// The place of the first item of a pair. Pairs are reported in this order.
fn first_place(pair: &Pair<Item<'_>>) -> Option<usize> {
    pair.0.or(pair.1).map(|item| item.place)
}

/// The items that can have the same content as another one, by place: pairs with the same size, and items without a
/// partner if an item without a partner on the other side has the same size. Empty ones are all alike.
fn that_can_be_the_same<'a>(pairs: &[Pair<Item<'a>>]) -> Vec<Item<'a>> {
    let (mut removed, mut added) = (HashSet::new(), HashSet::new());
    for pair in pairs {
        match pair {
            (Some(a), None) => removed.insert(a.entry.size()),
            (None, Some(b)) => added.insert(b.entry.size()),
            _ => false,
        };
    }
    let mut items = Vec::new();
    for (a, b) in pairs {
        let sizes = [a, b].map(|item| item.map(|item| item.entry.size()));
        let can_be_the_same = match sizes {
            [Some(a), Some(b)] => a == b,
            [Some(a), None] => a > 0 && added.contains(&a),
            [None, Some(b)] => b > 0 && removed.contains(&b),
            [None, None] => false,
        };
        if can_be_the_same {
            items.extend([*a, *b].into_iter().flatten());
        }
    }
    items.sort_unstable_by_key(|item| item.place);
    items
}

/// The archives of both sides, with the contents of each that can be the same as others.
fn to_read<'i>(
    context: &Context<'_>,
    archives: impl Iterator<Item = &'i Arc<Archive>>,
    pairs: &[Pair<Item<'i>>],
    max_expansion: Option<u64>,
) -> Result<Vec<(&'i Archive, Contents<'i>)>, Finding> {
    let mut items = that_can_be_the_same(pairs).into_iter().peekable();
    let (mut to_read, mut end) = (Vec::new(), 0);
    for archive in archives {
        end += archive.len();
        let mut entries = Vec::new();
        while let Some(item) = items.next_if(|item| item.place < end) {
            entries.push(item.entry);
        }
        let contents = Contents::of(context, archive, entries, max_expansion)?;
        to_read.push((&**archive, contents));
    }
    Ok(to_read)
}

/// A fingerprint: two contents that are the same have the same one.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Print {
    /// The hash of the bytes that could be decoded. These are fewer than the size says only if the entry is damaged.
    keyed: u64,
    damaged: bool,
}

/// The fingerprints of the contents that were read, by the places of their entries.
#[derive(Default)]
struct Prints {
    all: Vec<Option<Print>>,
    /// Why contents cannot be read.
    problems: HashMap<usize, Box<str>>,
}

impl Prints {
    /// The content of an entry, if it was read.
    fn of(&self, item: Item<'_>) -> Option<Print> {
        *self.all.get(item.place)?
    }

    /// The content of an entry, if it was read and is not damaged.
    fn intact(&self, item: Item<'_>) -> Option<Print> {
        self.of(item).filter(|print| !print.damaged)
    }

    /// Why one of the two contents cannot be read.
    fn problem(&self, (a, b): &Pair<Item<'_>>) -> Option<Box<str>> {
        let mut sides = [a, b].into_iter().flatten();
        sides.find_map(|item| self.problems.get(&item.place).cloned())
    }

    fn are_same(&self, pair: &Pair<Item<'_>>) -> bool {
        match pair {
            (Some(a), Some(b)) => self.of(*a).is_some() && self.of(*a) == self.of(*b),
            _ => false,
        }
    }
}

/// Whether two files are the same texture, but for its smaller sizes.
fn are_drawn_alike(pair: &Pair<Item<'_>>) -> bool {
    let (Some(a), Some(b)) = pair else { return false };
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

/// A keyed hash of a content and its length. The key is random, and new for each run.
#[derive(Clone)]
struct Keyed {
    keyed: DefaultHasher,
    len: u64,
}

impl Default for Keyed {
    fn default() -> Self {
        Self { keyed: RandomState::new().build_hasher(), len: 0 }
    }
}

impl ContentHash for Keyed {
    type Digest = u64;

    fn add(&mut self, piece: &[u8]) {
        self.len += piece.len() as u64;
        self.keyed.write(piece);
    }

    fn finish(mut self) -> u64 {
        self.keyed.write_u64(self.len);
        self.keyed.finish()
    }
}

/// The row of a difference.
fn row(change: Change, (a, b): Pair<Item<'_>>) -> ChangeRow {
    let name = |item: Item<'_>| item.entry.name().as_bytes().to_vec();
    ChangeRow {
        new_name: b.filter(|_| change == Change::Renamed).map(name),
        size_a: a.map(|item| item.entry.size()),
        size_b: b.map(|item| item.entry.size()),
        ..ChangeRow::new(change, a.or(b).map(name).unwrap_or_default())
    }
}

//! Compares two archives by the names and contents of their entries, across formats.
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
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::archive::{Archive, Entry, path_bytes};
use crate::fs::is_standard_input;
use crate::media::FileType;
use crate::ops::catalogue::{
    Change, ChangeCounts, ChangeRow, ContentHash, Contents, Named, Pair, Trouble, by_content,
    by_name, longest_rise,
};
use crate::ops::context::{Context, Refusal};
use crate::ops::finding::{Finding, archive_notes, reserved_reading};
use crate::ops::pictures::full_size;
use crate::ops::report::{Sink, hand_on};
use crate::ops::source::named::named;
use crate::ops::source::{self, Input, Inputs, Selection};

/// How to compare.
#[derive(Debug, Default)]
pub struct DiffOptions {
    /// Which entries.
    pub selection: Selection,
    /// The changes that count. The others are ignored. If this is empty, all changes count.
    pub only: Vec<Change>,
    /// The most that may be decoded from an archive, as a multiple of its length. Each payload counts once. By
    /// default, only an archive with overlapping payloads exceeds the limit.
    pub max_expansion: Option<u64>,
}

/// What a comparison reports.
#[derive(Debug)]
pub enum DiffRow {
    /// A difference.
    Change(ChangeRow),
    /// How the two sides compare as a whole, after all differences.
    Compared(ComparedRow),
}

/// How two sides compare as a whole, after all differences.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ComparedRow {
    /// How many pairs of archives were compared, if both sides are directories of archives.
    pub pairs: usize,
    /// How many archives were taken together, if only one side is a directory of archives.
    pub together: usize,
    /// How many entries are the same, and in the same order.
    pub same: usize,
    /// How many differences there are.
    pub differences: ChangeCounts,
}

/// What was compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DiffTotals {
    /// Sides that could be read. If fewer than two, nothing was compared.
    pub sides: u64,
    /// Differences.
    pub differences: u64,
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
/// ```
/// use daisho::ops::{Context, DiffOptions, DiffRow, Reported, diff};
/// use daisho::ops::row::Change;
/// use std::path::Path;
///
/// let context = Context::new();
/// let game = Path::new("corpus/game/data");
/// let (a, b) = (game.join("pak0.pak"), game.join("pak1.pak"));
/// let mut removed = 0;
/// let mut reported = Reported::default();
/// diff(&context, &a, &b, &DiffOptions::default(), &mut reported)?;
/// for row in reported.rows {
///     if let DiffRow::Change(change) = row {
///         removed += usize::from(change.change == Change::Removed);
///     }
/// }
/// assert!(removed > 0);
/// # Ok::<(), daisho::ops::Refusal>(())
/// ```
///
/// # Errors
///
/// If a file of a directory cannot be an entry, or one side has more content than may be decoded.
pub fn diff(
    context: &Context<'_>,
    a: impl AsRef<Path>,
    b: impl AsRef<Path>,
    options: &DiffOptions,
    out: &mut dyn Sink<DiffRow>,
) -> Result<DiffTotals, Refusal> {
    let mut comparison = Comparison {
        context,
        options,
        out,
        flow: ControlFlow::Continue(()),
        totals: DiffTotals::default(),
        whole: ComparedRow::default(),
    };
    let (a, b) = (a.as_ref(), b.as_ref());
    if is_standard_input(a) && is_standard_input(b) {
        let why = "standard input can be only one of the two archives";
        return Err(Finding::error(why).into());
    }
    let one = Side::of(context, a, b, comparison.out)?;
    let other = Side::of(context, b, a, comparison.out)?;
    let sides = match [one, other] {
        [Side::Archives(one), Side::Archives(other)] if !one.is_empty() && !other.is_empty() => {
            comparison.totals.sides = 2;
            for (a, b) in pairs(one, other) {
                context.cancel.check()?;
                comparison.add_pair(a, b)?;
                if comparison.flow.is_break() {
                    break;
                }
            }
            return Ok(comparison.end());
        }
        sides => sides,
    };
    let mut opened = Vec::new();
    for side in &sides {
        let archives = side.open(context, comparison.out)?;
        if let Side::Archives(_) = side {
            comparison.whole.together = archives.len();
        }
        comparison.totals.sides += u64::from(!archives.is_empty());
        opened.push(archives);
    }
    if let ([one, other], 2) = (&opened[..], comparison.totals.sides) {
        comparison.compare(one, other, None)?;
        return Ok(comparison.end());
    }
    Ok(comparison.totals)
}

/// One side of the comparison.
enum Side {
    File(PathBuf),
    /// A directory whose files are compared.
    Files(Input),
    /// The archives of a directory. Empty if none can be compared.
    Archives(Vec<Input>),
}

impl Side {
    /// Finds out what is at `path`, which will be compared with `other`.
    fn of(
        context: &Context<'_>,
        path: &Path,
        other: &Path,
        out: &mut dyn Sink<DiffRow>,
    ) -> Result<Self, Refusal> {
        if !path.is_dir() {
            return Ok(Self::File(path.to_path_buf()));
        }
        let mut found = Inputs::of_directory(context, path);
        if is_taken_apart(context, other, &found) {
            found = Inputs::whole_directory(context, path).map_err(Refusal)?;
        }
        hand_on(out, found.warnings());
        hand_on(out, found.findings);
        let mut archives = found.archives;
        if let Some(files) = archives.pop_if(|input| input.as_directory().is_some()) {
            return Ok(Self::Files(files));
        }
        Ok(Self::Archives(archives))
    }

    /// Opens everything that can be opened.
    fn open(
        &self,
        context: &Context<'_>,
        out: &mut dyn Sink<DiffRow>,
    ) -> Result<Vec<Arc<Archive>>, Refusal> {
        let mut archives = Vec::new();
        match self {
            Self::Files(input) => archives.push(input.open(context)?),
            Self::File(path) => match source::one(context, path, &mut Vec::new()) {
                Ok(archive) => archives.push(archive),
                Err(refusal) => {
                    hand_on(out, refusal.0);
                }
            },
            Self::Archives(inputs) => {
                for input in inputs {
                    archives.extend(open(context, input, out));
                }
            }
        }
        Ok(archives)
    }
}

/// Opens an archive, or reports why it cannot be read.
fn open(context: &Context<'_>, input: &Input, out: &mut dyn Sink<DiffRow>) -> Option<Arc<Archive>> {
    match input.open(context) {
        Ok(archive) => Some(archive),
        Err(error) => {
            out.finding(Finding::unread(&input.path, error));
            None
        }
    }
}

/// Whether everything that is an archive or is named like one is an entry of the archive at `other`, from which the
/// directory was extracted, or which was made of it.
fn is_taken_apart(context: &Context<'_>, other: &Path, found: &Inputs) -> bool {
    let mut inputs = found.archives.iter().chain(&found.ruined).peekable();
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
    options: &'a DiffOptions,
    out: &'r mut dyn Sink<DiffRow>,
    /// Whether the sink takes more rows.
    flow: ControlFlow<()>,
    totals: DiffTotals,
    whole: ComparedRow,
}

impl Comparison<'_, '_> {
    /// Compares two archives of directories, or reports one that only one of them has.
    fn add_pair(&mut self, a: Option<Input>, b: Option<Input>) -> Result<(), Refusal> {
        let (input, change) = match (a, b) {
            (Some(a), Some(b)) => {
                self.whole.pairs += 1;
                let relative = a.relative.clone();
                let opened = [a, b].map(|input| open(self.context, &input, self.out));
                if let [Some(one), Some(other)] = opened {
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
        let selection = &self.options.selection;
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
                (Some(_), Some(_)) if stays.next() == Some(true) => self.whole.same += 1,
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
        let to_read = to_read(context, archives, pairs, self.options.max_expansion)?;
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
        let options = self.options;
        let is_moved = row.change == Change::Moved;
        let is_asked = options.only.is_empty() || options.only.contains(&row.change);
        if is_asked && (is_ordered || !is_moved) {
            self.totals.differences += 1;
            self.whole.differences.add(row.change);
            self.flow = self.out.row(DiffRow::Change(row));
        } else if is_moved {
            self.whole.same += 1;
        }
    }

    /// Reports which globs have matched nothing, and how the sides compare as a whole.
    fn end(self) -> DiffTotals {
        if !self.context.cancel.is_set() {
            let unmatched = self.options.selection.unmatched();
            hand_on(self.out, unmatched);
        }
        if self.flow.is_continue() {
            // There is nothing after it that could be ended.
            let _ = self.out.row(DiffRow::Compared(self.whole));
        }
        self.totals
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

//! Two archives, compared by what is in them: by name and content, across formats.
//!
//! Entries of one name are matched in order: the first with the first, and so on. Two contents are
//! the same if size, CRC-32 and a hash agree whose key is drawn at random for each run. CRC-32
//! alone can be fooled by whoever makes a pak; with a key that nobody knows beforehand, two
//! contents that differ agree once in 2^64, whoever made them. This way each payload is decoded
//! once, however many entries name it, and in constant memory; reading pairs side by side would
//! decode a shared one once for each of its partners.
//!
//! Of the entries whose names only one archive has, those of one content are renamed: the first with the
//! first, and never empty ones, which are all alike.
//!
//! Entries whose contents are the same have moved if they are in another order: of them as many as
//! possible stay, and the others have moved.
//!
//! An entry that is damaged differs from one that is not. If both are damaged alike, nobody knows,
//! and only the damage is told.

mod contents;
mod order;

use std::collections::{HashMap, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::archive::{Archive, Format, path_bytes};
use crate::error::Error;
use crate::fs::{System, archive_of};
use crate::ops::context::{Context, Problem, Refusal};
use crate::ops::gather_files::gather;
use crate::ops::inputs::{self, Input, Search};
use crate::ops::open::{notes, open, open_one};
use crate::ops::read::wanted::named;
use crate::ops::recognize::magic;
use crate::ops::select::Selection;
use crate::ops::write::{Destination, WriteOptions};
use contents::Contents;
use order::{Item, Matched, longest_rise};

/// How to compare.
#[derive(Debug)]
pub struct DiffOptions {
    /// Which entries.
    pub selection: Selection,
    /// Whether another order is no difference. It is none either where one of the two is a directory.
    pub ignore_order: bool,
    /// Which changes count; the others are none. Empty: all do.
    pub only: Vec<Change>,
    /// How many times a pak's length may be decoded of it, each payload once. Only payloads that
    /// lie over each other can hold more than that many times.
    pub max_expansion: Option<u64>,
}

impl Default for DiffOptions {
    fn default() -> Self {
        Self {
            selection: Selection::all(),
            ignore_order: false,
            only: Vec::new(),
            max_expansion: None,
        }
    }
}

/// What differs between two sides.
#[derive(Debug, Default)]
pub struct Comparison {
    /// How many of the two could be read. Less than two, and nothing was compared.
    pub paks: usize,
    /// How many pairs of archives were compared, if both are directories of archives.
    pub pairs: usize,
    /// How many archives were taken together, if only one of the two is a directory of archives.
    pub together: usize,
    /// First what the first one has, in its order, then what only the second one has; of directories of
    /// archives pair by pair.
    pub differences: Vec<Difference>,
    /// How many entries are the same, and in the same order.
    pub same: usize,
}

/// A difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The archive in the first directory, if both are directories of archives.
    pub archive: Option<PathBuf>,
    /// The name; or the path of an archive that only one of two directories has.
    pub name: Vec<u8>,
    /// What became of it.
    pub change: Change,
    /// The entry in the first pak, where it has one.
    pub a: Option<Side>,
    /// The entry in the second pak, where it has one.
    pub b: Option<Side>,
    /// The name in the second pak, where it is another one.
    pub new_name: Option<Vec<u8>>,
}

/// An entry of one of two paks that are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Side {
    /// Its number; among those of all archives, if several are compared together.
    pub index: usize,
    /// Its size, decompressed.
    pub size: u64,
}

/// What became of an entry from the first pak to the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Change {
    /// Only the second one has it.
    Added,
    /// Only the first one has it.
    Removed,
    /// The content is another one.
    Changed,
    /// The content is the same, and the name another one.
    Renamed,
    /// The content is the same, and the place in the order another one.
    Moved,
}

impl Change {
    /// All of them, in the order in which they are counted.
    pub const ALL: [Self; 5] = [
        Self::Added,
        Self::Removed,
        Self::Changed,
        Self::Renamed,
        Self::Moved,
    ];

    /// A stable word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Changed => "changed",
            Self::Renamed => "renamed",
            Self::Moved => "moved",
        }
    }
}

/// Compares the archives at `a` and `b`, or directories. A directory that holds paks or ZIPs, or nothing but
/// archives, is one of archives, unless they are entries of the other side: two of these are compared archive
/// by archive, matched by their paths without extensions, and one is compared with anything else as if all of
/// its archives were one. Of other directories the files are compared. Problems are told as they are found:
/// there can be very many.
///
/// ```
/// use daisho::ops::context::{Cancel, Context, Unobserved};
/// use daisho::ops::read::diff::{Change, DiffOptions, diff};
/// use std::path::Path;
///
/// let cancel = Cancel::new();
/// let context = Context::new(&Unobserved, &cancel);
/// let game = Path::new("corpus/game/data");
/// let (a, b) = (game.join("pak0.pak"), game.join("pak1.pak"));
/// let report = diff(&context, &a, &b, &DiffOptions::default(), |problem| {
///     println!("{}", problem.error);
/// })?;
/// let removed = report.differences.iter().filter(|found| found.change == Change::Removed);
/// assert!(removed.count() > 0);
/// # Ok::<(), daisho::ops::context::Refusal>(())
/// ```
///
/// # Errors
///
/// If a file of a directory cannot be an entry, or one of the two holds more than may be decoded.
pub fn diff(
    context: &Context<'_>,
    a: &Path,
    b: &Path,
    options: &DiffOptions,
    mut tell: impl FnMut(Problem),
) -> Result<Comparison, Refusal> {
    let mut report = Comparison::default();
    let sides = match [Compared::of(context, a, b)?, Compared::of(context, b, a)?] {
        [Compared::Archives(one), Compared::Archives(other)] => {
            report.paks = 2;
            for (a, b) in pairs(one, other) {
                context.cancel.check()?;
                report.add_pair(context, (a, b), options, &mut tell)?;
            }
            report.unmatched(options, &mut tell);
            return Ok(report);
        }
        sides => sides,
    };
    let mut opened = Vec::new();
    for side in &sides {
        let archives = side.open(context, &mut tell)?;
        if let Compared::Archives(_) = side {
            report.together = archives.len();
        }
        report.paks += usize::from(!archives.is_empty());
        opened.push(archives);
    }
    let ([one, other], 2) = (&opened[..], report.paks) else {
        return Ok(report);
    };
    let differences = compare(context, [one, other], options, &mut tell)?;
    report.keep(differences, options, is_ordered(one) && is_ordered(other));
    if !context.cancel.is_set() {
        report.unmatched(options, &mut tell);
    }
    Ok(report)
}

/// What is at one of the two paths.
enum Compared {
    File(PathBuf),
    Files(PathBuf),
    Archives(Vec<Input>),
}

impl Compared {
    /// What is at a path that is compared with the one at `other`.
    fn of(context: &Context<'_>, path: &Path, other: &Path) -> Result<Self, Refusal> {
        if !fs::metadata(path).is_ok_and(|found| found.is_dir()) {
            return Ok(Self::File(path.to_path_buf()));
        }
        let search = Search {
            directories: true,
            ..Search::default()
        };
        let found = inputs::find(&[path.to_path_buf()], search, None)?;
        let files = WalkDir::new(path).into_iter().flatten();
        let files = files.filter(|found| found.file_type().is_file()).count();
        // Mods hold WADs as files.
        let is_pak = |input: &Input| !matches!(magic(&input.path), Ok(Some([b'W', ..])));
        let holds_archives = found.paks.iter().any(is_pak) || found.paks.len() == files;
        if !holds_archives || found.paks.is_empty() || is_taken_apart(context, other, &found.paks) {
            return Ok(Self::Files(path.to_path_buf()));
        }
        Ok(Self::Archives(found.paks))
    }

    /// Opens everything that can be opened.
    fn open(
        &self,
        context: &Context<'_>,
        tell: &mut dyn FnMut(Problem),
    ) -> Result<Vec<Archive>, Refusal> {
        let mut archives = Vec::new();
        match self {
            Self::Files(path) => archives.push(directory(path, tell)?),
            Self::File(path) => match open_one(context, path) {
                Ok(archive) => archives.push(archive),
                Err(error) => tell(Problem::error(error)),
            },
            Self::Archives(inputs) => {
                for input in inputs {
                    match open(&System::real(), &input.path, context.open) {
                        Ok(archive) => archives.push(archive),
                        Err(error) => tell(Problem::unread(&input.path, error)),
                    }
                }
            }
        }
        Ok(archives)
    }
}

/// Whether these archives are all entries of the archive at `other`, from which they were extracted.
fn is_taken_apart(context: &Context<'_>, other: &Path, inputs: &[Input]) -> bool {
    let Ok(other) = open_one(context, other) else {
        return false;
    };
    let is_entry = |input: &Input| named(&other, &path_bytes(&input.relative)).is_some();
    inputs.iter().all(is_entry)
}

/// The archives of two directories, each with the one of its path, or else of its path without the
/// extension.
fn pairs(one: Vec<Input>, other: Vec<Input>) -> Vec<(Option<Input>, Option<Input>)> {
    let mut pairs: Vec<_> = one.into_iter().map(|a| (Some(a), None)).collect();
    let mut rest: Vec<Option<Input>> = other.into_iter().map(Some).collect();
    for key in [
        |it: &Input| it.relative.clone(),
        |it: &Input| it.relative.with_extension(""),
    ] {
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

/// The files of a directory, as `create` would take them.
fn directory(path: &Path, tell: &mut dyn FnMut(Problem)) -> Result<Archive, Refusal> {
    // Of the formats that are written this one takes the longest names.
    let options = WriteOptions::new(Destination::File(PathBuf::new()), Format::Pk3);
    let (files, problems) = gather(&[path.to_path_buf()], &options, None)?;
    problems.into_iter().for_each(tell);
    Ok(archive_of(&System::real(), path, files))
}

/// Whether entries have an order: not the files of a directory, nor those of several archives.
fn is_ordered(archives: &[Archive]) -> bool {
    matches!(archives, [archive] if archive.format() != Format::Directory)
}

/// What differs between two sides, and how many entries are the same.
fn compare(
    context: &Context<'_>,
    [one, other]: [&[Archive]; 2],
    options: &DiffOptions,
    tell: &mut dyn FnMut(Problem),
) -> Result<(Vec<Difference>, usize), Error> {
    for archive in one.iter().chain(other) {
        notes(archive).into_iter().for_each(&mut *tell);
    }
    let mut matched = Matched::new(one, other, &options.selection);
    let sides = [one, other];
    let contents = Contents::read(context, sides, &matched, options.max_expansion, tell)?;
    if context.cancel.is_set() {
        return Ok((Vec::new(), 0));
    }
    let renamed = contents.take_renamed(&mut matched);
    Ok(judge(&matched, &renamed, &contents))
}

fn judge(
    matched: &Matched<'_>,
    renamed: &[(Item<'_>, Item<'_>)],
    contents: &Contents,
) -> (Vec<Difference>, usize) {
    let (mut differences, mut same) = (Vec::new(), 0);
    let is_same: Vec<bool> = matched
        .pairs
        .iter()
        .map(|(a, b)| contents.are_same(a, b))
        .collect();
    let mut places = Vec::new();
    for ((_, b), is_same) in matched.pairs.iter().zip(&is_same) {
        if *is_same {
            places.push(b.place);
        }
    }
    let mut stays = longest_rise(&places).into_iter();
    for ((a, b), is_same) in matched.pairs.iter().zip(is_same) {
        if !is_same {
            differences.push(Difference::new(Change::Changed, Some(a), Some(b)));
        } else if stays.next() == Some(true) {
            same += 1;
        } else {
            differences.push(Difference::new(Change::Moved, Some(a), Some(b)));
        }
    }
    for a in &matched.removed {
        differences.push(Difference::new(Change::Removed, Some(a), None));
    }
    for (a, b) in renamed {
        differences.push(Difference::new(Change::Renamed, Some(a), Some(b)));
    }
    differences.sort_by_key(|difference| difference.a);
    for b in &matched.added {
        differences.push(Difference::new(Change::Added, None, Some(b)));
    }
    (differences, same)
}

impl Comparison {
    /// Compares two archives of directories, or remarks one that only one of them has.
    fn add_pair(
        &mut self,
        context: &Context<'_>,
        pair: (Option<Input>, Option<Input>),
        options: &DiffOptions,
        tell: &mut dyn FnMut(Problem),
    ) -> Result<(), Refusal> {
        let (input, change) = match pair {
            (Some(a), Some(b)) => {
                self.pairs += 1;
                let one = Compared::Archives(vec![a.clone()]).open(context, tell)?;
                let other = Compared::Archives(vec![b]).open(context, tell)?;
                if !one.is_empty() && !other.is_empty() {
                    let (mut found, same) = compare(context, [&one, &other], options, tell)?;
                    for difference in &mut found {
                        difference.archive = Some(a.relative.clone());
                    }
                    self.keep((found, same), options, true);
                }
                return Ok(());
            }
            (Some(a), None) => (a, Change::Removed),
            (None, Some(b)) => (b, Change::Added),
            (None, None) => return Ok(()),
        };
        let size = fs::metadata(&input.path).map_or(0, |found| found.len());
        let side = Some(Side { index: 0, size });
        let (a, b) = match change {
            Change::Removed => (side, None),
            _ => (None, side),
        };
        let difference = Difference {
            archive: None,
            name: path_bytes(&input.relative).into_owned(),
            change,
            a,
            b,
            new_name: None,
        };
        self.keep((vec![difference], 0), options, true);
        Ok(())
    }

    /// Keeps the differences that count.
    fn keep(
        &mut self,
        (differences, same): (Vec<Difference>, usize),
        options: &DiffOptions,
        is_ordered: bool,
    ) {
        self.same += same;
        for difference in differences {
            let change = difference.change;
            let is_moved = change == Change::Moved;
            let is_asked = options.only.is_empty() || options.only.contains(&change);
            if is_asked && !(is_moved && (options.ignore_order || !is_ordered)) {
                self.differences.push(difference);
            } else if is_moved {
                self.same += 1;
            }
        }
    }

    /// Tells which globs have matched nothing.
    fn unmatched(&self, options: &DiffOptions, tell: &mut dyn FnMut(Problem)) {
        for error in options.selection.unmatched() {
            tell(Problem::error(error));
        }
    }
}

impl Difference {
    fn new(change: Change, a: Option<&Item<'_>>, b: Option<&Item<'_>>) -> Self {
        let name = |item: &Item<'_>| item.entry.name().as_bytes().to_vec();
        let side = |item: &Item<'_>| Side {
            index: item.place,
            size: item.entry.size(),
        };
        Self {
            archive: None,
            name: a.or(b).map(name).unwrap_or_default(),
            change,
            a: a.map(side),
            b: b.map(side),
            new_name: b.filter(|_| change == Change::Renamed).map(name),
        }
    }
}

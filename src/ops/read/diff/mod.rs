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

use std::path::{Path, PathBuf};

use crate::archive::{Archive, Entry, Format};
use crate::fs::{System, archive_of};
use crate::ops::context::{Context, Problem, Refusal};
use crate::ops::gather_files::gather;
use crate::ops::open::{notes, open_one};
use crate::ops::select::Selection;
use crate::ops::write::{Destination, WriteOptions};
use contents::Contents;
use order::{Matched, longest_rise};

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

/// What differs between two paks.
#[derive(Debug, Default)]
pub struct Comparison {
    /// How many of the two could be read. Less than two, and nothing was compared.
    pub paks: usize,
    /// First what the first pak has, in its order, then what only the second one has.
    pub differences: Vec<Difference>,
    /// How many entries are the same, and in the same order.
    pub same: usize,
}

/// A difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The name.
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
    /// Its number.
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

/// Compares the archives at `a` and `b`, or the files of a directory. Paks that cannot be read, what is odd in them, and entries
/// that cannot be decoded are told as they are found: there can be very many.
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
    let mut refused = Vec::new();
    let opened = [a, b].map(|path| {
        if std::fs::metadata(path).is_ok_and(|found| found.is_dir()) {
            return directory(path, &mut tell).map_err(|refusal| refused.extend(refusal.0));
        }
        open_one(context, path).map_err(|error| tell(Problem::error(error)))
    });
    if !refused.is_empty() {
        return Err(Refusal(refused));
    }
    report.paks = opened.iter().flatten().count();
    let [Ok(one), Ok(other)] = opened else {
        return Ok(report);
    };
    notes(&one).into_iter().for_each(&mut tell);
    notes(&other).into_iter().for_each(&mut tell);
    let mut matched = Matched::new(&one, &other, &options.selection);
    let alone = [&matched.removed[..], &matched.added];
    let contents = Contents::read(
        context,
        [&one, &other],
        (&matched.pairs, alone),
        options.max_expansion,
        &mut tell,
    )?;
    if !context.cancel.is_set() {
        let renamed = matched.take_renamed(&contents);
        report.judge(&matched, &renamed, &contents);
        let unmatched = options.selection.unmatched();
        unmatched.for_each(|error| tell(Problem::error(error)));
    }
    let is_directory = |it: &Archive| it.format() == Format::Directory;
    let no_order = options.ignore_order || is_directory(&one) || is_directory(&other);
    let counts = |change: Change| {
        let is_asked = options.only.is_empty() || options.only.contains(&change);
        is_asked && !(no_order && change == Change::Moved)
    };
    let is_same = |it: &&Difference| it.change == Change::Moved && !counts(it.change);
    report.same += report.differences.iter().filter(is_same).count();
    report.differences.retain(|it| counts(it.change));
    Ok(report)
}

/// The files of a directory, as `create` would take them.
fn directory(path: &Path, tell: &mut impl FnMut(Problem)) -> Result<Archive, Refusal> {
    // Of the formats that are written this one takes the longest names.
    let options = WriteOptions::new(Destination::File(PathBuf::new()), Format::Pk3);
    let (files, problems) = gather(&[path.to_path_buf()], &options, None)?;
    problems.into_iter().for_each(tell);
    Ok(archive_of(&System::real(), path, files))
}

impl Comparison {
    fn judge(
        &mut self,
        matched: &Matched<'_>,
        renamed: &[(Entry<'_>, Entry<'_>)],
        contents: &Contents,
    ) {
        let pairs = || {
            matched
                .pairs
                .iter()
                .map(|(a, b)| (a, b, contents.are_same(a, b)))
        };
        let places = pairs().filter(|(_, _, same)| *same);
        let places: Vec<usize> = places.map(|(_, b, _)| b.index()).collect();
        let mut stays = longest_rise(&places).into_iter();
        for (a, b, same) in pairs() {
            let change = match same {
                false => Change::Changed,
                true if stays.next() == Some(true) => {
                    self.same += 1;
                    continue;
                }
                true => Change::Moved,
            };
            self.differences
                .push(Difference::new(change, Some(a), Some(b)));
        }
        let removed = matched.removed.iter();
        let removed = removed.map(|a| Difference::new(Change::Removed, Some(a), None));
        self.differences.extend(removed);
        let renamed = renamed.iter();
        let renamed = renamed.map(|(a, b)| Difference::new(Change::Renamed, Some(a), Some(b)));
        self.differences.extend(renamed);
        self.differences.sort_by_key(|difference| difference.a);
        let added = matched.added.iter();
        let added = added.map(|b| Difference::new(Change::Added, None, Some(b)));
        self.differences.extend(added);
    }
}

impl Difference {
    fn new(change: Change, a: Option<&Entry<'_>>, b: Option<&Entry<'_>>) -> Self {
        let name = |entry: &Entry<'_>| entry.name().as_bytes().to_vec();
        let side = |entry: &Entry<'_>| Side {
            index: entry.index(),
            size: entry.size(),
        };
        Self {
            name: a.or(b).map(name).unwrap_or_default(),
            change,
            a: a.map(side),
            b: b.map(side),
            new_name: b.filter(|_| change == Change::Renamed).map(name),
        }
    }
}

//! Which copy of a file is served, and which are shadowed.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::View;
use super::folder::{Folder, LoadedPak};
use crate::error::{Error, ErrorKind};
use crate::ops::context::Problem;
use crate::ops::engine::{Duplicates, Engine, Loose, Profile, findable};
use crate::ops::select::Selection;
use crate::pak::{Archive, Case, Entry, Kind, RawName, SafePath, quoted};

/// A copy of a file.
#[derive(Debug, Clone)]
pub enum Served<'a> {
    /// An entry of a pak.
    Entry(&'a LoadedPak, Entry<'a, File>),
    /// A file beside the paks.
    Loose(LooseFile),
}

/// A file beside the paks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LooseFile {
    /// Where it is, as the user would write it.
    pub path: PathBuf,
    /// The name under which the game finds it.
    pub name: Vec<u8>,
    /// How many bytes it has.
    pub size: u64,
}

/// Every file that is served, of those that were asked for.
#[derive(Debug)]
pub struct Winners<'a> {
    /// In the order in which paks load and folders are searched, the later ones last; within a
    /// pak in the directory's order.
    pub served: Vec<Served<'a>>,
    /// Names of which it is not defined which of their entries in one pak is served: the winners'
    /// places in `served`.
    pub undefined: Vec<usize>,
    /// Globs that picked nothing, and what could not be looked at.
    pub problems: Vec<Problem>,
}

impl Winners<'_> {
    /// A warning where it is not defined what is served.
    pub(in crate::ops) fn doubt(&self, engine: Engine) -> Option<Problem> {
        let (count, engine) = (self.undefined.len(), engine.name());
        (count > 0).then(|| Problem::warning(ErrorKind::Undefined { engine, count }.into()))
    }
}

impl<'a> Served<'a> {
    /// The pak, or the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            Self::Entry(pak, _) => &pak.path,
            Self::Loose(file) => &file.path,
        }
    }

    /// The name that it has there.
    #[must_use]
    pub fn name(&self) -> RawName<'_> {
        match self {
            Self::Entry(_, entry) => entry.name(),
            Self::Loose(file) => RawName::new(&file.name),
        }
    }

    /// Its size, decompressed.
    #[must_use]
    pub fn size(&self) -> u64 {
        match self {
            Self::Entry(_, entry) => entry.size().into(),
            Self::Loose(file) => file.size,
        }
    }

    /// What its name says it is.
    #[must_use]
    pub fn kind(&self) -> Kind {
        Kind::of(self.name())
    }

    /// The entry, where it is one.
    #[must_use]
    pub const fn entry(&self) -> Option<&Entry<'a, File>> {
        match self {
            Self::Entry(_, entry) => Some(entry),
            Self::Loose(_) => None,
        }
    }
}

impl View {
    /// Every copy of a file, the one that is served first, then those that it shadows, each of
    /// which would be served without those before it.
    #[must_use]
    pub fn find(&self, name: &[u8]) -> Vec<Served<'_>> {
        let profile = self.engine().profile();
        let mut found = Vec::new();
        for folder in self.folders().iter().rev() {
            let loose = loose_file(folder, name).map(Served::Loose);
            if profile.loose == Loose::Wins {
                found.extend(loose.clone());
            }
            for pak in folder.paks().rev() {
                let entry = |entry| Served::Entry(pak, entry);
                let entries = pak.archive.find_all(name, profile.case).map(entry);
                if profile.duplicates == Duplicates::Last {
                    found.extend(entries.rev());
                } else {
                    found.extend(entries);
                }
            }
            if profile.loose == Loose::Loses {
                found.extend(loose);
            }
        }
        found
    }

    /// Whether it is not defined which of the first two copies is served.
    #[must_use]
    pub fn is_undefined(&self, found: &[Served<'_>]) -> bool {
        let profile = self.engine().profile();
        match found {
            [Served::Entry(a, _), Served::Entry(b, _), ..] => {
                profile.duplicates == Duplicates::NotDefined && core::ptr::eq(*a, *b)
            }
            _ => false,
        }
    }

    /// Why nothing is served under a name, with what comes near it.
    #[must_use]
    pub fn not_served(&self, name: &[u8]) -> Error {
        ErrorKind::NotServed {
            engine: self.engine().name(),
            name: name.to_vec(),
            near: self.near(name),
        }
        .into()
    }

    /// Where the name is in other letters or slashes, or in a pak that is never loaded.
    fn near(&self, name: &[u8]) -> Option<String> {
        let folded = |name: &[u8]| findable(RawName::new(name)).unwrap_or_else(|| name.to_vec());
        let wanted = folded(name);
        let within = |archive: &Archive| {
            let mut entries = archive.entries();
            entries
                .find(|entry| folded(entry.name().as_bytes()) == wanted)
                .map(|entry| (entry.index(), quoted(entry.name().as_bytes()).to_string()))
        };
        let path = |path: &Path| crate::ops::assemble::shown(path);
        for pak in self.paks().rev() {
            if let Some((index, other)) = within(&pak.archive) {
                let path = path(&pak.path);
                return Some(format!(
                    "{path} has it as entry {index} {other}, which is another name to this engine"
                ));
            }
        }
        for folder in self.folders().iter().rev() {
            if let Some(file) = loose_file(folder, &wanted) {
                let path = path(&file.path);
                return Some(format!(
                    "{path} is there, which is another name to the file system"
                ));
            }
            for never in folder.never_loaded().iter().rev() {
                if let Some((index, other)) = never.archive.as_ref().and_then(within) {
                    let path = path(&never.path);
                    return Some(format!(
                        "{path} has it as entry {index} {other}, and is never loaded"
                    ));
                }
            }
        }
        None
    }

    /// Every file that is served and that `selection` picks: of paks alone, or with `loose` of
    /// loose files as well, which can shadow entries then.
    #[must_use]
    pub fn winners(&self, selection: &Selection, loose: bool) -> Winners<'_> {
        let mut problems = Vec::new();
        let all = self.candidates(loose, &mut problems);
        let mut race = Race::new(self.engine().profile(), &all.copies);
        let places = all.groups.iter().rev();
        for place in places.flat_map(Group::in_order_of_search) {
            race.run(place);
        }
        let Race { wins, doubtful, .. } = race;
        let mut winners = Winners {
            served: Vec::new(),
            undefined: Vec::new(),
            problems,
        };
        for ((place, copy), wins) in all.copies.into_iter().enumerate().zip(wins) {
            if wins && selection.picks(copy.name()) {
                if doubtful.contains(&place) {
                    winners.undefined.push(winners.served.len());
                }
                winners.served.push(copy);
            }
        }
        let unmatched = selection.unmatched().map(Problem::error);
        winners.problems.extend(unmatched);
        winners
    }

    /// Everything that could be served.
    fn candidates(&self, loose: bool, problems: &mut Vec<Problem>) -> Candidates<'_> {
        let profile = self.engine().profile();
        let mut all = Candidates::default();
        for folder in self.folders() {
            let mut files = if loose {
                folder.loose(self.engine(), problems)
            } else {
                Vec::new()
            };
            if profile.loose == Loose::Loses {
                all.add(files.drain(..).map(Served::Loose), false);
            }
            for pak in folder.paks() {
                let entries = pak.archive.entries();
                let last_first = profile.duplicates == Duplicates::Last;
                all.add(entries.map(|entry| Served::Entry(pak, entry)), last_first);
            }
            all.add(files.into_iter().map(Served::Loose), false);
        }
        all
    }
}

/// Everything that could be served: group by group as they are added to what is searched, and
/// each group in its own order.
#[derive(Default)]
struct Candidates<'a> {
    copies: Vec<Served<'a>>,
    groups: Vec<Group>,
}

/// The entries of a pak, or the loose files of a folder, by their places.
struct Group {
    places: Range<usize>,
    last_first: bool,
}

impl<'a> Candidates<'a> {
    fn add(&mut self, copies: impl Iterator<Item = Served<'a>>, last_first: bool) {
        let start = self.copies.len();
        self.copies.extend(copies);
        self.groups.push(Group {
            places: start..self.copies.len(),
            last_first,
        });
    }
}

impl Group {
    fn in_order_of_search(&self) -> impl Iterator<Item = usize> + use<> {
        let Range { start, end } = self.places;
        let last_first = self.last_first;
        (start..end).map(move |n| if last_first { end - 1 - (n - start) } else { n })
    }
}

/// The copies, as they are found one after another: the first of each name wins.
struct Race<'a> {
    profile: Profile,
    copies: &'a [Served<'a>],
    /// The entry that was found first, for each name as the engine compares it.
    entries: HashMap<Cow<'a, [u8]>, usize>,
    /// The loose files that were found first. Their names are the file system's.
    files: HashSet<&'a [u8]>,
    wins: Vec<bool>,
    /// Winners that might as well lose against another entry of their own pak.
    doubtful: HashSet<usize>,
}

impl<'a> Race<'a> {
    fn new(profile: Profile, copies: &'a [Served<'a>]) -> Self {
        Self {
            profile,
            copies,
            entries: HashMap::new(),
            files: HashSet::new(),
            wins: vec![false; copies.len()],
            doubtful: HashSet::new(),
        }
    }

    fn run(&mut self, place: usize) {
        let Some(copy) = self.copies.get(place) else {
            return;
        };
        let name = copy.name().as_bytes();
        let key = match self.profile.case {
            Case::Matters => Cow::Borrowed(name),
            Case::Ignored => Cow::Owned(name.to_ascii_lowercase()),
        };
        let wins = match (copy, self.entries.get(&key)) {
            (Served::Loose(_), Some(_)) => false,
            (Served::Loose(_), None) => self.files.insert(name),
            (Served::Entry(..), None) => {
                self.entries.insert(key, place);
                !self.files.contains(name)
            }
            (Served::Entry(pak, _), Some(&winner)) => {
                let same = matches!(self.copies.get(winner), Some(Served::Entry(other, _))
                    if core::ptr::eq(*other, *pak));
                if same && self.profile.duplicates == Duplicates::NotDefined {
                    self.doubtful.insert(winner);
                }
                false
            }
        };
        if let Some(slot) = self.wins.get_mut(place) {
            *slot = wins;
        }
    }
}

/// The loose file of exactly this name.
fn loose_file(folder: &Folder, name: &[u8]) -> Option<LooseFile> {
    let relative = SafePath::try_from(RawName::new(name)).ok()?;
    // A backslash is mended on the way, and is another name to the file system.
    let path = (relative.as_bytes() == name).then(|| relative.to_path_buf())?;
    let path = folder.path().join(path);
    let data = fs::metadata(&path).ok().filter(fs::Metadata::is_file)?;
    Some(LooseFile {
        path,
        name: name.to_vec(),
        size: data.len(),
    })
}

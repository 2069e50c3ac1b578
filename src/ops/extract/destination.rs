//! Into which directory the files of each pak go, and what is put aside where several paks share
//! one.
//!
//! Paks that differ in their extensions alone, as `pak0.pak` and `pak0.bak`, would have one
//! directory. The one without an extension gets it, which has no longer name; or else the one called
//! `.pak`, or the first; each other one gets a directory of its whole name, and a warning. So the same paks have the same directories in every
//! run. Paks of one whole name, from different places or but for its case, still meet, and are
//! refused (`meet`).

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::names::{Aside, Rules};
use super::{ExtractOptions, Origin, Task};
use crate::error::{Error, ErrorKind};
use crate::ops::context::Problem;
use crate::ops::inputs::Input;
use crate::pak::{RawName, SafePath};

/// Where the files of one pak go.
#[derive(Debug, Default)]
pub(super) struct Destination {
    /// From the root.
    pub(super) base: PathBuf,
    /// The directory that it would have alone, and the pak that has that.
    pub(super) instead: Option<(PathBuf, PathBuf)>,
}

impl Destination {
    /// A warning where a pak has not the directory that it would have alone.
    pub(super) fn warning(&self, pak: &Path) -> Option<Problem> {
        let (taken, other) = self.instead.clone()?;
        let given = self.base.clone();
        let error = Error::from(ErrorKind::WholeName {
            other,
            taken,
            given,
        });
        Some(Problem::warning(error.in_pak(pak)))
    }
}

/// A directory for each of these paks.
pub(super) fn of(paks: &[Input]) -> Vec<Destination> {
    let is_pak = |input: &Input| {
        let extension = input.relative.extension();
        extension.is_some_and(|extension| extension.eq_ignore_ascii_case("pak"))
    };
    let mut owners: HashMap<PathBuf, &Input> = HashMap::new();
    for input in paks {
        let owner = owners.entry(base(input)).or_insert(input);
        let rank = |input: &Input| (input.relative.extension().is_none(), is_pak(input));
        if rank(owner) < rank(input) {
            *owner = input;
        }
    }
    let destination = |input: &Input| {
        let base = base(input);
        match owners.get(&base) {
            Some(owner) if !is_same(&owner.relative, &input.relative) => Destination {
                base: input.relative.clone(),
                instead: Some((base, owner.path.clone())),
            },
            _ => Destination {
                base,
                instead: None,
            },
        }
    };
    paks.iter().map(destination).collect()
}

/// Whether two whole names are one on some file system.
fn is_same(a: &Path, b: &Path) -> bool {
    a.as_os_str().eq_ignore_ascii_case(b)
}

/// Where the files of a pak go that is alone, from the root.
fn base(input: &Input) -> PathBuf {
    let folder = input.relative.parent().unwrap_or(Path::new(""));
    // A stem can be `..` (of `...pak`), or what is no name elsewhere; a whole name is always one.
    let stem = input.relative.file_stem().filter(|stem| {
        let stem = stem.as_encoded_bytes();
        SafePath::try_from(RawName::new(stem)).is_ok_and(|path| path.as_bytes() == stem)
    });
    let name = stem.or_else(|| input.relative.file_name());
    folder.join(name.unwrap_or_default())
}

/// The path that a name says, and whether it is spelled as the name is.
type Own = Option<(Vec<u8>, bool)>;

/// Finds what has to be put aside where all tasks go into one directory: names can be two to an
/// engine, as `a\b` and `a/b` are, and one path. The one that is spelled as the path gets it, or
/// else the first. A file of one pak where another has a directory is refused (`meet`).
pub(super) fn share(tasks: &mut [Task<'_>], options: &ExtractOptions) {
    let rules = Rules {
        lowercase: options.lowercase,
        rescue: options.rescue,
    };
    let all: Vec<Vec<Own>> = tasks.iter().map(|task| paths(task, rules)).collect();
    let rows = || {
        let tasks = all.iter().enumerate();
        tasks.flat_map(|(task, rows)| rows.iter().flatten().map(move |own| (task, own)))
    };
    let mut owners: HashMap<&[u8], (usize, bool)> = HashMap::new();
    for (task, (path, spelled)) in rows() {
        let owner = owners.entry(path).or_insert((task, *spelled));
        if !owner.1 && *spelled {
            *owner = (task, true);
        }
    }
    let aside = |task: usize, path: &[u8]| {
        let elsewhere = owners.get(path).is_some_and(|(owner, _)| *owner != task);
        elsewhere.then_some(Aside::AnotherPak)
    };
    for (number, (task, rows)) in tasks.iter_mut().zip(&all).enumerate() {
        let rows = rows.iter().enumerate();
        let found = rows.filter_map(|(row, own)| Some((row, aside(number, &own.as_ref()?.0)?)));
        task.aside = found.collect();
    }
}

/// The paths that the names of a task say, by its rows.
fn paths(task: &Task<'_>, rules: Rules) -> Vec<Own> {
    let own = |name: &[u8]| {
        let path = rules.own(RawName::new(name)).ok()?.path;
        let spelled = path.as_bytes().eq_ignore_ascii_case(name);
        Some((path.as_bytes().to_vec(), spelled))
    };
    match &task.from {
        Origin::Pak(_) => Vec::new(),
        Origin::Served(pak, numbers) => {
            let entry = |number: &u32| pak.archive.entry(*number as usize);
            let name = |number| own(entry(number)?.name().as_bytes());
            numbers.iter().map(name).collect()
        }
        Origin::Loose(_, files) => files.iter().map(|file| own(&file.name)).collect(),
    }
}

//! Which copy of a name is served, and which are shadowed.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use super::View;
use super::folder::{Folder, LoadedPak};
use crate::engine::{Duplicates, Loose as Precedence, findable};
use crate::error::{Error, ErrorKind};
use crate::fs::System;
use crate::ops::assemble::{Loose, shown};
use crate::pak::{Archive, Entry, Kind, RawName, SafePath, quoted};

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

impl LooseFile {
    /// The game's directory that it is in.
    pub(in crate::ops) fn folder(&self) -> &Path {
        let parts = self.name.split(|byte| *byte == b'/').count();
        self.path.ancestors().nth(parts).unwrap_or(Path::new(""))
    }

    /// The same as something to put into a pak or elsewhere.
    pub(in crate::ops) fn to_pack(&self, system: &System) -> Loose {
        Loose {
            name: self.name.clone(),
            path: self.path.clone(),
            len: self.size,
            system: system.clone(),
        }
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

    /// The error with this copy as its place.
    pub(super) fn located(&self, error: Error) -> Error {
        let error = match self.entry() {
            Some(entry) => error.in_entry(entry.index(), entry.name()),
            None => error,
        };
        error.in_pak(self.path())
    }

    /// The same place in words.
    pub(super) fn place(&self) -> String {
        let path = shown(self.path());
        match self.entry() {
            Some(entry) => {
                let name = quoted(entry.name().as_bytes());
                format!("{path}: entry {} {name}", entry.index())
            }
            None => path,
        }
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
        let names = profile.names;
        let mut found = Vec::new();
        let (Some(path), Some(key)) = (names.clean_request(name), names.of_request(name)) else {
            return found;
        };
        for folder in self.folders().iter().rev() {
            let loose = loose_file(folder, &path).map(Served::Loose);
            if profile.loose == Precedence::Wins {
                found.extend(loose.clone());
            }
            for pak in folder.paks().rev() {
                let entries = pak.find(&key, names).into_iter();
                let entries = entries.map(|entry| Served::Entry(pak, entry));
                if profile.duplicates == Duplicates::Last {
                    found.extend(entries.rev());
                } else {
                    found.extend(entries);
                }
            }
            if profile.loose == Precedence::Loses {
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
        if self.engine().profile().names.of_request(name).is_none() {
            return Some("it looks for no name like this".to_owned());
        }
        let folded = |name: &[u8]| findable(RawName::new(name)).unwrap_or_else(|| name.to_vec());
        let wanted = folded(name);
        let within = |archive: &Archive| {
            let mut entries = archive.entries();
            entries
                .find(|entry| folded(entry.name().as_bytes()) == wanted)
                .map(|entry| (entry.index(), quoted(entry.name().as_bytes()).to_string()))
        };
        for pak in self.paks().rev() {
            if let Some((index, other)) = within(&pak.archive) {
                let path = shown(&pak.path);
                return Some(format!(
                    "{path} has it as entry {index} {other}, which is another name to this engine"
                ));
            }
        }
        for folder in self.folders().iter().rev() {
            if let Some(file) = loose_file(folder, &wanted) {
                let path = shown(&file.path);
                return Some(format!(
                    "{path} is there, which is another name to the file system"
                ));
            }
            for never in folder.never_loaded().iter().rev() {
                if let Some((index, other)) = never.archive.as_ref().and_then(within) {
                    let path = shown(&never.path);
                    let how = if never.why.is_misread() {
                        "and this engine misreads the pak"
                    } else {
                        "and is never loaded"
                    };
                    return Some(format!("{path} has it as entry {index} {other}, {how}"));
                }
            }
        }
        None
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

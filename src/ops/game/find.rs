//! Every copy of one name, and which of them is served.

use std::path::PathBuf;

use super::folder::Folder;
use super::loose::find_exactly;
use super::pak::Why;
use super::view::View;
use super::winners::undefined;
use crate::archive::{Archive, Entry, escape_path, quoted};
use crate::engine::{Duplicates, Loose, Unasked, findable};
use crate::ops::finding::{Finding, Notice};
use crate::ops::row::{At, Delivery, EntryRow, Row, Served, Summary};

/// A copy of a file: an entry of a pak, or a file beside the paks.
#[derive(Debug, Clone)]
pub struct FileCopy<'a> {
    /// The pak, or the file, as the user would write it.
    pub path: PathBuf,
    /// The entry, where it is one.
    pub entry: Option<Entry<'a>>,
    /// The name that it has there.
    pub name: Vec<u8>,
    /// Its size, decompressed.
    pub size: u64,
}

impl<'a> FileCopy<'a> {
    fn of_entry(entry: Entry<'a>) -> Self {
        Self {
            path: entry.path().map_or_else(PathBuf::new, Into::into),
            entry: Some(entry),
            name: entry.name().as_bytes().to_vec(),
            size: entry.size(),
        }
    }

    /// The loose file of exactly this name, where there is one.
    fn loose(folder: &Folder, name: &[u8]) -> Option<Self> {
        find_exactly(folder.path(), name).map(|file| Self::of_file(file, name))
    }

    fn of_file((path, size): (PathBuf, u64), name: &[u8]) -> Self {
        Self {
            path,
            entry: None,
            name: name.to_vec(),
            size,
        }
    }
}

impl View {
    /// Every copy of a file, the one that is served first, then those that it shadows, each of
    /// which would be served without those before it.
    #[must_use]
    pub fn find(&self, name: &[u8]) -> Vec<FileCopy<'_>> {
        let profile = self.engine().profile();
        let names = profile.names;
        let mut found = Vec::new();
        let (Some(path), Some(key)) = (names.clean_request(name), names.of_request(name)) else {
            return found;
        };
        for folder in self.folders().iter().rev() {
            let loose = FileCopy::loose(folder, &path);
            if profile.loose == Loose::Wins {
                found.extend(loose.clone());
            }
            for pak in folder.paks().rev() {
                let file = pak.find_file(&path);
                found.extend(file.map(|file| FileCopy::of_file(file, &path)));
                let entries = pak.find(&key).into_iter();
                let entries = entries.map(FileCopy::of_entry);
                if pak.duplicates == Duplicates::Last {
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

    /// Reports every copy of a file, in the order of [`find`](Self::find), or an error if there is none.
    pub fn which(&self, name: &[u8], rows: &mut dyn FnMut(Row)) -> Summary {
        let mut out = Delivery::new(rows);
        out.summary.archives = 1;
        let found = self.find(name);
        if found.is_empty() {
            out.findings([self.not_served(name)]);
            return out.summary;
        }
        out.findings(self.doubt(&found));
        let undecided = self.undecided(&found);
        for (number, copy) in found.into_iter().enumerate() {
            let at = match copy.entry {
                Some(entry) => At::Archive(copy.path.into(), entry.index()),
                None => At::File(copy.path),
            };
            let served = match undecided {
                0 if number == 0 => Served::Yes,
                count if number < count => Served::NotDefined,
                _ => Served::No,
            };
            let mut row = EntryRow::new(at, copy.name, copy.size);
            row.served = Some(served);
            out.row(Row::Entry(row));
        }
        out.summary
    }

    /// How many of the first copies the engine may serve, if that is not defined, because they are in archives
    /// that load in no defined order, or in one that is perhaps not loaded. Else 0.
    #[must_use]
    pub fn undecided(&self, found: &[FileCopy<'_>]) -> usize {
        let rivals = |copy: &FileCopy<'_>| {
            let archive = copy.entry?.archive();
            let pak = self
                .paks()
                .find(|pak| core::ptr::eq(&*pak.archive, archive));
            Some(&pak?.rivals).filter(|rivals| !rivals.is_empty())
        };
        let Some(first) = found.first().and_then(rivals) else {
            return 0;
        };
        let count = found
            .iter()
            .take_while(|copy| rivals(copy) == Some(first))
            .count();
        let is_loaded = |path: &PathBuf| self.paks().any(|pak| pak.path() == path);
        match count {
            1 if first.iter().all(is_loaded) => 0,
            count => count,
        }
    }

    /// A warning where it is not defined which of the first two copies is served.
    #[must_use]
    pub fn doubt(&self, found: &[FileCopy<'_>]) -> Option<Finding> {
        let mut archives = found.iter().map(|copy| Some(copy.entry?.archive()));
        let (first, second) = (archives.next()??, archives.next()??);
        let profile = self.engine().profile();
        let is_undefined = profile.duplicates_in(first.format()) == Duplicates::NotDefined
            && core::ptr::eq(first, second);
        is_undefined.then(|| undefined(self.engine(), 1))
    }

    /// Why nothing is served under a name, with what comes near it.
    #[must_use]
    pub fn not_served(&self, name: &[u8]) -> Finding {
        let engine = self.engine().name();
        let why = format!("{engine} serves nothing under the name {}", quoted(name));
        match self.near(name) {
            Some(near) => Finding::error(Notice::NotServedNear, format!("{why}: {near}")),
            None => Finding::error(Notice::NotServed, why),
        }
    }

    /// Where the name is in other letters or slashes, or in a pak that is never loaded.
    fn near(&self, name: &[u8]) -> Option<String> {
        if self.engine().profile().names.of_request(name).is_none() {
            return Some("it looks for no name like this".to_owned());
        }
        let wanted = findable(name);
        for pak in self.paks().rev() {
            if let Some(place) = place_of_alike(&pak.archive, &wanted) {
                return Some(format!("{place}, which is another name to this engine"));
            }
        }
        for folder in self.folders().iter().rev() {
            if let Some((path, _)) = find_exactly(folder.path(), &wanted) {
                let path = escape_path(&path);
                return Some(format!(
                    "{path} is there, which is another name to the file system"
                ));
            }
            for never in folder.never_loaded().iter().rev() {
                let archive = never.archive.as_ref();
                if let Some(place) = archive.and_then(|it| place_of_alike(it, &wanted)) {
                    let how = match &never.why {
                        why if why.is_misread() => "and this engine loads garbage from the pak",
                        Why::Unasked(Unasked::Twice { listed: true, .. }) => {
                            "and it is not defined whether this engine loads the pak"
                        }
                        _ => "and is never loaded",
                    };
                    return Some(format!("{place}, {how}"));
                }
            }
        }
        None
    }
}

/// Where the first entry is that has this name in lower case, as a clause.
fn place_of_alike(archive: &Archive, wanted: &[u8]) -> Option<String> {
    let mut entries = archive.entries();
    let entry = entries.find(|entry| findable(entry.name().as_bytes()) == wanted)?;
    let path = archive.path()?;
    let (path, index, name) = (escape_path(path), entry.index(), entry.name());
    let name = quoted(name.as_bytes());
    Some(format!("{path} has it as entry {index} {name}"))
}

//! Changes an archive: adds, replaces, removes and renames entries.
//!
//! An edit is a list of changes. Each makes a new list of entries (`new.rs`), and the last list is written at once. The
//! new archive is written to a temporary file. When it is complete, the old archive also gets the name `NAME~`,
//! and the new one is renamed over the old one. So at every moment the name belongs to the old archive or to the
//! new one. [`undo`](super::undo::undo) exchanges the archive and `NAME~`.
//!
//! Entries that are not edited are copied unchanged and in order. New entries go last. An edit is refused before a
//! byte is written. A ZIP keeps everything that games read, but loses its comments, folders, dates and permissions.

mod new;
mod old;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::ser::{Serialize, SerializeMap as _, Serializer};

use crate::archive::error::ErrorKind;
use crate::archive::{Archive, Case, Entry, RawName, SafePath, path_bytes, quoted_name};
use crate::format::{check_name, name_in};
use crate::ops::catalogue::{Change, ChangeRow};
use crate::ops::context::{Context, Refusal};
use crate::ops::edit::new::{NewArchive, NewEntry, meant_by, only_lump, with_extensions};
use crate::ops::edit::old::Old;
use crate::ops::finding::{Finding, Help};
use crate::ops::gather_files::{
    Gathering, PackOptions, check_chosen, gather, odd_name, other_name, packed_too,
};
use crate::ops::json::text_entry;
use crate::ops::pictures::{MakePictures, PicturePlace, left_as_pngs};
use crate::ops::row::OutputRow;
use crate::ops::source::Selection;
use crate::ops::source::named::{SUGGESTED, in_folder, names_of, not_found, without_dot};
use crate::ops::source::nested::duplicate_of;

pub use old::EditOptions;
pub(crate) use old::backup_of;
pub(super) use old::{changeable, open_backup, shown_as};

/// The changes that an edit made in an archive, or would make.
#[derive(Debug)]
pub struct EditRow {
    /// The new archive.
    pub output: OutputRow,
    /// The changes, in the order of the entries.
    pub changes: Vec<ChangeRow>,
}

impl EditRow {
    /// How many entries were added, replaced, removed and renamed, with the word for each.
    #[must_use]
    pub fn counts(&self) -> [(u64, &'static str); 4] {
        [
            (Change::Added, "added"),
            (Change::Changed, "replaced"),
            (Change::Removed, "removed"),
            (Change::Renamed, "renamed"),
        ]
        .map(|(change, word)| {
            let changes = self.changes.iter().filter(|it| it.change == change);
            (changes.count() as u64, word)
        })
    }
}

impl Serialize for EditRow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let output = &self.output;
        let (mut entries, mut bytes) = (output.entries_out(), output.bytes_out);
        if output.status.is_kept() {
            (entries, bytes) = (output.entries, Some(output.bytes_in));
        }
        let mut map = serializer.serialize_map(None)?;
        text_entry(&mut map, "archive", &path_bytes(&output.target))?;
        map.serialize_entry("status", &output.status)?;
        for (count, word) in self.counts() {
            map.serialize_entry(word, &count)?;
        }
        map.serialize_entry("left_out", &output.skipped)?;
        map.serialize_entry("entries", &entries)?;
        map.serialize_entry("bytes", &bytes)?;
        map.end()
    }
}

/// What is added to an archive.
#[derive(Debug, Default)]
pub struct AddOptions {
    /// Which of the files.
    pub selection: Selection,
    /// The name of the entry, if there is only one file.
    pub name: Option<Vec<u8>>,
    /// Whether files replace entries with the same names.
    pub replace: bool,
    /// How files become entries.
    pub pack: PackOptions,
}

/// A change of an archive.
#[derive(Debug)]
pub enum Edit {
    /// Adds files, and the files below directories. In a WAD, a file that an extraction wrote as `NAME.dup-INDEX` is
    /// for the entry of that index, or one more entry of that name.
    Add(Vec<PathBuf>, Box<AddOptions>),
    /// Removes entries by their exact names. The name of a folder removes everything in it, and a name that no entry
    /// or folder has is a glob.
    Remove(Vec<Vec<u8>>),
    /// Renames the entries with the first name, or all entries in the folder with that name, to the second one. A name
    /// that ends in `/` is a folder, and `/` is the root.
    Rename(Vec<u8>, Vec<u8>),
}

/// Changes an archive. Each change finds the archive as the changes before it leave it.
///
/// # Errors
/// Nothing is written if a name matches no entry, if another entry has a new name or no entry may have it, if a file
/// cannot be read or has the name of an entry that it may not replace, or if no entry would be left.
pub fn edit(
    context: &Context<'_>,
    archive: &Path,
    edits: &[Edit],
    options: EditOptions,
) -> Result<EditRow, Refusal> {
    let adds = edits.iter().any(|edit| matches!(edit, Edit::Add(..)));
    let old = Old::open(context, archive, options).map_err(|mut refusal| {
        if adds && !archive.exists() {
            for finding in &mut refusal.0 {
                finding.help = Some(Help::NewArchive);
            }
        }
        refusal
    })?;
    let mut new = NewArchive::of(&old);
    for edit in edits {
        let now = &new.now()?;
        match edit {
            Edit::Add(paths, adding) => new.add(context, now, paths, adding)?,
            Edit::Remove(names) => new.remove(now, names)?,
            Edit::Rename(from, to) => new.rename_entries(now, from, to)?,
        }
    }
    let mut edited = old.write(context, &new.entries, new.changes)?;
    edited.output.findings.splice(0..0, new.findings);
    Ok(edited)
}

impl NewArchive<'_> {
    fn add(
        &mut self,
        context: &Context<'_>,
        now: &Archive,
        paths: &[PathBuf],
        adding: &AddOptions,
    ) -> Result<(), Refusal> {
        let AddOptions { selection, pack, .. } = adding;
        let old = self.old;
        if let Some(name) = adding.name.as_ref().filter(|_| adding.replace) {
            only_lump(now, name)?;
        }
        let engines = old.options.rules.engines;
        let place = PicturePlace::new(old.options.to, &old.shown, engines, pack.png);
        let how = Gathering {
            root: pack.root.as_deref(),
            named: adding.name.as_deref(),
            selection,
            to: old.options.to,
            hidden: pack.hidden,
            lowercase: false,
            place,
        };
        let gathered = gather(paths, &how)?;
        let (mut files, mut findings) = (gathered.files, gathered.findings);
        findings.extend(old.leave_out(&context.system, &mut files));
        findings.extend(packed_too(paths, &files));
        findings.extend(left_as_pngs(place, &files));
        findings.extend(selection.unmatched());
        if selection.has_missed() {
            return Err(Refusal(findings));
        }
        if files.is_empty() {
            findings.extend(gathered.unmade);
            if findings.is_empty() {
                findings.push(Finding::from(ErrorKind::NothingToWrite).at_path(&old.shown));
            }
            return Err(Refusal(findings));
        }
        let make = MakePictures {
            place,
            made: &gathered.made,
            unmade: gathered.unmade,
            options: &pack.pictures,
            keep_going: old.options.keep_going,
            old: Some(now),
        };
        let files = Arc::new(make.archive(context, Path::new(""), files, &mut findings)?);
        // The files that replace entries, by the places of these.
        let mut replacing: HashMap<usize, Entry<'_>> = HashMap::new();
        // Of several entries with such a name the first is replaced, and the others are dropped.
        let mut whole_names: HashSet<&[u8]> = HashSet::new();
        let (mut added, mut refused) = (Vec::new(), Vec::new());
        for file in files.entries() {
            // A file that an extraction wrote as `NAME.dup-INDEX` is for the entry of this index.
            let file_name =
                file.path().and_then(Path::file_name).filter(|_| how.takes_duplicates());
            let index = file_name.and_then(|it| Some(duplicate_of(it.as_encoded_bytes())?.1));
            let name = file.name().as_bytes();
            let same = match index {
                None => now.get(name),
                Some(index) => now.entry(index).filter(|it| it.name().as_bytes() == name),
            };
            match same {
                Some(entry) if !replacing.contains_key(&entry.index()) => {
                    if !adding.replace {
                        refused.push(name_taken(name).of_entry(&file));
                    }
                    replacing.insert(entry.index(), file);
                    if index.is_none() {
                        whole_names.insert(entry.name().as_bytes());
                    }
                }
                _ => added.push(file),
            }
        }
        Refusal::if_any(refused)?;
        let of_file = |file: Entry<'_>| NewEntry {
            archive: Arc::clone(&files),
            index: file.index(),
            name: None,
        };
        let mut entries = Vec::new();
        for (entry, new) in now.entries().zip(&*self.entries) {
            let name = entry.name().as_bytes();
            let is_whole = whole_names.contains(name);
            if let Some(file) = replacing.get(&entry.index()) {
                let mut count = 1;
                if is_whole && now.get(name) == Some(entry) {
                    let all = now.find_all(name, Case::Matters);
                    count += all.filter(|it| !replacing.contains_key(&it.index())).count();
                }
                self.changes.push(ChangeRow {
                    size_a: Some(entry.size()),
                    size_b: Some(file.size()),
                    entries: count,
                    ..ChangeRow::new(Change::Changed, name.to_vec())
                });
                entries.push(of_file(*file));
            } else if !is_whole {
                entries.push(new.clone());
            }
        }
        for file in added {
            self.changes.push(ChangeRow {
                size_b: Some(file.size()),
                ..ChangeRow::new(Change::Added, file.name().as_bytes().to_vec())
            });
            entries.push(of_file(file));
        }
        self.findings.extend(findings);
        self.entries = entries.into();
        Ok(())
    }

    fn remove(&mut self, now: &Archive, names: &[Vec<u8>]) -> Result<(), Refusal> {
        let mut gone = HashSet::new();
        let mut refused = Vec::new();
        for name in names {
            let meant = meant_by(now, name)?;
            if meant.is_empty() {
                let names = names_of(now).filter(|_| refused.len() < SUGGESTED);
                refused.push(not_found(name, names, false).at_path(&self.old.shown));
            }
            gone.extend(meant);
        }
        Refusal::if_any(refused)?;
        let mut entries = Vec::new();
        for (entry, new) in now.entries().zip(&*self.entries) {
            if !gone.contains(&entry.index()) {
                entries.push(new.clone());
                continue;
            }
            self.changes.push(ChangeRow {
                size_a: Some(entry.size()),
                ..ChangeRow::new(Change::Removed, entry.name().as_bytes().to_vec())
            });
        }
        if entries.is_empty() {
            return Err(Finding::from(ErrorKind::NothingToWrite).at_path(&self.old.shown).into());
        }
        self.entries = entries.into();
        Ok(())
    }

    fn rename_entries(&mut self, now: &Archive, from: &[u8], to: &[u8]) -> Result<(), Refusal> {
        let format = self.old.options.to;
        let (from, to) = &with_extensions(now, without_dot(now, from), to)?;
        check_chosen(to).map_err(|error| error.at_path(&self.old.shown))?;
        let folders = from.ends_with(b"/") || is_folder(now, from);
        let to = match to.strip_suffix(b"/") {
            Some(folder) if folders => folder.to_vec(),
            // Behind a new name that ends in '/', an entry keeps its own name.
            Some(folder) => join(folder, from.rsplit(|byte| *byte == b'/').next().unwrap_or(from)),
            None => to.clone(),
        };
        // The new name of an entry, unless it keeps its name.
        let new_name = |name: &[u8]| {
            let new = if folders {
                join(&to, in_folder(name, from)?)
            } else if name == from {
                to.clone()
            } else {
                return None;
            };
            Some(name_in(format, &new).into_owned())
        };
        // The names that there will be, with the ones that they were before.
        let names = now.entries().map(|entry| entry.name().as_bytes());
        let kept = names.filter(|name| new_name(name).is_none());
        let mut taken: HashMap<Cow<'_, [u8]>, &[u8]> =
            kept.map(|name| (Cow::Borrowed(name), name)).collect();
        let mut entries = self.entries.to_vec();
        let (mut changed, mut refused) = (false, Vec::new());
        for (entry, new) in now.entries().zip(&mut entries) {
            let before = entry.name().as_bytes();
            let Some(name) = new_name(before) else {
                continue;
            };
            changed = true;
            if *taken.entry(name.clone().into()).or_insert(before) != before {
                refused.push(name_taken(&name).of_entry(&entry));
            }
            if let Err(error) = check_name(format, RawName::new(&name)) {
                refused.push(other_name(error.into()).of_entry(&entry));
            }
            match becomes_odd(&entry, &name, folders) {
                Some(odd) if odd.is_error() => refused.push(odd),
                odd => self.findings.extend(odd),
            }
            self.changes.push(ChangeRow {
                new_name: Some(name.clone()),
                ..ChangeRow::new(Change::Renamed, before.to_vec())
            });
            new.name = Some(name);
        }
        if !changed {
            let error = if folders {
                let why = format!("there is no folder {} with entries in it", quoted_name(from));
                Finding::error(why).advice("for a single entry, leave out the '/'")
            } else {
                not_found(from, names_of(now), false)
            };
            refused.push(error.at_path(&self.old.shown));
        }
        Refusal::if_any(refused)?;
        self.entries = entries.into();
        Ok(())
    }
}

/// What speaks against a new name. In a folder that is renamed, an entry may keep a name that was odd before.
fn becomes_odd(entry: &Entry<'_>, name: &[u8], in_folder: bool) -> Option<Finding> {
    if in_folder {
        SafePath::try_from(entry.name()).ok()?;
    }
    Some(odd_name(name)?.of_entry(entry))
}

/// Whether a name is the name of a folder, but not of an entry.
fn is_folder(archive: &Archive, name: &[u8]) -> bool {
    let (mut is_entry, mut is_folder) = (false, false);
    for entry in archive.entries() {
        let other = entry.name().as_bytes();
        is_entry |= other == name;
        is_folder |= !name.is_empty() && in_folder(other, name).is_some();
    }
    is_folder && !is_entry
}

/// A name in a folder.
fn join(folder: &[u8], name: &[u8]) -> Vec<u8> {
    let folder = folder.strip_suffix(b"/").unwrap_or(folder);
    match folder {
        [] => name.to_vec(),
        _ => [folder, b"/", name].concat(),
    }
}

/// The error for a name that an entry already has.
fn name_taken(name: &[u8]) -> Finding {
    let why = format!("the archive already has an entry named {}", quoted_name(name));
    Finding::error(why)
        .many("names are already in the archive")
        .advice("give another name")
        .help(Help::ReplaceEntry)
}

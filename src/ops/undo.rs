//! The last change in place taken back: the archive is byte for byte what it was before it.
//!
//! The header's former bytes are written back, and when they are on the disk the file is cut to its
//! former length. A trail is believed where all in it agrees with the file: see the format's `trail`.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use super::context::{Context, Problem, Refusal};
use super::edit::{Change, changeable, clear_beside, shown_as};
use super::open::open;
use super::write::in_place::backwards;
use crate::archive::{Archive, Entry, Extent, ReadAt};
use crate::error::{Error, ErrorKind};
use crate::format::trail::{State, Trail, history, latest};
use crate::fs::{InPlace, System};

/// What was taken back, or would be.
#[derive(Debug)]
pub struct Undone {
    /// The archive.
    pub archive: PathBuf,
    /// What kind of change it was.
    pub undo: Undo,
    /// What that does to the entries.
    pub changes: Vec<Change>,
    /// How many entries there are then.
    pub entries: u64,
    /// How long the file was, and how long it is then.
    pub bytes: (u64, u64),
    /// What killed runs had left beside it, and was removed.
    pub problems: Vec<Problem>,
    /// How many changes can still be taken back then.
    pub left: usize,
}

/// What kind of change was taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Undo {
    /// One that was in force.
    Change,
    /// One that was interrupted: it was not in force, or no longer, and lay behind the archive's end.
    Interrupted,
    /// One that was interrupted within the header, so that the archive could not be opened.
    Torn,
}

/// Takes the last change in place back; with `dry_run` only says what that would do.
///
/// # Errors
/// Nothing is changed where there is no such change, the former directory is no longer what it was, the
/// file has several names, or another run is changing it. An error of a write leaves the archive as it
/// was, or such that the same call can be made again.
pub fn undo(context: &Context<'_>, archive: &Path, dry_run: bool) -> Result<Undone, Refusal> {
    undo_on(&System::real(), context, archive, dry_run)
}

/// [`undo`] on a system.
pub(crate) fn undo_on(
    system: &System,
    context: &Context<'_>,
    path: &Path,
    dry_run: bool,
) -> Result<Undone, Refusal> {
    let real = changeable(path)?;
    let problems = match dry_run {
        true => Vec::new(),
        false => clear_beside(system, &real),
    };
    let file = system.open_in_place(&real);
    let file = file.map_err(|error| shown_as(error, path))?;
    let here = |error| Error::from_io(error).in_pak(path);
    let Some((trail, state)) = latest(&file).map_err(here)? else {
        // What is no archive at all is said to be that.
        open(system, path, context.open)?;
        return Err(Error::from(ErrorKind::NothingToUndo).in_pak(path).into());
    };
    if !trail.leads_back(&file).map_err(here)? {
        return Err(Error::from(ErrorKind::FormerChanged).in_pak(path).into());
    }
    let former = Former {
        file: system.open(path).map_err(here)?,
        trail,
    };
    let former = Archive::read(Box::new(former), context.open, Some(path));
    let former = former.map_err(|error| error.in_pak(path))?;
    let changes = match state {
        State::InForce => changes(&open(system, path, context.open)?, &former),
        State::NotInForce | State::Torn => Vec::new(),
    };
    let left = former.source().map(|it| history(it, former.format()));
    let undone = Undone {
        archive: path.to_path_buf(),
        problems,
        undo: match state {
            State::InForce => Undo::Change,
            State::NotInForce => Undo::Interrupted,
            State::Torn => Undo::Torn,
        },
        changes,
        entries: former.len() as u64,
        bytes: (file.size().map_err(here)?, trail.len_before),
        left: left
            .transpose()
            .map_err(here)?
            .map_or(0, |it| it.former.len()),
    };
    context.cancel.check()?;
    if !dry_run {
        take_back(&file, &trail, state).map_err(|error| shown_as(error, path))?;
    }
    Ok(undone)
}

/// Takes a change back. A run that is killed leaves the archive after it or before it, with something
/// behind its end, and the trail at that end as long as the header may be torn.
fn take_back(file: &InPlace, trail: &Trail, state: State) -> Result<(), Error> {
    if state != State::NotInForce {
        file.cut(trail.end())?;
        file.exchange(backwards(trail))?;
    }
    Ok(file.cut(trail.len_before)?)
}

/// What going back from one state of an archive to another does to its entries: first what goes, then
/// what comes back.
fn changes(now: &Archive, then: &Archive) -> Vec<Change> {
    let place = |entry: &Entry<'_>| (entry.extent(), entry.size());
    let names = |archive: &Archive| {
        let mut names: HashMap<Vec<u8>, Vec<(Option<Extent>, u64)>> = HashMap::new();
        for entry in archive {
            let name = entry.name().as_bytes().to_vec();
            names.entry(name).or_default().push(place(&entry));
        }
        names
    };
    let (names_now, names_then) = (names(now), names(then));
    let mut came: HashMap<_, Vec<Entry<'_>>> = HashMap::new();
    for entry in then.entries().rev() {
        if !names_now.contains_key(entry.name().as_bytes()) {
            came.entry(place(&entry)).or_default().push(entry);
        }
    }
    let mut changes = Vec::new();
    for entry in now {
        let (name, size) = (entry.name().as_bytes().to_vec(), entry.size());
        match names_then.get(&name) {
            Some(others) if others.contains(&place(&entry)) => {}
            Some(others) => changes.push(Change::Replaced {
                name,
                size: others.first().map_or(0, |(_, size)| *size),
                entries: others.len(),
            }),
            // The same payload under another name.
            None => match came.get_mut(&place(&entry)).and_then(Vec::pop) {
                Some(was) => changes.push(Change::Renamed {
                    name: was.name().as_bytes().to_vec(),
                    from: name,
                }),
                None => changes.push(Change::Removed { name, size }),
            },
        }
    }
    let mut back: Vec<Entry<'_>> = came.into_values().flatten().collect();
    back.sort_by_key(Entry::index);
    changes.extend(back.iter().map(|entry| Change::Added {
        name: entry.name().as_bytes().to_vec(),
        size: entry.size(),
    }));
    changes
}

/// An archive as it was before a change, read from the file that it is in.
struct Former<S> {
    file: S,
    trail: Trail,
}

impl<S: ReadAt> ReadAt for Former<S> {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let left = self.trail.len_before.saturating_sub(offset);
        let len = usize::try_from(left).unwrap_or(usize::MAX);
        let len = len.min(buffer.len());
        let buffer = buffer.get_mut(..len).unwrap_or_default();
        match usize::try_from(offset)
            .ok()
            .and_then(|at| self.trail.before.get(at..))
        {
            Some(header @ [_, ..]) => header.read_at(buffer, 0),
            _ => self.file.read_at(buffer, offset),
        }
    }

    fn size(&self) -> io::Result<u64> {
        Ok(self.trail.len_before)
    }
}

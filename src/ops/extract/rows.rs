//! What is known of the entries of one pak, or of loose files: which are meant, where their files
//! go, and what became of them.
//!
//! Kept until the report is read, and a hostile pak has millions of entries: so it is the pak's
//! directory as the file has it and ten bytes for each row, and names, paths, and what these alone
//! make worth telling are made again whenever they are asked for.

use std::io;
use std::path::Path;
use std::sync::OnceLock;

use super::names::{self, Aside, Named, Own, Place, Placed, Rules};
use super::{ExtractedFile, Outcome};
use crate::error::{Error, ErrorKind};
use crate::fs::{FileId, Source, System};
use crate::ops::context::Problem;
use crate::ops::game::LooseFile;
use crate::ops::open::{self, odd_stream};
use crate::ops::select::Picked;
use crate::pak::{Archive, Entry, PathError, RawName, ReadAt};

/// How much of the directory is compared at once.
const PIECE: usize = 64 << 10;

/// What a pak is read from: nothing, but while its files are written or damage is looked for.
#[derive(Debug, Default)]
pub(super) struct Held(OnceLock<Source>);

/// The entries or files that are meant, by their rows.
#[derive(Debug)]
pub(super) struct Rows {
    of: Of,
    rules: Rules,
    places: Vec<Place>,
    ends: Vec<End>,
}

/// What files are made of.
#[derive(Debug)]
enum Of {
    Pak(Box<Pak>),
    Files(Vec<LooseFile>),
}

/// The entries of a pak that are meant.
#[derive(Debug)]
struct Pak {
    archive: Archive<Held>,
    /// By what the pak is known again.
    file: FileId,
    picked: Picked,
}

/// What one file is made of.
#[derive(Debug, Clone, Copy)]
pub(super) enum Item<'a> {
    Entry(Entry<'a, Held>),
    File(&'a LooseFile),
}

/// What became of an entry.
#[derive(Debug, Clone, Copy)]
struct End {
    outcome: Outcome,
    /// Whether what its stream has is not kept, and has to be found again.
    again: bool,
}

impl Rows {
    pub(super) fn of_pak(
        archive: Archive<Source>,
        picked: Picked,
        rules: Rules,
        aside: &[(usize, Aside)],
    ) -> Result<Self, Error> {
        let file = archive.source().identify().map_err(Error::from_io)?;
        let archive = archive.map_source(|_| Held::default());
        let count = picked.len();
        let pak = Pak {
            archive,
            file,
            picked,
        };
        Ok(Self::new(Of::Pak(Box::new(pak)), count, rules, aside))
    }

    pub(super) fn of_files(files: &[LooseFile], rules: Rules, aside: &[(usize, Aside)]) -> Self {
        Self::new(Of::Files(files.to_vec()), files.len(), rules, aside)
    }

    fn new(of: Of, count: usize, rules: Rules, aside: &[(usize, Aside)]) -> Self {
        let end = End {
            outcome: Outcome::Skipped,
            again: false,
        };
        let mut rows = Self {
            of,
            rules,
            places: Vec::new(),
            ends: vec![end; count],
        };
        rows.places = names::resolve(&rows, rules, aside);
        rows
    }

    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// The names of all entries of the pak, picked or not.
    pub(super) fn all_names(&self) -> impl Iterator<Item = Vec<u8>> + '_ {
        let entries = self.pak().into_iter().flat_map(|pak| pak.archive.entries());
        entries.map(|entry| entry.name().as_bytes().to_vec())
    }

    pub(super) const fn is_loose(&self) -> bool {
        matches!(self.of, Of::Files(_))
    }

    fn pak(&self) -> Option<&Pak> {
        match &self.of {
            Of::Pak(pak) => Some(pak),
            Of::Files(_) => None,
        }
    }

    /// How long the pak is, where it is one.
    pub(super) fn pak_len(&self) -> Option<u64> {
        Some(self.pak()?.archive.file_len())
    }

    /// How the reserved byte was read, where one was met.
    pub(super) fn reserved(&self, path: &Path) -> Option<Problem> {
        open::reserved(&self.pak()?.archive, path)
    }

    pub(super) fn item(&self, row: usize) -> Option<Item<'_>> {
        match &self.of {
            Of::Pak(_) => self.entry(row).map(Item::Entry),
            Of::Files(files) => files.get(row).map(Item::File),
        }
    }

    fn entry(&self, row: usize) -> Option<Entry<'_, Held>> {
        let pak = self.pak()?;
        pak.archive.entry(pak.picked.number(row)? as usize)
    }

    /// The size of its file.
    pub(super) fn size(&self, row: usize) -> u64 {
        match self.item(row) {
            Some(Item::Entry(entry)) => entry.size().into(),
            Some(Item::File(file)) => file.size,
            None => 0,
        }
    }

    /// What is wrong with it, as far as that shows without reading it.
    pub(super) fn check_claims(&self, row: usize) -> Result<(), Error> {
        self.entry(row).map_or(Ok(()), |entry| entry.check_claims())
    }

    /// The error with the row as its place, of the pak at `path`.
    pub(super) fn located(&self, row: usize, error: Error, path: &Path) -> Error {
        match self.item(row) {
            Some(Item::Entry(entry)) => error.in_entry(entry.index(), entry.name()).in_pak(path),
            Some(Item::File(file)) => error.in_pak(&file.path),
            None => error.in_pak(path),
        }
    }

    pub(super) fn place(&self, row: usize) -> Place {
        self.places.get(row).copied().unwrap_or_default()
    }

    /// Where its file goes, unless its name says no path.
    pub(super) fn placed(&self, row: usize) -> Option<Result<Placed, PathError>> {
        let (number, _) = self.named(row)?;
        let own = self.own(row)?;
        Some(own.map(|own| self.place(row).in_full(own, number)))
    }

    fn own(&self, row: usize) -> Option<Result<Own, PathError>> {
        Some(self.rules.own(self.named(row)?.1))
    }

    /// It goes where it was to go in reserve: the file system has shown that it folds.
    pub(super) fn fold(&mut self, row: usize) {
        if let Some(place) = self.places.get_mut(row) {
            (place.aside, place.late) = (Some(Aside::Folded), false);
        }
    }

    /// It needs not wait for the others.
    pub(super) fn need_not_wait(&mut self, row: usize) {
        if let Some(place) = self.places.get_mut(row) {
            place.late = false;
        }
    }

    pub(super) fn outcome(&self, row: usize) -> Outcome {
        self.ends.get(row).map_or(Outcome::Skipped, |e| e.outcome)
    }

    pub(super) fn end(&mut self, row: usize, outcome: Outcome) {
        if let Some(end) = self.ends.get_mut(row) {
            end.outcome = outcome;
        }
    }

    /// What its stream has is found again when it is told.
    pub(super) fn find_again(&mut self, row: usize) {
        if let Some(end) = self.ends.get_mut(row) {
            end.again = true;
        }
    }

    /// Whether a file is to be written.
    pub(super) fn is_planned(&self, row: usize) -> bool {
        self.outcome(row).is_file()
    }

    /// The rows that are to be written.
    pub(super) fn planned(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.len()).filter(|row| self.is_planned(*row))
    }

    /// Nothing of what is planned will be written.
    pub(super) fn end_all(&mut self, outcome: Outcome) {
        let planned = self.ends.iter_mut().filter(|end| end.outcome.is_file());
        planned.for_each(|end| end.outcome = outcome);
    }

    /// Opens the pak again, where it is one, if it is the one that it was.
    pub(super) fn open(&self, system: &System, path: &Path) -> Result<(), Error> {
        let Some(pak) = self.pak() else {
            return Ok(());
        };
        let source = crate::ops::open::source(system, path)?;
        if !pak.is_same(&source)? {
            return Err(ErrorKind::AnotherPak.into());
        }
        let _ = pak.archive.source().0.set(source);
        Ok(())
    }

    pub(super) fn close(&mut self) {
        if let Of::Pak(pak) = &mut self.of {
            pak.archive.source_mut().0.take();
        }
    }

    /// The row as the report has it.
    pub(super) fn file(&self, row: usize) -> Option<ExtractedFile<'_>> {
        let placed = self.placed(row)?.ok();
        Some(ExtractedFile {
            index: self.entry(row).map(|entry| entry.index()),
            name: self.named(row)?.1,
            aside: placed.as_ref().and_then(|placed| placed.aside),
            path: placed.map(|placed| placed.path.to_path_buf()),
            size: self.size(row),
            outcome: self.outcome(row),
        })
    }

    /// What is worth telling of a row, and can be found again at any time.
    pub(super) fn problems(&self, row: usize, pak: &Path) -> Vec<Problem> {
        let Some(own) = self.own(row) else {
            return Vec::new();
        };
        let problems = match own {
            Ok(own) => self.of_path(row, own, pak),
            Err(why) => vec![Problem::error(why.into())],
        };
        let located = |Problem { severity, error }| Problem {
            severity,
            error: self.located(row, error, pak),
        };
        problems.into_iter().map(located).collect()
    }

    fn of_path(&self, row: usize, own: Own, pak: &Path) -> Vec<Problem> {
        let mut problems = Vec::new();
        let place = self.place(row);
        if own.rescued.is_some() || place.aside.is_some() {
            let number = self.named(row).map_or(0, |(number, _)| number);
            let folded = place.aside == Some(Aside::Folded);
            let rescued = own.rescued;
            let own_path = own.path.to_path_buf();
            let path = place.in_full(own, number).path.to_path_buf();
            let mut warn = |kind: ErrorKind| problems.push(Problem::warning(kind.into()));
            if let Some(why) = rescued {
                let path = if folded { own_path } else { path.clone() };
                warn(ErrorKind::Rescued { path, why });
            }
            if let Some(why) = place.aside.filter(|_| rescued.is_none() || folded) {
                let why = why.words();
                warn(ErrorKind::PutAside { path, why });
            }
        }
        if self.outcome(row) == Outcome::Failed
            && let Err(error) = self.check_claims(row)
        {
            problems.push(Problem::error(error));
        }
        if self.ends.get(row).is_some_and(|end| end.again)
            && let Some(entry) = self.entry(row)
        {
            self.of_stream(entry, pak, &mut problems);
        }
        problems
    }

    /// What a stream has, by decoding it once more.
    fn of_stream(&self, entry: Entry<'_, Held>, pak: &Path, problems: &mut Vec<Problem>) {
        if entry.archive().source().0.get().is_none()
            && let Err(error) = self.open(&System::real(), pak)
        {
            problems.push(Problem::error(error));
            return;
        }
        match entry.verify() {
            Ok(verified) => {
                let warnings = verified
                    .stream
                    .iter()
                    .flat_map(|summary| summary.warnings());
                problems.extend(warnings.map(|w| Problem::warning(odd_stream(&entry, w))));
            }
            Err(error) => problems.push(Problem::error(error)),
        }
    }
}

impl Pak {
    /// Paks are not kept open from when they are planned, because there can be more of them than
    /// files may be open.
    fn is_same(&self, source: &Source) -> Result<bool, Error> {
        let io = Error::from_io;
        if source.identify().map_err(io)? != self.file
            || source.size().map_err(io)? != self.archive.file_len()
        {
            return Ok(false);
        }
        let header = self.archive.header();
        let expected = header.to_bytes();
        let mut start = expected;
        start.fill(0);
        source.read_full_at(&mut start, 0).map_err(io)?;
        if start != expected {
            return Ok(false);
        }
        let directory = self.archive.directory();
        let mut at = u64::from(header.directory_offset);
        let mut found = vec![0; PIECE.min(directory.len())];
        for expected in directory.chunks(PIECE) {
            let read = source.read_full_at(&mut found, at).map_err(io)?;
            if !found.get(..read).unwrap_or_default().starts_with(expected) {
                return Ok(false);
            }
            at += expected.len() as u64;
        }
        Ok(true)
    }
}

impl Named for Rows {
    fn count(&self) -> usize {
        self.ends.len()
    }

    /// Loose files have no numbers, and are counted.
    fn named(&self, row: usize) -> Option<(u32, RawName<'_>)> {
        Some(match self.item(row)? {
            Item::Entry(entry) => (u32::try_from(entry.index()).ok()?, entry.name()),
            Item::File(file) => (u32::try_from(row).ok()?, RawName::new(&file.name)),
        })
    }
}

impl Held {
    fn get(&self) -> io::Result<&Source> {
        self.0
            .get()
            .ok_or_else(|| io::Error::other("the pak is not open"))
    }
}

impl ReadAt for Held {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.get()?.read_at(buffer, offset)
    }

    fn size(&self) -> io::Result<u64> {
        self.get()?.size()
    }

    fn as_file(&self) -> Option<&std::fs::File> {
        self.0.get().and_then(ReadAt::as_file)
    }
}

//! What is to be extracted, and what became of it, as plain data.

use std::path::PathBuf;
use std::sync::Arc;

use super::names::{AsPictures, Aside, Placed, Rules};
use super::row::Row;
use crate::archive::{Archive, PathError};
use crate::ops::context::{Existing, Problem};
use crate::ops::inputs::Search;
use crate::ops::pictures::PictureOptions;
use crate::ops::select::Selection;
use crate::ops::write::Outcome;

/// What is to be extracted, and how.
#[derive(Debug)]
pub struct ExtractOptions {
    /// Where archives are looked for besides those that are named.
    pub search: Search,
    /// Where everything goes.
    pub directory: Option<PathBuf>,
    /// Which entries are meant.
    pub selection: Selection,
    /// What is done about files that exist.
    pub existing: Existing,
    /// Nothing is written, and the report says what would be.
    pub dry_run: bool,
    /// ASCII letters of the files' paths become lower case.
    pub lowercase: bool,
    /// Entries whose names no file may have go into `_rescued/`, under other names.
    pub rescue: bool,
    /// How many directories are left out at the beginning of each file's path. Of entries of which nothing
    /// is left then no file is made.
    pub strip_components: usize,
    /// All files go into one directory, without those that their names say. Of files of one path the first
    /// archive's gets it; those of another one go into the directory that it would have without this.
    pub flat: bool,
    /// Pictures become PNG files, named as they are with `.png` behind that.
    pub pictures: Option<PictureOptions>,
    /// How many times an archive's length its files may take. Only payloads that lie over each other
    /// can take more than that many times. Such an archive is not extracted.
    pub max_expansion: Option<u64>,
    /// Whether all files are brought to the disk at the end, before this returns. Those that
    /// replace others always are, each by itself.
    pub sync: bool,
}

impl Default for ExtractOptions {
    fn default() -> Self {
        Self {
            search: Search::default(),
            directory: None,
            selection: Selection::all(),
            existing: Existing::default(),
            dry_run: false,
            lowercase: false,
            rescue: false,
            strip_components: 0,
            flat: false,
            pictures: None,
            max_expansion: None,
            sync: false,
        }
    }
}

/// What was done, or in a dry run: what would be.
#[derive(Debug, Default)]
pub struct Extracted {
    /// Every archive that could be opened, in the order of the inputs; where loose files are extracted,
    /// too, each directory that has some, in the order in which they load.
    pub paks: Vec<ExtractedPak>,
    /// What is not about one of these.
    pub problems: Vec<Problem>,
}

/// What became of one archive. Its files and problems are made when they are asked for: there can be
/// millions.
#[derive(Debug)]
pub struct ExtractedPak {
    /// The archive, or the directory.
    pub path: PathBuf,
    /// Whether it is a directory, and its files are loose ones.
    pub is_loose: bool,
    /// Where its files go.
    pub destination: PathBuf,
    /// How many of its entries are left out, because nothing is left of their paths.
    pub left_out: usize,
    pub(super) archive: Arc<Archive>,
    pub(super) rules: Rules,
    pub(super) rows: Vec<Kept>,
    /// What is known of the archive as a whole, then by the row, besides what its name and its
    /// claims say.
    pub(super) problems: Vec<(Option<usize>, Problem)>,
}

/// A row of the plan, without its archive.
#[derive(Debug)]
pub(super) struct Kept {
    index: usize,
    number: usize,
    placed: Result<Placed, PathError>,
    outcome: Outcome,
}

/// What became of one entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExtractedFile<'a> {
    /// Its number, counted from 0; none for a loose file.
    pub index: Option<usize>,
    /// Its name.
    pub name: &'a [u8],
    /// Its file, from the archive's destination; none where no file may have the name.
    pub path: Option<PathBuf>,
    /// Why the file does not have the path that the name says.
    pub aside: Option<Aside>,
    /// Its size, decompressed.
    pub size: u64,
    /// What became of it.
    pub outcome: Outcome,
}

impl From<Row<'_>> for Kept {
    fn from(row: Row<'_>) -> Self {
        Self {
            index: row.entry.index(),
            number: row.number,
            placed: row.placed,
            outcome: row.outcome,
        }
    }
}

impl ExtractedPak {
    fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        self.rows.iter().filter_map(|row| {
            Some(Row {
                entry: self.archive.entry(row.index)?,
                number: row.number,
                placed: row.placed,
                outcome: row.outcome,
            })
        })
    }

    /// The entries that are meant, in the directory's order.
    pub fn files(&self) -> impl Iterator<Item = ExtractedFile<'_>> {
        self.rows().map(|row| ExtractedFile {
            index: (!self.is_loose).then_some(row.number),
            name: row.entry.name().as_bytes(),
            path: row.path(self.rules).ok().map(|path| path.to_path_buf()),
            aside: row.placed.ok().and_then(|placed| placed.aside),
            size: row.entry.size(),
            outcome: row.outcome,
        })
    }

    /// How many files came to this end, and how many bytes these have.
    #[must_use]
    pub fn count(&self, outcome: Outcome) -> (usize, u64) {
        let rows = self.rows().filter(|row| row.outcome == outcome);
        rows.fold((0, 0), |(n, bytes), row| {
            (n + 1, u64::saturating_add(bytes, row.entry.size()))
        })
    }

    /// How many files are written, or would be, and do not have the path that their names say.
    #[must_use]
    pub fn count_aside(&self) -> usize {
        let aside = |row: &Row<'_>| row.placed.is_ok_and(|placed| placed.aside.is_some());
        self.rows()
            .filter(|row| row.is_file() && aside(row))
            .count()
    }

    /// Gives away what went wrong, or was odd: of the archive as a whole, then by entry.
    pub fn take_problems(&mut self) -> impl Iterator<Item = Problem> {
        let mut happened = core::mem::take(&mut self.problems).into_iter().peekable();
        let rules = self.rules;
        let rows = self.rows().enumerate();
        let rows = rows.map(|(number, row)| (Some(number), Some(row)));
        core::iter::once((None, None))
            .chain(rows)
            .flat_map(move |(number, row)| {
                let of_row = || happened.next_if(|(of, _)| *of == number);
                let happened = core::iter::from_fn(of_row).map(|(_, problem)| problem);
                let mut problems: Vec<Problem> = happened.collect();
                problems.extend(row.into_iter().flat_map(|row| row.problems(rules)));
                problems
            })
    }
}

impl ExtractOptions {
    /// What becomes of names.
    pub(super) const fn name_rules(&self) -> Rules {
        Rules {
            lowercase: self.lowercase,
            rescue: self.rescue,
            strip: self.strip_components,
            flat: self.flat,
            pictures: match &self.pictures {
                None => AsPictures::None,
                Some(options) if options.all_frames => AsPictures::WithMaps,
                Some(_) => AsPictures::NoMaps,
            },
        }
    }
}

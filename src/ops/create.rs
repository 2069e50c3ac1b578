//! Makes an archive from files.
//!
//! Every reason for a refusal is found before the first byte is written: a name that an entry cannot have, two
//! files with the same name, an output that is one of the files or lies among them. `gather_files` decides which
//! files are packed, and under which names.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::archive::error::{ErrorKind, Limit};
use crate::archive::{Entry, Format, quoted_name, relative_path};
use crate::engine::Game;
use crate::ops::context::{Context, Refusal};
use crate::ops::finding::{Finding, no_maps, nothing_to_write, one_output};
use crate::ops::game::{open_whole, sources};
use crate::ops::gather_files::{Gathering, PackOptions, gather, packed_too};
use crate::ops::pictures::{MakePictures, PicturePlace, left_as_pngs};
use crate::ops::plan::layout::Layout;
use crate::ops::plan::part::Part;
use crate::ops::read::needs::{MapNeeds, MissingFile, ServedFiles, missing_files, picked};
use crate::ops::report::Sink;
use crate::ops::row::{OutputRow, WriteTotals};
use crate::ops::selection::{Selection, entry_names};
use crate::ops::source::directory::{check_outside, parent_of};
use crate::ops::source::named::or_missing;
use crate::ops::write::job::{report_one, write_one};
use crate::ops::write::{Destination, WriteOptions};

/// How an archive is made from files.
#[derive(Debug)]
pub struct CreateOptions {
    /// How it is written.
    pub write: WriteOptions,
    /// How files become entries.
    pub pack: PackOptions,
    /// Whether the paths come from a list. Then names are the paths as given, even if the only path is a directory.
    pub listed: bool,
}

impl From<WriteOptions> for CreateOptions {
    fn from(write: WriteOptions) -> Self {
        Self { write, pack: PackOptions::default(), listed: false }
    }
}

/// Makes an archive from the files that `paths` name. [An example](crate::ops#an-archive-made-and-extracted). The
/// destination must be a file, or a spool.
///
/// # Errors
///
/// Nothing is written in these cases: a path cannot be read, a name cannot be the name of an entry, two files have
/// the same name, the output is one of the files or lies among them, the output exists and may not be replaced, the
/// output must be split but cannot be, or its format is not one that the engine reads.
pub fn create(
    context: &Context<'_>,
    paths: &[PathBuf],
    options: &CreateOptions,
    out: &mut dyn Sink<Box<OutputRow>>,
) -> Result<WriteTotals, Refusal> {
    let CreateOptions { write, pack, listed } = options;
    let Some(output) = write.destination.file() else {
        return Err(one_output("archive", paths.len()).into());
    };
    write.rules.check(write.to)?;
    let directory = match paths {
        [only] => only.as_path(),
        _ => Path::new(""),
    };
    let mut root = pack.root.as_deref();
    // A directory that is the only path is the root of the names.
    if root.is_none() && paths.len() == 1 && !listed && is_directory(directory)? {
        root = Some(directory);
    }
    let place = PicturePlace::new(write.to, output, write.rules.engines, pack.png);
    let how = Gathering {
        root,
        named: None,
        selection: &write.selection,
        to: write.to,
        hidden: pack.hidden,
        lowercase: write.lowercase,
        place,
    };
    let gathered = gather(paths, &how)?;
    let mut findings = gathered.findings;
    findings.extend(left_as_pngs(place, &gathered.files));
    let packed_too = packed_too(paths, &gathered.files);
    findings.extend(write.selection.unmatched());
    if !gathered.files.is_empty() && write.selection.unmatched_names().next().is_some() {
        return Err(Refusal(findings));
    }
    for path in paths {
        // Inside of a directory that was named, the next run would pack the output as one of the files.
        if matches!(write.destination, Destination::File(_)) && is_directory(path)? {
            check_outside(path, parent_of(output), output)?;
        }
    }
    let make = MakePictures {
        place,
        made: &gathered.made,
        unmade: gathered.unmade,
        options: &pack.pictures,
        keep_going: write.keep_going,
        old: None,
    };
    let errors = |findings: &[Finding]| findings.iter().filter(|it| it.is_error()).count();
    let known = errors(&findings);
    let archive = make.archive(context, directory, gathered.files, &mut findings)?;
    let left_out = errors(&findings) - known;
    let is_whole = write.selection.is_all() && !findings.iter().any(Finding::is_error);
    if is_whole && archive.entries().len() == 0 {
        let error = Finding::from(ErrorKind::NothingToWrite);
        findings.push(error.advice("name files, or a directory that holds files").at_path(output));
        return Err(Refusal(findings));
    }
    fits(archive.entries(), write.to)?;
    // The files were selected by their own names, which pictures have no more.
    let parts = Part::all(archive.entries(), write.to, write.lowercase);
    let layout = Layout::of(parts, true, archive.file_len(), write)?;
    layout.check_size(write)?;
    let sources: Vec<PathBuf> =
        archive.entries().filter_map(|it| Some(it.path()?.into())).collect();

    let mut row = OutputRow::new(directory.to_path_buf(), output.into(), write.to);
    row.bytes_in = archive.file_len();
    row.files = layout.created();
    row.skipped = left_out as u64;
    row.findings = findings;
    let mut row = write_one(context, write, &layout, &sources, None, None, row)?;
    if !row.status.is_kept() {
        row.findings.extend(packed_too);
    }
    Ok(report_one(row, Vec::new(), out))
}

/// Whether a path is that of a directory. What cannot be examined is an error, because it might be one.
fn is_directory(path: &Path) -> Result<bool, Finding> {
    match std::fs::metadata(path) {
        Ok(found) => Ok(found.is_dir()),
        Err(error) => Err(or_missing(Finding::from_io(error).at_path(path), false)),
    }
}

/// Refuses files that are larger than the format's size field can hold.
fn fits<'a>(files: impl Iterator<Item = Entry<'a>>, to: Format) -> Result<(), Refusal> {
    let large = files.filter(|file| file.size() > to.spec().number_max);
    let errors: Vec<Finding> = large
        .map(|file| {
            let (value, limit) = (file.size(), to.spec().number_max);
            let what = Limit::EntrySize;
            Finding::from(ErrorKind::OverLimit { what, value, limit }).of_entry(&file)
        })
        .collect();
    Refusal::if_any(errors)
}

/// Makes an archive of the maps that `maps` selects, and of everything that they need and that the base game does not
/// have. Of several folders the first is the base game. Files have the names that they have in the game. The
/// destination must be a file, or a spool.
///
/// A file that the game has nowhere is an error, and the archive is made without it.
///
/// # Errors
///
/// Nothing is written if a folder cannot be opened, if no map is selected, if a map cannot be read, or if
/// [`create`](crate::ops::create()) would refuse the files or the output.
pub fn create_map(
    context: &Context<'_>,
    folders: &[PathBuf],
    maps: &Selection,
    options: &WriteOptions,
    out: &mut dyn Sink<Box<OutputRow>>,
) -> Result<WriteTotals, Refusal> {
    let Some(output) = options.destination.file() else {
        return Err(one_output("archive", folders.len()).into());
    };
    options.rules.check(options.to)?;
    let mut findings = Vec::new();
    let game = open_whole(context, folders, None, &mut findings)?;
    let base = match folders {
        [base, _, ..] => Some(open_whole(context, &[base], None, &mut Vec::new())?),
        _ => None,
    };
    let mut lacking = Vec::new();
    let reports = (&mut findings, &mut lacking);
    let needed = needed(context, &game, base.as_ref(), maps, reports)?;
    findings.extend(maps.unmatched());
    if needed.is_empty() {
        findings.append(&mut lacking);
        let why = "the base game has everything that the maps need";
        findings.push(nothing_to_write(why).at_path(output));
        return Err(Refusal(findings));
    }
    let entries = options.selection.of(needed, entry_names);
    findings.extend(options.selection.unmatched());

    let parts = Part::all(entries.iter().copied(), options.to, options.lowercase);
    let archives = game.archives().map(|archive| archive.file_len());
    let len = archives.fold(0, u64::saturating_add);
    let layout = Layout::of(parts, true, len, options)?;
    layout.check_size(options)?;
    let source = folders.last().cloned().unwrap_or_default();
    let mut row = OutputRow::new(source, output.into(), options.to);
    row.bytes_in = layout.size();
    row.files = layout.created();
    row.findings = lacking;
    let sources = sources(&game, &entries);
    let row = write_one(context, options, &layout, &sources, None, None, row)?;
    Ok(report_one(row, findings, out))
}

/// The selected maps, and the files that they need and the base lacks, by name. Also reports what cannot be examined,
/// and what the game is lacking.
fn needed<'g>(
    context: &Context<'_>,
    game: &'g Game,
    base: Option<&Game>,
    maps: &Selection,
    (findings, lacking): (&mut Vec<Finding>, &mut Vec<Finding>),
) -> Result<Vec<Entry<'g>>, Refusal> {
    let maps = picked(game, maps);
    if maps.is_empty() {
        let none = no_maps("the game has no such map");
        return Err(none.into());
    }
    let read = context.pool.map(&maps, |map| {
        context.cancel.check()?;
        MapNeeds::read(game, *map)
    });
    let maps: Vec<MapNeeds<'_>> = read.into_iter().collect::<Result<_, Finding>>()?;
    let served = ServedFiles::new(game, &maps, findings);
    let in_base = base.map(|base| ServedFiles::new(base, &maps, &mut Vec::new()));
    let is_in_base = |name: &[u8]| base.is_some_and(|base| base.get(name).is_some());

    let mut needed = BTreeMap::new();
    for needs in &maps {
        let MapNeeds { map, asked, ents } = needs;
        let mut copies = served.beside(map.name());
        copies.extend(ents.clone());
        copies.extend(game.get(map.name().as_bytes()));
        for ask in &asked.files {
            if !in_base.as_ref().is_some_and(|base| base.has(ask, asked)) {
                copies.extend(served.copies(ask, asked));
            }
        }
        for file in missing_files(&served, needs) {
            lacking.push(nowhere(map, &file).at_path(relative_path(&file.missing)));
        }
        for copy in copies {
            if let Some(entry) = copy.entry().filter(|_| !is_in_base(&copy.name)) {
                needed.insert(copy.name, entry);
            }
        }
    }
    Ok(needed.into_values().collect())
}

/// The error about a file that a map needs and that the game does not have.
fn nowhere(map: &Entry<'_>, file: &MissingFile) -> Finding {
    let (map, kind, asker) = (quoted_name(map.name().as_bytes()), file.kind, &file.asker);
    let why = format!("the map {map} needs this {kind} ({asker}), which the game does not have");
    Finding::error(why)
        .many("files that maps need are nowhere in the game")
        .advice("the archive is written without it")
}

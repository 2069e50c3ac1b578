//! Makes an archive of what maps need and the base game lacks: what `missing` looks for, turned round.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::archive::{Entry, quoted_name, relative_path};
use crate::engine::Game;
use crate::ops::context::{Context, Refusal};
use crate::ops::finding::{Finding, no_maps, nothing_to_write, one_output};
use crate::ops::game::{open_whole, sources};
use crate::ops::plan::layout::Layout;
use crate::ops::plan::part::Part;
use crate::ops::read::needs::{MapNeeds, MissingFile, ServedFiles, missing_files, picked};
use crate::ops::report::{Sink, hand_on};
use crate::ops::row::{OutputRow, WriteTotals};
use crate::ops::selection::{Selection, entry_names};
use crate::ops::write::WriteOptions;
use crate::ops::write::job::{OneArchive, write_one};

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
    let one = OneArchive {
        layout: &layout,
        sources: sources(&game, &entries),
        edited: None,
        merged_for: None,
        needs_files: true,
        row,
        warnings: Vec::new(),
    };
    let row = write_one(context, options, one)?;
    hand_on(out, findings);
    let totals = WriteTotals::of(&row);
    let _ = out.row(Box::new(row));
    Ok(totals)
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

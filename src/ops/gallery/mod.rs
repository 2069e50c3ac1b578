//! `gallery`: writes a page that shows the files of archives: pictures, maps from above, sounds, texts, facts.
//!
//! | file    | job                                                              |
//! |---------|------------------------------------------------------------------|
//! | `tile`  | an entry's picture, drawing, sound, text and facts               |
//! | `page`  | the page's HTML                                                  |
//!
//! The page works from disk, without a server or a network. It is one file, or a file with a folder next to it,
//! from which the browser loads pictures as they scroll into view. The list is written piece by piece, each as soon
//! as its tiles are made, so memory does not grow with the number of pictures. The page gets its final name last.

mod page;
mod tile;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::context::{Context, Existing, Refusal};
use super::pictures::{PictureOptions, Pictures};
use super::plan::targets::{Existed, OutputRoot};
use super::report::{Sink, hand_on};
use super::row::{Outcome, PageRow, WriteTotals};
use super::source::directory::{check_outside, parent_of};
use super::source::{Found, Inputs, Selection};
use crate::archive::{Archive, Entry, escape_path};
use crate::fs::{Draft, Root, Sink as _, System};
use crate::media::Kind;
use crate::ops::finding::{Finding, archive_notes, some_parts_exist};
use tile::{Tile, Tiler, existing_files};

/// How many tiles are made before they are written.
const PIECE: usize = 256;

/// What is shown, and where.
#[derive(Debug)]
pub struct GalleryOptions {
    /// A file that holds the whole page, if the name ends in `.html` or `.htm`; otherwise the directory for the
    /// page.
    pub output: PathBuf,
    /// Which entries are shown.
    pub selection: Selection,
    /// How pictures are decoded.
    pub pictures: PictureOptions,
    /// What to do about a page that exists. If it is replaced, so are its files.
    pub existing: Existing,
}

/// Makes a page of the entries of archives.
///
/// # Errors
/// Nothing is written if nothing can be shown, or if the page or one of its files exists and the options do not say
/// what to do about it. A page is kept only as a whole, so files without their page are refused, too.
pub fn gallery(
    context: &Context<'_>,
    paths: &[PathBuf],
    options: &GalleryOptions,
    out: &mut dyn Sink<PageRow>,
) -> Result<WriteTotals, Refusal> {
    let directory = options.output.is_dir().then_some(&*options.output);
    let found = Inputs::of(Found::new(context, paths).skipping(directory));
    for input in found.directories() {
        let parent = match directory {
            Some(directory) => directory,
            None => parent_of(&options.output),
        };
        check_outside(input, parent, &options.output)?;
    }
    let sources = found.files();
    let mut findings: Vec<Finding> = found.warnings().collect();
    findings.extend(found.findings);
    let (mut archives, mut shown) = (Vec::new(), Vec::new());
    for input in &found.archives {
        context.cancel.check()?;
        match input.open(context) {
            Ok(archive) => {
                // What is only odd of an archive, `info` says.
                let notes = archive_notes(&archive).into_iter();
                findings.extend(notes.filter(Finding::is_error));
                archives.push(archive);
                shown.push(input.relative.as_path());
            }
            Err(error) => findings.push(error),
        }
    }
    let mut entries = Vec::new();
    for (number, archive) in archives.iter().enumerate() {
        let selected = options.selection.entries(archive);
        entries.extend(selected.into_iter().map(|entry| (number, entry)));
    }
    let unmatched: Vec<Finding> = options.selection.unmatched().collect();
    let are_all_read = !findings.iter().any(Finding::is_error);
    if entries.is_empty() && are_all_read && !unmatched.is_empty() {
        hand_on(out, findings.into_iter().chain(unmatched));
        return Ok(WriteTotals::default());
    }
    if are_all_read {
        findings.extend(unmatched);
    }
    if entries.is_empty() {
        if findings.is_empty() {
            let detail = "there is no entry to show";
            findings.push(
                Finding::error(detail).advice(
                    "name archives that have entries, and patterns that match some of them",
                ),
            );
        }
        return Err(Refusal(findings));
    }
    let gallery = Gallery {
        context,
        archives: &archives,
        names: names(&shown),
        entries: &entries,
        title: title(paths),
    };
    let page = gallery.make(&sources, findings, options)?;
    let mut totals = WriteTotals::default();
    totals.count_page(&page);
    let _ = out.row(page);
    Ok(totals)
}

/// What the page shows.
struct Gallery<'a> {
    context: &'a Context<'a>,
    archives: &'a [Arc<Archive>],
    /// What the page calls them.
    names: Vec<String>,
    /// Each with the number of its archive.
    entries: &'a [(usize, Entry<'a>)],
    title: String,
}

impl Gallery<'_> {
    /// Makes the page. None of the `sources` is ever replaced.
    fn make(
        &self,
        sources: &[PathBuf],
        mut findings: Vec<Finding>,
        options: &GalleryOptions,
    ) -> Result<PageRow, Refusal> {
        let system = &self.context.system;
        let (root, relative) = place(system, &options.output)?;
        let sources = sources.iter().map(|it| &**it);
        let root = OutputRoot::new(root, options.existing, system, sources)?;
        let existed = root.decide_at(&relative)?;
        let mut row = PageRow {
            page: root.shown(&relative),
            outcome: Outcome::Kept,
            entries: 0,
            pictures: 0,
            findings: Vec::new(),
        };
        if existed == Existed::Kept {
            row.findings = findings;
            return Ok(row);
        }
        let folder = (!is_one_file(&options.output)).then_some(&root);
        if let Some(folder) = folder {
            self.check_files(folder)?;
        }
        let pictures = Pictures::open(
            self.context,
            &options.pictures,
            self.archives.to_vec(),
            &mut findings,
        )?;
        row.entries = self.entries.len();
        row.findings = findings;
        let tiler = Tiler {
            pictures: &pictures,
            folder,
        };
        let draft = root.root.draft(&relative).map_err(Finding::from);
        let committed = draft.and_then(|draft| {
            self.write(&tiler, &draft, &mut row)?;
            let closed = draft.close(existed.over())?;
            root.commit(closed, &relative)
        });
        row.outcome = match &committed {
            Ok(Existed::Kept) => Outcome::Kept,
            Ok(_) => Outcome::Written,
            Err(_) if self.context.cancel.is_set() => Outcome::Stopped,
            Err(_) => Outcome::Failed,
        };
        row.findings.extend(committed.err());
        row.findings.extend(root.finish());
        Ok(row)
    }

    /// Refuses files of an earlier page that must not be replaced. They would be shown in place of this page's.
    fn check_files(&self, root: &OutputRoot) -> Result<(), Refusal> {
        let (mut refused, mut kept) = (Vec::new(), Vec::new());
        for relative in existing_files(root, self.entries)? {
            match root.decide_at(&relative) {
                Ok(Existed::Kept) => kept.push(root.shown(&relative)),
                Ok(Existed::Nothing | Existed::Replaced) => {}
                Err(error) => refused.push(error),
            }
        }
        if let Some(first) = kept.first() {
            let why = match kept.len() {
                1 => "the page does not exist, but this file of it does".to_owned(),
                n => format!(
                    "the page does not exist, but {n} files of it do, and this is the first"
                ),
            };
            refused.push(some_parts_exist(why).at_path(first));
        }
        Refusal::if_any(refused)
    }

    fn write(
        &self,
        tiler: &Tiler<'_>,
        draft: &Draft<'_>,
        row: &mut PageRow,
    ) -> Result<(), Finding> {
        let bytes = self.entries.iter().map(|(_, entry)| entry.size());
        let bytes = bytes.fold(0, u64::saturating_add);
        self.context.found(self.entries.len() as u64, bytes);
        let mut at = 0;
        let mut append = |piece: &str| {
            let written = draft.write_at(piece.as_bytes(), at);
            at += piece.len() as u64;
            written.map_err(Finding::from_io)
        };
        append(&page::begin(&self.title, &self.names))?;
        for piece in self.entries.chunks(PIECE) {
            self.context.cancel.check()?;
            let pool = &self.context.pool;
            let tiles = pool.map(piece, |(archive, entry)| self.tile(tiler, *archive, entry));
            let mut shown = Vec::new();
            for (tile, findings) in tiles {
                row.pictures += usize::from(tile.look == Some(Kind::Picture));
                row.findings.extend(findings);
                shown.push(tile);
            }
            append(&page::files(&shown))?;
        }
        append(page::END)
    }

    fn tile(&self, tiler: &Tiler<'_>, archive: usize, entry: &Entry<'_>) -> (Tile, Vec<Finding>) {
        let (tile, findings) = tiler.tile(archive, entry);
        // The size of an entry that cannot be read is only what its archive claims.
        let is_read = !findings.iter().any(Finding::is_error);
        self.context.done(1, if is_read { entry.size() } else { 0 });
        (tile, findings)
    }
}

/// Whether everything goes into a single file.
fn is_one_file(output: &Path) -> bool {
    let extension = output.extension().unwrap_or_default();
    extension.eq_ignore_ascii_case("html") || extension.eq_ignore_ascii_case("htm")
}

/// The directory of the page, and its name there.
fn place(system: &System, output: &Path) -> Result<(Root, PathBuf), Finding> {
    Ok(if is_one_file(output) {
        system.root_of_file(output)?
    } else {
        (system.root(output), PathBuf::from("index.html"))
    })
}

/// What the page calls archives with these paths below the paths that were given. People publish pages, and nobody needs
/// to know where on a disk the archives were. Two archives of one name get different numbers.
fn names(paths: &[&Path]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut counts: HashMap<&Path, u32> = HashMap::new();
    for path in paths {
        let count = counts.entry(path).or_default();
        *count += 1;
        let name = escape_path(path);
        names.push(match *count {
            1 => name.to_string(),
            number => format!("{name} ({number})"),
        });
    }
    names
}

/// The title of the page: the last parts of the paths that it shows.
fn title(paths: &[PathBuf]) -> String {
    let name = |path: &PathBuf| {
        let name = path.file_name().unwrap_or(path.as_os_str());
        crate::archive::escape(name.as_encoded_bytes()).to_string()
    };
    let names: Vec<String> = paths.iter().take(3).map(name).collect();
    let more = paths.len().saturating_sub(3);
    match more {
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}

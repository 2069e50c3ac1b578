//! A page on which people look at what archives hold: pictures, maps from above, sounds, texts, facts.
//!
//! | file    | job                                                              |
//! |---------|------------------------------------------------------------------|
//! | `tile`  | what an entry becomes: a picture, a drawing, a sound, a text, facts |
//! | `store` | where a tile's files go: beside the page, or into it             |
//! | `page`  | the page: its beginning, the list in pieces, its end             |
//! | `page/` | its words, looks and behaviour, as they are sent to a browser    |
//!
//! The page works from disk, without a server and without a network. It is one file, or one with a folder of
//! files beside it, which a browser loads as they come into sight. Each piece of the list is written when its
//! tiles are made, so that memory does not grow with the number of pictures. The page itself gets its name
//! last of all.

mod page;
mod store;
mod tile;

use crate::ops::finding::{Finding, Notice};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::context::{Context, Existing, Refusal};
use super::pictures::{PictureOptions, Pictures};
use super::plan::targets::{Existed, OutputRoot};
use super::row::{Delivery, Outcome, PageRow, Row, Summary};
use super::source::{self, Search, Selection};
use crate::archive::{Archive, Entry, Sink as _};
use crate::fs::{CommitError, Draft, Over, Root, System};
use page::Page;
use store::Store;
use tile::{Tile, Tiler};

/// How many tiles are made before they are written.
const PIECE: usize = 256;

/// What is shown, and where.
#[derive(Debug)]
pub struct GalleryOptions {
    /// Where archives are looked for besides those that are named.
    pub search: Search,
    /// A file, which is the page with everything in it where its name ends in `.html`; else a directory.
    pub output: PathBuf,
    /// Which entries are shown.
    pub selection: Selection,
    /// How pictures are decoded.
    pub pictures: PictureOptions,
    /// What is done about a page that exists; its files are replaced with it.
    pub existing: Existing,
}

/// Makes a page of the entries of archives.
///
/// # Errors
/// If nothing can be shown, or the page exists and nothing says what is to become of it. Then nothing was
/// written.
pub fn gallery(
    context: &Context<'_>,
    paths: &[PathBuf],
    options: &GalleryOptions,
    rows: &mut dyn FnMut(Row),
) -> Result<Summary, Refusal> {
    let directory = options.output.is_dir().then_some(&*options.output);
    let found = source::all(context, paths, options.search, directory)?;
    let sources = found.files();
    let mut findings: Vec<Finding> = found.warnings().collect();
    findings.extend(found.findings);
    let mut archives = Vec::new();
    for input in &found.archives {
        context.cancel.check()?;
        match input.open(context) {
            Ok(archive) => archives.push(Arc::new(archive)),
            Err(error) => findings.push(error),
        }
    }
    let entries = archives
        .iter()
        .map(|archive| options.selection.entries(archive));
    let entries: Vec<Entry<'_>> = entries.flatten().collect();
    findings.extend(options.selection.unmatched());
    if entries.is_empty() {
        return Err(nothing(findings));
    }
    let shown = Shown {
        archives: &archives,
        entries: &entries,
        sources: &sources,
        title: title(paths),
    };
    let mut out = Delivery::new(rows);
    out.row(Row::Page(shown.make(context, findings, options)?));
    Ok(out.summary)
}

/// What is shown.
struct Shown<'a> {
    archives: &'a [Arc<Archive>],
    entries: &'a [Entry<'a>],
    /// The files that are never replaced.
    sources: &'a [PathBuf],
    title: String,
}

impl Shown<'_> {
    /// Makes the page.
    fn make(
        &self,
        context: &Context<'_>,
        mut findings: Vec<Finding>,
        options: &GalleryOptions,
    ) -> Result<PageRow, Refusal> {
        let (root, relative) = place(&context.system, &options.output)?;
        let root = OutputRoot::new(
            root,
            options.existing,
            &context.system,
            self.sources.iter().map(|it| &**it),
        )?;
        let page = root.root.path().join(&relative);
        let existed = root.meet(&relative).map_err(|error| error.in_pak(&page))?;
        if existed == Existed::Kept {
            return Ok(PageRow {
                page,
                outcome: Outcome::Kept,
                entries: 0,
                pictures: 0,
                findings,
            });
        }
        let pictures = Pictures::open(context, &options.pictures, &mut findings)?;
        let pictures = pictures.beside(self.archives.iter().map(Arc::clone));
        let mut gallery = PageRow {
            page,
            outcome: Outcome::Written,
            entries: self.entries.len(),
            pictures: 0,
            findings,
        };
        let store = match is_one_file(&options.output) {
            true => Store::Page,
            false => Store::Files(&root),
        };
        let work = Maker {
            context,
            shown: self,
            tiler: Tiler {
                pictures: &pictures,
                store,
            },
        };
        let draft = root.root.draft(&relative).map_err(Finding::from)?;
        let written = work.write(&draft, &mut gallery);
        let over = match existed {
            Existed::Replaced => Over::Old,
            _ => Over::Nothing,
        };
        let committed = written.and_then(|()| {
            let closed = draft.close(over)?;
            root.commit(closed, &relative, &gallery.page)
        });
        if committed.is_err() {
            gallery.outcome = match context.cancel.is_set() {
                true => Outcome::Stopped,
                false => Outcome::Failed,
            };
        }
        gallery.findings.extend(committed.err());
        gallery.findings.extend(root.finish());
        Ok(gallery)
    }
}

/// Why there is no page at all.
fn nothing(findings: Vec<Finding>) -> Refusal {
    let mut errors = findings;
    if errors.is_empty() {
        errors.push(Finding::error(
            Notice::NothingToShow,
            "there is no entry to show",
        ));
    }
    Refusal(errors)
}

/// Who makes tiles and lays them down.
struct Maker<'a> {
    context: &'a Context<'a>,
    shown: &'a Shown<'a>,
    tiler: Tiler<'a>,
}

impl Maker<'_> {
    fn write(&self, draft: &Draft<'_>, gallery: &mut PageRow) -> Result<(), Finding> {
        let Shown { entries, .. } = self.shown;
        let bytes = entries.iter().map(Entry::size).fold(0, u64::saturating_add);
        self.context.found(entries.len() as u64, bytes);
        let mut page = Page::begin(&self.shown.title);
        page.archives(self.shown.archives);
        let mut at = 0;
        let mut flush = |page: &mut Page| {
            let piece = page.take();
            let written = draft.write_at(piece.as_bytes(), at);
            at += piece.len() as u64;
            written.map_err(|error| match CommitError::from_io(error) {
                Ok(error) => Finding::from(error),
                Err(error) => Finding::from_io(error),
            })
        };
        for piece in entries.chunks(PIECE) {
            self.context.cancel.check()?;
            let tiles = self
                .context
                .pool
                .map(piece, || (), |(), entry| self.tile(entry));
            for (tile, findings) in tiles {
                gallery.pictures += usize::from(tile.is_picture());
                page.tile(&tile);
                gallery.findings.extend(findings);
            }
            page.end_piece();
            flush(&mut page)?;
        }
        page.end();
        flush(&mut page)
    }

    fn tile(&self, entry: &Entry<'_>) -> (Tile, Vec<Finding>) {
        let is_its = |archive: &Arc<Archive>| core::ptr::eq(&**archive, entry.archive());
        let archive = self
            .shown
            .archives
            .iter()
            .position(is_its)
            .unwrap_or_default();
        let made = self.tiler.tile(archive, entry);
        self.context.done(1, entry.size());
        made
    }
}

/// Whether all goes into the page.
fn is_one_file(output: &Path) -> bool {
    let extension = output.extension().unwrap_or_default();
    extension.eq_ignore_ascii_case("html") || extension.eq_ignore_ascii_case("htm")
}

/// The directory of the page, and its name there.
fn place(system: &System, output: &Path) -> Result<(Root, PathBuf), Finding> {
    Ok(match is_one_file(output) {
        true => system.root_of_file(output)?,
        false => (system.root(output), PathBuf::from("index.html")),
    })
}

/// What the page is called: what it shows, by its last parts.
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

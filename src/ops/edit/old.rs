//! The archive that is edited: opened, and replaced by a new one.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::archive::error::{Error, ErrorKind, Place};
use crate::archive::{Archive, LooseFile, ReadOptions, escape_path};
use crate::engine::Engines;
use crate::fs::{FileKind, Occupant, System};
use crate::ops::context::{Context, Existing, Refusal};
use crate::ops::edit::EditRow;
use crate::ops::edit::new::NewEntry;
use crate::ops::finding::{self, Finding, Help, internal, left_out};
use crate::ops::plan::layout::Layout;
use crate::ops::plan::part::Part;
use crate::ops::plan::policy::Edited;
use crate::ops::row::{ChangeRow, OutputRow};
use crate::ops::source::named::or_missing;
use crate::ops::source::{self, nested, recognize};
use crate::ops::write::job::write_one;
use crate::ops::write::{Destination, Rules, WriteOptions};

/// How an archive is to be changed.
#[derive(Debug, Default)]
pub struct EditOptions {
    /// Engines whose limits the archive must keep. It is never split: an edit that would exceed a limit is refused.
    pub engines: Engines,
    /// Whether entries that cannot be read are left out, and pictures that cannot be made. Without it, an archive with a
    /// damaged, encrypted or unsupported entry is not changed.
    pub keep_going: bool,
    /// Whether the previous archive is not kept as `NAME~`. A `NAME~` of an earlier edit stays, and undoing goes back to
    /// that one.
    pub no_backup: bool,
    /// Whether to write nothing, and only report what would be changed.
    pub dry_run: bool,
    /// Where the new archive is written. Without it, it replaces the old one.
    pub to: Option<PathBuf>,
}

/// The name of an archive's previous version.
pub(crate) fn backup_of(archive: &Path) -> PathBuf {
    let mut name = archive.as_os_str().to_owned();
    name.push("~");
    name.into()
}

/// Opens the file that has the name of an archive's previous version. `None` if no file has that name.
///
/// # Errors
/// If it is not an archive, so that an edit must not replace it.
pub(crate) fn open_backup(
    system: &System,
    open: ReadOptions,
    backup: &Path,
) -> Result<Option<Archive>, Finding> {
    let refused = |what| {
        let why = format!("this is not a previous version of the archive: it is {what}");
        Err(Finding::error(why).advice("move it away").help(Help::NoBackup).at_path(backup))
    };
    let (root, name) = system.root_of_file(backup)?;
    match root.look(&name)? {
        Occupant::Nothing => Ok(None),
        Occupant::Taken { kind, .. } => match kind {
            FileKind::File => match source::open(system, backup, open) {
                Ok(archive) => Ok(Some(archive)),
                Err(_) => refused("not a readable archive"),
            },
            _ => refused(kind.words()),
        },
        Occupant::Blocked { .. } => refused("not in a directory"),
    }
}

/// The path of the archive to change, with links followed.
///
/// # Errors
/// If it is a directory, or lies within another archive.
pub(crate) fn changeable(path: &Path) -> Result<PathBuf, Finding> {
    if nested::split(path).is_some() {
        let why = "daisho does not change an archive within another one";
        return Err(Finding::error(why)
            .advice("extract it, change it there, and replace it in the outer one")
            .at_path(path));
    }
    source::check_one(path)?;
    crate::fs::canonicalize(path)
        .map_err(|error| or_missing(Finding::from_io(error).at_path(path), false))
}

/// The error, with the path that the user has named as its place.
pub(crate) fn shown_as(error: Finding, path: &Path) -> Finding {
    let place = Place::default();
    Finding { place, ..error }.at_path(path)
}

/// The archive that is to be changed.
pub(super) struct Old {
    pub(super) archive: Arc<Archive>,
    /// As the user has named it.
    pub(super) shown: PathBuf,
    /// Its file, with links followed: the edit changes the link's target and keeps the link. `None` if the new archive
    /// does not replace it.
    edited: Option<Edited>,
    /// How the new archive is written.
    pub(super) options: WriteOptions,
}

impl Old {
    pub(super) fn open(
        context: &Context<'_>,
        path: &Path,
        options: EditOptions,
    ) -> Result<Self, Refusal> {
        let real = changeable(path)?;
        if recognize::is_map(&real).unwrap_or(false) {
            return Err(is_map(path).into());
        }
        let to = options.to;
        let backup = (to.is_none() && !options.no_backup).then(|| backup_of(&real));
        if let Some(backup) = &backup {
            open_backup(&context.system, context.open, backup)
                .map_err(|error| shown_as(error, &backup_of(path)))?;
        }
        let source = source::file(&context.system, path).map_err(|error| error.at_path(path))?;
        let archive = Archive::read_source(Box::new(source.clone()), context.open, Some(path))
            .map_err(|error| Finding::from(error.at_path(path)))?;
        archive.check_headers().map_err(|error| Finding::from(error.at_path(path)))?;
        let format = archive.format().ok_or(ErrorKind::NotAFile);
        let format = format.map_err(|kind| Finding::from(Error::from(kind).at_path(path)))?;
        let edited = to.is_none().then(|| Edited {
            path: real,
            source,
            backup: backup.as_deref().and_then(Path::file_name).map(PathBuf::from),
        });
        let destination = Destination::File(to.unwrap_or_else(|| path.to_path_buf()));
        let options = WriteOptions {
            rules: Rules { engines: options.engines, ..Rules::default() },
            keep_going: options.keep_going,
            existing: Existing::Replace,
            dry_run: options.dry_run,
            ..WriteOptions::new(destination, format)
        };
        let checked = options.rules.check(options.to);
        checked.map_err(|error| error.at_path(path))?;
        Ok(Self { archive: Arc::new(archive), shown: path.to_path_buf(), edited, options })
    }

    /// Removes the archive itself and its previous version from the files to add, and warns about that.
    pub(super) fn leave_out(&self, system: &System, files: &mut Vec<LooseFile>) -> Vec<Finding> {
        let mut findings = Vec::new();
        let Some(Edited { path, .. }) = &self.edited else {
            return findings;
        };
        for (path, what, why) in [
            (path.clone(), "the archive itself", "it is what is being changed"),
            (backup_of(path), "the archive's previous version", "it is about to be replaced"),
        ] {
            let Ok(id) = system.identify(&path) else {
                continue;
            };
            let Ok(size) = std::fs::metadata(&path).map(|found| found.len()) else {
                continue;
            };
            let is_it = |file: &mut LooseFile| {
                file.size == size && system.identify(&file.path).is_ok_and(|it| it == id)
            };
            for file in files.extract_if(.., is_it) {
                findings.push(left_out(what, why).at_path(file.path));
            }
        }
        findings
    }

    /// Writes the entries of the new archive, which replaces the old one unless it gets another path.
    pub(super) fn write(
        &self,
        context: &Context<'_>,
        entries: &[NewEntry],
        mut changes: Vec<ChangeRow>,
    ) -> Result<EditRow, Refusal> {
        let options = &self.options;
        let mut parts = Vec::with_capacity(entries.len());
        for new in entries {
            let entry = new.source().ok_or_else(|| internal("an entry has gone"))?;
            parts.push((entry, new.name.clone()));
        }
        let parts = Part::named(parts, options.to, options.lowercase);
        let files = parts.iter().filter(|part| part.entry.is_file());
        let len = files.map(Part::size).fold(self.archive.file_len(), u64::saturating_add);
        let target = options.destination.file().unwrap_or(&self.shown);
        let mut row = OutputRow::new(self.shown.clone(), target.to_path_buf(), options.to);
        row.from = Some(self.archive.format_word());
        row.bytes_in = self.archive.file_len();
        row.findings = finding::archive_notes(&self.archive);
        let whole = !row.findings.iter().any(Finding::is_error);
        let layout = Layout::of_one(parts, whole, len, options);
        layout.check_whole(options).map_err(|error| not_split(error).at_path(&self.shown))?;
        let all = layout.all();
        let files = all.iter().filter(|part| part.entry.is_file());
        let sources = files.filter_map(|part| Some(part.entry.path()?.into()));
        let sources: Vec<PathBuf> = sources.collect();
        let mut output =
            write_one(context, options, &layout, &sources, self.edited.clone(), None, row)?;
        output.findings = output.findings.into_iter().map(not_split).collect();
        if output.status.is_written() || output.status.is_planned() {
            output.findings.extend(self.older_backup(context));
        }
        if output.status.is_kept() {
            // The new archive would be byte for byte the old one.
            changes.clear();
        }
        Ok(EditRow { output, changes })
    }

    /// A warning about a previous version that is not the one before this edit, because that one is not kept.
    fn older_backup(&self, context: &Context<'_>) -> Option<Finding> {
        let edited = self.edited.as_ref().filter(|it| it.backup.is_none())?;
        let older = open_backup(&context.system, context.open, &backup_of(&edited.path));
        older.ok()??;
        let why =
            "this is still the version before an earlier edit, and undoing would go back to it";
        Some(Finding::warning(why).at_path(backup_of(&self.shown)))
    }
}

/// The error for a map.
fn is_map(path: &Path) -> Finding {
    let wad = path.with_extension("wad");
    let (map, wad) = (escape_path(path), escape_path(&wad));
    Finding::error("daisho does not change the textures of a map, because a compiler writes them")
        .advice(format!("make a WAD for the compiler: 'daisho convert {map} -o {wad}'"))
        .at_path(path)
}

/// The finding with other advice if it advises to split the archive, because an edit cannot do that.
fn not_split(mut finding: Finding) -> Finding {
    if finding.help == Some(Help::Split) {
        finding.help = Some(Help::SplitFirst);
    }
    finding
}

//! The archive that is edited: opened, and replaced by a new one.

use std::path::{Path, PathBuf};

use crate::archive::error::{Error, ErrorKind, Place};
use crate::archive::{
    Archive, Case, Entry, LooseFile, RawName, ReadOptions, escape_path, quoted_name,
};
use crate::engine::Engines;
use crate::fs::{FileKind, Occupant, Source, System};
use crate::ops::context::{Context, Existing, Refusal};
use crate::ops::edit::EditRow;
use crate::ops::finding::{self, Finding, Help, left_out};
use crate::ops::plan::layout::Layout;
use crate::ops::plan::part::Part;
use crate::ops::plan::policy::Edited;
use crate::ops::row::{ChangeRow, OutputRow};
use crate::ops::source::named::{in_folder_or_glob, lumps_named, or_missing, without_dot};
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
    pub(super) archive: Archive,
    /// As the user has named it.
    shown: PathBuf,
    /// Its path with links followed: the edit changes the link's target and keeps the link.
    path: PathBuf,
    /// What it is read from.
    source: Source,
    /// The name that the archive gets when it is replaced. `None` if it is not kept.
    backup: Option<PathBuf>,
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
        let backup = (!options.no_backup).then(|| backup_of(&real));
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
        let destination = Destination::File(path.to_path_buf());
        let options = WriteOptions {
            rules: Rules { engines: options.engines, ..Rules::default() },
            keep_going: options.keep_going,
            existing: Existing::Replace,
            dry_run: options.dry_run,
            ..WriteOptions::new(destination, format)
        };
        let checked = options.rules.check(options.to);
        checked.map_err(|error| error.at_path(path))?;
        Ok(Self { archive, shown: path.to_path_buf(), path: real, source, backup, options })
    }

    /// Removes the archive itself and its previous version from the files to add, and warns about that.
    pub(super) fn leave_out(&self, system: &System, files: &mut Vec<LooseFile>) -> Vec<Finding> {
        let mut findings = Vec::new();
        for (path, what, why) in [
            (self.path.clone(), "the archive itself", "it is what is being changed"),
            (backup_of(&self.path), "the archive's previous version", "it is about to be replaced"),
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

    /// Whether an entry is the first with its name.
    pub(super) fn is_first(&self, entry: Entry<'_>) -> bool {
        self.archive.get(entry.name().as_bytes()) == Some(entry)
    }

    /// The entry that a file of this name replaces: the first of the name, or the one of this index, if it has the
    /// name.
    pub(super) fn same_entry(&self, name: &[u8], index: Option<usize>) -> Option<Entry<'_>> {
        match index {
            None => self.archive.get(name),
            Some(index) => {
                let entry = self.archive.entry(index)?;
                (entry.name().as_bytes() == name).then_some(entry)
            }
        }
    }

    /// The numbers of the entries that a name means.
    pub(super) fn meant_by(&self, name: &[u8]) -> Result<Vec<usize>, Refusal> {
        let name = without_dot(&self.archive, name);
        let mut meant: Vec<Entry<'_>> = self.archive.find_all(name, Case::Matters).collect();
        if meant.is_empty() {
            meant.extend(self.only_lump(name)?);
        }
        if meant.is_empty() {
            meant = in_folder_or_glob(&self.archive, name)?;
        }
        Ok(meant.iter().map(Entry::index).collect())
    }

    /// The lump that has this as another name.
    ///
    /// # Errors
    /// If several lumps have it.
    pub(super) fn only_lump(&self, name: &[u8]) -> Result<Option<Entry<'_>>, Finding> {
        let lumps = lumps_named(&self.archive, name);
        if lumps.len() > 1 {
            let names = lumps.iter().map(|it| quoted_name(it.name().as_bytes()).to_string());
            let names = names.collect::<Vec<_>>().join(" or ");
            let why = format!("{} could be {names}", quoted_name(name));
            return Err(Finding::error(why).advice("give the whole name").at_path(&self.shown));
        }
        Ok(lumps.first().copied())
    }

    /// The old and the new name of an entry, with the extension of a lump where they leave it out.
    pub(super) fn with_extensions(
        &self,
        from: &[u8],
        to: &[u8],
    ) -> Result<(Vec<u8>, Vec<u8>), Finding> {
        let (mut from, mut to) = (from.to_vec(), to.to_vec());
        if !self.options.to.spec().has_lumps() {
            return Ok((from, to));
        }
        if self.archive.get(&from).is_none()
            && let Some(lump) = self.only_lump(&from)?
        {
            from = lump.name().as_bytes().to_vec();
        }
        if let Some(extension) = RawName::new(&from).extension()
            && RawName::new(&to).extension().is_none()
            && !to.ends_with(b"/")
        {
            to.push(b'.');
            to.extend_from_slice(extension);
        }
        Ok((from, to))
    }

    /// Writes these entries under these names to an archive that replaces the old one.
    pub(super) fn write(
        &self,
        context: &Context<'_>,
        parts: Vec<(Entry<'_>, Option<Vec<u8>>)>,
        mut changes: Vec<ChangeRow>,
    ) -> Result<EditRow, Refusal> {
        let options = &self.options;
        let parts = Part::named(parts, options.to, options.lowercase);
        let files = parts.iter().filter(|part| part.entry.is_file());
        let len = files.map(Part::size).fold(self.archive.file_len(), u64::saturating_add);
        let mut row = OutputRow::new(self.shown.clone(), self.shown.clone(), options.to);
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
        let backup = self.backup.as_deref().and_then(Path::file_name);
        let edited = Edited {
            path: self.path.clone(),
            source: self.source.clone(),
            backup: backup.map(PathBuf::from),
        };
        let mut output = write_one(context, options, &layout, &sources, Some(edited), None, row)?;
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
        if self.backup.is_some() {
            return None;
        }
        let older = open_backup(&context.system, context.open, &backup_of(&self.path));
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

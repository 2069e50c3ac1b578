//! All archives of a run, for operations that must know them before they begin, or the only one.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::directory::{directory_name, open_directory, open_loose_file};
use super::named::or_missing;
use super::open::{Input, InputBytes, one_expected, open, receive};
use super::passed_over::PassedOver;
use super::recognize::{is_loose_file, magic};
use super::search::{Found, warnings};
use crate::archive::Archive;
use crate::ops::context::{Context, Refusal};
use crate::ops::finding::Finding;

/// Opens one archive that the user has named. A directory that is searched for archives is refused. Adds warnings about
/// files that are left out of a directory.
pub(in crate::ops) fn one(
    context: &Context<'_>,
    path: &Path,
    warnings: &mut Vec<Finding>,
) -> Result<Arc<Archive>, Refusal> {
    if !path.is_dir() {
        receive(context, path)?;
        let opened = open(&context.system, path, context.open);
        let opened = opened.map_err(|error| Finding::unread(path, or_missing(error)))?;
        return Ok(Arc::new(opened));
    }
    let mut found = Found::new(context, &[path]);
    let input = found.next();
    context.cancel.check()?;
    match input.map(|input| input.bytes) {
        Some(InputBytes::Loose(archive)) => {
            warnings.extend(found.into_findings());
            Ok(archive)
        }
        Some(_) => Err(one_expected(path).into()),
        None => Err(Refusal(found.into_findings())),
    }
}

/// Like [`one`], but a file that is no archive is opened, too, as an archive whose only entry it is.
pub(in crate::ops) fn one_or_loose_file(
    context: &Context<'_>,
    path: &Path,
    warnings: &mut Vec<Finding>,
) -> Result<Arc<Archive>, Refusal> {
    if !is_loose_file(context, path) {
        return one(context, path, warnings);
    }
    match open_loose_file(&context.system, path) {
        Ok(archive) => Ok(Arc::new(archive)),
        Err(error) => Err(Finding::unread(path, error.at_path(path)).into()),
    }
}

/// All archives that a search has found, and what else it met.
#[derive(Debug, Default)]
pub(in crate::ops) struct Inputs {
    /// The archives, in order.
    pub(in crate::ops) archives: Vec<Input>,
    /// Files and directories that could not be searched, and directories without an archive.
    pub(in crate::ops) findings: Vec<Finding>,
    /// Files that are named like archives and are none.
    pub(in crate::ops) ruined: Vec<Input>,
    /// What else was not taken, although the user may expect it.
    passed_over: Vec<(PathBuf, PassedOver)>,
    /// Warnings about files that are left out of directories that are archives.
    pub(in crate::ops) left_out: Vec<Finding>,
}

impl Inputs {
    /// Searches everything before the first archive has its turn. Files stay open until then, as far as the system
    /// allows, and small archives are not read twice.
    pub(in crate::ops) fn of(mut found: Found<'_>) -> Self {
        Self {
            archives: found.ahead(usize::MAX),
            findings: found.findings,
            ruined: found.ruined,
            passed_over: found.passed_over,
            left_out: found.left_out,
        }
    }

    /// The archives that a directory leads to. If it only has WADs, and other files, it is one archive itself, because
    /// the files of a mod include WADs.
    pub(in crate::ops) fn of_directory(context: &Context<'_>, path: &Path) -> Self {
        let found = Self::of(Found::new(context, &[path]));
        let are_wads = !found.archives.is_empty() && found.archives.iter().all(is_wad);
        if are_wads
            && found.findings.is_empty()
            && let Ok(whole) = Self::whole_directory(context, path)
            && whole.archives.iter().any(|it| it.holds_more_than(found.archives.len()))
        {
            return whole;
        }
        found
    }

    /// A directory as one archive, whatever is in it.
    pub(in crate::ops) fn whole_directory(
        context: &Context<'_>,
        path: &Path,
    ) -> Result<Self, Vec<Finding>> {
        let (archive, left_out) = open_directory(&context.system, path)?;
        Ok(Self {
            archives: vec![Input::of_loose(path, directory_name(path), archive)],
            left_out,
            ..Self::default()
        })
    }

    /// The warnings about files that are no archives, or are left out of directories that are archives.
    pub(in crate::ops) fn warnings(&self) -> Vec<Finding> {
        warnings(&self.ruined, &self.passed_over, &self.left_out)
    }

    /// The directories that are archives.
    pub(in crate::ops) fn directories(&self) -> impl Iterator<Item = &Path> {
        self.archives.iter().filter_map(Input::as_directory)
    }

    /// The paths of the files that contain the inputs.
    pub(in crate::ops) fn files(&self) -> Vec<PathBuf> {
        self.archives.iter().flat_map(Input::files).collect()
    }
}

/// Whether a search has found a WAD.
fn is_wad(input: &Input) -> bool {
    input.found && matches!(magic(&input.path), Ok(Some([b'W', ..])))
}

//! Parts that an earlier run into more of them has left behind the new ones. An engine loads them
//! later, so that what they have goes before what the new parts have.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::series::Series;
use crate::engine::{Engine, Engines, Step, load_position};
use crate::error::{Error, ErrorKind};
use crate::fs::{FileId, Found, Kind, Root};
use crate::ops::context::Problem;

/// The files that stand where further parts of an output would.
#[derive(Debug, Default)]
pub(in crate::ops) struct Stale {
    engines: Engines,
    /// Their numbers among the parts, counted from 0, and where they are, in this order.
    found: Vec<(u64, PathBuf)>,
}

impl Stale {
    /// What stands beside the first part. `spared` says what is no part that was left: an input, or another output.
    pub(in crate::ops) fn find(
        root: &Root,
        engines: Engines,
        (relative, shown): (&Path, &Path),
        spared: impl Fn(&Path, Option<FileId>) -> bool,
    ) -> Self {
        let mut stale = Self {
            engines,
            found: Vec::new(),
        };
        let folder = |path: &Path| path.parent().unwrap_or(Path::new("")).to_path_buf();
        let (within, beside) = (folder(relative), folder(shown));
        let listed = match root.path().join(&within) {
            here if here.as_os_str().is_empty() => PathBuf::from("."),
            listed => listed,
        };
        let listing = std::fs::read_dir(listed);
        // A folder that is not there holds nothing, and one that cannot be listed is told by
        // whoever writes to it.
        let (Some(series), Ok(listing)) = (Series::of(relative), listing) else {
            return stale;
        };
        for name in listing
            .filter_map(Result::ok)
            .map(|entry| entry.file_name())
        {
            let part = series.part_of(&name).filter(|part| *part > 0);
            let path = within.join(&name);
            if let (Some(part), Ok(Found::Taken { kind, id, .. })) = (part, root.look(&path))
                && matches!(kind, Kind::File | Kind::Link)
                && !spared(&path, id)
            {
                stale.found.push((part, beside.join(&name)));
            }
        }
        stale.found.sort_unstable();
        stale
    }

    /// A warning of those that are loaded behind so many parts.
    pub(in crate::ops) fn behind(&self, parts: usize) -> Option<Problem> {
        let mut next = parts as u64;
        let mut loaded = self.found.iter().filter(|(part, path)| {
            let follows = *part == next;
            next += u64::from(follows);
            *part >= parts as u64 && self.loads(path.file_name().unwrap_or_default(), follows)
        });
        let (_, first) = loaded.next()?;
        let others = loaded.map(|(_, path)| path.clone()).collect();
        let error = Error::from(ErrorKind::BehindParts { others });
        Some(Problem::warning(error.in_pak(first)))
    }

    /// Whether one of the engines loads a pak of this name. Most need every number before it, and where
    /// none is named, it may be one of them.
    fn loads(&self, name: &OsStr, follows: bool) -> bool {
        if self.engines.is_empty() {
            return follows;
        }
        let ends = |step: &Step| matches!(step, Step::Numbers { last: None, .. });
        let loads = |engine: Engine| {
            let gaps = !engine.profile().order.iter().all(ends);
            (follows || gaps) && load_position(name.as_encoded_bytes(), engine).is_ok()
        };
        self.engines.iter().any(loads)
    }
}

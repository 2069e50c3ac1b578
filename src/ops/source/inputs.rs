//! All archives of a run, for operations that must know them before they begin.

use std::path::PathBuf;

use super::open::{Input, InputBytes};
use super::passed_over::PassedOver;
use super::search::Found;
use crate::ops::context::Context;
use crate::ops::finding::Finding;

/// The most entries that archives may have together to stay open until their turn.
const ENTRIES_KEPT: usize = 1 << 15;

/// All archives that a search has found, and what else it met.
#[derive(Debug, Default)]
pub(in crate::ops) struct Inputs {
    /// The archives, in order.
    pub(in crate::ops) archives: Vec<Input>,
    /// Files and directories that could not be searched, and directories without an archive.
    pub(in crate::ops) findings: Vec<Finding>,
    /// Files that were not taken as archives, although the user may expect it.
    pub(in crate::ops) passed_over: Vec<(Input, PassedOver)>,
}

impl Inputs {
    /// Searches everything before the first archive has its turn. Files stay open until then, as far as the system
    /// allows, and small archives are not read twice.
    pub(in crate::ops) fn of(context: &Context<'_>, mut found: Found<'_>) -> Self {
        let (mut archives, mut entries) = (Vec::new(), 0);
        let stay_open = context.system.files_kept_open();
        for mut input in &mut found {
            if let InputBytes::Archive(_, archive) = &input.bytes {
                entries += archive.len();
            }
            let stays_open = archives.len() < stay_open;
            if !stays_open || entries > ENTRIES_KEPT {
                input.set_aside(stays_open);
            }
            archives.push(input);
        }
        Self {
            archives,
            findings: found.findings,
            passed_over: found.passed_over,
        }
    }

    /// A warning for each file that was passed over.
    pub(in crate::ops) fn warnings(&self) -> impl Iterator<Item = Finding> {
        let passed_over = self.passed_over.iter();
        passed_over.map(|(input, why)| why.warning(&input.path))
    }

    /// The paths of the files that contain the inputs.
    pub(in crate::ops) fn files(&self) -> Vec<PathBuf> {
        self.archives.iter().map(Input::file).collect()
    }
}

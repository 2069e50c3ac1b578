//! An archive that is to be read, and what a search for archives gives.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use super::nested;
use super::open::{bytes, check_regular};
use super::passed_over::PassedOver;
use crate::archive::{Archive, ReadAt};
use crate::fs::Source;
use crate::ops::context::Context;
use crate::ops::finding::Finding;

/// An archive to read.
#[derive(Debug, Clone)]
pub struct Input {
    /// Where it is, as a user would write it.
    pub path: PathBuf,
    /// The path of its output below an output directory: a file's own name, or the path from the directory
    /// that was searched.
    pub relative: PathBuf,
    /// Whether a search has found it.
    pub found: bool,
    pub(super) bytes: InputBytes,
}

/// Where an input's bytes are.
#[derive(Debug, Clone)]
pub(super) enum InputBytes {
    /// At its path, which is opened when it is this input's turn.
    Path,
    /// In a file that the search has opened.
    File(Source),
    /// In an entry of another archive.
    Entry(Arc<Archive>, usize),
}

impl Input {
    /// Closes the file that the search has opened. There can be more archives than a process may have open.
    /// Opening each one when its turn comes is faster than closing some and opening them again.
    pub(super) fn close(&mut self) {
        if matches!(self.bytes, InputBytes::File(_)) {
            self.bytes = InputBytes::Path;
        }
    }

    /// Opens the archive.
    pub(in crate::ops) fn open(&self, context: &Context<'_>) -> Result<Archive, Finding> {
        let open = || {
            context.cancel.check()?;
            let bytes: Box<dyn ReadAt> = match &self.bytes {
                InputBytes::Path => bytes(&context.system, &self.path)?,
                InputBytes::File(file) => {
                    check_regular(file)?;
                    Box::new(file.clone())
                }
                InputBytes::Entry(outer, index) => {
                    nested::content(&context.system, outer, *index, outer.file_len())?
                }
            };
            Ok(Archive::read(bytes, context.open, Some(&self.path))?)
        };
        open().map_err(|error: Finding| error.in_pak(&self.path))
    }

    /// The length of its file, or of the entry that it is; 0 if that cannot be found out.
    pub(in crate::ops) fn len(&self) -> u64 {
        let len = match &self.bytes {
            InputBytes::Path => fs::metadata(&self.path).ok().map(|found| found.len()),
            InputBytes::File(file) => file.size().ok(),
            InputBytes::Entry(outer, index) => outer.entry(*index).map(|entry| entry.size()),
        };
        len.unwrap_or_default()
    }

    /// The file that it is in.
    pub(in crate::ops) fn file(&self) -> PathBuf {
        nested::file_of(&self.path)
    }
}

/// What paths lead to.
#[derive(Debug, Default)]
pub struct Inputs {
    /// The archives, in order.
    pub archives: Vec<Input>,
    /// Files and directories that could not be searched, and directories that hold no archive.
    pub findings: Vec<Finding>,
    /// What a search has not taken for an archive, and a user may have meant.
    pub passed_over: Vec<(Input, PassedOver)>,
}

impl Inputs {
    /// A warning for each file that is skipped.
    pub(in crate::ops) fn warnings(&self) -> impl Iterator<Item = Finding> {
        let passed_over = self.passed_over.iter();
        passed_over.map(|(input, why)| why.warning().in_pak(&input.path))
    }

    /// The files that the inputs are in.
    pub(in crate::ops) fn files(&self) -> Vec<PathBuf> {
        self.archives.iter().map(Input::file).collect()
    }
}

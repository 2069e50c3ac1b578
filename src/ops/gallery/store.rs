//! Where a tile's files go: beside the page, or into it.

use crate::ops::finding::Finding;
use std::path::PathBuf;

use crate::archive::Sink as _;
use crate::fs::Over;
use crate::ops::base64::base64;
use crate::ops::context::Existing;
use crate::ops::plan::targets::OutputRoot;

/// Where files go that a page shows.
#[derive(Clone, Copy)]
pub(super) enum Store<'a> {
    /// Into the page.
    Page,
    /// Into a folder beside it.
    Files(&'a OutputRoot),
}

/// The folder beside the page.
const FOLDER: &str = "files";

impl Store<'_> {
    /// Keeps a file, and returns by which address the page finds it.
    pub(super) fn keep(
        self,
        name: &str,
        media_type: &str,
        content: &[u8],
    ) -> Result<String, Finding> {
        let root = match self {
            Self::Page => return Ok(format!("data:{media_type};base64,{}", base64(content))),
            Self::Files(root) => root,
        };
        let relative = PathBuf::from(FOLDER).join(name);
        let draft = root.root.draft(&relative)?;
        draft.write_at(content, 0).map_err(Finding::from_io)?;
        let over = match root.existing {
            Existing::Replace => Over::Old,
            _ => Over::Nothing,
        };
        let shown = root.root.path().join(&relative);
        root.commit(draft.close(over)?, &relative, &shown)?;
        Ok(format!("{FOLDER}/{name}"))
    }
}

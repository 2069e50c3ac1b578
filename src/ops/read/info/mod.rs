//! What archives are like as a whole: the format and why, sums, an account of every byte, what is
//! unusual, which engines load them, and what the files in them are.
//!
//! What is remarked is what a directory can show; `verify` shows the rest. Of the files only headers are
//! read, and decoded where they are compressed.

mod content;
mod remarks;

use std::path::{Path, PathBuf};

use crate::archive::{Archive, Entry};
use crate::engine::{Engines, Facts, Stock};
use crate::ops::context::{Context, Refusal};
use crate::ops::row::{Content, Delivery, InfoRow, Row, Summary};
use crate::ops::source::{self, Search};

/// Looks at one archive after another. The verdicts are those of `engines`, or of all that there are if
/// these are none.
///
/// ```
/// use daisho::ops::context::Context;
/// use daisho::engine::Engines;
/// use daisho::ops::source::Search;
/// use daisho::ops::read::info::info;
/// use daisho::ops::row::Row;
///
/// let context = Context::new();
/// let path = "corpus/paks/sound/gap-of-dead-data.pak".into();
/// info(&context, &[path], Search::default(), Engines::NONE, &mut |row| {
///     if let Row::Info(pak) = row {
///         assert!(pak.account.gap_bytes() > 0);
///         for remark in &pak.remarks {
///             println!("{remark}");
///         }
///     }
/// })?;
/// # Ok::<(), daisho::ops::context::Refusal>(())
/// ```
///
/// # Errors
///
/// A directory without `recursive`.
pub fn info(
    context: &Context<'_>,
    paths: &[PathBuf],
    search: Search,
    engines: Engines,
    rows: &mut dyn FnMut(Row),
) -> Result<Summary, Refusal> {
    let mut out = Delivery::new(rows);
    source::each(
        context,
        paths,
        search,
        &mut out,
        &mut |input, archive, out| {
            let info = look(context, &input.path, archive, engines);
            out.row(Row::Info(Box::new(info)));
        },
    )?;
    Ok(out.summary)
}

/// Looks at an archive.
fn look(context: &Context<'_>, path: &Path, archive: &Archive, asked: Engines) -> InfoRow {
    let account = archive.account();
    let entries = || archive.entries();
    InfoRow {
        archive: path.to_path_buf(),
        format: archive.format(),
        why: archive.why(),
        entries: archive.len(),
        compressed: entries().filter(Entry::is_compressed).count(),
        empty: entries().filter(|entry| entry.size() == 0).count(),
        // Entries are free to claim more than a number can say.
        size: entries()
            .map(|entry| entry.size())
            .fold(0, u64::saturating_add),
        packed_size: entries()
            .map(|entry| entry.stored_len())
            .fold(0, u64::saturating_add),
        remarks: remarks::of(archive, &account),
        account,
        engines: Facts::of(archive).judge_for(asked),
        content: Content::of(context, archive, asked),
        stock: Stock::of(archive),
        is_check: !asked.is_empty(),
    }
}

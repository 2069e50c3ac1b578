//! What archives are like as a whole: the format and why, sums, an account of every byte, what is
//! unusual, which engines load them, and what the files in them are.
//!
//! What is remarked is what a directory can show; `verify` shows the rest. Of the files only headers are
//! read, and decoded where they are compressed.

mod content;
mod remarks;
mod row;

use std::path::PathBuf;

use crate::engine::Engines;
use crate::ops::context::{Context, Refusal};
use crate::ops::inputs::Search;
use crate::ops::pool::Pool;
use crate::ops::read::visit;
use crate::ops::row::{Delivery, Row, Summary};

pub use content::{Content, Contrary, Kind, Named, Unread};
pub use remarks::Remark;
pub use row::InfoRow;

/// Looks at one archive after another. The verdicts are those of `engines`, or of all that there are if
/// these are none.
///
/// ```
/// use daisho::ops::context::{Cancel, Context, Unobserved};
/// use daisho::engine::Engines;
/// use daisho::ops::inputs::Search;
/// use daisho::ops::read::info::info;
/// use daisho::ops::row::Row;
///
/// let cancel = Cancel::new();
/// let context = Context::new(&Unobserved, &cancel);
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
    let pool = Pool::new(context.jobs);
    let mut out = Delivery::new(rows);
    visit::each(
        context,
        paths,
        search,
        &mut out,
        &mut |path, archive, out| {
            let info = InfoRow::new(path, archive, engines, &pool);
            out.row(Row::Info(Box::new(info)));
        },
    )?;
    Ok(out.summary)
}

//! What archives are like as a whole: the format and why, sums, an account of every byte, what is
//! unusual, which engines load them, and what the files in them are.
//!
//! What is remarked is what a directory can show; `verify` shows the rest. Of the files only headers are
//! read, and decoded where they are compressed.

mod content;
mod remarks;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use crate::archive::{Account, Archive, Entry};
use crate::engine::{Engine, Engines, Facts, Stock, Verdict};
use crate::ops::context::{Context, Refusal};
use crate::ops::inputs::Search;
use crate::ops::pool::Pool;
use crate::ops::read::visit::{self, Visited};

pub use content::{Content, Contrary, Kind, Unread};
pub use remarks::Remark;

/// One archive, looked at.
#[derive(Debug)]
pub struct Info<'a> {
    /// Where it is, as the user would write it.
    pub path: &'a Path,
    /// The archive.
    pub archive: &'a Archive,
    /// How many of its entries are compressed.
    pub compressed: usize,
    /// How many have no content.
    pub empty: usize,
    /// The sum of the sizes that the entries state, decompressed.
    pub size: u64,
    /// The sum of the lengths of their payloads, each entry's counted.
    pub packed_size: u64,
    /// Where every byte belongs.
    pub account: Account,
    /// What is unusual.
    pub remarks: Vec<Remark>,
    /// What each engine that is asked about makes of it. Where none is, nothing is said of a WAD, which
    /// none loads as an archive of files.
    pub engines: Vec<(Engine, Verdict)>,
    /// What the files in it are, and which of them the engines that were asked about cannot read.
    pub content: Content,
    /// Which of Quake's own paks it is, where it is one.
    pub stock: Option<Stock>,
}

/// Looks at one archive after another, and lends what it finds to `visit`, until that breaks off. The
/// verdicts are those of `engines`, or where these are none, of all that there are.
///
/// ```
/// use daisho::ops::context::{Cancel, Context, Unobserved};
/// use daisho::engine::Engines;
/// use daisho::ops::inputs::Search;
/// use daisho::ops::read::info::info;
/// use std::ops::ControlFlow;
///
/// let cancel = Cancel::new();
/// let context = Context::new(&Unobserved, &cancel);
/// let path = "corpus/paks/sound/gap-of-dead-data.pak".into();
/// info(&context, &[path], Search::default(), Engines::NONE, |pak| {
///     assert!(pak.account.gap_bytes() > 0);
///     for remark in &pak.remarks {
///         println!("{remark}");
///     }
///     ControlFlow::Continue(())
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
    mut visit: impl FnMut(&Info<'_>) -> ControlFlow<()>,
) -> Result<Visited, Refusal> {
    let pool = Pool::new(context.jobs);
    visit::each(context, paths, search, |path, archive| {
        visit(&Info::new(path, archive, engines, &pool))
    })
}

impl<'a> Info<'a> {
    fn new(path: &'a Path, archive: &'a Archive, only: Engines, pool: &Pool) -> Self {
        let account = archive.account();
        let entries = || archive.entries();
        Self {
            path,
            archive,
            compressed: entries().filter(|entry| entry.is_compressed()).count(),
            empty: entries().filter(|entry| entry.size() == 0).count(),
            size: total(archive, |entry| entry.size()),
            packed_size: total(archive, |entry| entry.stored_len()),
            remarks: remarks::of(archive, &account),
            account,
            engines: Facts::of(archive).judge_for(only),
            content: Content::of(archive, only, pool),
            stock: Stock::of(archive),
        }
    }

    /// What an engine makes of it, where that was asked for.
    #[must_use]
    pub fn verdict(&self, engine: Engine) -> Option<&Verdict> {
        let verdict = self.engines.iter().find(|(other, _)| *other == engine);
        verdict.map(|(_, verdict)| verdict)
    }

    /// Whether something is not only odd but damaged.
    #[must_use]
    pub fn is_damaged(&self) -> bool {
        self.remarks.iter().any(Remark::is_damage)
    }
}

/// A number of all entries together, which are free to claim more than a number can say.
fn total(archive: &Archive, of: fn(&Entry<'_>) -> u64) -> u64 {
    let all = archive.entries().map(|entry| of(&entry));
    all.fold(0, u64::saturating_add)
}

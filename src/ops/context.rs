//! What every operation needs besides its own options: threads, an observer, a way to stop, the file system.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::archive::{RawName, ReadOptions};
use crate::fs::System;
use crate::ops::finding::{Finding, Notice};
use crate::ops::pool::Pool;
use crate::ops::source::Selection;

/// What every operation is given besides its own options: threads, who watches, and who may stop it.
///
/// Its threads begin with the first work that there is for two, and end with it.
pub struct Context<'a> {
    /// How archives are read where the user overrides what would be found out.
    pub(super) open: ReadOptions,
    /// Which archives a search takes, by their paths.
    searched: Option<&'a Selection>,
    /// Counts the work that was found and done.
    pub(super) observer: &'a dyn Observer,
    /// Set from outside to bring the operation to an early, clean end.
    pub(super) cancel: &'a Cancel,
    /// The system that files are on. Tests interfere with it.
    pub(super) system: System,
    pub(super) pool: Pool,
}

impl<'a> Context<'a> {
    /// All cores, nobody who watches or stops, and archives read as the evidence in them says.
    ///
    /// ```
    /// use daisho::ops::context::Context;
    ///
    /// let context = Context::new();
    /// let on_one_thread = Context::new().with_jobs(1.try_into().ok());
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self {
            open: ReadOptions::default(),
            searched: None,
            observer: &Unobserved,
            cancel: &NEVER,
            system: System::real(),
            pool: Pool::new(None),
        }
    }

    /// With somebody who sees how far an operation is.
    #[must_use]
    pub fn observed_by(self, observer: &'a dyn Observer) -> Self {
        Self { observer, ..self }
    }

    /// With somebody who may stop an operation.
    #[must_use]
    pub fn stopped_by(self, cancel: &'a Cancel) -> Self {
        Self { cancel, ..self }
    }

    /// With so many threads, or one for each core.
    #[must_use]
    pub fn with_jobs(self, jobs: Option<NonZeroUsize>) -> Self {
        Self {
            pool: Pool::new(jobs),
            ..self
        }
    }

    /// With archives read so.
    #[must_use]
    pub fn reading(self, open: ReadOptions) -> Self {
        Self { open, ..self }
    }

    /// With searches that take only the archives that `archives` picks, by their paths relative to the directory
    /// that is searched.
    ///
    /// ```
    /// use daisho::ops::context::Context;
    /// use daisho::ops::source::Selection;
    ///
    /// let without_backups = Selection::new(&[], &["old/**"])?;
    /// let context = Context::new().searching(&without_backups);
    /// # Ok::<(), daisho::ops::finding::Finding>(())
    /// ```
    #[must_use]
    pub fn searching(self, archives: &'a Selection) -> Self {
        Self {
            searched: Some(archives),
            ..self
        }
    }

    /// Whether a search leaves out the archive at this path.
    pub(super) fn leaves_out(&self, path: &[u8]) -> bool {
        self.searched
            .is_some_and(|it| !it.picks(RawName::new(path)))
    }

    /// With another system.
    #[cfg(all(test, unix))]
    pub(crate) fn on(self, system: System) -> Self {
        Self { system, ..self }
    }

    /// Reports work that was found.
    pub(super) fn found(&self, entries: u64, bytes: u64) {
        self.observer.found(Work { entries, bytes });
    }

    /// Reports work that was done.
    pub(super) fn done(&self, entries: u64, bytes: u64) {
        self.observer.done(Work { entries, bytes });
    }
}

impl Default for Context<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl core::fmt::Debug for Context<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Context").finish_non_exhaustive()
    }
}

/// Sees how far an operation is. Every method may be called from any thread, and
/// does nothing unless it is written.
///
/// They are called between pieces of work, by those who do it: add to a counter and return, and let
/// another thread draw. [What it is called with](crate::ops#progress-in-ones-own-program) is shown
/// with an example.
#[allow(unused_variables)] // The names of the parameters are documentation.
pub trait Observer: Sync {
    /// A batch of this many archives begins. What each of them holds is found when it is opened.
    fn archives(&self, found: u64) {}
    /// An archive of the batch is done.
    fn archive_done(&self) {}
    /// So much work has been found to do, on top of what was told before.
    fn found(&self, work: Work) {}
    /// Work on `name` (a pak) begins.
    fn begin(&self, name: &str) {}
    /// So much work was done since the last call.
    fn done(&self, work: Work) {}
    /// Work on `name` is over.
    fn end(&self, name: &str) {}
}

/// An observer that does not look.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unobserved;

impl Observer for Unobserved {}

/// An amount of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Work {
    /// Entries of paks, or files.
    pub entries: u64,
    /// Bytes of content, decompressed.
    pub bytes: u64,
}

/// Nobody asks for a stop.
static NEVER: Cancel = Cancel::new();

/// Asks an operation to stop. What it has begun and not committed is taken back.
#[derive(Debug, Default)]
pub struct Cancel(AtomicBool);

impl Cancel {
    /// Nothing asks for a stop yet.
    #[must_use]
    pub const fn new() -> Self {
        Self(AtomicBool::new(false))
    }

    /// Asks for the stop. Safe to call from a signal's thread, more than once.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether a stop was asked for.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// An error once a stop was asked for: loops over pieces of work call this between them.
    ///
    /// # Errors
    ///
    /// [`Notice::Interrupted`].
    pub fn check(&self) -> Result<(), Finding> {
        if self.is_set() {
            return Err(Finding::error(Notice::Interrupted, "interrupted"));
        }
        Ok(())
    }
}

/// What is done about files that exist where an output would go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Existing {
    /// Nothing is written at all, and each existing file is reported.
    #[default]
    Refuse,
    /// Each is replaced, as a whole, when its successor is complete.
    Replace,
    /// Each is kept, and the rest goes on.
    Keep,
}

/// Why an operation did not begin: nothing was written, and what is asked for must change.
#[derive(Debug)]
pub struct Refusal(pub Vec<Finding>);

impl From<Finding> for Refusal {
    fn from(error: Finding) -> Self {
        Self(vec![error])
    }
}

impl core::fmt::Display for Refusal {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let words: Vec<String> = self.0.iter().map(Finding::to_string).collect();
        f.write_str(&words.join("; "))
    }
}

impl core::error::Error for Refusal {}

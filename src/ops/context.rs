//! The things that every operation needs besides its own options: threads, an observer, a way to stop, the file
//! system.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::archive::{RawName, ReadOptions};
use crate::fs::System;
use crate::ops::finding::{Finding, Meaning};
use crate::ops::pool::Pool;
use crate::ops::selection::Selection;

/// What every operation gets besides its own options: the threads, an observer of its progress, and a way to stop
/// it.
///
/// The threads start when there is first work for more than one of them, and end when the context is dropped.
pub struct Context<'a> {
    /// How archives are read, if the user overrides the detection.
    pub(crate) open: ReadOptions,
    /// Which archives a search includes, by their paths. `None` if it includes all of them.
    searched: Option<&'a Selection>,
    /// Counts the work that was found and done.
    pub(crate) observer: &'a dyn Observer,
    /// Set from outside to bring the operation to an early, clean end.
    pub(crate) cancel: &'a Cancel,
    /// Access to the file system. Tests replace it to make calls fail.
    pub(crate) system: System,
    pub(crate) pool: Pool,
}

impl<'a> Context<'a> {
    /// A context with a thread for each core, without an observer or a way to stop. How to read archives is
    /// detected.
    ///
    /// ```
    /// use daisho::ops::Context;
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

    /// Sets the observer of an operation's progress.
    #[must_use]
    pub fn observed_by(self, observer: &'a dyn Observer) -> Self {
        Self { observer, ..self }
    }

    /// Sets the flag that stops an operation.
    #[must_use]
    pub fn stopped_by(self, cancel: &'a Cancel) -> Self {
        Self { cancel, ..self }
    }

    /// Sets the number of threads. `None` means one for each core.
    #[must_use]
    pub fn with_jobs(self, jobs: Option<NonZeroUsize>) -> Self {
        Self { pool: Pool::new(jobs), ..self }
    }

    /// Sets how archives are read.
    #[must_use]
    pub fn reading(self, open: ReadOptions) -> Self {
        Self { open, ..self }
    }

    /// Makes searches include only the archives that `archives` selects, by their paths relative to the searched
    /// directory.
    ///
    /// ```
    /// use daisho::ops::Context;
    /// use daisho::ops::source::Selection;
    ///
    /// let without_backups = Selection::new(&[], &["old/**"])?;
    /// let context = Context::new().searching(&without_backups);
    /// # Ok::<(), daisho::ops::finding::Finding>(())
    /// ```
    #[must_use]
    pub fn searching(self, archives: &'a Selection) -> Self {
        Self { searched: (!archives.is_all()).then_some(archives), ..self }
    }

    /// Whether a search leaves out the archive at this path.
    pub(crate) fn leaves_out(&self, path: &[u8]) -> bool {
        self.searched.is_some_and(|it| !it.picks(RawName::new(path)))
    }

    /// Sets the access to the file system.
    #[cfg(all(test, unix))]
    pub(crate) fn on(self, system: System) -> Self {
        Self { system, ..self }
    }

    /// Reports work that was found.
    pub(crate) fn found(&self, entries: u64, bytes: u64) {
        self.observer.found(Work { entries, bytes });
    }

    /// Reports work that was done.
    pub(crate) fn done(&self, entries: u64, bytes: u64) {
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

/// Observes the progress of an operation. Every method may be called from any thread. The default methods do
/// nothing.
///
/// The threads that do the work call these methods between pieces of it. So add to a counter and return, and let
/// another thread draw. [An example](crate::ops#progress-in-ones-own-program) shows the calls.
#[allow(unused_variables)] // The names of the parameters are documentation.
pub trait Observer: Sync {
    /// There are so many archives, and their files have so many bytes. The content of each is found when it is opened.
    fn archives(&self, found: u64, bytes: u64) {}
    /// An archive whose file has so many bytes is done.
    fn archive_done(&self, bytes: u64) {}
    /// More work was found. It adds to the work of earlier calls.
    fn found(&self, work: Work) {}
    /// Work on `name` (a pak) begins.
    fn begin(&self, name: &str) {}
    /// So much work was done since the last call.
    fn done(&self, work: Work) {}
    /// Work on `name` is over.
    fn end(&self, name: &str) {}
}

/// An observer that does nothing.
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

/// A flag that nobody ever sets.
static NEVER: Cancel = Cancel::new();

/// A flag that asks an operation to stop. The operation then discards what it has begun but not committed.
#[derive(Debug, Default)]
pub struct Cancel(AtomicBool);

impl Cancel {
    /// Creates a flag that is not set.
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

    /// Returns an error after a stop was asked for. Loops call this between pieces of work.
    ///
    /// # Errors
    ///
    /// A finding that [is a stop](Finding::is_stop).
    pub fn check(&self) -> Result<(), Finding> {
        if self.is_set() {
            return Err(Finding::error("interrupted").means(Meaning::Stopped));
        }
        Ok(())
    }
}

/// What to do about files that exist where an output would go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Existing {
    /// Write nothing at all, and report each existing file.
    #[default]
    Refuse,
    /// Replace each existing file when the new file is complete.
    Replace,
    /// Keep each existing file, and write the rest.
    Keep,
}

/// Why an operation did not begin. Nothing was written, and the request must change.
#[derive(Debug)]
pub struct Refusal(pub Vec<Finding>);

impl Refusal {
    /// Refuses if there is a finding.
    pub(crate) fn if_any(found: Vec<Finding>) -> Result<(), Self> {
        if found.is_empty() { Ok(()) } else { Err(Self(found)) }
    }
}

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

//! Output files and directories. Only this module creates, links, renames, removes or changes them.
//!
//! A [`Root`] is a directory that output goes to. A file below it is written as a [`Draft`], which has no name, or a
//! hidden one, and gets its final name when it is complete.
//!
//! | step                       | a new name                        | over an old file ([`Over::Old`])        |
//! |----------------------------|-----------------------------------|-----------------------------------------|
//! | parents                    | opened one by one, made if absent | opened one by one                       |
//! | the file                   | created without a name            | created without a name                  |
//! | the bytes                  | at their offsets, from any thread | at their offsets, from any thread       |
//! | the old file's permissions |                                   | given to the new file                   |
//! | sync of the file           |                                   | always                                  |
//! | the name                   | linked; fails if it is taken      | linked to a hidden name, then renamed   |
//! | sync of the directory      |                                   | always                                  |
//!
//! A small new file needs four system calls: create, write, link, close. A file under a final name is complete at any
//! moment, even after a kill. No existing file is replaced unless the user asked for it, even if other programs write
//! to the same directory. If a file has appeared under a new name since the plan, [`Complete::place`] returns the
//! complete draft to the caller, who decides again and may replace that file.
//!
//! Many file systems, and all systems but Linux, have no unnamed files. There a file has a hidden name from the start
//! (`.daisho-XXXXXXXX.tmp`), and a kill may leave it behind. So it may if more than 64 files wait for their names: the
//! others get hidden names and are closed. A draft that is dropped removes its hidden name. If that
//! fails, [`Root::finish`] reports it. Directories that were made for files that all failed are removed at the end
//! (`root`).
//!
//! **Links.** The root itself may be a symbolic link, or be reached through links, because the user named it. Below
//! it, no link is followed, wherever it points. A link to a directory on the way to a file is an error. A link under
//! the final name counts as a name that is taken, and a replacement replaces the link. Every call below the root
//! takes one handle (cap-std) and one plain name, so nobody can change a path between two calls.
//!
//! **File systems without hard links** (FAT, some network and phone storage) get a rename that refuses an existing
//! name. If the system lacks that call, too, an empty file is created to hold the final name, and the complete file
//! is renamed over it. Only then, a kill between the two calls leaves an empty file.
//!
//! **What this does not promise.** A new file gets its own owner, group, access lists and times, even if it replaces
//! another file. Its group permissions are kept only for the same group. Until it is complete, the temporary file has
//! the permissions of any new file. Only Unix keeps permissions at all. If two runs edit a file at the same moment, a
//! lock on Unix lets only one of them replace it; elsewhere there is only the check just before. Some network file
//! systems report a full disk only when a file is closed. Without a sync, that error is lost, because Rust's standard
//! library ignores errors of close.
//!
//! **Tests.** Every system call passes [`System`], and so do the calls that open and read the [`Source`]s of the
//! bytes. A test interferes there: it makes call number N fail, shortens it, or makes it and reports it as failed.

mod backup;
mod draft;
mod error;
mod naming;
mod root;
mod scratch;
mod source;
mod status;
mod system;

#[cfg_attr(unix, path = "unix.rs")]
#[cfg_attr(target_os = "wasi", path = "wasi.rs")]
#[cfg_attr(not(any(unix, target_os = "wasi")), path = "portable.rs")]
mod platform;

pub(crate) use draft::{Draft, Over, WriteAt, is_temporary};
pub(crate) use error::CommitError;
pub(crate) use naming::{Complete, NameOutcome};
pub(crate) use root::Root;
pub(crate) use scratch::Scratch;
pub(crate) use source::{Source, archive_of, canonicalize, is_standard_input};
pub(crate) use status::{FileId, FileKind, Occupant};
pub(crate) use system::{System, lock};

#[cfg(all(test, unix))]
pub(crate) use draft::MemorySink;
#[cfg(all(test, unix))]
pub(crate) use error::FileAction;
#[cfg(all(test, unix))]
pub(crate) use system::{Call, Interference, Treatment};

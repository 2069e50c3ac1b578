//! Output files and directories. Only this module creates, links, renames, removes or changes them.
//!
//! A [`Root`] is a directory that output goes to. Below it, a file is written as a [`Draft`], which has no name,
//! or a hidden one, and gets its final name when it is whole.
//!
//! | step                      | a new name                        | over an old one ([`Over::Old`])      |
//! |---------------------------|-----------------------------------|--------------------------------------|
//! | parents                   | opened one by one, made if absent | opened one by one                    |
//! | the file                  | created without a name            | created without a name               |
//! | the bytes                 | at their offsets, from any thread | at their offsets, from any thread    |
//! | the old one's permissions |                                   | given to the new one                 |
//! | sync the file             |                                   | always                               |
//! | the name                  | linked, fails if something has it | linked to a hidden name, and renamed |
//! | sync the directory        |                                   | always                               |
//!
//! That is four system calls for a small new file (create, write, link, close). For that, what is under a final
//! name is whole at any moment, also after a kill, and nothing that existed is replaced unasked, even if other programs
//! write there meanwhile. If something has appeared under a new name since it was planned, the whole
//! file comes back to the caller ([`Draft::place`]), who decides again, and may have it replaced.
//!
//! Many file systems, and all systems but Linux, have no unnamed files. There a file has a hidden name from the
//! first (`.daisho-XXXXXXXX.tmp`), and a kill may leave it. A draft that is dropped removes its hidden name; if
//! even that fails, [`Root::finish`] reports it. Directories that were made for files that all failed are
//! removed at the end (`root`).
//!
//! **Links.** The root itself may be a symbolic link, or lie behind some: the user named it. Below
//! it none is followed, wherever it points, inside or out: a directory link on the way to a file is
//! an error, a link under the final name counts as a name that is taken, and replacing it replaces
//! the link. Every call below the root takes one handle (cap-std) and one plain name, so there is
//! no path for anyone to change between two calls.
//!
//! **File systems without hard links** (FAT, some network and phone storage) get a rename that
//! refuses an existing name. Where that call is missing too, an empty file is created under the final
//! name, to hold it, and renamed over: there, and only there, a kill in between leaves an empty
//! file under it.
//!
//! **What this does not promise.** Owner, group, access lists and times of a replaced file are those
//! of a new one (and what its group might do is kept for that group only), and until it is whole the
//! temporary has a new file's permissions. Elsewhere than on Unix permissions are those of a new
//! file. Without a sync, a network file system that reports a full disk only when a file
//! is closed is not heard: Rust's standard library has no close that fails.
//!
//! **Tests.** Every system call passes [`System`], and so do the calls that open and read the files that
//! the bytes come from ([`Source`]). A test interferes there: it fails call number N,
//! shortens it, or has it made and then reported as failed.

mod backup;
mod draft;
mod error;
#[cfg(not(any(target_os = "linux", target_os = "android")))]
mod lacking;
mod root;
mod scratch;
mod sink;
mod source;
mod status;
mod system;

#[cfg_attr(unix, path = "unix.rs")]
#[cfg_attr(not(unix), path = "portable.rs")]
mod platform;

pub(crate) use draft::{Draft, Over, is_temporary};
pub(crate) use error::CommitError;
pub(crate) use root::Root;
pub(crate) use scratch::Scratch;
pub(crate) use sink::Sink;
pub(crate) use source::{Source, archive_of, is_standard_input};
pub(crate) use status::{FileId, FileKind, Occupant};
pub(crate) use system::{System, lock};

#[cfg(all(test, unix))]
pub(crate) use error::FileAction;
#[cfg(test)]
pub(crate) use sink::MemorySink;
#[cfg(all(test, unix))]
pub(crate) use system::{Call, Interference, Treatment};

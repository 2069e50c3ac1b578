//! Room in memory: whether there is enough of it for what is about to begin.
//!
//! A small piece of memory that is not to be had ends the process: neither Rust's collections nor
//! the C library can tell anybody of it, and the standard library ends a process, too, that has a
//! new thread and no room for its signal stack. So under a limit, and only there, room is asked
//! for in advance, in large pieces, where its lack is an error or costs a thread:
//!
//! | before                | asked for                                         | where it lacks      |
//! |-----------------------|---------------------------------------------------|---------------------|
//! | a command begins      | `RESERVE` and `WORKING`                           | it is refused       |
//! | a large pak is opened | `RESERVE`, and its directory times `DIRECTORY`, halved | this pak is refused |
//! | a thread starts       | the first two, its `STACK`, and `WORKING` for each beside it | there are fewer |
//!
//! The limits are those on addresses and on data (`ulimit -v`, `ulimit -d`), and how much of them
//! is taken is what Linux says; elsewhere, and of any other lack of memory, nothing is known here.
//! Trying it out by reserving as much was rejected: the C library answers out of what it has kept,
//! which a thread's stack cannot be made of, and keeps more from then on.

use std::io;
use std::sync::mpsc;
use std::thread::{Builder, JoinHandle};

use crate::error::{Error, ErrorKind};
use crate::pak::layout::HEADER_LEN;
use crate::pak::{Header, ReadAt};

/// What is always left: for all the small pieces, for which nobody asks.
const RESERVE: u64 = 1 << 20;
/// What a thread works with, its buffers above all.
const WORKING: u64 = 1 << 20;
/// The stack of a thread, as the standard library has it without being told.
const STACK: usize = 2 << 20;
/// What comes with it: a guard page, the signal stack with its own, what is kept for each thread.
const WITH_STACK: u64 = 256 << 10;
/// Directories up to this length are among the small pieces: a thousand entries.
const SMALL: u64 = 64 << 10;
/// For each byte of a directory, in halves: itself, and what is kept of an entry beside it.
const DIRECTORY: u64 = 3;

/// Whether there is room to begin at all.
///
/// # Errors
/// [`ErrorKind::NoMemory`].
pub fn check() -> Result<(), Error> {
    enough(RESERVE + WORKING)
}

/// Starts a thread, if there is room for it, and comes back when it runs.
///
/// # Errors
/// If there is none, or the system gives no thread.
pub fn spawn(
    name: impl Into<String>,
    run: impl FnOnce() + Send + 'static,
) -> io::Result<JoinHandle<()>> {
    spawn_beside(0, name.into(), run)
}

/// The same beside so many that wait for their work.
pub(crate) fn spawn_beside(
    others: usize,
    name: String,
    run: impl FnOnce() + Send + 'static,
) -> io::Result<JoinHandle<()>> {
    let builder = Builder::new().name(name).stack_size(STACK);
    if left().is_none() {
        return builder.spawn(run);
    }
    let kept = RESERVE + WORKING * (others as u64 + 2);
    enough(kept + STACK as u64 + WITH_STACK).map_err(|_| io::ErrorKind::OutOfMemory)?;
    // Held until the thread has what it takes by itself: with its first piece of memory the C
    // library reserves up to 128 MiB of addresses, if there are as many, however few it leaves.
    let mut held: Vec<u8> = Vec::new();
    held.try_reserve_exact(usize::try_from(kept).unwrap_or(usize::MAX))
        .map_err(|_| io::ErrorKind::OutOfMemory)?;
    let (tell, told) = mpsc::channel();
    let thread = builder.spawn(move || {
        drop(core::hint::black_box(Box::new(0_u64)));
        let _ = tell.send(());
        drop(tell);
        run();
    })?;
    let _ = told.recv();
    drop(core::hint::black_box(held));
    Ok(thread)
}

/// How many threads there is room for, of those wanted; 1 where there is none for a second one.
pub(crate) fn threads(wanted: usize) -> usize {
    left().map_or(wanted, |left| threads_in(left, wanted))
}

fn threads_in(left: u64, wanted: usize) -> usize {
    let each = STACK as u64 + WITH_STACK + WORKING;
    // The other half is for the directories of paks.
    let there = left.saturating_sub(RESERVE + WORKING) / 2 / each;
    usize::try_from(there)
        .unwrap_or(usize::MAX)
        .clamp(1, wanted.max(1))
}

/// Whether there is room for the pak that this is, if it is one: for its directory, and for what
/// an operation keeps of each entry.
pub(crate) fn check_pak(source: &impl ReadAt) -> Result<(), Error> {
    if left().is_none() {
        return Ok(());
    }
    let mut header = [0; HEADER_LEN];
    source.read_full_at(&mut header, 0).map_err(ErrorKind::Io)?;
    let Some(header) = Header::parse(&header) else {
        return Ok(());
    };
    let end = source.size().map_err(ErrorKind::Io)?;
    let held = end.saturating_sub(header.directory_offset.into());
    let directory = held.min(header.directory_len.into());
    if directory <= SMALL {
        return Ok(());
    }
    enough(RESERVE + directory.saturating_mul(DIRECTORY) / 2)
}

fn enough(needed: u64) -> Result<(), Error> {
    match left() {
        Some(left) if left < needed => Err(ErrorKind::NoMemory { needed, left }.into()),
        _ => Ok(()),
    }
}

/// How much is left of a limit, the narrowest, where there is one.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn left() -> Option<u64> {
    use std::io::Read as _;

    use rustix::process::{Resource, getrlimit};

    let limits = [("VmSize:", Resource::As), ("VmData:", Resource::Data)]
        .map(|(word, resource)| (word, getrlimit(resource).current));
    if limits.iter().all(|(_, limit)| limit.is_none()) {
        return None;
    }
    // Not read to a string: this has to work without memory.
    let mut status = [0; 4096];
    let mut len = 0;
    let mut file = std::fs::File::open("/proc/self/status").ok()?;
    while let Some(rest @ [_, ..]) = status.get_mut(len..) {
        match file.read(rest) {
            Ok(0) => break,
            Ok(read) => len += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
    }
    let status = str::from_utf8(status.get(..len)?).ok()?;
    let lefts = limits.iter().filter_map(|(word, limit)| {
        let taken = bytes_of(status, word)?;
        Some((*limit)?.saturating_sub(taken))
    });
    lefts.min()
}

/// Nothing is known.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn left() -> Option<u64> {
    None
}

/// A line of a process's status as Linux has it: `VmSize:    7700 kB`.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn bytes_of(status: &str, word: &str) -> Option<u64> {
    let rest = status.lines().find_map(|line| line.strip_prefix(word))?;
    let kilobytes: u64 = rest.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_threads_as_there_is_room_for() {
        let each = STACK as u64 + WITH_STACK + WORKING;
        let base = RESERVE + WORKING;
        for (left, wanted, expected) in [
            (0, 4, 1),
            (base, 4, 1),
            (base + 4 * each - 1, 4, 1),
            (base + 4 * each, 4, 2),
            (base + 99 * each, 4, 4),
            (base + 99 * each, 0, 1),
            (u64::MAX, 4, 4),
        ] {
            assert_eq!(threads_in(left, wanted), expected, "{left} for {wanted}");
        }
    }

    #[test]
    #[cfg(any(target_os = "linux", target_os = "android"))]
    fn what_linux_says_of_memory_is_read() {
        let status = "VmPeak:\t 9000 kB\nVmSize:\t    7700 kB\nVmData:\t 12 kB\n";
        assert_eq!(bytes_of(status, "VmSize:"), Some(7700 * 1024));
        assert_eq!(bytes_of(status, "VmData:"), Some(12 * 1024));
        assert_eq!(bytes_of(status, "VmSwap:"), None);
        assert_eq!(bytes_of("VmSize:\t? kB\n", "VmSize:"), None);
        let own = std::fs::read_to_string("/proc/self/status").unwrap();
        assert!(bytes_of(&own, "VmSize:").unwrap() > 1 << 20);
    }
}

//! The kinds of containers, a file that is being opened as one, and an entry that is being written into one.

use std::borrow::Cow;

use super::records::Fields;
use crate::archive::{Coding, ReadAt, ReadOptions};

/// A file that is being opened as an archive.
pub(super) struct ArchiveFile<'a> {
    pub(super) source: &'a dyn ReadAt,
    pub(super) len: u64,
    /// Its first bytes: as many as a header has, or the whole file.
    pub(super) start: &'a [u8],
    pub(super) options: ReadOptions,
}

/// How the archives of a format are built. This is the only place where formats differ in more than numbers; what
/// each kind does is in `dispatch`.
#[derive(Debug, Clone, Copy)]
pub(super) enum Container {
    /// A header, payloads, and records of one length with these fields.
    Records(&'static Fields),
    /// A ZIP.
    Zip,
}

/// An entry with its place in the file.
#[derive(Debug, Clone)]
pub(crate) struct Placed<'a> {
    pub(crate) name: Cow<'a, [u8]>,
    pub(crate) name_len: u16,
    pub(crate) size: u32,
    /// The offset of its payload. For an empty entry, where a payload would be.
    pub(crate) offset: u32,
    pub(crate) stored_len: u32,
    pub(crate) coding: Coding,
    /// The CRC-32 of the content, if the format has it.
    pub(crate) crc32: u32,
    /// Whether an earlier entry has the same payload, so that nothing needs to be written.
    pub(crate) shares: bool,
}

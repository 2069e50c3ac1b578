//! The error of [`archive`](crate::archive) and [`format`](mod@crate::format): what failed, and where.
//!
//! An [`Error`] has an [`ErrorKind`], with the numbers that disagree, and a [`Place`]: the archive, the
//! entry, the byte. `Display` shows both in one line. Advice depends on the program, so it is not part of
//! an error; a program matches on the kind.

use core::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;

use super::flaw::{DeflateDamage, Flaw};
use super::format::Format;
use super::name::{RawName, quoted, quoted_name};
use super::path::{PathError, escape_path};
use crate::codec::{Bytes, DecodeError, Unreadable};

/// The number that is too large in an [`ErrorKind::OverLimit`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Limit {
    /// The number of entries.
    Entries,
    /// The length of the archive.
    ArchiveLength,
    /// The size of one entry. It is too large for any archive of the format.
    EntrySize,
    /// The offset of an entry.
    EntryOffset,
    /// The length of an entry's stream.
    StreamLength,
    /// The offset of the directory.
    DirectoryOffset,
    /// The length of the directory.
    DirectoryLength,
    /// The length of something else, such as `the name`.
    Length(&'static str),
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Entries => "the number of entries",
            Self::ArchiveLength => "the archive's length",
            Self::EntrySize => "the entry's size",
            Self::EntryOffset => "the entry's offset",
            Self::StreamLength => "the stream's length",
            Self::DirectoryOffset => "the directory's offset",
            Self::DirectoryLength => "the directory's length",
            Self::Length(of) => return write!(f, "the length of {of}"),
        })
    }
}

/// What failed, and where.
///
/// ```
/// use daisho::Archive;
/// use daisho::ErrorKind;
///
/// let error = Archive::open("corpus/paks/broken/file-zip.pak").unwrap_err();
/// match error.kind() {
///     ErrorKind::OtherFile { what } => assert!(what.starts_with("a ZIP archive")),
///     ErrorKind::Io(error) => println!("cannot open it: {error}"),
///     other => println!("something else: {other}"),
/// }
/// assert!(error.place().path.is_some() && error.place().entry.is_none());
/// println!("{error}"); // the place and what failed, in one line
/// ```
pub struct Error(Box<Inner>);

struct Inner {
    kind: ErrorKind,
    place: Place,
}

/// Where something failed. Unknown parts are `None`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Place {
    /// The archive or file. All errors of an archive share its path.
    pub path: Option<Arc<Path>>,
    /// The entry: its number, counted from 0, and its name.
    pub entry: Option<(usize, Box<[u8]>)>,
    /// The byte offset in the archive.
    pub offset: Option<u64>,
}

impl Place {
    /// Sets the path, unless one is set.
    pub(crate) fn set_path(&mut self, path: impl Into<Arc<Path>>) {
        self.path.get_or_insert_with(|| path.into());
    }

    /// Sets the entry, unless one is set.
    pub(crate) fn set_entry(&mut self, index: usize, name: RawName<'_>) {
        self.entry.get_or_insert_with(|| (index, name.as_bytes().into()));
    }

    /// Sets the byte offset, unless one is set.
    pub(crate) fn set_offset(&mut self, offset: u64) {
        self.offset.get_or_insert(offset);
    }

    /// The entry's number and name.
    #[must_use]
    pub fn entry(&self) -> Option<(usize, RawName<'_>)> {
        let (index, name) = self.entry.as_ref()?;
        Some((*index, RawName::new(name)))
    }

    /// Whether no part is known.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        *self == Self::default()
    }
}

/// `ARCHIVE: entry N "NAME", byte OFFSET`, without unknown parts, escaped.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        if let Some(path) = &self.path {
            write!(f, "{}", escape_path(path))?;
            separator = ": ";
        }
        if let Some((index, name)) = &self.entry {
            write!(f, "{separator}entry {index} {}", quoted_name(name))?;
            separator = ", ";
        }
        if let Some(offset) = self.offset {
            write!(f, "{separator}byte {offset}")?;
        }
        Ok(())
    }
}

impl Error {
    /// Creates an error without a place.
    #[must_use]
    pub fn new(kind: ErrorKind) -> Self {
        let place = Place::default();
        Self(Box::new(Inner { kind, place }))
    }

    /// Adds the archive, unless one is set.
    #[must_use]
    pub fn at_path(mut self, path: impl AsRef<Path>) -> Self {
        self.0.place.set_path(path.as_ref());
        self
    }

    /// Adds the entry, unless one is set.
    #[must_use]
    pub fn in_entry(mut self, index: usize, name: RawName<'_>) -> Self {
        self.0.place.set_entry(index, name);
        self
    }

    /// Adds the byte offset in the archive, unless one is set.
    #[must_use]
    pub fn at(mut self, offset: u64) -> Self {
        self.0.place.set_offset(offset);
        self
    }

    /// What failed.
    #[must_use]
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// Where it failed.
    #[must_use]
    pub fn place(&self) -> &Place {
        &self.0.place
    }

    /// The entry's number, counted from 0, and its name.
    #[must_use]
    pub fn entry(&self) -> Option<(usize, RawName<'_>)> {
        self.0.place.entry()
    }

    /// The byte offset in the archive.
    #[must_use]
    pub fn offset(&self) -> Option<u64> {
        self.0.place.offset
    }

    pub(crate) fn place_mut(&mut self) -> &mut Place {
        &mut self.0.place
    }

    /// What failed, and where.
    #[must_use]
    pub fn into_parts(self) -> (ErrorKind, Place) {
        (self.0.kind, self.0.place)
    }

    /// Unwraps an error of this crate from an [`io::Error`]. Any other [`io::Error`] becomes
    /// [`ErrorKind::Io`].
    #[must_use]
    pub fn from_io(error: io::Error) -> Self {
        match error.downcast::<Self>() {
            Ok(ours) => ours,
            Err(error) => Self::new(ErrorKind::Io(error)),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.place().is_unknown() {
            write!(f, "{}: ", self.place())?;
        }
        self.kind().fmt(f)
    }
}

/// The sentence, which is what `fn main() -> Result<(), daisho::Error>` prints.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl core::error::Error for Error {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self.kind() {
            ErrorKind::Io(error) => Some(error),
            kind => kind.source(),
        }
    }
}

impl From<ErrorKind> for Error {
    fn from(kind: ErrorKind) -> Self {
        Self::new(kind)
    }
}

impl From<Flaw> for Error {
    fn from(flaw: Flaw) -> Self {
        Self::new(ErrorKind::Flawed(flaw))
    }
}

impl From<PathError> for Error {
    fn from(error: PathError) -> Self {
        Self::new(ErrorKind::Path(error))
    }
}

impl From<Error> for io::Error {
    fn from(error: Error) -> Self {
        let kind = match error.kind() {
            ErrorKind::Io(inner) => inner.kind(),
            ErrorKind::NoEntryNamed(_) => io::ErrorKind::NotFound,
            _ => io::ErrorKind::InvalidData,
        };
        Self::new(kind, error)
    }
}

/// What failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Reading or writing failed.
    #[error("{}", lower_first(.0))]
    Io(io::Error),
    /// A directory, a pipe or a device, which cannot be read at an offset.
    #[error("this is not a regular file")]
    NotAFile,
    /// The file is too short for a header.
    #[error("this is not a known archive: it has {}, but a pak's header alone has 12", Bytes(*len))]
    TooShort {
        /// The length of the file.
        len: u64,
    },
    /// The file does not have the magic of a known archive.
    #[error(
        "this is not a known archive: it begins with {} instead of {expected}",
        quoted(start.split_at(4).0)
    )]
    NotAnArchive {
        /// Its first bytes.
        start: [u8; 12],
        /// The known magics, for messages.
        expected: String,
    },
    /// The file is what Git has in place of a file that Git LFS keeps.
    #[error("this is a pointer of Git LFS, and not the archive itself")]
    LfsPointer,
    /// The file has another known format.
    #[error("this is not a known archive: it is {what}")]
    OtherFile {
        /// What it is.
        what: &'static str,
    },
    /// The file ends before the first whole record of the directory.
    #[error(
        "the pak's directory is missing: the header puts it at byte {offset}, {len} long, but the file ends at byte {file}",
        len = Bytes(*.len)
    )]
    NoDirectory {
        /// Its claimed offset.
        offset: u64,
        /// Its claimed length.
        len: u64,
        /// The length of the file.
        file: u64,
    },
    /// The list of textures in a map is cut off.
    #[error(
        "the map's list of textures is not whole: the header puts the textures at byte {offset}, {len} long, and the file ends at byte {file}",
        len = Bytes(*.len)
    )]
    NoTextureList {
        /// The claimed offset of the textures.
        offset: u64,
        /// Their claimed length.
        len: u64,
        /// The length of the file.
        file: u64,
    },
    /// The bytes at the directory's offset are not a directory.
    #[error(
        "there is no directory where the pak's header puts it: the first {read} of its {len} bytes contain almost no names"
    )]
    NoNames {
        /// Its claimed length.
        len: u64,
        /// How much of it was examined.
        read: u64,
    },
    /// The directory is too short for a record.
    #[error("the pak's directory has {}, less than one record of {record}", Bytes(*len))]
    ShortDirectory {
        /// The length of the directory.
        len: u64,
        /// The length of a record.
        record: u64,
    },
    /// The evidence does not decide between several layouts.
    #[error("cannot tell the layout of this pak: {why}")]
    Undecided {
        /// The evidence, in sentences.
        why: String,
        /// Whether hardly any record looks like one.
        noise: bool,
    },
    /// A payload is not completely in the file.
    #[error(
        "the payload should lie at bytes {offset} to {end}, but the file ends at byte {file}",
        end = .offset.saturating_add(*.len)
    )]
    OutsideFile {
        /// Its claimed offset.
        offset: u64,
        /// Its claimed length.
        len: u64,
        /// The length of the file.
        file: u64,
    },
    /// A size is impossible for a stream of this length.
    #[error(
        "the entry claims {size} from a stream of {packed}, but no stream of that length holds more than {most}",
        size = Bytes(*.size),
    )]
    ImpossibleSize {
        /// The claimed size.
        size: u64,
        /// The length of the stream.
        packed: u64,
        /// The most that a stream of this length decodes to.
        most: u64,
    },
    /// The entry's data in the archive is contradictory or unsupported.
    #[error(transparent)]
    Flawed(Flaw),
    /// The deflated payload is damaged.
    #[error("the deflated data is damaged: {0}")]
    DamagedDeflate(DeflateDamage),
    /// The content has another CRC-32 than the archive states.
    #[error("the content has the CRC-32 {found:08x}, but the archive says {expected:08x}")]
    WrongCrc32 {
        /// The stated CRC-32.
        expected: u32,
        /// The CRC-32 of the content.
        found: u32,
    },
    /// A ZIP without an end record.
    #[error(
        "the end of this ZIP is missing, and with it the record that says where the directory is"
    )]
    NoZipEnd,
    /// The bytes at the offset in the end record are not a directory.
    #[error(
        "according to its end record, the ZIP's directory of {len} begins at byte {offset}, but it is not there",
        len = Bytes(*.len)
    )]
    NoZipDirectory {
        /// Its claimed offset.
        offset: u64,
        /// Its claimed length.
        len: u64,
    },
    /// The file is one part of a ZIP that was split over several files.
    #[error("this is one part of a ZIP that was split over several files")]
    SplitZip,
    /// The stream is damaged.
    #[error("the stream is damaged: {0}")]
    Damaged(DecodeError),
    /// The stream is damaged under both readings of the byte 0xFE in it.
    #[error("the stream is damaged: {0}")]
    Unreadable(Box<Unreadable>),
    /// The file ended while it was read; it has become shorter since it was opened.
    #[error(
        "the file ended at byte {at}, before it should: it has become shorter since it was opened"
    )]
    CutWhileRead {
        /// The offset of its end.
        at: u64,
    },
    /// The reader was used again after it had failed.
    #[error("reading this entry has failed before")]
    FailedBefore,
    /// The entry does not exist.
    #[error("there is no entry {index}: the archive has {}", numbered(*.count))]
    NoEntry {
        /// The number that was asked for.
        index: usize,
        /// The number of entries.
        count: usize,
    },
    /// No entry has this name.
    #[error("no entry is named {}", quoted_name(.0))]
    NoEntryNamed(Box<[u8]>),
    /// The name is not a safe path.
    #[error(transparent)]
    Path(PathError),
    /// There is no entry to write. A pak without entries is never written.
    #[error("there is nothing to write: an archive needs at least one entry")]
    NothingToWrite,
    /// The archive's magic is not that of the requested layout.
    #[error(
        "this archive begins with {}, but {} archive begins with {}",
        quoted(found),
        format.with_article(),
        quoted(expected)
    )]
    OtherMagic {
        /// The requested format.
        format: Format,
        /// Its magic.
        expected: [u8; 4],
        /// The archive's first bytes.
        found: [u8; 4],
    },
    /// The name is too long for the layout.
    #[error(
        "the name has {len} bytes, but {} archive can safely hold names of at most {most}",
        format.with_article()
    )]
    NameTooLong {
        /// The length of the name.
        len: usize,
        /// The longest one.
        most: usize,
        /// The format of the output.
        format: Format,
    },
    /// An entry of this name was added before.
    #[error("an entry of this name is there already")]
    AddedBefore,
    /// The name contains a NUL.
    #[error("the name has a NUL in it, which would end it there")]
    NameHasNul,
    /// The name would be that of a folder.
    #[error("in a ZIP this would be the name of a folder, and a folder has no content")]
    NameOfFolder,
    /// The name begins with `./`, which ZIP readers drop.
    #[error("the name begins with \"./\", which programs drop when they read a ZIP")]
    NameFromHere,
    /// The file has none of the types that a WAD can contain.
    #[error(
        "{} archive can hold only {extensions} files (N is the number of a type)",
        format.with_article()
    )]
    NoLump {
        /// The format of the output.
        format: Format,
        /// The extensions of its files, for messages.
        extensions: String,
        /// Another format of WADs, which can hold the file.
        other: Option<Format>,
    },
    /// A number is larger than the format or the caller allows.
    #[error("{what} would be {value}, but the limit is {limit}")]
    OverLimit {
        /// The meaning of the number.
        what: Limit,
        /// The number.
        value: u64,
        /// The limit.
        limit: u64,
    },
    /// A payload does not have the announced length.
    #[error("the payload has {} instead of {expected}", Bytes(*found))]
    WrongLength {
        /// The announced length.
        expected: u64,
        /// The actual length.
        found: u64,
    },
    /// The layout has no compression.
    #[error("{} archive cannot hold a compressed payload", format.with_article())]
    CannotCompress {
        /// The layout.
        format: Format,
    },
    /// Archives of this format are not written: too little is known about Anachronox's.
    #[error("{}", not_written(*.format))]
    NotWritten {
        /// The format.
        format: Format,
    },
    /// The file's length changed while it was read.
    #[error("the file had {} and now has {found}: it is changing while it is read", Bytes(*expected))]
    Changed {
        /// Its length before.
        expected: u64,
        /// Its length now.
        found: u64,
    },
    /// The pak would be written so that it could not be opened again.
    #[error(
        "the new pak could not be opened again: too many of its names are empty, have control \
         bytes or are too short to show that this is {} pak",
        format.with_article()
    )]
    WouldNotOpen {
        /// The format of the output.
        format: Format,
    },
    /// A file was replaced or modified between two reads.
    #[error("the archive has changed since the work was planned")]
    Replaced,
}

/// How many entries an archive has, and how they are numbered.
fn numbered(count: usize) -> String {
    match count {
        0 => "no entries".to_owned(),
        1 => "1 entry, with the number 0".to_owned(),
        _ => format!("{count} entries, numbered from 0"),
    }
}

/// Why archives of a format are not written.
fn not_written(format: Format) -> String {
    format!(
        "daisho reads {format} archives, but does not write them: each record has a checksum of an unknown kind"
    )
}

/// The system's message with a lower-case beginning and without its number, like ours. Abbreviations stay.
pub(crate) fn lower_first(error: &io::Error) -> String {
    let mut words = error.to_string();
    // The standard library adds the system's number, which only repeats what the words say.
    if let Some((before, after)) = words.split_once(" (os error ") {
        let after = after.split_once(')').map_or("", |(_, after)| after);
        words = format!("{}{after}", before.trim_end_matches('.'));
    }
    let mut chars = words.chars();
    match (chars.next(), chars.clone().next()) {
        (Some(first), Some(second)) if !second.is_uppercase() => {
            first.to_lowercase().chain(chars).collect()
        }
        _ => words,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_says_where_and_what_in_one_line() {
        let error = Error::new(ErrorKind::ImpossibleSize { size: 651, packed: 10, most: 650 })
            .in_entry(3, RawName::from("a\nb.tga"))
            .at(12)
            .at_path("pak0.pak")
            .at(99);
        assert_eq!(
            error.to_string(),
            "pak0.pak: entry 3 \"a\\x0ab.tga\", byte 12: the entry claims 651 bytes from a stream of 10, \
             but no stream of that length holds more than 650"
        );
    }

    #[test]
    fn a_program_finds_the_io_error_and_its_kind() {
        use core::error::Error as _;
        let inner = io::Error::from(io::ErrorKind::PermissionDenied);
        let error = Error::new(ErrorKind::Io(inner)).at_path("pak0.pak");
        assert_eq!(format!("{error:?}"), error.to_string());
        let source = error.source().and_then(|it| it.downcast_ref::<io::Error>()).unwrap();
        assert_eq!(source.kind(), io::ErrorKind::PermissionDenied);
        assert!(Error::from(PathError::Empty).source().is_none());
        let missing = Error::new(ErrorKind::NoEntryNamed((*b"a.tga").into()));
        assert_eq!(io::Error::from(missing).kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn the_number_of_a_system_error_is_not_shown() {
        let error = io::Error::from_raw_os_error(2);
        assert!(error.to_string().contains("(os error 2)"), "{error}");
        let wrapped = io::Error::other(error.to_string() + ", twice");
        for (error, end) in [(error, ""), (wrapped, ", twice")] {
            let shown = ErrorKind::Io(error).to_string();
            assert!(!shown.contains("os error"), "{shown}");
            assert!(shown.ends_with(end) && shown.len() > 10, "{shown}");
        }
    }

    #[test]
    fn a_quote_in_a_name_does_not_end_it() {
        let error = Error::new(ErrorKind::FailedBefore).in_entry(0, RawName::from("a\" b\\"));
        assert!(error.to_string().starts_with(r#"entry 0 "a\" b\\": "#), "{error}");
    }

    #[test]
    fn an_error_survives_its_way_through_io() {
        let error = io::Error::from(Error::new(ErrorKind::FailedBefore));
        assert!(matches!(Error::from_io(error).kind(), ErrorKind::FailedBefore));
        let error = Error::from_io(io::ErrorKind::NotFound.into());
        assert!(matches!(error.kind(), ErrorKind::Io(_)));
    }

    #[test]
    fn one_byte_is_not_bytes() {
        let (size, packed, most) = (1, 0, 0);
        for kind in [
            ErrorKind::TooShort { len: 1 },
            ErrorKind::ShortDirectory { len: 1, record: 64 },
            ErrorKind::ImpossibleSize { size, packed, most },
            ErrorKind::NoDirectory { offset: 9, len: 1, file: 9 },
        ] {
            let words = kind.to_string();
            assert!(words.contains("1 byte") && !words.contains("1 bytes"), "{words}");
        }
    }
}

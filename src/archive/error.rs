//! The error of [`archive`](crate::archive) and [`format`](mod@crate::format): what failed, and where.
//!
//! An [`Error`] has an [`ErrorKind`], with the numbers that disagree, and a [`Place`]: the archive, the
//! entry, the byte. `Display` shows both in one line. What the user can do about it depends on the program,
//! so a program matches on the kind.

use core::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;

use super::flaw::{DeflateDamage, Flaw};
use super::format::Format;
use super::name::{RawName, quoted};
use super::path::PathError;
use super::shown::escape_path;
use crate::codec::{Bytes, DecodeError, Unreadable};

/// What an [`ErrorKind::OverLimit`] calls a file that no pak can hold.
pub const ENTRY_SIZE: &str = "the entry's size";

/// What failed, and where.
///
/// ```
/// use daisho::Archive;
/// use daisho::ErrorKind;
///
/// let error = Archive::open("corpus/paks/broken/file-zip.pak").unwrap_err();
/// match error.kind() {
///     ErrorKind::Relative { what } => assert!(what.starts_with("a ZIP archive")),
///     ErrorKind::Io(error) => println!("cannot open it: {error}"),
///     other => println!("something else: {other}"),
/// }
/// assert!(error.place().path.is_some() && error.place().entry.is_none());
/// println!("{error}"); // the place and what failed, in one line
/// ```
#[derive(Debug)]
pub struct Error(Box<Inner>);

#[derive(Debug)]
struct Inner {
    kind: ErrorKind,
    place: Place,
}

/// Where something failed, as far as that is known.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Place {
    /// The archive or file. All errors of one archive share its path.
    pub path: Option<Arc<Path>>,
    /// The entry: its number, counted from 0, and its name.
    pub entry: Option<(usize, Box<[u8]>)>,
    /// The byte of the archive.
    pub offset: Option<u64>,
}

impl Place {
    /// Sets the path, unless there is one.
    pub(crate) fn set_path(&mut self, path: &Path) {
        self.path.get_or_insert_with(|| path.into());
    }

    /// Sets the path, and shares it, unless there is one.
    pub(crate) fn share_path(&mut self, path: &Arc<Path>) {
        self.path.get_or_insert_with(|| Arc::clone(path));
    }

    /// Sets the entry, unless there is one.
    pub(crate) fn set_entry(&mut self, index: usize, name: RawName<'_>) {
        self.entry
            .get_or_insert_with(|| (index, name.as_bytes().into()));
    }

    /// Sets the byte, unless there is one.
    pub(crate) fn set_offset(&mut self, offset: u64) {
        self.offset.get_or_insert(offset);
    }

    /// The entry: its number and its name.
    #[must_use]
    pub fn entry(&self) -> Option<(usize, RawName<'_>)> {
        let (index, name) = self.entry.as_ref()?;
        Some((*index, RawName::new(name)))
    }

    /// Whether nothing is known.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        *self == Self::default()
    }
}

/// `ARCHIVE: entry N "NAME", byte OFFSET`, as much of it as is known, escaped.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        if let Some(path) = &self.path {
            write!(f, "{}", escape_path(path))?;
            separator = ": ";
        }
        if let Some((index, name)) = &self.entry {
            write!(f, "{separator}entry {index} {}", quoted(name))?;
            separator = ", ";
        }
        if let Some(offset) = self.offset {
            write!(f, "{separator}byte {offset}")?;
        }
        Ok(())
    }
}

impl Error {
    /// An error without a place.
    #[must_use]
    pub fn new(kind: ErrorKind) -> Self {
        let place = Place::default();
        Self(Box::new(Inner { kind, place }))
    }

    /// The error with its archive, unless it has one.
    #[must_use]
    pub fn in_pak(mut self, path: impl AsRef<Path>) -> Self {
        self.0.place.set_path(path.as_ref());
        self
    }

    /// The error with its entry, unless it has one.
    #[must_use]
    pub fn in_entry(mut self, index: usize, name: RawName<'_>) -> Self {
        self.0.place.set_entry(index, name);
        self
    }

    /// The error with its byte of the archive, unless it has one.
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

    /// The archive it failed in, if that is known.
    #[must_use]
    pub fn pak(&self) -> Option<&Path> {
        self.0.place.path.as_deref()
    }

    /// The entry it failed in: its number, counted from 0, and its name.
    #[must_use]
    pub fn entry(&self) -> Option<(usize, RawName<'_>)> {
        self.0.place.entry()
    }

    /// The byte of the archive it failed at.
    #[must_use]
    pub fn offset(&self) -> Option<u64> {
        self.0.place.offset
    }

    pub(crate) fn place_mut(&mut self) -> &mut Place {
        &mut self.0.place
    }

    /// What failed, without the place.
    #[must_use]
    pub fn into_kind(self) -> ErrorKind {
        self.0.kind
    }

    /// What failed, and where.
    #[must_use]
    pub fn into_parts(self) -> (ErrorKind, Place) {
        (self.0.kind, self.0.place)
    }

    /// The error that a reader of this crate has wrapped in an [`io::Error`], or else that one as a kind of
    /// its own.
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

impl core::error::Error for Error {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        // The kind's own words are in ours already, and so are those of the error that it holds:
        // whoever prints a chain would say them twice.
        self.kind().source()
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
    /// Too short for a header.
    #[error("this is no known archive: it has {}, and a pak's header alone has 12", Bytes(*len))]
    TooShort {
        /// How long it is.
        len: u64,
    },
    /// The file does not begin like an archive of any format.
    #[error(
        "this is no known archive: it begins with {} instead of {}",
        quoted(found),
        magics()
    )]
    NotAPak {
        /// Its first bytes.
        found: [u8; 4],
    },
    /// The file begins like another known format.
    #[error("this is no known archive, it is {what}")]
    Relative {
        /// What it is.
        what: &'static str,
    },
    /// The file ends before the first whole record of the directory.
    #[error(
        "the pak's directory is missing: the header puts it at byte {offset}, {len} long, and the file ends at byte {file}",
        len = Bytes(*.len)
    )]
    NoDirectory {
        /// Where it should begin.
        offset: u64,
        /// How long it should be.
        len: u64,
        /// How long the file is.
        file: u64,
    },
    /// There is no directory where it should be.
    #[error(
        "there is no directory where the pak's header puts it: almost no names are in the first {read} of its {len} bytes"
    )]
    NoNames {
        /// How long it should be.
        len: u64,
        /// How much of it was looked at.
        read: u64,
    },
    /// The directory is not long enough for a record.
    #[error("the pak's directory has {}, less than one record of {record}", Bytes(*len))]
    ShortDirectory {
        /// How long it is.
        len: u64,
        /// How long a record is.
        record: u64,
    },
    /// The evidence does not decide between the layouts.
    #[error("cannot tell the layout of this pak: {why}")]
    Undecided {
        /// What the evidence says.
        why: String,
        /// Whether hardly anything in the directory looks like a record.
        noise: bool,
    },
    /// A payload is not, or not all of it, inside the file.
    #[error(
        "the payload should lie at bytes {offset} to {end}, and the file ends at byte {file}",
        end = .offset.saturating_add(*.len)
    )]
    OutsideFile {
        /// Where it should begin.
        offset: u64,
        /// How long it should be.
        len: u64,
        /// How long the file is.
        file: u64,
    },
    /// A stream claims to hold more than any stream of its length can.
    #[error(
        "the entry claims {size} from a stream of {packed}, and no stream of that length holds more than {most}",
        size = Bytes(*.size),
    )]
    ImpossibleSize {
        /// The size that is claimed.
        size: u64,
        /// How long the stream is.
        packed: u64,
        /// The most that a stream of that length holds.
        most: u64,
    },
    /// What the archive says of the entry keeps it from being read.
    #[error(transparent)]
    Flawed(Flaw),
    /// The deflated payload is damaged.
    #[error("the deflated data is damaged: {0}")]
    DamagedDeflate(DeflateDamage),
    /// The content is not what the archive says it sums up to.
    #[error("the content has the CRC-32 {found:08x}, and the archive says {expected:08x}")]
    WrongCrc32 {
        /// What the archive says.
        expected: u32,
        /// What the content sums up to.
        found: u32,
    },
    /// A ZIP without the record that says where its directory is.
    #[error("this ZIP has no end: the record that says where its directory is, is missing")]
    NoZipEnd,
    /// The directory is not where the end record puts it.
    #[error(
        "the ZIP's end record puts its directory at byte {offset}, {len} long, and it is not there",
        len = Bytes(*.len)
    )]
    NoZipDirectory {
        /// Where it should begin.
        offset: u64,
        /// How long it should be.
        len: u64,
    },
    /// A part of a ZIP that was split over several files.
    #[error("this is one part of a ZIP that was split over several files")]
    SplitZip,
    /// The stream is damaged.
    #[error("the stream is damaged: {0}")]
    Damaged(DecodeError),
    /// The stream is damaged under either reading of the byte 0xFE in it.
    #[error("the stream is damaged: {0}")]
    Unreadable(Box<Unreadable>),
    /// The file ended while it was read: it was longer when it was opened.
    #[error(
        "the file ended at byte {at}, before it should: it has become shorter since it was opened"
    )]
    CutWhileRead {
        /// Where it ended.
        at: u64,
    },
    /// The reader was used again after it had failed.
    #[error("reading this entry has failed before")]
    FailedBefore,
    /// The entry does not exist.
    #[error("there is no entry {index}: the pak has {count}")]
    NoEntry {
        /// The number asked for.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// The name cannot be a path.
    #[error(transparent)]
    Path(PathError),
    /// There is no entry to write, and a pak without entries is never written.
    #[error("there is no entry to write, and a pak without entries is never written")]
    NothingToWrite,
    /// The archive does not begin with the magic of the layout that was asked for.
    #[error("this archive begins with {}, and a {format} archive with {}", quoted(found), quoted(&format.spec().magic))]
    OtherMagic {
        /// The layout that was asked for.
        format: Format,
        /// What the archive begins with.
        found: [u8; 4],
    },
    /// The name is too long for the layout.
    #[error("the name has {len} bytes, and the longest that a {format} archive can hold safely has {}", format.spec().name_max)]
    NameTooLong {
        /// How long it is.
        len: usize,
        /// The layout that is written.
        format: Format,
    },
    /// The name has a NUL in it.
    #[error("the name has a NUL in it, which would end it there")]
    NameHasNul,
    /// The name would be that of a folder.
    #[error("a ZIP takes this name for that of a folder, which holds nothing")]
    NameOfFolder,
    /// The name begins with `./`, which programs that read ZIPs leave out.
    #[error("the name begins with \"./\", which programs leave out when they read it in a ZIP")]
    NameFromHere,
    /// A WAD holds files of a few types, and this is of none of them.
    #[error("a {format} archive holds no such file: its files are {}", format.lump_extensions())]
    NoLump {
        /// The format that is written.
        format: Format,
    },
    /// A number is larger than the format or the caller allows.
    #[error("{what} would be {value}, and the limit is {limit}")]
    OverLimit {
        /// What the number is.
        what: &'static str,
        /// The number.
        value: u64,
        /// The most that is allowed.
        limit: u64,
    },
    /// A payload does not have the length that was announced.
    #[error("the payload has {} instead of {expected}", Bytes(*found))]
    WrongLength {
        /// How long it should be.
        expected: u64,
        /// How long it is.
        found: u64,
    },
    /// The layout has no compression.
    #[error("a {format} pak cannot hold a compressed payload")]
    CannotCompress {
        /// The layout.
        format: Format,
    },
    /// Archives of this format are not written: a directory is no file, and of Anachronox's not enough
    /// is known.
    #[error("{}", not_written(*.format))]
    NoFile {
        /// The format.
        format: Format,
    },
    /// The file's length changed while it was read.
    #[error("the file had {} and now has {found}: it is changing while it is read", Bytes(*expected))]
    Changed {
        /// How many bytes it had.
        expected: u64,
        /// How many it has.
        found: u64,
    },
    /// The pak would be written such that it could not be opened again.
    #[error(
        "the new pak could not be opened again: too many of its names are empty, have control \
         bytes or are too short to tell a {format} pak"
    )]
    WouldNotOpen {
        /// The layout that it was to have.
        format: Format,
    },
    /// A line of a snapshot that cannot be parsed.
    #[error("line {line} of this snapshot cannot be read: {why}")]
    BadSnapshot {
        /// Its number, counted from 1, as editors do.
        line: u64,
        /// What is wrong with it.
        why: &'static str,
    },
    /// A file was replaced or written to between two looks at it.
    #[error("the pak has changed since the work was planned")]
    AnotherPak,
}

/// What archives begin with: `"PACK", "SPAK" or "HROT"`.
fn magics() -> String {
    let mut magics: Vec<String> = Vec::new();
    for format in Format::ALL {
        let magic = quoted(&format.spec().magic).to_string();
        if !magics.contains(&magic) {
            magics.push(magic);
        }
    }
    let last = magics.pop().unwrap_or_default();
    format!("{} or {last}", magics.join(", "))
}

/// Why archives of a format are not written.
fn not_written(format: Format) -> String {
    match format {
        Format::Directory => "a directory is not written as one file".to_owned(),
        _ => format!(
            "{format} archives are read, and not written: each record has a checksum of a kind that is not known"
        ),
    }
}

/// The system's words, which begin with a capital, as ours, which do not; an abbreviation stays.
pub(crate) fn lower_first(error: &io::Error) -> String {
    let words = error.to_string();
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
        let error = Error::new(ErrorKind::ImpossibleSize {
            size: 651,
            packed: 10,
            most: 650,
        })
        .in_entry(3, RawName::from("a\nb.tga"))
        .at(12)
        .in_pak("pak0.pak")
        .at(99);
        assert_eq!(
            error.to_string(),
            "pak0.pak: entry 3 \"a\\x0ab.tga\", byte 12: the entry claims 651 bytes from a stream of 10, \
             and no stream of that length holds more than 650"
        );
    }

    #[test]
    fn a_chain_of_errors_says_nothing_twice() {
        use core::error::Error as _;
        let inner = io::Error::other("the disk is on fire");
        let error = Error::new(ErrorKind::Io(inner)).in_pak("pak0.pak");
        assert_eq!(error.to_string(), "pak0.pak: the disk is on fire");
        for error in [error, Error::from(PathError::Empty)] {
            assert!(error.source().is_none(), "{error}");
            assert!(error.kind().source().is_none(), "{error}");
        }
    }

    #[test]
    fn a_quote_in_a_name_does_not_end_it() {
        let error = Error::new(ErrorKind::FailedBefore).in_entry(0, RawName::from("a\" b\\"));
        assert!(
            error.to_string().starts_with(r#"entry 0 "a\" b\\": "#),
            "{error}"
        );
    }

    #[test]
    fn an_error_survives_its_way_through_io() {
        let error = io::Error::from(Error::new(ErrorKind::FailedBefore));
        assert!(matches!(
            Error::from_io(error).kind(),
            ErrorKind::FailedBefore
        ));
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
            ErrorKind::NoDirectory {
                offset: 9,
                len: 1,
                file: 9,
            },
        ] {
            let words = kind.to_string();
            assert!(
                words.contains("1 byte") && !words.contains("1 bytes"),
                "{words}"
            );
        }
    }
}

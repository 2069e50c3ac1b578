//! The error of [`archive`](crate::archive) and of everything above it.
//!
//! An [`Error`] says what failed (its [`ErrorKind`], in words with the numbers that disagree) and
//! where (the pak, the entry, the byte). `Display` puts both in one line. What to do about it
//! depends on the program: match on the kind. The command's advice is in `src/cli/advice.rs`.

use std::io;
use std::path::Path;
use std::sync::Arc;

use crate::archive::{Flaw, PathError, RawName, escape_path, quoted};

mod engine_names;
mod kind;
mod passed_over;
mod picture;
mod words;

pub use engine_names::EngineNames;
pub use kind::{ENTRY_SIZE, ErrorKind};
pub use passed_over::PassedOver;
pub use picture::PictureError;

/// What failed, and where.
///
/// ```
/// use daisho::Archive;
/// use daisho::ErrorKind;
///
/// let error = Archive::open("corpus/paks/broken/file-zip.pak").unwrap_err();
/// match error.kind() {
///     ErrorKind::Relative { what } => assert!(what.starts_with("a ZIP archive")),
///     ErrorKind::Io(error) => println!("not even opened: {error}"),
///     other => println!("something else: {other}"),
/// }
/// assert!(error.pak().is_some() && error.entry().is_none());
/// println!("{error}"); // the place and what failed, in one line
/// ```
#[derive(Debug)]
pub struct Error(Box<Inner>);

#[derive(Debug)]
struct Inner {
    kind: ErrorKind,
    /// Of an archive's entries that fail all share one.
    pak: Option<Arc<Path>>,
    entry: Option<Place>,
    /// A byte of the pak.
    offset: Option<u64>,
}

/// An entry: its number and its name.
#[derive(Debug)]
struct Place {
    index: usize,
    name: Box<[u8]>,
}

impl Error {
    /// An error that stands nowhere yet.
    #[must_use]
    pub fn new(kind: ErrorKind) -> Self {
        Self(Box::new(Inner {
            kind,
            pak: None,
            entry: None,
            offset: None,
        }))
    }

    /// The error with its pak, unless it has one.
    #[must_use]
    pub fn in_pak(mut self, pak: impl AsRef<Path>) -> Self {
        self.0.pak.get_or_insert_with(|| pak.as_ref().into());
        self
    }

    /// The error with its pak, whose path it shares, unless it has one.
    pub(crate) fn in_shared(mut self, pak: &Arc<Path>) -> Self {
        self.0.pak.get_or_insert_with(|| Arc::clone(pak));
        self
    }

    /// Gives the error its pak, unless it has one.
    #[cfg(feature = "ops")]
    pub(crate) fn set_pak(&mut self, pak: &Path) {
        self.0.pak.get_or_insert_with(|| pak.into());
    }

    /// The error with its entry, unless it has one.
    #[must_use]
    pub fn in_entry(mut self, index: usize, name: RawName<'_>) -> Self {
        let name = name.as_bytes().into();
        self.0.entry.get_or_insert(Place { index, name });
        self
    }

    /// The error with its byte of the pak, unless it has one.
    #[must_use]
    pub fn at(mut self, offset: u64) -> Self {
        self.0.offset.get_or_insert(offset);
        self
    }

    /// What failed.
    #[must_use]
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// What failed, without the places.
    #[must_use]
    pub fn into_kind(self) -> ErrorKind {
        self.0.kind
    }

    /// The pak it failed in, where that is known.
    #[must_use]
    pub fn pak(&self) -> Option<&Path> {
        self.0.pak.as_deref()
    }

    /// The entry it failed in: its number, counted from 0, and its name.
    #[must_use]
    pub fn entry(&self) -> Option<(usize, RawName<'_>)> {
        let place = self.0.entry.as_ref()?;
        Some((place.index, RawName::new(&place.name)))
    }

    /// The byte of the pak it failed at.
    #[must_use]
    pub fn offset(&self) -> Option<u64> {
        self.0.offset
    }

    /// The error that a reader of this crate has passed through [`io::Error`], or that one as it
    /// is.
    #[must_use]
    pub fn from_io(error: io::Error) -> Self {
        match error.downcast::<Self>() {
            Ok(ours) => ours,
            Err(error) => Self::new(ErrorKind::Io(error)),
        }
    }
}

impl core::fmt::Display for Error {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        if let Some(pak) = self.pak() {
            write!(f, "{}: ", escape_path(pak))?;
        }
        match (self.entry(), self.offset()) {
            (Some((index, name)), Some(offset)) => {
                write!(
                    f,
                    "entry {index} {}, byte {offset}: ",
                    quoted(name.as_bytes())
                )?;
            }
            (Some((index, name)), None) => {
                write!(f, "entry {index} {}: ", quoted(name.as_bytes()))?
            }
            (None, Some(offset)) => write!(f, "byte {offset}: ")?,
            (None, None) => {}
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
        let cause = io::Error::other("No");
        let output = Error::new(ErrorKind::Output {
            what: "writing",
            cause,
        });
        assert_eq!(output.to_string(), "writing: no");
        for error in [error, output, Error::from(PathError::Empty)] {
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
        let error = Error::new(ErrorKind::NameTaken(b"x\"".to_vec()));
        assert!(error.to_string().ends_with(r#""x\"""#), "{error}");
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
}

//! The options of all operations that write archives.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use crate::archive::{Format, ReadAt as _};
use crate::fs::{Scratch, lock};
use crate::ops::context::Existing;
use crate::ops::plan::split::Rules;
use crate::ops::source::Selection;

/// How archives are written, by [`convert`](crate::ops::convert()), [`merge`](crate::ops::merge),
/// [`create`](crate::ops::create()) and [`create_map`](crate::ops::create_map()).
#[derive(Debug)]
pub struct WriteOptions {
    /// Where the output goes.
    pub destination: Destination,
    /// The format to write.
    pub to: Format,
    /// Which entries, or files, are written.
    pub selection: Selection,
    /// The limits that outputs must keep. An output that exceeds them is split.
    pub rules: Rules,
    /// The level of deflate, from 0 (not compressed) to 9. With a level, every payload is compressed again. Without
    /// one, undamaged payloads are copied unchanged.
    pub level: Option<u8>,
    /// Whether names are changed so that every engine finds them: ASCII letters become lower case, and `\` becomes
    /// `/`.
    pub lowercase: bool,
    /// Whether entries that cannot be read are left out. If not, an archive with such an entry is not written. In
    /// [`create`](crate::ops::create::create), only pictures that cannot be made are left out.
    pub keep_going: bool,
    /// What is done about outputs that exist.
    pub existing: Existing,
    /// Whether to write nothing, and only report what would be written.
    pub dry_run: bool,
    /// The most that may be written for a source, as a multiple of its length. Each payload counts once. By default,
    /// only an archive with overlapping payloads exceeds the limit. Such an archive is not written.
    pub max_expansion: Option<u64>,
}

/// Where the output goes.
#[derive(Debug, Clone)]
pub enum Destination {
    /// This file. There must be exactly one input.
    File(PathBuf),
    /// Below this directory, which is created if it does not exist. An archive that was named keeps its file name.
    /// An archive that was found in a directory keeps its path relative to that directory.
    Directory(PathBuf),
    /// A spool, which can be copied to standard output. There must be exactly one input.
    Spool(Spool),
}

impl Destination {
    /// The path of the only output, as the user would write it.
    pub(crate) fn file(&self) -> Option<&Path> {
        match self {
            Self::File(path) => Some(path),
            Self::Spool(_) => Some(Path::new("-")),
            Self::Directory(_) => None,
        }
    }
}

impl WriteOptions {
    /// The defaults: no limits but the format's, names unchanged, no archive that lacks an entry, nothing replaced.
    ///
    /// Fill in the other fields with `..`, so that your code still compiles if options are added:
    ///
    /// ```
    /// use daisho::Format;
    /// use daisho::ops::write::{Destination, WriteOptions};
    ///
    /// let options = WriteOptions {
    ///     keep_going: true,
    ///     ..WriteOptions::new(Destination::Directory("quake".into()), Format::Quake)
    /// };
    /// # assert!(options.keep_going && !options.dry_run);
    /// ```
    #[must_use]
    pub fn new(destination: Destination, to: Format) -> Self {
        Self {
            destination,
            to,
            selection: Selection::all(),
            rules: Rules::default(),
            level: None,
            lowercase: false,
            keep_going: false,
            existing: Existing::default(),
            dry_run: false,
            max_expansion: None,
        }
    }
}

/// How much is copied at once.
const BUFFER: usize = 64 * 1024;

/// Holds one archive on its way to standard output. All clones hold the same archive.
///
/// An archive cannot be written from beginning to end, so it is kept in a file without a name until it is complete.
///
/// ```
/// # let pak = "corpus/game/data/pak0.pak";
/// use daisho::ops::{Context, Reported, convert};
/// use daisho::ops::write::{Destination, Spool, WriteOptions};
/// use daisho::{Archive, Format};
///
/// let spool = Spool::default();
/// let options = WriteOptions::new(Destination::Spool(spool.clone()), Format::Quake);
/// convert(&Context::new(), &[pak], &options.into(), &mut Reported::default())?;
/// let mut bytes = Vec::new();
/// spool.copy_to(&mut bytes)?;
/// assert_eq!(Archive::from_bytes(bytes)?.len(), Archive::open(pak)?.len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Spool(Arc<Mutex<Option<Scratch>>>);

impl Spool {
    /// Keeps an archive.
    pub(super) fn keep(&self, archive: Scratch) {
        *lock(&self.0) = Some(archive);
    }

    /// Copies the archive, if one was written, and returns its length.
    ///
    /// # Errors
    /// If it cannot be read any more, or `to` fails.
    pub fn copy_to(&self, to: &mut dyn Write) -> io::Result<u64> {
        let kept = lock(&self.0);
        let Some(archive) = &*kept else {
            return Ok(0);
        };
        let len = archive.size()?;
        let (mut buffer, mut at) = (vec![0; BUFFER], 0);
        while at < len {
            let read = archive.read_full_at(&mut buffer, at)?;
            let piece = buffer.get(..read).filter(|piece| !piece.is_empty());
            to.write_all(piece.ok_or(io::ErrorKind::UnexpectedEof)?)?;
            at += read as u64;
        }
        Ok(len)
    }
}

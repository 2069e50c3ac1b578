//! An archive without a name, on its way to where things can only be written in order: standard output.
//!
//! What an archive begins with is known when all of it is written, so it is kept in a file without a name
//! until then.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use crate::archive::ReadAt as _;
use crate::fs::Scratch;

/// How much is copied at once.
const BUFFER: usize = 64 * 1024;

/// A place for one archive that is to be copied somewhere. Its clones are the same place.
///
/// ```
/// # let pak = "corpus/game/data/pak0.pak";
/// use daisho::ops::context::Context;
/// use daisho::ops::convert::convert;
/// use daisho::ops::write::{Destination, Spool, WriteOptions};
/// use daisho::{Archive, Format};
///
/// let spool = Spool::default();
/// let options = WriteOptions::new(Destination::Spool(spool.clone()), Format::Quake);
/// convert(&Context::new(), &[pak.into()], &options, &mut |_row| {})?;
/// let mut bytes = Vec::new();
/// spool.copy_to(&mut bytes)?;
/// assert_eq!(Archive::from_bytes(bytes)?.len(), Archive::open(pak)?.len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Spool(Arc<Mutex<Option<(Scratch, u64)>>>);

impl Spool {
    /// Keeps an archive of this length.
    pub(super) fn keep(&self, archive: Scratch, len: u64) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((archive, len));
    }

    /// Copies the archive, if one was written, and returns its length.
    ///
    /// # Errors
    /// If it cannot be read any more, or `to` fails.
    pub fn copy_to(&self, to: &mut dyn Write) -> io::Result<u64> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some((archive, len)) = &*kept else {
            return Ok(0);
        };
        let (mut buffer, mut at) = (vec![0; BUFFER], 0);
        while at < *len {
            let read = archive.read_full_at(&mut buffer, at)?;
            if read == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            to.write_all(buffer.get(..read).unwrap_or_default())?;
            at += read as u64;
        }
        Ok(*len)
    }
}

impl PartialEq for Spool {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Spool {}

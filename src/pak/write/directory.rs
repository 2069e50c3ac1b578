//! The end of every pak that is written: the directory, the file's length, and last the header.

use super::sink::Sink;
use crate::error::{Error, ErrorKind};
use crate::pak::archive::opens_as;
use crate::pak::detect::is_telling;
use crate::pak::layout::{Header, Layout, Record};

/// How much of a directory is put together before it is written.
const CHUNK: usize = 64 * 1024;

/// Writes all that is not payload and returns the file's length. Limits have been checked.
///
/// # Errors
/// If the pak could not be opened again, because its names say nothing or too little of its layout:
/// there is no header then.
pub(super) fn seal<'a, K: Sink + ?Sized>(
    sink: &K,
    layout: Layout,
    directory_offset: u32,
    records: impl ExactSizeIterator<Item = Record<'a>> + Clone,
) -> Result<u64, Error> {
    if records.len() == 0 {
        return Err(ErrorKind::NothingToWrite.into());
    }
    let start = u64::from(directory_offset);
    let mut at = start;
    let mut chunk = Vec::with_capacity(CHUNK);
    let mut names_tell = true;
    for record in records.clone() {
        names_tell &= is_telling(record.name.as_bytes());
        record.write(layout, &mut chunk);
        if chunk.len() + layout.record_len() > CHUNK {
            at = flush(sink, &mut chunk, at)?;
        }
    }
    let end = flush(sink, &mut chunk, at)?;
    sink.end_at(end).map_err(Error::from_io)?;
    let header = Header {
        magic: layout.magic(),
        directory_offset,
        directory_len: super::limits::number("the directory's length", end - start)?,
    };
    // Names that tell, behind payloads that follow each other, leave no doubt.
    if !names_tell {
        let mut directory = Vec::new();
        records.for_each(|record| record.write(layout, &mut directory));
        if !opens_as(layout, &directory, header, end) {
            return Err(ErrorKind::WouldNotOpen { layout }.into());
        }
    }
    sink.write_at(&header.to_bytes(), 0)
        .map_err(Error::from_io)?;
    Ok(end)
}

fn flush<K: Sink + ?Sized>(sink: &K, chunk: &mut Vec<u8>, at: u64) -> Result<u64, Error> {
    sink.write_at(chunk, at).map_err(Error::from_io)?;
    let end = at + chunk.len() as u64;
    chunk.clear();
    Ok(end)
}

//! A deflated payload, decoded: the stream of a ZIP, without any header of its own, or zlib's.
//!
//! [`Inflating`] takes the payload in pieces and gives out content as a reader asks for it, in constant
//! memory; [`inflate_into`] does both at once, for small payloads. Neither gives out more than the
//! size that the entry claims.

use core::ops::Range;

use flate2::{Decompress, FlushDecompress, Status};

use crate::archive::entry::Entry;
use crate::archive::error::{Error, ErrorKind};
use crate::archive::flaw::DeflateDamage;
use crate::archive::record::Coding;
use crate::archive::stored::StoredReader;

/// A deflated payload that is being decoded.
pub(super) struct Inflating {
    inflate: Decompress,
    buffer: Vec<u8>,
    /// What of the buffer is still to be decoded.
    ready: Range<usize>,
    ended: bool,
}

impl Inflating {
    /// The payload of an entry, read in pieces of at most this size.
    pub(super) fn new(entry: Entry<'_>, piece: usize) -> Self {
        let packed = usize::try_from(entry.stored_len());
        let buffer = packed.unwrap_or(piece).min(piece);
        Self {
            inflate: Decompress::new(entry.coding() == Coding::Zlib),
            buffer: vec![0; buffer],
            ready: 0..0,
            ended: false,
        }
    }

    /// Whether the stream has ended, and the payload with it.
    pub(super) fn is_whole(&self, payload: &StoredReader<'_>) -> bool {
        self.ended && self.ready.is_empty() && payload.left() == 0
    }

    /// Decodes some content into `output`; 0 at the end.
    pub(super) fn decode(
        &mut self,
        payload: &mut StoredReader<'_>,
        output: &mut [u8],
    ) -> Result<usize, Error> {
        let size = payload.entry.size();
        while !self.ended && !output.is_empty() {
            if self.ready.is_empty() {
                self.ready = 0..payload.read_some(&mut self.buffer)?;
            }
            let left = size.saturating_sub(self.inflate.total_out());
            // One byte more than there should be, to see whether there is more.
            let mut more = [0];
            let room = match usize::try_from(left).unwrap_or(usize::MAX) {
                0 => &mut more[..],
                left => {
                    let count = left.min(output.len());
                    output.get_mut(..count).unwrap_or_default()
                }
            };
            let input = self.buffer.get(self.ready.clone()).unwrap_or_default();
            let over = input.is_empty();
            let (taken, given) = (self.inflate.total_in(), self.inflate.total_out());
            let status = self.inflate.decompress(input, room, FlushDecompress::None);
            let produced = self.inflate.total_out() - given;
            let consumed = self.inflate.total_in() - taken;
            self.ready.start += usize::try_from(consumed).unwrap_or_default();
            if left == 0 && produced > 0 {
                return Err(self.damaged(payload, DeflateDamage::TooLong { size }));
            }
            let damage = match status {
                Ok(Status::StreamEnd) => {
                    self.ended = true;
                    let found = self.inflate.total_out();
                    (found < size).then_some(DeflateDamage::TooShort { size, found })
                }
                // What was decoded before is given out first; the damage is met again.
                Ok(_) if produced == 0 && over => Some(DeflateDamage::Cut),
                Ok(_) => None,
                Err(_) => (produced == 0).then_some(DeflateDamage::Codes),
            };
            if let Some(damage) = damage {
                return Err(self.damaged(payload, damage));
            }
            if produced > 0 {
                return Ok(usize::try_from(produced).unwrap_or_default());
            }
        }
        Ok(0)
    }

    fn damaged(&self, payload: &StoredReader<'_>, damage: DeflateDamage) -> Error {
        let at = payload
            .entry
            .start()
            .saturating_add(self.inflate.total_in());
        let error = ErrorKind::DamagedDeflate(damage).into();
        payload.entry.locate(error).at(at)
    }
}

/// Decodes a whole payload. `false` where it is not exactly as long as `output`, or is damaged.
#[cfg(any(test, feature = "ops"))]
pub(super) fn inflate_into(payload: &[u8], coding: Coding, output: &mut [u8]) -> bool {
    let mut inflate = Decompress::new(coding == Coding::Zlib);
    let done = inflate.decompress(payload, output, FlushDecompress::Finish);
    matches!(done, Ok(Status::StreamEnd)) && inflate.total_out() == output.len() as u64
}

//! Decodes deflated payloads: raw streams, as in a ZIP, Deflate64's, or zlib's.
//!
//! [`Inflating`] takes the payload in pieces and returns content as a reader asks for it, in constant
//! memory. [`inflate_into`] decodes a small payload at once. Neither returns more than the entry's claimed
//! size.

use deflate64::InflaterManaged;
use flate2::{Decompress, FlushDecompress, Status};

use crate::archive::container::Coding;
use crate::archive::error::{Error, ErrorKind};
use crate::archive::flaw::DeflateDamage;
use crate::archive::payload::Pieces;

/// A deflated payload while it is decoded.
pub(super) struct Inflating {
    inflate: Inflater,
    ended: bool,
}

/// The decoder of a stream.
enum Inflater {
    Deflate(Decompress),
    Deflate64(Box<Inflater64>),
}

/// The decoder of a stream of Deflate64, which keeps 128 KiB of the content.
struct Inflater64 {
    inflate: InflaterManaged,
    total_in: u64,
    total_out: u64,
}

/// A stream whose codes make no sense.
struct BadCodes;

impl Inflater {
    fn new(coding: Coding) -> Self {
        if coding == Coding::Deflate64 {
            return Self::Deflate64(Box::new(Inflater64 {
                inflate: InflaterManaged::new(),
                total_in: 0,
                total_out: 0,
            }));
        }
        Self::Deflate(Decompress::new(coding == Coding::Zlib))
    }

    fn total_in(&self) -> u64 {
        match self {
            Self::Deflate(inflate) => inflate.total_in(),
            Self::Deflate64(inflate) => inflate.total_in,
        }
    }

    fn total_out(&self) -> u64 {
        match self {
            Self::Deflate(inflate) => inflate.total_out(),
            Self::Deflate64(inflate) => inflate.total_out,
        }
    }

    /// Decodes some bytes, and returns whether the stream has ended.
    fn decode(&mut self, input: &[u8], output: &mut [u8]) -> Result<bool, BadCodes> {
        match self {
            Self::Deflate(inflate) => {
                let status = inflate.decompress(input, output, FlushDecompress::None);
                let status = status.map_err(|_| BadCodes)?;
                Ok(status == Status::StreamEnd)
            }
            Self::Deflate64(it) => {
                let done = it.inflate.inflate(input, output);
                it.total_in = it.total_in.saturating_add(done.bytes_consumed as u64);
                it.total_out = it.total_out.saturating_add(done.bytes_written as u64);
                if done.data_error || it.inflate.errored() {
                    return Err(BadCodes);
                }
                Ok(it.inflate.finished())
            }
        }
    }
}

impl Inflating {
    /// Creates a decoder of streams with this coding, which is one of deflate's.
    pub(super) fn new(coding: Coding) -> Self {
        Self { inflate: Inflater::new(coding), ended: false }
    }

    /// Whether the stream has ended together with the payload.
    pub(super) fn is_whole(&self, input: &Pieces<'_>) -> bool {
        self.ended && input.left() == 0
    }

    /// Decodes some content into `output`; 0 at the end.
    pub(super) fn decode(
        &mut self,
        input: &mut Pieces<'_>,
        output: &mut [u8],
    ) -> Result<usize, Error> {
        let size = input.payload.entry.size();
        while !self.ended && !output.is_empty() {
            let left = size.saturating_sub(self.inflate.total_out());
            // One byte more than expected, to see whether there is more.
            let mut more = [0];
            let room = match usize::try_from(left).unwrap_or(usize::MAX) {
                0 => &mut more[..],
                left => {
                    let count = left.min(output.len());
                    output.get_mut(..count).unwrap_or_default()
                }
            };
            let piece = input.next()?;
            let over = piece.is_empty();
            let (taken, given) = (self.inflate.total_in(), self.inflate.total_out());
            let has_ended = self.inflate.decode(piece, room);
            let produced = self.inflate.total_out() - given;
            let consumed = self.inflate.total_in() - taken;
            input.consume(usize::try_from(consumed).unwrap_or_default());
            if left == 0 && produced > 0 {
                return Err(self.damaged(input, DeflateDamage::TooLong { size }));
            }
            let damage = match has_ended {
                Ok(true) => {
                    self.ended = true;
                    let found = self.inflate.total_out();
                    (found < size).then_some(DeflateDamage::TooShort { size, found })
                }
                // Decoded bytes are returned first; the next call meets the damage again.
                Ok(false) if produced == 0 && over => Some(DeflateDamage::Cut),
                Ok(false) => None,
                Err(BadCodes) => (produced == 0).then_some(DeflateDamage::Codes),
            };
            if let Some(damage) = damage {
                return Err(self.damaged(input, damage));
            }
            if produced > 0 {
                return Ok(usize::try_from(produced).unwrap_or_default());
            }
        }
        Ok(0)
    }

    fn damaged(&self, input: &Pieces<'_>, damage: DeflateDamage) -> Error {
        let at = input.payload.start().saturating_add(self.inflate.total_in());
        let error = ErrorKind::DamagedDeflate(damage).into();
        input.payload.entry.locate(error).at(at)
    }
}

/// Measures a raw stream whose length is not known: it is decoded, and only its sizes are kept.
pub(crate) struct Measuring {
    inflate: Decompress,
    output: Vec<u8>,
}

impl Measuring {
    /// Decodes so many bytes at once.
    pub(crate) fn new(piece: usize) -> Self {
        Self { inflate: Decompress::new(false), output: vec![0; piece] }
    }

    /// The length of the stream so far: the next piece begins there.
    pub(crate) fn packed(&self) -> u64 {
        self.inflate.total_in()
    }

    /// The length of the content so far.
    pub(crate) fn size(&self) -> u64 {
        self.inflate.total_out()
    }

    /// Decodes a piece, or its beginning. Returns whether the stream has ended; `None` if it is damaged, or the
    /// piece is empty.
    pub(crate) fn measure(&mut self, piece: &[u8]) -> Option<bool> {
        let before = (self.packed(), self.size());
        let status = self.inflate.decompress(piece, &mut self.output, FlushDecompress::None);
        match status {
            Ok(Status::StreamEnd) => Some(true),
            Ok(_) if before != (self.packed(), self.size()) => Some(false),
            _ => None,
        }
    }
}

/// Decodes a whole payload. Returns `false` if it is damaged, or not exactly as long as `output`.
pub(super) fn inflate_into(payload: &[u8], coding: Coding, output: &mut [u8]) -> bool {
    let mut inflate = Decompress::new(coding == Coding::Zlib);
    let done = inflate.decompress(payload, output, FlushDecompress::Finish);
    matches!(done, Ok(Status::StreamEnd)) && inflate.total_out() == output.len() as u64
}

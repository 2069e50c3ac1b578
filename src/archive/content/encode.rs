//! Content, encoded block by block: what each coding needs before a block, and how a block is closed.
//!
//! Blocks are cut at the same places whoever encodes them, and each is encoded from itself and a few
//! bytes before it alone, so any thread can take any block and the bytes are the same.

use flate2::{Compress, Compression, FlushCompress};

use super::deflate::{Deflater, LEVEL_MIN};
use crate::archive::record::Coding;
use crate::codec::grammar::DISTANCE_MAX;
use crate::codec::{BLOCK, END_MARKER, Encoder, Profile};

/// How far back deflate reaches.
const WINDOW: usize = 32 << 10;

/// How hard deflate tries unless a level is given.
///
/// Levels 1 to 4 are the library's, those above our own. OpenArena's 84 MB on two quiet cores, the best of
/// three (zip -6: 39.3 MB, 2.6 s; 7-Zip: 38.0 MB, 2.3 s):
///
/// | level | size    | time   |
/// |-------|---------|--------|
/// | 1     | 49.5 MB | 0.24 s |
/// | 2     | 41.2 MB | 0.40 s |
/// | 3     | 40.4 MB | 0.45 s |
/// | 4     | 40.1 MB | 0.49 s |
/// | 5     | 39.2 MB | 0.70 s |
/// | 6     | 38.9 MB | 0.76 s |
/// | 7     | 38.7 MB | 0.90 s |
/// | 8     | 38.3 MB | 1.84 s |
/// | 9     | 38.0 MB | 2.44 s |
const LEVEL_DEFAULT: u8 = 3;

/// Encodes blocks of content.
pub(crate) struct BlockCoder {
    daikatana: Encoder,
    /// Made when it is needed first.
    deflater: Option<Box<Deflater>>,
    level: u8,
}

impl core::fmt::Debug for BlockCoder {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("BlockCoder")
            .field("level", &self.level)
            .finish_non_exhaustive()
    }
}

impl BlockCoder {
    /// How many bytes of content make a block. Only the last one has fewer.
    pub(crate) const BLOCK: usize = BLOCK;

    /// Deflates at this level, 0 to 9.
    pub(crate) fn new(level: Option<u8>) -> Self {
        Self {
            daikatana: Encoder::new(Profile::Compatible),
            deflater: None,
            level: level.unwrap_or(LEVEL_DEFAULT),
        }
    }

    /// How much of what is before a block is needed to encode it.
    pub(crate) const fn reach(coding: Coding) -> usize {
        match coding {
            // Nobody writes zlib's.
            Coding::Stored | Coding::Zlib => 0,
            Coding::Daikatana => DISTANCE_MAX,
            Coding::Deflate => WINDOW,
        }
    }

    /// Encodes a block that stands behind `history`; the last one closes the stream.
    pub(crate) fn encode(
        &mut self,
        coding: Coding,
        history: &[u8],
        content: &[u8],
        last: bool,
    ) -> Vec<u8> {
        match coding {
            Coding::Stored | Coding::Zlib => content.to_vec(),
            Coding::Daikatana => {
                let mut tokens = Vec::new();
                self.daikatana.encode_block(history, content, &mut tokens);
                tokens.extend(last.then_some(END_MARKER));
                tokens
            }
            Coding::Deflate => self.deflate(history, content, last),
        }
    }

    fn deflate(&mut self, history: &[u8], content: &[u8], last: bool) -> Vec<u8> {
        match self.level {
            ..LEVEL_MIN => compress(self.level, history, content, last),
            LEVEL_MIN.. => self
                .deflater
                .get_or_insert_with(|| Box::new(Deflater::new(self.level)))
                .encode(history, content, last),
        }
    }

    /// Encodes a whole content: nothing, if that is not smaller.
    pub(crate) fn encode_all(&mut self, coding: Coding, content: &[u8]) -> Option<Vec<u8>> {
        let mut stream = Vec::new();
        let mut blocks = content.chunks(Self::BLOCK).enumerate().peekable();
        while let Some((number, block)) = blocks.next() {
            let start = number * Self::BLOCK;
            let reach = start.saturating_sub(Self::reach(coding));
            let history = content.get(reach..start).unwrap_or_default();
            let last = blocks.peek().is_none();
            stream.extend(self.encode(coding, history, block, last));
        }
        (stream.len() < content.len()).then_some(stream)
    }
}

/// Deflates a block with the library. What it deflated before shows in what a stream becomes that is begun
/// anew: so that the same content is the same stream, whichever thread has done what, none is used twice.
fn compress(level: u8, history: &[u8], content: &[u8], last: bool) -> Vec<u8> {
    let mut deflate = Compress::new(Compression::new(level.into()), false);
    if !history.is_empty() {
        // It can be refused only by a stream that has begun.
        let _ = deflate.set_dictionary(history);
    }
    let flush = match last {
        true => FlushCompress::Finish,
        false => FlushCompress::Sync,
    };
    let mut out = Vec::with_capacity(content.len() / 2 + 64);
    loop {
        let taken = usize::try_from(deflate.total_in()).unwrap_or(usize::MAX);
        let rest = content.get(taken..).unwrap_or_default();
        let done = deflate.compress_vec(rest, &mut out, flush);
        // All is out once there is room left; nothing here can fail.
        if done.is_err() || out.len() < out.capacity() {
            return out;
        }
        out.reserve(content.len() / 2 + 64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::content::inflate::inflate_into;

    #[test]
    fn deflated_blocks_make_one_stream() {
        let content: Vec<u8> = (0..BLOCK * 3 / 2)
            .map(|n| (n % 251 * n % 7).to_le_bytes()[0])
            .collect();
        for level in 1..=9 {
            let mut coder = BlockCoder::new(Some(level));
            let stream = coder.encode_all(Coding::Deflate, &content).unwrap();
            let mut decoded = vec![0; content.len()];
            assert!(
                inflate_into(&stream, Coding::Deflate, &mut decoded),
                "level {level}"
            );
            assert_eq!(decoded, content);
            // The second block finds what the first one has.
            assert!(stream.len() < content.len() / 50, "{}", stream.len());
        }
    }

    /// Whatever a coder did before, it makes the same stream of a block as a fresh one.
    #[test]
    fn a_used_coder_does_what_a_fresh_one_does() {
        let mut state = 1_u32;
        let mut noise = |len: usize, letters: u32| -> Vec<u8> {
            let mut next = || {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                ((state >> 16) % letters).to_le_bytes()[0]
            };
            (0..len).map(|_| next()).collect()
        };
        let contents = [
            noise(BLOCK * 2 + 77, 5),
            noise(9000, 40),
            noise(BLOCK + 5, 3),
        ];
        for level in 0..=9 {
            let mut used = BlockCoder::new(Some(level));
            for content in [&contents[..], &contents[..2]].concat() {
                let stream = used.encode_all(Coding::Deflate, &content);
                let fresh = BlockCoder::new(Some(level)).encode_all(Coding::Deflate, &content);
                assert!(stream == fresh, "level {level}, {} bytes", content.len());
            }
        }
    }

    #[test]
    fn what_does_not_become_smaller_is_nothing() {
        let mut coder = BlockCoder::new(None);
        assert_eq!(coder.encode_all(Coding::Deflate, b"abc"), None);
        assert_eq!(coder.encode_all(Coding::Daikatana, b"abc"), None);
        assert_eq!(coder.encode_all(Coding::Deflate, b""), None);
    }
}

//! Encodes content block by block: the history that each coding needs, and the end of each block.
//!
//! Blocks are always cut at the same places. Each depends only on its own bytes and at most a few before
//! it. So any thread can encode any block, and the output is the same.

use flate2::{Compress, Compression, FlushCompress};

use crate::archive::container::Coding;
use crate::codec::grammar::DISTANCE_MAX;
use crate::codec::{BlockEncoder, END_MARKER, Encoder, Profile};

/// The default deflate level; `benches/README.md` has the measurements behind it.
const LEVEL_DEFAULT: u8 = 3;

/// Encodes blocks of content.
pub(crate) struct BlockCoder {
    daikatana: Encoder,
    level: u8,
    /// `None` until the first block is deflated.
    deflate: Option<Compress>,
}

impl core::fmt::Debug for BlockCoder {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("BlockCoder").field("level", &self.level).finish_non_exhaustive()
    }
}

impl BlockCoder {
    /// How many bytes of content a block has. Only the last one has fewer.
    pub(crate) const BLOCK: usize = BlockEncoder::BLOCK;

    /// Creates an encoder with this deflate level, 0 to 9.
    pub(crate) fn new(level: Option<u8>) -> Self {
        Self {
            daikatana: Encoder::new(Profile::Compatible),
            level: level.unwrap_or(LEVEL_DEFAULT),
            deflate: None,
        }
    }

    /// How many bytes before a block are needed to encode it.
    pub(crate) const fn reach(coding: Coding) -> usize {
        match coding {
            Coding::Daikatana => DISTANCE_MAX,
            // Deflate can reach back 32 KiB, but using that saved only 0.02 % of 16 MB of large files.
            _ => 0,
        }
    }

    /// Encodes a block that follows `history`, and appends it to `output`. The last one ends the stream.
    pub(crate) fn encode(
        &mut self,
        coding: Coding,
        history: &[u8],
        content: &[u8],
        last: bool,
        output: &mut Vec<u8>,
    ) {
        match coding {
            Coding::Daikatana => {
                self.daikatana.encode_block(history, content, output);
                output.extend(last.then_some(END_MARKER));
            }
            Coding::Deflate => self.deflate(content, last, output),
            // daisho writes no streams of other codings.
            _ => output.extend_from_slice(content),
        }
    }

    /// Appends a deflated block that ends at a whole byte.
    ///
    /// Every block reuses the same `Compress`: creating and freeing one for each took 40 % of the time of
    /// small files, and with glibc 2.36 the memory of each thread grew. The output must not depend on
    /// earlier blocks. It would with dictionaries: zlib-rs 0.6.8 hashes the bytes after a dictionary, which
    /// are left over from earlier content.
    fn deflate(&mut self, content: &[u8], last: bool, output: &mut Vec<u8>) {
        let level = Compression::new(self.level.into());
        let stream = self.deflate.get_or_insert_with(|| Compress::new(level, false));
        stream.reset();
        let flush = if last { FlushCompress::Finish } else { FlushCompress::Sync };
        loop {
            output.reserve(content.len() / 2 + 64);
            let taken = usize::try_from(stream.total_in()).unwrap_or(usize::MAX);
            let rest = content.get(taken..).unwrap_or_default();
            let done = stream.compress_vec(rest, output, flush);
            // If there is room left, all output is written. This cannot fail.
            if done.is_err() || output.len() < output.capacity() {
                return;
            }
        }
    }

    /// Encodes a whole content. Returns `None` if the result is not smaller.
    pub(crate) fn encode_all(&mut self, coding: Coding, content: &[u8]) -> Option<Vec<u8>> {
        let mut stream = Vec::new();
        let mut blocks = content.chunks(Self::BLOCK).enumerate().peekable();
        while let Some((number, block)) = blocks.next() {
            let start = number * Self::BLOCK;
            let reach = start.saturating_sub(Self::reach(coding));
            let history = content.get(reach..start).unwrap_or_default();
            let last = blocks.peek().is_none();
            self.encode(coding, history, block, last, &mut stream);
        }
        (stream.len() < content.len()).then_some(stream)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::content::inflate::inflate_into;

    #[test]
    fn deflated_blocks_make_one_stream() {
        let content: Vec<u8> =
            (0..BlockCoder::BLOCK * 3 / 2).map(|n| (n % 251 * n % 7).to_le_bytes()[0]).collect();
        for level in 1..=9 {
            let mut coder = BlockCoder::new(Some(level));
            let stream = coder.encode_all(Coding::Deflate, &content).unwrap();
            let mut decoded = vec![0; content.len()];
            assert!(inflate_into(&stream, Coding::Deflate, &mut decoded), "level {level}");
            assert_eq!(decoded, content);
            assert!(stream.len() < content.len() / 50, "{}", stream.len());
        }
    }

    /// A used encoder encodes a block exactly like a new one.
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
        let mut contents = vec![noise(BlockCoder::BLOCK + 77, 5), noise(9000, 40), noise(9000, 3)];
        contents.extend((0..80).map(|n| noise(n * n * 11, [2, 3, 9, 200][n % 4])));
        for level in 1..=9 {
            let mut used = BlockCoder::new(Some(level));
            for content in &contents {
                let stream = used.encode_all(Coding::Deflate, content);
                let fresh = BlockCoder::new(Some(level)).encode_all(Coding::Deflate, content);
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

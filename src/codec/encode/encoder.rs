//! Encodes a whole content, or one block of it: find, choose, emit.

use alloc::vec::Vec;
use core::fmt;

use super::{choose, emit, find};
use crate::codec::grammar::{DISTANCE_MAX, LITERAL_MAX, Profile, Token};

/// The end marker, which follows the tokens of the last block.
pub(crate) const END_MARKER: u8 = Token::End.to_control().unwrap();

/// Encodes `data` into the smallest stream that `profile` allows, end marker included.
///
/// ```
/// use daisho::codec::{Profile, encode};
/// assert_eq!(encode(&[0; 100], Profile::Compatible).len(), 3);
/// assert_eq!(encode(&[], Profile::Compatible), [0xFF]);
/// ```
#[must_use]
pub fn encode(data: &[u8], profile: Profile) -> Vec<u8> {
    Encoder::new(profile).encode(data)
}

/// An encoder: a profile, and working memory that is reused from call to call.
#[derive(Clone, Default)]
pub struct Encoder {
    profile: Profile,
    /// The longest copy at each position, later the control byte.
    plan: Vec<u8>,
    /// History and block in one buffer.
    text: Vec<u8>,
}

impl Encoder {
    /// Creates an encoder for streams of `profile`.
    #[must_use]
    pub const fn new(profile: Profile) -> Self {
        Self { profile, plan: Vec::new(), text: Vec::new() }
    }

    /// The largest possible stream for `len` bytes: the bytes, one more per 64 of them (literals), and the
    /// end marker. It holds for every way to encode. [`usize::MAX`] if the number is larger than that.
    #[must_use]
    pub const fn bound(len: usize) -> usize {
        len.saturating_add(len.div_ceil(LITERAL_MAX)).saturating_add(1)
    }

    /// Returns the stream of `data`, end marker included.
    #[must_use]
    pub fn encode(&mut self, data: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        self.encode_into(data, &mut out);
        out
    }

    /// Appends the stream of `data` to `out`, end marker included.
    pub fn encode_into(&mut self, data: &[u8], out: &mut Vec<u8>) {
        self.encode_from(data, 0, out);
        out.push(END_MARKER);
    }

    /// Appends to `out` the tokens for `data`, one block of a longer input, without an end marker.
    ///
    /// `history` is the input before the block; only its last 257 bytes matter. The tokens write the block
    /// and nothing else, so blocks can be coded in any order.
    pub fn encode_block(&mut self, history: &[u8], data: &[u8], out: &mut Vec<u8>) {
        let reach = history.len().saturating_sub(DISTANCE_MAX);
        let history = history.get(reach..).unwrap_or_default();
        let mut text = core::mem::take(&mut self.text);
        text.clear();
        text.extend_from_slice(history);
        text.extend_from_slice(data);
        self.encode_from(&text, history.len(), out);
        self.text = text;
    }

    /// Appends to `out` the tokens for `text[start..]`, a block that follows its history, without an end
    /// marker.
    pub(super) fn encode_from(&mut self, text: &[u8], start: usize, out: &mut Vec<u8>) {
        let block = text.get(start..).unwrap_or_default();
        self.plan.clear();
        self.plan.resize(block.len(), 0);
        find::find(text, start, self.profile, &mut self.plan);
        choose::choose(block, &mut self.plan);
        emit::emit(text, start, &self.plan, self.profile, out);
    }
}

impl fmt::Debug for Encoder {
    /// Shows the profile only: the working memory would be a megabyte of noise.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Encoder").field("profile", &self.profile).finish_non_exhaustive()
    }
}

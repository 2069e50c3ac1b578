//! Lists of tokens for sweeps, each as its bytes, and what comes before them.

use super::dice::Dice;

/// A token's bytes: its control byte and what follows.
pub(crate) type Token = Vec<u8>;

/// Every token there is: every class at every length, every copy at every distance, and the
/// reserved byte as a copy at every distance.
pub(crate) fn all() -> Vec<Token> {
    let mut tokens: Vec<Token> = (0x00..=0xBF).map(plain).collect();
    for control in 0xC0..=0xFE {
        tokens.extend((0..=255).map(|distance| vec![control, distance]));
    }
    tokens
}

/// Every class at the lengths where a decoder that moves pieces of 16, 32 or 48 bytes changes
/// its ways, and copies also at the distances where they begin to overlap.
pub(crate) fn few() -> Vec<Token> {
    let mut tokens = tiny();
    tokens.extend([0x0E, 0x0F, 0x10, 0x11, 0x3E].map(plain)); // literals of 15 to 18, 63
    tokens.extend([0x4E, 0x4F, 0x50, 0x7E].map(plain)); // zero runs of 16, 17, 18, 64
    tokens.extend([0x8E, 0x8F, 0x90, 0xBE].map(plain)); // byte runs of the same
    for len in [2, 15, 16, 17, 31, 32, 33, 62, 63, 64_u8] {
        for distance in [2, 3, len.max(3) - 1, len, len + 1, 64, 255] {
            tokens.push(vec![len + 190, distance - 2]);
        }
        tokens.push(vec![len + 190, 255]);
    }
    tokens.sort();
    tokens.dedup();
    tokens
}

/// Every class at its smallest and largest.
pub(crate) fn tiny() -> Vec<Token> {
    let mut tokens: Vec<Token> = [0x00, 0x3F, 0x40, 0x7F, 0x80, 0xBF].map(plain).into();
    tokens.extend(
        [[0xC0, 0], [0xC0, 255], [0xFD, 0], [0xFD, 60], [0xFD, 61], [0xFD, 255]].map(Vec::from),
    );
    tokens
}

/// A literal or run with operands that are its own.
fn plain(control: u8) -> Token {
    let mut dice = Dice::new(control.into());
    let operands = match control {
        0x00..=0x3F => usize::from(control) + 1,
        0x80..=0xBF => 1,
        _ => 0,
    };
    let mut token = vec![control];
    token.extend((0..operands).map(|_| dice.byte()));
    token
}

/// The plainest stream of any content, with its end.
pub(crate) fn literals(content: &[u8]) -> Vec<u8> {
    [literal_tokens(content), vec![0xFF]].concat()
}

/// The same without its end.
pub(crate) fn literal_tokens(content: &[u8]) -> Vec<u8> {
    let mut stream = Vec::new();
    for part in content.chunks(64) {
        stream.push(u8::try_from(part.len() - 1).unwrap());
        stream.extend(part);
    }
    stream
}

/// Literals that write `len` bytes without a pattern, for copies to reach back into.
pub(crate) fn text(len: usize) -> Vec<u8> {
    literal_tokens(&Dice::new(0).noise(len))
}

/// What comes before the pair under test: more than the largest distance, with a literal last,
/// which a decoder may take as one with what follows, and with a run last, which it may not.
pub(crate) fn starts() -> [Vec<u8>; 2] {
    let literal_last = text(320);
    let run_last = [literal_last.as_slice(), &[0x80, 0x77]].concat();
    [literal_last, run_last]
}

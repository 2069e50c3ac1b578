//! The grammar of a stream: every range and every formula of the format, without loops.
//!
//! A stream is a sequence of tokens. A token is a control byte `c`, then the operand of its class:
//!
//! | `c`           | class     | writes                | more input    | what is written                                    |
//! |---------------|-----------|-----------------------|---------------|----------------------------------------------------|
//! | `0x00..=0x3F` | literal   | `c + 1`    (1 to 64)  | as many bytes | those bytes                                        |
//! | `0x40..=0x7F` | zero run  | `c - 62`   (2 to 65)  | none          | zeros                                              |
//! | `0x80..=0xBF` | byte run  | `c - 126`  (2 to 65)  | one byte `b`  | `b`, again and again                               |
//! | `0xC0..=0xFD` | copy      | `c - 190`  (2 to 63)  | one byte `d`  | what was written `d + 2` (2 to 257) bytes before   |
//! | `0xFE`        | reserved  | nothing               | none          | the game skips it; see [`Reserved`](super::Reserved) |
//! | `0xFF`        | end       | nothing               | none          | the stream is over; what follows is ignored        |
//!
//! A copy longer than its distance repeats: it goes forward byte by byte and reads what it has just
//! written.
//!
//! Two facts follow from the arithmetic, and are asserted at compile time below. A copy reaches back at
//! most 257 bytes, so a decoder never needs more history than that. And no token writes more than 65 bytes
//! for each byte it takes from the stream, so a larger claim is known to be false before anything is
//! decoded: [`Decoder::could_hold`](super::Decoder::could_hold).

/// The most bytes one literal carries.
pub(crate) const LITERAL_MAX: usize = 64;
/// The fewest bytes a run or a copy writes.
pub(crate) const RUN_MIN: usize = 2;
/// The most bytes a zero run or a byte run writes.
pub(crate) const RUN_MAX: usize = 65;
/// The most bytes a copy writes.
pub(crate) const COPY_MAX: usize = 63;
/// The smallest distance a copy can state. Distance 1 cannot be coded at all.
pub(crate) const DISTANCE_MIN: usize = 2;
/// The largest distance a copy can state, and so the history a decoder must keep.
pub(crate) const DISTANCE_MAX: usize = 257;
/// The length of a reserved byte that is read as a copy, as one third-party packer means it.
pub(crate) const RESERVED_COPY: usize = 64;
/// The most bytes of output for one byte of a stream (a zero run).
pub(crate) const EXPANSION_MAX: u64 = 65;

const ZERO_RUN: u8 = 0x40;
const BYTE_RUN: u8 = 0x80;
const COPY: u8 = 0xC0;
const RESERVED: u8 = 0xFE;
const END: u8 = 0xFF;

/// One token of a stream, as its control byte encodes it. Its operand follows in the stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Token {
    /// `len` bytes follow and are written as they are.
    Literal {
        /// 1 to 64.
        len: u8,
    },
    /// `len` zeros are written.
    ZeroRun {
        /// 2 to 65.
        len: u8,
    },
    /// One byte follows and is written `len` times.
    ByteRun {
        /// 2 to 65.
        len: u8,
    },
    /// One byte follows that states the distance; `len` bytes from that far back are written again.
    Copy {
        /// 2 to 63; 64 for a [`Token::Reserved`] that is read as a copy.
        len: u8,
    },
    /// The byte `0xFE`, which the game skips and one packer writes for a copy of 64 bytes.
    Reserved,
    /// The end of the stream.
    End,
}

impl Token {
    /// The token that the control byte `control` begins.
    #[inline]
    #[must_use]
    pub const fn from_control(control: u8) -> Self {
        match control {
            ..ZERO_RUN => Self::Literal { len: control + 1 },
            ZERO_RUN..BYTE_RUN => Self::ZeroRun { len: control - ZERO_RUN + 2 },
            BYTE_RUN..COPY => Self::ByteRun { len: control - BYTE_RUN + 2 },
            COPY..RESERVED => Self::Copy { len: control - COPY + 2 },
            RESERVED => Self::Reserved,
            END => Self::End,
        }
    }

    /// The control byte of this token, or `None` if its length is outside of the class's range.
    #[must_use]
    pub const fn to_control(self) -> Option<u8> {
        match self {
            Self::Literal { len: len @ 1..=64 } => Some(len - 1),
            Self::ZeroRun { len: len @ 2..=65 } => Some(ZERO_RUN + (len - 2)),
            Self::ByteRun { len: len @ 2..=65 } => Some(BYTE_RUN + (len - 2)),
            Self::Copy { len: len @ 2..=63 } => Some(COPY + (len - 2)),
            Self::Reserved => Some(RESERVED),
            Self::End => Some(END),
            _ => None,
        }
    }

    /// The distance that the byte after a copy's control byte states: 2 to 257.
    #[inline]
    #[must_use]
    pub const fn distance(operand: u8) -> usize {
        operand as usize + DISTANCE_MIN
    }

    /// How many bytes this token writes. The reserved byte and the end write none.
    #[inline]
    #[must_use]
    pub const fn output_len(self) -> usize {
        match self {
            Self::Literal { len }
            | Self::ZeroRun { len }
            | Self::ByteRun { len }
            | Self::Copy { len } => len as usize,
            Self::Reserved | Self::End => 0,
        }
    }

    /// How many bytes of the stream this token takes after its control byte.
    #[inline]
    #[must_use]
    pub const fn operand_len(self) -> usize {
        match self {
            Self::Literal { len } => len as usize,
            Self::ByteRun { .. } | Self::Copy { .. } => 1,
            Self::ZeroRun { .. } | Self::Reserved | Self::End => 0,
        }
    }
}

/// The number of bytes in the literal that `control` begins, or 0 if it begins no literal.
///
/// This is [`Token::from_control`] for a decoder that treats an absent literal as an empty one, so that it
/// needs no branch.
#[inline]
pub(super) const fn literal_len(control: u8) -> usize {
    if control < ZERO_RUN { control as usize + 1 } else { 0 }
}

/// The number of bytes that this literal takes in the stream, control byte included, or 0.
#[inline]
pub(super) const fn literal_span(control: u8) -> usize {
    if control < ZERO_RUN { control as usize + 2 } else { 0 }
}

/// The byte that states `distance`, or `None` if it is below 2 or above 257.
#[expect(clippy::cast_possible_truncation, reason = "the range is checked in the same line")]
pub(crate) const fn distance_operand(distance: usize) -> Option<u8> {
    match distance {
        DISTANCE_MIN..=DISTANCE_MAX => Some((distance - DISTANCE_MIN) as u8),
        _ => None,
    }
}

// The constants above are for people, the ranges are for the code. They agree.
const _: () = {
    assert!(matches!(Token::from_control(0x00), Token::Literal { len: 1 }));
    assert!(Token::from_control(ZERO_RUN - 1).output_len() == LITERAL_MAX);
    assert!(Token::from_control(ZERO_RUN).output_len() == RUN_MIN);
    assert!(Token::from_control(BYTE_RUN - 1).output_len() == RUN_MAX);
    assert!(Token::from_control(BYTE_RUN).output_len() == RUN_MIN);
    assert!(Token::from_control(COPY - 1).output_len() == RUN_MAX);
    assert!(Token::from_control(COPY).output_len() == RUN_MIN);
    assert!(Token::from_control(RESERVED - 1).output_len() == COPY_MAX);
    assert!(Token::distance(u8::MIN) == DISTANCE_MIN && Token::distance(u8::MAX) == DISTANCE_MAX);
    // The reserved byte read as a copy is one longer than the longest copy: the author of that packer
    // assumed that the class goes on up to the end marker.
    assert!(RESERVED_COPY == COPY_MAX + 1);
    // No token writes more than EXPANSION_MAX bytes for each byte it takes.
    let mut control = 0;
    while control <= 0xFF_u16 {
        #[expect(clippy::cast_possible_truncation, reason = "the loop ends at 0xFF")]
        let token = Token::from_control(control as u8);
        let taken = (1 + token.operand_len()) as u64;
        assert!(token.output_len() as u64 <= taken * EXPANSION_MAX);
        control += 1;
    }
    assert!(RESERVED_COPY as u64 <= 2 * EXPANSION_MAX);
};

/// The tokens that a stream may contain, depending on its readers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Profile {
    /// No copy is longer than its distance. Every known reader accepts such streams; some tools decode
    /// longer copies wrongly, or not at all.
    #[default]
    Compatible,
    /// Copies may read what they have just written, as the game allows. Streams are 1 to 3 % smaller.
    Overlapping,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the table of the module's documentation for every byte, with arithmetic of its own.
    #[test]
    fn all_256_control_bytes_mean_what_the_table_says() {
        for control in 0..=255_u8 {
            let c = u32::from(control);
            let token = Token::from_control(control);
            let (writes, takes) = match c {
                0x00..=0x3F => (c + 1, c + 1),
                0x40..=0x7F => (c - 62, 0),
                0x80..=0xBF => (c - 126, 1),
                0xC0..=0xFD => (c - 190, 1),
                _ => (0, 0),
            };
            let class = match c {
                0x00..=0x3F => matches!(token, Token::Literal { .. }),
                0x40..=0x7F => matches!(token, Token::ZeroRun { .. }),
                0x80..=0xBF => matches!(token, Token::ByteRun { .. }),
                0xC0..=0xFD => matches!(token, Token::Copy { .. }),
                0xFE => token == Token::Reserved,
                _ => token == Token::End,
            };
            assert!(class, "{control:#04x} is {token:?}");
            assert_eq!(token.output_len(), writes as usize, "{control:#04x} writes");
            assert_eq!(token.operand_len(), takes as usize, "{control:#04x} takes");
            assert_eq!(token.to_control(), Some(control), "{control:#04x} and back");
            match token {
                Token::Literal { len } => assert_eq!(literal_len(control), usize::from(len)),
                _ => assert_eq!(literal_len(control), 0),
            }
        }
    }

    #[test]
    fn lengths_outside_of_a_class_have_no_control_byte() {
        for len in 0..=255_u8 {
            let n = usize::from(len);
            let run = (RUN_MIN..=RUN_MAX).contains(&n);
            assert_eq!(
                Token::Literal { len }.to_control().is_some(),
                (1..=LITERAL_MAX).contains(&n)
            );
            assert_eq!(Token::ZeroRun { len }.to_control().is_some(), run);
            assert_eq!(Token::ByteRun { len }.to_control().is_some(), run);
            assert_eq!(
                Token::Copy { len }.to_control().is_some(),
                (RUN_MIN..=COPY_MAX).contains(&n)
            );
        }
    }

    #[test]
    fn distances_2_to_257_have_a_byte_and_no_others() {
        for operand in 0..=255_u8 {
            assert_eq!(Token::distance(operand), usize::from(operand) + 2);
            assert_eq!(distance_operand(Token::distance(operand)), Some(operand));
        }
        assert_eq!(distance_operand(0), None);
        assert_eq!(distance_operand(1), None);
        assert_eq!(distance_operand(258), None);
    }
}

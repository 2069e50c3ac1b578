//! A line as text, and back.

use core::fmt;

use super::lines::Line;
use super::sum::Sum;
use crate::archive::name::escape;
use crate::archive::unescape::unescape;

/// What stands in the place of the sum of an entry that has none.
const DAMAGED: &str = "damaged";

/// What is wrong with a line that does not begin with a sum.
const NO_SUM: &str = "expected eight lower-case hexadecimal digits (CRC-32), 64 of them (SHA-256), or \
                      \"damaged\", first";

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.sum {
            Some(sum) => sum.fmt(f)?,
            None => f.write_str(DAMAGED)?,
        }
        write!(f, " {} {}", self.size, escape(&self.name))
    }
}

/// Reads a line, without its end; or says what is wrong with it.
pub(super) fn parse(line: &[u8]) -> Result<Line, &'static str> {
    let line = core::str::from_utf8(line).map_err(|_| "it is not UTF-8")?;
    let mut fields = line.splitn(3, ' ');
    let (Some(sum), Some(size), Some(name)) = (fields.next(), fields.next(), fields.next()) else {
        return Err("expected a checksum, a size and a name, with a space between them");
    };
    let sum = match sum {
        DAMAGED => None,
        digits => Some(Sum::parse(digits).ok_or(NO_SUM)?),
    };
    let plain = size.bytes().all(|digit| digit.is_ascii_digit());
    let size: Option<u64> = plain.then(|| size.parse().ok()).flatten();
    let size = size.ok_or("expected a size below 2^64 behind the checksum")?;
    let name = unescape(name).ok_or("there is a backslash in the name that begins no escape")?;
    Ok(Line { sum, size, name })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_line_that_is_none_says_what_is_wrong() {
        for (line, why) in [
            (&b""[..], "expected a checksum, a size and a name"),
            (b"00000000", "expected a checksum, a size and a name"),
            (b"00000000 1", "expected a checksum, a size and a name"),
            (b"0000000 1 a", "eight lower-case"),
            (b"0000000A 1 a", "eight lower-case"),
            (b"+0000000 1 a", "eight lower-case"),
            (b"Damaged 1 a", "eight lower-case"),
            (b"00000000 +1 a", "a size"),
            (b"00000000 18446744073709551616 a", "a size"),
            (b"00000000  1 a", "a size"),
            (b"00000000 1 a\\b", "backslash"),
            (b"00000000 1 a\xff", "UTF-8"),
        ] {
            let error = parse(line).unwrap_err();
            assert!(error.contains(why), "{line:?}: {error}");
        }
    }

    proptest! {
        #[test]
        fn a_line_comes_back(crc32: Option<u32>, sha256: Option<[u8; 32]>, size: u64, name: Vec<u8>) {
            let sum = sha256.map(Sum::Sha256).or(crc32.map(Sum::Crc32));
            let line = Line { sum, size, name };
            let text = line.to_string();
            prop_assert!(!text.contains('\n'));
            prop_assert_eq!(parse(text.as_bytes()).unwrap(), line);
        }

        #[test]
        fn any_bytes_are_a_line_or_are_none(line: Vec<u8>) {
            let _ = parse(&line);
        }
    }
}

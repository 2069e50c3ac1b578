//! A line as text, and back.

use core::fmt;

use super::lines::Line;
use crate::archive::{escape, unescape};

/// What stands in the place of the CRC-32 of an entry that has none.
const DAMAGED: &str = "damaged";

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.crc32 {
            Some(crc32) => write!(f, "{crc32:08x}")?,
            None => f.write_str(DAMAGED)?,
        }
        write!(f, " {} {}", self.size, escape(&self.name))
    }
}

/// Reads a line, without its end; or says what is wrong with it.
pub(super) fn parse(line: &[u8]) -> Result<Line, &'static str> {
    let line = core::str::from_utf8(line).map_err(|_| "it is not UTF-8")?;
    let mut fields = line.splitn(3, ' ');
    let (Some(crc32), Some(size), Some(name)) = (fields.next(), fields.next(), fields.next())
    else {
        return Err("expected a CRC-32, a size and a name, with a space between them");
    };
    let crc32 = match crc32 {
        DAMAGED => None,
        digits => Some(
            crc32_of(digits)
                .ok_or("expected eight lower-case hexadecimal digits, or \"damaged\", first")?,
        ),
    };
    let plain = size.bytes().all(|digit| digit.is_ascii_digit());
    let size: Option<u32> = plain.then(|| size.parse().ok()).flatten();
    let size = size.ok_or("expected a size below 2^32 behind the CRC-32")?;
    let name = unescape(name).ok_or("there is a backslash in the name that begins no escape")?;
    Ok(Line {
        crc32,
        size: size.into(),
        name,
    })
}

fn crc32_of(digits: &str) -> Option<u32> {
    let lower = |digit: u8| matches!(digit, b'0'..=b'9' | b'a'..=b'f');
    let plain = digits.len() == 8 && digits.bytes().all(lower);
    plain.then(|| u32::from_str_radix(digits, 16).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_line_that_is_none_says_what_is_wrong() {
        for (line, why) in [
            (&b""[..], "expected a CRC-32, a size and a name"),
            (b"00000000", "expected a CRC-32, a size and a name"),
            (b"00000000 1", "expected a CRC-32, a size and a name"),
            (b"0000000 1 a", "eight lower-case"),
            (b"0000000A 1 a", "eight lower-case"),
            (b"+0000000 1 a", "eight lower-case"),
            (b"Damaged 1 a", "eight lower-case"),
            (b"00000000 +1 a", "a size"),
            (b"00000000 4294967296 a", "a size"),
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
        fn a_line_comes_back(crc32: Option<u32>, size: u32, name: Vec<u8>) {
            let line = Line { crc32, size: size.into(), name };
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

//! Bytes as letters.

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Base64 as RFC 4648 has it, padded.
pub(super) fn base64(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let byte = |at: usize| u32::from(three.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for n in 0..4 {
            let letter = LETTERS.get((bits >> (18 - 6 * n) & 63) as usize);
            let letter = letter.filter(|_| n <= three.len());
            text.push(letter.map_or('=', |letter| char::from(*letter)));
        }
    }
    text
}

/// The bytes again.
#[cfg(test)]
pub(super) fn decoded(text: &str) -> Vec<u8> {
    assert_eq!(text.len() % 4, 0);
    let letters = text.trim_end_matches('=').bytes();
    let mut bits = String::new();
    for letter in letters {
        let value = LETTERS.iter().position(|it| *it == letter).unwrap();
        bits += &format!("{value:06b}");
    }
    let whole = bits.as_bytes().chunks_exact(8);
    whole
        .map(|bits| u8::from_str_radix(core::str::from_utf8(bits).unwrap(), 2).unwrap())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_the_rfc() {
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(decoded(&base64(&all)), all);
        assert_eq!(base64(&[0xFB, 0xFF]), "+/8=");
    }
}

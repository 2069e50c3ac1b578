//! Bytes as text, for the page of a gallery.

/// Encodes bytes as Base64 (RFC 4648).
pub(super) fn base64(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let mut padded = [0; 4];
        for (to, byte) in padded.iter_mut().skip(1).zip(three) {
            *to = *byte;
        }
        let bits = u32::from_be_bytes(padded);
        for place in 0..4 {
            let is_padding = place > three.len();
            let value = (bits >> (18 - 6 * place)) & 63;
            text.push(if is_padding { '=' } else { digit(value as u8) });
        }
    }
    text
}

/// The digit for a value below 64.
fn digit(value: u8) -> char {
    char::from(match value {
        0..26 => b'A' + value,
        26..52 => b'a' + value - 26,
        52..62 => b'0' + value - 52,
        62 => b'+',
        _ => b'/',
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The vectors of RFC 4648, section 10, and all values of a digit.
    #[test]
    fn bytes_become_text_as_the_standard_says() {
        let vectors = [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ];
        for (bytes, text) in vectors {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
        assert_eq!(base64(&[0xFB, 0xEF, 0xBE, 0xFF]), "++++/w==");
    }
}

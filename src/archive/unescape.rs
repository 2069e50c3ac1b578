//! The way back from [`escape`](super::name::escape): from a name as it is shown to its bytes.

/// The bytes that are shown as `shown`, or `None` where an escape in it is none.
///
/// ```
/// use daisho::archive::{escape, unescape};
/// let name = b"a\\b\x1b[2J\xff\xe2\x80\xae";
/// assert_eq!(unescape(&escape(name).to_string()).unwrap(), name);
/// assert_eq!(unescape(r"a\b"), None);
/// ```
#[must_use]
pub fn unescape(shown: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(shown.len());
    let mut rest = shown;
    while let Some((plain, escape)) = rest.split_once('\\') {
        bytes.extend_from_slice(plain.as_bytes());
        rest = if let Some(after) = escape.strip_prefix('\\') {
            bytes.push(b'\\');
            after
        } else if let Some(after) = escape.strip_prefix('x') {
            let (digits, after) = after.split_at_checked(2)?;
            bytes.push(u8::try_from(hex(digits)?).ok()?);
            after
        } else {
            let (digits, after) = escape.strip_prefix("u{")?.split_once('}')?;
            let c = char::from_u32(hex(digits)?)?;
            bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            after
        };
    }
    bytes.extend_from_slice(rest.as_bytes());
    Some(bytes)
}

/// A number of hexadecimal digits only: the library's parser takes a sign, too.
fn hex(digits: &str) -> Option<u32> {
    let plain = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    plain.then(|| u32::from_str_radix(digits, 16).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::escape;
    use proptest::prelude::*;

    #[test]
    fn what_is_no_escape_is_nothing() {
        for shown in [
            r"\",
            r"\x",
            r"\x1",
            r"\xg0",
            r"\x+1",
            r"\n",
            r"\u{",
            r"\u{}",
            r"\u{110000}",
            r"\u{d800}",
            r"\u20",
        ] {
            assert_eq!(unescape(shown), None, "{shown}");
        }
    }

    proptest! {
        #[test]
        fn every_name_comes_back(name: Vec<u8>, text: String) {
            prop_assert_eq!(unescape(&escape(&name).to_string()), Some(name));
            prop_assert_eq!(unescape(&escape(text.as_bytes()).to_string()), Some(text.into_bytes()));
        }
    }
}

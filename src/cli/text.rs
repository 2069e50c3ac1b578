//! What may reach a terminal.
//!
//! `daisho::pak::escape` has the rule, character by character; here it is asked, never repeated.
//!
//! | for                                             | use                                      |
//! |-------------------------------------------------|------------------------------------------|
//! | a name or a path, where it must stay tellable    | `daisho::pak::escape`, or [`path`]       |
//! | a sentence, whose names may be escaped already   | [`scrub`]: the same, but `\` stays `\`   |
//! | a character of content                          | [`is_plain`]                             |

use std::path::Path;

use daisho::pak::escape;

/// A path, escaped.
pub(crate) fn path(path: &Path) -> String {
    escape(path.as_os_str().as_encoded_bytes()).to_string()
}

/// A sentence with everything escaped in it that could steer a terminal, line ends included.
///
/// Backslashes stay, so that what is escaped already does not change: this is the belt over the
/// braces, for words that came from elsewhere.
pub(crate) fn scrub(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_plain(c) {
            out.push(c);
        } else {
            out.push_str(&escape(c.encode_utf8(&mut [0; 4]).as_bytes()).to_string());
        }
    }
    out
}

/// Whether a character shows itself and does nothing else.
pub(crate) fn is_plain(c: char) -> bool {
    match c {
        ' '..='~' => true,
        '\0'..='\x7f' => false,
        _ => {
            let mut bytes = [0; 4];
            let text = c.encode_utf8(&mut bytes);
            escape(text.as_bytes()).to_string() == *text
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_keeps_its_backslashes_and_loses_what_steers() {
        assert_eq!(scrub(r"a\x1b é刀"), r"a\x1b é刀");
        assert_eq!(
            scrub("a\x1b[2J\n\u{202e}\u{9b}"),
            r"a\x1b[2J\x0a\u{202e}\u{9b}"
        );
        assert_eq!(scrub(&scrub("\x07\\")), scrub("\x07\\"));
    }
}

//! Pictures as files, for terminals that decode them: kitty takes PNG in pieces, iTerm2 a whole file.

use std::fmt::Write as _;

use super::room::Side;
use daisho::ops::base64::base64;

/// The most letters in a sequence.
const PIECE: usize = 4096;

/// A PNG file for kitty, drawn where the cursor is, and no wider or higher than `limit`.
pub(super) fn kitty(png: &[u8], limit: Option<Side>) -> String {
    let letters = base64(png);
    let count = letters.len().div_ceil(PIECE).max(1);
    let size = match limit {
        None => String::new(),
        Some(Side::Columns(columns)) => format!(",c={columns}"),
        Some(Side::Rows(rows)) => format!(",r={rows}"),
    };
    let mut out = String::with_capacity(letters.len() + count * 16);
    for n in 0..count {
        // Without answers, which would be taken for what is typed.
        let first = if n == 0 { "a=T,f=100,q=2" } else { "q=2" };
        let size = if n == 0 { &size[..] } else { "" };
        let more = u8::from(n + 1 < count);
        let end = letters.len().min((n + 1) * PIECE);
        let piece = letters.get(n * PIECE..end).unwrap_or_default();
        let _ = write!(out, "\x1b_G{first}{size},m={more};{piece}\x1b\\");
    }
    out.push('\n');
    out
}

/// A PNG or JPEG file for iTerm2, drawn where the cursor is, and no wider or higher than `limit`.
pub(super) fn iterm2(file: &[u8], limit: Option<Side>) -> String {
    let size = match limit {
        None => String::new(),
        Some(Side::Columns(columns)) => format!("width={columns};"),
        Some(Side::Rows(rows)) => format!("height={rows};"),
    };
    let (len, letters) = (file.len(), base64(file));
    format!("\x1b]1337;File=inline=1;{size}size={len}:{letters}\x07\n")
}

#[cfg(test)]
#[allow(clippy::cast_possible_truncation)] // Numbers that are small.
#[allow(clippy::cast_possible_wrap, clippy::cast_sign_loss)]
mod tests {
    use super::*;

    #[test]
    fn the_pieces_for_kitty_are_the_file() {
        for len in [0, 1, 3071, 3072, 3073, 10_000] {
            let file: Vec<u8> = (0..len).map(|n| (n * 7 % 251) as u8).collect();
            let image = kitty(&file, Some(Side::Rows(7)));
            let (mut letters, mut lasts) = (String::new(), Vec::new());
            let pieces = image.strip_suffix("\x1b\\\n").unwrap().split("\x1b\\");
            for (n, piece) in pieces.enumerate() {
                let (keys, data) = piece
                    .strip_prefix("\x1b_G")
                    .unwrap()
                    .split_once(';')
                    .unwrap();
                assert_eq!(keys.starts_with("a=T,f=100,q=2,r=7,m="), n == 0, "{keys}");
                assert!(data.len() <= PIECE);
                letters += data;
                lasts.push(keys.ends_with("m=0"));
            }
            assert_eq!(letters, base64(&file));
            let last = lasts.pop().unwrap();
            assert!(last && !lasts.contains(&true));
        }
    }

    #[test]
    fn the_letters_for_iterm2_are_the_file() {
        let file: Vec<u8> = (0..=255).collect();
        let image = iterm2(&file, Some(Side::Columns(9)));
        let inner = image.strip_prefix("\x1b]1337;File=").unwrap();
        let (keys, data) = inner
            .strip_suffix("\x07\n")
            .unwrap()
            .split_once(':')
            .unwrap();
        assert_eq!(keys, "inline=1;width=9;size=256");
        assert_eq!(data, base64(&file));
    }
}

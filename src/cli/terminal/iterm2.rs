//! Pictures as iTerm2 takes them: a whole file, as it is.

use super::room::Limit;
use daisho::ops::base64::base64;

/// A PNG or JPEG file, drawn where the cursor is, and no wider or higher than `limit`.
pub(super) fn image(file: &[u8], limit: Option<Limit>) -> String {
    let size = match limit {
        None => String::new(),
        Some(Limit::Columns(columns)) => format!("width={columns};"),
        Some(Limit::Rows(rows)) => format!("height={rows};"),
    };
    let (len, letters) = (file.len(), base64(file));
    format!("\x1b]1337;File=inline=1;{size}size={len}:{letters}\x07\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_letters_are_the_file() {
        let file: Vec<u8> = (0..=255).collect();
        let image = image(&file, Some(Limit::Columns(9)));
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

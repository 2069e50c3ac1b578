//! Pictures in a terminal.
//!
//! | file       | job                                                           |
//! |------------|---------------------------------------------------------------|
//! | `protocol` | how the terminal draws pictures, judged by its environment variables |
//! | `room`     | the terminal's size, and a picture scaled to fit it           |
//! | `files`    | PNG for kitty and Ghostty, PNG and JPEG for iTerm2, WezTerm, VS Code |
//! | `blocks`   | half blocks: text in colours, for all others                  |
//!
//! The escape sequences made here contain colours and Base64, but never a raw byte from an archive.

mod blocks;
mod files;
mod protocol;
mod room;

use std::io;

use daisho::media::png;
use daisho::media::{Palette, Pixels};

pub(crate) use protocol::{Protocol, colours, protocol};
pub(crate) use room::Room;

/// The text that draws a picture, with the end of its last line.
pub(crate) fn draw(
    pixels: &Pixels,
    palette: &Palette,
    protocol: Protocol,
    room: &Room,
) -> io::Result<String> {
    Ok(match protocol {
        Protocol::Kitty => files::kitty(&png(&room.in_pixels(pixels, palette), palette)?, None),
        Protocol::Iterm2 => files::iterm2(&png(&room.in_pixels(pixels, palette), palette)?, None),
        Protocol::Blocks(colours) => blocks::image(&room.in_blocks(pixels, palette), colours),
    })
}

/// The text that draws a PNG or JPEG file, if the terminal decodes such files itself.
pub(crate) fn pass(
    file: &[u8],
    is_png: bool,
    size: [u64; 2],
    protocol: Protocol,
    room: &Room,
) -> Option<String> {
    match protocol {
        Protocol::Kitty if is_png => Some(files::kitty(file, room.limit(size))),
        Protocol::Iterm2 => Some(files::iterm2(file, room.limit(size))),
        _ => None,
    }
}

//! Pictures in a terminal.
//!
//! | file      | job                                                                  |
//! |-----------|----------------------------------------------------------------------|
//! | `ask`     | which of these a terminal takes                                      |
//! | `protocol` | what these are                                                      |
//! | `tty`     | the terminal itself: its size, and a question to it                   |
//! | `room`    | how much room there is, and a picture made to fit it                 |
//! | `kitty`   | PNG for kitty, Ghostty and others                                    |
//! | `iterm2`  | PNG and JPEG for iTerm2, WezTerm, VS Code                            |
//! | `sixel`   | sixels, with `colours`, as DEC's VT340 had them and many have again  |
//! | `blocks`  | half blocks: text in colours, for all others                         |
//!
//! All that comes out of here steers the terminal, and none of it holds a byte of an archive that is no colour
//! or written in letters of Base64.

mod ask;
mod blocks;
mod colours;
mod iterm2;
mod kitty;
mod protocol;
mod room;
mod sixel;
mod tty;

use std::io;

use daisho::media::palette::Palette;
use daisho::media::pixels::Pixels;
use daisho::ops::pictures::png::png;

pub(crate) use ask::{colours, protocol};
pub(crate) use protocol::Protocol;
pub(crate) use room::Room;

/// A picture as what draws it, with the end of its last line.
pub(crate) fn draw(
    pixels: &Pixels,
    palette: &Palette,
    protocol: Protocol,
    room: &Room,
) -> io::Result<String> {
    if let Protocol::Blocks(colours) = protocol {
        let fitted = room.in_blocks(pixels, palette);
        return Ok(blocks::image(&fitted, colours));
    }
    let fitted = room.in_pixels(pixels, palette, protocol == Protocol::Sixel);
    Ok(match protocol {
        Protocol::Kitty => kitty::image(&png(&fitted, palette)?, None),
        Protocol::Iterm2 => iterm2::image(&png(&fitted, palette)?, None),
        Protocol::Sixel | Protocol::Blocks(_) => sixel::image(&fitted),
    })
}

/// A file as what draws it, where the terminal decodes such files itself.
pub(crate) fn pass(
    file: &[u8],
    is_png: bool,
    size: [u64; 2],
    protocol: Protocol,
    room: &Room,
) -> Option<String> {
    match protocol {
        Protocol::Kitty if is_png => Some(kitty::image(file, room.limit(size))),
        Protocol::Iterm2 => Some(iterm2::image(file, room.limit(size))),
        _ => None,
    }
}

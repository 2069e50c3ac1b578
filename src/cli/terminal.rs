//! Pictures in a terminal.
//!
//! kitty and Ghostty take PNG files. iTerm2 and WezTerm take PNG and JPEG, and so does VS Code, if the user asks for
//! it. For all other terminals, pictures are drawn as half blocks: text in colours, with two pixels per character.
//! The environment variables of the terminal decide. The terminal itself is never asked: its answer could come late,
//! or be mistaken for typed text.
//!
//! The escape sequences made here contain colours and Base64, but never a raw byte from an archive.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, IsTerminal as _};

use daisho::media::{Data, Palette, Pixels, png};
use daisho::ops::base64::base64;
use daisho::ops::pictures::smaller;

/// The text that draws a picture, with the end of its last line.
pub(crate) fn draw(
    pixels: &Pixels,
    palette: &Palette,
    protocol: Protocol,
    room: &Room,
) -> io::Result<String> {
    Ok(match protocol {
        Protocol::Kitty => kitty(&png(&room.in_pixels(pixels, palette), palette)?, None),
        Protocol::Iterm2 => iterm2(&png(&room.in_pixels(pixels, palette), palette)?, None),
        Protocol::Blocks(colours) => half_blocks(&room.in_blocks(pixels, palette), colours),
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
        Protocol::Kitty if is_png => Some(kitty(file, room.limit(size))),
        Protocol::Iterm2 => Some(iterm2(file, room.limit(size))),
        _ => None,
    }
}

/// How pictures are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Protocol {
    /// kitty's graphics protocol.
    Kitty,
    /// iTerm2's inline images.
    Iterm2,
    /// Half blocks.
    Blocks(ColorDepth),
}

/// The colours that text can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ColorDepth {
    /// 24 bits each.
    All,
    /// A palette of 256.
    Some,
}

/// The protocol of the terminal on standard output, or `None` if standard output is not a terminal, or is a
/// dumb one.
pub(crate) fn protocol() -> Option<Protocol> {
    if !std::io::stdout().is_terminal() || variable("TERM") == "dumb" {
        return None;
    }
    Some(choose(&variable, colours()))
}

/// The colours that the environment promises.
pub(crate) fn colours() -> ColorDepth {
    let has_all = ["truecolor", "24bit"].contains(&&variable("COLORTERM")[..])
        || variable("TERM").ends_with("-direct")
        || !variable("WT_SESSION").is_empty();
    match has_all {
        true => ColorDepth::All,
        false => ColorDepth::Some,
    }
}

fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_default()
}

fn choose(variable: &dyn Fn(&str) -> String, colours: ColorDepth) -> Protocol {
    let blocks = Protocol::Blocks(colours);
    let term = variable("TERM");
    let is_set = |name: &str| !variable(name).is_empty();
    // tmux and screen pass on the variables of the terminal around them, but not its pictures.
    let is_inner = ["screen", "tmux"]
        .into_iter()
        .any(|name| term == name || term.starts_with(&format!("{name}-")));
    if is_inner || is_set("TMUX") || is_set("STY") {
        return blocks;
    }
    match &variable("TERM_PROGRAM")[..] {
        "WezTerm" | "iTerm.app" => return Protocol::Iterm2,
        "ghostty" => return Protocol::Kitty,
        // A terminal started from within kitty inherits KITTY_WINDOW_ID.
        "Apple_Terminal" | "vscode" => return blocks,
        _ => {}
    }
    if is_set("KITTY_WINDOW_ID") || ["xterm-kitty", "xterm-ghostty"].contains(&&term[..]) {
        return Protocol::Kitty;
    }
    blocks
}

/// The columns and lines to assume if the size is unknown.
const UNKNOWN: (u32, u32) = (80, 24);
/// The pixels of a character to assume if they are unknown.
const CELL: (u32, u32) = (8, 16);
/// Lines that a picture leaves free: one for its heading and one for the next prompt.
const FREE: u32 = 2;
/// The most times that a pixel of a tiny picture is repeated in each direction.
const LARGER: u32 = 8;
/// The most pixels that a tiny picture's longer side is enlarged to: first where pixels are drawn, then where
/// blocks are.
const TINY: (u32, u32) = (128, 16);

/// How much room there is.
#[derive(Debug)]
pub(crate) struct Room {
    /// Columns and lines of characters.
    cells: (u32, u32),
    /// The pixels of a character.
    cell: (u32, u32),
}

/// For a picture that is too large: the side that the terminal must scale to fit, and the length of that side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    /// So many columns of characters.
    Columns(u32),
    /// So many lines.
    Rows(u32),
}

impl Room {
    /// The room of the terminal. With `width`, the picture may have so many columns, and any number of lines.
    pub(crate) fn here(width: Option<u16>) -> Self {
        let ((columns, rows), cell) = size();
        let cells = match width {
            Some(width) => (u32::from(width), u32::from(u16::MAX)),
            None => (columns, rows.saturating_sub(FREE).max(1)),
        };
        Self { cells, cell }
    }

    /// The width and height in pixels.
    fn pixels(&self) -> (u32, u32) {
        (self.cells.0 * self.cell.0, self.cells.1 * self.cell.1)
    }

    /// The side to which the terminal must scale a picture with so many pixels, or `None` if the picture fits.
    fn limit(&self, [width, height]: [u64; 2]) -> Option<Side> {
        let (most_wide, most_high) = self.pixels();
        let (most_wide, most_high) = (u64::from(most_wide), u64::from(most_high));
        if width <= most_wide && height <= most_high {
            None
        } else if width.saturating_mul(most_high) >= height.saturating_mul(most_wide) {
            Some(Side::Columns(self.cells.0))
        } else {
            Some(Side::Rows(self.cells.1))
        }
    }

    /// The picture to draw on a terminal that draws pixels.
    fn in_pixels<'p>(&self, pixels: &'p Pixels, palette: &Palette) -> Cow<'p, Pixels> {
        let room = self.pixels();
        fitted(pixels, palette, room, TINY.0).map_or(Cow::Borrowed(pixels), Cow::Owned)
    }

    /// The picture to draw in half blocks, with two pixels per character.
    fn in_blocks(&self, pixels: &Pixels, palette: &Palette) -> Pixels {
        let room = (self.cells.0, self.cells.1 * 2);
        fitted(pixels, palette, room, TINY.1).unwrap_or_else(|| larger(pixels, palette, 1))
    }
}

/// A picture scaled down to the room, or a tiny one scaled up. `None` if it fits as it is.
fn fitted(pixels: &Pixels, palette: &Palette, room: (u32, u32), tiny: u32) -> Option<Pixels> {
    let (width, height) = (pixels.width.max(1), pixels.height.max(1));
    let longest = width.max(height);
    let (times_wide, times_high) = (room.0 / width, room.1 / height);
    if times_wide == 0 || times_high == 0 {
        let scaled = |room: u32, side: u32| {
            let scaled = u64::from(longest) * u64::from(room) / u64::from(side);
            u32::try_from(scaled).unwrap_or(longest)
        };
        let side = scaled(room.0, width).min(scaled(room.1, height));
        return Some(smaller(pixels, palette, side.clamp(1, longest)));
    }
    let times = LARGER.min(tiny / longest).min(times_wide).min(times_high);
    (times > 1).then(|| larger(pixels, palette, times))
}

/// The picture in true colour, with each pixel repeated `times` times in each direction.
fn larger(pixels: &Pixels, palette: &Palette, times: u32) -> Pixels {
    let rgba = pixels.to_rgba(palette);
    let repeated = times as usize;
    let mut large = Vec::with_capacity(rgba.len() * repeated * repeated);
    for row in rgba.chunks_exact((pixels.width as usize * 4).max(4)) {
        let wide = row.chunks_exact(4).map(|pixel| pixel.repeat(repeated));
        let wide: Vec<u8> = wide.flatten().collect();
        (0..times).for_each(|_| large.extend_from_slice(&wide));
    }
    Pixels {
        width: pixels.width * times,
        height: pixels.height * times,
        data: Data::Rgba(large),
    }
}

/// The columns and lines of the terminal, and the pixels of a character.
fn size() -> ((u32, u32), (u32, u32)) {
    let number = |name: &str| {
        let value = std::env::var(name).ok()?;
        let value: u16 = value.parse().ok()?;
        (value > 0).then_some(u32::from(value))
    };
    let unknown = (
        number("COLUMNS").unwrap_or(UNKNOWN.0),
        number("LINES").unwrap_or(UNKNOWN.1),
    );
    #[cfg(unix)]
    if let Ok(size) = rustix::termios::tcgetwinsize(std::io::stdout())
        && size.ws_col > 0
        && size.ws_row > 0
    {
        let cells = (u32::from(size.ws_col), u32::from(size.ws_row));
        // Many terminals leave their size in pixels at 0.
        let cell = (
            u32::from(size.ws_xpixel) / cells.0,
            u32::from(size.ws_ypixel) / cells.1,
        );
        let is_known = cell.0 > 0 && cell.1 > 0;
        return (cells, if is_known { cell } else { CELL });
    }
    (unknown, CELL)
}

/// The most letters in a sequence.
const PIECE: usize = 4096;

/// A PNG file for kitty, drawn where the cursor is, and no wider or higher than `limit`.
fn kitty(png: &[u8], limit: Option<Side>) -> String {
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
fn iterm2(file: &[u8], limit: Option<Side>) -> String {
    let size = match limit {
        None => String::new(),
        Some(Side::Columns(columns)) => format!("width={columns};"),
        Some(Side::Rows(rows)) => format!("height={rows};"),
    };
    let (len, letters) = (file.len(), base64(file));
    format!("\x1b]1337;File=inline=1;{size}size={len}:{letters}\x07\n")
}

/// The least opacity of a pixel that is drawn.
const OPAQUE: u8 = 128;
/// The shades of each channel in a palette of 256 colours.
const SHADES: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// The text that draws a picture, with the end of its last line. The background shows through transparent pixels.
fn half_blocks(pixels: &Pixels, colours: ColorDepth) -> String {
    let Data::Rgba(rgba) = &pixels.data else {
        return String::new();
    };
    let drawn: Vec<Option<Code>> = rgba.chunks_exact(4).map(|it| code(it, colours)).collect();
    let mut out = String::new();
    let width = (pixels.width as usize).max(1);
    for two in drawn.chunks(width * 2) {
        let (upper, lower) = two.split_at_checked(width).unwrap_or((two, &[]));
        let (mut fore, mut back) = (None, None);
        for (n, upper) in upper.iter().enumerate() {
            let lower = lower.get(n).copied().flatten();
            let (character, front, behind) = match (*upper, lower) {
                (None, None) => (' ', fore, None),
                (Some(upper), None) => ('▀', Some(upper), None),
                (None, Some(lower)) => ('▄', Some(lower), None),
                (Some(upper), Some(lower)) => ('▀', Some(upper), Some(lower)),
            };
            if front != fore {
                set(&mut out, 38, front);
            }
            if behind != back {
                set(&mut out, 48, behind);
            }
            (fore, back) = (front, behind);
            out.push(character);
        }
        out.push_str("\x1b[0m\n");
    }
    out
}

/// A colour in an escape sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Code {
    /// Red, green, blue.
    True(u8, u8, u8),
    /// One of 256.
    Number(u8),
}

fn set(out: &mut String, what: u8, code: Option<Code>) {
    let _ = match code {
        Some(Code::True(red, green, blue)) => write!(out, "\x1b[{what};2;{red};{green};{blue}m"),
        Some(Code::Number(number)) => write!(out, "\x1b[{what};5;{number}m"),
        None => write!(out, "\x1b[{}m", what + 1),
    };
}

/// A pixel's colour, or `None` if it is transparent.
fn code(pixel: &[u8], colours: ColorDepth) -> Option<Code> {
    let &[red, green, blue, alpha] = pixel else {
        return None;
    };
    (alpha >= OPAQUE).then(|| match colours {
        ColorDepth::All => Code::True(red, green, blue),
        ColorDepth::Some => Code::Number(number([red, green, blue])),
    })
}

/// The nearest of the 240 colours that all terminals agree on: a cube of six shades, and 24 greys.
fn number(colour: [u8; 3]) -> u8 {
    let shade = |value: u8| {
        let all = SHADES.into_iter().zip(0_u8..);
        all.min_by_key(|(shade, _)| shade.abs_diff(value))
            .unwrap_or((0, 0))
    };
    let [red, green, blue] = colour.map(shade);
    let sum: u16 = colour.iter().map(|it| u16::from(*it)).sum();
    let grey = u8::try_from((sum / 3).saturating_sub(3) / 10)
        .unwrap_or(u8::MAX)
        .min(23);
    let far = |other: [u8; 3]| -> u32 {
        let differences = colour
            .iter()
            .zip(other)
            .map(|(a, b)| u32::from(a.abs_diff(b)));
        differences.map(|it| it * it).sum()
    };
    match far([8 + grey * 10; 3]) < far([red.0, green.0, blue.0]) {
        true => 232 + grey,
        false => 16 + red.1 * 36 + green.1 * 6 + blue.1,
    }
}

#[cfg(test)]
#[allow(clippy::cast_possible_truncation)] // Numbers that are small.
#[allow(clippy::cast_possible_wrap, clippy::cast_sign_loss)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_names_the_protocol() {
        let blocks = Protocol::Blocks(ColorDepth::Some);
        let xterm = ("TERM", "xterm-256color");
        let kitty = ("KITTY_WINDOW_ID", "1");
        for (variables, expected) in [
            (vec![], blocks),
            (vec![xterm], blocks),
            (vec![("TERM", "linux")], blocks),
            (vec![("TERM", "foot")], blocks),
            (vec![("TERM", "xterm-kitty")], Protocol::Kitty),
            (vec![("TERM", "xterm-ghostty")], Protocol::Kitty),
            (vec![xterm, kitty], Protocol::Kitty),
            (vec![xterm, ("TERM_PROGRAM", "ghostty")], Protocol::Kitty),
            (vec![xterm, ("TERM_PROGRAM", "WezTerm")], Protocol::Iterm2),
            (vec![xterm, ("TERM_PROGRAM", "iTerm.app")], Protocol::Iterm2),
            (vec![xterm, ("TERM_PROGRAM", "Apple_Terminal")], blocks),
            (vec![xterm, kitty, ("TERM_PROGRAM", "vscode")], blocks),
            (vec![("TERM", "tmux-256color"), kitty], blocks),
            (vec![("TERM", "screen"), kitty], blocks),
            (vec![("TERM", "xterm-kitty"), ("STY", "1.x")], blocks),
            (
                vec![xterm, ("TMUX", "x"), ("TERM_PROGRAM", "WezTerm")],
                blocks,
            ),
        ] {
            let variable = |name: &str| {
                let found = variables.iter().find(|(it, _)| *it == name);
                found.map_or_else(String::new, |(_, value)| (*value).to_owned())
            };
            let chosen = choose(&variable, ColorDepth::Some);
            assert_eq!(chosen, expected, "{variables:?}");
        }
    }

    fn picture(width: u32, height: u32) -> Pixels {
        let rgba = (0..width * height).flat_map(|n| [n as u8, (n >> 8) as u8, 7, 255]);
        Pixels {
            width,
            height,
            data: Data::Rgba(rgba.collect()),
        }
    }

    fn room(columns: u32, rows: u32) -> Room {
        Room {
            cells: (columns, rows),
            cell: (8, 16),
        }
    }

    #[test]
    fn a_picture_fits_and_is_as_large_as_it_can_be() {
        let grey = Palette::grey();
        let room = room(10, 5);
        for width in 1..300 {
            for height in [1, 2, 9, 10, 11, 50, 79, 80, 81, 200] {
                let from = picture(width, height);
                let size = |to: &Pixels| (to.width, to.height);
                let blocks = size(&room.in_blocks(&from, &grey));
                let pixels = size(&room.in_pixels(&from, &grey));
                assert!(
                    blocks.0 <= 10 && blocks.1 <= 10,
                    "{width} {height} {blocks:?}"
                );
                assert!(
                    pixels.0 <= 80 && pixels.1 <= 80,
                    "{width} {height} {pixels:?}"
                );
                if width > 10 || height > 10 {
                    assert!(
                        blocks.0 == 10 || blocks.1 == 10,
                        "{width} {height} {blocks:?}"
                    );
                }
                let times = pixels.0 / width;
                if times > 0 && pixels.1 >= height {
                    assert_eq!(pixels, (width * times, height * times));
                    assert!(times <= 8);
                }
            }
        }
    }

    #[test]
    fn a_tiny_picture_is_repeated_pixel_by_pixel() {
        let grey = Palette::grey();
        let from = picture(16, 8);
        let to = room(80, 22).in_pixels(&from, &grey).into_owned();
        assert_eq!((to.width, to.height), (128, 64));
        let (small, large) = (from.to_rgba(&grey), to.to_rgba(&grey));
        for y in 0..64 {
            for x in 0..128 {
                let at = |width: usize, x: usize, y: usize| (y * width + x) * 4;
                let (s, l) = (at(16, x / 8, y / 8), at(128, x, y));
                assert_eq!(small[s..s + 4], large[l..l + 4]);
            }
        }
        // One that is not stays as it is.
        let from = picture(100, 8);
        assert_eq!(*room(80, 22).in_pixels(&from, &grey), from);
        assert_eq!(room(80, 22).in_blocks(&picture(16, 3), &grey).width, 16);
    }

    #[test]
    fn the_side_that_does_not_fit_is_what_a_file_is_scaled_by() {
        let room = room(10, 5);
        assert_eq!(room.limit([80, 80]), None);
        assert_eq!(room.limit([81, 10]), Some(Side::Columns(10)));
        assert_eq!(room.limit([10, 81]), Some(Side::Rows(5)));
        assert_eq!(room.limit([800, 801]), Some(Side::Rows(5)));
        assert_eq!(room.limit([u64::MAX, u64::MAX]), Some(Side::Columns(10)));
    }

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

    /// What a terminal makes of it: rows of pixels, two for each line, each a colour or nothing.
    fn drawn(image: &str) -> Vec<Vec<Option<String>>> {
        let mut rows = Vec::new();
        for line in image.lines() {
            let (mut upper, mut lower) = (Vec::new(), Vec::new());
            let (mut fore, mut back): (Option<String>, Option<String>) = (None, None);
            let mut rest = line;
            while let Some(first) = rest.chars().next() {
                rest = &rest[first.len_utf8()..];
                match first {
                    '\x1b' => {
                        let (code, after) = rest[1..].split_once('m').unwrap();
                        rest = after;
                        match code.split_once(';') {
                            Some(("38", colour)) => fore = Some(colour.to_owned()),
                            Some(("48", colour)) => back = Some(colour.to_owned()),
                            None if code == "39" => fore = None,
                            None if code == "49" => back = None,
                            None if code == "0" => (fore, back) = (None, None),
                            _ => panic!("{code}"),
                        }
                    }
                    ' ' => {
                        upper.push(back.clone());
                        lower.push(back.clone());
                    }
                    '▀' => {
                        upper.push(Some(fore.clone().unwrap()));
                        lower.push(back.clone());
                    }
                    '▄' => {
                        upper.push(back.clone());
                        lower.push(Some(fore.clone().unwrap()));
                    }
                    other => panic!("{other:?}"),
                }
            }
            assert_eq!((fore, back), (None, None), "colours stay behind a line");
            rows.extend([upper, lower]);
        }
        rows
    }

    fn dotted(width: u32, height: u32) -> Pixels {
        let pixel = |n: u32| {
            [
                (n * 37) as u8,
                (n / 3) as u8,
                9,
                if n % 5 == 2 { 9 } else { 255 },
            ]
        };
        let data = Data::Rgba((0..width * height).flat_map(pixel).collect());
        Pixels {
            width,
            height,
            data,
        }
    }

    #[test]
    fn every_pixel_comes_back() {
        for (width, height) in [(1, 1), (4, 3), (5, 8), (90, 33)] {
            let of = smaller(&dotted(width, height), &Palette::grey(), 40);
            let mut rows = drawn(&half_blocks(&of, ColorDepth::All));
            if of.height % 2 == 1 {
                assert!(rows.pop().unwrap().iter().all(Option::is_none));
            }
            let rgba = of.to_rgba(&Palette::grey());
            let expected: Vec<_> = rgba
                .chunks_exact(4)
                .map(|it| (it[3] >= 128).then(|| format!("2;{};{};{}", it[0], it[1], it[2])))
                .collect();
            assert_eq!(rows.concat(), expected);
        }
    }

    #[test]
    fn one_of_256_colours_is_the_nearest_of_all() {
        let mut all = Vec::new();
        for number in 16..=255_u32 {
            let shade = |n: u32| i32::from(SHADES[(n % 6) as usize]);
            let cube = number - 16;
            all.push(match number {
                ..232 => [shade(cube / 36), shade(cube / 6), shade(cube)],
                _ => [8 + (number as i32 - 232) * 10; 3],
            });
        }
        let far = |a: [i32; 3], b: [i32; 3]| -> i32 { (0..3).map(|n| (a[n] - b[n]).pow(2)).sum() };
        for n in 0..4096_i32 {
            let colour = [n % 16 * 17, n / 16 % 16 * 17, n / 256 * 17];
            let found = number(colour.map(|it| it as u8));
            let found = far(colour, all[usize::from(found) - 16]);
            let best = all.iter().map(|it| far(colour, *it)).min().unwrap();
            assert_eq!(found, best, "{colour:?}");
        }
        let few = half_blocks(&dotted(4, 4), ColorDepth::Some);
        let rows = drawn(&few).concat();
        assert!(rows.iter().flatten().all(|colour| colour.starts_with("5;")));
    }
}

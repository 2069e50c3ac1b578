//! Textures in games' own formats: WAL of Quake II and of Daikatana, M8, M32, SWL, and miptex.
//!
//! None of them has a magic: a file is of its name's type if its numbers agree.
//!
//! | type   | header | name   | width, height | mips | first offset | how to recognise it                    |
//! |--------|--------|--------|---------------|------|--------------|----------------------------------------|
//! | WAL    | 100    | 0, 32  | 32, 36        | 4    | 40           | byte 0 is no small number               |
//! | WAL 3  | 892    | 1, 32  | 36, 40        | 9    | 44           | byte 0 is 3, as no text begins          |
//! | M8     | 1,040  | 4, 32  | 36, 100       | 16   | 164          | begins with 2                           |
//! | M32    | 968    | 4, 128 | 516, 580      | 16   | 644          | begins with 4                           |
//! | SWL    | 1,188  | 0, 64  | 64, 68        | 4    | 1,100        | -                                      |
//! | miptex | 40     | 0, 16  | 16, 20        | 4    | 24           | -                                      |
//!
//! M8 and M32 have sixteen widths and then sixteen heights: each mip has its own.
//!
//! A miptex is a texture of Quake or Half-Life: a lump of a WAD, or a part of a map. Half-Life's have a palette
//! after the smallest size. If the name begins with `{`, colour 255 is transparent.

use super::row::{PICTURE, PictureDecoder, QUAKE_PALETTES, TypeRow, Usage};
use crate::archive::bytes::{Cursor, Short};
use crate::archive::{Format, RawName};
use crate::format::{Miptex, texture_name};
use crate::media::colouring::{ColourRules, EncodeRemark, IndexedPicture, PictureEncoding, Usable};
use crate::media::fields::PictureFields;
use crate::media::file::{FactList, File, Mismatch, check};
use crate::media::pixels::{Data, Decoding, Frame, Frames, Palette, PictureError};

const TEXTURE: TypeRow = TypeRow { usage: Usage::Texture, ..PICTURE };

pub(super) const WAL_ROW: TypeRow = TypeRow {
    look: wal,
    encoder: Some(encode_wal),
    fields: Some(|input| WAL.inner_fields(input)),
    decoder: PictureDecoder::EvenDamaged(WAL.begin, |job| WAL.decode(job)),
    // Daikatana has such textures, too, and a palette for each level.
    game_palettes: &["textures/*/colormap.bmp", "pics/colormap.bmp", "pics/colormap.pcx"],
    ..TEXTURE
};

pub(super) const WAL3_ROW: TypeRow = TypeRow {
    look: |file, facts| WAL3.look(file, facts),
    encoder: Some(encode_wal3),
    fields: Some(|input| WAL3.inner_fields(input)),
    decoder: PictureDecoder::EvenDamaged(WAL3.begin, |job| WAL3.decode(job)),
    palette: Some(|input| WAL3.palette(input)),
    ..TEXTURE
};

pub(super) const M8_ROW: TypeRow = TypeRow {
    look: |file, facts| M8.look(file, facts),
    decoder: PictureDecoder::EvenDamaged(M8.begin, |job| M8.decode(job)),
    palette: Some(|input| M8.palette(input)),
    ..TEXTURE
};

pub(super) const M32_ROW: TypeRow = TypeRow {
    look: |file, facts| M32.look(file, facts),
    decoder: PictureDecoder::EvenDamaged(M32.begin, |job| M32.decode(job)),
    ..TEXTURE
};

pub(super) const SWL_ROW: TypeRow = TypeRow {
    look: |file, facts| SWL.look(file, facts),
    decoder: PictureDecoder::EvenDamaged(SWL.begin, |job| SWL.decode(job)),
    palette: Some(|input| SWL.palette(input)),
    ..TEXTURE
};

pub(super) const MIP_ROW: TypeRow = TypeRow {
    look: |file, facts| MIPTEX.look(file, facts),
    encoder: Some(encode_miptex),
    fields: Some(|input| MIPTEX.inner_fields(input)),
    decoder: PictureDecoder::EvenDamaged(MIPTEX.begin, decode_lump),
    usage: Usage::TextureLump,
    game_palettes: QUAKE_PALETTES,
    ..TEXTURE
};

/// The largest side of a plausible texture.
const SIDE: u32 = 8192;

/// A format: its header, and where its colours are.
struct TextureLayout {
    /// The bytes that it begins with.
    begin: &'static [u8],
    /// The length of the header.
    len: u32,
    /// The name's offset and length.
    name: (usize, usize),
    width: usize,
    height: usize,
    /// The most mips.
    mips: u32,
    /// The place of the first mip's offset.
    offset: usize,
    /// Whether each mip has its own width and height, in two arrays.
    own_sizes: bool,
    colours: TextureColours,
    /// The colour that is transparent in all textures of this format, if there is one.
    transparent: Option<u8>,
    /// The places of the next texture of an animation, and of flags, contents and value.
    fields: Option<(usize, [usize; 3])>,
}

/// Where a texture's colours are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TextureColours {
    /// In a palette of the game.
    OfGame(&'static str),
    /// In the header, at this offset, with as many bytes each.
    InHeader(usize, usize),
    /// After the smallest size, or in a palette of the game.
    AtEnd,
    /// In the pixels.
    InPixels,
}

use TextureColours::{AtEnd, InHeader, InPixels, OfGame};

/// The formats.
#[rustfmt::skip]
mod layouts {
    use super::{AtEnd, InHeader, InPixels, OfGame, TextureLayout};

    pub(super) const WAL: TextureLayout = TextureLayout {
        begin: b"", len: 100, name: (0, 32), width: 32, height: 36, mips: 4, offset: 40,
        own_sizes: false, colours: OfGame("pics/colormap.pcx"), transparent: None,
        fields: Some((56, [88, 92, 96])),
    };
    pub(super) const WAL3: TextureLayout = TextureLayout {
        begin: b"\x03", len: 892, name: (1, 32), width: 36, height: 40, mips: 9, offset: 44,
        own_sizes: false, colours: InHeader(120, 3), transparent: Some(255),
        fields: Some((80, [112, 116, 888])),
    };
    pub(super) const M8: TextureLayout = TextureLayout {
        begin: b"\x02\0\0\0", len: 1040, name: (4, 32), width: 36, height: 100, mips: 16,
        offset: 164, own_sizes: true, colours: InHeader(260, 3), transparent: None, fields: None,
    };
    pub(super) const M32: TextureLayout = TextureLayout {
        begin: b"\x04\0\0\0", len: 968, name: (4, 128), width: 516, height: 580, mips: 16,
        offset: 644, own_sizes: true, colours: InPixels, transparent: None, fields: None,
    };
    /// The mips' offsets follow the palette and a checksum. The last byte of a colour is unused.
    pub(super) const SWL: TextureLayout = TextureLayout {
        begin: b"", len: 1188, name: (0, 64), width: 64, height: 68, mips: 4, offset: 1100,
        own_sizes: false, colours: InHeader(72, 4), transparent: None, fields: None,
    };
    pub(super) const MIPTEX: TextureLayout = TextureLayout {
        begin: b"", len: 40, name: (0, 16), width: 16, height: 20, mips: 4, offset: 24,
        own_sizes: false, colours: AtEnd, transparent: None, fields: None,
    };
}

use layouts::{M8, M32, MIPTEX, SWL, WAL, WAL3};

impl TextureLayout {
    /// What a texture holds beside its pixels.
    fn inner_fields(&self, input: Cursor<'_>) -> Result<PictureFields, Short> {
        let (name, len) = self.name;
        let mut fields = PictureFields {
            name: input.at(name).text("the name", len)?.to_vec(),
            ..PictureFields::default()
        };
        if let Some((animation, places)) = self.fields {
            fields.animation = input.at(animation).text("the animation", len)?.to_vec();
            let mut numbers = [0; 3];
            for (number, place) in numbers.iter_mut().zip(places) {
                *number = input.at(place).u32("the flags")?;
            }
            fields.numbers = Some(numbers);
        }
        Ok(fields)
    }

    /// Bytes per pixel.
    fn bytes(&self) -> usize {
        if self.colours == InPixels { 4 } else { 1 }
    }

    /// Accepts a texture whose numbers agree with the file's length.
    fn look(&self, file: &File<'_>, facts: &mut FactList) -> Result<(), Mismatch> {
        let start = file.start;
        check(start.all().starts_with(self.begin))?;
        let name = start.at(self.name.0).text("the name", self.name.1)?;
        let width = start.at(self.width).u32("the width")?;
        let height = start.at(self.height).u32("the height")?;
        check((1..=SIDE).contains(&width) && (1..=SIDE).contains(&height))?;
        // The largest mip is after the header and in the file, but it may begin beyond the part that was read.
        let pixels = u64::from(width).saturating_mul(height.into());
        if let Ok(offset) = start.at(self.offset).u32("where the pixels begin") {
            let end = u64::from(offset).saturating_add(pixels);
            check(offset >= self.len && end <= file.len)?;
        }
        check(file.len > self.len.into())?;
        let sides = (width, height);
        let mips = self.count_mips(start, sides, file.len);
        facts.sides(sides);
        facts.number("mips", Some(mips));
        match self.colours {
            InPixels => {}
            OfGame(name) => facts.word("palette", name),
            AtEnd => {
                let has_palette = miptex(start).and_then(|it| it.has_palette(file.len));
                facts.palette(has_palette == Some(true), "gfx/palette.lmp");
            }
            InHeader(..) => facts.word("palette", "inside"),
        }
        facts.text("texture", name);
        Ok(())
    }

    /// Decodes a file.
    fn decode(&self, job: &mut Decoding<'_>) -> Frames {
        let palette = self.palette(job.input)?;
        self.sizes(job, palette.as_ref(), self.transparent)
    }

    /// The palette in a texture's header.
    fn palette(&self, input: Cursor<'_>) -> Result<Option<Palette>, PictureError> {
        let InHeader(at, len) = self.colours else {
            return Ok(None);
        };
        let bytes = input.at(at).take("the palette", len.saturating_mul(256))?;
        Ok(Some(Palette::of_bytes(bytes, len)))
    }

    /// How many mips are in a file of this length. A file that is cut off has fewer than its header says.
    fn count_mips(&self, start: Cursor<'_>, (width, height): (u32, u32), file_len: u64) -> u32 {
        for level in 0..self.mips {
            let Some((wide, high)) = self.level_sides((width, height), level) else {
                return level;
            };
            let pixels = u64::from(wide).saturating_mul(high.into());
            let Ok(offset) = nth(start, self.offset, level).u32("where the pixels begin") else {
                return level;
            };
            let end = u64::from(offset).saturating_add(pixels.saturating_mul(self.bytes() as u64));
            if offset < self.len || end > file_len {
                return level;
            }
        }
        self.mips
    }

    /// The sides of a level. `None` if the one before it is the last: in Daikatana's textures it is a single pixel, in
    /// others it is one pixel high or wide.
    fn level_sides(&self, (width, height): (u32, u32), level: u32) -> Option<(u32, u32)> {
        let (wide, high) = (width >> level, height >> level);
        let is_level =
            if self.begin == WAL3.begin { wide > 0 || high > 0 } else { wide > 0 && high > 0 };
        is_level.then(|| (wide.max(1), high.max(1)))
    }

    /// Decodes the sizes of a texture that are asked for.
    fn sizes(
        &self,
        job: &mut Decoding<'_>,
        palette: Option<&Palette>,
        transparent: Option<u8>,
    ) -> Frames {
        let mut frames = Vec::new();
        let mips = if job.options.mips { self.mips } else { 1 };
        for level in 0..mips {
            let (sides, bytes) = match self.mip(level, job) {
                Ok(mip) => mip,
                // Shipped textures have fewer mips than their header has room for, and some are cut off.
                Err(_) if level > 0 => break,
                Err(error) => return Err(error),
            };
            let label = if level == 0 { String::new() } else { format!("mip{level}") };
            let data = match self.bytes() {
                4 => Data::Rgba(bytes),
                _ => Data::indexed(bytes, palette.cloned(), transparent),
            };
            frames.push(Frame::new(label, sides, data));
        }
        Ok(frames)
    }

    /// The width and height of one size, and its pixels.
    fn mip(
        &self,
        level: u32,
        job: &mut Decoding<'_>,
    ) -> Result<((u32, u32), Vec<u8>), PictureError> {
        let input = job.input;
        let own = if self.own_sizes { level } else { 0 };
        let width = nth(input, self.width, own).u32("the width")?;
        let height = nth(input, self.height, own).u32("the height")?;
        let mut sides = (width, height);
        if !self.own_sizes && level > 0 {
            sides = self.level_sides(sides, level).ok_or(PictureError::NotAPicture)?;
        }
        let at = nth(input, self.offset, level).size("where the pixels begin")?;
        if level > 0 && at == 0 {
            return Err(PictureError::NotAPicture);
        }
        let area = job.area(nth(input, self.width, level).position(), sides)?;
        let len = area.saturating_mul(self.bytes());
        Ok((sides, input.at(at).take("the pixels", len)?.to_vec()))
    }
}

/// The place of a number of 32 bits in an array that begins at `first`.
fn nth(input: Cursor<'_>, first: usize, number: u32) -> Cursor<'_> {
    let mut place = input.at(first);
    for _ in 0..number {
        place.skip(4);
    }
    place
}

/// The header of a miptex, if it is whole.
fn miptex(input: Cursor<'_>) -> Option<Miptex<'_>> {
    input.rest().first_chunk().map(Miptex::new)
}

/// Accepts a texture of Quake II. Its name is at the beginning, so byte 0 is no small number.
fn wal(file: &File<'_>, facts: &mut FactList) -> Result<(), Mismatch> {
    check(matches!(file.start.at(0).u8("the name")?, 0 | 0x21..))?;
    WAL.look(file, facts)
}

/// Decodes a lump of a WAD.
fn decode_lump(job: &mut Decoding<'_>) -> Frames {
    let palette = miptex_palette(job.input);
    let transparent = job.input.all().starts_with(b"{").then_some(255);
    MIPTEX.sizes(job, palette.as_ref(), transparent)
}

/// The palette after the smallest size of a miptex of Half-Life.
pub(crate) fn miptex_palette(input: Cursor<'_>) -> Option<Palette> {
    let end = miptex(input)?.end()?;
    Palette::counted(input.at(usize::try_from(end).ok()?))
}

/// Encodes a texture of Quake II.
fn encode_wal(job: &mut PictureEncoding<'_>) -> Result<Vec<u8>, PictureError> {
    job.check_texture_sides()?;
    let indexed = job.indexed(ColourRules::OPAQUE, false)?;
    encode_layout(&WAL, job, &indexed, &wal_name(job.name.as_bytes()))
}

/// Encodes a texture of Daikatana.
fn encode_wal3(job: &mut PictureEncoding<'_>) -> Result<Vec<u8>, PictureError> {
    let rules =
        ColourRules { usable: Usable::NotLast, transparent: Some(255), ..ColourRules::OPAQUE };
    job.check_texture_sides()?;
    let (width, height) = job.sides();
    if !width.is_power_of_two() || !height.is_power_of_two() {
        job.remark(EncodeRemark::NoPowersOfTwo);
    }
    let indexed = job.indexed(rules, true)?;
    let mut bytes = encode_layout(&WAL3, job, &indexed, &wal_name(job.name.as_bytes()))?;
    // The game's own textures are filled up.
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    Ok(bytes)
}

/// Writes a header, the sizes behind it, and their offsets in it. Without a name of its own, the picture gets `name`.
fn encode_layout(
    layout: &TextureLayout,
    job: &PictureEncoding<'_>,
    indexed: &IndexedPicture<'_>,
    name: &[u8],
) -> Result<Vec<u8>, PictureError> {
    let fields = job.fields;
    let sides @ (width, height) = job.sides();
    let mut header = vec![0; layout.len as usize];
    let name = if fields.name.is_empty() { name } else { &fields.name };
    put(&mut header, 0, layout.begin);
    put_name(&mut header, layout.name, name, !fields.name.is_empty())?;
    put(&mut header, layout.width, &width.to_le_bytes());
    put(&mut header, layout.height, &height.to_le_bytes());
    if let InHeader(at, _) = layout.colours {
        put(&mut header, at, indexed.palette.colours().as_flattened());
    }
    if let Some((animation, places)) = layout.fields {
        put_name(&mut header, (animation, layout.name.1), &fields.animation, true)?;
        for (place, number) in places.into_iter().zip(fields.numbers.unwrap_or_default()) {
            put(&mut header, place, &number.to_le_bytes());
        }
    }
    // Quake's and Quake II's textures have four sizes, of which the last ones may be empty.
    let has_level = |level: &u32| layout.mips == 4 || layout.level_sides(sides, *level).is_some();
    let levels = (0..layout.mips).take_while(has_level).count();
    let mips = indexed.mips(levels.saturating_sub(1));
    let mut sizes = Vec::new();
    let mut place = layout.offset;
    for (level, size) in (0..).zip(std::iter::once(&indexed.indices).chain(&mips)) {
        let offset = header.len().saturating_add(sizes.len());
        let offset = u32::try_from(offset).map_err(|_| PictureError::NotAPicture)?;
        put(&mut header, place, &offset.to_le_bytes());
        place = place.saturating_add(4);
        if layout.level_sides(sides, level).is_some() {
            sizes.extend_from_slice(size);
        }
    }
    header.extend(sizes);
    Ok(header)
}

/// Encodes a texture of a WAD: of Half-Life with its palette, if that of the game is not given.
fn encode_miptex(job: &mut PictureEncoding<'_>) -> Result<Vec<u8>, PictureError> {
    let has_palette = job.palette.is_none();
    let fields = job.fields;
    let name = if fields.name.is_empty() { lump_name(job.name) } else { fields.name.clone() };
    let is_fence = name.starts_with(b"{");
    let is_sky = !has_palette
        && name.len() >= 3
        && name.get(..3).unwrap_or_default().eq_ignore_ascii_case(b"sky");
    let rules = ColourRules {
        usable: match (has_palette, is_fence) {
            (false, _) => Usable::Quake,
            (true, true) => Usable::NotLast,
            (true, false) => Usable::All,
        },
        transparent: if is_fence { Some(255) } else { (!has_palette).then_some(0) },
        keyed: is_fence,
        is_sky,
        is_opaque: !is_fence && !is_sky,
        clear_colour: [0, 0, 255],
    };
    job.check_texture_sides()?;
    let indexed = job.indexed(rules, has_palette)?;
    let mut bytes = encode_layout(&MIPTEX, job, &indexed, &name)?;
    if has_palette {
        bytes.extend_from_slice(&256_u16.to_le_bytes());
        bytes.extend_from_slice(indexed.palette.colours().as_flattened());
        bytes.extend_from_slice(&[0; 2]);
    }
    Ok(bytes)
}

/// The name of a lump whose entry has this name.
fn lump_name(name: RawName<'_>) -> Vec<u8> {
    let last = name.last_part();
    match texture_name(Format::Wad2, RawName::new(last)) {
        Some(field) => field.split(|byte| *byte == 0).next().unwrap_or_default().to_vec(),
        None => last.strip_suffix(b".mip").unwrap_or(last).to_vec(),
    }
}

/// The name of a texture in a file of this name: the path without `textures/` and extension.
fn wal_name(name: &[u8]) -> Vec<u8> {
    const FOLDER: &[u8] = b"textures/";
    let name: Vec<u8> = name.iter().map(|it| if *it == b'\\' { b'/' } else { *it }).collect();
    let dot = name.iter().rposition(|byte| *byte == b'.');
    let stem = name.get(..dot.unwrap_or(name.len())).unwrap_or_default();
    match stem.split_at_checked(FOLDER.len()) {
        Some((folder, rest)) if folder.eq_ignore_ascii_case(FOLDER) => rest.to_vec(),
        _ => stem.to_vec(),
    }
}

/// Writes bytes at an offset of a header.
fn put(header: &mut [u8], at: usize, bytes: &[u8]) {
    let place = header.get_mut(at..).unwrap_or_default();
    for (to, from) in place.iter_mut().zip(bytes) {
        *to = *from;
    }
}

/// Writes a name, which ends with a zero. The own name of the file that the picture was made of may have none.
fn put_name(
    header: &mut [u8],
    (at, len): (usize, usize),
    name: &[u8],
    is_own: bool,
) -> Result<(), PictureError> {
    if name.len().saturating_add(usize::from(!is_own)) > len {
        let name = String::from_utf8_lossy(name).into_owned();
        let most = len.saturating_sub(1);
        return Err(PictureError::TextureName { name, most });
    }
    put(header, at, name);
    Ok(())
}

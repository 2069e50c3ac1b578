//! The textures inside a map of Quake or Half-Life, as the entries of an archive.
//!
//! The third lump of such a map is a directory of textures: a number, and for each texture the offset of its miptex
//! from the beginning of the lump, or -1. A miptex without pixels names a texture of a WAD.
//!
//! | begins with        | what it is              | palette behind a miptex |
//! |--------------------|-------------------------|-------------------------|
//! | 29                 | a map of Quake          | no                      |
//! | `BSP2` or `2PSB`   | the same, wider numbers | no                      |
//! | 30                 | a map of Half-Life      | yes                     |

use std::io;

use super::container::ArchiveFile;
use super::lump::push_entry_name;
use super::miptex::{Miptex, NO_TEXTURE};
use crate::archive::bytes::{Cursor, u16_at, u32_at};
use crate::archive::error::{Error, ErrorKind, Limit};
use crate::archive::{
    ArchiveContents, Coding, EntryRecord, Extent, Format, Note, RawDirectory, ReadAt, quoted_name,
};

/// How many textures a map may have: several times more than any engine takes.
pub(crate) const TEXTURES_MAX: u32 = 1 << 16;

/// Where the header of a map says where its textures are.
const LUMP_AT: usize = 20;

/// The length of the header: 15 lumps behind the version.
const HEADER: usize = 4 + 15 * 8;

/// The type of a texture in a WAD of Half-Life, for the extension of an entry.
const TEXTURE: u8 = 67;

/// How many names a note shows.
const SHOWN: usize = 5;

/// Why a list of textures cannot be read.
#[derive(Debug)]
pub(crate) enum ListError {
    Io(io::Error),
    /// The file or the lump ends before the list.
    Short,
    /// There are more textures than `TEXTURES_MAX`.
    TooMany(u32),
}

impl From<io::Error> for ListError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Reads the offset of each texture from the beginning of the lump. It is `NO_TEXTURE` if the texture is left out.
pub(crate) fn texture_offsets(source: &dyn ReadAt, lump: Extent) -> Result<Vec<u32>, ListError> {
    if lump.len == 0 {
        return Ok(Vec::new());
    }
    let held = lump.len.min(source.size()?.saturating_sub(lump.offset));
    let mut count = [0; 4];
    let read = source.read_full_at(&mut count, lump.offset)?;
    let read = read.min(usize::try_from(held).unwrap_or(read));
    let count = Cursor::new(count.get(..read).unwrap_or_default())
        .u32("how many textures there are")
        .map_err(|_| ListError::Short)?;
    if count > TEXTURES_MAX {
        return Err(ListError::TooMany(count));
    }
    if held.saturating_sub(4) < u64::from(count) * 4 {
        return Err(ListError::Short);
    }
    let mut table = vec![0; count as usize * 4];
    let read = source.read_full_at(&mut table, lump.offset.saturating_add(4))?;
    if read < table.len() {
        return Err(ListError::Short);
    }
    let offsets = table.chunks_exact(4).map(|offset| u32_at(offset, 0));
    Ok(offsets.collect())
}

/// A kind of maps that hold textures.
pub(crate) struct TexturedMap {
    /// How such a map begins.
    pub(crate) magic: [u8; 4],
    /// A stable lower-case word.
    pub(crate) word: &'static str,
    /// The format of WADs with such textures.
    pub(crate) wad: Format,
}

impl TexturedMap {
    /// A map of Quake.
    pub(crate) const BSP29: Self = Self { magic: *b"\x1D\0\0\0", word: "bsp29", wad: Format::Wad2 };

    /// A map of Half-Life.
    pub(crate) const BSP30: Self = Self { magic: *b"\x1E\0\0\0", word: "bsp30", wad: Format::Wad3 };

    /// A map of Quake with wider numbers.
    pub(crate) const BSP2: Self = Self { magic: *b"BSP2", word: "bsp2", wad: Format::Wad2 };

    /// The first version of BSP2.
    pub(crate) const BSP2_PSB: Self = Self { magic: *b"2PSB", word: "2psb", wad: Format::Wad2 };

    /// The kind of a map that begins with these bytes.
    pub(crate) fn of(begin: [u8; 4]) -> Option<Self> {
        let kinds = [Self::BSP29, Self::BSP30, Self::BSP2, Self::BSP2_PSB];
        kinds.into_iter().find(|kind| kind.magic == begin)
    }
}

/// Reads the textures of a map. `None` if the file is no map of a format that holds textures.
pub(super) fn read(file: &ArchiveFile<'_>) -> Result<Option<ArchiveContents>, Error> {
    let begin = file.start.first_chunk().copied();
    let Some(TexturedMap { word, wad, .. }) = begin.and_then(TexturedMap::of) else {
        return Ok(None);
    };
    let mut header = [0; HEADER];
    let read = file.source.read_full_at(&mut header, 0);
    if read.map_err(Error::from_io)? < HEADER {
        return Ok(None);
    }
    let lump = Extent {
        offset: u32_at(&header, LUMP_AT).into(),
        len: u32_at(&header, LUMP_AT + 4).into(),
    };
    let offsets = match texture_offsets(file.source, lump) {
        Ok(offsets) => offsets,
        Err(ListError::Io(error)) => return Err(Error::from_io(error)),
        Err(ListError::Short) => {
            let Extent { offset, len } = lump;
            let file = file.len;
            return Err(ErrorKind::NoTextureList { offset, len, file }.into());
        }
        Err(ListError::TooMany(count)) => {
            let (value, limit) = (count.into(), TEXTURES_MAX.into());
            let what = Limit::Entries;
            return Err(ErrorKind::OverLimit { what, value, limit }.into());
        }
    };
    let mut textures = Textures {
        file,
        lump,
        has_palettes: wad == Format::Wad3,
        contents: ArchiveContents::other(word),
        outside: Vec::new(),
        empty: 0,
    };
    let directory = table(&offsets);
    let structure = &mut textures.contents.structure;
    structure.header.len = HEADER as u64;
    structure.claimed = directory.len() as u64;
    structure.directory = Extent { offset: lump.offset, len: structure.claimed };
    textures.contents.header = header.to_vec();
    textures.contents.directory = RawDirectory::Bytes(directory);
    for (slot, offset) in offsets.into_iter().enumerate() {
        textures.add(slot, offset)?;
    }
    Ok(Some(textures.finish()))
}

/// The bytes of the list of textures. A lump without textures has none.
fn table(offsets: &[u32]) -> Vec<u8> {
    if offsets.is_empty() {
        return Vec::new();
    }
    // There are at most `TEXTURES_MAX`.
    let count = u32::try_from(offsets.len()).unwrap_or(u32::MAX);
    let numbers = [count].into_iter().chain(offsets.iter().copied());
    numbers.flat_map(u32::to_le_bytes).collect()
}

/// The textures of a map, while they are read.
struct Textures<'a> {
    file: &'a ArchiveFile<'a>,
    lump: Extent,
    /// Whether a palette follows the pixels.
    has_palettes: bool,
    contents: ArchiveContents,
    /// The names of textures that are in WADs.
    outside: Vec<Vec<u8>>,
    /// How many slots have no texture.
    empty: usize,
}

impl Textures<'_> {
    /// Adds the texture in a slot.
    fn add(&mut self, slot: usize, offset: u32) -> Result<(), Error> {
        if offset == NO_TEXTURE {
            self.empty += 1;
            return Ok(());
        }
        let at = self.lump.offset.saturating_add(offset.into());
        let mut header = [0; Miptex::HEADER];
        let read = self.file.source.read_full_at(&mut header, at);
        let is_whole = read.map_err(Error::from_io)? == header.len();
        let miptex = Miptex::new(&header);
        let mut name = Vec::new();
        let mut size = Miptex::HEADER as u64;
        if !is_whole {
            // Reading the entry says that it is outside of the file.
            name = format!("texture{slot}.mip").into_bytes();
        } else if miptex.has_pixels() {
            push_entry_name(&mut name, miptex.name, TEXTURE, Format::Wad3);
            size = self.size(&miptex, at)?;
        } else {
            self.outside.push(miptex.name.to_vec());
            return Ok(());
        }
        let record = EntryRecord {
            offset: at,
            size,
            stored_len: size,
            coding: Coding::Stored,
            ..EntryRecord::default()
        };
        self.contents.add(&name, record, None)?;
        Ok(())
    }

    /// The length of the texture at this offset: up to the end of its last size, or of its palette.
    fn size(&self, miptex: &Miptex<'_>, at: u64) -> Result<u64, Error> {
        let mut size = Miptex::HEADER as u64;
        for (level, offset) in miptex.offsets.into_iter().enumerate() {
            let [width, height] =
                [miptex.width, miptex.height].map(|side| u64::from(side >> level));
            if offset != 0 {
                size = size.max(u64::from(offset).saturating_add(width * height));
            }
        }
        let mut colours = [0; 2];
        let behind = at.saturating_add(size);
        if !self.has_palettes {
            return Ok(size);
        }
        let read = self.file.source.read_full_at(&mut colours, behind);
        if read.map_err(Error::from_io)? == colours.len() {
            size = size.saturating_add(2 + 3 * u64::from(u16_at(&colours, 0)));
            // As in a WAD, whose lumps end at multiples of 4.
            let whole = size.checked_next_multiple_of(4).unwrap_or(size);
            let left = (self.lump.offset.saturating_add(self.lump.len)).saturating_sub(at);
            size = size.max(whole.min(left));
        }
        Ok(size)
    }

    /// The textures, with a note about textures that are not in the map.
    fn finish(mut self) -> ArchiveContents {
        if !self.outside.is_empty() || self.empty > 0 {
            let shown = self.outside.iter().take(SHOWN);
            let mut names: Vec<String> = shown.map(|name| quoted_name(name).to_string()).collect();
            if self.outside.len() > SHOWN {
                names.push(format!("and {} more", self.outside.len() - SHOWN));
            }
            self.contents.notes.push(Note::NotInMap {
                outside: self.outside.len(),
                names: names.join(", "),
                empty: self.empty,
            });
        } else if self.contents.records.is_empty() {
            self.contents.notes.push(Note::Empty);
        }
        self.contents
    }
}

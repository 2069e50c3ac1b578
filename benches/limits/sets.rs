//! What the commands are run on: sets of archives, made up from the streams of the codec's bench, each of about
//! 100 MB of content or of many files.

use std::fs;
use std::path::{Path, PathBuf};

use daisho::Format;
use daisho::archive::RawName;
use daisho::format::{Header, Record};

use crate::samples::{KINDS, sample};

/// Paks that have something in common.
#[derive(Debug)]
pub(crate) struct Set {
    pub(crate) name: &'static str,
    pub(crate) what: &'static str,
    /// A pak, or a directory of paks.
    pub(crate) path: PathBuf,
}

impl Set {
    /// The paks themselves.
    pub(crate) fn paks(&self) -> Vec<PathBuf> {
        paks(&self.path)
    }
}

fn paks(path: &Path) -> Vec<PathBuf> {
    if !path.is_dir() {
        return vec![path.to_owned()];
    }
    let inside = fs::read_dir(path).unwrap();
    let mut inside: Vec<PathBuf> = inside.map(|it| it.unwrap().path()).collect();
    inside.sort();
    inside.iter().flat_map(|it| paks(it)).collect()
}

/// Makes all sets below `dir`.
pub(crate) fn make(dir: &Path) -> Vec<Set> {
    let mut sets = Vec::new();
    let mut add = |name, what, path: PathBuf| sets.push(Set { name, what, path });

    let mut pak = Pak::new(Format::Daikatana);
    for (kind, extension, sizes) in [
        (0, "bsp", &[6_000_000, 4_000_000, 3_000_000, 2_000_000, 5_000_000, 4_000_000][..]),
        (1, "wal", &[22_000; 500]),
        (2, "tga", &[110_000; 160]),
        (3, "pcx", &[45_000; 200]),
    ] {
        for (number, size) in sizes.iter().enumerate() {
            pak.packed(kind, extension, number, *size);
        }
    }
    for (extension, count, size) in [("wav", 600, 40_000), ("dkm", 90, 180_000), ("cfg", 400, 900)]
    {
        for number in 0..count {
            pak.stored(extension, number, size);
        }
    }
    let path = dir.join("game.pak");
    pak.save(&path);
    add("game", "a Daikatana pak like a game's", path);

    let mut pak = Pak::new(Format::Daikatana);
    for number in 0..20_000 {
        let size = 100 + number * 7919 % 1900;
        if number % 2 == 0 {
            pak.packed(1, "wal", number, size);
        } else {
            pak.stored("cfg", number, size);
        }
    }
    let path = dir.join("tiny.pak");
    pak.save(&path);
    add("tiny", "20,000 files of 100 to 2,000 bytes", path);

    let mut pak = Pak::new(Format::Daikatana);
    pak.packed(0, "bsp", 0, 100_000_000);
    let path = dir.join("huge.pak");
    pak.save(&path);
    add("huge", "one compressed file of 100 MB", path);

    let mut pak = Pak::new(Format::Daikatana);
    for number in 0..3 {
        pak.stored("cin", number, 40_000_000 - number);
    }
    let path = dir.join("stored.pak");
    pak.save(&path);
    add("stored", "three stored files of 40 MB", path);

    let path = dir.join("many");
    fs::create_dir(&path).unwrap();
    for number in 0..200 {
        let mut pak = Pak::new(Format::Daikatana);
        pak.packed(0, "bsp", number, 300_000);
        for part in 0..5 {
            pak.packed(1, "wal", number * 5 + part, 20_000);
            pak.stored("wav", number * 5 + part, 20_000);
        }
        pak.save(&path.join(format!("pak{number}.pak")));
    }
    add("many", "a directory of 200 paks of half a MB", path);

    let path = dir.join("disk");
    for number in 0..10_000 {
        let folder = path.join(format!("mod{}", number / 100));
        fs::create_dir_all(&folder).unwrap();
        let mut pak = Pak::new(Format::Quake);
        for part in 0..8 {
            pak.stored("cfg", number * 8 + part, 100);
        }
        pak.save(&folder.join(format!("pak{number}.pak")));
    }
    add("disk", "10,000 small paks in 100 directories", path);

    let mut pak = Pak::new(Format::Quake);
    pak.add("gfx/palette.lmp", (0..=255).flat_map(|n| [n, n, 255 - n]).collect());
    for number in 0..1000 {
        pak.add(&format!("gfx/file{number}.lmp"), picture(128, number));
    }
    for number in 0..150 {
        let tga = [&TGA[..], &sample(&KINDS[2], 256 * 256 * 3, number).content].concat();
        pak.add(&format!("textures/file{number}.tga"), tga);
    }
    let path = dir.join("pictures.pak");
    pak.save(&path);
    add("pictures", "1,000 of 128x128 in 256 colours, 150 TGA of 256x256", path);
    sets
}

/// The header of a TGA of 256x256 in 24 bits.
const TGA: [u8; 18] = [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 24, 0];

/// A picture of Quake's, of as many pixels in width and height.
fn picture(side: u32, seed: u64) -> Vec<u8> {
    let pixels = sample(&KINDS[1], (side * side) as usize, seed).content;
    [side.to_le_bytes(), side.to_le_bytes()].concat().into_iter().chain(pixels).collect()
}

/// A file of a pak: its name, its payload, its size, and whether the payload is a stream.
type File = (String, Vec<u8>, usize, bool);

/// A pak in the making. Samples of one size are made once: what is in two files alike does not
/// matter, since no command looks for that.
struct Pak {
    format: Format,
    entries: Vec<File>,
}

impl Pak {
    fn new(format: Format) -> Self {
        Self { format, entries: Vec::new() }
    }

    fn packed(&mut self, kind: usize, extension: &str, number: usize, size: usize) {
        let made = sample(&KINDS[kind], size, number as u64);
        let name = format!("{extension}/dir{}/file{number}.{extension}", number % 20);
        self.entries.push((name, made.stream, made.content.len(), true));
    }

    fn stored(&mut self, extension: &str, number: usize, size: usize) {
        let mut dice = crate::samples::Dice::new(number as u64);
        let content: Vec<u8> =
            (0..size.div_ceil(8)).flat_map(|_| dice.next().to_le_bytes()).take(size).collect();
        let name = format!("{extension}/dir{}/file{number}.{extension}", number % 20);
        self.entries.push((name, content, size, false));
    }

    fn add(&mut self, name: &str, content: Vec<u8>) {
        let size = content.len();
        self.entries.push((name.to_owned(), content, size, false));
    }

    fn save(&self, path: &Path) {
        let (mut pak, mut directory) = (vec![0; Header::LEN], Vec::new());
        for (name, payload, size, compressed) in &self.entries {
            let record = Record {
                name: RawName::from(name.as_str()),
                offset: pak.len() as u32,
                size: *size as u32,
                packed_size: payload.len() as u32,
                flag: u32::from(*compressed),
                kind: 0,
            };
            record.write(self.format, &mut directory);
            pak.extend(payload);
        }
        let header = Header {
            magic: self.format.spec().magic,
            directory_offset: pak.len() as u32,
            directory_len: directory.len() as u64,
        };
        pak[..Header::LEN].copy_from_slice(&header.to_bytes());
        pak.extend(directory);
        fs::write(path, pak).unwrap();
    }
}

//! What the commands are run on: four sets of paks, made up from the streams of the codec's bench,
//! each of about 100 MB of content or of many files.

use std::fs;
use std::path::{Path, PathBuf};

use daisho::Format;
use daisho::archive::RawName;
use daisho::format::{HEADER_LEN, Header, Packed, Record};

use crate::samples::{KINDS, sample};

/// Paks that have something in common.
#[derive(Debug)]
pub(crate) struct Set {
    pub(crate) name: &'static str,
    pub(crate) what: &'static str,
    /// A pak, or a directory of paks.
    pub(crate) path: PathBuf,
    /// How many bytes of content.
    pub(crate) content: u64,
}

impl Set {
    pub(crate) fn is_directory(&self) -> bool {
        self.path.is_dir()
    }

    /// The paks themselves.
    pub(crate) fn paks(&self) -> Vec<PathBuf> {
        if !self.is_directory() {
            return vec![self.path.clone()];
        }
        let mut paks: Vec<PathBuf> = fs::read_dir(&self.path)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        paks.sort();
        paks
    }
}

/// Makes all sets below `dir`.
pub(crate) fn make(dir: &Path) -> Vec<Set> {
    let mut sets = Vec::new();
    let mut add = |name, what, path: PathBuf, content| {
        sets.push(Set {
            name,
            what,
            path,
            content,
        });
    };

    let mut pak = Pak::new(Format::Daikatana);
    for (kind, extension, sizes) in [
        (
            0,
            "bsp",
            &[
                6_000_000, 4_000_000, 3_000_000, 2_000_000, 5_000_000, 4_000_000,
            ][..],
        ),
        (1, "wal", &[22_000; 500]),
        (2, "tga", &[110_000; 160]),
        (3, "pcx", &[45_000; 200]),
    ] {
        for (number, size) in sizes.iter().enumerate() {
            pak.packed(kind, extension, number, *size);
        }
    }
    for (extension, count, size) in [
        ("wav", 600, 40_000),
        ("dkm", 90, 180_000),
        ("cfg", 400, 900),
    ] {
        for number in 0..count {
            pak.stored(extension, number, size);
        }
    }
    let path = dir.join("game.pak");
    let content = pak.save(&path);
    add("game", "a Daikatana pak like a game's", path, content);

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
    let content = pak.save(&path);
    add("tiny", "20,000 files of 100 to 2,000 bytes", path, content);

    let mut pak = Pak::new(Format::Daikatana);
    for number in 0..3 {
        pak.stored("cin", number, 40_000_000 - number);
    }
    let path = dir.join("stored.pak");
    let content = pak.save(&path);
    add("stored", "three stored files of 40 MB", path, content);

    let (path, mut content) = (dir.join("many"), 0);
    fs::create_dir(&path).unwrap();
    for number in 0..200 {
        let mut pak = Pak::new(Format::Daikatana);
        pak.packed(0, "bsp", number, 300_000);
        for part in 0..5 {
            pak.packed(1, "wal", number * 5 + part, 20_000);
            pak.stored("wav", number * 5 + part, 20_000);
        }
        content += pak.save(&path.join(format!("pak{number}.pak")));
    }
    add(
        "many",
        "a directory of 200 paks of half a MB",
        path,
        content,
    );
    sets
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
        Self {
            format,
            entries: Vec::new(),
        }
    }

    fn packed(&mut self, kind: usize, extension: &str, number: usize, size: usize) {
        let made = sample(&KINDS[kind], size, number as u64);
        let name = format!("{extension}/dir{}/file{number}.{extension}", number % 20);
        self.entries
            .push((name, made.stream, made.content.len(), true));
    }

    fn stored(&mut self, extension: &str, number: usize, size: usize) {
        let mut dice = crate::samples::Dice::new(number as u64);
        let content: Vec<u8> = (0..size.div_ceil(8))
            .flat_map(|_| dice.next().to_le_bytes())
            .take(size)
            .collect();
        let name = format!("{extension}/dir{}/file{number}.{extension}", number % 20);
        self.entries.push((name, content, size, false));
    }

    /// Writes it, and says how many bytes of content it has.
    fn save(&self, path: &Path) -> u64 {
        let (mut pak, mut directory) = (vec![0; HEADER_LEN], Vec::new());
        for (name, payload, size, compressed) in &self.entries {
            let record = Record {
                name: RawName::from(name.as_str()),
                offset: pak.len() as u32,
                size: *size as u32,
                packed: compressed.then_some(Packed {
                    size: payload.len() as u32,
                    flag: 1,
                }),
                lump: None,
            };
            record.write(self.format, &mut directory);
            pak.extend(payload);
        }
        let header = Header {
            magic: self.format.magic(),
            directory_offset: pak.len() as u32,
            directory_len: directory.len() as u64,
        };
        pak[..HEADER_LEN].copy_from_slice(&header.to_bytes());
        pak.extend(directory);
        fs::write(path, pak).unwrap();
        self.entries
            .iter()
            .map(|(_, _, size, _)| *size as u64)
            .sum()
    }
}

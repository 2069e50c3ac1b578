//! What a command is made of: each part alone, on one thread, in memory where it need not be on disk, by the
//! same libraries that the command uses.

use std::fs;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use daisho::archive::{Coding, RawName};
use daisho::codec::{Encoder, Profile, Reserved, decode_into};
use daisho::media::{self, DecodeOptions, Frame, Palette, png};
use daisho::ops::pictures::smaller;
use daisho::{Archive, Format, Writer};
use sha2::{Digest as _, Sha256};

/// A part of a command's work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// Opening and reading all archives.
    Read,
    /// Opening them, and reading header and directory.
    Directories,
    /// Looking through a directory for them: opening each file, and reading its first bytes.
    Search,
    /// Opening and reading all files of a directory.
    Files,
    /// Decompressing, Daikatana's streams or deflated ones.
    Decode,
    /// CRC-32 of all content.
    Sum,
    /// SHA-256 of all content.
    Hash,
    /// A keyed hash of all content, which nobody can foresee.
    Keyed,
    /// Daikatana's compression of the content that it is for.
    Encode,
    /// What a ZIP compresses, deflated by the default level, and all of it summed.
    Deflate,
    /// The same of what is stored.
    DeflateStored,
    /// Decoding pictures.
    Pictures,
    /// Making PNG of them.
    Png,
    /// The same of thumbnails.
    Thumbnails,
    /// Copying what the command has made.
    Copy,
}

impl Part {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Directories => "directories",
            Self::Search => "search",
            Self::Files => "read files",
            Self::Decode => "decode",
            Self::Sum => "CRC-32",
            Self::Hash => "SHA-256",
            Self::Keyed => "keyed hash",
            Self::Encode => "encode",
            Self::Deflate => "deflate",
            Self::DeflateStored => "deflate what is stored",
            Self::Pictures => "pictures",
            Self::Png => "PNG",
            Self::Thumbnails => "thumbnails",
            Self::Copy => "`cp -r`",
        }
    }
}

/// Where things lie on disk.
#[derive(Debug, Clone)]
pub(crate) struct Places {
    /// The set: an archive, or a directory of them.
    pub(crate) set: PathBuf,
    /// The set's files.
    pub(crate) tree: PathBuf,
    /// What the command has made.
    pub(crate) made: PathBuf,
    /// Where that can be copied to.
    pub(crate) copy: PathBuf,
}

/// The archives of a set in memory, with their contents.
pub(crate) struct Loaded {
    paths: Vec<PathBuf>,
    /// Payloads that are compressed, how, and how long their contents are.
    streams: Vec<(Vec<u8>, Coding, usize)>,
    /// All names and contents.
    contents: Vec<(Vec<u8>, Vec<u8>)>,
    /// Which of these are stored.
    stored: Vec<usize>,
    frames: Vec<Frame>,
    palette: Palette,
}

impl Loaded {
    pub(crate) fn new(paths: Vec<PathBuf>) -> Self {
        let (mut streams, mut contents, mut stored) = (Vec::new(), Vec::new(), Vec::new());
        for path in &paths {
            let (bytes, archive) = (fs::read(path).unwrap(), Archive::open(path).unwrap());
            for entry in archive.entries() {
                let content = entry.read().unwrap();
                if let Some(extent) = entry.extent().unwrap().filter(|_| entry.is_compressed()) {
                    let payload = bytes[extent.offset as usize..extent.end() as usize].to_vec();
                    streams.push((payload, entry.coding(), content.len()));
                } else {
                    stored.push(contents.len());
                }
                contents.push((entry.name().as_bytes().to_vec(), content));
            }
        }
        let palette = contents.iter().find(|(name, _)| name == b"gfx/palette.lmp");
        let palette = palette.map_or_else(Palette::grey, |(name, content)| {
            Palette::of_file(RawName::new(name), content).unwrap()
        });
        let mut loaded = Self { paths, streams, contents, stored, frames: Vec::new(), palette };
        loaded.frames = loaded.pictures();
        loaded
    }

    /// How long the longest piece of a part is that no second thread can take a share of, as a share of it.
    pub(crate) fn whole(&self, part: Part) -> f64 {
        let longest = |sizes: Vec<usize>| {
            let all: usize = sizes.iter().sum();
            sizes.into_iter().max().unwrap_or(0) as f64 / all.max(1) as f64
        };
        match part {
            Part::Decode => longest(self.streams.iter().map(|it| it.2).collect()),
            Part::Sum | Part::Hash | Part::Keyed => {
                longest(self.contents.iter().map(|it| it.1.len()).collect())
            }
            _ => 0.0, // files are written, and contents encoded, in pieces
        }
    }

    /// How many milliseconds a part takes.
    pub(crate) fn time(&self, part: Part, places: &Places) -> f64 {
        let start = Instant::now();
        self.work(part, places);
        start.elapsed().as_secs_f64() * 1e3
    }

    /// How many milliseconds a part takes of each of these threads, all of which do all of it at once: on a
    /// machine whose threads do not hinder each other, the time on one divided by their number.
    pub(crate) fn time_of(&self, threads: usize, part: Part, places: &Places) -> f64 {
        let start = Instant::now();
        std::thread::scope(|scope| {
            for number in 0..threads {
                scope.spawn(move || {
                    let copy = places.copy.with_extension(number.to_string());
                    let places = Places { copy, ..places.clone() };
                    self.work(part, &places);
                });
            }
        });
        start.elapsed().as_secs_f64() * 1e3 / threads as f64
    }

    fn work(&self, part: Part, places: &Places) {
        match part {
            Part::Read => self.read(),
            Part::Directories => self.directories(),
            Part::Search => search(&places.set, &mut |path| {
                std::hint::black_box(start_of(path));
            }),
            Part::Files => search(&places.tree, &mut |path| {
                std::hint::black_box(fs::read(path).unwrap());
            }),
            Part::Keyed => {
                let key = RandomState::new();
                for (_, content) in &self.contents {
                    let mut hasher = key.build_hasher();
                    hasher.write(content);
                    std::hint::black_box(hasher.finish());
                }
            }
            Part::DeflateStored => deflate(self.stored.iter().map(|at| &self.contents[*at])),
            Part::Decode => self.decode(),
            Part::Sum => {
                for (_, content) in &self.contents {
                    std::hint::black_box(crc32fast::hash(content));
                }
            }
            Part::Hash => {
                for (_, content) in &self.contents {
                    std::hint::black_box(Sha256::digest(content));
                }
            }
            Part::Encode => self.encode(),
            Part::Deflate => deflate(self.contents.iter()),
            Part::Pictures => drop(std::hint::black_box(self.pictures())),
            Part::Png => {
                for frame in &self.frames {
                    std::hint::black_box(png(&frame.pixels, &self.palette, None).unwrap());
                }
            }
            Part::Thumbnails => {
                for frame in &self.frames {
                    let small = smaller(&frame.pixels, &self.palette, 128);
                    std::hint::black_box(png(&small, &self.palette, None).unwrap());
                }
            }
            Part::Copy => {
                let mut cp = Command::new("cp");
                let (from, to) = (&places.made, &places.copy);
                assert!(cp.arg("-r").args([from, to]).status().unwrap().success());
            }
        }
    }

    fn read(&self) {
        use std::io::Read as _;
        let mut buffer = vec![0; 1 << 18];
        for path in &self.paths {
            let mut file = fs::File::open(path).unwrap();
            while file.read(&mut buffer).unwrap() > 0 {}
        }
    }

    fn directories(&self) {
        use std::io::{Read as _, Seek as _, SeekFrom};
        for path in &self.paths {
            let mut file = fs::File::open(path).unwrap();
            let mut header = [0; 12];
            file.read_exact(&mut header).unwrap();
            let number = |at: usize| u32::from_le_bytes(header[at..at + 4].try_into().unwrap());
            let mut directory = vec![0; number(8) as usize];
            file.seek(SeekFrom::Start(number(4).into())).unwrap();
            file.read_exact(&mut directory).unwrap();
            std::hint::black_box(directory);
        }
    }

    fn decode(&self) {
        let mut inflater = flate2::Decompress::new(false);
        let mut buffer = Vec::new();
        for (stream, coding, size) in &self.streams {
            buffer.resize(buffer.len().max(*size), 0);
            let output = &mut buffer[..*size];
            if *coding == Coding::Deflate {
                inflater.reset(false);
                let finish = flate2::FlushDecompress::Finish;
                inflater.decompress(stream, output, finish).unwrap();
            } else {
                decode_into(stream, output, Reserved::Skip).unwrap();
            }
        }
    }

    fn encode(&self) {
        for (name, content) in &self.contents {
            if Format::Daikatana.coding_for(RawName::new(name)) != Coding::Stored {
                let stream = Encoder::new(Profile::Compatible).encode(content);
                std::hint::black_box(stream);
            }
        }
    }

    fn pictures(&self) -> Vec<Frame> {
        let options = DecodeOptions::default();
        let mut frames = Vec::new();
        for (name, content) in &self.contents {
            let name = RawName::new(name);
            if media::Picture::may_be_in(name)
                && let Ok(picture) = media::Picture::decode(name, content, &options)
            {
                frames.extend(picture.frames);
            }
        }
        frames
    }
}

/// Looks at every file of a directory, by its name.
fn search(folder: &Path, look: &mut impl FnMut(&Path)) {
    let inside = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let mut inside: Vec<_> = inside.collect();
    inside.sort_by_key(fs::DirEntry::file_name);
    for entry in inside {
        match entry.file_type().unwrap().is_dir() {
            true => search(&entry.path(), look),
            false => look(&entry.path()),
        }
    }
}

fn start_of(path: &Path) -> [u8; 12] {
    use std::io::Read as _;
    let mut start = [0; 12];
    fs::File::open(path).unwrap().read_exact(&mut start).unwrap();
    start
}

/// Makes a ZIP of these in memory.
fn deflate<'a>(contents: impl Iterator<Item = &'a (Vec<u8>, Vec<u8>)>) {
    let mut writer = Writer::in_memory(Format::Pk3).unwrap();
    for (name, content) in contents {
        writer.add(name, content).unwrap();
    }
    std::hint::black_box(writer.finish().unwrap());
}

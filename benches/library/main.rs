//! Calls of the library beside the least that they could do: decode a payload at once, copy pixels, read a directory.

use std::hint::black_box;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use daisho::archive::ReadAt;
use daisho::media::{Data, Palette, Pixels};
use daisho::{Archive, Format, Writer};
use flate2::{Decompress, FlushDecompress};

const ROUNDS: usize = 9;

fn main() {
    // `cargo test --benches` only wants to know that it runs.
    if std::env::args().any(|arg| arg == "--test") {
        return;
    }
    println!("\n| call | beside | ratio |");
    println!("|---|---|---:|");
    let row = |call: &str, beside: &str, ratio: f64| println!("| {call} | {beside} | {ratio:.2} |");
    row(
        "`Entry::read`, 3,000 deflated entries of 22 kB",
        "their payloads inflated at once",
        read(),
    );
    row("`Pixels::to_rgba`, 16 Mi indexed pixels", "a copy of its result", to_rgba());
    row("bytes read to open a PK3 of 3,000 entries", "its directory", open());
}

/// A PK3 of files of 22 kB, which deflate to a third, or are stored.
fn pk3(extension: &str) -> Vec<u8> {
    let mut writer = Writer::in_memory(Format::Pk3).unwrap();
    let mut state: u32 = 1;
    for number in 0..3_000 {
        let content: Vec<u8> = (0..22_000_u32)
            .map(|at| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (at / 64 + (state >> 29)) as u8
            })
            .collect();
        writer.add(format!("textures/{number:04}.{extension}"), content).unwrap();
    }
    writer.finish_bytes().unwrap()
}

fn read() -> f64 {
    let bytes = pk3("tga");
    let archive = Archive::from_bytes(bytes.clone()).unwrap();
    archive.check_headers().unwrap();
    let ours = median(|| {
        for entry in archive.entries() {
            black_box(entry.read().unwrap());
        }
    });
    let least = median(|| {
        for entry in archive.entries() {
            let place = entry.extent().unwrap().unwrap();
            let payload = &bytes[place.offset as usize..place.end() as usize];
            let mut content = vec![0; entry.size() as usize];
            let mut inflate = Decompress::new(false);
            inflate.decompress(payload, &mut content, FlushDecompress::Finish).unwrap();
            assert_eq!(crc32fast::hash(&content), entry.stated_crc32().unwrap());
            black_box(content);
        }
    });
    ours / least
}

fn to_rgba() -> f64 {
    let indices = (0..1_u32 << 24).map(|at| (at / 7) as u8).collect();
    let data = Data::Indexed { indices, palette: None, transparent: Some(255) };
    let pixels = Pixels { width: 1 << 12, height: 1 << 12, data };
    let palette = Palette::quake();
    let ours = median(|| drop(black_box(pixels.to_rgba(&palette))));
    let rgba = pixels.to_rgba(&palette);
    ours / median(|| drop(black_box(rgba.clone())))
}

fn open() -> f64 {
    let counted = Counted { bytes: pk3("ogg"), read: Arc::default() };
    let read = Arc::clone(&counted.read);
    let archive = Archive::from_source(counted).unwrap();
    read.load(Ordering::Relaxed) as f64 / archive.structure().directory.len as f64
}

/// Bytes that count how many of them are read.
struct Counted {
    bytes: Vec<u8>,
    read: Arc<AtomicU64>,
}

impl ReadAt for Counted {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let read = self.bytes.read_at(buffer, offset)?;
        self.read.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }

    fn size(&self) -> io::Result<u64> {
        self.bytes.size()
    }
}

fn median(mut work: impl FnMut()) -> f64 {
    let mut times = [0.0; ROUNDS];
    for time in &mut times {
        let begun = Instant::now();
        work();
        *time = begun.elapsed().as_secs_f64();
    }
    times.sort_by(f64::total_cmp);
    times[ROUNDS / 2]
}

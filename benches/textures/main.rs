//! 2,700 pictures into 17 WADs, beside decoding these pictures alone on as many threads.
//!
//! It measures `target/release/daisho`, or the program that `DAISHO_BENCH_PROGRAM` names. The pictures have sides of
//! 64, 128 and 256 pixels; two thirds are in true colour with alpha, the others indexed, as in LibreQuake.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;
use std::{env, fs, thread};

use daisho::media::{Data, Palette, Pixels, png, read_png};

const PICTURES: u32 = 2700;
const WADS: u32 = 17;
const ROUNDS: usize = 7;

fn main() {
    // `cargo test --benches` only wants to know that it runs.
    if env::args().any(|arg| arg == "--test") {
        return;
    }
    let base = env::var_os("DAISHO_BENCH_DIR").map_or_else(env::temp_dir, PathBuf::from);
    let scratch = tempfile::tempdir_in(base).unwrap();
    let program = env::var_os("DAISHO_BENCH_PROGRAM").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/release/daisho"),
        PathBuf::from,
    );
    let mut files = Vec::new();
    for number in 0..PICTURES {
        let folder = scratch.path().join(format!("t{}", number % WADS));
        fs::create_dir_all(&folder).unwrap();
        let file = folder.join(format!("wall{number}.png"));
        fs::write(&file, picture(number)).unwrap();
        files.push(file);
    }
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let (mut alone, mut made) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        alone.push(timed(|| decode(&files, threads)));
        made.push(timed(|| create(&program, scratch.path())));
    }
    let (alone, made) = (median(alone), median(made));
    println!("\n| decoding the PNGs | 17 WADs of them | ratio |");
    println!("|---:|---:|---:|");
    println!("| {alone:.0} ms | {made:.0} ms | {:.2} |", made / alone);
}

/// A wall of a few colours with noise.
fn picture(number: u32) -> Vec<u8> {
    let side = 64 << (number % 3);
    let palette = Palette::quake();
    let mut state = number.wrapping_mul(2_654_435_761).wrapping_add(1);
    let mut indices = Vec::new();
    for at in 0..side * side {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let (x, y) = (at % side, at / side);
        let ramp = 16 * ((x / 16 + y / 8 + number) % 13);
        indices.push(u8::try_from(ramp + (state >> 28)).unwrap().max(1));
    }
    let data = if number.is_multiple_of(3) {
        Data::Indexed { indices, palette: None, transparent: None }
    } else {
        let colours = indices.iter().map(|it| palette.colours()[usize::from(*it)]);
        Data::Rgba(colours.flat_map(|[r, g, b]| [r, g, b ^ 1, 255]).collect())
    };
    let pixels = Pixels { width: side, height: side, data };
    png(&pixels, &palette, None).unwrap()
}

/// Reads and decodes all pictures.
fn decode(files: &[PathBuf], threads: usize) {
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    read_png(&fs::read(file).unwrap(), 1 << 26).unwrap();
                }
            });
        }
    });
}

fn create(program: &Path, folder: &Path) {
    for number in 0..WADS {
        let mut command = Command::new(program);
        command.current_dir(folder).args(["create", "-q", "-f", "-o"]);
        command.args([format!("t{number}.wad"), format!("t{number}")]);
        assert!(command.status().unwrap().success());
    }
}

fn timed(work: impl FnOnce()) -> f64 {
    let begun = Instant::now();
    work();
    begun.elapsed().as_secs_f64() * 1000.0
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

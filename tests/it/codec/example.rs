//! The decoder in C that `corpus/examples` offers to other projects gives the same bytes as ours.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};

use daisho::codec::{Reserved, decode_into};
use tempfile::TempDir;

use super::dice::Dice;
use super::streams;
use crate::{corpus, long};

/// Compiles the example, if there is a compiler. Its sanitizers turn a stray access into a failure.
fn compile(into: &Path) -> bool {
    let source = corpus::path("examples/daikatana.c");
    for sanitizers in [&["-fsanitize=address,undefined", "-fno-sanitize-recover"][..], &[]] {
        let mut compiler = Command::new("cc");
        compiler.args(["-std=c89", "-pedantic", "-Wall", "-Wextra", "-Werror", "-O1"]);
        compiler.args(sanitizers).arg(&source).arg("-o").arg(into);
        match compiler.stderr(Stdio::null()).status() {
            Ok(status) if status.success() => return true,
            Ok(_) => {}
            Err(_) => return false,
        }
    }
    panic!("{} does not compile", source.display());
}

/// What the example makes of a stream: the content, or nothing if it is damaged.
fn decoded(program: &Path, stream: &Path, size: u64, reading: Reserved) -> Option<Vec<u8>> {
    let word = match reading {
        Reserved::Copy => "copy",
        _ => "skip",
    };
    let output = Command::new(program)
        .args([&size.to_string(), word])
        // What is allocated lives as long as the program; any other finding has a status of its own.
        .env("ASAN_OPTIONS", "detect_leaks=0:exitcode=99")
        .stdin(File::open(stream).unwrap())
        .output()
        .unwrap();
    match output.status.code() {
        Some(0) => Some(output.stdout),
        Some(1) => None,
        _ => panic!("{}: {}", stream.display(), String::from_utf8_lossy(&output.stderr)),
    }
}

fn compare(program: &Path, path: &Path, stream: &[u8], size: u64) {
    for reading in [Reserved::Skip, Reserved::Copy] {
        let mut ours = None;
        if size < 1 << 20 {
            let mut content = vec![0; usize::try_from(size).unwrap()];
            ours = decode_into(stream, &mut content, reading).ok().map(|_| content);
        }
        let theirs = decoded(program, path, size, reading);
        assert!(ours == theirs, "{}, size {size}, {reading:?}", path.display());
    }
}

#[test]
fn the_example_in_c_decodes_and_fails_as_we_do() {
    let dir = TempDir::new().unwrap();
    let program = dir.path().join("daikatana");
    if !compile(&program) {
        crate::skips::skip("no C compiler is installed");
        return;
    }
    let mut compared = 0;
    for row in streams::rows() {
        let Some(size) = row.size else {
            continue;
        };
        let path = corpus::path("streams").join(row.name);
        compare(&program, &path, &row.bytes, size);
        compared += 1;
    }
    assert!(compared > 40, "{compared} streams");

    // The same streams, damaged.
    let mut dice = Dice::new(20_261_124);
    let streams = corpus::files("streams");
    let path = dir.path().join("stream");
    for _ in 0..long::cases(60, 300) {
        let (_, stream) = &streams[dice.below(streams.len())];
        let mut stream = stream.clone();
        for _ in 0..dice.below(3) {
            if !stream.is_empty() {
                let at = dice.below(stream.len());
                stream[at] = dice.byte();
            }
        }
        // A size that fits one of the two readings more often than not.
        let size = [Reserved::Skip, Reserved::Copy][dice.below(2)];
        let size = length(&stream, size).saturating_sub(dice.below(4) / 3);
        std::fs::write(&path, &stream).unwrap();
        compare(&program, &path, &stream, size as u64);
    }
}

/// How many bytes a stream decodes to until it ends or is damaged.
fn length(stream: &[u8], reading: Reserved) -> usize {
    let mut room = vec![0; 1 << 16];
    let mut decoder = daisho::codec::Decoder::new(None, reading);
    decoder.decode(stream, &mut room).produced
}

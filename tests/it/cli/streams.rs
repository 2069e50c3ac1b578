//! `unpack-stream`, `pack-stream`

use super::Dir;
use super::paks::quake;

/// Runs, copies and literals, more than is read or written at once.
fn mixture() -> Vec<u8> {
    let mut state = 7_u32;
    let mut data = Vec::new();
    while data.len() < 200_000 {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let [a, b, ..] = state.to_be_bytes();
        match a >> 6 {
            0 => data.resize(data.len() + usize::from(b), 0),
            1 => data.resize(data.len() + usize::from(b >> 3), a),
            2 => data.extend([a, b]),
            _ => {
                let from = data.len().saturating_sub(usize::from(b) + 2);
                data.extend_from_within(from..data.len().min(from + usize::from(a & 63)));
            }
        }
    }
    data
}

#[test]
fn what_is_packed_unpacks_to_the_same() {
    let dir = Dir::new();
    for plain in [Vec::new(), b"a".to_vec(), mixture()] {
        let packed = dir
            .daisho()
            .arg("pack-stream")
            .stdin(&*plain)
            .run()
            .code(0)
            .quiet();
        let size = plain.len().to_string();
        for arguments in [
            vec!["unpack-stream"],
            vec!["unpack-stream", "--size", &size],
        ] {
            dir.daisho()
                .args(arguments)
                .stdin(packed.stdout())
                .run()
                .code(0)
                .quiet()
                .out(&plain);
        }
    }
}

#[test]
fn what_is_sound_before_a_damage_is_written_and_the_damage_is_told() {
    let dir = Dir::new();
    // Four literals, then a copy from before the start.
    dir.daisho()
        .arg("unpack-stream")
        .stdin(*b"\x03abcd\xc0\x09\xff")
        .run()
        .code(1)
        .out("abcd")
        .err(
            "error: copy at stream byte 5 reaches 11 bytes back, but only 4 have been written\n  \
             --> standard input: stream byte 5, output byte 4\n",
        );
    // A size that does not fit, either way.
    for (size, part) in [("3", "only 3 of 3 are left to write"), ("5", "expected 5")] {
        dir.daisho()
            .args(["unpack-stream", "--size", size])
            .stdin(*b"\x03abcd\xff")
            .run()
            .code(1)
            .err_has(part);
    }
}

#[test]
fn what_is_odd_is_a_warning_at_the_end() {
    let dir = Dir::new();
    let run = |stream: &[u8]| {
        dir.daisho()
            .arg("unpack-stream")
            .stdin(stream)
            .run()
            .code(0)
    };
    run(b"\x03abcd")
        .out("abcd")
        .err("warning: no end marker: the stream ends at stream byte 5\n");
    run(b"\x03abcd\xffmore")
        .out("abcd")
        .err("warning: 4 bytes after the end marker are ignored, from stream byte 6 on\n");
    run(b"\xfe\x03abcd\xff")
        .out("abcd")
        .err_has("warning: reserved control byte 0xfe at stream byte 0\n");
}

#[test]
fn the_reserved_byte_is_read_as_asked() {
    let dir = Dir::new();
    let run = |how: &str| {
        dir.daisho()
            .args(["unpack-stream", "--reserved", how])
            // Two literals, then a copy of 64 from 2 before, or nothing and an end.
            .stdin(*b"\x01ab\xfe\x00\xff\xff")
            .run()
    };
    run("copy").code(0).out("ab".repeat(33));
    // Skipped, the 0x00 is a literal's control byte, and the first 0xff its byte.
    run("skip").code(0).out(b"ab\xff");
    run("error")
        .code(1)
        .out("ab")
        .err_has("reserved control byte 0xfe at stream byte 3");
}

#[cfg(unix)]
#[test]
fn an_input_that_cannot_be_read_is_an_error() {
    let dir = Dir::new();
    for verb in ["pack-stream", "unpack-stream"] {
        // A directory opens, and fails when it is read.
        dir.sh(&format!("daisho {verb} <."))
            .run()
            .code(1)
            .err("error: cannot read standard input: is a directory (os error 21)\n");
    }
}

/// What a pipe gives can be read once, and an archive is read at any place: so it is kept for a while.
#[test]
fn an_archive_comes_from_standard_input() {
    let dir = Dir::new();
    dir.file("q.pak", quake());
    let run = |line: &[&str]| dir.daisho().args(line).stdin(quake()).run().code(0);
    run(&["diff", "-", "q.pak"]).out("");
    let cat = run(&["cat", "-", "maps/e1m1.bsp"]);
    assert_eq!(cat.stdout(), b"level".repeat(300));
    assert_eq!(run(&["list", "-", "--json"]).json()[0]["archive"], "-");
    run(&["verify", "-"]);
    run(&["convert", "-", "-o", "d.pak", "--to", "daikatana"]);
    run(&["convert", "-", "-o", "pak0.pak", "--max-entries", "4"]);
    dir.daisho()
        .args(["diff", "d.pak", "q.pak"])
        .run()
        .code(0)
        .out("");
    run(&["extract", "-", "maps/e1m1.bsp"]);
    assert!(dir.path("stdin/maps/e1m1.bsp").exists());
    let zip = crate::archive::zips::build::Zip::new().deflated("a/pak0.pak", &quake());
    let list = dir
        .daisho()
        .args(["list", "--json", "--", "-//a/pak0.pak"])
        .stdin(zip.bytes())
        .run()
        .code(0);
    assert_eq!(list.json().len(), 7);
    dir.daisho()
        .args(["info", "-"])
        .stdin(b"no archive".to_vec())
        .run()
        .code(2);
    // A file that is called so is named as one.
    dir.file("-", quake());
    dir.daisho().args(["verify", "./-"]).run().code(0);
}

//! Pictures that are small in their archive and large in memory.

use crate::cli::Dir;

/// A TGA of one colour in runs, 32 bits a pixel.
fn tga(side: u16) -> Vec<u8> {
    let mut file = vec![0; 18];
    file[2] = 10;
    file[12..14].copy_from_slice(&side.to_le_bytes());
    file[14..16].copy_from_slice(&side.to_le_bytes());
    file[16..18].copy_from_slice(&[32, 8]);
    let packets = usize::from(side) * usize::from(side) / 128;
    file.extend(b"\xFF\x10\x20\x30\x40".repeat(packets));
    file
}

/// A sprite of Quake with frames of these sizes, all of colour 0.
fn sprite(sizes: &[(u32, u32)]) -> Vec<u8> {
    let mut file = b"IDSP\x01\0\0\0".to_vec();
    let count = u32::try_from(sizes.len()).unwrap();
    for number in [0, 0, 1, 1, count, 0, 0] {
        file.extend(number.to_le_bytes());
    }
    for (width, height) in sizes {
        for number in [0, 0, 0, *width, *height] {
            file.extend(number.to_le_bytes());
        }
        file.resize(file.len() + (width * height) as usize, 0);
    }
    file
}

/// Twelve threads share one budget: together they take less than half of what twelve pictures need.
#[test]
fn all_threads_together_keep_to_one_budget() {
    let dir = Dir::new();
    let picture = tga(2048);
    for n in 0..12 {
        dir.file(format!("in/textures/{n}.tga"), &picture);
    }
    dir.ok("create -q -o in.pk3 in --level 1");
    assert!(dir.read("in.pk3").len() < 80_000);
    let run = |command: &str, jobs: usize| {
        // What the process may fill with data, in KiB: pictures, and 2 MiB of stack for each thread.
        let limit = 190_000;
        let script = format!("ulimit -d {limit} && daisho {command} -j{jobs} -q");
        dir.sh(&script).run().code(0).quiet();
    };
    run("extract in.pk3 --png -C twelve", 12);
    run("gallery in.pk3 -o page", 12);
    let first = dir.read("twelve/textures/0.tga.png");
    for n in 0..12 {
        assert_eq!(dir.read(format!("twelve/textures/{n}.tga.png")), first);
        assert_eq!(dir.read(format!("page/files/0/{n}.png")), first);
    }
}

/// One that is larger than what is allowed is named, and costs nothing else.
#[test]
fn a_picture_beyond_the_limit_is_refused_by_name() {
    let dir = Dir::new();
    dir.file("in/large.tga", tga(8448));
    // The frames are small, and the sheet of both would have 16 million times a million pixels.
    dir.file("in/shapes.spr", sprite(&[(4_000_000, 1), (1, 4_000_000)]));
    dir.file("in/small.tga", tga(128));
    dir.ok("create -q -o in.pk3 in --level 1");
    for jobs in ["1", "8"] {
        let out = format!("out{jobs}");
        dir.fails(format!("extract in.pk3 --png --frames -C {out} -j {jobs}"))
            .err_has("entry 0 \"large.tga\"")
            .err_has("71368704")
            .err_has("entry 1 \"shapes.spr\"")
            .err_has("--max-pixels");
        let mut files = dir.all();
        files.retain(|name| name.starts_with(&out));
        assert_eq!(files, [format!("{out}/"), format!("{out}/small.tga.png")]);
    }
}

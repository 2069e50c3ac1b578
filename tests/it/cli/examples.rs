//! The examples in the help work: each is run as it is, in a directory that has what it names.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use super::Dir;
use crate::readme::copy;

/// Commands of others, which need not be installed: what they are given is all that counts.
const OTHERS: [&str; 4] = ["chafa", "jq", "man", "sha256sum"];

/// Everything that an example names, but what it writes.
fn stage() -> Dir {
    let dir = Dir::new();
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let game = corpus.join("game");
    let file = |name: &str, from: &str| dir.file(name, fs::read(game.join(from)).unwrap());
    for name in ["pak0.pak", "pak1.pak", "big.pak", "old.pak", "new.pak", "quake1.pak", "mod.pak"] {
        file(name, "data/pak0.pak");
    }
    dir.file("releases.tsv", "");
    let broken = corpus.join("paks/broken");
    dir.file("cut.pak", fs::read(broken.join("stream-cut.pak")).unwrap());
    let plain = corpus.join("zips/sound/plain.pk3");
    dir.file("pak0.pk3", fs::read(plain).unwrap());
    file("games/data/pak0.pak", "data/pak0.pak");
    file("backup/data/pak0.pak", "data/pak0.pak");
    file("daikatana/pak1.pak", "data/pak1.pak");
    for (name, from) in [("id1", "id1"), ("hipnotic", "id1"), ("baseq2", "id1")] {
        copy(&game.join(from), &dir.path(name));
    }
    dir.file("baseq2/pics/colormap.pcx", "pcx");
    dir.file("id1/maps/start.bsp", "bsp");
    let world = "{ \"classname\" \"worldspawn\" }";
    let mine = crate::archive::maps::quake(29, world, &[("brick", true)]);
    dir.file("mymod/maps/e1m1.bsp", &mine);
    dir.file("mymod/maps/mine.bsp", mine);
    copy(&game.join("id1"), &dir.path("mymod"));
    let brick = crate::archive::wads::texture("brick", false);
    dir.file("textures/brick.mip", brick);
    let floor = daisho::media::Pixels {
        width: 16,
        height: 16,
        data: daisho::media::Data::Rgb(vec![9; 768]),
    };
    let floor = daisho::media::png(&floor, &daisho::media::Palette::grey(), None);
    let floor = floor.unwrap();
    dir.file("textures/floor.png", &floor);
    dir.file("brick.png", floor);
    let wal = corpus.join("pictures/daikatana.wal");
    dir.file("brick.wal", fs::read(wal).unwrap());
    dir.file("maps/e1m9.bsp", "bsp");
    dir.file("new.bsp", "bsp");
    dir.file("progs.dat", "dat");
    dir.file("default.cfg", "cfg");
    // 3024 runs of 65 bytes, one of 48, and the end.
    dir.file("plain", vec![7; 196_608]);
    dir.file("packed", [&[0xBF, 7].repeat(3024)[..], &[0xAE, 7, 0xFF]].concat());
    for other in OTHERS {
        let path = dir.file(format!("tools/{other}"), STUB);
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    dir
}

/// Takes the place of every other program. The exit status of a pipe is that of its last command, so this one fails if
/// the command before it has printed nothing.
const STUB: &str = "#!/bin/sh\ngrep -q . || exit 9\ncat > /dev/null\n";

/// The examples of a help text.
fn examples(help: &str) -> Vec<String> {
    let (_, examples) = help.split_once("Examples:\n").unwrap();
    let (mut found, mut before) = (Vec::new(), String::new());
    for line in examples.lines() {
        // Behind two blanks is what it is for.
        let line = line.strip_prefix("  ").unwrap_or_default();
        let command = line.split("  ").next().unwrap_or_default();
        if command.starts_with("mkdir ") {
            before = format!("{command} && ");
        } else if command.starts_with("daisho ") {
            found.push(format!("{}{command}", std::mem::take(&mut before)));
        }
    }
    found
}

#[test]
fn every_example_of_the_help_works() {
    let dir = Dir::new();
    let help = |verb: &str| {
        let ran = dir.ok(format!("{verb} --help"));
        examples(ran.text())
    };
    let mut all = help("");
    for verb in super::help::VERBS {
        all.extend(help(verb));
    }
    assert!(all.len() > 40, "{all:?}");
    for example in all {
        let dir = stage();
        // What an example writes is not there yet.
        if let Some((_, rest)) = example.split_once("-o ") {
            let output = rest.split(' ').next().unwrap();
            let _ = fs::remove_file(dir.path(output));
        }
        // What an example compares with is there.
        if example.contains("--snapshot pak1.txt") && !example.contains("--update") {
            dir.sh("daisho verify pak1.pak --snapshot pak1.txt --update").run().code(0);
        }
        let script = format!("PATH=\"$PWD/tools:$PATH\"; HOME=\"$PWD/home\"; {example}");
        let ran = dir.sh(&script).run();
        // What is reported is reported of the paks above, and not of the example.
        let expected = match example.as_str() {
            _ if example.contains("--keep-going") => 1,
            _ => 0,
        };
        assert!(ran.is(expected), "{example}: {ran}");
    }
}

//! Archives of every fixed-record format, into each other: SiN's and HROT's beside the paks.

use daisho::Format;
use serde_json::json;

use super::{Dir, assert_has};
use crate::archive::wads::{Wad, texture};
use crate::archive::zips::build::Zip;
use crate::archive::zips::build::deflate;

/// The table of the formats as their descriptions have it: the word, the magic, how long a record
/// and its name are.
const FORMATS: [(&str, &[u8; 4], usize, usize); 4] = [
    ("quake", b"PACK", 64, 56),
    ("daikatana", b"PACK", 72, 56),
    ("sin", b"SPAK", 128, 120),
    ("hrot", b"HROT", 128, 120),
];

const FILES: [(&str, &[u8]); 3] =
    [("maps/m1.bsp", b"IBSP"), ("scripts/intro.rc", b"map m1\n"), ("empty.cfg", b"")];

/// An archive put together byte by byte.
fn archive((_, magic, record_len, name_len): (&str, &[u8; 4], usize, usize)) -> Vec<u8> {
    let (mut body, mut directory) = (Vec::<u8>::new(), Vec::<u8>::new());
    for (name, content) in FILES {
        let start = directory.len();
        directory.extend(name.as_bytes());
        directory.resize(start + name_len, 0);
        for number in [12 + body.len(), content.len()] {
            directory.extend((number as u32).to_le_bytes());
        }
        directory.resize(start + record_len, 0);
        body.extend(content);
    }
    let mut bytes = magic.to_vec();
    for number in [12 + body.len(), directory.len()] {
        bytes.extend((number as u32).to_le_bytes());
    }
    bytes.extend(body);
    bytes.extend(directory);
    bytes
}

#[test]
fn convert_writes_every_format_as_its_table_says() {
    let dir = Dir::new();
    for from in FORMATS {
        let word = from.0;
        let source = format!("{word}.pak");
        dir.file(&source, archive(from));
        assert_eq!(dir.ok(format!("info {source} --json")).fields("format"), [word]);
        for (name, content) in FILES {
            assert_eq!(dir.cat(&source, name), content);
        }
        for to in FORMATS {
            let extension = if to.0 == "sin" { "sin" } else { "pak" };
            let out = format!("{word}-{}.{extension}", to.0);
            dir.ok(format!("convert {source} -o {out} --to {}", to.0));
            // Daikatana's records have two numbers more, which the packer fills.
            if to.0 != "daikatana" {
                assert!(dir.read(&out) == archive(to), "{word} to {}", to.0);
            }
            dir.ok(format!("diff {source} {out}")).out("");
        }
    }
}

#[test]
fn the_outputs_extension_sets_the_format() {
    let dir = Dir::new();
    dir.file("a.pak", archive(FORMATS[0]));
    dir.ok("convert a.pak -o a.sin");
    assert_eq!(&dir.read("a.sin")[..4], b"SPAK");
    dir.file("files/x.cfg", "x");
    dir.ok("create files -o b.SIN");
    assert_eq!(&dir.read("b.SIN")[..4], b"SPAK");
    for line in [
        "convert a.pak -o c.sin --to quake",
        "convert a.pak -o c.pak --to sin",
        "create files -o c.pak --to sin",
        "convert a.pak -o c.sin --engine quake",
    ] {
        dir.refuses(line);
    }
    assert!(!dir.has("c.sin") && !dir.has("c.pak"));
    // Below a directory a source's name becomes one of the new format.
    dir.file("game/pak0.pak", archive(FORMATS[0]));
    dir.ok("convert -r game -C out --to sin");
    assert_eq!(&dir.read("out/pak0.sin")[..4], b"SPAK");
    dir.ok("convert -r out -C back");
    assert!(dir.read("back/pak0.pak") == archive(FORMATS[0]));
}

#[test]
fn an_extension_of_no_written_format_is_refused() {
    let dir = Dir::new();
    dir.file("a.pak", archive(FORMATS[0]));
    dir.file("game/pak0.pak", archive(FORMATS[0]));
    for verb in ["convert a.pak", "convert --merge game", "create game"] {
        let all = dir.all();
        for (name, extension) in [("y.jpg", ".jpg"), ("mod-1.2", ".2"), ("y.VPK", ".VPK")] {
            let said = format!(
                "error: daisho writes no format with the extension \"{extension}\"\n  --> {name}\n\
                 help: give the output one of .pak .sin .wad .pk3"
            );
            for dry in ["", "-n"] {
                let line = format!("{verb} -o {name} -f {dry}");
                dir.refuses(line).err_has(&said);
            }
        }
        // A content that is a pak under a name of another format is what no tool can make sense of.
        dir.refuses(format!("{verb} -o y.vpk --to quake"))
            .err_has("error: the name ends in \".vpk\", but the output would be a quake archive\n");
        assert_eq!(dir.all(), all);
        for line in ["-o pak.tmp --to quake", "-o plain", "-o x.PAK"] {
            dir.ok(format!("{verb} {line} -f"));
        }
    }
}

#[test]
fn only_formats_that_are_written_are_offered() {
    let dir = Dir::new();
    dir.file("a.pak", archive(FORMATS[0]));
    let formats = "possible values: quake, daikatana, sin, hrot, wad2, wad3, pk3";
    let pictures = ", wal, wal3, mip, pcx, tga, bmp, lmp, png]";
    for (verb, more) in [("convert a.pak", pictures), ("create a.pak", "]")] {
        dir.refuses(format!("{verb} -o new --to anachronox")).err_has(&format!("{formats}{more}"));
    }
}

#[test]
fn the_help_lists_every_format() {
    let dir = Dir::new();
    let words = |is_listed: fn(&Format) -> bool| {
        let listed = Format::ALL.iter().filter(|it| is_listed(it));
        let words: Vec<&str> = listed.map(|it| it.as_str()).collect();
        words.join(", ")
    };
    let written = words(|it| it.spec().is_written());
    for verb in ["convert", "create"] {
        dir.ok(format!("{verb} --help")).out_has(&format!("The format to write [{written}]"));
    }
    dir.ok("--help").out_has(&words(|_| true));
}

/// A sound Anachronox archive: zlib makes 19 bytes of 8,000, which Daikatana's streams cannot.
#[test]
fn info_finds_nothing_odd_in_anachronox_archives() {
    let dir = Dir::new();
    // Adler-32 of 8,000 zeros: the first sum stays 1, the second counts the bytes.
    let stream = [&[0x78, 1], &deflate(&[0; 8000])[..], &[0x1f, 0x40, 0, 1]].concat();
    assert!(stream.len() < 8000 / 65);
    let mut bytes = b"ADAT".to_vec();
    for number in [16 + stream.len(), 144, 9] {
        bytes.extend((number as u32).to_le_bytes());
    }
    bytes.extend(&stream);
    bytes.extend(b"sounds/hum.wav");
    bytes.resize(16 + stream.len() + 128, 0);
    for number in [16, 8000, stream.len(), 0] {
        bytes.extend((number as u32).to_le_bytes());
    }
    dir.file("a.dat", bytes);
    dir.ok("verify a.dat");
    let info = dir.ok("info -v a.dat");
    info.out_has("as 144-byte records, the one name is a valid name (score 1100)");
    dir.fails("info a.dat --engine quake")
        .out_has("it is an anachronox archive, not a quake archive");
}

#[test]
fn names_too_long_for_a_pak_fail_by_name() {
    let dir = Dir::new();
    let long = format!("long/{}.cfg", "x".repeat(100));
    dir.file(format!("files/{long}"), "x");
    dir.file("files/short.cfg", "y");
    dir.ok("create files -o a.sin");
    dir.ok(format!("cat a.sin {long}")).out("x");
    let says = "the name has 109 bytes, but a quake archive can safely hold names of at most 55";
    dir.fails("convert a.sin -o a.pak").err_has(says);
    assert!(!dir.has("a.pak"));
    dir.fails("convert a.sin -o a.pak --keep-going").err_has(says);
    dir.ok("cat a.pak short.cfg").out("y");
    dir.refuses("create files -o b.pak").err_has(says);
}

#[test]
fn from_refuses_a_layout_of_another_magic() {
    let dir = Dir::new();
    dir.file("a.sin", archive(FORMATS[2]));
    dir.fails("list a.sin --from quake")
        .err_has("this archive begins with \"SPAK\", but a quake archive begins with \"PACK\"");
}

/// To an engine of Quake's paks an archive of another magic is no pak at all; it was said to be
/// loaded with wrong content.
#[test]
fn a_file_that_is_no_archive_is_called_by_its_type() {
    let dir = Dir::new();
    for (start, what) in [
        (&b"RIFF\0\0\0\0WAVEfmt "[..], "a WAV sound or an AVI video"),
        (b"IBSP\x29\0\0\0 and lumps", "a Daikatana level"),
        (b"\x1F\x8B\x08 and a file", "a gzip file"),
        (b"MZ and a program", "a Windows program"),
    ] {
        dir.file("pak0.pak", start);
        dir.fails("list pak0.pak").err_has(&format!("this is not a known archive: it is {what}\n"));
    }
}

#[test]
fn engines_skip_archives_of_another_magic() {
    let dir = Dir::new();
    for n in [0, 2] {
        dir.file(format!("game/pak{n}.pak"), archive(FORMATS[0]));
    }
    let magicless = b"KCAP\x0c\0\0\0\0\0\0\0".to_vec();
    let sin = "it is a sin archive, not a quake archive";
    let none = "it is not a pak, and this engine does not start with such a file";
    for (foreign, passed_over, why) in [(archive(FORMATS[2]), 0, sin), (magicless, 1, none)] {
        dir.file("game/pak1.pak", foreign);
        let which = |engine: &str| dir.run(format!("which --engine {engine} game maps/m1.bsp"));
        for engine in ["quake", "yquake2"] {
            which(engine).code(1).err_has(why);
        }
        for engine in ["darkplaces", "fteqw"] {
            which(engine).code(passed_over);
        }
    }
    dir.file("a.sin", archive(FORMATS[2]));
    let rows = dir.ok("info a.sin --json").json();
    let engines = rows[0]["engines"].as_array().unwrap();
    assert!(
        engines.iter().all(|it| it["loads"] == false && it["outcome"] != "misread"),
        "{engines:?}"
    );
}

/// What a mapper does: take a WAD apart, put it together again, and carry it through other archives.
#[test]
fn a_wad_survives_extract_create_and_conversions() {
    let dir = Dir::new();
    let wad = Wad::new(b"WAD2")
        .lump(b"*lava1", b'D', &texture("*lava1", false))
        .lump(b"conchars", b'D', &[1; 16384])
        .lump(b"num_0", b'B', b"\x01\0\0\0\x01\0\0\0\x07")
        .bytes();
    dir.file("gfx.wad", wad.clone());
    dir.ok("extract gfx.wad");
    assert_eq!(dir.files("gfx"), ["#lava1.mip", "conchars.lmp", "num_0.lmp"]);
    dir.ok("create gfx -o new.wad");
    assert!(dir.read("new.wad") == wad);
    for [from, to] in [["gfx.wad", "a.pk3"], ["a.pk3", "b.pak"], ["b.pak", "c.wad"]] {
        dir.ok(format!("convert {from} -o {to}"));
        dir.ok(format!("diff gfx.wad {to}")).out("");
    }
    assert!(dir.read("c.wad") == wad);
}

#[test]
fn create_refuses_files_that_a_wad_cannot_hold() {
    let dir = Dir::new();
    dir.file("textures/brick.mip", texture("brick", false));
    dir.file("textures/readme.txt", b"by hand");
    dir.file("textures/x.fnt", b"a font");
    dir.file("textures/sixteen_letters!.mip", texture("a", false));
    dir.refuses("create textures -o t.wad")
        .err_has("a wad2 archive can hold only .mip, .lmp, .pal and .typeN files (N is the number of a type)")
        .err_has("--> textures/readme.txt")
        .err_has("the name has 16 bytes, but a wad2 archive can safely hold names of at most 15")
        .err_has("--> textures/sixteen_letters!.mip");
    // The other WAD is named only if it can hold all of the files.
    dir.refuses("create textures -o t.wad -x *.txt -x sixteen*")
        .err_has("help: write a wad3 archive, which can hold it, or choose textures");
    dir.refuses("create textures -o t.wad --to wad3")
        .err_has("a wad3 archive can hold only .mip, .lmp, .pal, .fnt and .typeN files")
        .err_has("help: choose textures");
    dir.ok("create textures -o t.wad --to wad3 -x *.txt -x sixteen*");
    dir.lists("t.wad", "brick.mip x.fnt");
}

/// No engine and no compiler of maps looks for a lump called `textures/brick`.
#[test]
fn wad_names_have_no_folders() {
    let dir = Dir::new();
    let lump = |wad: Wad, name: &str| wad.lump(name.as_bytes(), b'D', &texture(name, false));
    for name in ["mine/src/brick.mip", "mine/wood.mip", "more/deep/tile.mip"] {
        let own = name.rsplit('/').next().unwrap().trim_end_matches(".mip");
        dir.file(name, texture(own, false));
    }
    dir.ok("create mine -o t.wad");
    let two = lump(lump(Wad::new(b"WAD2"), "brick"), "wood");
    assert!(dir.read("t.wad") == two.bytes());
    dir.ok("add t.wad more/deep");
    let three = lump(two, "tile");
    assert!(dir.read("t.wad") == three.bytes());
    // Into a folder that cannot be: the name stays.
    dir.ok("rename t.wad tile.mip more/");
    assert!(dir.read("t.wad") == three.bytes());
    // A longer path is not a longer name.
    let deep = "mine/a_folder_of_more_than_15_bytes/x.mip";
    dir.file(deep, texture("x", false));
    dir.ok(format!("add t.wad {deep}"));
    assert!(dir.read("t.wad") == lump(three, "x").bytes());
    // What was packed before in this way gets its name.
    let old = Wad::new(b"WAD2").lump(b"src/brick", b'D', &texture("brick", false));
    dir.file("old.wad", lump(old, "wood").bytes());
    dir.ok("rename old.wad src/brick.mip brick.mip");
    assert!(dir.read("old.wad") == lump(lump(Wad::new(b"WAD2"), "brick"), "wood").bytes());
    dir.ok("create mine -o t.pak");
    dir.ok("convert t.pak src -o c.wad");
    assert!(dir.read("c.wad") == lump(Wad::new(b"WAD2"), "brick").bytes());
}

#[test]
fn files_of_one_lump_name_are_refused() {
    let dir = Dir::new();
    dir.file("t/a/brick.mip", texture("brick", false));
    let mut other = texture("brick", false);
    other[60] += 1;
    dir.file("t/b/brick.mip", other);
    dir.refuses("create t -o t.wad")
        .err_has("\"t/a/brick.mip\" would also have this name in the archive")
        .err_has("--> t/b/brick.mip");
    dir.holds("t/ t/a/ t/a/brick.mip t/b/ t/b/brick.mip");
    dir.ok("create t/a -o t.wad");
    dir.refuses("add t.wad t/b").err_has("already");
    dir.refuses("add t.wad t/b/brick.mip --as x/brick.mip").err_has("already");
    dir.ok("add t.wad t/b -f").err_has("1 replaced");
    dir.ok("create t -o t.pak");
    dir.fails("convert t.pak -o c.wad")
        .err_has("in a WAD this is the same name as that of entry 0 \"a/brick.mip\"");
    assert!(!dir.has("c.wad"));
}

/// Compilers of maps use the name in a texture, and not the one in the directory.
#[test]
fn renamed_and_added_textures_get_the_lumps_name() {
    let dir = Dir::new();
    let mut long = texture("brick", false);
    // What is behind the name in its field is nobody's.
    long[8] = b'?';
    let wad = |magic, kind, palette| {
        let wad = Wad::new(magic).lump(b"brick", kind, &texture("brick", palette));
        wad.lump(b"other", kind, &texture("not other", palette))
    };
    for (magic, kind, palette) in [(b"WAD2", b'D', false), (b"WAD3", b'C', true)] {
        dir.file("t.wad", wad(magic, kind, palette).bytes());
        dir.ok("rename t.wad brick.mip *a_name_of_15_b.mip");
        let renamed = Wad::new(magic)
            .lump(b"*a_name_of_15_b", kind, &texture("*a_name_of_15_b", palette))
            // An entry that is not renamed keeps its texture's name.
            .lump(b"other", kind, &texture("not other", palette));
        assert!(dir.read("t.wad") == renamed.bytes());
        dir.file("t.wad", wad(magic, kind, palette).bytes());
        dir.file("new.mip", texture("new", palette));
        dir.ok("add t.wad new.mip --as brick2.mip");
        let added = wad(magic, kind, palette).lump(b"brick2", kind, &texture("brick2", palette));
        assert!(dir.read("t.wad") == added.bytes());
    }
    dir.file("files/a.mip", texture("another", false));
    dir.file("files/b.mip", "no texture at all");
    dir.file("files/brick.mip", &long);
    dir.ok("create files -o f.wad");
    let files = Wad::new(b"WAD2")
        .lump(b"a", b'D', &texture("a", false))
        .lump(b"b", b'D', b"no texture at all")
        .lump(b"brick", b'D', &long);
    assert!(dir.read("f.wad") == files.bytes());
    // An archive of any other format keeps the bytes of its files.
    dir.ok("create files -o f.pk3");
    assert!(dir.ok("cat f.pk3 a.mip").stdout() == texture("another", false));
    dir.ok("convert f.pk3 -o c.wad --to wad2");
    assert!(dir.read("c.wad") == files.bytes());
}

/// A packer may store one content once for several lumps.
#[test]
fn renaming_a_lump_keeps_others_of_its_payload() {
    let dir = Dir::new();
    let offset = 12_u32.to_le_bytes();
    let wad = Wad::new(b"WAD2").lump(b"a", b'D', &texture("a", false));
    let wad = wad.lump(b"b", b'D', &texture("a", false)).record(0, &offset);
    for renamed in ["a", "b"] {
        dir.file("t.wad", wad.bytes());
        dir.ok(format!("rename t.wad {renamed}.mip new.mip"));
        let kept = if renamed == "a" { "b.mip" } else { "a.mip" };
        for (name, inside) in [("new.mip", "new"), (kept, "a")] {
            let cat = dir.ok(format!("cat t.wad {name}"));
            assert!(cat.stdout() == texture(inside, false), "{renamed}: {name}");
        }
    }
}

/// Their names are alike and what they hold is not: a WAD stays of its game, unless it is asked for.
#[test]
fn convert_keeps_the_game_of_a_wad() {
    let dir = Dir::new();
    for (name, magic, kind, palette) in
        [("q.wad", b"WAD2", b'D', false), ("h.wad", b"WAD3", b'C', true)]
    {
        let wad = Wad::new(magic).lump(b"a", kind, &texture("a", palette));
        dir.file(name, wad.bytes());
        dir.ok(format!("convert {name} -o new.wad -f")).err_has("1 entry");
        assert!(dir.read("new.wad") == dir.read(name));
    }
}

#[test]
fn level_without_deflate_is_a_warning() {
    let dir = Dir::new();
    dir.file("a.pak", archive(FORMATS[0]));
    for [verb, output] in [["convert", "b.pak"], ["create", "c.pak"]] {
        dir.ok(format!("{verb} a.pak -o {output} --level 9"))
            .err_has("warning: --level has no effect: only ZIPs have levels, and this is quake");
    }
}

#[test]
fn info_json_lists_no_engines_for_a_wad() {
    let dir = Dir::new();
    dir.copy("wads/sound/plain-wad2.wad", "a.wad");
    let info = dir.ok("info a.wad --json").json();
    assert_has(&info[0], json!({"format": "wad2", "engines": []}));
}

/// Windows writes Deflate64 for large files. Engines do not read it, so it is never written.
#[test]
fn deflate64_is_read_and_becomes_deflate() {
    let dir = Dir::new();
    dir.copy("zips/sound/deflate64.zip", "a.pk3");
    dir.ok("verify a.pk3").out("4 entries, 41.4 kB, all OK\n");
    dir.run("info a.pk3 --engine ioquake3").out_has("entries that are neither stored nor deflated");
    dir.ok("convert a.pk3 -o b1.pk3");
    dir.ok("diff a.pk3 b1.pk3");
    // An edit writes the whole archive.
    dir.file("x.cfg", "x");
    dir.ok("add a.pk3 x.cfg");
    for written in ["a.pk3", "b1.pk3"] {
        dir.ok(format!("info {written} --engine ioquake3"))
            .out_lacks("neither stored nor deflated");
        let archive = daisho::Archive::open(dir.path(written)).unwrap();
        let entry = archive.get("maps/far.bsp").unwrap();
        assert_eq!(entry.coding(), daisho::archive::Coding::Deflate);
    }
}

/// With fixed codes, 29 bits stand for 65,538 bytes: more than a deflated stream can hold.
#[test]
fn deflate64_that_expands_as_far_as_it_can_is_read() {
    const COPIES: usize = 2_000;
    let mut bits = vec![1, 1, 0];
    // The literal 0, then lengths with 16 more bits at a distance of one byte, and the end.
    bits.extend([0, 0, 1, 1, 0, 0, 0, 0]);
    for _ in 0..COPIES {
        bits.extend([1, 1, 0, 0, 0, 1, 0, 1]);
        bits.extend([1; 16]);
        bits.extend([0; 5]);
    }
    bits.extend([0; 7]);
    let byte = |bits: &[u8]| bits.iter().rev().fold(0, |byte, bit| byte << 1 | bit);
    let stream: Vec<u8> = bits.chunks(8).map(byte).collect();
    let content = vec![0; 1 + COPIES * 65_538];
    let zip = Zip::new().stored("zeros.bin", &content).payload(&stream);
    let zip = zip.both(|header| (header.method, header.packed) = (9, stream.len() as u64));
    let dir = Dir::new();
    dir.file("a.zip", zip.bytes());
    dir.ok("verify a.zip").out_has("1 entry, 131");
    dir.ok("extract a.zip -C out");
    assert!(dir.read("out/zeros.bin") == content);
    dir.ok("cat a.zip zeros.bin");
    dir.fails("verify a.zip --max-expansion 1000").err_has("--max-expansion");
}

/// What 7z writes, where it is installed.
#[cfg(unix)]
#[test]
fn deflate64_of_7z_is_read() {
    let dir = Dir::new();
    let mut content = Vec::new();
    for n in 0..60_000_u32 {
        content.extend((n * n / 97).to_le_bytes());
    }
    dir.file("a.bin", [&content[..], &content].concat());
    let seven = "7z a -tzip -mm=Deflate64 a.zip a.bin > said 2>&1";
    if dir.sh(seven).run().is(0) {
        dir.ok("verify a.zip");
        assert!(dir.cat("a.zip", "a.bin") == dir.read("a.bin"));
    }
}

#[test]
fn info_v_counts_folders_and_links_of_a_zip() {
    let dir = Dir::new();
    for (zip, said) in [
        ("folders", "folders, which are passed over: 2\n"),
        ("links", "symbolic links, read as what they lead to: 4\n"),
    ] {
        dir.copy(&format!("zips/sound/{zip}.pk3"), "a.pk3");
        let info = dir.ok("info -v a.pk3");
        let count = info.text().matches("  entries that are ").count();
        assert_eq!(count, 1, "{info}");
        info.out_has(&format!("  entries that are {said}"));
    }
}

//! What must not pass as success: ruined archives, mistyped names, damage that nobody mentions.

use sha2::{Digest as _, Sha256};

use super::paks::{daikatana, damaged, quake};
use super::{Dir, with_slashes};
use crate::archive::build::Pak;
use crate::archive::zips::build::Zip;

/// A command, its exit status, and what it must and must not print.
struct Case {
    line: &'static str,
    code: i32,
    out: &'static [&'static str],
    err: &'static [&'static str],
    never: &'static [&'static str],
}

const CASES: &[Case] = &[
    Case {
        line: "verify mixed",
        code: 1,
        out: &[
            "mixed/empty.pak: could not be read\n",
            "mixed/page.pk3: could not be read\n",
            "mixed/zeros.pak: could not be read\n",
            "1 archive, 2 entries, 36 bytes OK; 3 archives could not be read\n",
        ],
        err: &["  --> mixed/empty.pak\n", "  --> mixed/page.pk3\n", "  --> mixed/zeros.pak\n"],
        never: &[],
    },
    Case {
        line: "verify mixed -q",
        code: 1,
        out: &["mixed/empty.pak: could not be read\n", "mixed/zeros.pak: could not be read\n"],
        err: &["error: "],
        never: &["all OK"],
    },
    Case {
        line: "verify mixed --json",
        code: 1,
        out: &[
            r#"{"archive":"mixed/empty.pak","status":"unread","problem":"#,
            r#"{"archive":"mixed/a.pak","status":"ok","entries":2,"damaged":0,"size":36}"#,
        ],
        err: &[],
        never: &["all OK"],
    },
    Case {
        line: "verify ruins",
        code: 1,
        out: &["0 archives"],
        err: &["error: "],
        never: &["all OK"],
    },
    Case {
        line: "verify ruins -q",
        code: 1,
        out: &["could not be read"],
        err: &["error: "],
        never: &[],
    },
    Case {
        line: "verify ruins --snapshot ruins.txt --update",
        code: 1,
        out: &["created with 1 entry"],
        err: &[],
        never: &["all OK"],
    },
    Case {
        line: "verify many",
        code: 1,
        out: &["many/21.pak: could not be read\n"],
        err: &[],
        never: &["all OK"],
    },
    Case {
        line: "verify many -v",
        code: 1,
        out: &["many/21.pak: could not be read\n"],
        err: &[],
        never: &[],
    },
    Case {
        line: "convert mixed -C out",
        code: 0,
        out: &[],
        err: &["warning: "],
        never: &["error: "],
    },
    Case {
        line: "extract mixed -C out",
        code: 0,
        out: &[],
        err: &["warning: "],
        never: &["error: "],
    },
    Case { line: "dupes mixed", code: 0, out: &[], err: &["warning: "], never: &["error: "] },
    Case {
        line: "gallery mixed -o page",
        code: 0,
        out: &[],
        err: &["warning: "],
        never: &["error: "],
    },
    Case { line: "list mixed", code: 0, out: &[], err: &["warning: "], never: &["error: "] },
    Case {
        line: "convert mixed -C out --json",
        code: 0,
        out: UNREAD,
        err: &[],
        never: &["error: "],
    },
    Case {
        line: "extract mixed -C out --json",
        code: 0,
        out: UNREAD,
        err: &[],
        never: &["error: "],
    },
    Case { line: "dupes mixed --json", code: 0, out: UNREAD, err: &[], never: &["error: "] },
    Case {
        line: "gallery mixed -o page --json",
        code: 0,
        out: UNREAD,
        err: &[],
        never: &["error: "],
    },
    Case { line: "list mixed --json", code: 0, out: UNREAD, err: &[], never: &["error: "] },
    Case { line: "info mixed --json", code: 0, out: UNREAD, err: &[], never: &["error: "] },
    Case { line: "verify texts", code: 0, out: &["all OK"], err: &[], never: &["x.sin"] },
    Case {
        line: "verify a.pak defualt.cfg",
        code: 1,
        out: &[],
        err: &["\"defualt.cfg\""],
        never: &["OK"],
    },
    Case {
        line: "verify a.pak mixed defualt.cfg",
        code: 1,
        out: &[],
        err: &["\"defualt.cfg\""],
        never: &["compared", "archives, 0 entries"],
    },
    Case {
        line: "dupes a.pak -i zz* --json",
        code: 1,
        out: &[r#"{"status":"failed","problem":"no entry matches"#],
        err: &[],
        never: &["stored more than once"],
    },
    Case {
        line: "list a.pak nothing",
        code: 1,
        out: &[],
        err: &["names of entries come after their archive; 'daisho list' shows"],
        never: &["-C", "default.cfg"],
    },
    Case { line: "extract a.pak nothing", code: 1, out: &[], err: &["comes after -C"], never: &[] },
    Case {
        line: "verify folder",
        code: 0,
        out: &["2 entries"],
        err: &[
            "warning: this is named like an archive but is not a regular file\n  --> folder/x.pak\n",
        ],
        never: &[],
    },
    Case { line: "verify a.pak *.none", code: 1, out: &[], err: &["\"*.none\""], never: &["OK"] },
    Case { line: "diff none.pak a.pak", code: 2, out: &[], err: &["none.pak"], never: &[] },
    Case {
        line: "diff ruins/zeros.pak a.pak",
        code: 2,
        out: &[],
        err: &["ruins/zeros.pak"],
        never: &[],
    },
    Case {
        line: "diff a.pak ruins/zeros.pak",
        code: 2,
        out: &[],
        err: &["ruins/zeros.pak"],
        never: &[],
    },
    Case {
        line: "diff - -",
        code: 2,
        out: &[],
        err: &["standard input can be only one"],
        never: &[],
    },
    Case {
        line: "diff damaged.pak mended.pak",
        code: 1,
        out: &["changed  short.tga: cannot be compared\n"],
        err: &["error: "],
        never: &["as before"],
    },
    Case {
        line: "dupes damaged.pak",
        code: 1,
        out: &[],
        err: &["error: "],
        never: &["no file is stored"],
    },
    Case {
        line: "dupes damaged.pak --json",
        code: 1,
        out: &[r#""status":"damaged","problem":"#],
        err: &[],
        never: &[],
    },
    Case {
        line: "dupes a.pak *.none",
        code: 1,
        out: &[],
        err: &["\"*.none\""],
        never: &["no file"],
    },
    Case {
        line: "add a.pak hero.png --as skins/hero.tga",
        code: 2,
        out: &[],
        err: &["would be a PNG picture", "--png"],
        never: &["added"],
    },
    Case {
        line: "create contrary -o c.pak",
        code: 2,
        out: &[],
        err: &["a PNG picture"],
        never: &["written"],
    },
    Case {
        line: "create cases -o c.pak",
        code: 0,
        out: &[],
        err: &["differs only in case"],
        never: &[],
    },
    Case {
        line: "create cases -o c.wad",
        code: 2,
        out: &[],
        err: &["also have this name"],
        never: &[],
    },
    Case {
        line: "create --png twice -o c.pak",
        code: 2,
        out: &[],
        err: &["a second picture"],
        never: &[],
    },
    Case {
        line: "convert --merge dk -o pak0.pak --engine quakespasm",
        code: 2,
        out: &[],
        err: &["none of the archives is loaded"],
        never: &["written:"],
    },
    Case {
        line: "convert --merge dk -o pak0.pak --engine quakespasm --json",
        code: 2,
        out: &[r#""status":"failed""#],
        err: &[],
        never: &[],
    },
    Case {
        line: "convert --merge cut.pak a.pak -o c.pak --json",
        code: 1,
        out: &[r#""status":"failed""#, r#""bytes":null"#, r#""problems":["#],
        err: &[],
        never: &[r#""problems":[]"#],
    },
    Case {
        line: "remove a.pak none --json",
        code: 2,
        out: &[r#""status":"failed""#],
        err: &[],
        never: &[],
    },
    Case {
        line: "create contrary -o c.pak --json",
        code: 2,
        out: &[r#""status":"failed""#],
        err: &[],
        never: &[],
    },
    Case {
        line: "list a.pak -x none/",
        code: 0,
        out: &["default.cfg"],
        err: &["matches nothing"],
        never: &[],
    },
    Case { line: "list a.pak -x !*.cfg", code: 2, out: &[], err: &["begins with '!'"], never: &[] },
    Case {
        line: "list --files-from /dev/zero",
        code: 2,
        out: &[],
        err: &["not a regular file"],
        never: &[],
    },
    Case {
        line: "remove damaged.pak last.cfg --keep-going --json",
        code: 1,
        out: &[r#""name":"short.tga","status":"damaged""#, r#""status":"written""#],
        err: &[],
        never: &[],
    },
    Case {
        line: "remove damaged.pak last.cfg --json",
        code: 1,
        out: &[r#""name":"short.tga","status":"damaged""#],
        err: &[],
        never: &[r#""status":"written""#],
    },
];

/// The beginning of a PNG.
const PNG: &[u8] = b"\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR\0\0\0\x10\0\0\0\x10\x08";

/// What a verb says in JSON of a file that could not be read.
const UNREAD: &[&str] = &[r#"{"archive":"mixed/empty.pak","status":"unread","problem":"#];

#[test]
fn no_failure_passes_as_success() {
    for case in CASES {
        // Windows has no directory with both `A.lmp` and `a.lmp`, and no devices among its files.
        if cfg!(windows) && (case.line.starts_with("create cases") || case.line.contains("/dev/")) {
            continue;
        }
        let dir = Dir::new();
        let pak =
            || Pak::new().stored("default.cfg", "bind w +forward\n").stored("b", [7; 20]).quake();
        dir.file("a.pak", pak());
        dir.file("mixed/a.pak", pak());
        dir.file("mixed/empty.pak", "");
        dir.file("mixed/zeros.pak", [0; 100]);
        dir.file("mixed/page.pk3", "<!DOCTYPE html><html></html>");
        dir.file("ruins/zeros.pak", [0; 100]);
        dir.file("texts/a.pak", pak());
        dir.file("texts/x.sin", "# a script\n");
        for n in 0..21 {
            dir.file(format!("many/{n:02}.pak"), pak());
        }
        dir.file("many/21.pak", [0; 100]);
        dir.file("folder/x.pak/a.txt", "a");
        dir.file("folder/b.txt", "b");
        dir.file("hero.png", PNG);
        dir.file("contrary/skins/hero.tga", PNG);
        dir.file("cases/A.lmp", [0; 8]);
        dir.file("cases/a.lmp", [0; 8]);
        dir.file("twice/t.tga.png", PNG);
        dir.file("twice/t.tga.png.dup-1", PNG);
        dir.file("dk/pak0.pak", daikatana());
        dir.file("dk/a.cfg", "loose");
        let three = Pak::named(&["a", "b", "c"], "x").quake();
        dir.file("cut.pak", &three[..three.len() - 70]);
        dir.file("damaged.pak", damaged());
        dir.file("mended.pak", Pak::new().stored("short.tga", "abcd").quake());
        let ran = dir.run(case.line);
        assert!(ran.is(case.code), "{}: {ran}", case.line);
        let (out, err) =
            (with_slashes(&String::from_utf8_lossy(ran.stdout())), ran.stderr().to_owned());
        for part in case.out {
            assert!(out.contains(part), "{}: {part}: {ran}", case.line);
        }
        for part in case.err {
            assert!(err.contains(part), "{}: {part}: {ran}", case.line);
        }
        for part in case.never {
            assert!(!out.contains(part) && !err.contains(part), "{}: {part}: {ran}", case.line);
        }
    }
}

#[test]
fn a_mistyped_name_makes_no_snapshot() {
    let dir = Dir::new();
    dir.file("a.pak", quake());
    dir.fails("verify a.pak defualt.cfg --snapshot s --update").out("");
    assert!(!dir.has("s"));
    dir.ok("verify a.pak --snapshot s --update");
    let before = dir.read("s");
    dir.fails("verify a.pak *.none --snapshot s --update");
    dir.fails("verify a.pak *.none --snapshot s").err_lacks("missing");
    assert_eq!(dir.read("s"), before);
}

#[test]
fn recorded_damage_is_no_difference() {
    let dir = Dir::new();
    dir.file("in/a.pak", quake());
    dir.file("in/damaged.pak", damaged());
    dir.file("in/zeros.pak", [0; 100]);
    dir.fails("verify in --snapshot s --update");
    dir.ok("verify in --snapshot s -q").quiet();
    dir.ok("verify in --snapshot s")
        .out_has("s: no differences; 7 entries or archives are damaged, as recorded\n")
        .err_lacks("error: ");
    let ran = dir.ok("verify in --snapshot s --json").err_lacks("error: ");
    assert!(ran.fields("status").contains(&"unread".to_owned()), "{ran}");
    // Another size, and another archive that cannot be read.
    dir.file("in/zeros.pak", [0; 101]);
    dir.fails("verify in --snapshot s").out_has("changed  the unreadable archive");
    dir.file("in/zeros.pak", [0; 100]);
    dir.file("in/more.pak", [0; 100]);
    dir.fails("verify in --snapshot s").out_has("in/more.pak: could not be read");
    dir.remove("in/more.pak");
    // An archive that can be read again is a difference.
    dir.file("in/zeros.pak", quake());
    dir.fails("verify in --snapshot s").out_has("readable");
    dir.file("in/zeros.pak", [0; 100]);
    dir.fails("verify in --snapshot R --update");
    dir.ok("verify in --snapshot R");
    // A mistyped name beside recorded damage concludes nothing.
    let mistyped = dir.fails("verify in defualt.cfg --snapshot R");
    mistyped.err_has("no entry matches \"defualt.cfg\"").out_lacks("no differences");
    let before = dir.read("R");
    dir.fails("verify in defualt.cfg --snapshot R --update");
    assert!(dir.read("R") == before);
}

#[test]
fn an_unreadable_archive_in_another_one_has_its_size() {
    let dir = Dir::new();
    let cut = [b"PACK".as_slice(), &[0xff; 58]].concat();
    dir.file("in/m.zip", Zip::new().stored("in.pak", &cut).bytes());
    dir.fails("verify in --snapshot s --update");
    assert!(dir.text("s").contains("unreadable 62 m/in.pak/\n"), "{}", dir.text("s"));
    dir.fails("verify in/m.zip//in.pak in/m.zip --snapshot t --update");
    assert!(dir.text("t").contains("unreadable 62 in.pak/\n"), "{}", dir.text("t"));
}

#[test]
fn an_unknown_archive_is_one_difference() {
    let dir = Dir::new();
    let names: Vec<String> = (0..500).map(|n| format!("f{n}.txt")).collect();
    dir.file("in/a.pak", quake());
    dir.file("in/gone.pak", Pak::named(&names, "gone").quake());
    dir.ok("verify in --snapshot s --update");
    dir.remove("in/gone.pak");
    dir.file("in/new.pak", Pak::named(&names, "new").quake());
    let ran = dir.fails("verify in --snapshot s -q");
    ran.out("missing  gone.pak: 500 entries\nnew      new.pak: 500 entries\n");
    let rows = dir.fails("verify in --snapshot s --json").json();
    let changes: Vec<_> = rows.iter().filter(|row| row["change"].is_string()).collect();
    assert_eq!(changes.len(), 2, "{changes:?}");
    assert_eq!(changes[0]["archive"], "gone.pak");
    assert_eq!(
        (changes[0]["name"].as_str(), changes[0]["change"].as_str()),
        (Some(""), Some("missing"))
    );
}

/// `sha256sum -c` reads the lines in the directory into which `extract -C` of the same arguments wrote.
#[test]
fn checksums_name_the_extracted_files() {
    let dir = Dir::new();
    dir.file("in/b/pak0.pak", Pak::of(&[("maps/a.bsp", "one"), ("a b.cfg", "two")]).quake());
    // Two archives whose stems are the same, a ruined one, an archive in another one, and names that are taken.
    dir.file("in/b/pak0.pk3", Zip::new().stored("a.cfg", b"zip").bytes());
    dir.file("in/b/pak1.pak", [0; 40]);
    dir.file("in/b/pak1.pk3", Zip::new().stored("a.cfg", b"other").bytes());
    let twins = Pak::named(&["x/a.txt", "x/A.txt", "x/a.txt", "x", "../up.txt"], "twin");
    dir.file(
        "in/mod 182.zip",
        Zip::new().stored("in.pak", &twins.quake()).stored("t", b"t").bytes(),
    );
    for paths in ["in", "in/b/pak0.pak", "in/b/pak0.pak in/b/pak0.pk3"] {
        let sums = dir.run(format!("verify {paths} --hash sha256"));
        let extracted = dir.run(format!("extract {paths} -C out"));
        let mut named = Vec::new();
        for line in sums.text().lines() {
            // A line with an escaped path begins with a backslash, of which `text` makes a slash on Windows.
            let (sum, path) = line.trim_start_matches(['\\', '/']).split_once("  ").unwrap();
            let path = &path.replace(r"\\", "/");
            assert!(dir.has(format!("out/{path}")), "{path}: {sums} {extracted}");
            let digest = Sha256::digest(dir.read(format!("out/{path}")));
            let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(sum, digest, "{path}");
            named.push(path.to_owned());
        }
        named.sort();
        assert_eq!(named, dir.files("out"), "{paths}");
        std::fs::remove_dir_all(dir.path("out")).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn errors_have_colours_whatever_was_typed() {
    use std::os::unix::ffi::OsStrExt as _;

    let dir = Dir::new();
    let name = std::ffi::OsStr::from_bytes(b"\xff.pak");
    let ran = dir.daisho().styled().arg("list").arg(name).args(["--color", "always", "--no"]).run();
    assert!(ran.stderr().contains("\x1b["), "{ran}");
}

/// The most frequent accident of a build server: Git LFS has not fetched the file.
#[test]
fn a_pointer_of_git_lfs_is_named_as_one() {
    let dir = Dir::new();
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n";
    dir.file("game/pak0.pak", pointer);
    let why = "error: this is a pointer of Git LFS, and not the archive itself\n";
    for line in ["list game/pak0.pak", "extract game/pak0.pak -C out", "info game/pak0.pak"] {
        dir.run(line).code(1).err_has(why).err_has("help: fetch the archive with 'git lfs pull'\n");
    }
    dir.fails("verify game").err_has(why).out_has("could not be read");
    // A text that begins like one and is longer is none.
    dir.file("long.pak", pointer.repeat(20));
    dir.run("list long.pak").code(1).err_lacks("LFS");
}

/// A shell completes file names with `./`, and editors of Windows put a byte order mark before a list.
#[test]
fn what_other_tools_put_before_a_name_does_not_count() {
    let dir = Dir::new();
    let pak = Pak::of(&[("maps/a.txt", "one"), ("b.cfg", "two")]).quake();
    dir.file("a.pak", &pak);
    dir.run("cat a.pak ./maps/a.txt").out("one");
    dir.run("rename -q --no-backup a.pak ./maps/a.txt maps/c.txt");
    dir.run("remove -q --no-backup a.pak ./b.cfg");
    dir.run("list --names a.pak").out("maps/c.txt\n");
    // A name that really begins so is meant first.
    dir.file("odd.pak", Pak::of(&[("./a", "odd"), ("a", "usual")]).quake());
    dir.run("cat odd.pak ./a").out("odd");

    dir.file("out", "\u{feff}maps\n");
    dir.file("paths", "\u{feff}b.pak\n");
    dir.file("b.pak", &pak);
    dir.run("list --names b.pak --exclude-from out").out("b.cfg\n");
    dir.run("list --names --files-from paths").out_has("b.pak: maps/a.txt\n");
}

/// Nothing was asked of the archive that has no such entry, so nothing is said about it.
#[test]
fn an_archive_without_the_entry_is_not_called_ok() {
    let dir = Dir::new();
    dir.file("in/a.pak", Pak::of(&[("b.cfg", "two")]).quake());
    dir.file("in/ruined.pak", "ruined");
    let ran = dir.fails("verify in typo");
    ran.out("in/a.pak: 0 entries\nin/ruined.pak: could not be read\n")
        .err_has("no entry matches \"typo\"");
}

/// The name of a link says nothing about what it leads to.
#[cfg(unix)]
#[test]
fn links_cost_no_more_than_files() {
    let dir = Dir::new();
    dir.file("plain/a.txt", "text");
    std::os::unix::fs::symlink("plain", dir.path("mod.pk3")).unwrap();
    dir.ok("list --names mod.pk3").out("a.txt\n");

    dir.file("in/a.pak", Pak::of(&[("b.cfg", "two")]).quake());
    std::os::unix::fs::symlink("round.pak", dir.path("in/round.pak")).unwrap();
    dir.fails("list --names in").out("in/a.pak: b.cfg\n").err_has("in/round.pak");
}

/// Build servers set this variable, because their logs show colours.
#[test]
fn force_color_is_known() {
    let dir = Dir::new();
    for (value, has_colours) in [("1", true), ("0", false), ("", false)] {
        let ran = dir.daisho().styled().arg("list").arg("none.pak").env("FORCE_COLOR", value).run();
        assert_eq!(ran.stderr().contains("\x1b["), has_colours, "{value}: {ran}");
    }
}

/// Standard input has a name of its own.
#[cfg(unix)]
#[test]
fn a_gallery_of_standard_input_has_a_name() {
    let dir = Dir::new();
    dir.file("q.pak", Pak::of(&[("a.cfg", "one"), ("b.cfg", "two")]).quake());
    dir.sh("daisho gallery - <q.pak").run().code(0);
    assert!(dir.has("stdin-gallery/index.html"));
    dir.ok("gallery q.pak");
    assert!(dir.has("q-gallery/index.html"));
}

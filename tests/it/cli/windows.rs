//! What is so on Windows alone: how paths are printed, names that are devices, files that are open
//! elsewhere, long paths, and that case makes no difference. `tests/windows/test` runs these under Wine.

use std::fs::{File, OpenOptions};
use std::os::windows::fs::OpenOptionsExt as _;

use super::paks::quake;
use super::{Dir, Ran};
use crate::archive::build::Pak;

/// What others may do with a file that is open: read it, write to it, remove it.
const READ: u32 = 1;
const WRITE: u32 = 2;
const DELETE: u32 = 4;

impl Ran {
    /// Standard error, as it was printed.
    fn printed(&self) -> &str {
        &self.raw_stderr
    }

    /// Standard output, as it was printed.
    fn data(&self) -> &str {
        str::from_utf8(self.stdout()).unwrap()
    }
}

fn small() -> Vec<u8> {
    Pak::new().stored("maps/a.bsp", b"a map").quake()
}

/// A directory with a pak in a directory.
fn with_pak() -> Dir {
    let dir = Dir::new();
    dir.file("in/a.pak", small());
    dir
}

fn open(dir: &Dir, name: &str, shared: u32) -> File {
    let mut options = OpenOptions::new();
    options.read(true).share_mode(shared);
    options.open(dir.path(name)).unwrap()
}

#[test]
fn printed_paths_can_be_typed_again() {
    let dir = with_pak();
    for typed in ["in/a.pak", "in\\a.pak", ".\\in/a.pak"] {
        let _ = std::fs::remove_dir_all(dir.path("x"));
        let extract = format!("extract {typed} -C x/y/ -v");
        let ran = dir.ok(&extract);
        let shown = typed.replace('/', "\\");
        let expected = format!(
            "  entry 0 \"maps/a.bsp\": written to x\\y\\maps\\a.bsp, 5 bytes\n\
             {shown}: 1 file, 5 bytes, into x\\y\\\n"
        );
        assert_eq!(ran.printed(), expected);
        dir.ok(format!("info {shown}"));
        assert_eq!(dir.read("x\\y\\maps\\a.bsp"), b"a map");
    }
    let ran = dir.daisho().args(["extract", "in\\a.pak"]).run().code(0);
    assert!(ran.printed().contains("into a\\\n"), "{ran}");
    // Within an archive a name has slashes, and the path is taken as it is printed.
    let inner = Pak::new().stored("id1/pak0.pak", small()).quake();
    dir.file("in/outer.pak", inner);
    let listed = dir.ok("list -r in --json");
    let last = listed.data().lines().last().unwrap();
    assert!(last.starts_with(r#"{"archive":"in\\outer.pak//id1/pak0.pak","#), "{last}");
    dir.daisho()
        .args(["list", "in\\outer.pak//id1/pak0.pak"])
        .run()
        .code(0)
        .out("0  5  map  maps/a.bsp\n");
}

#[test]
fn json_paths_parse_back_to_the_same_path() {
    let dir = with_pak();
    let ran = dir.ok("list in/a.pak --json");
    assert!(ran.data().starts_with(r#"{"archive":"in\\a.pak","index":0,"name":"maps/a.bsp","#));
    let row: serde_json::Value = serde_json::from_str(ran.data()).unwrap();
    assert_eq!(row["archive"], "in\\a.pak");
    dir.daisho().args(["info", row["archive"].as_str().unwrap()]).run().code(0);
}

#[test]
fn paths_may_have_drives_and_hide_verbatim_prefixes() {
    let dir = with_pak();
    let full = std::fs::canonicalize(dir.path("in/a.pak")).unwrap();
    let full = full.to_str().unwrap();
    let plain = full.strip_prefix("\\\\?\\").unwrap();
    assert!(plain.as_bytes().get(1..3) == Some(b":\\"), "{plain}");
    for typed in [full, plain, &plain.replace('\\', "/")] {
        let ran = dir.ok(format!("list {typed} --json"));
        let row: serde_json::Value = serde_json::from_str(ran.data()).unwrap();
        assert_eq!(row["archive"], plain);
    }
    // What it leads to is looked up, and reported by the system's answer.
    let _held = open(&dir, "in/a.pak", READ | WRITE);
    let ran = dir.run("remove in/a.pak maps/a.bsp --keep-going");
    assert!(!ran.printed().contains("\\\\?\\"), "{ran}");
}

#[test]
fn no_output_has_a_name_special_to_windows() {
    let dir = with_pak();
    for (name, why) in [
        ("NUL", "a part of the name is a device name on Windows"),
        ("con.pak", "a part of the name is a device name on Windows"),
        ("in/Aux.tar.pak", "a part of the name is a device name on Windows"),
        ("com1 .pak", "a part of the name is a device name on Windows"),
        ("a.pak:b", "the name has a colon in it"),
        ("b.pak.", "a part of the name ends in a dot or a space, which Windows drops"),
        ("b.pak ", "a part of the name ends in a dot or a space, which Windows drops"),
        ("a?.pak", "the name has \"?\" in it, which Windows does not allow in names"),
    ] {
        let before = dir.all();
        // Some of the names have spaces in them.
        let arguments = ["convert", "in/a.pak", "-o", name, "--to", "quake"];
        let ran = dir.daisho().args(arguments).run().code(2);
        let words = format!("error: cannot use this name: {why}\n");
        assert!(ran.printed().contains(&words), "{name}: {ran}");
        assert_eq!(dir.all(), before, "{name}");
    }
}

#[test]
fn device_and_stream_names_are_extracted_renamed() {
    let dir = Dir::new();
    let names = ["CON", "nul.txt", "maps/AUX.txt", "a.", "b ", "c:d", "lpt1.x"];
    let pak = names.iter().fold(Pak::new(), |pak, name| pak.stored(name, name.as_bytes()));
    dir.file("p.pak", pak.stored("fine.txt", b"fine").quake());
    dir.fails("extract p.pak");
    dir.holds("p.pak p/ p/fine.txt");
    dir.ok("extract p.pak -C r --rescue");
    let rescued = dir.all().into_iter().filter(|name| name.starts_with("r/_rescued/"));
    let mut contents: Vec<Vec<u8>> =
        rescued.filter(|name| !name.ends_with('/')).map(|name| dir.read(name)).collect();
    contents.sort();
    let mut expected = names.map(|name| name.as_bytes().to_vec());
    expected.sort();
    assert_eq!(contents, expected);
}

#[test]
fn a_file_open_elsewhere_fails_and_others_go_on() {
    let dir = with_pak();
    dir.file("in/b.pak", small());
    let held = open(&dir, "in/a.pak", 0);
    let ran = dir.fails("list -r in");
    assert_eq!(ran.data(), "in\\b.pak: 0  5  map  maps/a.bsp\n");
    assert!(
        ran.printed().contains("error: ") && ran.printed().contains("\n  --> in\\a.pak\n"),
        "{ran}"
    );
    assert!(!ran.printed().contains("os error"), "{ran}");
    drop(held);
    dir.ok("list -r in");
}

#[test]
fn an_output_open_elsewhere_stays_unchanged() {
    let dir = with_pak();
    let old = dir.read("in/a.pak");
    dir.file("out.pak", "what was there");
    dir.file("new.cfg", "new");
    let held = (open(&dir, "out.pak", READ), open(&dir, "in/a.pak", READ));
    let before = dir.all();
    for line in [
        "convert in/a.pak -o out.pak -f",
        "add in/a.pak new.cfg",
        "remove in/a.pak maps/a.bsp --keep-going",
    ] {
        let ran = dir.run(line);
        assert!(!ran.is(0), "{ran}");
        assert_eq!(dir.all(), before, "{ran}");
        assert_eq!(dir.read("in/a.pak"), old);
        assert_eq!(dir.read("out.pak"), b"what was there");
    }
    let ran = dir.fails("add in/a.pak new.cfg");
    let help = "help: close the program that has it open, such as a game or an editor; or write elsewhere, or get permission to write there\n";
    assert!(ran.printed().contains(help), "{ran}");
    drop(held);
    dir.ok("add in/a.pak new.cfg");
    dir.ok("convert in/a.pak -o out.pak -f");
    std::fs::remove_file(dir.path("in/a.pak~")).unwrap();
    assert_eq!(dir.all(), before);
}

/// A program that has the archive open reads its old content, or the change is refused: never a mix.
#[test]
fn an_archive_open_elsewhere_is_changed_or_not() {
    let dir = with_pak();
    let old = dir.read("in/a.pak");
    dir.file("new.cfg", "new");
    let held = open(&dir, "in/a.pak", READ | WRITE | DELETE);
    let ran = dir.run("add in/a.pak new.cfg");
    let mut kept = Vec::new();
    std::io::Read::read_to_end(&mut &held, &mut kept).unwrap();
    assert_eq!(kept, old);
    assert_eq!(dir.read("in/a.pak") == old, !ran.is(0), "{ran}");
    drop(held);
    let _ = std::fs::remove_file(dir.path("in/a.pak~"));
    dir.holds("in/ in/a.pak new.cfg");
}

#[test]
fn case_is_ignored_in_sources_outputs_and_engines() {
    let dir = Dir::new();
    dir.file("ID1/PAK0.PAK", quake());
    dir.file("ID1/Pak1.pak", small());
    let ran = dir.refuses("convert id1/pak0.pak -o Id1/Pak0.Pak -f");
    assert!(ran.printed().contains("inputs are never overwritten"), "{ran}");
    // As it is on an old CD; nobody needs to rename it here.
    for engine in ["quake", "quakespasm", "yquake2", "darkplaces"] {
        let ran = dir.ok(format!("which id1 maps/a.bsp --engine {engine}")).quiet();
        assert_eq!(ran.data(), "served    id1\\Pak1.pak: entry 0 \"maps/a.bsp\"\n", "{engine}");
    }
    // Two entries that only case tells apart are two files.
    let pak = Pak::new().stored("A.cfg", b"one").stored("a.CFG", b"two").quake();
    dir.file("p.pak", pak);
    dir.ok("extract p.pak");
    let files: Vec<Vec<u8>> = ["p/a.cfg", "p/a.cfg.dup-1"].map(|name| dir.read(name)).into();
    assert_eq!(files, [b"one", b"two"]);
}

/// Below a directory whose own path is longer, Wine 8 writes nothing: it does not say where an open
/// directory is.
#[test]
fn paths_beyond_260_characters_are_read_and_written() {
    let dir = Dir::new();
    let (folder, name) = ("f".repeat(150), format!("{}.cfg", "n".repeat(200)));
    let pak = daisho::Writer::in_memory(daisho::Format::Pk3);
    let mut pak = pak.unwrap();
    pak.add(&name, b"far away").unwrap();
    dir.file("p.pk3", pak.finish().unwrap().into_inner());
    let extract = format!("extract p.pk3 -C {folder}");
    dir.ok(&extract);
    let path = dir.path(&folder).join(&name);
    assert!(path.as_os_str().len() > 350);
    assert_eq!(std::fs::read(path).unwrap(), b"far away");
    let ran = dir.refuses(&extract);
    assert!(ran.printed().contains("error: already exists\n"), "{ran}");
    dir.ok(format!("{extract} -f"));
    let out = format!("{folder}/{}.pk3", "o".repeat(200));
    dir.ok(format!("convert p.pk3 -o {out}"));
    dir.ok(format!("verify {out}"));
    let far = ["far"; 100].join("/") + "/a.pk3";
    let content = dir.read("p.pk3");
    dir.file(&far, content);
    dir.ok(format!("verify {far}"));
    let ran = dir.ok("list -r far");
    assert!(ran.data().starts_with("far\\far\\"), "{ran}");
    dir.ok("create -o again.pk3 far");
}

/// Arguments and file names are UTF-16, what is printed is UTF-8 in a pipe and a file, whatever the
/// console's code page is.
#[test]
fn names_beyond_ascii_are_taken_and_printed_as_utf_8() {
    let dir = Dir::new();
    dir.file(
        "in/\u{e9}t\u{e9} \u{5200}.pak",
        Pak::new().stored("\u{e9}\u{5200}.cfg", b"x").quake(),
    );
    let typed = "in/\u{e9}t\u{e9} \u{5200}.pak";
    let ran = dir.ok("list -r in");
    let expected = "in\\\u{e9}t\u{e9} \u{5200}.pak: 0  1  text  \u{e9}\u{5200}.cfg\n";
    assert_eq!(ran.data(), expected);
    dir.daisho().args(["cat", typed, "\u{e9}\u{5200}.cfg"]).run().code(0).out("x");
    let ran = dir.daisho().args(["extract", typed, "-C", "\u{5200}"]).run().code(0);
    let expected = "in\\\u{e9}t\u{e9} \u{5200}.pak: 1 file, 1 byte, into \u{5200}\\\n";
    assert_eq!(ran.printed(), expected);
    assert_eq!(dir.all().last().unwrap(), "\u{5200}/\u{e9}\u{5200}.cfg");
}

/// Bars are for a terminal; where they are asked for, they are as wide as one of 80 columns.
#[test]
fn without_a_console_there_are_no_bars_and_no_colours() {
    let dir = with_pak();
    let ran = dir.ok("verify in/a.pak");
    assert!(!ran.printed().contains('\x1b'), "{ran}");
    let ran = dir.ok("--help");
    assert!(ran.data().contains("Usage: daisho [OPTIONS] <VERB>\n"), "{ran}");
    assert!(ran.data().lines().all(|line| line.chars().count() <= 100), "{ran}");
}

/// A directory that was created in vain is removed, even if it was open.
#[test]
fn directories_made_for_failures_are_removed() {
    let dir = Dir::new();
    let pak = Pak::new().compressed("a/b/c/d.tga", 4, b"\x02abc\xff").daikatana();
    dir.file("p.pak", pak);
    dir.fails("extract p.pak -C x/y");
    dir.holds("p.pak");
}

/// `cmd` and PowerShell pass patterns on as they were typed.
#[test]
fn patterns_in_paths_are_expanded() {
    let dir = with_pak();
    dir.file("in/B.PAK", small());
    dir.file("in/c.txt", "text");
    dir.ok("list --names in\\*.pak").out("in\\B.PAK: maps/a.bsp\nin\\a.pak: maps/a.bsp\n");
    // After the first path, patterns are about entries.
    dir.ok("list --names in\\a.pak *.bsp").out("maps/a.bsp\n");
    dir.ok("convert in\\a*.pak in\\b*.pak -C out --to pk3 -q");
    assert_eq!(dir.files("out"), ["B.pk3", "a.pk3"]);
    dir.ok("create in\\c.* -o c.pak -q");
    dir.ok("list --names c.pak").out("in/c.txt\n");
    for line in ["list in\\*.wad", "verify in\\?.wad", "create in\\*.wad -o x.pak"] {
        dir.refuses(line).err_has("error: no such file or directory\n  --> in");
    }
}

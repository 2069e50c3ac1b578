//! `add`, `remove` and `rename`.

use super::Dir;
use super::paks::{contents, daikatana, of_each_format, quake};
use crate::archive::build::Pak;

fn cat(dir: &Dir, archive: &str, name: &str) -> Vec<u8> {
    let cat = dir.ok(format!("cat {archive} {name}"));
    cat.stdout().to_vec()
}

#[test]
fn edits_keep_the_format_of_an_archive() {
    let dir = Dir::new();
    for archive in of_each_format(&dir) {
        let info = |key: &str| {
            let info = dir.run(format!("info {archive} --json"));
            info.json()[0][key].clone()
        };
        let layout = info("layout");
        dir.file("c.lmp", b"third");
        dir.ok(format!("add {archive} c.lmp"))
            .err_has("1 added; 3 entries");
        dir.ok(format!("rename {archive} a.lmp z.lmp"))
            .err_has("1 renamed; 3 entries");
        dir.lists(archive, "z.lmp b.lmp c.lmp");
        assert_eq!(cat(&dir, archive, "z.lmp"), b"first");
        dir.ok(format!("remove {archive} b.lmp"))
            .err_has("1 removed; 2 entries");
        dir.lists(archive, "z.lmp c.lmp");
        assert_eq!(info("layout"), layout);
        dir.ok(format!("verify {archive}"));
    }
}

/// What would have to be true of a change, found out by making the archive again from all of its files.
#[test]
fn edits_keep_other_bytes_and_the_order() {
    let dir = Dir::new();
    for (archive, bytes) in [("d.pak", daikatana()), ("q.pak", quake())] {
        dir.file(archive, &bytes);
        dir.file("new.cfg", b"new");
        dir.ok(format!("add {archive} new.cfg"));
        let clean = format!("clean-{archive}");
        let to = if archive == "d.pak" {
            "daikatana"
        } else {
            "quake"
        };
        dir.file("again.pak", &bytes);
        dir.ok(format!("convert again.pak -o {clean} --to {to}"));
        let (new, clean) = (dir.read(archive), dir.read(&clean));
        // The payloads are the same, and the new one follows them.
        let directory = |bytes: &[u8]| u32::from_le_bytes(bytes[4..8].try_into().unwrap()) as usize;
        let end = directory(&clean);
        assert!(new[12..end] == clean[12..end]);
        assert_eq!(&new[end..directory(&new)], b"new");
        let expected: Vec<_> = contents().into_iter().map(|(_, content)| content).collect();
        for (index, content) in expected.iter().enumerate() {
            let index = index.to_string();
            let cat = dir.ok(format!("cat {archive} --index {index}"));
            assert_eq!(cat.stdout(), content);
        }
        std::fs::remove_file(dir.path("again.pak")).unwrap();
    }
}

#[test]
fn add_replaces_an_entry_in_place_only_with_f() {
    let dir = Dir::new();
    dir.file("p.pak", quake());
    dir.file("default.cfg", b"third");
    let before = dir.names("p.pak");
    let add = ["add", "p.pak", "default.cfg"];
    dir.daisho()
        .args(add)
        .run()
        .code(2)
        .err_has("error: the archive already has an entry named \"default.cfg\"\n  --> default.cfg")
        .err_has("help: give another name, or replace the entry with 'daisho add -f'");
    assert!(dir.read("p.pak") == quake());
    dir.daisho()
        .args(add)
        .args(["-f", "-v"])
        .run()
        .code(0)
        .err_has("replace default.cfg: 5 bytes, for 2 entries");
    assert!(dir.read("p.pak~") == quake());
    let mut expected = before;
    // The second of the two is gone: it was shadowed.
    let last = expected
        .iter()
        .rposition(|name| name == "default.cfg")
        .unwrap();
    expected.remove(last);
    assert_eq!(dir.names("p.pak"), expected);
    assert_eq!(cat(&dir, "p.pak", "default.cfg"), b"third");
    dir.ok("add p.pak default.cfg --as scripts/x.cfg");
    assert_eq!(cat(&dir, "p.pak", "scripts/x.cfg"), b"third");
    assert!(dir.read("p.pak~") != quake());
    dir.refuses("add p.pak default.cfg p.pak~ --as x")
        .err_has("--as gives a name to a single file, but there are 2 files");
}

#[test]
fn folders_and_globs_are_removed_and_folders_renamed() {
    let dir = Dir::new();
    for name in [
        "maps/a.bsp",
        "maps/a.ent",
        "mapshots/a.tga",
        "sound/b.wav",
        "progs.dat",
    ] {
        dir.file(format!("mod/{name}"), name);
    }
    dir.ok("create mod -o p.pak");
    dir.ok("remove p.pak sound *.ent");
    dir.lists("p.pak", "maps/a.bsp mapshots/a.tga progs.dat");
    let rename = |from, to| dir.run(format!("rename p.pak --prefix {from} {to}"));
    rename("maps", "levels/old/").code(0);
    dir.lists("p.pak", "levels/old/a.bsp mapshots/a.tga progs.dat");
    rename("levels/old", "''").code(0);
    rename("''", "all").code(0);
    dir.lists("p.pak", "all/a.bsp all/mapshots/a.tga all/progs.dat");
    rename("levels", "x")
        .code(2)
        .err_has("there is no folder \"levels\" with entries in it");
}

#[test]
fn refused_edits_change_nothing() {
    let dir = Dir::new();
    dir.file("p.pak", quake());
    dir.file("files/long", b"x");
    let long = "x".repeat(60);
    let too_long = "a quake archive can safely hold names of at most 55";
    for (line, words) in [
        (
            "remove p.pak skins defualt.cfg",
            "did you mean \"default.cfg\"?",
        ),
        ("remove p.pak **", "there is nothing to write"),
        ("remove p.pak DEFAULT.CFG", "no entry is named"),
        ("rename p.pak default.cf x", "did you mean \"default.cfg\"?"),
        (
            "rename p.pak maps/e1m1.bsp default.cfg",
            "the archive already has an entry named",
        ),
        ("rename p.pak default.cfg a\\b", "--> p.pak"),
        ("rename p.pak --prefix maps a\u{1b}b", "--> p.pak"),
        (
            &format!("rename p.pak default.cfg {long} --keep-going"),
            too_long,
        ),
        (
            "rename p.pak --prefix default.cfg x",
            "there is no folder \"default.cfg\" with entries in it",
        ),
        ("add p.pak nowhere", "no such file"),
        // It is left out, and then there is nothing.
        ("add p.pak p.pak", "the archive itself is left out"),
        ("add p.pak files/long --as a\\b", "backslash"),
        (
            &format!("add p.pak files/long --as {long} --keep-going"),
            too_long,
        ),
        ("add p.pak files -i *.nope", "no entry matches"),
        (
            "add p.pak//inner.pak files",
            "daisho does not change an archive within another one",
        ),
    ] {
        dir.refuses(line).err_has(words);
        assert!(dir.read("p.pak") == quake(), "{line}");
        assert_eq!(dir.all(), ["files/", "files/long", "p.pak"], "{line}");
    }
    for line in [
        "remove p.pak default.cfg -n",
        "rename p.pak default.cfg x -n",
        "add p.pak files -n",
    ] {
        dir.ok(line).out_has("would write");
        assert!(dir.read("p.pak") == quake(), "{line}");
    }
    assert!(dir.read("p.pak") == quake());
    dir.holds("files/ files/long p.pak");
}

/// The others would be lost with it: so it is not changed, unless that is asked for.
#[test]
fn damaged_archives_are_edited_only_with_keep_going() {
    let dir = Dir::new();
    let damaged = super::paks::damaged();
    dir.file("p.pak", &damaged);
    dir.file("a.cfg", b"a");
    dir.fails("add p.pak a.cfg").err_has("is damaged");
    assert!(dir.read("p.pak") == damaged);
    dir.fails("add p.pak a.cfg --keep-going");
    dir.lists("p.pak", "first.tga last.cfg a.cfg");
    assert!(dir.read("p.pak~") == damaged);
}

/// The old backup goes only when there is a new one, and is no source of it.
#[test]
fn failed_edits_keep_the_old_backup() {
    let dir = Dir::new();
    dir.file("p.pak", quake());
    let older = daikatana();
    dir.file("p.pak~", &older);
    dir.file("a.cfg", "a");
    let add = |line: &str| dir.run(format!("add p.pak {line}"));
    add("p.pak~ --as old").code(2).err_has("p.pak~");
    assert_eq!(dir.read("p.pak~"), older);
    dir.file("d.pak", super::paks::damaged());
    dir.file("d.pak~", &older);
    dir.fails("add d.pak a.cfg").err_has("d.pak: not changed");
    assert_eq!(dir.read("d.pak~"), older);
    dir.holds("a.cfg d.pak d.pak~ p.pak p.pak~");
    add("a.cfg").code(0);
    assert!(dir.read("p.pak~") == quake());
}

/// A lump's extension is its type, and few files have one of those.
#[test]
fn add_as_takes_files_of_any_name() {
    let dir = Dir::new();
    dir.file("files/a.lmp", "a");
    dir.ok("create files -o w.wad");
    dir.file("brick of any name", "b");
    let line = ["add", "w.wad", "brick of any name", "--as", "brick.mip"];
    dir.daisho().args(line).run().code(0);
    dir.lists("w.wad", "a.lmp brick.mip");
}

/// Nobody finds the second of two lumps of one name and type.
#[test]
fn edits_keep_lump_names_of_a_wad_unique() {
    let dir = Dir::new();
    let files = ["a.mip", "b.mip", "#lava.mip"];
    for name in files {
        dir.file(format!("files/{name}"), name);
    }
    dir.ok("create files -o w.wad --to wad2");
    let before = dir.read("w.wad");
    dir.file("f", "new");
    for other in ["b.mip", "b.MIP", "b.type68", "*lava.mip"] {
        dir.refuses(format!("rename w.wad a.mip {other}"))
            .err_has("already");
        dir.refuses(format!("add w.wad f --as {other}"))
            .err_has("already");
    }
    assert!(dir.read("w.wad") == before);
    dir.ok("add w.wad f --as b.MIP -f").err_has("1 replaced");
    dir.lists("w.wad", "#lava.mip a.mip b.mip");
    assert_eq!(cat(&dir, "w.wad", "b.mip"), b"new");
    for new in ["a.TYPE68", "*c.MIP"] {
        dir.ok(format!("rename w.wad a.mip {new}"));
    }
    dir.lists("w.wad", "#lava.mip #c.mip b.mip");
}

/// As zip and tar do.
#[test]
fn added_names_are_as_typed_or_below_the_root() {
    let dir = Dir::new();
    dir.file("mod/maps/e1m1.bsp", "map");
    dir.file("mod/maps/e1m2.bsp", "other map");
    dir.file("mod/progs.dat", "code");
    dir.file("elsewhere/x.cfg", "x");
    let absolute = dir.path("mod/maps").to_str().unwrap().to_owned();
    let maps = ["maps/e1m1.bsp", "maps/e1m2.bsp"];
    let in_mod = ["mod/maps/e1m1.bsp", "mod/maps/e1m2.bsp"];
    for (line, expected) in [
        (&["./mod/maps/"][..], &in_mod[..]),
        (&["mod/maps", "--root", "./mod/"], &maps),
        (&["elsewhere/../mod/maps", "--root", "mod"], &maps),
        (&[&absolute, "--root", "mod"], &maps),
    ] {
        dir.file("p.pak", Pak::new().stored("old", b"").quake());
        dir.command("add p.pak").args(line).run().code(0);
        assert_eq!(dir.names("p.pak")[1..], *expected, "{line:?}");
    }
}

#[test]
fn files_outside_the_root_are_refused() {
    let dir = Dir::new();
    dir.file("p.pak", quake());
    dir.file("mod/a.cfg", "a");
    dir.file("other/b.cfg", "b");
    for (line, words) in [
        (
            "other/b.cfg --root mod",
            "outside \"mod\", where names begin (--root)\n  --> other/b.cfg\n",
        ),
        (
            "mod/a.cfg mod/../other/b.cfg --root mod",
            "--> mod/../other/b.cfg\nhelp: give --root",
        ),
        (
            "mod --root nowhere",
            "error: this is not a directory\n  --> nowhere\nhelp: give --root",
        ),
        (
            "mod/a.cfg --root mod/a.cfg",
            "error: this is not a directory",
        ),
        ("mod/a.cfg --root mod --as x", "cannot be used with"),
    ] {
        dir.refuses(format!("add p.pak {line}")).err_has(words);
        assert!(dir.read("p.pak") == quake(), "{line}");
    }
}

#[test]
fn edits_print_five_changes_or_all_with_v() {
    let dir = Dir::new();
    for at in 0..7 {
        dir.file(format!("mod/{at}.cfg"), "x");
    }
    let add = |more: &str| {
        dir.file("p.pak", quake());
        dir.ok(format!("add p.pak mod {more}"))
    };
    let line = |at: u8| format!("  add mod/{at}.cfg: 1 byte\n");
    let first: String = (0..5).map(line).collect();
    let rest: String = (5..7).map(line).collect();
    add("").err_has(&(first.clone() + "  and 2 more (-v shows them)\np.pak: 7 added; 14 entries"));
    add("-v").err_has(&(first + &rest + "p.pak: 7 added; 14 entries"));
    add("-q").quiet();
    dir.ok("remove p.pak mod/")
        .err_has("  remove mod/0.cfg: 1 byte\n")
        .err_has("p.pak: 7 removed; 7 entries");
    assert!(dir.read("p.pak") == quake());
}

/// What tar and zip do where they find their output among the files.
#[test]
fn add_leaves_out_the_archive_itself() {
    let dir = Dir::new();
    dir.file("mod/p.pak", quake());
    dir.file("mod/other.pak", quake());
    dir.ok("add mod/p.pak mod --root mod -f")
        .err_has("warning: the archive itself is left out")
        .err_has("--> mod/p.pak");
    let after = dir.names("mod/p.pak");
    assert_eq!(after.last().unwrap(), "other.pak");
    assert_eq!(cat(&dir, "mod/p.pak", "other.pak"), quake());
}

/// An engine to which case means nothing would serve the old one, and the change would do nothing.
#[test]
fn a_new_name_differing_only_in_case_is_a_warning() {
    let dir = Dir::new();
    dir.file("p.pak", quake());
    dir.file("new", b"new");
    let alike = "warning: in lower case this is also the name of entry 1 \"maps/e1m1.bsp\"";
    for line in [
        "add p.pak new --as MAPS/e1m1.BSP -n",
        "rename p.pak skins/black.tga Maps/E1M1.bsp -n",
    ] {
        dir.ok(line).err_has(alike);
    }
    // Two of the same name were there before, and are nothing new.
    let run = dir.ok("add p.pak new -n");
    assert!(!run.stderr().contains("lower case"), "{}", run.stderr());
}

#[test]
fn a_new_name_that_windows_forbids_is_a_warning() {
    let dir = Dir::new();
    dir.file("p.pak", quake());
    let rename = |from: &str, to: &str| dir.ok(format!("rename p.pak {from} {to} -n"));
    rename("maps/e1m1.bsp", "maps/aux").err_has("warning: a part of the name is a device name");
    rename("maps/e1m1.bsp", "*x").err_has("which Windows does not allow in names");
    let plain = rename("maps/e1m1.bsp", "maps/x.bsp");
    assert!(!plain.stderr().contains("warning"), "{}", plain.stderr());
}

/// A quake pak of so many entries.
fn of_entries(count: usize) -> Vec<u8> {
    let names = (0..count).map(|number| format!("{number}.cfg"));
    let pak = names.fold(Pak::new(), |pak, name| pak.stored(name, "x"));
    pak.quake()
}

/// Quake loads 2048 entries, and of Quake II's engines some load 4096.
#[test]
fn edits_beyond_an_engines_limits_are_refused() {
    let dir = Dir::new();
    let full = of_entries(2048);
    dir.file("p.pak", &full);
    dir.file("new", b"new");
    for how in ["", "-n"] {
        dir.refuses(format!("add p.pak new --engine quake {how}"))
            .err_has("quake refuses this archive: it has 2049 entries, more than 2048")
            .err_has("--> p.pak");
        dir.holds("new p.pak");
        assert!(dir.read("p.pak") == full, "{how}");
    }
    // Of several engines each has its say.
    dir.refuses("add p.pak new --engine quake2,vkquake")
        .err_has("vkquake refuses this archive");
    dir.ok("add p.pak new --engine quake2");
    dir.ok("undo p.pak");
    assert!(dir.read("p.pak") == full);
    dir.ok("remove p.pak 7.cfg --engine quake");
    dir.ok("add p.pak new --engine quake");
    assert_eq!(dir.names("p.pak").len(), 2048);
    dir.ok("rename p.pak new new..x --engine quake -n")
        .err_has("quake finds 1 of the names only if they are spelled exactly like this");
    dir.refuses("rename p.pak new x --engine ioquake3")
        .err_has("daisho writes pk3 archives for ioquake3, but you asked for a quake one");
}

#[test]
fn edits_print_one_json_row_each() {
    let dir = Dir::new();
    dir.file("p.pak", quake());
    dir.file("files/default.cfg", b"one");
    dir.file("files/new", b"two");
    let row = |line: &str| {
        let run = dir.ok(format!("{line} --json"));
        let mut rows = run.json();
        assert_eq!(rows.len(), 1, "{line}");
        rows.pop().unwrap()
    };
    let expected = |status: &str, [added, replaced, removed, renamed, entries]: [u64; 5]| {
        serde_json::json!({
            "archive": "p.pak", "status": status, "added": added, "replaced": replaced,
            "removed": removed, "renamed": renamed, "entries": entries,
            "bytes": dir.read("p.pak").len(),
        })
    };
    // Two entries of one name give way to one file.
    let added = row("add p.pak files --root files -f");
    assert_eq!(added, expected("done", [1, 1, 0, 0, 7]));
    let undone = row("undo p.pak");
    assert!(dir.read("p.pak") == quake());
    assert_eq!(undone["status"], "done");
    assert_eq!(
        (&undone["entries"], &undone["bytes_before"]),
        (&7.into(), &added["bytes"])
    );
    assert_eq!(undone["bytes"], quake().len());
    let removed = row("remove p.pak default.cfg");
    assert_eq!(removed, expected("done", [0, 0, 2, 0, 5]));
    let planned = row("rename p.pak skins/black.tga x -n");
    assert_eq!(planned, expected("planned", [0, 0, 0, 1, 5]));
    dir.refuses("remove p.pak none --json").out("");
}

/// Four times as many files may take eight times as long on a busy machine; a step for each pair of them
/// would take sixteen times as long.
#[test]
#[ignore = "takes half a minute, and its time is what counts"]
fn adding_a_long_list_takes_linear_time() {
    let dir = Dir::new();
    let names: Vec<String> = (0..100_000)
        .map(|at| format!("f/{}/{at}", at % 200))
        .collect();
    for name in &names {
        dir.file(name, name);
    }
    let mut times = Vec::new();
    for count in [25_000, 100_000] {
        dir.file("p.pak", quake());
        dir.file("list", names[..count].join("\n"));
        let begin = std::time::Instant::now();
        dir.ok("add p.pak --files-from list -q");
        times.push(begin.elapsed());
        assert_eq!(dir.names("p.pak")[7..], names[..count]);
    }
    assert!(times[1] < times[0] * 8, "{times:?}");
}

#[test]
fn a_new_name_ending_in_a_slash_is_a_folder() {
    let dir = Dir::new();
    dir.file("p.pak", quake());
    dir.file("new.cfg", b"new");
    for line in [
        "rename p.pak skins/black.tga lev/",
        "add p.pak new.cfg --as cfg/",
    ] {
        dir.ok(line);
    }
    dir.ok("list p.pak --names -i {lev,cfg}/*")
        .out("lev/black.tga\ncfg/new.cfg\n");
}

#[test]
fn a_new_name_that_no_system_can_extract_is_refused() {
    let dir = Dir::new();
    dir.file("p.pak", quake());
    dir.file("new.cfg", b"new");
    for name in [
        "a//b", "../b", "../../x", "/b", "C:/b", "./b", "a/../b", "''",
    ] {
        for line in [
            &format!("rename p.pak skins/black.tga {name}"),
            &format!("add p.pak new.cfg --as {name}"),
        ] {
            dir.refuses(line)
                .err_has("error: the name ")
                .err_has("help: give it another name");
            assert!(dir.read("p.pak") == quake(), "{line}");
        }
    }
    dir.holds("new.cfg p.pak");
}

/// Two runs at once: both are done, or one says that it was not.
#[test]
fn of_two_adds_at_once_none_is_lost() {
    let dir = Dir::new();
    dir.file("a.cfg", "a");
    dir.file("b.cfg", "b");
    for round in 0..20 {
        dir.file("p.pak", quake());
        let before = dir.names("p.pak");
        let runs = std::thread::scope(|scope| {
            let runs = ["a.cfg", "b.cfg"].map(|file| {
                let dir = &dir;
                scope.spawn(move || (file, dir.run(format!("add p.pak {file}"))))
            });
            runs.map(|run| run.join().unwrap())
        });
        let names = dir.names("p.pak");
        assert!(names.starts_with(&before), "round {round}: {names:?}");
        for (file, ran) in runs {
            let is_in = names.iter().any(|name| name == file);
            assert_eq!(is_in, ran.is(0), "round {round}: {names:?}, {file}: {ran}");
            if !is_in {
                ran.code(1).err_has("changed since the work was planned");
            }
        }
    }
}

/// Leaving out the only file makes no sense.
#[test]
fn a_chosen_name_too_long_is_not_to_be_left_out() {
    let dir = Dir::new();
    dir.file("p.pak", quake());
    dir.file("a.cfg", "a");
    let long = "x".repeat(60);
    for line in [
        format!("rename p.pak default.cfg {long}"),
        format!("add p.pak a.cfg --as {long}"),
    ] {
        dir.refuses(&line)
            .err_has("help: give another name\n")
            .err_lacks("-x");
    }
}

#[test]
fn an_edit_without_a_backup_warns_of_an_older_one() {
    let dir = Dir::new();
    dir.file("p.pak", quake());
    dir.file("a.cfg", "a");
    dir.file("b.cfg", "b");
    let warning = "warning: this is still the version before an earlier edit, and undoing would go back to it\n  \
        --> p.pak~\n";
    dir.ok("add p.pak a.cfg --no-backup").err_lacks("warning");
    dir.file("p.pak", quake());
    dir.ok("add p.pak a.cfg").err_lacks("warning");
    dir.ok("add p.pak b.cfg --no-backup -n").err_has(warning);
    dir.ok("add p.pak b.cfg --no-backup").err_has(warning);
    dir.ok("undo p.pak");
    assert!(dir.read("p.pak") == quake());
}

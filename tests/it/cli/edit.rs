//! `add`, `remove` and `rename`.

use super::Dir;
use super::paks::{contents, daikatana, many, of_each_format, quake};
use crate::archive::build::Pak;

#[test]
fn add_refuses_a_glob_that_matches_no_file() {
    let dir = Dir::new();
    dir.file("x.pak", quake());
    dir.file("new/a.cfg", "a");
    let before = dir.all();
    dir.refuses("add x.pak new -i *.cfg -i *.nope").err_has("\"*.nope\"");
    assert!(dir.all() == before);
}

#[test]
fn edits_keep_the_format_of_an_archive() {
    let dir = Dir::new();
    dir.file("c.lmp", b"third");
    for archive in of_each_format(&dir) {
        let layout = || dir.run(format!("info {archive} --json")).json()[0]["layout"].clone();
        let before = layout();
        dir.ok(format!("add {archive} c.lmp")).err_has("1 added; 3 entries");
        dir.ok(format!("rename {archive} a.lmp z.lmp")).err_has("1 renamed; 3 entries");
        dir.lists(archive, "z.lmp b.lmp c.lmp");
        assert_eq!(dir.cat(archive, "z.lmp"), b"first");
        dir.ok(format!("remove {archive} b.lmp")).err_has("1 removed; 2 entries");
        dir.lists(archive, "z.lmp c.lmp");
        assert_eq!(layout(), before);
        dir.ok(format!("verify {archive}"));
    }
}

/// What would have to be true of a change, found out by making the archive again from all of its files.
#[test]
fn edits_keep_other_bytes_and_the_order() {
    let dir = Dir::new();
    dir.file("new.cfg", b"new");
    for (format, bytes) in [("daikatana", daikatana()), ("quake", quake())] {
        dir.file("a.pak", &bytes);
        dir.ok(format!("convert a.pak -o clean.pak --to {format} -f"));
        dir.ok("add a.pak new.cfg");
        let (new, clean) = (dir.read("a.pak"), dir.read("clean.pak"));
        // The payloads are the same, and the new one follows them.
        let directory = |bytes: &[u8]| u32::from_le_bytes(bytes[4..8].try_into().unwrap()) as usize;
        let end = directory(&clean);
        assert!(new[12..end] == clean[12..end]);
        assert_eq!(&new[end..directory(&new)], b"new");
        for (index, (_, content)) in contents().iter().enumerate() {
            assert_eq!(dir.cat("a.pak", &format!("--index {index}")), *content);
        }
    }
}

#[test]
fn add_replaces_an_entry_in_place_only_with_f() {
    let dir = Dir::new();
    dir.file("p.pak", quake());
    dir.file("default.cfg", b"third");
    let mut expected = dir.names("p.pak");
    dir.refuses("add p.pak default.cfg")
        .err_has("error: the archive already has an entry named \"default.cfg\"\n  --> default.cfg")
        .err_has("help: give another name, or replace the entry with 'daisho add -f'");
    assert!(dir.read("p.pak") == quake());
    dir.ok("add p.pak default.cfg -f -v").err_has("replace default.cfg: 5 bytes, for 2 entries");
    assert!(dir.read("p.pak~") == quake());
    // The second of the two is gone: it was shadowed.
    let last = expected.iter().rposition(|name| name == "default.cfg");
    expected.remove(last.unwrap());
    assert_eq!(dir.names("p.pak"), expected);
    assert_eq!(dir.cat("p.pak", "default.cfg"), b"third");
    dir.ok("add p.pak default.cfg --as scripts/x.cfg");
    assert_eq!(dir.cat("p.pak", "scripts/x.cfg"), b"third");
    assert!(dir.read("p.pak~") != quake());
    dir.refuses("add p.pak default.cfg p.pak~ --as x")
        .err_has("--as gives a name to a single file, but there are 2 files");
    // Another entry of the name in another case stays.
    dir.file("p.pak", Pak::named(&["default.cfg", "Default.cfg"], "x").quake());
    dir.ok("add p.pak default.cfg -f -v")
        .err_has("replace default.cfg: 5 bytes\n")
        .err_has("1 replaced; 2 entries");
}

#[test]
fn folders_and_globs_are_removed_and_folders_renamed() {
    let dir = Dir::new();
    for name in ["maps/a.bsp", "maps/a.ent", "mapshots/a.tga", "sound/b.wav", "progs.dat"] {
        dir.file(format!("mod/{name}"), name);
    }
    dir.ok("create mod -o p.pak");
    dir.ok("remove p.pak sound *.ent");
    dir.lists("p.pak", "maps/a.bsp mapshots/a.tga progs.dat");
    let rename = |from, to| dir.run(format!("rename p.pak {from} {to}"));
    rename("maps/", "levels/old/").code(0);
    dir.lists("p.pak", "levels/old/a.bsp mapshots/a.tga progs.dat");
    rename("levels/old/", "/").code(0);
    rename("/", "all/").code(0);
    dir.lists("p.pak", "all/a.bsp all/mapshots/a.tga all/progs.dat");
    rename("levels/", "x/").code(2).err_has("there is no folder \"levels/\" with entries in it");
}

#[test]
fn refused_edits_change_nothing() {
    let dir = Dir::new();
    dir.file("p.pak", quake());
    dir.file("files/long", b"x");
    let long = "x".repeat(60);
    let too_long = "a quake archive can safely hold names of at most 55";
    let renamed = format!("rename p.pak default.cfg {long} --keep-going");
    let added = format!("add p.pak files/long --as {long} --keep-going");
    for (line, words) in [
        ("remove p.pak skins defualt.cfg", "did you mean \"default.cfg\"?"),
        ("remove p.pak **", "there is nothing to write"),
        ("remove p.pak DEFAULT.CFG", "no entry is named"),
        ("rename p.pak default.cf x", "did you mean \"default.cfg\"?"),
        ("rename p.pak maps/e1m1.bsp default.cfg", "the archive already has an entry named"),
        ("rename p.pak default.cfg a\\b", "--> p.pak"),
        ("rename p.pak maps/ a\u{1b}b/", "--> p.pak"),
        ("rename p.pak default.cfg/ x/", "there is no folder \"default.cfg/\" with entries"),
        ("rename p.pak nope/ x", "there is no folder \"nope/\" with entries"),
        ("add p.pak nowhere", "no such file"),
        // It is left out, and then there is nothing.
        ("add p.pak p.pak", "the archive itself is left out"),
        ("add p.pak files/long --as a\\b", "backslash"),
        ("add p.pak files -i *.nope", "no entry matches"),
        ("add p.pak//inner.pak files", "daisho does not change an archive within another one"),
        // Leaving out the only file makes no sense.
        (&renamed, too_long),
        (&renamed, "help: give another name\n"),
        (&added, too_long),
        (&added, "help: give another name\n"),
    ] {
        dir.refuses(line).err_has(words);
        assert!(dir.read("p.pak") == quake(), "{line}");
        dir.holds("files/ files/long p.pak");
    }
    for line in
        ["remove p.pak default.cfg -n", "rename p.pak default.cfg x -n", "add p.pak files -n"]
    {
        dir.ok(line).out_has("would write");
        assert!(dir.read("p.pak") == quake(), "{line}");
    }
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

/// An entry that needs a password, or a method that is not supported, is as lost as a damaged one.
#[test]
fn entries_that_keep_going_leaves_out_are_counted() {
    let dir = Dir::new();
    dir.file("a.cfg", "a");
    for zip in ["encrypted", "method-bzip2"] {
        dir.copy(&format!("zips/broken/{zip}.pk3"), "p.pk3");
        dir.fails("add p.pk3 a.cfg --keep-going")
            .err_has("p.pk3: 1 added, 1 left out; 4 entries, ");
        dir.copy(&format!("zips/broken/{zip}.pk3"), "p.pk3");
        dir.fails("remove p.pk3 last.cfg --keep-going --json")
            .out_has("\"removed\":1,\"renamed\":0,\"left_out\":1,\"entries\":2,");
    }
    dir.ok("remove p.pk3 sound/good.ogg --json")
        .out_has("\"removed\":1,\"renamed\":0,\"left_out\":0,\"entries\":1,");
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
        dir.refuses(format!("rename w.wad a.mip {other}")).err_has("already");
        dir.refuses(format!("add w.wad f --as {other}")).err_has("already");
    }
    assert!(dir.read("w.wad") == before);
    dir.ok("add w.wad f --as b.MIP -f").err_has("1 replaced");
    dir.lists("w.wad", "#lava.mip a.mip b.mip");
    assert_eq!(dir.cat("w.wad", "b.mip"), b"new");
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
    let absolute = dir.path("mod/maps");
    let absolute = format!("{} --root mod", absolute.display());
    for (line, folder) in [
        ("./mod/maps/", "mod/maps"),
        ("mod/maps --root ./mod/", "maps"),
        ("elsewhere/../mod/maps --root mod", "maps"),
        (&absolute, "maps"),
    ] {
        dir.file("p.pak", Pak::new().stored("old", b"").quake());
        dir.ok(format!("add p.pak {line}"));
        dir.lists("p.pak", &format!("old {folder}/e1m1.bsp {folder}/e1m2.bsp"));
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
        ("mod/a.cfg mod/../other/b.cfg --root mod", "--> mod/../other/b.cfg\nhelp: give --root"),
        ("mod --root nowhere", "error: this is not a directory\n  --> nowhere\nhelp: give --root"),
        ("mod/a.cfg --root mod/a.cfg", "error: this is not a directory"),
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
    dir.file("p.pak", quake());
    let mut session = dir.session();
    session.run("add p.pak mod");
    session.run("remove p.pak mod/");
    session.run("add p.pak mod -v");
    session.run("remove p.pak mod/ -q");
    session.is("edit-changes");
    assert!(dir.read("p.pak") == quake());
}

#[test]
fn edits_warn_of_odd_new_names() {
    let dir = Dir::new();
    dir.file("p.pak", quake());
    dir.file("new", b"new");
    for (line, warning) in [
        ("rename p.pak maps/e1m1.bsp maps/aux", "warning: a part of the name is a device name"),
        ("rename p.pak maps/e1m1.bsp *x", "which Windows does not allow in names"),
    ] {
        dir.ok(format!("{line} -n")).err_has(warning);
    }
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
    assert_eq!(dir.cat("mod/p.pak", "other.pak"), quake());
}

/// Quake loads 2048 entries, and of Quake II's engines some load 4096.
#[test]
fn edits_beyond_an_engines_limits_are_refused() {
    let dir = Dir::new();
    let full = many(2048, "x").quake();
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
    dir.refuses("add p.pak new --engine quake2,vkquake").err_has("vkquake refuses this archive");
    dir.ok("add p.pak new --engine quake2");
    dir.ok("undo p.pak");
    assert!(dir.read("p.pak") == full);
    dir.ok("remove p.pak f7 --engine quake");
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
    let mut session = dir.session();
    // Two entries of one name give way to one file.
    session.run("add p.pak files --root files -f --json -q");
    session.run("undo p.pak --json -q");
    assert!(dir.read("p.pak") == quake());
    session.run("remove p.pak default.cfg --json -q");
    session.run("rename p.pak skins/black.tga x -n --json -q");
    session.run("remove p.pak none --json -q");
    session.is("edit-json");
}

/// Four times as many files may take eight times as long on a busy machine; a step for each pair of them
/// would take sixteen times as long.
#[test]
#[ignore = "takes half a minute, and its time is what counts"]
fn adding_a_long_list_takes_linear_time() {
    let dir = Dir::new();
    let names: Vec<String> = (0..100_000).map(|at| format!("f/{}/{at}", at % 200)).collect();
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
    dir.file("p.pak", Pak::new().stored("skins/black.tga", b"").quake());
    dir.file("new.cfg", b"new");
    dir.ok("rename p.pak skins/black.tga lev/");
    dir.ok("add p.pak new.cfg --as cfg/");
    dir.lists("p.pak", "lev/black.tga cfg/new.cfg");
}

#[test]
fn a_new_name_that_no_system_can_extract_is_refused() {
    let dir = Dir::new();
    dir.file("p.pak", quake());
    dir.file("new.cfg", b"new");
    for name in ["a//b", "../b", "../../x", "/b", "C:/b", "./b", "a/../b", "''"] {
        for verb in ["rename p.pak skins/black.tga", "add p.pak new.cfg --as"] {
            dir.refuses(format!("{verb} {name}"))
                .err_has("error: the name ")
                .err_has("help: give it another name");
            assert!(dir.read("p.pak") == quake(), "{verb} {name}");
        }
    }
    dir.holds("new.cfg p.pak");
}

/// Two runs at once: both are done, or one says that it was not.
#[test]
fn two_adds_at_once_lose_nothing() {
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
        assert!(names.len() > before.len(), "round {round}: {names:?}");
        // On Windows nothing is locked, so the last of both may replace what the first one made.
        if cfg!(windows) {
            continue;
        }
        for (file, ran) in runs {
            let is_in = names.iter().any(|name| name == file);
            assert_eq!(is_in, ran.is(0), "round {round}: {names:?}, {file}: {ran}");
            if !is_in {
                ran.code(1).err_has("changed since the work was planned");
            }
        }
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

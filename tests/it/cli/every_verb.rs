//! Rules of the command line that hold for every verb.

use super::paks::{damaged, entry, quake};
use super::{Dir, timeless};
use crate::archive::build::Pak;

/// A line for each verb, about `q.pak` and the folder `files`.
const LINES: [&str; 17] = [
    "convert q.pak -o out.pak",
    "extract q.pak -C out",
    "create files -o out.pak",
    "add q.pak files",
    "remove q.pak default.cfg",
    "rename q.pak default.cfg d.cfg",
    "undo q.pak",
    "list q.pak",
    "info q.pak",
    "verify q.pak",
    "diff q.pak q.pak",
    "dupes q.pak",
    "cat q.pak default.cfg",
    "show q.pak default.cfg",
    "gallery q.pak -o out",
    "which . default.cfg",
    "missing .",
];

const NAMES: [&str; 4] = ["docs/a.txt", "default.cfg", "maps/a.bsp", "docs/b.txt"];

fn filled() -> Dir {
    let dir = Dir::new();
    dir.file("q.pak", Pak::named(&NAMES, "content").quake());
    dir.file("q.pak~", quake());
    dir.file("files/maps/new.bsp", "new");
    dir
}

#[test]
fn recursive_is_accepted_and_changes_nothing() {
    for line in LINES {
        let [plain, before, behind] = [&[][..], &["-r"], &["--recursive"]].map(|option| {
            let dir = filled();
            let words = line.split(' ').chain(option.iter().copied());
            let ran = dir.daisho().args(words).run();
            (ran.is(0) || ran.is(1), ran.stdout().to_vec(), dir.all())
        });
        assert!(plain.0, "{line}");
        assert_eq!(plain, before, "{line}");
        assert_eq!(plain, behind, "{line}");
    }
}

#[test]
fn names_folders_and_globs_select_in_every_verb() {
    for line in [
        "convert q.pak {} -o out.pak",
        "extract q.pak {} -C out",
        "list q.pak {}",
        "info q.pak {}",
        "verify q.pak {}",
        "dupes q.pak {}",
        "show q.pak {}",
        "gallery q.pak {} -o out",
        "remove q.pak {}",
    ] {
        for (name, count) in [
            ("default.cfg", 1),
            ("docs/", 2),
            ("docs", 2),
            ("*.CFG", 1),
            ("docs/*", 2),
            ("docs/a.txt default.cfg", 2),
        ] {
            let dir = filled();
            // The current directory has a file of this name, too.
            dir.file("default.cfg", "beside");
            assert_eq!(dir.cat("q.pak", name).len(), count * "content".len());
            let ran = dir.ok(line.replace("{}", name) + " --json");
            // One entry has no duplicates.
            let is_lone = line.starts_with("dupes") && count == 1;
            let expected = if is_lone { 0 } else { count };
            let mut rows = ran.json();
            if line.starts_with("verify") {
                rows.retain(|row| row.get("index").is_some());
            }
            assert_eq!(entries_of(&rows), expected, "{line}, {name}: {ran}");
        }
        // A name that matches nothing is an error, and says so.
        let dir = filled();
        let ran = dir.run(line.replace("{}", "*.nope"));
        assert!(!ran.is(0), "{ran}");
        ran.err_has("\"*.nope\"");
    }
}

#[test]
fn a_wrong_name_beside_a_right_one_writes_nothing() {
    for line in [
        "convert q.pak default.cfg nope -o out.pak",
        "convert q.pak default.cfg nope -C out",
        "convert files/two q.pak default.cfg nope -C out",
        "extract q.pak default.cfg nope -C out",
    ] {
        let dir = filled();
        dir.file("files/two/a.pak", quake());
        let before = dir.all();
        dir.fails(line).err_has("\"nope\"");
        assert!(dir.all() == before, "{line}");
    }
}

#[test]
fn a_first_word_that_looks_like_a_path_is_a_file() {
    let dir = filled();
    dir.refuses("q.pakk").err_has(
        "error: no such file or directory; did you mean \"q.pak\"?\n  --> q.pakk\n\
             help: give the path of a file or directory that exists\n",
    );
    dir.refuses("files/none.pak -v")
        .err_has("error: no such file or directory\n  --> files/none.pak\n");
}

#[test]
fn the_archive_comes_first() {
    let dir = filled();
    dir.file("a.txt", "text");
    for line in [
        "remove a.txt q.pak",
        "rm docs/ q.pak",
        "rename a.txt b.txt q.pak",
        "cat a.txt q.pak",
        "show default.cfg q.pak",
        "add docs q.pak",
        "which default.cfg docs",
    ] {
        let before = dir.all();
        dir.refuses(line).err_starts("error: ");
        assert_eq!(dir.all(), before, "{line}");
    }
    for (line, verb) in [("q.pak list", "list"), ("-q gone.pak x -C out", "extract")] {
        dir.refuses(line)
            .err(&format!("error: the verb comes before the file\nhelp: use daisho {verb} FILE\n"));
    }
    // After an option, the second word is not looked at.
    let ran = dir.run("gone.pak -q extract");
    ran.code(2).err_has("error: no such file or directory\n").err_has("help: give the path");
    // An archive may have any name, and an entry the name of a file that is an archive.
    dir.file("old", Pak::new().stored("q.pak", "inside").quake());
    dir.ok("cat old q.pak").out("inside");
}

#[test]
fn a_path_that_leads_into_a_file_is_called_a_name() {
    let dir = filled();
    for verb in ["list", "extract", "info", "verify"] {
        dir.refuses(format!("{verb} q.pak/maps"))
            .err_has("error: no such file or directory\n  --> q.pak/maps\n")
            .err_has("help: names of entries come after their archive");
    }
}

#[test]
fn a_folder_is_renamed_with_or_without_a_slash() {
    for (from, to) in [("docs", "looks"), ("docs/", "looks/"), ("docs", "looks/")] {
        let dir = filled();
        dir.ok(format!("rename q.pak {from} {to}")).err_has("rename docs/a.txt to looks/a.txt");
    }
}

#[test]
fn outputs_in_a_directory_get_their_formats_extension() {
    let dir = filled();
    dir.file("noext", quake());
    dir.command("convert - noext q.pak --to pk3 -C out").stdin(quake()).run().code(0);
    let mut written = dir.all();
    written.retain(|name| name.starts_with("out/"));
    assert_eq!(written, ["out/", "out/noext.pk3", "out/q.pk3", "out/stdin.pk3"]);
}

#[test]
fn globs_after_a_directory_select_entries() {
    for verb in ["list --names", "verify -v", "dupes", "gallery -o out"] {
        let dir = Dir::new();
        dir.file("d/q.pak", Pak::named(&NAMES, "content").quake());
        let ran = dir.ok(format!("{verb} d *.bsp"));
        if verb == "list --names" {
            ran.out("d/q.pak: maps/a.bsp\n");
        }
    }
    // A file of that name is a path.
    let dir = filled();
    dir.file("d/q.pak", quake());
    dir.file("[d].pak", quake());
    dir.ok("list --names d [d].pak").out_has("[d].pak");
}

#[test]
fn excluding_every_archive_is_an_error() {
    for verb in ["list", "info", "verify", "dupes", "convert -C out", "extract -C out"] {
        let dir = Dir::new();
        dir.file("d/q.pak", quake());
        dir.refuses(format!("{verb} d --exclude-archive *"))
            .err_has("error: no archive is left in this directory without what --exclude-archive names\n  --> d\n");
    }
}

#[test]
fn a_refusal_is_a_json_row_in_every_verb() {
    let dir = Dir::new();
    dir.file("a.pak", "no archive");
    dir.file("b.pak", quake());
    for line in [
        "list a.pak",
        "info a.pak",
        "verify a.pak",
        "dupes a.pak",
        "diff a.pak b.pak",
        "convert a.pak -o out.pak",
        "extract a.pak -C out",
        "show a.pak x",
    ] {
        let ran = dir.run(format!("{line} --json"));
        if line.starts_with("convert") {
            assert_eq!(ran.json()[0]["status"], "failed", "{ran}");
            continue;
        }
        let expected = ("a.pak".to_owned(), "unread".to_owned());
        assert_eq!(inputs(&ran.json()), [expected], "{line}: {ran}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn searches_skip_backups_of_any_name() {
    use std::os::unix::ffi::OsStrExt as _;

    let dir = Dir::new();
    for name in [&b"a.pak"[..], b"a.pak~", b"b\xff.pak", b"b\xff.pak~", b"c", b"c~"] {
        dir.file(std::ffi::OsStr::from_bytes(name), quake());
    }
    let ran = dir.ok("info .");
    assert_eq!(ran.text().lines().count(), 3);
}

/// What reads and finds nothing has done its work, with a result that is not well. An edit is refused, and so is nothing
/// else that is asked for with it.
#[test]
fn no_match_is_1_for_reads_and_2_for_edits() {
    for (line, status) in [
        ("list q.pak IT", 1),
        ("list q.pak -i IT", 1),
        ("list --effective . -i IT", 1),
        ("info q.pak IT", 1),
        ("verify q.pak IT", 1),
        ("dupes q.pak IT", 1),
        ("diff q.pak q.pak -i IT", 1),
        ("cat q.pak IT", 1),
        ("show q.pak IT", 1),
        ("gallery q.pak IT -o out", 1),
        ("extract q.pak IT -C out", 1),
        ("extract q.pak default.cfg IT -C out", 1),
        ("extract q.pak -i IT -C out", 1),
        ("convert q.pak IT -o out.pak", 1),
        ("convert q.pak -i IT -C out", 1),
        ("create files -i IT -o out.pak", 1),
        ("which . IT", 1),
        ("missing . --map IT", 1),
        ("remove q.pak IT", 2),
        ("rename q.pak IT new", 2),
    ] {
        for name in ["nothing", "*.nothing", "nothing/"] {
            let dir = filled();
            // A game has a pak that its engine loads.
            dir.file("pak0.pak", dir.read("q.pak"));
            let before = (dir.all(), dir.read("q.pak"));
            let words = line.replace("IT", name);
            dir.run(&words).code(status).err_has("error: ").err_has("nothing");
            assert_eq!(before, (dir.all(), dir.read("q.pak")), "{words}");
        }
    }
}

/// The objects of the inputs that could not be read, or only in part: the path, the status and the problem.
fn inputs(rows: &[serde_json::Value]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for row in rows {
        let status = row["status"].as_str().unwrap_or_default();
        if ["unread", "cut"].contains(&status) {
            assert!(!row["problem"].as_str().unwrap().is_empty());
            let path = row["archive"].as_str().unwrap().to_owned();
            found.push((path, status.to_owned()));
        }
    }
    found
}

/// The last entry of the archive is lost, and everything is done with the others.
#[test]
fn an_archive_with_a_cut_directory_has_one_object() {
    let whole = Pak::named(&["kept", "last", "lost"], "content").quake();
    let cut = &whole[..whole.len() - 64];
    for line in [
        "list cut.pak",
        "list cut.pak q.pak",
        "info cut.pak",
        "info . --exclude-archive q.pak",
        "verify cut.pak",
        "verify cut.pak q.pak",
        "dupes cut.pak",
        "diff cut.pak q.pak",
        "gallery cut.pak -o out",
        "extract cut.pak -C out",
        "convert cut.pak -o out.pak",
        "convert cut.pak -o out.pak --keep-going",
        "convert cut.pak -o out.pak -n",
        "add cut.pak files",
        "remove cut.pak last",
    ] {
        let dir = filled();
        dir.file("cut.pak", cut);
        let ran = dir.run(format!("{line} --json"));
        assert!(!ran.is(0), "{line}: {ran}");
        let path = if line.contains(" .") { "./cut.pak" } else { "cut.pak" };
        let expected = (path.to_owned(), "cut".to_owned());
        assert_eq!(inputs(&ran.json()), [expected], "{line}: {ran}");
    }
    let dir = Dir::new();
    dir.file("game/pak0.pak", cut);
    for line in ["list --effective game", "which game kept"] {
        let ran = dir.fails(format!("{line} --json"));
        let expected = ("game/pak0.pak".to_owned(), "cut".to_owned());
        assert_eq!(inputs(&ran.json()), [expected], "{line}: {ran}");
    }
    // These have nothing to show as JSON.
    dir.file("cut.pak", cut);
    for line in ["cat cut.pak kept", "show cut.pak kept"] {
        let ran = dir.fails(line).err_has("error: ");
        assert!(!ran.text().is_empty(), "{ran}");
    }
}

#[test]
fn missing_inputs_are_rows_with_a_suggestion() {
    for line in [
        "list IT",
        "list q.pak IT",
        "list --effective IT",
        "info IT",
        "verify IT",
        "dupes IT",
        "diff IT q.pak",
        "diff q.pak IT",
        "show IT x",
        "gallery IT -o out",
        "gallery q.pak -o out --game IT",
        "extract IT -C out",
        "extract --effective IT -C out",
        "extract q.pak -C out --png --game IT",
        "extract q.pak -C out --png --palette IT",
        "convert IT -o out.pak",
        "convert q.pak IT -C out",
        "convert --merge IT -o out.pak",
        "create IT -o out.pak",
        "add q.pak IT",
        "add IT files",
        "remove IT x",
        "rename IT x y",
        "undo IT",
        "which IT x",
        "missing IT",
    ] {
        let dir = filled();
        dir.file("folder/a.cfg", "x");
        // Names that are no archive's are names of entries after an archive.
        let name = if line.contains("q.pak IT") { "./foldr.pak" } else { "./foldr" };
        dir.file("folder.pak", quake());
        let line = format!("{} --json", line.replace("IT", name));
        let ran = dir.run(&line);
        assert!(ran.is(1) || ran.is(2), "{line}: {ran}");
        let unread = (name.to_owned(), "unread".to_owned());
        assert_eq!(inputs(&ran.json()), [unread], "{line}: {ran}");
        ran.err_has("error: no such file or directory; did you mean \"./folder")
            .err_has("help: give the path")
            .err_lacks("os error");
    }
}

/// The archive has a warning and two errors.
#[test]
fn a_refused_archive_is_one_row_and_keeps_warnings() {
    let mut pak = Pak::new();
    let start = pak.payload(&[b'x'; 40_000]);
    for n in 0..500 {
        let name = format!("{n}");
        pak = pak.entry(entry(name.as_bytes(), start + n, 40_000 - n, None));
    }
    let mut bytes = pak.quake();
    bytes.truncate(bytes.len() - 70);
    let dir = Dir::new();
    dir.file("p.pak", &bytes);
    for line in ["convert p.pak -o q.pak", "extract p.pak -C out", "verify p.pak"] {
        let ran = dir.run(format!("{line} --json")).err_lacks("error: the directory ends in");
        if line.starts_with("convert") {
            assert_eq!(ran.json()[1]["status"], "failed", "{ran}");
            ran.err_has("warning: the directory ends in");
            continue;
        }
        let unread = ("p.pak".to_owned(), "unread".to_owned());
        assert_eq!(inputs(&ran.json()), [unread], "{line}: {ran}");
    }
}

/// What could not be read might have a match.
#[test]
fn unmatched_patterns_are_reported_beside_unread_archives() {
    for verb in ["list", "verify", "dupes", "extract -C out", "convert -C out", "gallery -o page"] {
        for broken in [false, true] {
            let dir = filled();
            dir.file("d/a.pak", dir.read("q.pak"));
            if broken {
                dir.file("d/b.pak", "PACK");
            }
            let line = format!("{verb} d -i *.cfg -i *.nope");
            let ran = dir.fails(&line);
            ran.err_has("no entry matches \"*.nope\"");
        }
    }
}

/// A pak with all that there is: hundreds of files, duplicates, damage, names in each other's way.
fn mixed(number: u32) -> Vec<u8> {
    let mut pak = Pak::new();
    for n in 0..120_u32 {
        let name = format!("d{}/F{}.tga", n % 7, n % 50);
        let size = (n * 37 + number) % 3000;
        let runs = size / 65 + u32::from(size % 65 >= 2);
        pak = if n % 3 == 0 && runs > 0 {
            // Some of them come out too short.
            pak.compressed(&name, runs * 65 + u32::from(n == 33), &vec![0x7F; runs as usize])
        } else {
            pak.stored(&name, vec![n as u8; size as usize])
        };
    }
    pak.stored("d1", b"a file").stored("D1/f1.TGA", b"by case").stored("../x", b"").daikatana()
}

/// A folder of paks that are mixed, sound, damaged and no archive, and games.
fn collection() -> Dir {
    let dir = Dir::new();
    let named = Pak::named(&NAMES, "content");
    for number in 0..6 {
        dir.file(format!("in/{number}/mixed.pak"), mixed(number));
        dir.file(format!("in/{number}/quake.pak"), named.clone().quake());
        dir.file(format!("in/{number}/damaged.pak"), damaged());
    }
    dir.file("in/foreign.pk3", "PK\x03\x04");
    dir.file("in/notes.txt", "text");
    dir.file("game/pak0.pak", named.clone().daikatana());
    dir.file("game/pak1.pak", named.daikatana());
    dir
}

#[test]
fn any_number_of_threads_gives_the_same() {
    for line in [
        "list in",
        "info in",
        "verify in",
        "verify in --json",
        "dupes in",
        "diff in/0 in/1",
        "diff in/0/damaged.pak in/1/quake.pak",
        "extract -v in -C out",
        "extract --effective game -C out",
        "convert in -C out",
        "convert in -C out --to daikatana --max-entries 50",
        "convert in -C out --to pk3 --keep-going",
        "convert --merge game -o out.pak --to daikatana",
        "create in -o out.pk3",
        "gallery in -o out",
        "missing game",
    ] {
        let [one, two, many] = ["1", "2", "16"].map(|jobs| {
            let dir = collection();
            let ran = dir.run(format!("{line} -j {jobs}"));
            let mut files = Vec::new();
            for path in dir.all() {
                if !path.ends_with('/') {
                    files.push((dir.read(&path), path));
                }
            }
            (ran.stdout().to_vec(), timeless(ran.stderr()), files)
        });
        assert_eq!(one.1, two.1, "{line}");
        assert_eq!(one.1, many.1, "{line}");
        assert!(one == two && one == many, "{line}");
        assert!(!one.0.is_empty() || !one.1.is_empty(), "{line}");
    }
}

#[test]
fn existing_outputs_are_refused_kept_or_replaced() {
    for (line, output) in [
        ("convert q.pak -o out.pak", "out.pak"),
        ("convert q.pak -C out", "out/q.pak"),
        ("convert --merge game -o out.pak", "out.pak"),
        ("create files -o out.pak", "out.pak"),
        ("extract q.pak -C out", "out/default.cfg"),
        ("extract --effective game -C out", "out/default.cfg"),
    ] {
        let dir = filled();
        dir.file("game/pak0.pak", dir.read("q.pak"));
        dir.file(output, "old");
        let before = dir.all();
        let advice = "help: give -f to replace existing files, or -k to keep them\n";
        let error = format!("error: already exists\n  --> {output}\n{advice}");
        for dry in ["", "-n"] {
            dir.refuses(format!("{line} {dry}")).err_has(&error);
            assert_eq!(dir.all(), before, "{line}");
        }
        dir.ok(format!("{line} -k -n"));
        dir.ok(format!("{line} -f -n"));
        assert_eq!(dir.all(), before, "{line}");
        dir.ok(format!("{line} -k"));
        assert_eq!(dir.read(output), b"old", "{line}");
        dir.ok(format!("{line} -f"));
        assert!(dir.read(output).len() > 3, "{line}");
    }
}

#[cfg(unix)]
#[test]
fn a_hundred_archives_need_few_open_files() {
    let dir = Dir::new();
    for n in 0..100 {
        let pak = Pak::new().stored(format!("{n}.cfg"), b"bind x y").quake();
        dir.file(format!("id1/pak{n}.pak"), pak);
    }
    for line in [
        "list --effective id1 --engine quakespasm",
        "which id1 0.cfg --engine quakespasm",
        "extract --effective -q id1 -C files --engine quakespasm",
        "extract -q id1 -C each",
        "convert -q id1 -C converted --to daikatana",
        "convert --merge -q id1 -o all/pak0.pak --engine quakespasm",
        "verify id1",
        "gallery -q id1 -o page",
    ] {
        let limited = format!("ulimit -n 64; exec daisho {line}");
        dir.sh(&limited).run().code(0);
    }
    assert_eq!(dir.read("files/99.cfg"), b"bind x y");
    assert_eq!(dir.read("each/pak99/99.cfg"), b"bind x y");
    assert!(dir.has("converted/pak99.pak"));
}

/// Each line would write over the file behind it, from which it reads.
#[test]
fn inputs_are_never_overwritten() {
    for (line, input) in [
        ("convert game/pak0.pak -o game/pak0.pak", "game/pak0.pak"),
        ("convert split1.pak -o split0.pak --max-entries 1", "split1.pak"),
        ("convert --merge game -o game/pak0.pak", "game/pak0.pak"),
        ("convert --merge game --loose -o game/x.cfg --to quake", "game/x.cfg"),
        ("convert a.tga -o a.tga", "a.tga"),
        ("create game/x.cfg -o game/x.cfg --to quake", "game/x.cfg"),
        ("extract --effective game --loose -C game", "game/x.cfg"),
        ("extract --png text", "text"),
    ] {
        for existing in ["", "-f", "-k"] {
            let dir = filled();
            dir.file("split1.pak", dir.read("q.pak"));
            dir.file("game/pak0.pak", dir.read("q.pak"));
            dir.file("game/x.cfg", "loose");
            dir.file("text", "text");
            dir.copy("pictures/alpha.tga", "a.tga");
            let before = (dir.all(), dir.read(input));
            let said = format!("this is an input, \"{input}\", and inputs are never overwritten\n");
            dir.refuses(format!("{line} {existing}")).err_has(&said);
            assert_eq!((dir.all(), dir.read(input)), before, "{line}");
        }
    }
}

/// How many entries the rows of a command are about.
fn entries_of(rows: &[serde_json::Value]) -> usize {
    let numbers = ["removed", "entries"].map(|field| rows.first()?[field].as_u64());
    let number = numbers.into_iter().flatten().next();
    number.map_or(rows.len(), |number| number as usize)
}

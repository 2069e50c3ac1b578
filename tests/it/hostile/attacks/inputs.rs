//! Inputs that are no files, or that may not be read, or that lead round in circles.

use std::os::unix::fs::{PermissionsExt as _, symlink};

use super::*;

/// The verbs on one input, with nothing else.
const LINES: [&str; 12] = [
    "list INPUT",
    "list --json INPUT",
    "info INPUT",
    "verify INPUT",
    "cat INPUT a",
    "diff INPUT fine.pak",
    "extract INPUT -C out",
    "convert INPUT -o q.pak",
    "create INPUT -o q.pak",
    "add INPUT a.txt",
    "remove INPUT a",
    "dupes INPUT",
];

fn fine() -> Vec<u8> {
    Pak::new().stored("a", b"good").quake()
}

/// No verb opens it, all name it, and beside a sound pak it costs nothing else.
#[track_caller]
fn is_not_opened(arena: &mut Arena, input: &str) {
    arena.file("work/fine.pak", fine());
    arena.file("work/a.txt", "text");
    for line in LINES {
        let ran = arena.run(&line.replace("INPUT", input));
        // The only rows are those of an archive that could not be read.
        let is_unread = |row: &&str| {
            row.contains("\"status\":\"unread\"") || row.ends_with("1 archive could not be read")
        };
        let rows = ran.text().lines().filter(|row| !is_unread(row));
        assert_eq!(rows.count(), 0, "{ran}");
        // A verb that needs one archive is refused.
        let needs_one =
            ["cat", "diff", "create", "add", "remove"].iter().any(|verb| line.starts_with(verb));
        let ran = ran.code(if needs_one || !input.ends_with(".pak") { 2 } else { 1 });
        ran.err_has("this is not a regular file").err_has(&format!("--> {input}\n"));
    }
    arena.assert_untouched();
    for line in ["list INPUT fine.pak", "verify fine.pak INPUT", "extract INPUT fine.pak -C out"] {
        arena.run(&line.replace("INPUT", input)).code(1).err_has(input);
    }
    assert_eq!(arena.files("work/out")[Path::new("fine/a")], b"good");
}

#[test]
fn a_pipe_is_not_opened_as_an_archive() {
    let mut arena = Arena::new();
    arena.dir.sh("mkfifo work/pipe.pak").run().code(0);
    is_not_opened(&mut arena, "pipe.pak");
    // Found, and not named, it is passed over.
    for line in
        ["list -r .", "verify -r .", "info -r .", "extract -r . -C found", "convert -r . -C new"]
    {
        arena.run(line).code(0);
    }
}

#[test]
fn a_device_is_not_opened_as_an_archive() {
    for device in ["/dev/zero", "/dev/null", "/dev/full", "/dev/tty"] {
        is_not_opened(&mut Arena::new(), device);
    }
    let arena = Arena::with(fine());
    for (file, code) in [("p.pak", 0), ("/dev/zero", 2)] {
        let script = format!("cd work && daisho list /dev/stdin <{file}");
        arena.dir.sh(&script).run().code(code);
    }
}

#[test]
fn a_socket_is_not_opened_as_an_archive() {
    let mut arena = Arena::new();
    let path = arena.path("work/socket.pak");
    let _socket = std::os::unix::net::UnixListener::bind(&path).unwrap();
    is_not_opened(&mut arena, "socket.pak");
}

#[test]
fn a_link_to_a_pipe_is_not_opened() {
    let mut arena = Arena::new();
    arena.dir.sh("mkfifo work/pipe").run().code(0);
    arena.link("pipe", "work/link.pak");
    is_not_opened(&mut arena, "link.pak");
}

#[test]
fn a_directory_is_searched_but_not_printed() {
    let mut arena = Arena::with(fine());
    arena.file("work/folder/x.pak", fine());
    arena
        .run("cat folder a")
        .code(2)
        .err_has("this is a directory, but exactly one archive is expected");
    // A search takes archives alone, and does not leave the directory by a link.
    arena.file("work/folder/readme.txt", "no archive");
    arena.link("..", "work/folder/up");
    for line in ["list folder", "info folder", "verify folder"] {
        arena.run(line).code(0);
    }
    let rows = arena.run("list folder --json").code(0).json();
    let (left_out, entries): (Vec<_>, Vec<_>) =
        rows.iter().partition(|row| row["status"] == "left_out");
    assert!(!entries.is_empty());
    for row in entries {
        assert_eq!(row["archive"], "folder/x.pak");
    }
    assert_eq!((left_out.len(), &left_out[0]["archive"]), (1, &"folder/up".into()));
}

#[test]
fn a_missing_input_is_named() {
    let mut arena = Arena::with(fine());
    arena.file("work/a.txt", "text");
    for line in LINES {
        let ran = arena.run(&line.replace("INPUT", "missing").replace("fine", "p"));
        ran.code(2).err_has("no such file").err_has("--> missing\n");
    }
    arena.assert_untouched();
}

/// As an ordinary user: for the super-user there is no right to lack.
#[test]
fn a_file_without_permission_costs_only_itself() {
    let mut arena = Arena::new();
    arena.file("work/fine.pak", fine());
    arena.file("work/shut.pak", fine());
    arena.file("work/in/shut/p.pak", fine());
    arena.file("work/mod/a.cfg", "text");
    arena.file("work/mod/shut.cfg", "text");
    let mode = |name: &str, mode| {
        let mode = fs::Permissions::from_mode(mode);
        fs::set_permissions(arena.path(name), mode).unwrap();
    };
    // So that another user can reach the program, and may write.
    let program = arena.path("daisho");
    fs::copy(env!("CARGO_BIN_EXE_daisho"), &program).unwrap();
    mode("", 0o755);
    mode("daisho", 0o755);
    mode("work", 0o777);
    mode("work/shut.pak", 0);
    mode("work/in/shut", 0);
    let ordinary = |line: &str| {
        println!("attack: daisho {line}");
        // What the super-user would be allowed, this user is not; any other user stays what he is.
        arena.dir.sh(&format!(
            "cd work && if [ $(id -u) = 0 ]; \
             then exec setpriv --reuid 65534 --regid 65534 --clear-groups ../daisho {line}; \
             else exec ../daisho {line}; fi"
        ))
    };
    let probe = ordinary("list fine.pak").run();
    if !probe.is(0) {
        crate::skips::skip(&format!("no way to be an ordinary user here: {probe}"));
        return;
    }
    // A folder that nobody may list takes files all the same.
    fs::create_dir(arena.path("work/blind")).unwrap();
    mode("work/blind", 0o333);
    for flag in ["-q", "-f"] {
        let convert = format!("convert fine.pak -o blind/q.pak {flag}");
        ordinary(&convert).run().code(0);
    }
    mode("work/blind", 0o755);
    assert_eq!(arena.files("work/blind")[Path::new("q.pak")], fine());
    for line in LINES {
        let ran = ordinary(&line.replace("INPUT", "shut.pak")).run();
        assert!(ran.is(1) || ran.is(2), "{ran}");
        ran.err_has("permission denied").err_has("shut.pak\n");
    }
    for line in ["list -r in fine.pak", "extract -r in fine.pak -C out"] {
        let ran = ordinary(line).run().code(1);
        ran.err_has("permission denied").err_has("  --> in/shut\n");
    }
    assert_eq!(arena.files("work/out")[Path::new("fine/a")], b"good");
    let ran = ordinary("convert -r in fine.pak -C made --json -q").run();
    let rows = ran.code(1).json();
    let unread = rows.iter().find(|row| row["status"] == "unread").unwrap();
    assert_eq!(unread["archive"], "in/shut", "{rows:?}");
    // A directory of loose files is one archive all the same, and one file costs itself.
    mode("work/mod/shut.cfg", 0);
    ordinary("verify mod").run().code(1).out_has("2 entries, 1 damaged").out_lacks("all OK");
    ordinary("extract mod -C out/mod").run().code(1).err_has("permission denied");
    assert_eq!(arena.files("work/out/mod")[Path::new("a.cfg")], b"text");
    ordinary("verify mod -x shut.cfg").run().code(0);
    // A destination without permission costs what should go there.
    mode("work/out", 0o555);
    let ran = ordinary("extract shut.pak fine.pak -C out/new").run();
    ran.code(1).err_has("permission denied");
    mode("work/in/shut", 0o755);
    mode("work/out", 0o755);
    assert!(arena.files("work/out/new").is_empty());
}

/// Links that lead round are no reason to go round.
#[test]
fn links_that_lead_in_circles_are_not_followed() {
    let mut arena = Arena::new();
    arena.file("work/in/p.pak", fine());
    arena.file("work/in/deep/q.pak", fine());
    for (to, at) in [
        (".", "self"),
        ("..", "deep/up"),
        ("../..", "deep/out"),
        ("deep/up/deep", "zigzag"),
        ("missing", "dangling.pak"),
    ] {
        symlink(to, arena.path("work/in").join(at)).unwrap();
    }
    arena.look();
    let rows = arena.run("list -q -r --json in").code(0).quiet().json();
    let count = |status| rows.iter().filter(|row| row["status"] == status).count();
    assert_eq!((count("unread"), count("left_out"), rows.len()), (1, 4, 7));
    arena.run("list -r --json in").code(0).err_has("links to directories are not searched");
    arena.run("extract -r in -C out").code(0);
    assert_eq!(arena.files("work/out").len(), 2);
    arena.run("convert -r in -C new").code(0);
    assert_eq!(arena.files("work/new").len(), 2);
    arena.assert_only_within(&["work/out", "work/new"]);
    // One that leads to itself can never be looked at: that is reported, and the rest is done.
    symlink("never.pak", arena.path("work/in/never.pak")).unwrap();
    let ran = arena.run("list -r --json in").code(1);
    let status = |row: &serde_json::Value| row["status"] == "unread";
    assert_eq!(ran.json().into_iter().filter(status).count(), 2);
    ran.err_has("too many levels of symbolic links").err_has("  --> in/never.pak\n");
}

/// What a killed run has left may begin as a pak does.
#[test]
fn temporary_files_of_a_killed_run_are_no_inputs() {
    let mut arena = Arena::new();
    arena.file("work/in/p.pak", fine());
    arena.file("work/in/.daisho-0badcafe.tmp", fine());
    arena.file("work/in/.daisho-0badcaff.tmp", &fine()[..40]);
    assert_eq!(arena.run("list -r --json in").code(0).quiet().json().len(), 1);
    arena.run("verify -r in").code(0);
    arena.run("extract -r in -C out").code(0);
    assert_eq!(arena.files("work/out").len(), 1);
    arena.run("convert -r in -C new").code(0);
    assert_eq!(arena.files("work/new").len(), 1);
}

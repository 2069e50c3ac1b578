//! Outputs that are inputs, are among them, or meet each other.

use std::os::unix::fs::symlink;

use super::*;

fn fine() -> Vec<u8> {
    Pak::new().stored("a", b"good").stored("b/c", b"fine").quake()
}

/// By every name that leads to the input itself, nothing is done, whatever is asked.
#[test]
fn the_input_by_another_name_is_never_overwritten() {
    let mut arena = Arena::new();
    arena.file("work/in/p.pak", fine());
    fs::hard_link(arena.path("work/in/p.pak"), arena.path("work/hard.pak")).unwrap();
    symlink("in/p.pak", arena.path("work/soft.pak")).unwrap();
    symlink("soft.pak", arena.path("work/softer.pak")).unwrap();
    symlink("in", arena.path("work/door")).unwrap();
    arena.look();
    let absolute = arena.path("work/in/p.pak");
    let mut names = vec![
        "in/p.pak",
        "./in/p.pak",
        "in/../in/p.pak",
        "hard.pak",
        "soft.pak",
        "softer.pak",
        "door/p.pak",
        "./door/../in/./p.pak",
        absolute.to_str().unwrap(),
    ];
    if cfg!(target_os = "linux") {
        names.extend(["/proc/self/cwd/in/p.pak", "/proc/self/cwd/hard.pak"]);
    }
    for name in &names {
        for flag in ["-q", "-f", "-k", "-n"] {
            let ran = arena.run(&format!("convert in/p.pak -o {name} {flag}")).code(2);
            ran.err_has("inputs are never overwritten").err_has(&format!("  --> {name}\n"));
        }
        // The other way round.
        let ran = arena.run(&format!("convert {name} -o in/p.pak -f")).code(2);
        ran.err_has("inputs are never overwritten");
        arena.run(&format!("create {name} -o in/p.pak -f")).code(2);
        arena.run(&format!("create in/p.pak -o {name} -f")).code(2);
    }
    for directory in ["in", "./in", "door", "/proc/self/cwd/in"] {
        for flag in ["-q", "-f", "-k"] {
            arena.run(&format!("convert in/p.pak -C {directory} {flag}")).code(2);
        }
    }
    arena.run("convert -r . -f -C .").code(2).err_has("also inputs, which are never overwritten");
    arena.assert_untouched();
}

/// Another case is another file here; where it is not, it is the same by its number.
#[cfg(target_os = "linux")]
#[test]
fn the_input_in_another_case_is_another_file() {
    let arena = Arena::with(fine());
    arena.run("convert p.pak -o P.PAK").code(0);
    arena.assert_only_within(&["work/P.PAK"]);
    assert_eq!(arena.files("work")[Path::new("P.PAK")], fine());
}

/// An entry that has the pak's own name, extracted beside it.
#[test]
fn an_entry_named_like_its_pak_never_replaces_it() {
    let pak = Pak::new().stored("p.pak", b"me").stored("x", b"x").quake();
    let arena = Arena::with(pak);
    for flag in ["-q", "-f", "-k"] {
        for directory in [".", "./", "../work", "/proc/self/cwd"] {
            let ran = arena.run(&format!("extract p.pak -C {directory} {flag}")).code(2);
            ran.err_has("inputs are never overwritten");
        }
    }
    arena.assert_untouched();
}

#[test]
fn outputs_within_the_input_are_no_inputs() {
    // A search passes over its own destination: a second run does what the first one did.
    let mut arena = Arena::new();
    arena.file("work/in/p.pak", fine());
    arena.file("work/in/sub/q.pak", fine());
    for _ in 0..2 {
        arena.run("convert -f -r in -C in/out").code(0).err_has("2 archives written");
        arena.run("extract -f -r in -C in/out").code(0);
    }
    arena.assert_only_within(&["work/in/out"]);
    assert_eq!(arena.files("work/in/out").len(), 6);
    // A pak among the files that it is made of would hold itself the next time.
    let mut arena = Arena::new();
    arena.file("work/mod/a", "content");
    for output in ["mod/q.pak", "./mod/q.pak", "mod/../mod/q.pak"] {
        let ran = arena.run(&format!("create mod -o {output}")).code(2);
        ran.err_has("this lies in an input, \"mod\"");
    }
    arena.assert_untouched();
}

/// Devices are named with `-n`, and reached through links of the test's own: a super-user whose
/// command replaces `/dev/null` has no machine left.
#[test]
fn an_output_that_is_no_file_is_never_replaced() {
    let mut arena = Arena::with(fine());
    arena.file("work/folder/x", "x");
    arena.dir.sh("mkfifo work/pipe").run().code(0);
    let _socket = std::os::unix::net::UnixListener::bind(arena.path("work/socket")).unwrap();
    arena.link("/dev/null", "work/null");
    arena.link("pipe", "work/to-pipe");
    // What `/dev/stdout` is, with or without `> FILE`.
    arena.link("/proc/self/fd/1", "work/stdout");
    arena.link("/proc/self/cwd/p.pak", "work/magic");
    let names = ["folder", "pipe", "socket", "null", "to-pipe", "stdout"];
    for line in ["convert p.pak", "convert p.pak -f", "create p.pak", "create p.pak -f"] {
        for name in names {
            let ran = arena.run(&format!("{line} -o {name}")).code(2);
            ran.err_has(", which daisho never replaces");
        }
        arena.run(&format!("{line} -o magic")).code(2);
        for name in ["/dev/null", "/dev/stdout", "/dev/full"] {
            let ran = arena.run(&format!("{line} -n -o {name}")).code(2);
            ran.err_has("this is a pipe, socket or device, which daisho never replaces");
        }
    }
    let script = "cd work && daisho convert -f p.pak -o stdout >file";
    arena.dir.sh(script).run().code(2);
    fs::remove_file(arena.path("work/file")).unwrap();
    for name in ["p.pak", "pipe", "socket", "null", "p.pak/below"] {
        for line in [
            "extract p.pak -f -C",
            "convert p.pak -f -C",
            "verify p.pak --snapshot",
            "verify p.pak --update --snapshot",
        ] {
            let ran = arena.run(&format!("{line} {name}"));
            assert!(ran.is(1) || ran.is(2), "{name}: {ran}");
        }
    }
    arena.assert_untouched();
}

#[test]
fn two_outputs_of_one_name_are_refused() {
    let mut arena = Arena::new();
    for name in ["x/p.pak", "y/p.pak", "z/p.pak/inner.pak", "x/p.PAK"] {
        arena.file(format!("work/{name}"), fine());
    }
    for line in [
        "convert x/p.pak y/p.pak -C out",
        "convert -r x/p.pak y -C out",
        "convert -r y z -C out",
        "convert -r z y -C out",
        "convert x/p.pak x/p.pak -C out",
        "extract x/p.pak y/p.pak -C out",
        "extract x/p.pak x/p.PAK -C out",
        "extract x/p.pak ./x/p.pak -C out",
        "extract -r x y -C out",
    ] {
        for flag in ["-q", "-f", "-k", "-n"] {
            let ran = arena.run(&format!("{line} {flag}")).code(2);
            ran.err_has("would also be written here").err_has("help: write them into different");
        }
        arena.assert_untouched();
    }
}

/// A pak's directory is another pak's file.
#[test]
fn a_file_that_is_another_paks_directory_is_refused() {
    let mut arena = Arena::new();
    let outer = Pak::new().stored("q", b"a file").stored("r/a", b"a file").quake();
    arena.file("work/in/p.pak", outer);
    arena.file("work/in/p/q.pak", fine());
    let ran = arena.run("extract -r in -C out").code(2);
    ran.err_has("would also be written here");
    arena.assert_untouched();
    let mut arena = Arena::new();
    arena.file("work/in/p.pak", Pak::new().stored("r/a", b"a file").quake());
    arena.file("work/in/p/r.pak", fine());
    arena.run("extract -r in -C out").code(2).err_has("would also be written here");
    arena.assert_untouched();
}

/// What one group may do is no business of another.
#[test]
fn a_replaced_file_gives_its_group_rights_to_no_other() {
    use std::os::unix::fs::MetadataExt as _;

    let arena = Arena::with(fine());
    arena.dir.file("work/q.pak", PRECIOUS);
    let chown = arena.dir.sh("chgrp 54321 work/q.pak && chmod 664 work/q.pak");
    if !chown.run().is(0) {
        crate::skips::skip("only the super-user may give files to another group");
        return;
    }
    arena.run("convert p.pak -o q.pak -f").code(0);
    let made = fs::metadata(arena.path("work/q.pak")).unwrap();
    let mode = if made.gid() == 54321 { 0o664 } else { 0o604 };
    assert_eq!(made.mode() & 0o777, mode);
}

#[test]
fn existing_outputs_are_refused_or_kept() {
    let mut arena = Arena::with(fine());
    arena.file("work/out/a", PRECIOUS);
    arena.file("work/q.pak", PRECIOUS);
    for line in ["extract p.pak -C out", "convert p.pak -o q.pak", "create p.pak -o q.pak"] {
        arena.run(line).code(2).err_has("already exists").err_has("give -f to replace");
    }
    arena.run("convert p.pak -o q.pak -k").code(0);
    arena.assert_untouched();
    arena.run("extract p.pak -C out -k").code(0);
    arena.assert_only_within(&["work/out/b"]);
}

//! Links that are in the destination before anything is written there.

use super::*;

/// What a pak holds: a file in a directory, and one beside it.
fn pak() -> Vec<u8> {
    Pak::new().stored("d/f", b"new").stored("g", b"g").quake()
}

/// A pak to extract into `out`, where `at` is a link to `to`.
fn planted(at: &str, to: impl AsRef<Path>) -> Arena {
    let mut arena = Arena::with(pak());
    arena.file("work/out/inside/f", PRECIOUS);
    arena.link(to, at);
    arena
}

const FLAGS: [&str; 3] = ["-q", "-k", "-f"];

#[test]
fn a_link_in_place_of_a_file_is_replaced_or_kept() {
    for to in ["../../../outside/victim", "../inside/f", "nowhere", "../../../outside/new"] {
        let run = |flag: &str, code| {
            let arena = planted("work/out/d/f", to);
            arena.run(&format!("extract {flag} p.pak -C out")).code(code);
            arena
        };
        run("-q", 2).assert_untouched();
        run("-k", 0).assert_only_within(&["work/out/g"]);
        let arena = run("-f", 0);
        arena.assert_only_within(&["work/out/d/f", "work/out/g"]);
        assert!(!arena.path("work/out/d/f").is_symlink());
        assert_eq!(arena.files("work/out")[Path::new("d/f")], b"new");
    }
}

#[test]
fn a_link_in_place_of_a_directory_is_refused() {
    for to in ["../../outside", "inside", "nowhere", ".", ".."] {
        for flag in FLAGS {
            let arena = planted("work/out/d", to);
            arena
                .run(&format!("extract {flag} p.pak -C out"))
                .code(2)
                .err_has("there is a symbolic link where a directory is needed")
                .err_has("  --> out/d\n");
            arena.assert_untouched();
        }
    }
}

#[test]
fn a_link_to_the_source_is_never_replaced() {
    for flag in FLAGS {
        let arena = planted("work/out/d/f", "../../p.pak");
        let ran = arena.run(&format!("extract {flag} p.pak -C out")).code(2);
        ran.err_has("this is an input, \"p.pak\", and inputs are never overwritten");
        arena.assert_untouched();
    }
}

/// The destination was named by the user, and may be a link. The directory that is named after the
/// pak was not.
#[test]
fn a_destination_may_be_a_link_if_it_is_named() {
    let arena = planted("work/link", "../outside");
    arena.run("extract p.pak -C link").code(0);
    arena.assert_only_within(&["outside/d", "outside/g"]);
    let arena = planted("work/p", "../outside");
    arena.run("extract -f p.pak").code(2).err_has("a symbolic link");
    arena.assert_untouched();
    let arena = planted("work/out/p", "../../outside");
    let ran = arena.run("extract -f . -C out").code(2);
    ran.err_has("  --> out/p\n");
    arena.assert_untouched();
    // Leading nowhere, it is nothing to extract into.
    let arena = planted("work/link", "../nowhere");
    let ran = arena.run("extract p.pak -C link");
    assert!(ran.is(1) || ran.is(2), "{ran}");
    arena.assert_untouched();
}

/// A second name of a precious file: the name is replaced, the file is not written to.
#[test]
fn a_hard_link_is_replaced_and_its_file_stays() {
    for (flag, code) in [("-q", 2), ("-k", 0), ("-f", 0)] {
        let mut arena = Arena::with(pak());
        fs::create_dir_all(arena.path("work/out/d")).unwrap();
        fs::hard_link(arena.path("outside/victim"), arena.path("work/out/d/f")).unwrap();
        arena.look();
        arena.run(&format!("extract {flag} p.pak -C out")).code(code);
        arena.assert_only_within(&["work/out"]);
    }
    // To the source: never, whatever is asked.
    for flag in FLAGS {
        let mut arena = Arena::with(pak());
        fs::create_dir_all(arena.path("work/out")).unwrap();
        fs::hard_link(arena.path("work/p.pak"), arena.path("work/out/g")).unwrap();
        arena.look();
        let ran = arena.run(&format!("extract {flag} p.pak -C out")).code(2);
        ran.err_has("inputs are never overwritten");
        arena.assert_untouched();
    }
}

#[test]
fn convert_never_writes_through_a_link() {
    // The directory on the way, and the pak itself.
    for flag in FLAGS {
        let mut arena = Arena::new();
        arena.file("work/in/sub/p.pak", pak());
        arena.link("../../outside", "work/out/sub");
        let ran = arena.run(&format!("convert {flag} -r in -C out")).code(2);
        ran.err_has("there is a symbolic link where a directory is needed\n  --> out/sub\n");
        arena.assert_untouched();
    }
    for to in ["../outside/victim", "../outside/new", "nowhere"] {
        for (flag, code) in [("-q", 2), ("-k", 0), ("-f", 0)] {
            let arena = planted("work/q.pak", to);
            arena.run(&format!("convert {flag} p.pak -o q.pak")).code(code);
            if flag == "-f" {
                arena.assert_only_within(&["work/q.pak"]);
                assert!(!arena.path("work/q.pak").is_symlink());
            } else {
                arena.assert_untouched();
            }
        }
    }
}

#[test]
fn create_never_writes_through_a_link() {
    for to in ["../outside/victim", "../outside/new", "nowhere", "mod/file"] {
        let plant = || {
            let mut arena = planted("work/q.pak", to);
            arena.file("work/mod/file", "content");
            arena
        };
        let arena = plant();
        arena.run("create mod -o q.pak").code(2);
        arena.assert_untouched();
        let arena = plant();
        let ran = arena.run("create mod -o q.pak -f");
        if to == "mod/file" {
            ran.code(2).err_has("inputs are never overwritten");
            arena.assert_untouched();
        } else {
            ran.code(0);
            arena.assert_only_within(&["work/q.pak"]);
            assert!(!arena.path("work/q.pak").is_symlink());
        }
    }
}

/// A directory that is packed gives no more than what is in it.
#[test]
fn create_skips_links_with_a_warning() {
    let mut arena = Arena::new();
    arena.file("work/mod/file", "content");
    arena.link("../../outside/victim", "work/mod/stolen");
    arena.link("../../outside", "work/mod/folder");
    arena.link(".", "work/mod/round");
    // A link to a link that leads out.
    arena.link("../../outside/victim", "work/mod/chained");
    arena.link("chained", "work/mod/chain");
    let ran = arena.run("create -v mod -o q.pak").code(0);
    for name in ["stolen", "folder", "round", "chained", "chain"] {
        let reported = format!(
            "warning: a symbolic link is left out: it leads to no file in the directory that is \
             read\n  --> mod/{name}\n"
        );
        assert!(ran.stderr().contains(&reported), "{ran}");
    }
    let rows = arena.run("list --json q.pak").json();
    assert_eq!(rows.len(), 1);
}

#[test]
fn a_snapshot_never_changes_the_target_of_a_link() {
    for to in ["../outside/victim", "../outside/new", "p.pak"] {
        let arena = planted("work/snapshot", to);
        for more in ["", " --update"] {
            let ran = arena.run(&format!("verify p.pak --snapshot snapshot{more}"));
            assert!(!ran.stderr().is_empty());
            let mut changed = arena.changed();
            changed.retain(|path| path != Path::new("work/snapshot"));
            assert!(changed.is_empty(), "{to}{more}: {changed:?} {ran}");
        }
    }
}

//! What a stranger may have prepared: links in the destination, bombs, systems without room.

use super::*;
use crate::pak::build::Entry;

#[cfg(unix)]
mod links {
    use super::*;
    use std::os::unix::fs::symlink;

    /// A pak with `d/f`, and a directory `out` to extract it into, with `at` a link to `to`.
    fn planted(at: &str, to: &str) -> Dir {
        let dir = Dir::new();
        dir.file(
            "p.pak",
            Pak::new().stored("d/f", b"new").stored("g", b"g").quake(),
        );
        dir.file("outside/victim", "precious");
        dir.file("out/inside/f", "precious");
        let at = dir.path(at);
        std::fs::create_dir_all(at.parent().unwrap()).unwrap();
        symlink(to, at).unwrap();
        dir
    }

    fn assert_untouched(dir: &Dir) {
        assert_eq!(dir.read("outside/victim"), b"precious");
        assert_eq!(dir.read("out/inside/f"), b"precious");
        assert!(!dir.path("outside/f").exists());
        assert!(!dir.path("outside/new").exists());
    }

    #[test]
    fn a_link_under_a_files_name_is_refused_kept_or_itself_replaced() {
        for to in [
            "../../outside/victim",
            "../inside/f",
            "nowhere",
            "../../outside/new",
        ] {
            let run = |flag: &str, code| {
                let dir = planted("out/d/f", to);
                let args = ["extract", flag, "p.pak", "-C", "out"];
                dir.daisho().args(args).run().code(code);
                assert_untouched(&dir);
                dir
            };
            let dir = run("-q", 2);
            assert!(!dir.path("out/g").exists());
            let dir = run("-k", 0);
            assert!(dir.path("out/d/f").is_symlink());
            assert_eq!(dir.read("out/g"), b"g");
            let dir = run("-f", 0);
            assert!(!dir.path("out/d/f").is_symlink());
            assert_eq!(dir.read("out/d/f"), b"new");
        }
    }

    #[test]
    fn a_link_on_the_way_to_a_file_is_refused_whatever_is_asked() {
        for to in ["../outside", "inside", "nowhere", "."] {
            for flag in ["-q", "-k", "-f"] {
                let dir = planted("out/d", to);
                dir.daisho()
                    .args(["extract", flag, "p.pak", "-C", "out"])
                    .run()
                    .code(2)
                    .err_has("a symbolic link, where a directory is needed,")
                    .err_has("  --> out/d\n");
                assert_untouched(&dir);
                assert!(!dir.path("out/g").exists());
            }
        }
    }

    #[test]
    fn the_directory_that_is_given_may_be_a_link() {
        let dir = planted("link", "outside");
        dir.daisho()
            .args(["extract", "p.pak", "-C", "link"])
            .run()
            .code(0);
        assert_eq!(dir.read("outside/d/f"), b"new");
    }

    #[test]
    fn the_directory_of_a_paks_name_may_not() {
        let dir = planted("p", "outside");
        dir.daisho().args(["extract", "-f", "p.pak"]).run().code(2);
        assert_untouched(&dir);
        let dir = planted("x/p", "../outside");
        dir.daisho()
            .args(["extract", "-rf", "p.pak", "-C", "x"])
            .run()
            .code(2);
        assert_untouched(&dir);
    }
}

/// A thousand entries that share one payload.
fn bomb() -> Vec<u8> {
    let mut pak = Pak::new();
    let offset = pak.payload(&[b'x'; 100_000]);
    for n in 0..1000 {
        pak = pak.entry(Entry {
            name: format!("{n}").into_bytes(),
            offset,
            size: 100_000,
            packed: None,
        });
    }
    pak.quake()
}

#[test]
fn a_bomb_is_refused_before_the_first_byte_and_the_limit_can_be_raised() {
    let dir = Dir::new();
    dir.file("bomb.pak", bomb());
    let ran = dir.daisho().args(["extract", "bomb.pak"]).run().code(2);
    assert_snapshot("extract-bomb", ran.stderr());
    assert_eq!(dir.all(), ["bomb.pak"]);
    // What is left out does not count.
    let some = ["extract", "bomb.pak", "-i", "9??"];
    dir.daisho().args(some).run().code(0);
    let rest = ["extract", "bomb.pak", "-k", "--max-expansion", "1000"];
    dir.daisho().args(rest).run().code(0);
    assert_eq!(dir.all().len(), 1002);
    // In a batch it costs that pak alone.
    dir.file("p.pak", sound());
    dir.daisho()
        .args(["extract", "bomb.pak", "p.pak", "-C", "out"])
        .run()
        .code(1)
        .err_has("--max-expansion");
    assert!(!dir.path("out/bomb").exists());
    assert_eq!(dir.read("out/p/sounds/a.wav"), b"one");
}

#[test]
fn an_entry_that_claims_the_impossible_takes_nothing() {
    let dir = Dir::new();
    let pak = Pak::new()
        .compressed("huge.tga", u32::MAX, &[0x7F, 0xFF])
        .stored("fine", b"fine")
        .daikatana();
    dir.file("p.pak", pak);
    dir.daisho()
        .args(["extract", "p.pak"])
        .run()
        .code(1)
        .err_has("entry 0 \"huge.tga\", byte 12\n");
    assert_eq!(dir.all(), ["p.pak", "p/", "p/fine"]);
}

#[cfg(unix)]
#[test]
fn a_limit_on_file_sizes_costs_the_files_that_exceed_it() {
    let dir = Dir::new();
    let pak = Pak::new()
        .stored("big", &[1; 300_000])
        .stored("small", b"small")
        .quake();
    dir.file("p.pak", pak);
    dir.sh("ulimit -f 64; exec daisho extract p.pak")
        .run()
        .code(1)
        .err_has("  --> p/big\n")
        .err_has("1 failed");
    assert_eq!(dir.all(), ["p.pak", "p/", "p/small"]);
}

#[cfg(unix)]
#[test]
fn a_hundred_paks_need_few_open_files() {
    let dir = Dir::new();
    for n in 0..100 {
        dir.file(format!("in/{n}.pak"), sound());
    }
    dir.sh("ulimit -n 64; exec daisho extract -q -r in -C out")
        .run()
        .code(0)
        .quiet();
    let files = dir
        .all()
        .iter()
        .filter(|path| path.ends_with(".wav"))
        .count();
    assert_eq!(files, 100);
}

#[cfg(unix)]
#[test]
fn what_is_no_regular_file_is_not_opened() {
    let dir = Dir::new();
    dir.sh("mkfifo pipe.pak && exec daisho extract pipe.pak")
        .run()
        .code(2)
        .err_has("this is not a regular file");
    dir.daisho().args(["extract", "/dev/zero"]).run().code(2);
}

#[cfg(unix)]
#[test]
fn a_directory_without_rights_costs_the_files_in_it() {
    use std::os::unix::fs::PermissionsExt as _;
    let dir = Dir::new();
    let pak = Pak::new().stored("d/a", b"a").stored("b", b"b").quake();
    dir.file("p.pak", pak);
    dir.file("p/d/old", "");
    let rights = |mode| {
        let rights = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(dir.path("p/d"), rights).unwrap();
    };
    rights(0o555);
    // For the super-user there are no rights to lack.
    if std::fs::write(dir.path("p/d/probe"), "").is_ok() {
        return;
    }
    let ran = dir.daisho().args(["extract", "p.pak"]).run();
    rights(0o755);
    ran.code(1).err_has("  --> p/d/a\n");
    assert_eq!(dir.all(), ["p.pak", "p/", "p/b", "p/d/", "p/d/old"]);
}

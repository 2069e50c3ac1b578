//! What is wrong usage, and what it says.

use super::Dir;

#[test]
fn a_bare_call_shows_the_help_and_is_wrong_usage() {
    let dir = Dir::new();
    let bare = dir.daisho().run().code(2).out("");
    let help = dir.daisho().arg("-h").run().code(0).quiet();
    assert_eq!(bare.stderr(), help.text());
    // Also where the environment says something.
    dir.daisho()
        .env("DAISHO_JOBS", "2")
        .run()
        .code(2)
        .err(bare.stderr());
}

#[test]
fn the_version_is_the_crates() {
    let version = concat!("daisho ", env!("CARGO_PKG_VERSION"), "\n");
    let dir = Dir::new();
    dir.daisho().arg("--version").run().code(0).out(version);
    dir.daisho().arg("-V").run().code(0).out(version);
}

#[test]
fn convert_wants_to_know_where_to() {
    Dir::new()
        .daisho()
        .args(["convert", "a.pak"])
        .run()
        .code(2)
        .err(
            "error: convert is not told where to write\n\
         help: give -o OUT.pak for one pak, or -C DIR for any number of them\n",
        );
}

#[test]
fn what_contradicts_itself_is_refused() {
    let dir = Dir::new();
    for arguments in [
        "convert a.pak -o b.pak -C dir",
        "convert a.pak -o b.pak -f -k",
        "extract a.pak -f -k",
        "list a.pak --json --tree",
        "verify a.pak --update",
        "cat a.pak",
        "cat a.pak name --index 0",
        "list a.pak -q -v",
        "-q list a.pak -v",
        "create dir",
        "create dir -o a.pak -k",
        "diff a.pak",
        "diff a.pak b.pak c.pak",
        "list",
        "unpack-stream --size -1",
        "unpack-stream --reserved stop",
        "pack-stream file",
        "convert a.pak -o b.pak --to quake2",
        "list a.pak --layout sin",
        "list a.pak --color blue",
        "completions tcsh",
        "nonsense",
        "--nonsense",
    ] {
        let ran = dir
            .daisho()
            .args(arguments.split(' '))
            .run()
            .code(2)
            .out("");
        assert!(ran.stderr().starts_with("error: "), "{arguments}: {ran}");
    }
    assert!(dir.all().is_empty());
}

#[test]
fn jobs_are_a_number_from_1_to_1024() {
    let dir = Dir::new();
    for jobs in ["0", "-1", "x", "", "1.5", "1025", "99999999999999999999"] {
        dir.daisho()
            .args(["pack-stream", &format!("--jobs={jobs}")])
            .run()
            .code(2)
            .out("")
            .err_has("expected a number from 1 to 1024");
    }
    for jobs in ["1", "1024"] {
        dir.daisho()
            .args(["-j", jobs, "pack-stream"])
            .run()
            .code(0)
            .quiet();
    }
}

#[test]
fn the_environments_jobs_are_judged_as_the_options_are() {
    let dir = Dir::new();
    dir.daisho()
        .arg("pack-stream")
        .env("DAISHO_JOBS", "0\x1b")
        .run()
        .code(2)
        .out("")
        .err(
            "error: DAISHO_JOBS is \"0\\x1b\", expected a number from 1 to 1024\n\
             help: correct it, unset it, or give -j N\n",
        );
    // Unset, empty, or overruled.
    for (value, jobs) in [("3", None), ("", None), ("0", Some("-j2"))] {
        dir.daisho()
            .arg("pack-stream")
            .args(jobs)
            .env("DAISHO_JOBS", value)
            .run()
            .code(0)
            .quiet();
    }
}

#[test]
fn global_options_stand_on_either_side_of_the_verb() {
    let dir = Dir::new();
    for arguments in ["-q unpack-stream", "unpack-stream -q"] {
        // A stream without its end marker is worth a warning, unless it must be quiet.
        dir.daisho()
            .args(arguments.split(' '))
            .stdin(*b"\x00a")
            .run()
            .code(0)
            .out("a")
            .quiet();
    }
}

//! What is wrong usage, and what it says.

use super::Dir;
use super::paks::packed;
use crate::archive::build::Pak;

#[test]
fn a_bare_call_shows_the_help_and_is_wrong_usage() {
    let dir = Dir::new();
    let bare = dir.daisho().run().code(2).out("");
    let help = dir.ok("-h").quiet();
    assert_eq!(bare.stderr(), help.text());
    // Also where the environment says something.
    dir.daisho().env("DAISHO_JOBS", "2").run().code(2).err(bare.stderr());
}

#[test]
fn the_version_is_the_crates() {
    let version = concat!("daisho ", env!("CARGO_PKG_VERSION"), "\n");
    let dir = Dir::new();
    dir.ok("--version").out(version);
    dir.ok("-V").out(version);
}

/// Each line is an error of usage, and not just any error (a pak that does not exist is one, too).
#[test]
fn wrong_usage_is_refused() {
    let dir = Dir::new();
    for line in [
        "list a.pak -q -v",
        "-q list a.pak -v",
        "list a.pak --from doom",
        "list a.pak --color blue",
        "list a.pak --progress 1",
        "completions tcsh",
        "completions",
        "list a.pak --reserved stop",
        "add a.pak",
        "cat",
        "cat a.pak",
        "cat a.pak --index",
        "cat a.pak --index x",
        "cat a.pak name --index 0",
        "convert",
        "convert --merge id1 -C out",
        "convert -o b.pak",
        "convert a.pak -o b.pak --engine doom",
        "convert a.pak -o b.pak --max-size 0",
        "convert a.pak -o b.pak --max-size 1T",
        "convert a.pak -o b.pak --to quake2",
        "convert a.pak -o b.pak -C dir",
        "convert a.pak -o b.pak -f -k",
        "convert id1 -o out.pak --loose",
        "create",
        "create -o a.pak",
        "create -o a.pak a.txt -0",
        "create a -o b.pak --max-entries many",
        "create dir",
        "create dir -o a.pak -k -f",
        "diff",
        "diff a.pak",
        "diff a.pak b.pak c.pak",
        "extract",
        "extract --effective id1",
        "extract a.pak --max-expansion many",
        "extract a.pak -f -k",
        "extract a.pak -o dir",
        "extract id1 --engine quake",
        "info",
        "info a.pak --index",
        "info a.pak --index 1 --engine quake",
        "info a.pak --index x",
        "info a.pak --tree",
        "list",
        "list --effective",
        "list --effective id1 --tree",
        "list a.pak --json --names",
        "list a.pak --json --tree",
        "list a.pak --tree --names",
        "list a.pak -0",
        "list a.pak -l --names",
        "list id1 --engine quake",
        "list id1 --loose",
        "missing --map a.bsp",
        "missing id1 --map a.bsp --engine quake,qss",
        "show",
        "show a.pak a --index 1",
        "show a.pak a --width 0",
        "show a.pak a --json --width 9",
        "show a.pak -i *.wal",
        "verify",
        "verify a.pak --snapshot",
        "verify a.pak --update",
        "verify a.pak -0",
        "which",
        "which id1",
        "which id1 a --engine doom",
        "nonsense",
        "--nonsense",
    ] {
        let ran = dir.refuses(line).out("");
        let words = ["--help'", "contradict", "unexpected argument"];
        let is_usage = words.iter().any(|words| ran.stderr().contains(words));
        assert!(is_usage, "{line}: {ran}");
    }
    assert!(dir.all().is_empty());
}

#[test]
fn jobs_are_a_number_from_1_to_1024() {
    let dir = Dir::new();
    for jobs in ["0", "-1", "x", "", "1.5", "1025", "99999999999999999999"] {
        dir.refuses(format!("list a.pak --jobs={jobs}"))
            .out("")
            .err_has("expected a number from 1 to 1024");
    }
    for jobs in ["1", "1024"] {
        dir.ok(format!("-j {jobs} man")).quiet();
    }
}

#[test]
fn the_environments_jobs_are_checked_like_options() {
    let dir = Dir::new();
    // ERRORS.md has the rest of the message.
    let jobs = |value: &str, line: &str| dir.command(line).env("DAISHO_JOBS", value).run();
    jobs("0\x1b", "man")
        .code(2)
        .out("")
        .err_has("error: DAISHO_JOBS is \"0\\x1b\", expected a number from 1 to 1024\n");
    // Unset, empty, or overruled.
    for (value, line) in [("3", "man"), ("", "man"), ("0", "man -j2")] {
        jobs(value, line).code(0).quiet();
    }
}

#[test]
fn global_options_may_precede_or_follow_the_verb() {
    let dir = Dir::new();
    let pak = Pak::new();
    dir.file("a.pak", packed(pak, b"a", b"a", b"\x00a").daikatana());
    // A stream without its end marker is worth a warning, unless it must be quiet.
    dir.ok("verify a.pak").err_has("warning: no end marker");
    for arguments in ["-q verify a.pak", "verify a.pak -q"] {
        dir.ok(arguments).out("").quiet();
    }
    let after = dir.ok("list a.pak --json");
    assert_eq!(after.json().len(), 1);
    dir.ok("--json list a.pak").out(after.stdout());
    for line in ["cat a.pak a", "man", "help formats"] {
        dir.refuses(format!("--json {line}")).out("").err_has("nothing to print as JSON");
    }
}

#[test]
fn a_file_without_a_verb_is_described() {
    let dir = Dir::new();
    dir.file("q.pak", super::paks::quake());
    let info = dir.ok("info q.pak");
    for options in [
        "",
        "-q",
        "-j 2",
        "-j2",
        "-qj 2",
        "--jobs 2 -q",
        "--jobs=2",
        "--color never",
        "--from=quake --reserved skip",
        "--exclude-archive *.pk3",
    ] {
        dir.ok(format!("{options} q.pak")).out(info.stdout());
    }
    let json = dir.ok("--json q.pak");
    assert_eq!(json.json()[0]["archive"], "q.pak");
    // A verb wins over a file of its name, and the value of an option is not taken for the file.
    dir.file("list", super::paks::quake());
    for line in ["list", "--from q.pak", "-q nothing", "b.pak"] {
        dir.refuses(line).out("");
    }
}

#[test]
fn a_misspelt_verb_option_or_value_gets_the_nearest() {
    let dir = Dir::new();
    for (typed, near) in [
        ("convret", "convert"),
        ("lsit", "list"),
        ("vreify", "verify"),
        ("exrtact", "extract"),
        ("craete", "create"),
        ("verify --jsno a.pak", "--json"),
        ("convert a.pak -o b --to quak", "quake"),
    ] {
        let help = format!("help: did you mean '{near}'? ");
        dir.refuses(typed).out("").err_has(&help);
    }
}

#[test]
fn verbs_have_the_short_names_of_other_tools() {
    let dir = Dir::new();
    for (alias, verb) in [
        ("ls", "list"),
        ("l", "list"),
        ("x", "extract"),
        ("unpack", "extract"),
        ("c", "create"),
        ("pack", "create"),
        ("mv", "rename"),
        ("rm", "remove"),
        ("t", "verify"),
        ("test", "verify"),
    ] {
        let help = |verb: &str| dir.ok(format!("{verb} --help"));
        assert_eq!(help(alias).text(), help(verb).text());
    }
    dir.file("a", "text");
    dir.ok("c -q -o a.pak a");
    dir.ok("mv -q a.pak a b");
    dir.ok("ls a.pak --names").out("b\n");
}

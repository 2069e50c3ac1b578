//! Standard output: who may read it, and what happens when it fails.

use super::Dir;
use super::paks::{daikatana, damaged};
#[cfg(unix)]
use crate::archive::build::Pak;

/// Every way to print data, with what it is printed from.
#[cfg(unix)]
const PRINTING: [&str; 18] = [
    "cat a.pak a.cfg",
    "cat a.pak --index 0",
    "list a.pak",
    "list a.pak --json",
    "list a.pak --tree",
    "list --effective id1",
    "info a.pak",
    "info a.pak --json",
    "verify a.pak --json",
    "verify a.pak --snapshot other",
    "diff a.pak b.pak",
    "diff a.pak b.pak --json",
    "which id1 a.cfg",
    "extract a.pak -n",
    "completions bash",
    "man",
    "--help",
    "--version",
];

#[cfg(unix)]
fn printing() -> Dir {
    let dir = Dir::new();
    let pak = |content| Pak::new().stored("a.cfg", content).quake();
    dir.file("a.pak", pak(b"one"));
    dir.file("b.pak", pak(b"two"));
    dir.file("id1/pak0.pak", pak(b"one"));
    dir.file("other", "00000000 3 a.cfg\n");
    dir
}

/// A shell opens it for writing, other programs for reading, too, and some of them for several
/// streams at once.
#[cfg(unix)]
#[test]
fn output_may_be_thrown_away() {
    let dir = printing();
    for to in [
        ">/dev/null",
        ">>/dev/null",
        ">/dev/null 2>&1",
        "3<>/dev/null >&3 2>&3",
        "3<>/dev/null <&3 >&3",
    ] {
        for line in PRINTING.into_iter().filter(|line| !line.contains("diff")) {
            let differs = line.contains("--snapshot");
            dir.sh(&format!("daisho {line} {to}")).run().code(differs.into());
        }
    }
}

/// More than a pipe holds, and nothing that could be compressed.
#[cfg(unix)]
fn noise() -> Vec<u8> {
    let mut state = 1_u32;
    let mut byte = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state.to_be_bytes()[0]
    };
    (0..200_000).map(|_| byte()).collect()
}

/// Runs the lines with a reader that takes one byte, and returns the exit status and what was said.
#[cfg(unix)]
fn read_in_part(dir: &Dir, line: &str) -> (i32, String) {
    dir.sh(&format!("(daisho {line} 2>said; echo $? >status) | head -c 1 >taken"))
        .run()
        .code(0)
        .quiet();
    let status = dir.text("status");
    let said = dir.text("said");
    (status.trim().parse().unwrap(), said)
}

/// A list or a report is what it is, however much of it is read.
#[cfg(unix)]
#[test]
fn text_output_that_is_not_read_is_no_failure() {
    let dir = Dir::new();
    let names = (0..4000).map(|n| format!("a/long/name/of/a/file/{n:040}.cfg").into_bytes());
    let pak = names.fold(Pak::new(), |pak, name| pak.stored(&name, "x"));
    dir.file("a.pak", pak.quake());
    dir.file("b.pak", Pak::new().stored("b", b"").quake());
    for line in [
        "list a.pak",
        "list a.pak --json",
        "list a.pak --tree",
        "verify a.pak --json -q",
        "verify a.pak --hash sha256 -q",
        "info a.pak --json -v",
        "--help",
        "man",
        "completions bash",
    ] {
        let (status, said) = read_in_part(&dir, line);
        assert_eq!((status, said.as_str()), (0, ""), "{line}");
    }
    // The status is that of the work.
    assert_eq!(read_in_part(&dir, "diff a.pak b.pak").0, 1);
}

/// The content of an entry, or an archive, that nobody has in the end.
#[cfg(unix)]
#[test]
fn unread_output_counts_as_not_written() {
    let dir = Dir::new();
    dir.file("files/noise.bin", noise());
    dir.ok("create files -o a.pak -q");
    assert_eq!(read_in_part(&dir, "cat a.pak noise.bin"), (1, String::new()));
    for line in
        ["convert a.pak -o - --to pk3", "convert a.pak -o -", "create files -o - --to quake"]
    {
        let (status, said) = read_in_part(&dir, line);
        assert_eq!(status, 1, "{line}: {said}");
        assert!(said.contains("error: the archive was not written"), "{said}");
        assert!(!said.contains("1 archive written") && !said.contains(" -> -"), "{said}");
        assert!(!said.contains("1 file, "), "{said}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn closed_or_full_output_is_an_error_for_binary_data() {
    let dir = Dir::new();
    dir.file("files/noise.bin", noise());
    dir.ok("create files -o a.pak -q");
    for (to, why) in [
        (">&-", "it is closed\n"),
        ("</dev/null >&0", "it is closed\n"),
        (">/dev/full", "no space left on device\n"),
    ] {
        for line in ["cat a.pak noise.bin", "convert a.pak -o -", "create files -o - --to quake"] {
            let ran = dir.sh(&format!("daisho {line} {to}")).run().code(1);
            let ran = ran.err_has(&format!("error: cannot write to standard output: {why}"));
            let said = ran.stderr();
            assert!(!said.contains("written") && !said.contains(" -> -"), "{line} {to}: {ran}");
        }
        // Nothing is lost of what is only looked at.
        if to == ">&-" {
            dir.sh("daisho list a.pak >&-").run().code(0).quiet();
        }
    }
    // Standard error can be closed as well.
    for line in ["convert a.pak -o -", "create files -o - --to quake"] {
        dir.sh(&format!("daisho {line} >&- 2>&-")).run().code(1);
    }
    // An archive may be thrown away.
    dir.sh("daisho convert a.pak -o - >/dev/null").run().code(0);
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_size_limit_is_an_error_and_not_a_death() {
    let dir = Dir::new();
    dir.sh("ulimit -f 1; daisho completions bash >script")
        .run()
        .code(1)
        .err("error: cannot write to standard output: file too large\n");
}

/// Through `script`, which gives the command a terminal, where it is installed.
#[cfg(target_os = "linux")]
#[test]
fn a_terminal_gets_text_and_no_binary() {
    let dir = Dir::new();
    let pak = Pak::new().stored("text", "abc\n");
    let pak = pak.stored("binary", b"abc\n\x1bc");
    // What follows a carriage return alone would hide what is before it.
    dir.file("a.pak", pak.stored("hides", b"bind x\rsafe\n").quake());
    let refused = "error: the output is binary, and standard output is a terminal\r\n\
                   help: send it to a file or a pipe: > FILE, or | COMMAND\r\n";
    for (line, code, shown) in [
        ("cat a.pak text", 0, "abc\r\n"),
        ("cat a.pak binary", 2, refused),
        ("cat a.pak hides", 2, refused),
        ("convert a.pak -o - --to pk3", 2, refused),
    ] {
        if crate::skips::is_installed("script") {
            let script = format!("script -qec 'NO_COLOR=1 daisho {line}' /dev/null </dev/null");
            dir.sh(&script).run().code(code).out(shown);
        }
    }
}

#[test]
fn colours_are_there_when_asked_for_and_only_then() {
    let dir = Dir::new();
    let run = |arguments: &str, environment: &[(&str, &str)]| {
        let command = dir.command(arguments).styled();
        let ran = environment
            .iter()
            .fold(command, |command, (name, value)| command.env(name, value))
            .run();
        ran.stderr().contains('\x1b')
    };
    // Ours, ours before the verb, and clap's.
    for arguments in ["list a", "convert a", "nonsense"] {
        assert!(!run(arguments, &[]), "{arguments}");
        assert!(run(&format!("--color always {arguments}"), &[]));
        assert!(run(&format!("--color=always {arguments}"), &[("NO_COLOR", "1")]));
        assert!(run(arguments, &[("CLICOLOR_FORCE", "1")]));
        assert!(!run(&format!("--color never {arguments}"), &[("CLICOLOR_FORCE", "1")]));
    }
}

/// Of a list, a comparison and facts the colours are the same text without their sequences, which are
/// there when asked for and only then.
#[test]
fn data_is_coloured_only_on_request() {
    let dir = Dir::new();
    dir.file("a.pak", daikatana());
    dir.file("b.pak", damaged());
    for arguments in ["list a.pak", "list a.pak b.pak --tree", "info a.pak", "diff a.pak b.pak"] {
        let run = |color: &str| {
            let ran = dir.command(format!("--color {color} {arguments}"));
            let ran = ran.styled().run();
            str::from_utf8(ran.stdout()).unwrap().to_owned()
        };
        let (plain, coloured) = (run("never"), run("always"));
        assert_eq!(run("auto"), plain, "{arguments}");
        assert!(!plain.contains('\x1b'), "{arguments}: {plain}");
        assert!(coloured.contains('\x1b'), "{arguments}: {coloured}");
        assert_eq!(anstream::adapter::strip_str(&coloured).to_string(), plain, "{arguments}");
    }
}

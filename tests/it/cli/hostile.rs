//! Arguments that a stranger chose: they are shown escaped, or work as they are.

use super::Dir;
use crate::archive::build::Pak;

/// It would clear a screen, forge a line, and turn the reading direction round.
const HOSTILE: &str = "\x1b[2J\nerror: \u{202e}\u{9b}all is well";
const ESCAPED: &str = r"\x1b[2J\x0aerror: \u{202e}\u{9b}all is well";

#[test]
fn a_hostile_argument_is_escaped_in_errors_of_usage() {
    let dir = Dir::new();
    let option = format!("--{HOSTILE}");
    for arguments in [
        vec![HOSTILE],
        vec![option.as_str()],
        vec!["list", option.as_str()],
        vec!["list", "a", "--from", HOSTILE],
        vec!["list", "a", "-j", HOSTILE],
        vec!["diff", "a", "b", HOSTILE],
        vec!["man", HOSTILE],
        vec!["completions", HOSTILE],
        vec!["cat", "a.pak", "--index", HOSTILE],
    ] {
        // That nothing gets through unescaped is checked with every run.
        let ran = dir.daisho().args(&arguments).run().code(2).out("");
        assert!(ran.stderr().contains(ESCAPED), "{arguments:?}: {ran}");
    }
}

#[cfg(unix)]
#[test]
fn text_arguments_must_be_utf_8() {
    use std::os::unix::ffi::OsStrExt as _;

    let latin = std::ffi::OsStr::from_bytes(b"b\xe4r");
    let dir = Dir::new();
    dir.command("list a.pak -i").arg(latin).run().code(2).err(
        "error: invalid UTF-8 was detected in one or more arguments\n\
             help: 'daisho list --help' shows its options and examples\n",
    );
    dir.daisho().arg(latin).run().code(2).err_has(r"b\xe4r");
}

/// Nobody reads a message of many screens.
#[test]
fn a_very_long_name_is_cut_in_every_message() {
    let dir = Dir::new();
    let pak = Pak::new().stored("a", b"one").quake();
    dir.file("a.pak", &pak);
    let long = "long/".repeat(2000) + "name";
    let folder = long.clone() + "/";
    let glob = long.clone() + "*";
    for line in [
        &format!("cat a.pak {long}"),
        &format!("list a.pak {long}"),
        &format!("list a.pak {glob}"),
        &format!("extract a.pak {long}"),
        &format!("remove a.pak {long}"),
        &format!("remove a.pak {folder}"),
        &format!("which . {long}"),
    ] {
        let ran = dir.run(line);
        let length = ran.stderr().len();
        assert!(ran.stderr().contains("long/long/"), "{ran}");
        assert!(length < 1500, "{line}: {length} bytes");
    }
    assert_eq!(dir.read("a.pak"), pak);
}

//! `completions`, `man`

use super::Dir;
#[cfg(unix)]
use crate::archive::build::Pak;

#[test]
fn every_shell_gets_completions() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let ran = Dir::new().ok(format!("completions {shell}")).quiet();
        let script = core::str::from_utf8(ran.stdout()).unwrap();
        assert!(script.contains("daisho"), "{shell}: {script}");
    }
}

/// What is where lines are completed: two archives, and names that a shell would run.
#[cfg(unix)]
fn to_complete() -> Dir {
    let dir = Dir::new();
    let pak = |names: &[&str]| {
        let mut writer =
            daisho::Writer::new(std::io::Cursor::new(Vec::new()), daisho::Format::Quake).unwrap();
        for name in names {
            writer.add(name, b"x").unwrap();
        }
        writer.finish().unwrap().into_inner()
    };
    dir.file(
        "m/one.pak",
        pak(&["maps/start.bsp", "maps/e1m1.bsp", "quake.rc", "$(touch a)", "a;b"]),
    );
    dir
}

/// A line that is being typed, and the words with which it can go on, in order.
#[cfg(unix)]
const COMPLETED: &[(&str, &str)] = &[
    ("daisho conv", "convert"),
    ("daisho man compl", "completions"),
    ("daisho help eng", "engines"),
    ("daisho list m/o", "m/one.pak"),
    ("daisho convert --to q", "quake"),
    ("daisho convert --engine quake,iron", "quake,ironwail"),
    ("daisho cat m/one.pak m", "maps/"),
    ("daisho cat m/one.pak maps/", "maps/e1m1.bsp maps/start.bsp"),
    ("daisho remove m/one.pak q", "quake.rc"),
    ("daisho rename m/one.pak q", "quake.rc"),
    ("daisho extract m/one.pak maps/s", "maps/start.bsp"),
    ("daisho -j 2 cat -q m/one.pak maps/s", "maps/start.bsp"),
    ("daisho cat m/one.pak a", ""),
    ("daisho verify m/one.pak maps/s", "maps/start.bsp"),
    ("daisho convert m/one.pak maps/s", "maps/start.bsp"),
    ("daisho cat m/none.pak m", ""),
];

/// What a shell answers: a line for each of [`COMPLETED`], the words sorted. `ask` prints those for `$line`.
#[cfg(unix)]
#[track_caller]
fn completes(shell: &str, setup: &str, ask: &str) {
    let dir = to_complete();
    if !crate::skips::is_installed(shell) {
        return;
    }
    dir.sh(&format!("daisho completions {shell} > script")).run().code(0).quiet();
    let set = if shell == "fish" { "set line " } else { "line=" };
    for (line, words) in COMPLETED {
        dir.file("ask", format!("{set}'{line}'\n{setup}\n{ask}\n"));
        let ran = dir.sh(&format!("{shell} ask | sort")).run().code(0);
        // Behind a name the options follow, which are known without a shell.
        let found = ran.text().split_whitespace().filter(|word| !word.starts_with('-'));
        let found: Vec<&str> = found.collect();
        assert_eq!(found.join(" "), *words, "{shell}: {line}");
    }
    assert!(!dir.has("a"));
}

#[cfg(unix)]
#[test]
fn bash_completes() {
    let ask = "COMP_WORDS=($line)\nCOMP_CWORD=$((${#COMP_WORDS[@]}-1))\n\
        _clap_complete_daisho daisho \"${COMP_WORDS[COMP_CWORD]}\" ''\nprintf '%s\\n' \"${COMPREPLY[@]}\"";
    completes("bash", "set -f; source ./script", ask);
}

#[cfg(unix)]
#[test]
fn fish_completes() {
    completes("fish", "source ./script", "complete -C $line | string replace -r '\\t.*' ''");
}

#[cfg(unix)]
#[test]
fn zsh_completes() {
    // The completion system calls a function with the words, and the function describes what is possible.
    let setup =
        "compdef() { }\n_describe() { print -l -- \"${(@)${(@P)3}%%:*}${5-}\" }\nsource ./script";
    let ask = "words=(${=line})\nCURRENT=$#words\n_clap_dynamic_completer_daisho";
    completes("zsh", setup, ask);
}

#[cfg(unix)]
#[test]
fn bash_can_read_its_completions() {
    let dir = Dir::new();
    if crate::skips::is_installed("bash") {
        dir.sh("daisho completions bash >script && bash -n script").run().code(0).quiet();
    }
}

#[test]
fn the_manual_has_pages_for_command_and_verbs() {
    let dir = Dir::new();
    let page = |arguments: &str| {
        let ran = dir.ok(format!("man {arguments}")).quiet();
        ran.text().to_owned()
    };
    let whole = page("");
    assert!(whole.contains(".TH daisho 1"), "{whole}");
    for verb in ["convert", "completions", "man"] {
        assert!(whole.contains(&format!("daisho\\-{verb}(1)")));
        let page = page(verb);
        assert!(page.contains(&format!(".TH daisho-{verb} 1")), "{page}");
        assert!(page.contains("Examples:"), "{page}");
    }
}

#[test]
fn an_unknown_page_is_an_error_that_lists_the_topics() {
    for verb in ["help", "man"] {
        Dir::new().refuses(format!("{verb} engine"))
            .out("")
            .err(
                "error: there is no verb or topic \"engine\"\n\
                 help: the topics are formats, extracting, editing, snapshots, engines, damage, conformance, scripting, \
                 windows, measurements; 'daisho --help' lists the verbs\n",
            );
    }
}

#[test]
fn help_prints_the_help_of_the_command_and_of_a_verb() {
    let dir = Dir::new();
    let print = |arguments: &str| {
        let ran = dir.ok(arguments).quiet();
        ran.text().to_owned()
    };
    assert_eq!(print("help"), print("--help"));
    assert_eq!(print("help convert"), print("convert --help"));
    assert_eq!(print("help ls"), print("list --help"));
}

#[test]
fn help_prints_every_chapter_of_the_guide() {
    let dir = Dir::new();
    let help = dir.ok("help").quiet();
    for chapter in crate::readme::chapters() {
        let topic = chapter.file_stem().unwrap().to_str().unwrap();
        let text = std::fs::read(&chapter).unwrap();
        let title = text.split(|&byte| byte == b'\n').next().unwrap();
        let title = core::str::from_utf8(title).unwrap().trim_start_matches("# ");
        assert!(help.text().contains(&format!("\n  {topic:<13} {title}\n")), "{topic}");

        for verb in ["help", "man"] {
            let printed = dir.ok(format!("{verb} {topic}")).quiet();
            assert_eq!(printed.stdout(), text, "{topic}");
        }
    }
}

/// The command asks itself, as each shell does. What begins with `-` would be taken for an option.
#[cfg(unix)]
#[test]
fn no_name_that_begins_with_a_hyphen_is_offered() {
    let dir = Dir::new();
    let pak = Pak::new().stored("-x.txt", b"x").stored("x.txt", b"x");
    dir.file("m.pak", pak.quake());
    for typed in ["", "-", "-x"] {
        let ran = dir
            .daisho()
            .env("DAISHO_COMPLETE", "bash")
            .env("_CLAP_COMPLETE_INDEX", "3")
            .env("_CLAP_IFS", "\n")
            .args(["--", "daisho", "cat", "m.pak", typed])
            .run()
            .code(0);
        let offered: Vec<&str> = ran.text().lines().collect();
        assert!(!offered.contains(&"-x.txt"), "{typed}: {offered:?}");
        assert_eq!(offered.contains(&"x.txt"), typed.is_empty(), "{offered:?}");
    }
}

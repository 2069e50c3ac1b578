//! The help, as a user sees it.

use super::{Dir, assert_snapshot};

/// In the order of the help.
pub(super) const VERBS: [&str; 20] = [
    "convert",
    "extract",
    "create",
    "add",
    "remove",
    "rename",
    "undo",
    "list",
    "info",
    "verify",
    "diff",
    "dupes",
    "cat",
    "show",
    "gallery",
    "which",
    "missing",
    "completions",
    "man",
    "help",
];

/// How many of them the help of the command lists; the others are named below the list.
const LISTED: usize = 17;

/// All of it: it has backslashes that are in no path.
fn printed(help: &super::Ran) -> &str {
    core::str::from_utf8(help.stdout()).unwrap()
}

#[test]
fn the_help_of_the_command_and_of_every_verb() {
    let dir = Dir::new();
    let help = dir.ok("--help").quiet();
    assert_snapshot("help", printed(&help));
    for verb in VERBS {
        let help = dir.ok(format!("{verb} --help")).quiet();
        // The command's help describes the global options.
        let line =
            "\nGlobal options: -j N, -q, -v, --json, --from and others: see 'daisho --help'\n";
        assert_eq!(help.text().matches(line).count(), 1, "{verb}");
        assert_snapshot(&format!("help-{verb}"), printed(&help));
    }
}

#[test]
fn the_short_help_fits_a_screen() {
    let dir = Dir::new();
    for verb in VERBS {
        let help = dir.ok(format!("{verb} -h")).quiet();
        let lines = help.text().lines().count();
        assert!(lines <= 40, "{verb} has {lines} lines");
        let long = dir.ok(format!("{verb} --help")).quiet();
        let lines = long.text().lines().count();
        assert!(lines <= 120, "{verb} --help has {lines} lines");
        for line in help.text().lines().chain(printed(&long).lines()) {
            assert!(line.chars().count() <= 80, "{verb}: {line}");
        }
    }
    let convert = dir.ok("convert --help");
    assert!(convert.text().lines().count() <= 120, "{convert}");
}

#[test]
fn the_command_lists_these_verbs_and_no_others() {
    let help = Dir::new().run("-h");
    let (_, list) = help.text().split_once("Verbs:\n").unwrap();
    let listed: Vec<&str> = list
        .lines()
        .take_while(|line| !line.is_empty())
        .map(|line| line.split_whitespace().next().unwrap())
        .collect();
    assert_eq!(listed, VERBS[..LISTED]);
    let long = Dir::new().run("--help");
    for verb in &VERBS[LISTED..] {
        assert!(long.text().contains(verb), "{verb}");
    }
}

#[test]
fn all_verbs_together_have_at_most_129_options() {
    let dir = Dir::new();
    let mut count = 0;
    for verb in VERBS {
        let help = dir.ok(format!("{verb} --help")).quiet();
        let options = help.text().lines().filter(|line| {
            let is_short = line.starts_with("  -") && line.get(4..8) == Some(", --");
            (is_short || line.starts_with("      --")) && !line.starts_with("  -h, --help")
        });
        count += options.count();
    }
    assert!((100..=129).contains(&count), "{count}");
}

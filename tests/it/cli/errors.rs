//! Two pages of commands and what they print: `tests/ERRORS.md`, every error that the command can make,
//! provoked, and `tests/ATTEMPTS.md`, what new users type; and how the words of both are put.
//!
//! Linux only: the page has the system's own words in it, and uses its devices and tools.

use std::fs;
use std::path::Path;

use super::Dir;
use super::help::VERBS;
use crate::readme::{copy, timeless};

/// The pages.
const PAGES: [&str; 2] = ["tests/ERRORS.md", "tests/ATTEMPTS.md"];

fn page(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
}

/// The page with what its commands print now.
fn printed(page: &str) -> String {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut dir: Option<Dir> = None;
    let mut text = String::new();
    for line in page.lines() {
        match (&dir, line) {
            (None, "```console") => {
                let fresh = Dir::new();
                // What is only read need not be copied.
                for folder in ["paks", "streams", "zips", "wads"] {
                    std::os::unix::fs::symlink(corpus.join(folder), fresh.path(folder)).unwrap();
                }
                copy(&corpus.join("game"), &fresh.path("game"));
                dir = Some(fresh);
            }
            (Some(_), "```") => dir = None,
            (Some(fresh), line) => {
                let Some(command) = line.strip_prefix("$ ") else {
                    continue; // What was printed before.
                };
                let ran = fresh.sh(&format!("{{ {command}\n}} 2>&1")).run();
                text += &format!("{line}\n");
                for printed in ran.text().lines() {
                    text += &format!("{}\n", timeless(printed));
                }
                if !ran.is(0) {
                    text += &format!("[{}]\n", ran.code.unwrap());
                }
                continue;
            }
            (None, _) => {}
        }
        text += line;
        text.push('\n');
    }
    text
}

/// Compares a page with what its commands print, or renews it.
fn assert_page(name: &str) {
    let page = page(name);
    let printed = printed(&page);
    if crate::corpus::renews() {
        fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join(name), &printed).unwrap();
        return;
    }
    let mut place = "";
    for (expected, found) in page.lines().zip(printed.lines()) {
        if expected.starts_with('#') || expected.starts_with("$ ") {
            place = expected;
        }
        assert_eq!(expected, found, "{place}; INSTA_UPDATE=always renews it");
    }
    assert_eq!(page, printed);
}

#[test]
fn every_error_prints_what_its_page_shows() {
    assert_page(PAGES[0]);
}

#[test]
fn every_first_attempt_prints_what_its_page_shows() {
    assert_page(PAGES[1]);
}

/// The line before each attempt says what must be printed, so that wrong advice is never taken for the result.
#[test]
fn every_first_attempt_prints_what_it_must() {
    let page = page(PAGES[1]);
    let mut wanted = Vec::new();
    let mut count = 0;
    for paragraph in page.split("\n\n") {
        let Some(block) = paragraph.strip_prefix("```console\n") else {
            let line = paragraph.strip_prefix("Must print ");
            wanted = line.into_iter().collect();
            continue;
        };
        let line = wanted.pop().unwrap_or_else(|| panic!("nothing must be printed by {block}"));
        let printed: Vec<&str> =
            block.lines().filter(|line| !line.starts_with("$ ") && *line != "```").collect();
        let printed = printed.join("\n");
        if line == "nothing." {
            assert_eq!(printed, "", "{block}");
        }
        for must in line.split('`').skip(1).step_by(2) {
            assert!(printed.contains(must), "{must} is not printed by {block}");
        }
        count += 1;
    }
    assert!(count >= 120, "{count}");
}

/// What `daisho VERB --help` prints, for the verb and for each verb that the advice names.
fn helps(command: &str, advice: &str) -> Vec<String> {
    let dir = Dir::new();
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '-');
        words.map(str::to_owned).collect()
    };
    let typed = words(command).into_iter().chain(words(advice));
    let mut verbs: Vec<String> = typed
        .filter(|word| VERBS.contains(&word.as_str()) || ALIASES.contains(&word.as_str()))
        .collect();
    verbs.sort();
    verbs.dedup();
    let mut helps = vec![dir.run("--help").text().to_owned()];
    for verb in verbs {
        let help = dir.run(format!("{verb} --help"));
        helps.push(help.text().to_owned());
    }
    helps
}

const ALIASES: [&str; 10] = ["ls", "l", "x", "unpack", "c", "pack", "mv", "rm", "t", "test"];

/// Options of other programs, and two that no help names.
const OTHER_OPTIONS: [&str; 4] = ["-s", "--out", "-f)", "--max-pixels"];

#[test]
fn advice_names_only_options_that_the_verb_has() {
    for name in PAGES {
        let page = page(name);
        let mut command = "";
        for line in page.lines() {
            if line.starts_with("$ ") {
                command = line;
            }
            let Some(advice) = line.strip_prefix("help: ") else {
                continue;
            };
            let words = advice.split([' ', '\'', ',', ';', ':']);
            let options: Vec<&str> = words
                .filter(|word| word.len() > 1 && word.starts_with('-'))
                .filter(|word| !OTHER_OPTIONS.contains(word))
                .collect();
            if options.is_empty() {
                continue;
            }
            let helps = helps(command, advice);
            for option in options {
                let has_it = helps.iter().any(|help| {
                    let mut words = help.split([' ', ',', '\n', '\'', '=']);
                    words.any(|word| word == option)
                });
                assert!(has_it, "{command}\n{option} in: {advice}");
            }
        }
    }
}

/// Advice that no command of the page can provoke.
const NOT_PROVOKED: [&str; 14] = [
    "choose another format, such as quake or pk3",
    "close the program that has it open, such as a game or an editor; or write elsewhere, or get permission to write there",
    "few sound archives do this: get another copy",
    "free some space, or write elsewhere, and run the command again",
    "give the same paths as when the snapshot was made",
    "give the whole name",
    "name the archives that you want, as in mod.zip//id1/pak0.pak",
    "remove them",
    "scale them to 16, 32, 64, 128, 256 or 512",
    "rename one of them, or remove it",
    "this is a mistake in daisho: report it with the command that you gave, please",
    "wait until the program that is writing the file has finished",
    "write elsewhere, or get permission to write there",
    "write to a file system that supports such large files, or raise the limit (ulimit -f)",
];

/// The literals that follow `before` in a source text.
fn literals<'a>(text: &'a str, before: &str) -> Vec<&'a str> {
    let mut found = Vec::new();
    for after in text.split(before).skip(1) {
        if let Some((literal, _)) =
            after.trim_start().strip_prefix('"').and_then(|it| it.split_once('"'))
        {
            found.push(literal);
        }
    }
    found
}

#[test]
fn all_advice_has_its_place_on_the_page() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = page(PAGES[0]);
    let mut count = 0;
    for file in walkdir::WalkDir::new(root.join("src/ops")) {
        let file = file.unwrap();
        if !file.file_type().is_file() {
            continue;
        }
        let source = fs::read_to_string(file.path()).unwrap();
        for advice in literals(&source, ".advice(") {
            let is_provoked = page.contains(&format!("\nhelp: {advice}"));
            assert_ne!(is_provoked, NOT_PROVOKED.contains(&advice), "{advice}");
            count += 1;
        }
    }
    let source = fs::read_to_string(root.join("src/cli/advice.rs")).unwrap();
    for help in literals(&source, "=> ") {
        assert!(page.contains(help), "{help}");
        count += 1;
    }
    assert!(count > 70, "{count}");
}

#[test]
fn every_section_provokes_its_error_or_says_why_not() {
    let page = page(PAGES[0]);
    let sections = page.split("\n## ").skip(1).map(|section| section.split_once('\n').unwrap());
    let mut headings = Vec::new();
    for (heading, section) in sections {
        let is_provoked = section.contains("\nerror: ") || section.contains("\nwarning: ");
        let is_excused = section.contains("Not provoked here: ");
        assert!(is_provoked != is_excused, "{heading}");
        assert!(!headings.contains(&heading), "{heading} is there twice");
        headings.push(heading);
    }
    assert!(headings.len() > 70, "{headings:?}");
}

#[test]
fn every_message_has_the_usual_form() {
    let pages = PAGES.map(page).concat();
    let lines: Vec<&str> = pages.lines().collect();
    for (n, line) in lines.iter().enumerate() {
        let said = ["error: ", "warning: ", "help: "]
            .iter()
            .find_map(|word| Some((*word, line.split_once(word)?.1)));
        let Some((word, said)) = said.filter(|_| !line.starts_with("$ ")) else {
            continue;
        };
        let first = said.split([' ', '\'', '"']).next().unwrap_or_default();
        let lower = !first.starts_with(|c: char| c.is_uppercase());
        // A variable of the environment keeps its name.
        assert!(lower || first.contains('_'), "begins with a capital: {line}");
        assert!(!said.ends_with('.'), "ends with a full stop: {line}");
        for wrong in
            ["Some(", "None", "Os {", "::", "Err(", " 1 bytes", " 1 entries", " 1 paks", " 1 times"]
        {
            assert!(!line.contains(wrong), "{wrong} in {line}");
        }
        // An error says where it is, or what to do.
        if word == "error: " {
            let follows = lines.get(n + 1..n + 3).unwrap_or_default();
            let more = ["  --> ", "help: "];
            let is_more = |line: &&str| more.iter().any(|more| line.starts_with(more));
            let streams = said.starts_with("cannot read standard input")
                || said.starts_with("cannot write to standard output");
            let named = said.starts_with("quake serves nothing");
            assert!(
                follows.iter().any(is_more) || streams || named,
                "neither place nor help: {line}"
            );
        }
    }
}

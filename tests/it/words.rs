//! The words of README, the guide and the sources: no odd phrases, and files that begin with a short sentence.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// Phrases that a reader has to read twice, in lower case. Say who does what instead.
const PHRASES: &[&str] = &[
    "anew",
    "are lent",
    "are told",
    "as far as that",
    "beside itself",
    "by which it",
    "bytes for nothing",
    "is lent",
    "is none that",
    "is said to be",
    "is told",
    "it all the same",
    "lie more than once",
    "lies more than once",
    "none of its own",
    "of no which",
    "of these alone",
    "of which there are",
    "of which there is",
    "so many of",
    "stand before",
    "stand behind",
    "stand in",
    "stand under",
    "stands before",
    "stands behind",
    "stands in",
    "stands under",
    "that is none",
    "the same as that",
    "the same beside",
    "there is none",
    "those of it",
    "those of them",
    "those that",
    "told of",
    "what has none",
    "what is meant",
    "what is none",
    "what is not",
    "what is odd",
    "what is there",
    "what it can be",
    "what stands",
    "which is none",
    "whoever",
    "with what is",
];

/// How many of these phrases a folder of `src` may still have. Lower a number when you rewrite some, and never
/// raise one. These are messages. README, the guide and all other folders have none.
const LEFT: &[(&str, usize)] = &[("media", 2)];

/// The most words of a file's first sentence.
const FIRST_SENTENCE: usize = 25;

/// A text in lower case without comment marks and line breaks, and the offset of each of its lines.
struct Text {
    words: String,
    lines: Vec<usize>,
}

impl Text {
    fn new(text: &str) -> Self {
        let (mut words, mut lines) = (String::from(" "), Vec::new());
        for line in text.lines() {
            lines.push(words.len());
            let line = line.trim().trim_end_matches('\\');
            let line = line.trim_start_matches(['/', '*', '!', '>']);
            for word in line.split_whitespace() {
                words.push_str(&word.to_lowercase());
                words.push(' ');
            }
        }
        Self { words, lines }
    }

    /// The phrases, each with its line.
    fn odd(&self) -> Vec<(usize, &'static str)> {
        let mut found = Vec::new();
        for phrase in PHRASES {
            for (at, _) in self.words.match_indices(phrase) {
                let is_outside =
                    |c: Option<char>| !c.is_some_and(|c| c.is_alphanumeric() || c == '_');
                let before = self.words[..at].chars().next_back();
                let after = self.words[at + phrase.len()..].chars().next();
                if is_outside(before) && is_outside(after) {
                    found.push((self.lines.partition_point(|&start| start <= at), *phrase));
                }
            }
        }
        found.sort_unstable();
        found
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All texts below a folder.
fn texts(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            texts(&path, files);
        } else {
            files.push(path);
        }
    }
    files.sort();
}

/// The first sentence of the comment that a source begins with.
fn first_sentence(text: &str) -> String {
    let mut sentence = String::new();
    for line in text.lines() {
        let comment = ["//!", "//"]
            .iter()
            .find_map(|mark| line.strip_prefix(mark));
        let Some(comment) = comment.filter(|line| !line.trim().is_empty()) else {
            break;
        };
        for word in comment.split_whitespace() {
            sentence.push_str(word);
            if word.ends_with(['.', '?', '!']) {
                return sentence;
            }
            sentence.push(' ');
        }
    }
    sentence
}

#[test]
fn no_text_has_an_odd_phrase() {
    let (mut found, mut places) = (BTreeMap::<String, usize>::new(), String::new());
    let mut files = vec![root().join("README.md")];
    texts(&root().join("src"), &mut files);
    for file in files {
        let Ok(text) = fs::read_to_string(&file) else {
            continue;
        };
        let relative = file.strip_prefix(root()).unwrap();
        let mut parts = relative.components().skip(1);
        let folder = match (parts.next(), parts.next()) {
            (Some(folder), Some(_)) => folder.as_os_str().to_str().unwrap(),
            _ => "",
        };
        for (line, phrase) in Text::new(&text).odd() {
            *found.entry(folder.to_owned()).or_default() += 1;
            let _ = writeln!(places, "{}:{line}: {phrase}", relative.display());
        }
    }
    let allowed: BTreeMap<&str, usize> = LEFT.iter().copied().collect();
    for (folder, count) in found {
        let most = allowed.get(folder.as_str()).copied().unwrap_or(0);
        assert!(
            count <= most,
            "'{folder}' has {count} odd phrases, more than {most}:\n{places}"
        );
    }
}

#[test]
fn a_source_begins_with_a_short_sentence() {
    let mut files = Vec::new();
    texts(&root().join("src"), &mut files);
    let mut long = Vec::new();
    for file in files {
        if file
            .extension()
            .is_none_or(|extension| extension != "rs" && extension != "js")
        {
            continue;
        }
        let sentence = first_sentence(&fs::read_to_string(&file).unwrap());
        let words = sentence.split_whitespace().count();
        if !(1..=FIRST_SENTENCE).contains(&words) {
            let file = file.strip_prefix(root()).unwrap().display();
            long.push(format!("{file}: {words} words: {sentence}"));
        }
    }
    assert!(long.is_empty(), "{}", long.join("\n"));
}

#[test]
fn odd_phrases_are_found_across_lines_and_not_inside_of_words() {
    let text = Text::new("//! Whoever reads\n//! this, and what\n//! is there.\n// told offhand\n");
    assert_eq!(text.odd(), [(1, "whoever"), (2, "what is there")]);
    assert_eq!(
        first_sentence("//! One: two\n//! three. Four.\n"),
        "One: two three."
    );
    assert_eq!(first_sentence("use a;\n// b\n"), "");
}

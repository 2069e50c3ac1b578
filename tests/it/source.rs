//! The files of `src` as text, without comments and unit tests, for the tests of layers and of size.

use std::fs;
use std::path::Path;

/// A file of `src`, as the tests that look at the program's own code see it.
pub(crate) struct Source {
    /// Its path from `src`, with `/` between the parts.
    pub(crate) path: String,
    /// Its lines of code, each trimmed at its end.
    pub(crate) code: String,
}

/// Every file of Rust in `src` that is no test, and every table beside them, in no order.
pub(crate) fn all() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut sources, mut open) = (Vec::new(), vec![root.clone()]);
    while let Some(path) = open.pop() {
        let name = path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
        if path.is_dir() && name != "testing" {
            open.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else if name.ends_with(".rs") && !name.ends_with("tests.rs") {
            let code = code_lines(&fs::read_to_string(path).unwrap()).join("\n");
            sources.push(Source { path: name, code });
        } else if name.ends_with(".tsv") {
            let text = fs::read_to_string(path).unwrap();
            let rows = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
            sources.push(Source { path: name, code: rows.collect::<Vec<_>>().join("\n") });
        }
    }
    sources
}

/// The lines of a file that are code: not blank, no comment, and no unit test.
fn code_lines(text: &str) -> Vec<String> {
    let text = without_comments(text);
    let mut lines = text.lines().map(str::trim_end).filter(|line| !line.is_empty());
    let mut code = Vec::new();
    while let Some(line) = lines.next() {
        let start = line.trim_start();
        if !start.starts_with("#[cfg(test)]") && !start.starts_with("#[cfg(all(test") {
            code.push(line.to_owned());
            continue;
        }
        // What follows is one item: it ends in its own line, or at a bracket below its first letter.
        let first = lines.by_ref().find(|line| !line.trim_start().starts_with('#')).unwrap_or("");
        let indent = &first[..first.len() - first.trim_start().len()];
        if !first.ends_with([';', ',', '}']) {
            lines.by_ref().find(|line| {
                let rest = line.strip_prefix(indent).unwrap_or("");
                matches!(rest, "}" | "};" | "},")
            });
        }
    }
    code
}

/// A copy without comments, in which a string over several lines is a string in each of them.
fn without_comments(text: &str) -> String {
    let mut code = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let len = if rest.starts_with("//") {
            let len = rest.find('\n').unwrap_or(rest.len());
            rest = &rest[len..];
            continue;
        } else if let Some(len) = string_len(rest) {
            code += &rest[..len].replace('\n', "\"\n\"");
            len
        } else {
            let len = char_len(rest).unwrap_or(first.len_utf8());
            code += &rest[..len];
            len
        };
        rest = &rest[len..];
    }
    code
}

/// The length of the string literal at the start of `text`, if there is one.
fn string_len(text: &str) -> Option<usize> {
    let hashes = text.strip_prefix('r').map(|it| it.len() - it.trim_start_matches('#').len());
    if let Some(hashes) = hashes.filter(|hashes| text[1 + hashes..].starts_with('"')) {
        let (start, end) = (hashes + 2, format!("\"{}", "#".repeat(hashes)));
        return Some(start + text[start..].find(&end)? + end.len());
    }
    let inside = text.strip_prefix('"')?;
    let mut bytes = inside.bytes().enumerate();
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'"' => return Some(at + 2),
            b'\\' => drop(bytes.next()),
            _ => {}
        }
    }
    None
}

/// The length of the character literal at the start of `text`, if it is one and no lifetime.
fn char_len(text: &str) -> Option<usize> {
    let inside = text.strip_prefix('\'')?;
    let first = inside.chars().next()?;
    let start = if first == '\\' { 2 } else { first.len_utf8() };
    let end = inside.get(start..)?.find('\'')?;
    (first == '\\' || end == 0).then_some(start + end + 2)
}

#[test]
fn code_is_told_from_comments_and_tests() {
    let text = r##"
//! A file.
const URL: &str = "a//b"; // a comment
const QUOTE: char = '"'; /// not code
const RAW: &str = r#"one "
two"#;
fn f<'a>(it: &'a str) {}

#[cfg(test)]
use std::fs;

#[cfg(test)]
mod tests {
    fn t() {
    }
}
const LAST: &str = "\"//";
"##;
    let expected = [
        r#"const URL: &str = "a//b";"#,
        r#"const QUOTE: char = '"';"#,
        "const RAW: &str = r#\"one \"\"",
        r##""two"#;"##,
        "fn f<'a>(it: &'a str) {}",
        r#"const LAST: &str = "\"//";"#,
    ];
    assert_eq!(code_lines(text), expected);
}

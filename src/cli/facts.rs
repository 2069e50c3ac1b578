//! Facts of files, in words.

use daisho::archive::escape;
use daisho::media::{Fact, Value};

use super::text;

/// How many of a list are named in a line, unless all are asked for.
const NAMED: usize = 8;

/// How many records have a line of their own, unless all are asked for. A map has up to 21 lumps.
const LINES: usize = 24;

/// A fact as lines.
pub(crate) fn lines(fact: &Fact, all: bool) -> Vec<String> {
    match &fact.value {
        Value::Texts(texts) => {
            let texts: Vec<String> = texts.iter().map(|text| escape(text).to_string()).collect();
            vec![joined(&texts, all)]
        }
        Value::Records(records) => of_records(records, all),
        value => vec![word(value)],
    }
}

/// Some of a list, or all, in one line.
fn joined(parts: &[String], all: bool) -> String {
    let most = if all { parts.len() } else { NAMED };
    let some = parts.get(..most).unwrap_or(parts);
    match parts.len() - some.len() {
        0 => some.join(", "),
        more => format!("{} and {more} more", some.join(", ")),
    }
}

/// Records: what is counted in one line, all else a line each.
fn of_records(records: &[Vec<Fact>], all: bool) -> Vec<String> {
    let counted = |record: &Vec<Fact>| match record.as_slice() {
        [what, count] if count.name == "count" => {
            Some(format!("{} {}", word(&count.value), word(&what.value)))
        }
        _ => None,
    };
    if let Some(counts) = records.iter().map(counted).collect::<Option<Vec<_>>>() {
        return vec![joined(&counts, all)];
    }
    // Parts of no bytes are shown where all is.
    let is_empty = |record: &[Fact]| {
        let last = record.last();
        last.is_some_and(|fact| fact.name == "size" && fact.value == Value::Number(0))
    };
    let shown = records.iter().filter(|record| all || !is_empty(record));
    let mut lines: Vec<String> = shown.map(|record| of_record(record)).collect();
    let more = lines.len().saturating_sub(LINES);
    if !all && more > 0 {
        lines.truncate(LINES);
        lines.push(format!("and {more} more"));
    }
    lines
}

fn of_record(record: &[Fact]) -> String {
    let part = |fact: &Fact| match fact.name {
        "name" => word(&fact.value),
        name => format!("{name} {}", word(&fact.value)),
    };
    record.iter().map(part).collect::<Vec<_>>().join(", ")
}

fn word(value: &Value) -> String {
    match value {
        Value::Number(number) => number.to_string(),
        Value::Milliseconds(number) => format!("{}.{:03}", number / 1000, number % 1000),
        Value::Word(word) => word.clone(),
        Value::Text(text) => escape(text).to_string(),
        // Lists stand in no list.
        _ => String::new(),
    }
}

/// The name of a fact, as a label.
pub(crate) fn label(fact: &Fact) -> String {
    text::scrub(&fact.name.replace('_', " "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fact(name: &'static str, value: Value) -> Fact {
        Fact { name, value }
    }

    #[test]
    fn a_long_list_is_cut_unless_all_is_asked_for() {
        let names: Vec<Vec<u8>> = (0..10_u8).map(|it| vec![b'a' + it]).collect();
        let names = fact("texture_names", Value::Texts(names));
        assert_eq!(label(&names), "texture names");
        assert_eq!(lines(&names, false), ["a, b, c, d, e, f, g, h and 2 more"]);
        assert_eq!(lines(&names, true), ["a, b, c, d, e, f, g, h, i, j"]);
        let record = |number| {
            vec![
                fact("width", Value::Number(number)),
                fact("height", Value::Number(2)),
            ]
        };
        let frames = fact("frame_list", Value::Records((0..26).map(record).collect()));
        let cut = lines(&frames, false);
        assert_eq!(
            (cut.len(), &cut[0][..], &cut[24][..]),
            (25, "width 0, height 2", "and 2 more")
        );
        let class = vec![
            fact("class", Value::Text(b"light".to_vec())),
            fact("count", Value::Number(3)),
        ];
        assert_eq!(
            lines(&fact("classes", Value::Records(vec![class])), false),
            ["3 light"]
        );
    }
}

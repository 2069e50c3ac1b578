//! The chapters of the guide, for `daisho help TOPIC` and `daisho man TOPIC`.

use std::cmp::Reverse;
use std::io::{self, Write};

use crate::archive::quoted;
use crate::ops::finding::Finding;

/// A chapter of the guide.
#[derive(Debug)]
pub(crate) struct Topic {
    pub(crate) name: &'static str,
    /// Markdown. The first line is the title.
    pub(crate) text: &'static str,
}

pub(crate) const TOPICS: [Topic; 10] = [
    Topic { name: "formats", text: include_str!("../guide/formats.md") },
    Topic { name: "extracting", text: include_str!("../guide/extracting.md") },
    Topic { name: "editing", text: include_str!("../guide/editing.md") },
    Topic { name: "snapshots", text: include_str!("../guide/snapshots.md") },
    Topic { name: "engines", text: include_str!("../guide/engines.md") },
    Topic { name: "damage", text: include_str!("../guide/damage.md") },
    Topic { name: "conformance", text: include_str!("../guide/conformance.md") },
    Topic { name: "scripting", text: include_str!("../guide/scripting.md") },
    Topic { name: "windows", text: include_str!("../guide/windows.md") },
    Topic { name: "measurements", text: include_str!("../guide/measurements.md") },
];

/// The chapter with this name, or about what is called so.
pub(crate) fn find(name: &str) -> Option<&'static Topic> {
    let name = match name {
        "json" | "csv" => "scripting",
        "textures" | "pictures" | "wads" => "editing",
        "checksums" | "duplicates" => "snapshots",
        "music" | "maps" => "extracting",
        name => name,
    };
    TOPICS.iter().find(|topic| topic.name == name)
}

/// A line for each chapter: its name and its title.
pub(crate) fn list() -> String {
    let mut list = String::from("Topics, for daisho help TOPIC:");
    for topic in &TOPICS {
        list += &format!("\n  {:<13} {}", topic.name, topic.title());
    }
    list
}

/// The message for a name that is neither a verb nor a topic, with the verb that may be `meant`. It lists the topics,
/// beginning with the one whose beginning is most like the name.
pub(crate) fn unknown(name: &str, meant: Option<&str>) -> Finding {
    let mut names = TOPICS.map(|topic| topic.name);
    names.sort_by_key(|topic| {
        let same = topic.bytes().zip(name.bytes()).take_while(|(a, b)| a == b);
        Reverse(same.count())
    });
    let names = names.join(", ");
    let meant = meant.map_or(String::new(), |meant| format!("did you mean 'daisho {meant}'? "));
    Finding::error(format!("there is no verb or topic {}", quoted(name.as_bytes())))
        .advice(format!("{meant}the topics are {names}; 'daisho --help' lists the verbs"))
}

impl Topic {
    pub(crate) fn title(&self) -> &'static str {
        let first = self.text.lines().next().unwrap_or("");
        first.trim_start_matches("# ")
    }

    /// Writes the chapter as a manual page. Tables and sessions keep their lines, and other text is wrapped.
    pub(crate) fn manual_page(&self, out: &mut impl Write) -> io::Result<()> {
        let (name, title) = (self.name, self.title());
        writeln!(out, ".TH daisho-{name} 7\n.SH NAME")?;
        writeln!(out, "daisho\\-{name} \\- {title}\n.SH DESCRIPTION")?;
        let (mut in_block, mut filled) = (false, true);
        for line in self.text.lines().skip(1) {
            if line.starts_with("```") {
                in_block = !in_block;
                continue;
            }
            let keeps_lines = in_block || line.starts_with('|');
            if keeps_lines == filled {
                writeln!(out, "{}", if filled { ".nf" } else { ".fi" })?;
                filled = !filled;
            }
            let item = list_item(line).filter(|_| filled);
            let heading = line.strip_prefix("## ").filter(|_| filled);
            if let Some(heading) = heading {
                writeln!(out, ".SH {}", escaped(heading))?;
            } else if let Some((mark, text)) = item {
                writeln!(out, ".IP {mark} 3\n{}", escaped(text))?;
            } else if line.is_empty() && filled {
                writeln!(out, ".PP")?;
            } else if filled {
                writeln!(out, "{}", escaped(line.trim_start()))?;
            } else {
                writeln!(out, "{}", escaped(line))?;
            }
        }
        Ok(())
    }
}

/// The mark of a list item, for roff, and its text: `- text` or `1. text`.
fn list_item(line: &str) -> Option<(&str, &str)> {
    if let Some(text) = line.strip_prefix("- ") {
        return Some(("\\(bu", text));
    }
    let (number, text) = line.split_once(' ')?;
    let digits = number.strip_suffix('.')?;
    let is_number = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    is_number.then_some((number, text))
}

/// A line for roff, in which `\`, and `.` or `'` at the start, are commands.
fn escaped(line: &str) -> String {
    let line = line.replace('\\', "\\e").replace('-', "\\-");
    if line.starts_with(['.', '\'']) { format!("\\&{line}") } else { line }
}

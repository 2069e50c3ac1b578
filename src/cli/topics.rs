//! The chapters of the guide, for `daisho help TOPIC` and `daisho man TOPIC`.

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

/// The message for a name that is neither a verb nor a topic, with the verb that may be `meant`.
pub(crate) fn unknown(name: &str, meant: Option<&str>) -> Finding {
    let names = TOPICS.map(|topic| topic.name).join(", ");
    let meant = meant.map_or(String::new(), |meant| format!("did you mean 'daisho {meant}'? "));
    Finding::error(format!("there is no verb or topic {}", quoted(name.as_bytes())))
        .advice(format!("{meant}the topics are {names}; 'daisho --help' lists the verbs"))
}

impl Topic {
    pub(crate) fn title(&self) -> &'static str {
        let first = self.text.lines().next().unwrap_or("");
        first.trim_start_matches("# ")
    }
}

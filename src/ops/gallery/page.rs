//! The page, in pieces: its beginning, the list, its end.

use std::path::Path;
use std::sync::Arc;

use super::tile::Tile;
use crate::archive::{Archive, escape_path};

const PAGE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
const SCRIPT: &str = include_str!("page/page.js");

/// What is written of a page and not taken yet.
#[derive(Debug, Default)]
pub(super) struct Page {
    text: String,
    /// Whether a piece of the list is begun.
    begun: bool,
}

impl Page {
    /// All that stands before the list.
    pub(super) fn begin(title: &str) -> Self {
        let text = PAGE
            .replace("{{style}}", STYLE)
            .replace("{{script}}", SCRIPT)
            .replace("{{title}}", &html(title));
        Self { text, begun: false }
    }

    /// The archives, in the order of their numbers.
    pub(super) fn archives(&mut self, archives: &[Arc<Archive>]) {
        let path = |archive: &Arc<Archive>| {
            let path = archive.path().unwrap_or(Path::new(""));
            string(&escape_path(path).to_string())
        };
        let paths: Vec<String> = archives.iter().map(path).collect();
        self.text += &format!("<script>archives({});</script>\n", paths.join(","));
    }

    /// A file of the list.
    pub(super) fn tile(&mut self, tile: &Tile) {
        self.text += match std::mem::replace(&mut self.begun, true) {
            false => "<script>files(\n",
            true => ",\n",
        };
        let facts = tile
            .facts
            .iter()
            .map(|(label, text)| format!("[{},{}]", string(label), string(text)));
        let facts: Vec<String> = facts.collect();
        self.text += &format!(
            "[{},{},{},{},{},{},{},{},[{}],{}]",
            tile.archive,
            tile.index,
            string(&tile.name),
            string(tile.kind.as_str()),
            tile.size,
            string(tile.look.as_str()),
            string(&tile.thumbnail),
            string(&tile.full),
            facts.join(","),
            string(&tile.finding)
        );
    }

    /// A piece of the list ends.
    pub(super) fn end_piece(&mut self) {
        if std::mem::take(&mut self.begun) {
            self.text += ");</script>\n";
        }
    }

    /// All that stands behind the list.
    pub(super) fn end(&mut self) {
        self.text += "<script>start();</script>\n</body>\n</html>\n";
    }

    /// What is to be written next.
    pub(super) fn take(&mut self) -> String {
        std::mem::take(&mut self.text)
    }
}

/// Text of a page, which is never taken for a tag.
fn html(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            c => out.push(c),
        }
    }
    out
}

/// A string of a script, which never ends the script.
fn string(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out += "\\\"",
            '\\' => out += "\\\\",
            '\n' => out += "\\n",
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' | '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' => {
                out += &format!("\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_leaves_its_place() {
        assert_eq!(html("<b>&\"'"), "&lt;b&gt;&amp;&quot;'");
        let hostile = "</script><script>alert(1)</script><!--\"\\\u{2028}\u{0}\u{9b}ä";
        let shown = string(hostile);
        assert!(!shown.contains('<') && !shown.contains('>'));
        assert!(shown.chars().all(|c| c >= ' ' && c != '\u{2028}'));
        // As JSON has it, too.
        let back: String = serde_json::from_str(&shown).unwrap();
        assert_eq!(back, hostile);
    }

    #[test]
    fn the_page_has_room_for_everything_once() {
        for place in ["{{style}}", "{{script}}"] {
            assert_eq!(PAGE.matches(place).count(), 1, "{place}");
            assert!(!STYLE.contains("{{") && !SCRIPT.contains("{{"));
        }
        assert!(!SCRIPT.contains("innerHTML") && !SCRIPT.contains("</script"));
        let mut page = Page::begin("a < b {{script}}");
        assert!(page.take().contains("<h1>a &lt; b {{script}}</h1>"));
    }
}

//! The page's HTML, in pieces: its beginning, the list of files, its end.

use serde::Serialize;

use crate::cli::render::json_line;
use crate::cli::verbs::gallery::tile::Tile;
use crate::fs::WriteAt;
use crate::media::Kind;
use crate::ops::finding::Finding;

const PAGE: &str = include_str!("../../../web/gallery.html");
const STYLE: &str = include_str!("../../../web/viewer.css");

/// The viewer, which the web page uses as well, and its start.
const MODULES: [&str; 3] = [
    include_str!("../../../web/words.js"),
    include_str!("../../../web/viewer.js"),
    include_str!("../../../web/gallery.js"),
];

/// The modules as one script, since browsers load no modules from disk.
fn script() -> String {
    let mut script = String::from("\"use strict\";\n");
    for line in MODULES.iter().flat_map(|module| module.lines()) {
        if !line.starts_with("import ") {
            script += line.strip_prefix("export ").unwrap_or(line);
            script.push('\n');
        }
    }
    script
}

/// The page up to the list.
pub(super) fn begin(title: &str, archives: &[String]) -> String {
    let mut page = PAGE
        .replace("{{style}}", STYLE)
        .replace("{{script}}", &script())
        .replace("{{title}}", &html(title));
    let names: Vec<String> = archives.iter().map(literal).collect();
    page += &format!("<script>archives({});</script>\n", names.join(","));
    page
}

/// The page after the list.
pub(super) const END: &str = "<script>start();</script>\n</body>\n</html>\n";

/// How much text is collected before it is written.
const TEXT: usize = 64 << 10;

/// Writes the page from its beginning to its end.
pub(super) struct PageWriter<'p> {
    page: &'p dyn WriteAt,
    /// How much of the page is written.
    len: u64,
    /// Text that is not yet written.
    text: String,
}

impl<'p> PageWriter<'p> {
    pub(super) const fn new(page: &'p dyn WriteAt) -> Self {
        Self { page, len: 0, text: String::new() }
    }

    /// Adds text to the page.
    pub(super) fn push(&mut self, text: &str) -> Result<(), Finding> {
        self.text += text;
        if self.text.len() < TEXT {
            return Ok(());
        }
        self.flush()
    }

    /// Writes all text that was added.
    pub(super) fn flush(&mut self) -> Result<(), Finding> {
        let written = self.page.write_at(self.text.as_bytes(), self.len);
        written.map_err(Finding::from_io)?;
        self.len += self.text.len() as u64;
        self.text.clear();
        Ok(())
    }

    /// Adds a piece of the list.
    pub(super) fn files(&mut self, tiles: &[Tile<'_>]) -> Result<(), Finding> {
        self.push("<script>files(\n")?;
        for (at, tile) in tiles.iter().enumerate() {
            if at > 0 {
                self.push(",\n")?;
            }
            self.push(&literal(&(
                tile.archive,
                tile.index,
                &tile.name,
                tile.kind.as_str(),
                tile.size,
                tile.look.map_or("", Kind::as_str),
                &tile.thumbnail,
                &tile.full,
                &tile.facts,
                &tile.finding,
            )))?;
        }
        self.push(");</script>\n")
    }
}

/// Escapes text for HTML.
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

/// A literal in a script that cannot end the script: JSON, which has these characters only in its strings.
fn literal(value: &impl Serialize) -> String {
    let mut line = Vec::new();
    // Nothing that is written has keys, and a vector takes everything.
    let _ = json_line(&mut line, value);
    let json = String::from_utf8_lossy(line.trim_ascii_end());
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_leaves_its_place() {
        assert_eq!(html("<b>&\"'"), "&lt;b&gt;&amp;&quot;'");
        let hostile = "</script><script>alert(1)</script><!--\"\\\u{2028}\u{0}\u{9b}ä";
        let shown = literal(&hostile);
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
            assert!(!STYLE.contains("{{") && !script().contains("{{"));
        }
        assert!(!script().contains("innerHTML") && !script().contains("</script"));
        let page = begin("a < b {{script}}", &[]);
        assert!(page.contains("<h1>a &lt; b {{script}}</h1>"));
    }
}

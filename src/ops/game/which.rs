//! Every copy of a file, and which of them is served.

use super::view::View;
use crate::archive::{Archive, escape_path, quoted_name};
use crate::engine::{Engine, FileCopy, findable};
use crate::ops::finding::{Finding, Help};
use crate::ops::report::Sink;
use crate::ops::row::{At, EntryRow};

/// A copy of a file.
#[derive(Debug, serde::Serialize)]
pub struct WhichRow {
    /// Whether the engine serves it.
    pub served: bool,
    /// The copy.
    #[serde(flatten)]
    pub copy: EntryRow,
}

impl View {
    /// Reports every copy of a file, in the order of [`Game::find`](crate::Game::find), or an error if no copy exists.
    pub fn which(&self, name: &[u8], out: &mut dyn Sink<WhichRow>) {
        let found = self.game.find(name);
        if found.is_empty() {
            return out.finding(self.not_served(name));
        }
        if self.game.is_doubtful(&found)
            && let Some(entry) = found.first().and_then(FileCopy::entry)
        {
            out.finding(self.warn_undefined().of_entry(&entry));
        }
        for (number, copy) in found.into_iter().enumerate() {
            let at = match copy.entry() {
                Some(entry) => At::Archive(copy.path.into(), entry.index()),
                None => At::File(copy.path),
            };
            let copy = EntryRow::new(at, copy.name, copy.size);
            if out.row(WhichRow { served: number == 0, copy }).is_break() {
                return;
            }
        }
    }

    /// Why no file is served under a name, with a hint at similar names.
    #[must_use]
    pub fn not_served(&self, name: &[u8]) -> Finding {
        let engine = self.engine_word();
        let why = format!("{engine} serves nothing under the name {}", quoted_name(name));
        match self.near(name) {
            Some(near) => Finding::error(format!("{why}: {near}")),
            None => Finding::error(why).help(Help::ListServed),
        }
    }

    /// Where the name occurs in another case or with other slashes, or in a pak that is never loaded.
    fn near(&self, name: &[u8]) -> Option<String> {
        let is_never_asked = |engine: Engine| {
            let names = engine.profile().request_names();
            names.of_request(name).is_none()
        };
        if self.engine().is_some_and(is_never_asked) {
            return Some("it looks for no name like this".to_owned());
        }
        let wanted = findable(name);
        for loaded in self.game.loaded().rev() {
            if let Some(place) = place_of_alike(&loaded.archive, &wanted) {
                return Some(format!("{place}, but to this engine that is a different name"));
            }
        }
        let copies = self.game.find(&wanted);
        if let Some(file) = copies.iter().find(|copy| copy.entry().is_none()) {
            let path = escape_path(&file.path);
            return Some(format!(
                "{path} is there, but to the file system that is a different name"
            ));
        }
        for skipped in self.game.skipped().iter().rev() {
            let archive = skipped.opened.as_deref().ok();
            if let Some(place) = archive.and_then(|it| place_of_alike(it, &wanted)) {
                let how = match &skipped.why {
                    why if why.is_misread() => "but this engine misreads the archive",
                    _ => "but is not loaded",
                };
                return Some(format!("{place}, {how}"));
            }
        }
        None
    }
}

/// A clause that says where the first entry is whose name in lower case is `wanted`.
fn place_of_alike(archive: &Archive, wanted: &[u8]) -> Option<String> {
    let mut entries = archive.entries();
    let entry = entries.find(|entry| findable(entry.name().as_bytes()) == wanted)?;
    let path = archive.path()?;
    let (path, index, name) = (escape_path(path), entry.index(), entry.name());
    let name = quoted_name(name.as_bytes());
    Some(format!("{path} has entry {index} {name}"))
}

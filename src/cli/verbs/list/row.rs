//! An entry as a row of JSON.

use daisho::Entry;
use serde::Serialize;

use crate::cli::json;

#[derive(Serialize)]
pub(super) struct Row<'a> {
    #[serde(flatten)]
    pak: &'a json::Text,
    index: usize,
    #[serde(flatten)]
    name: json::Text,
    kind: &'static str,
    offset: u64,
    size: u64,
    packed_size: u64,
    compressed: bool,
}

impl<'a> Row<'a> {
    pub(super) fn new(pak: &'a json::Text, entry: &Entry<'_>) -> Self {
        Self {
            pak,
            index: entry.index(),
            name: json::Text::name(entry.name().as_bytes()),
            kind: entry.kind().as_str(),
            offset: entry.offset(),
            size: entry.size(),
            packed_size: entry.stored_len(),
            compressed: entry.is_compressed(),
        }
    }
}

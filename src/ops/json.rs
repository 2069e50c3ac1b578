//! How fields of rows become JSON if a derived serialization is not enough.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::archive::{escape, path_bytes};
use crate::ops::finding::Finding;

/// What could not be read, or was not done, as an object of JSON.
impl Serialize for Finding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if let Some(status) = self.status() {
            if let Some(path) = self.path() {
                text_entry(&mut map, "archive", &path_bytes(path))?;
            }
            if let Some((index, name)) = &self.place.entry {
                map.serialize_entry("index", index)?;
                text_entry(&mut map, "name", name)?;
            }
            map.serialize_entry("status", status)?;
            // What is left out is no problem.
            let field = if self.is_left_out() { "why" } else { "problem" };
            map.serialize_entry(field, &self.detail)?;
        }
        map.end()
    }
}

/// Text as a field, and its bytes as another one if it is not UTF-8.
pub(crate) fn text_entry<M: SerializeMap>(
    map: &mut M,
    name: &str,
    bytes: &[u8],
) -> Result<(), M::Error> {
    map.serialize_entry(name, &String::from_utf8_lossy(bytes))?;
    if core::str::from_utf8(bytes).is_err() {
        map.serialize_entry(&format!("{name}_hex"), &hex(bytes))?;
    }
    Ok(())
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Bytes that are mostly text: a name or a path.
pub(crate) trait Text {
    /// The bytes. `None` if the field is left out.
    fn text(&self) -> Option<Cow<'_, [u8]>>;
}

impl Text for Vec<u8> {
    fn text(&self) -> Option<Cow<'_, [u8]>> {
        Some(Cow::Borrowed(self))
    }
}

impl Text for PathBuf {
    fn text(&self) -> Option<Cow<'_, [u8]>> {
        Some(path_bytes(self))
    }
}

impl Text for Arc<Path> {
    fn text(&self) -> Option<Cow<'_, [u8]>> {
        Some(path_bytes(self))
    }
}

impl<T: Text> Text for Option<T> {
    fn text(&self) -> Option<Cow<'_, [u8]>> {
        self.as_ref()?.text()
    }
}

pub(crate) fn escaped(texts: &[Vec<u8>]) -> Vec<String> {
    texts.iter().map(|text| escape(text).to_string()).collect()
}

/// Makes a function for each field name that serializes a text as that field, for `flatten`.
macro_rules! text_fields {
    ($($name:ident)*) => {
        $(pub(crate) fn $name<S: Serializer>(
            text: &impl Text,
            serializer: S,
        ) -> Result<S::Ok, S::Error> {
            let mut map = serializer.serialize_map(None)?;
            if let Some(bytes) = text.text() {
                text_entry(&mut map, stringify!($name), &bytes)?;
            }
            map.end()
        })*
    };
}

text_fields!(archive file from map missing name new_name page path snapshot);

/// The errors and the warnings, each a list of sentences.
pub(crate) fn sentences<M: SerializeMap>(
    map: &mut M,
    findings: &[Finding],
) -> Result<(), M::Error> {
    for (name, of_errors) in [("problems", true), ("warnings", false)] {
        let findings = findings.iter().filter(|it| it.is_error() == of_errors);
        let sentences: Vec<String> = findings.map(Finding::to_string).collect();
        map.serialize_entry(name, &sentences)?;
    }
    Ok(())
}

/// The errors and the warnings as two fields, for `flatten`.
pub(crate) fn errors_and_warnings<S: Serializer>(
    findings: &[Finding],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(None)?;
    sentences(&mut map, findings)?;
    map.end()
}

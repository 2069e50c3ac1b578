//! The fields of rows that are names and paths, each with a function that serializes it.

use serde::ser::{SerializeMap as _, Serializer};

use super::json::{Text, text_entry};

macro_rules! fields {
    ($($name:ident)*) => {
        $(pub(in crate::ops) fn $name<S: Serializer>(text: &impl Text, serializer: S) -> Result<S::Ok, S::Error> {
            let mut map = serializer.serialize_map(None)?;
            if let Some(bytes) = text.text() {
                text_entry(&mut map, stringify!($name), &bytes)?;
            }
            map.end()
        })*
    };
}

fields!(archive file map missing name new_name pak path);

//! The facts of a map: what stands in it, what it is made of, and where its parts lie.

use std::collections::BTreeMap;
use std::io;

use super::fact::{Collected, Depth, LISTED_MAX, number, text};
use crate::media::FileType;
use crate::media::entities::entities;
use crate::media::map::{Leafs, Map, MapError};
use crate::media::source::Source;

const QUAKE: [&str; 15] = [
    "entities",
    "planes",
    "textures",
    "vertexes",
    "visibility",
    "nodes",
    "texinfo",
    "faces",
    "lighting",
    "clipnodes",
    "leafs",
    "marksurfaces",
    "edges",
    "surfedges",
    "models",
];

/// Quake II's, and behind these two of Daikatana's.
const QUAKE2: [&str; 21] = [
    "entities",
    "planes",
    "vertexes",
    "visibility",
    "nodes",
    "texinfo",
    "faces",
    "lighting",
    "leafs",
    "leaffaces",
    "leafbrushes",
    "edges",
    "surfedges",
    "models",
    "brushes",
    "brushsides",
    "pop",
    "areas",
    "areaportals",
    "texinfo_colours",
    "plane_polygons",
];

const QUAKE3: [&str; 17] = [
    "entities",
    "shaders",
    "planes",
    "nodes",
    "leafs",
    "leafsurfaces",
    "leafbrushes",
    "models",
    "brushes",
    "brushsides",
    "drawverts",
    "drawindexes",
    "fogs",
    "surfaces",
    "lightmaps",
    "lightgrid",
    "visibility",
];

/// What the lumps of a map hold, by their numbers.
const fn lump_names(file_type: FileType) -> &'static [&'static str] {
    match file_type {
        FileType::Ibsp38 | FileType::Qbsp38 | FileType::Ibsp41 => &QUAKE2,
        FileType::Ibsp46 | FileType::Ibsp47 => &QUAKE3,
        _ => &QUAKE,
    }
}

/// Whether its textures are records of names, whose pixels are elsewhere.
const fn has_records(file_type: FileType) -> bool {
    use FileType::{Ibsp38, Ibsp41, Ibsp46, Ibsp47, Qbsp38};
    matches!(file_type, Ibsp38 | Qbsp38 | Ibsp41 | Ibsp46 | Ibsp47)
}

const fn version(file_type: FileType) -> Option<u32> {
    match file_type {
        FileType::Bsp29 => Some(29),
        FileType::Bsp30 => Some(30),
        FileType::Ibsp38 | FileType::Qbsp38 => Some(38),
        FileType::Ibsp41 => Some(41),
        FileType::Ibsp46 => Some(46),
        FileType::Ibsp47 => Some(47),
        _ => None,
    }
}

pub(super) fn add(
    all: &mut Collected,
    map: &Map,
    source: &mut (impl Source + ?Sized),
    depth: Depth,
) -> io::Result<()> {
    all.number("version", version(map.file_type));
    all.number("leaf_bytes", map.leafs.and_then(Leafs::bytes));
    let is_deep = depth == Depth::All;
    if let Some(text) = readable(all, map.entities(source), is_deep)? {
        add_entities(all, &text, is_deep);
    }
    if !is_deep {
        return Ok(());
    }
    if let Some(textures) = readable(all, map.textures(source), is_deep)? {
        all.number("textures", Some(textures.len() as u64));
        // Maps of Quake and Half-Life have textures in them, and name others.
        if !has_records(map.file_type) {
            let within = textures.iter().filter(|named| named.is_within).count();
            all.number("textures_inside", Some(within as u64));
        }
        let names = textures.into_iter().take(LISTED_MAX);
        all.texts("texture_names", names.map(|named| named.name).collect());
    }
    let mut records = Vec::new();
    for (name, lump) in lump_names(map.file_type).iter().zip(map.lumps()) {
        records.push(vec![
            text("name", name.as_bytes()),
            number("offset", lump.offset),
            number("size", lump.len),
        ]);
        let end = lump.offset.saturating_add(lump.len);
        if lump.len > 0 && end > source.size() {
            all.note(format!(
                "its {name} should lie at bytes {} to {end}, and it has {}",
                lump.offset,
                source.size()
            ));
        }
    }
    all.records("lumps", records);
    Ok(())
}

/// A part of a map, if it can be read: that a lump lies outside of the file is said of all lumps together.
fn readable<T>(
    all: &mut Collected,
    part: Result<T, MapError>,
    is_said: bool,
) -> io::Result<Option<T>> {
    match part {
        Ok(part) => Ok(Some(part)),
        Err(MapError::Io(error)) => Err(error),
        Err(error) => {
            if is_said && matches!(error, MapError::TooMany { .. }) {
                all.note(error.to_string());
            }
            Ok(None)
        }
    }
}

fn add_entities(all: &mut Collected, lump: &[u8], is_deep: bool) {
    let mut count: u64 = 0;
    let mut classes: BTreeMap<&[u8], u64> = BTreeMap::new();
    let (mut title, mut sky) = (None, None);
    for entity in entities(lump) {
        if count == 0 {
            title = entity.get("message");
            sky = entity.get("sky").or_else(|| entity.get("skyname"));
        }
        count = count.saturating_add(1);
        let class = entity.class();
        if let Some(number) = classes.get_mut(class) {
            *number = number.saturating_add(1);
        } else if classes.len() < LISTED_MAX {
            classes.insert(class, 1);
        }
    }
    all.text("title", title);
    all.text("sky", sky);
    all.number("entities", Some(count));
    if is_deep {
        // What there is most of comes first.
        let mut classes: Vec<(&[u8], u64)> = classes.into_iter().collect();
        classes.sort_by_key(|(_, count)| core::cmp::Reverse(*count));
        let records = classes.into_iter();
        let records =
            records.map(|(class, count)| vec![text("class", class), number("count", count)]);
        all.records("classes", records.collect());
    }
}

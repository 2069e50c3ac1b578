//! Models: MDL of Quake and Half-Life, MD2, MD3 and DKM, with the names of skins, surfaces and textures.
//!
//! | type | magic  | version | skins | vertices | triangles | frames |
//! |------|--------|---------|-------|----------|-----------|--------|
//! | MDL  | `IDPO` | 6       | 48    | 60       | 64        | 68     |
//! | MDL of Half-Life | `IDST` | 10 |  |          |           |        |
//! | MD2  | `IDP2` | 8       | 20    | 24       | 32        | 40     |
//! | MD3  | `IDP3` | 15      |       |          |           | 76     |
//! | DKM  | `DKMD` | 1 or 2  | 24    | 28       | 36        | 44     |
//!
//! The table has the offsets of numbers of 32 bits. Other versions of these formats are unknown.

use std::io;
use std::ops::RangeInclusive;

use super::facts::{Depth, FactList, LISTED_MAX, number, text};
use super::file::{File, Mismatch, check};
use crate::archive::bytes::Cursor;

/// Adds the version, if it is one of these.
pub(super) fn version(
    file: &File<'_>,
    facts: &mut FactList,
    versions: RangeInclusive<u32>,
) -> Result<(), Mismatch> {
    let version = file.start.at(4).u32("the version")?;
    check(versions.contains(&version))?;
    facts.number("version", Some(version));
    Ok(())
}

/// Adds the numbers at these offsets that are within the header.
pub(super) fn numbers(file: &File<'_>, facts: &mut FactList, places: &[(&'static str, usize)]) {
    for (name, at) in places {
        facts.number(name, file.start.at(*at).u32(name).ok());
    }
}

pub(super) fn mdl(file: &File<'_>, facts: &mut FactList) -> Result<(), Mismatch> {
    version(file, facts, 6..=6)?;
    numbers(file, facts, &[("skin_width", 52), ("skin_height", 56)]);
    numbers(file, facts, &[("frames", 68), ("skins", 48)]);
    numbers(file, facts, &[("vertices", 60), ("triangles", 64)]);
    facts.word("palette", "gfx/palette.lmp");
    Ok(())
}

pub(super) fn half_life_mdl(file: &File<'_>, facts: &mut FactList) -> Result<(), Mismatch> {
    version(file, facts, 10..=10)?;
    facts.text(
        "model",
        file.start.at(8).text("model", 64).unwrap_or_default(),
    );
    numbers(
        file,
        facts,
        &[("bones", 140), ("sequences", 164), ("textures", 180)],
    );
    names(file, facts, "texture_names", (180, 184), 80)?;
    Ok(())
}

pub(super) fn md2(file: &File<'_>, facts: &mut FactList) -> Result<(), Mismatch> {
    version(file, facts, 8..=8)?;
    numbers(file, facts, &[("skin_width", 8), ("skin_height", 12)]);
    numbers(file, facts, &[("frames", 40), ("skins", 20)]);
    numbers(file, facts, &[("vertices", 24), ("triangles", 32)]);
    names(file, facts, "skin_names", (20, 44), 64)?;
    Ok(())
}

pub(super) fn md3(file: &File<'_>, facts: &mut FactList) -> Result<(), Mismatch> {
    version(file, facts, 15..=15)?;
    numbers(file, facts, &[("frames", 76), ("surfaces", 84)]);
    surfaces(file, facts)?;
    Ok(())
}

pub(super) fn dkm(file: &File<'_>, facts: &mut FactList) -> Result<(), Mismatch> {
    version(file, facts, 1..=2)?;
    numbers(file, facts, &[("frames", 44), ("skins", 24)]);
    numbers(file, facts, &[("vertices", 28), ("triangles", 36)]);
    numbers(file, facts, &[("surfaces", 48)]);
    names(file, facts, "skin_names", (24, 52), 64)?;
    names(file, facts, "surface_names", (48, 72), 52)?;
    Ok(())
}

/// The number of some records and the offset of the first, if the header reaches that far.
fn records(file: &File<'_>, count: usize, offset: usize) -> Option<(u32, u64)> {
    let count = file.start.at(count).u32("the number of records").ok()?;
    let offset = file.start.at(offset).u32("where the records begin").ok()?;
    Some((count, offset.into()))
}

/// Adds the names at the beginning of records of this length. A name has 32 bytes in records of 52, in
/// others 64.
fn names(
    file: &File<'_>,
    facts: &mut FactList,
    list: &'static str,
    (count, offset): (usize, usize),
    record: usize,
) -> io::Result<()> {
    if file.depth < Depth::All {
        return Ok(());
    }
    let Some((count, mut at)) = records(file, count, offset) else {
        return Ok(());
    };
    let len = if record == 52 { 32 } else { 64 };
    let mut found = Vec::new();
    for _ in (0..count).take(LISTED_MAX) {
        let Some(field) = file.read(at, record.min(64))? else {
            let part = list.trim_end_matches("_names");
            facts.cut(&format!("{part}s"));
            break;
        };
        found.extend(Cursor::new(&field).text(list, len).map(<[u8]>::to_vec));
        at = at.saturating_add(record as u64);
    }
    facts.texts(list, found);
    Ok(())
}

/// Adds the surfaces of an MD3 and their shaders. Each surface holds the offset of the next.
fn surfaces(file: &File<'_>, facts: &mut FactList) -> Result<(), Mismatch> {
    const HEAD: u32 = 108;
    if file.depth < Depth::All {
        return Ok(());
    }
    let Some((count, mut at)) = records(file, 84, 100) else {
        return Ok(());
    };
    let (mut list, mut shaders) = (Vec::new(), Vec::new());
    let (mut all_vertices, mut all_triangles): (u64, u64) = (0, 0);
    for _ in (0..count).take(LISTED_MAX) {
        let bytes = file.read_up_to(at, HEAD as usize)?;
        let head = Cursor::new(&bytes);
        let end = head.at(104).u32("the end of the surface").unwrap_or(0);
        if !bytes.starts_with(b"IDP3") || end < HEAD {
            facts.cut("surfaces");
            break;
        }
        let vertices = head.at(80).u32("the number of vertices")?;
        let triangles = head.at(84).u32("the number of triangles")?;
        all_vertices = all_vertices.saturating_add(vertices.into());
        all_triangles = all_triangles.saturating_add(triangles.into());
        list.push(vec![
            text("name", head.at(4).text("the name", 64)?),
            number("vertices", vertices),
            number("triangles", triangles),
        ]);
        let first_shader = head.at(92).u32("where the shaders begin")?;
        let mut shader = at.saturating_add(first_shader.into());
        for _ in 0..head.at(76).u32("the number of shaders")? {
            if shaders.len() >= LISTED_MAX {
                break;
            }
            let Some(field) = file.read(shader, 64)? else {
                break;
            };
            shaders.push(Cursor::new(&field).text("a shader", 64)?.to_vec());
            shader = shader.saturating_add(68);
        }
        at = at.saturating_add(end.into());
    }
    facts.number("vertices", Some(all_vertices));
    facts.number("triangles", Some(all_triangles));
    facts.records("surface_list", list);
    facts.texts("shader_names", shaders);
    Ok(())
}

//! Models: MDL of Quake and Half-Life, MD2, MD3 and DKM, with the names of skins and textures.

use std::ops::RangeInclusive;

use super::row::Magic::Always;
use super::row::{FILE, Kind, TypeRow};
use crate::archive::bytes::Cursor;
use crate::media::file::{Depth, FactList, File, LISTED_MAX, Mismatch, check};

/// Names at the beginning of records: the fact, the offset of their number, the offset of the first record's offset,
/// and the lengths of a record and of a name.
type NameList = (&'static str, (usize, usize), usize, usize);

const MODEL: TypeRow = TypeRow { kind: Kind::Model, ..FILE };

pub(super) const MDL: TypeRow = TypeRow { magic: Always(b"IDPO"), look: mdl, ..MODEL };
pub(super) const HLMDL: TypeRow = TypeRow { magic: Always(b"IDST"), look: half_life_mdl, ..MODEL };
pub(super) const MD2: TypeRow = TypeRow { magic: Always(b"IDP2"), look: md2, ..MODEL };
pub(super) const MD3: TypeRow = TypeRow { magic: Always(b"IDP3"), look: md3, ..MODEL };
pub(super) const MD5: TypeRow = TypeRow { look: md5, ..MODEL };
pub(super) const DKM: TypeRow = TypeRow { magic: Always(b"DKMD"), look: dkm, ..MODEL };

fn mdl(file: &File<'_>, facts: &mut FactList) -> Result<(), Mismatch> {
    version(file, facts, 6..=6)?;
    numbers(file, facts, &[("skin_width", 52), ("skin_height", 56), ("frames", 68), ("skins", 48)]);
    numbers(file, facts, &[("vertices", 60), ("triangles", 64)]);
    facts.word("palette", "gfx/palette.lmp");
    Ok(())
}

fn half_life_mdl(file: &File<'_>, facts: &mut FactList) -> Result<(), Mismatch> {
    version(file, facts, 10..=10)?;
    let name = file.start.at(8).text("model", 64);
    facts.text("model", name.unwrap_or_default());
    let places = [("bones", 140), ("sequences", 164), ("textures", 180)];
    numbers(file, facts, &places);
    names(file, facts, &("texture_names", (180, 184), 80, 64))
}

fn md2(file: &File<'_>, facts: &mut FactList) -> Result<(), Mismatch> {
    version(file, facts, 8..=8)?;
    numbers(file, facts, &[("skin_width", 8), ("skin_height", 12), ("frames", 40), ("skins", 20)]);
    numbers(file, facts, &[("vertices", 24), ("triangles", 32)]);
    names(file, facts, &("skin_names", (20, 44), 64, 64))
}

fn md3(file: &File<'_>, facts: &mut FactList) -> Result<(), Mismatch> {
    version(file, facts, 15..=15)?;
    numbers(file, facts, &[("frames", 76), ("surfaces", 84)]);
    Ok(())
}

/// Both files of an MD5 model are text that begins with the version. The name tells which one it is.
fn md5(file: &File<'_>, _: &mut FactList) -> Result<(), Mismatch> {
    check(file.start.all().starts_with(b"MD5Version "))
}

fn dkm(file: &File<'_>, facts: &mut FactList) -> Result<(), Mismatch> {
    version(file, facts, 1..=2)?;
    numbers(file, facts, &[("frames", 44), ("skins", 24), ("vertices", 28), ("triangles", 36)]);
    numbers(file, facts, &[("surfaces", 48)]);
    names(file, facts, &("skin_names", (24, 52), 64, 64))?;
    names(file, facts, &("surface_names", (48, 72), 52, 32))
}

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

/// Adds the names at the beginning of records, if all facts are asked for.
fn names(file: &File<'_>, facts: &mut FactList, list: &NameList) -> Result<(), Mismatch> {
    if file.depth < Depth::All {
        return Ok(());
    }
    let &(list, (count, offset), record, len) = list;
    let count = file.start.at(count).u32("the number of records");
    let offset = file.start.at(offset).u32("where the records begin");
    let (Ok(count), Ok(offset)) = (count, offset) else {
        return Ok(());
    };
    let mut at = u64::from(offset);
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

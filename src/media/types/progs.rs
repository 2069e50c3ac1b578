//! Compiled QuakeC: progs.dat, qwprogs.dat and similar files.
//!
//! | at     | what                                                                              |
//! |--------|-----------------------------------------------------------------------------------|
//! | 0      | version: 6, or 7 in FTE's extended form                                             |
//! | 4      | CRC of the list of fields and globals that the engine shares with the code          |
//! | 8 - 52 | offset and number of statements, globals' and fields' definitions, functions, bytes of text, globals |
//! | 56     | how many fields an entity has                                                       |
//!
//! The format has no magic, so all parts must be in the file.
//!
//! The game for a CRC comes from Quakespasm-Spiked's `PR_LoadProgs` (`pr_edict.c`), which names the ones it
//! rejects, and from FTEQCC's list of known CRCs. Both agree where they overlap.

use super::row::{FILE, Kind, TypeRow};
use crate::media::file::{FactList, File, Mismatch, check};

pub(super) const ROW: TypeRow = TypeRow { kind: Kind::Code, look, ..FILE };

/// The record lengths: statements, definitions of globals and fields, functions, text, globals.
const RECORDS: [u64; 6] = [8, 8, 8, 36, 1, 4];

/// The known CRCs.
const GAMES: [(u32, &str); 9] = [
    (5927, "Quake"),
    (54730, "QuakeWorld"),
    (26940, "Quake, before its release"),
    (38488, "Hexen II"),
    (26905, "Hexen II: Portal of Praevus"),
    (14046, "Hexen II, demo"),
    (32401, "Tenebrae"),
    (22390, "CSQC: code of a client"),
    (52195, "CSQC of DarkPlaces: code of a client"),
];

fn look(file: &File<'_>, facts: &mut FactList) -> Result<(), Mismatch> {
    let mut header = file.start;
    let version = header.u32("the version")?;
    let crc = header.u32("the CRC")?;
    check(matches!(version, 6 | 7) && crc <= u16::MAX.into())?;
    let mut counts = [0; 6];
    for (count, record) in counts.iter_mut().zip(RECORDS) {
        let offset = header.u32("the offset of a part")?;
        *count = header.u32("the number of records")?;
        // Version 7 has other record lengths.
        let record = if version == 6 { record } else { 1 };
        let len = u64::from(*count).saturating_mul(record);
        let end = u64::from(offset).saturating_add(len);
        check(offset >= 60 && end <= file.len)?;
    }
    let [statements, globals, fields, functions, ..] = counts;
    facts.number("version", Some(version));
    facts.number("crc", Some(crc));
    for (_, game) in GAMES.iter().filter(|game| game.0 == crc) {
        facts.word("game", game);
    }
    facts.number("statements", Some(statements));
    facts.number("functions", Some(functions));
    facts.number("globals", Some(globals));
    facts.number("fields", Some(fields));
    Ok(())
}

//! Compiled QuakeC: progs.dat, qwprogs.dat and their like, as the header says.
//!
//! | at     | what                                                                              |
//! |--------|-----------------------------------------------------------------------------------|
//! | 0      | version: 6, or 7 in FTE's extended form                                             |
//! | 4      | CRC of the list of fields and globals that the engine shares with the code          |
//! | 8 - 52 | offset and number of statements, globals' and fields' definitions, functions, bytes of text, globals |
//! | 56     | how many fields an entity has                                                       |
//!
//! There is no magic, so all parts must lie in the file.
//!
//! Which game a CRC means, by Quakespasm-Spiked's `PR_LoadProgs` (`pr_edict.c`), which names those that it
//! refuses, and by FTEQCC's list of those that it recognises; both agree where both have one.

use super::source::long;

/// What the header of compiled QuakeC says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// The version of the form.
    pub version: u32,
    /// The CRC of what it shares with its engine.
    pub crc: u32,
    /// How many statements.
    pub statements: u32,
    /// How many functions.
    pub functions: u32,
    /// How many globals have a definition.
    pub globals: u32,
    /// How many fields have a definition.
    pub fields: u32,
}

/// The lengths of records of statements, definitions of globals and of fields, functions, text, globals.
const RECORDS: [u64; 6] = [8, 8, 8, 36, 1, 4];

/// The CRCs that are known.
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

impl Program {
    /// The program with this header, if its parts lie in the file.
    pub(super) fn of(start: &[u8], size: u64) -> Option<Self> {
        let version = long(start, 0).filter(|version| matches!(version, 6 | 7))?;
        let crc = long(start, 4).filter(|crc| *crc <= u16::MAX.into())?;
        let mut counts = [0; 6];
        for ((count, at), record) in counts.iter_mut().zip((8_usize..).step_by(8)).zip(RECORDS) {
            let offset = long(start, at)?;
            *count = long(start, at.checked_add(4)?)?;
            let len = u64::from(*count).checked_mul(record)?;
            // Version 7 has records of other lengths.
            let least = if version == 6 { len } else { (*count).into() };
            let end = u64::from(offset).checked_add(least)?;
            if offset < 60 || end > size {
                return None;
            }
        }
        let [statements, globals, fields, functions, ..] = counts;
        Some(Self {
            version,
            crc,
            statements,
            functions,
            globals,
            fields,
        })
    }

    /// The game, or the part of one, that the CRC means.
    #[must_use]
    pub fn game(&self) -> Option<&'static str> {
        let mut games = GAMES.iter();
        let found = games.find(|(crc, _)| *crc == self.crc);
        found.map(|(_, game)| *game)
    }
}

//! The engines that load paks, and what each makes of one: as data, in one table.
//!
//! A pak that its engine refuses is no pak. How many entries it may have, how names are compared,
//! which of two entries of one name is served, which paks of a folder are loaded at all and in
//! which order: engines of one family differ in each of these. The container knows none of it.
//!
//! | file      | job                                                                   |
//! |-----------|-----------------------------------------------------------------------|
//! | `table`   | one profile an engine, with how each fact is known                    |
//! | `profile` | what a profile says                                                   |
//! | `names`   | which names are one to an engine, and which it never finds             |
//! | `check`   | whether an engine loads a pak, why not, and how its names are found |
//! | `stock`   | Quake's own paks, which it knows by a checksum                        |
//!
//! ```
//! use daisho::engine::{Engine, Over};
//! use daisho::pak::Layout;
//!
//! let quake = Engine::by_name("quake").ok_or("no such engine")?.profile();
//! assert_eq!(quake.layout, Layout::Quake);
//! let most = quake.max_entries.ok_or("no limit")?;
//! assert_eq!((most.count, most.over), (2048, Over::RefusesToStart));
//! # Ok::<(), &str>(())
//! ```

mod check;
mod names;
mod profile;
mod stock;
mod table;

pub use check::{Entries, Facts, Place, Reason, Verdict, check, findable};
pub use names::{Backslash, Findable, Names, OddPaths};
pub use profile::{
    Broken, CutPayload, Duplicates, Empty, Listing, Loose, MaxEntries, Numbering, Offsets, Outcome,
    Over, OwnPak, Profile,
};
pub use stock::Stock;

/// An engine that loads paks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Engine {
    /// Quake, as id Software released it.
    Quake,
    /// QuakeSpasm.
    QuakeSpasm,
    /// Ironwail.
    Ironwail,
    /// vkQuake.
    VkQuake,
    /// QuakeSpasm-Spiked.
    Qss,
    /// DarkPlaces.
    DarkPlaces,
    /// FTEQW.
    Fteqw,
    /// Quake II, as id Software released it.
    Quake2,
    /// Yamagi Quake II.
    Yquake2,
    /// Q2PRO.
    Q2pro,
    /// Daikatana.
    Daikatana,
}

impl Engine {
    /// Every engine, by family.
    pub const ALL: [Self; 11] = [
        Self::Quake,
        Self::QuakeSpasm,
        Self::Ironwail,
        Self::VkQuake,
        Self::Qss,
        Self::DarkPlaces,
        Self::Fteqw,
        Self::Quake2,
        Self::Yquake2,
        Self::Q2pro,
        Self::Daikatana,
    ];

    /// The engine of this [name](Self::name), in any case.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        let named = |engine: &Self| engine.name().eq_ignore_ascii_case(name);
        Self::ALL.into_iter().find(named)
    }

    /// A stable word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Quake => "quake",
            Self::QuakeSpasm => "quakespasm",
            Self::Ironwail => "ironwail",
            Self::VkQuake => "vkquake",
            Self::Qss => "qss",
            Self::DarkPlaces => "darkplaces",
            Self::Fteqw => "fteqw",
            Self::Quake2 => "quake2",
            Self::Yquake2 => "yquake2",
            Self::Q2pro => "q2pro",
            Self::Daikatana => "daikatana",
        }
    }

    /// What it makes of paks.
    #[must_use]
    pub const fn profile(self) -> Profile {
        table::profile(self)
    }
}

impl core::fmt::Display for Engine {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_engine_is_found_by_its_name_in_any_case() {
        for engine in Engine::ALL {
            assert_eq!(Engine::by_name(engine.name()), Some(engine));
            let upper = engine.name().to_ascii_uppercase();
            assert_eq!(Engine::by_name(&upper), Some(engine));
        }
        assert_eq!(Engine::by_name("doom"), None);
    }
}

//! The engines, and a word for each.

/// An engine that loads paks, ZIPs, or both.
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
    /// ezQuake.
    EzQuake,
    /// Hexen II, in the engine uHexen2.
    Hexen2,
    /// Xash3D FWGS, an engine for Half-Life.
    Xash3d,
    /// Quake II, as id Software released it.
    Quake2,
    /// Yamagi Quake II.
    Yquake2,
    /// Yamagi Quake II Remaster.
    Yquake2Remaster,
    /// Q2PRO.
    Q2pro,
    /// ioquake3.
    IoQuake3,
    /// Daikatana.
    Daikatana,
}

impl Engine {
    /// Every engine, by family.
    pub const ALL: [Self; 16] = [
        Self::Quake,
        Self::QuakeSpasm,
        Self::Ironwail,
        Self::VkQuake,
        Self::Qss,
        Self::DarkPlaces,
        Self::Fteqw,
        Self::EzQuake,
        Self::Hexen2,
        Self::Xash3d,
        Self::Quake2,
        Self::Yquake2,
        Self::Yquake2Remaster,
        Self::Q2pro,
        Self::IoQuake3,
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
            Self::EzQuake => "ezquake",
            Self::Hexen2 => "hexen2",
            Self::Xash3d => "xash3d",
            Self::Quake2 => "quake2",
            Self::Yquake2 => "yquake2",
            Self::Yquake2Remaster => "yquake2remaster",
            Self::Q2pro => "q2pro",
            Self::IoQuake3 => "ioquake3",
            Self::Daikatana => "daikatana",
        }
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

//! Engines as a message lists them: `quake, q2pro`.

use core::fmt;

/// The names of engines, in an order that whoever makes the message chooses.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EngineNames(Vec<&'static str>);

impl EngineNames {
    /// Their verdict on an archive that they do not load as what it is.
    pub(super) fn verdict(&self, garbage: bool) -> &'static str {
        match garbage {
            true => self.verb("loads garbage from", "load garbage from"),
            false => self.verb("refuses", "refuse"),
        }
    }

    /// Which form of a verb goes with them.
    pub(super) fn verb(&self, of_one: &'static str, of_several: &'static str) -> &'static str {
        match self.0.len() {
            1 => of_one,
            _ => of_several,
        }
    }
}

impl FromIterator<&'static str> for EngineNames {
    fn from_iter<I: IntoIterator<Item = &'static str>>(names: I) -> Self {
        Self(names.into_iter().collect())
    }
}

impl fmt::Display for EngineNames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(", "))
    }
}

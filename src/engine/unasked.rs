//! Why an engine never asks for a pak that is there.

use core::fmt;

/// Why an engine never asks for a pak.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unasked {
    /// It asks for the same name in lower case.
    Case {
        /// The name it asks for.
        asks: String,
    },
    /// The numbers before it end earlier.
    Gap {
        /// The first number that is missing.
        missing: u32,
        /// Whether there is a pak of that number, which the engine takes for missing.
        there: bool,
    },
    /// Its number is above the last that is asked for.
    Number {
        /// The last.
        last: u32,
    },
    /// It has no number, and only numbers are asked for.
    Unnumbered,
    /// A pak is loaded whose name differs from its own only in case.
    Twice {
        /// Whether the file system's order decides between the two.
        listed: bool,
    },
    /// Its name does not end as a pak's does.
    Extension,
}

impl fmt::Display for Unasked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Case { asks } => write!(f, "it asks for {asks}, in lower case"),
            Self::Gap {
                missing,
                there: false,
            } => write!(
                f,
                "pak{missing}.pak is missing, and it asks for no number behind a gap"
            ),
            Self::Gap {
                missing,
                there: true,
            } => write!(
                f,
                "pak{missing}.pak has no entries, and it asks for no number behind such a one"
            ),
            Self::Number { last } => write!(f, "it asks for no number above {last}"),
            Self::Unnumbered => {
                f.write_str("it asks for pak0.pak, pak1.pak and so on, and no others")
            }
            Self::Twice { listed: false } => {
                f.write_str("one whose name differs only in case is loaded")
            }
            Self::Twice { listed: true } => f.write_str(
                "one whose name differs only in case is loaded; which of them it is, the order decides \
                 in which the file system lists them",
            ),
            Self::Extension => f.write_str("it loads only what ends in .pak"),
        }
    }
}

//! Why an engine never asks for a pak that is there.

use core::fmt;
use std::collections::BTreeSet;
use std::ffi::OsStr;

use super::order::{lower, number_of, yields};
use crate::engine::Numbering;

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

/// Why a pak of this name was not asked for: where the numbers ended, and which paks are loaded, in
/// lower case.
pub(super) fn why(
    name: &OsStr,
    numbering: Numbering,
    gap: Option<(u32, bool)>,
    loaded: &BTreeSet<Vec<u8>>,
) -> Unasked {
    let lower = lower(name);
    let is_lower = lower == name.as_encoded_bytes();
    let number = number_of(&lower);
    if let Some(listing) = numbering.listing() {
        if yields(numbering, name) || listing.once && loaded.contains(&lower) {
            let by_number = number
                .zip(gap)
                .is_some_and(|(number, (end, _))| number < end.into());
            let listed = !by_number;
            return Unasked::Twice { listed };
        }
        if !is_lower && number.is_none() && !listing.any_case {
            let asks = "*.pak".to_owned();
            return Unasked::Case { asks };
        }
    }
    match (number, numbering, gap) {
        (Some(number), _, _) if !is_lower => Unasked::Case {
            asks: format!("pak{number}.pak"),
        },
        (Some(_), _, Some((missing, there))) => Unasked::Gap { missing, there },
        (Some(number), Numbering::Fixed { last, .. }, _) if number > u64::from(last) => {
            Unasked::Number { last }
        }
        _ => Unasked::Unnumbered,
    }
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

//! Why an engine never asks for a pak that is there.

use core::fmt;
use std::collections::BTreeSet;
use std::ffi::OsStr;

use super::order::{lower, number_of};
use crate::ops::engine::{Listing, Numbering};

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
    /// Its name begins with `pak`, which a listing passes over.
    Pak,
    /// A pak is loaded whose name differs from its own only in case.
    Twice,
    /// Its name does not end as a pak's does.
    Extension,
}

/// Why a pak of this name was not asked for: where the numbers ended, and which paks are loaded, in
/// lower case.
pub(super) fn why(
    name: &OsStr,
    numbering: Numbering,
    listing: Option<Listing>,
    gap: Option<(u32, bool)>,
    loaded: &BTreeSet<Vec<u8>>,
) -> Unasked {
    let lower = lower(name);
    let is_lower = lower == name.as_encoded_bytes();
    let number = number_of(&lower);
    if let Some(listing) = listing {
        if listing.yields(name) || listing.once && loaded.contains(&lower) {
            return Unasked::Twice;
        }
        if !is_lower && !listing.any_case {
            let asks = match number {
                Some(number) => format!("pak{number}.pak"),
                None => "*.pak".to_owned(),
            };
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
        _ if listing.is_some() => Unasked::Pak,
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
            Self::Pak => f.write_str(
                "its name begins with \"pak\" and is none of the numbers that are asked for",
            ),
            Self::Twice => f.write_str("one whose name differs only in case is loaded"),
            Self::Extension => f.write_str("it loads only what ends in .pak"),
        }
    }
}

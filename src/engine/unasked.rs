//! Why an engine never asks for a pak that is there, as a clause.

/// Why an engine never asks for a pak.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unasked {
    /// It asks for the same name in lower case.
    #[error("it asks for {asks}, in lower case")]
    Case {
        /// The name it asks for.
        asks: String,
    },
    /// The numbers before it end earlier.
    #[error("pak{missing}.pak {}", gap_words(*.there))]
    Gap {
        /// The first number that is missing.
        missing: u32,
        /// Whether there is a pak of that number, which the engine takes for missing.
        there: bool,
    },
    /// Its number is above the last that is asked for.
    #[error("it asks for no number above {last}")]
    Number {
        /// The last.
        last: u32,
    },
    /// It has no number, and only numbers are asked for.
    #[error("it asks for pak0.pak, pak1.pak and so on, and no others")]
    Unnumbered,
    /// A pak is loaded whose name differs from its own only in case.
    #[error("one whose name differs only in case is loaded{}", order_words(*.listed))]
    Twice {
        /// Whether the file system's order decides between the two.
        listed: bool,
    },
    /// Its name does not end as a pak's does.
    #[error("it loads only what ends in .pak")]
    Extension,
}

const fn gap_words(there: bool) -> &'static str {
    match there {
        true => "has no entries, and it asks for no number behind such a one",
        false => "is missing, and it asks for no number behind a gap",
    }
}

const fn order_words(listed: bool) -> &'static str {
    match listed {
        true => "; which of them it is, the order decides in which the file system lists them",
        false => "",
    }
}

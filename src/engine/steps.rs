//! In which steps an engine asks for the archives of a folder.

use bstr::ByteSlice as _;

/// Archives that an engine asks for in one go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Step {
    /// `pak0`, `pak1`, and so on, each with these extensions in this order.
    Numbers {
        /// The extensions, in lower case.
        extensions: &'static [&'static str],
        /// The last number that is asked for, where gaps are allowed; without one the first number
        /// that is there with none of the extensions ends them.
        last: Option<u32>,
        /// Whether `PAK0.PAK` will do for `pak0.pak`.
        any_case: bool,
    },
    /// Whatever a listing of the folder yields.
    Listed(Listing),
}

/// How an engine finds archives by listing a folder. Where it takes them as the file system lists
/// them, which is no order, they are taken by name here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Listing {
    /// The extensions, in lower case, all in one list. Extensions that end in `dir` are of directories.
    pub extensions: &'static [&'static str],
    /// Whether `.PAK` will do for `.pak`.
    pub any_case: bool,
    /// What it is sorted by.
    pub sort: Sort,
    /// Whether a name is passed over that is a numbered one's but for its case, because it should
    /// have been loaded by its number.
    pub not_numbered: bool,
    /// Whether an archive is passed over if another one was loaded whose name differs only in case.
    pub once: bool,
}

/// What a listing is sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Sort {
    /// Nothing: archives come as the file system lists them.
    AsListed,
    /// The name without case.
    Name,
    /// By the bytes of the name, so upper-case letters come before lower-case ones.
    Bytes,
    /// Names that begin with `pak` first, by the number after it; then all others, by name.
    Number,
}

impl Step {
    /// The extensions of what it asks for.
    #[must_use]
    pub const fn extensions(&self) -> &'static [&'static str] {
        match self {
            Self::Numbers { extensions, .. } => extensions,
            Self::Listed(listing) => listing.extensions,
        }
    }

    /// Whether a name ends as those do that it asks for.
    pub(super) fn may_ask_for(&self, name: &[u8]) -> bool {
        let any_case = match self {
            Self::Numbers { any_case, .. } => *any_case,
            Self::Listed(listing) => listing.any_case,
        };
        has_extension(name, self.extensions(), any_case)
    }
}

/// Whether a name ends in a dot and one of these extensions.
pub(super) fn has_extension(name: &[u8], extensions: &[&str], any_case: bool) -> bool {
    let Some((_, extension)) = name.rsplit_once_str(b".") else {
        return false;
    };
    extensions.iter().any(|other| {
        let other = other.as_bytes();
        extension == other || any_case && extension.eq_ignore_ascii_case(other)
    })
}

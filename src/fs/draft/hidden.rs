//! Hidden names, for files that have no name of their own yet.

use std::ffi::{OsStr, OsString};
use std::hash::{BuildHasher as _, RandomState};
use std::io::{self, ErrorKind};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};

const PREFIX: &str = ".daisho-";
const SUFFIX: &str = ".tmp";

/// How many hidden names are tried. There are 2^32, so if more than a few are taken, somebody takes them on
/// purpose.
const NAMES_MAX: usize = 1000;

/// The first number of this process's hidden names. Other processes most likely begin elsewhere.
static START: LazyLock<u32> = LazyLock::new(|| {
    let [a, b, c, d, ..] = RandomState::new()
        .hash_one(std::process::id())
        .to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
});
static COUNT: AtomicU32 = AtomicU32::new(0);

/// A hidden name that no other file has, most likely.
pub(crate) fn next_name() -> OsString {
    let number = START.wrapping_add(COUNT.fetch_add(1, Ordering::Relaxed));
    format!("{PREFIX}{number:08x}{SUFFIX}").into()
}

/// Whether this is the hidden name of a draft. A killed run may have left it, and it is not one of the
/// user's files.
pub(crate) fn is_temporary(name: &OsStr) -> bool {
    let number = (name.as_encoded_bytes())
        .strip_prefix(PREFIX.as_bytes())
        .and_then(|rest| rest.strip_suffix(SUFFIX.as_bytes()));
    number.is_some_and(|digits| digits.len() == 8 && digits.iter().all(u8::is_ascii_hexdigit))
}

/// Tries hidden names until `make` finds one that is free.
pub(super) fn with_free_name<T>(
    make: impl Fn(&OsStr) -> io::Result<T>,
) -> io::Result<(OsString, T)> {
    for _ in 0..NAMES_MAX {
        let name = next_name();
        match make(&name) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            made => return Ok((name, made?)),
        }
    }
    let why = "every name for a temporary is taken";
    Err(io::Error::new(ErrorKind::AlreadyExists, why))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_temporary_is_known_by_its_name() {
        assert!(is_temporary(&next_name()));
        for name in [
            ".daisho-1.tmp",
            ".daisho-0000000g.tmp",
            "daisho-00000000.tmp",
            "a",
        ] {
            assert!(!is_temporary(OsStr::new(name)), "{name}");
        }
    }
}

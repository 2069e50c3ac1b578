//! The names of temporary files: made so that no two runs choose one, and known again.

use std::ffi::{OsStr, OsString};
use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};

const PREFIX: &str = ".daisho-";
const SUFFIX: &str = ".tmp";

/// Where this process begins to count: somewhere else than any other, most likely.
static START: LazyLock<u32> = LazyLock::new(|| {
    let [a, b, c, d, ..] = RandomState::new()
        .hash_one(std::process::id())
        .to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
});
static COUNT: AtomicU32 = AtomicU32::new(0);

/// A name that no other has, most likely.
pub(super) fn next_name() -> OsString {
    let number = START.wrapping_add(COUNT.fetch_add(1, Ordering::Relaxed));
    format!("{PREFIX}{number:08x}{SUFFIX}").into()
}

/// Whether this is the name of a temporary file. A killed run may have left it, and it is not one of the
/// user's files.
pub(crate) fn is_temporary(name: &OsStr) -> bool {
    let number = (name.as_encoded_bytes())
        .strip_prefix(PREFIX.as_bytes())
        .and_then(|rest| rest.strip_suffix(SUFFIX.as_bytes()));
    number.is_some_and(|digits| digits.len() == 8 && digits.iter().all(u8::is_ascii_hexdigit))
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

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

/// Whether a file of this name is what a killed run has left: half of something, and not to be
/// taken for a file of the user's.
pub(crate) fn is_temporary(name: &OsStr) -> bool {
    number_of(name).is_some()
}

/// Whether this process has made such a name.
pub(super) fn is_own(name: &OsStr) -> bool {
    let number = number_of(name).map(|number| number.wrapping_sub(*START));
    number.is_some_and(|number| number < COUNT.load(Ordering::Relaxed))
}

fn number_of(name: &OsStr) -> Option<u32> {
    let number = name.as_encoded_bytes().strip_prefix(PREFIX.as_bytes())?;
    let number = number.strip_suffix(SUFFIX.as_bytes())?;
    let is_number = number.len() == 8 && number.iter().all(u8::is_ascii_hexdigit);
    let number = core::str::from_utf8(number).ok().filter(|_| is_number)?;
    u32::from_str_radix(number, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_temporary_is_known_by_its_name() {
        let name = next_name();
        assert!(is_temporary(&name) && is_own(&name));
        let another = START.wrapping_sub(1);
        let another = OsString::from(format!("{PREFIX}{another:08x}{SUFFIX}"));
        assert!(is_temporary(&another) && !is_own(&another));
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

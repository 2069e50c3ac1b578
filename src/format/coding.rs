//! How a content is coded in an archive that is written.

use crate::archive::{Coding, Format, RawName};

/// The only types that Daikatana opens through its decompressor. It dies with a fatal error when
/// it meets any other type compressed.
const COMPRESSED_TYPES: [&str; 5] = ["tga", "bmp", "wal", "pcx", "bsp"];

/// Types that are compressed in themselves, and that engines stream where they are stored.
const STORED_TYPES: [&str; 9] = [
    "ogg", "mp3", "opus", "flac", "png", "jpg", "jpeg", "ogv", "webp",
];

/// Whether Daikatana reads a file of this name compressed: `.tga`, `.bmp`, `.wal`, `.pcx`, `.bsp`,
/// ASCII case ignored. All others must be stored.
#[must_use]
pub fn may_be_compressed(name: RawName<'_>) -> bool {
    has_type(name, &COMPRESSED_TYPES)
}

fn has_type(name: RawName<'_>, types: &[&str]) -> bool {
    name.extension().is_some_and(|extension| {
        let mut types = types.iter();
        types.any(|word| extension.eq_ignore_ascii_case(word.as_bytes()))
    })
}

/// The coding for a file of this name, where that makes it smaller. Daikatana's archives have only the
/// five types compressed that the game opens so: it dies at any other. ZIPs have all but those that are
/// compressed in themselves.
#[must_use]
pub fn coding_for(name: RawName<'_>, format: Format) -> Coding {
    match format.compresses() {
        Some(Coding::Daikatana) if may_be_compressed(name) => Coding::Daikatana,
        Some(Coding::Deflate) if !has_type(name, &STORED_TYPES) => Coding::Deflate,
        _ => Coding::Stored,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exactly_five_types_may_be_compressed() {
        let may = |name: &'static str| may_be_compressed(RawName::from(name));
        for name in ["a.tga", "b/c.BMP", "x.wal", "x.Pcx", "maps\\m.bsp"] {
            assert!(may(name), "{name}");
        }
        for name in ["tga", "a.wav", "a.tga/b", "a.tgax", "a.", "", "a.bsp.ent"] {
            assert!(!may(name), "{name}");
        }
    }
}

//! What the fuzz target `names` asserts of any bytes as a name: what is shown of it steers nothing
//! and leads back to it, and it is a path exactly if a second version of the rules accepts it.

use std::path::{Component, Path};

use crate::archive::build::PACKS;
use daisho::archive::{RawName, SafePath, escape, unescape};
use daisho::media::Kind;

pub(crate) fn names(data: &[u8]) {
    let shown = escape(data).to_string();
    assert!(!shown.chars().any(steers), "{shown:?}");
    assert_eq!(unescape(&shown).as_deref(), Some(data));
    if let Some(bytes) = std::str::from_utf8(data).ok().and_then(unescape) {
        assert_eq!(unescape(&escape(&bytes).to_string()), Some(bytes));
    }

    let name = RawName::new(data);
    let debug = format!("{name:?}");
    assert!(debug.len() >= 2 && debug.starts_with('"') && debug.ends_with('"'));
    assert!(!debug.chars().any(steers));
    let field = RawName::from_field(data).as_bytes();
    assert_eq!(Some(field), data.split(|byte| *byte == 0).next());
    assert!(data.ends_with(name.last_part()));
    if let Some(extension) = name.extension() {
        assert!(name.last_part().ends_with(extension));
        assert!(!extension.contains(&b'.'));
    }
    let upper = data.to_ascii_uppercase();
    assert_eq!(Kind::of(name), Kind::of(RawName::new(&upper)));
    for layout in PACKS {
        let coding = layout.coding_for(name);
        assert_eq!(coding, layout.coding_for(RawName::new(&upper)));
    }

    let path = SafePath::try_from(name);
    assert_eq!(path.is_ok(), harmless(data), "{name:?}: {path:?}");
    let Ok(path) = path else {
        return;
    };
    let system = path.to_path_buf();
    let plain = |part| matches!(part, Component::Normal(_));
    assert!(system.components().all(plain));
    assert_eq!(system.components().count(), path.parts().count());
    let below = Path::new("/root").join(&system);
    assert!(below.starts_with("/root") && below != Path::new("/root"));
    assert_eq!(RawName::new(path.as_bytes()), RawName::new(&slashes(data)));

    let key = path.conflict_key();
    let upper = SafePath::try_from(RawName::new(&upper)).unwrap();
    assert_eq!(upper.conflict_key(), key, "case makes no other file");
    // A letter can be longer in lower case, and a part too long then.
    if let Ok(folded) = SafePath::try_from(RawName::new(&key)) {
        assert_eq!(folded.conflict_key(), key);
    }
}

fn slashes(name: &[u8]) -> Vec<u8> {
    let slash = |byte: &u8| if *byte == b'\\' { b'/' } else { *byte };
    name.iter().map(slash).collect()
}

/// What no terminal may get of a stranger's name.
fn steers(c: char) -> bool {
    let bidirectional = matches!(c,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    c.is_control()
        || bidirectional
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{200b}'..='\u{200d}' | '\u{e0000}'..='\u{e0fff}')
}

/// The rules for a path once more, as one sentence: every part says something, ends in neither dot
/// nor space, has no character that Windows takes in no name, is not too long, and is no device.
fn harmless(name: &[u8]) -> bool {
    let name = slashes(name);
    if !cfg!(unix) && std::str::from_utf8(&name).is_err() {
        return false;
    }
    name.split(|byte| *byte == b'/').all(|part| {
        let taken = |byte: &u8| *byte >= 0x20 && !b"\x7f<>:\"|?*".contains(byte);
        let end = part.last().is_some_and(|last| !b". ".contains(last));
        end && part.len() <= 255 && part.iter().all(taken) && !device(part)
    })
}

fn device(part: &[u8]) -> bool {
    let stem = String::from_utf8_lossy(part).to_ascii_lowercase();
    let stem = stem.split('.').next().unwrap_or_default();
    let stem = stem.trim_end_matches(|c: char| c.is_ascii_whitespace());
    let numbered = ["com", "lpt"].iter().any(|port| {
        let number = stem.strip_prefix(port).unwrap_or_default();
        let mut digits = number.chars();
        matches!((digits.next(), digits.next()), (Some('0'..='9' | '¹' | '²' | '³'), None))
    });
    numbered || ["con", "prn", "aux", "nul", "conin$", "conout$"].contains(&stem)
}

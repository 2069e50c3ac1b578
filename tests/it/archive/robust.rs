//! Whatever the bytes are: no panic, an account that adds up, and answers that agree.

use daisho::archive::{Case, SafePath, Which, escape};
use daisho::{Archive, Format};
use proptest::prelude::*;

use super::build::Pak;

/// Does everything that can be done to a pak.
fn exercise(bytes: &[u8]) {
    for layout in [None, Some(Format::Quake), Some(Format::Daikatana)] {
        let archive = match Archive::from_source_with(bytes.to_vec(), layout) {
            Ok(archive) => archive,
            Err(error) => {
                assert!(!error.to_string().is_empty());
                continue;
            }
        };
        assert!(archive.why().len() >= 2 && archive.why().iter().all(|why| !why.is_empty()));
        assert_eq!(archive.account().sum(), bytes.len() as u64);
        let _ = archive.notes();
        for entry in archive.entries() {
            let name = entry.name();
            for case in [Case::Matters, Case::Ignored] {
                let first = archive.find(name.as_bytes(), case, Which::First).unwrap();
                let last = archive.find(name.as_bytes(), case, Which::Last).unwrap();
                assert!(first.index() <= entry.index() && entry.index() <= last.index());
            }
            let _ = (SafePath::try_from(name), name.to_string());
            match (entry.read(), entry.verify()) {
                (Ok(bytes), Ok(verified)) => {
                    assert_eq!(bytes.len() as u64, entry.size());
                    assert_eq!(verified.crc32, crc32fast::hash(&bytes));
                }
                (Err(a), Err(b)) => assert_eq!(a.to_string(), b.to_string()),
                (a, b) => panic!("{a:?} but {b:?}"),
            }
        }
    }
}

fn sample() -> Vec<u8> {
    Pak::new()
        .stored("maps/e1m1.ent", b"{}")
        .compressed("skins/a.tga", 70, b"\x00a\x7f\x03bcde\xff")
        .compressed("skins/b.tga", 66, b"\x01ab\xfe\x00\xff")
        .stored("maps/e1m1.ent", b"{}")
        .daikatana()
}

proptest! {
    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        exercise(&bytes);
        let mut pak = b"PACK\x0c\0\0\0".to_vec();
        pak.extend((bytes.len() as u32).to_le_bytes());
        pak.extend(bytes);
        exercise(&pak);
    }

    #[test]
    fn a_pak_with_bytes_changed_and_its_end_cut(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..8),
        cut in 0_usize..40,
    ) {
        let mut bytes = sample();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        bytes.truncate(bytes.len() - cut);
        exercise(&bytes);
    }

    #[test]
    fn nothing_shown_can_steer_a_terminal(name in prop::collection::vec(any::<u8>(), 0..56)) {
        let shown = escape(&name).to_string();
        prop_assert!(!shown.chars().any(|c| c.is_control()));
        let steers = ['\u{202e}', '\u{2066}', '\u{2028}', '\u{feff}'];
        prop_assert!(!shown.contains(steers));
    }

    #[test]
    fn a_safe_path_has_only_harmless_parts(name in "[a-z./\\\\: ]{0,20}") {
        if let Ok(path) = SafePath::try_from(daisho::archive::RawName::from(name.as_str())) {
            let path = path.to_path_buf();
            prop_assert!(path.is_relative());
            prop_assert!(path.components().all(|part| matches!(part, std::path::Component::Normal(_))));
        }
    }
}

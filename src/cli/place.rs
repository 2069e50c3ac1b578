//! Where something went wrong: the line behind `-->` of a message.

use daisho::archive::quoted;
use daisho::error::Error;

use super::text;

/// `pak: entry N "name", byte OFFSET`, as much of it as is known.
pub(super) fn place(error: &Error) -> Option<String> {
    let pak = error.pak().map(text::path);
    let entry = error
        .entry()
        .map(|(index, name)| format!("entry {index} {}", quoted(name.as_bytes())));
    let byte = error.offset().map(|offset| format!("byte {offset}"));
    let inside: Vec<String> = entry.into_iter().chain(byte).collect();
    match (pak, inside.is_empty()) {
        (None, true) => None,
        (Some(pak), true) => Some(pak),
        (None, false) => Some(inside.join(", ")),
        (Some(pak), false) => Some(format!("{pak}: {}", inside.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use daisho::ErrorKind;
    use daisho::archive::RawName;

    #[test]
    fn a_place_says_what_is_known() {
        let error = || Error::from(ErrorKind::FailedBefore);
        assert_eq!(place(&error()), None);
        assert_eq!(place(&error().in_pak("a.pak")).unwrap(), "a.pak");
        assert_eq!(place(&error().at(7)).unwrap(), "byte 7");
        let all = error()
            .in_pak("a\x1b.pak")
            .in_entry(3, RawName::from("b\n\"c"))
            .at(7);
        assert_eq!(
            place(&all).unwrap(),
            r#"a\x1b.pak: entry 3 "b\x0a\"c", byte 7"#
        );
    }
}

//! Which characters of a name are escaped, compared with Unicode's own files.

use daisho::archive::escape;

/// Where Debian's package `unicode-data` puts Unicode's own files.
const UNICODE: &str = "/usr/share/unicode";

fn is_shown(c: char) -> bool {
    escape(c.to_string().as_bytes()).to_string() == c.to_string()
}

#[test]
fn invisible_characters_of_names_are_escaped() {
    let invisible = [
        0xad..=0xad,
        0x34f..=0x34f,
        0x61c..=0x61c,
        0x115f..=0x1160,
        0x17b4..=0x17b5,
        0x180b..=0x180f,
        0x200b..=0x200f,
        0x202a..=0x202e,
        0x2060..=0x206f,
        0x3164..=0x3164,
        0xfe00..=0xfe0f,
        0xfeff..=0xfeff,
        0xffa0..=0xffa0,
        0xfff0..=0xfffb,
        0x13430..=0x1343f,
        0x1bca0..=0x1bca3,
        0x1d173..=0x1d17a,
        0xe0000..=0xe0fff,
    ];
    for c in invisible.into_iter().flatten().filter_map(char::from_u32) {
        let name = format!("maps{c}/a{c}.bsp");
        let shown = escape(name.as_bytes()).to_string();
        let code = format!(r"\u{{{:x}}}", u32::from(c));
        assert_eq!(shown, format!("maps{code}/a{code}.bsp"));
    }
}

/// Escaped is what Unicode calls a control, a format character that shows nothing, a separator of
/// lines, or ignorable by default; and nothing else that has been given a meaning.
#[test]
fn exactly_what_unicode_hides_is_escaped() {
    let file = |name: &str| std::fs::read_to_string(format!("{UNICODE}/{name}"));
    let files = (file("UnicodeData.txt"), file("DerivedCoreProperties.txt"), file("PropList.txt"));
    let (Ok(data), Ok(derived), Ok(listed)) = files else {
        crate::skips::skip(&format!("{UNICODE} is missing, which Debian's unicode-data installs"));
        return;
    };
    let ignorable = property(&derived, "Default_Ignorable_Code_Point");
    // Signs such as U+0600, which are drawn around the digits that follow.
    let drawn = property(&listed, "Prepended_Concatenation_Mark");
    assert!(ignorable.len() > 4000 && drawn.len() > 5);
    for c in ignorable.iter().filter_map(|c| char::from_u32(*c)) {
        assert!(!is_shown(c), "U+{:04X}", u32::from(c));
    }
    let mut seen = 0;
    for line in data.lines() {
        let fields: Vec<&str> = line.split(';').collect();
        let code = u32::from_str_radix(fields[0], 16).unwrap();
        let Some(c) = char::from_u32(code).filter(|c| *c != '\\') else {
            continue;
        };
        let steers = match fields[2] {
            "Cc" | "Zl" | "Zp" => true,
            "Cf" => !drawn.contains(&code),
            _ => ignorable.contains(&code),
        };
        assert_eq!(is_shown(c), !steers, "U+{code:04X}, {}", fields[1]);
        seen += 1;
    }
    assert!(seen > 30_000);
}

/// The characters that have a property, from one of Unicode's files of properties.
fn property(file: &str, property: &str) -> Vec<u32> {
    let lines = file.lines().filter_map(|line| {
        let (range, name) = line.split('#').next()?.split_once(';')?;
        (name.trim() == property).then(|| range.trim())
    });
    let number = |hex| u32::from_str_radix(hex, 16).unwrap();
    let ranges = lines.map(|range| {
        let (from, to) = range.split_once("..").unwrap_or((range, range));
        number(from)..=number(to)
    });
    ranges.flatten().collect()
}

//! Which paks of a folder an engine asks for, and in which order: a pure function of the names
//! there, of the engine's rule, and of what came of each that was asked for.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};

use super::unasked::{Unasked, why};
use crate::engine::{Engine, Listing, Numbering};

/// What came of asking for a pak that is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Came {
    Loaded,
    /// It is there, and not loaded.
    Refused,
    /// The engine takes it for missing.
    Missing,
}

/// Where in the order of a folder's paks one is loaded.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::ops) struct Place(Key);

/// Where an engine loads a pak of this name, taken for granted that no number before it is
/// missing.
pub(in crate::ops) fn place(name: &OsStr, engine: Engine) -> Result<Place, Unasked> {
    let numbering = engine.profile().numbering;
    let bytes = name.as_encoded_bytes();
    let last = match numbering {
        Numbering::UpToFirstMissing { .. } => Some(u64::MAX),
        Numbering::Fixed { last, .. } => Some(last.into()),
        Numbering::ByName(_) | Numbering::ByNumberThenName(_) => None,
    };
    if let (Some(number), Some(last)) = (number_of(bytes), last)
        && number <= last
    {
        return Ok(Place(Key {
            unnumbered: false,
            number,
            rest: Vec::new(),
            has_upper: false,
            name: bytes.to_vec(),
        }));
    }
    if yields(numbering, name) {
        return Ok(Place(match numbering {
            Numbering::ByNumberThenName(_) => by_number(name),
            _ => by_name(name),
        }));
    }
    if !is_pak_name(name) {
        return Err(Unasked::Extension);
    }
    Err(why(name, numbering, None, &BTreeSet::new()))
}

/// What came of asking.
#[derive(Debug)]
pub(super) struct Told {
    /// Which paks were never asked for, and why.
    pub(super) unasked: Vec<(OsString, Unasked)>,
    /// Paks that were loaded, each list in an order that the engine leaves to the file system.
    pub(super) unsorted: Vec<Vec<OsString>>,
}

/// Asks for paks in the order of `numbering`, and says why the others are never asked for.
pub(super) fn ask(
    names: &BTreeSet<OsString>,
    numbering: Numbering,
    mut ask: impl FnMut(&OsStr) -> Came,
) -> Told {
    let mut asked = Asked {
        ask: &mut ask,
        names: BTreeSet::new(),
        loaded: BTreeSet::new(),
    };
    let mut gap = None;
    let listing = match numbering {
        Numbering::UpToFirstMissing { then, pk3_counts } => {
            for number in 0.. {
                let name = numbered(number);
                let there = names.contains(&name);
                let came = there.then(|| asked.ask(&name));
                let goes_on = matches!(came, Some(Came::Loaded | Came::Refused))
                    || pk3_counts && names.contains(&OsString::from(format!("pak{number}.pk3")));
                if !goes_on {
                    gap = Some((number, there));
                    break;
                }
            }
            then
        }
        Numbering::Fixed { last, then } => {
            let all = (0..=last).map(numbered);
            all.filter(|name| names.contains(name)).for_each(|name| {
                asked.ask(&name);
            });
            then
        }
        Numbering::ByName(listing) | Numbering::ByNumberThenName(listing) => Some(listing),
    };
    let unsorted = listing.map_or_else(Vec::new, |it| asked.list(names, numbering, it));
    let Asked {
        names: asked,
        loaded,
        ..
    } = asked;
    let unasked = names
        .iter()
        .filter(|name| is_pak_name(name) && !asked.contains(*name));
    let unasked = unasked
        .map(|name| (name.clone(), why(name, numbering, gap, &loaded)))
        .collect();
    Told { unasked, unsorted }
}

/// Whether a name ends as a pak's does, in whatever case.
pub(super) fn is_pak_name(name: &OsStr) -> bool {
    lower(name).ends_with(b".pak")
}

/// What was asked for, and what is loaded.
struct Asked<'a> {
    ask: &'a mut dyn FnMut(&OsStr) -> Came,
    names: BTreeSet<OsString>,
    /// In lower case.
    loaded: BTreeSet<Vec<u8>>,
}

impl Asked<'_> {
    fn ask(&mut self, name: &OsStr) -> Came {
        let came = (self.ask)(name);
        self.names.insert(name.to_owned());
        if came == Came::Loaded {
            self.loaded.insert(lower(name));
        }
        came
    }

    /// Asks for what a listing yields, and says of which of it the order is the file system's.
    fn list(
        &mut self,
        names: &BTreeSet<OsString>,
        numbering: Numbering,
        listing: Listing,
    ) -> Vec<Vec<OsString>> {
        let mut all: Vec<(Key, &OsString)> = names
            .iter()
            .filter(|name| yields(numbering, name))
            .map(|name| match numbering {
                Numbering::ByNumberThenName(_) => (by_number(name), name),
                _ => (by_name(name), name),
            })
            .collect();
        all.sort();
        let same = |a: &(Key, &OsString), b: &(Key, &OsString)| {
            !listing.sorted || a.0.without_case() == b.0.without_case()
        };
        let mut unsorted = Vec::new();
        for group in all.chunk_by(same) {
            let mut loaded = Vec::new();
            for (_, name) in group {
                let twice = listing.once && self.loaded.contains(&lower(name));
                if !twice && !self.names.contains(*name) && self.ask(name) == Came::Loaded {
                    loaded.push((*name).clone());
                }
            }
            if loaded.len() > 1 {
                unsorted.push(loaded);
            }
        }
        unsorted
    }
}

/// Whether what is listed behind the numbers, or instead of them, is a file of this name.
pub(super) fn yields(numbering: Numbering, name: &OsStr) -> bool {
    let Some(listing) = numbering.listing() else {
        return false;
    };
    let extension = if listing.any_case {
        is_pak_name(name)
    } else {
        name.as_encoded_bytes().ends_with(b".pak")
    };
    extension && !(listing.not_numbered && is_numbered(numbering, name))
}

/// Whether a name is in some case one of those that are asked for by number.
fn is_numbered(numbering: Numbering, name: &OsStr) -> bool {
    let last = match numbering {
        Numbering::Fixed { last, .. } => last.into(),
        _ => u64::MAX,
    };
    number_of(&lower(name)).is_some_and(|number| number <= last)
}

fn numbered(number: u32) -> OsString {
    format!("pak{number}.pak").into()
}

/// The number of `pakN.pak`, written as engines write it.
pub(super) fn number_of(lower: &[u8]) -> Option<u64> {
    let digits = lower.strip_prefix(b"pak")?.strip_suffix(b".pak")?;
    let number: u64 = core::str::from_utf8(digits).ok()?.parse().ok()?;
    (number.to_string().as_bytes() == digits).then_some(number)
}

/// What sorts paks.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    /// What has no number comes behind what has one.
    unnumbered: bool,
    number: u64,
    /// The rest of the name, in lower case.
    rest: Vec<u8>,
    /// From here on no engine sorts; here lower case goes first.
    has_upper: bool,
    name: Vec<u8>,
}

impl Key {
    /// As far as an engine sorts.
    fn without_case(&self) -> (bool, u64, &[u8]) {
        (self.unnumbered, self.number, &self.rest)
    }
}

fn by_name(name: &OsStr) -> Key {
    let (lower, name) = (lower(name), name.as_encoded_bytes().to_vec());
    Key {
        unnumbered: true,
        number: 0,
        has_upper: lower != name,
        rest: lower,
        name,
    }
}

/// Names that begin with `pak` go before all others, by the number behind that.
fn by_number(name: &OsStr) -> Key {
    let key = by_name(name);
    let Some(rest) = key.rest.strip_prefix(b"pak") else {
        return key;
    };
    let (number, rest) = strtoul(rest);
    Key {
        unnumbered: false,
        number,
        rest: rest.to_vec(),
        ..key
    }
}

/// The number at the start, and what follows it, as C's `strtoul` has them where a long has 64 bits:
/// behind spaces and a sign, which `-` turns round; without a digit 0 and all of it.
fn strtoul(text: &[u8]) -> (u64, &[u8]) {
    let space = |byte: &u8| matches!(byte, b' ' | b'\t'..=b'\r');
    let at = text.iter().take_while(|byte| space(byte)).count();
    let sign = text.get(at).filter(|byte| matches!(byte, b'+' | b'-'));
    let at = at + usize::from(sign.is_some());
    let digits = text.get(at..).unwrap_or_default();
    let len = digits
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let (digits, rest) = digits.split_at_checked(len).unwrap_or_default();
    if digits.is_empty() {
        return (0, text);
    }
    let number = core::str::from_utf8(digits)
        .ok()
        .and_then(|it| it.parse().ok());
    match (number, sign) {
        (None, _) => (u64::MAX, rest),
        (Some(number), Some(b'-')) => (u64::wrapping_neg(number), rest),
        (Some(number), _) => (number, rest),
    }
}

/// A name in lower case.
pub(super) fn lower(name: &OsStr) -> Vec<u8> {
    name.as_encoded_bytes().to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is asked for, in order, then what is not and why. A name that ends in `!` is there
    /// and empty, so that some engines take it for missing.
    fn asks(engine: Engine, names: &str) -> (String, Vec<String>) {
        let empty: Vec<&str> = names
            .split(' ')
            .filter_map(|n| n.strip_suffix('!'))
            .collect();
        let names: BTreeSet<OsString> = names
            .split(' ')
            .map(|name| name.trim_end_matches('!').into())
            .collect();
        let mut order = Vec::new();
        let told = ask(&names, engine.profile().numbering, |name| {
            let name = name.to_str().unwrap();
            if empty.contains(&name) {
                return Came::Missing;
            }
            order.push(name.to_owned());
            Came::Loaded
        });
        let unasked = told
            .unasked
            .iter()
            .map(|(name, why)| format!("{}: {why}", name.to_str().unwrap()))
            .collect();
        (order.join(" "), unasked)
    }

    const NAMES: &str = "pak0.pak pak1.pak pak3.pak pak10.pak pak100.pak pak07.pak PAK2.PAK \
                         Pak1.pak mod.pak Zoo.pak b.PAK pak4.pk3 readme.txt";

    #[test]
    fn what_is_never_asked_for_has_its_reason() {
        let (_, quake) = asks(Engine::Quake, NAMES);
        assert_eq!(
            quake,
            [
                "PAK2.PAK: it asks for pak2.pak, in lower case",
                "Pak1.pak: it asks for pak1.pak, in lower case",
                "Zoo.pak: it asks for pak0.pak, pak1.pak and so on, and no others",
                "b.PAK: it asks for pak0.pak, pak1.pak and so on, and no others",
                "mod.pak: it asks for pak0.pak, pak1.pak and so on, and no others",
                "pak07.pak: it asks for pak0.pak, pak1.pak and so on, and no others",
                "pak10.pak: pak2.pak is missing, and it asks for no number behind a gap",
                "pak100.pak: pak2.pak is missing, and it asks for no number behind a gap",
                "pak3.pak: pak2.pak is missing, and it asks for no number behind a gap",
            ]
        );
        let (_, quake2) = asks(Engine::Quake2, "pak9.pak pak10.pak");
        assert_eq!(quake2, ["pak10.pak: it asks for no number above 9"]);
        let (_, yquake2) = asks(Engine::Yquake2, NAMES);
        assert_eq!(
            yquake2,
            [
                "PAK2.PAK: it asks for pak2.pak, in lower case",
                "Pak1.pak: it asks for pak1.pak, in lower case",
                "b.PAK: it asks for *.pak, in lower case",
            ]
        );
        // The number decides, or else the order of the file system.
        let twice = "Pak1.pak: one whose name differs only in case is loaded";
        let listed = "; which of them it is, the order decides in which the file system lists them";
        assert_eq!(asks(Engine::Qss, NAMES).1, [twice]);
        assert_eq!(asks(Engine::Fteqw, NAMES).1, [twice]);
        assert_eq!(
            asks(Engine::DarkPlaces, NAMES).1,
            [format!("{twice}{listed}")]
        );
        assert_eq!(asks(Engine::Q2pro, NAMES).1, [""; 0]);
        let (_, qss) = asks(Engine::Qss, "pak0.pak a.pak A.pak");
        assert_eq!(qss, [format!("{}{listed}", twice.replace("Pak1", "A"))]);
    }

    #[test]
    fn paks_are_told_of_which_the_file_system_sets_the_order() {
        let unsorted = |engine: Engine, names: &str| {
            let names = names.split(' ').map(OsString::from).collect();
            let told = ask(&names, engine.profile().numbering, |_| Came::Loaded);
            let all = told
                .unsorted
                .iter()
                .map(|group| group.join(OsStr::new(" ")));
            all.map(|group| group.into_string().unwrap())
                .collect::<Vec<_>>()
        };
        let names = "pak0.pak pak1.pak Pak1.pak b.pak a.pak A.pak";
        assert_eq!(unsorted(Engine::Quake, names), [""; 0]);
        assert_eq!(unsorted(Engine::Qss, names), ["a.pak b.pak"]);
        assert_eq!(unsorted(Engine::Yquake2, names), ["a.pak A.pak b.pak"]);
        assert_eq!(unsorted(Engine::Fteqw, names), [""; 0]);
        assert_eq!(unsorted(Engine::DarkPlaces, names), [""; 0]);
        assert_eq!(
            unsorted(Engine::Q2pro, names),
            ["pak1.pak Pak1.pak", "a.pak A.pak"]
        );
    }

    #[test]
    fn numbers_are_read_as_c_reads_them() {
        for (text, number, rest) in [
            ("12.pak", 12, ".pak"),
            ("0012x", 12, "x"),
            ("foo", 0, "foo"),
            ("-2.pak", u64::MAX - 1, ".pak"),
            ("+7", 7, ""),
            (" \t7", 7, ""),
            ("-.pak", 0, "-.pak"),
            ("", 0, ""),
            ("18446744073709551616", u64::MAX, ""),
        ] {
            assert_eq!(
                strtoul(text.as_bytes()),
                (number, rest.as_bytes()),
                "{text}"
            );
        }
    }

    /// The same rules from the other side: what is asked for has a place, in the order in which it
    /// is asked for, where no number is missing.
    #[test]
    fn every_name_that_is_asked_for_has_its_place_in_the_order() {
        let names =
            format!("{NAMES} pak2.pak pak4.pak pak5.pak pak6.pak pak7.pak pak8.pak pak9.pak");
        let names = names
            .replace("Pak1.pak ", "")
            .replace("PAK2.PAK ", "")
            .replace("pak100.pak ", "");
        for engine in Engine::ALL {
            let (order, _) = asks(engine, &names);
            let mut placed: Vec<(Place, &str)> = names
                .split(' ')
                .filter_map(|name| Some((place(name.as_ref(), engine).ok()?, name)))
                .collect();
            placed.sort();
            let placed: Vec<&str> = placed.into_iter().map(|(_, name)| name).collect();
            assert_eq!(placed.join(" "), order, "{engine}");
        }
        let refused = |name: &str, engine| place(name.as_ref(), engine).unwrap_err();
        assert_eq!(
            refused("pak10.pak", Engine::Quake2),
            Unasked::Number { last: 9 }
        );
        assert_eq!(refused("mod.pak", Engine::Quake), Unasked::Unnumbered);
        assert_eq!(refused("mod.bin", Engine::DarkPlaces), Unasked::Extension);
    }

    #[test]
    fn a_pak_that_counts_as_missing_ends_the_numbers_and_a_pk3_goes_on() {
        let names = "pak0.pak pak1.pak! pak2.pak";
        let (order, unasked) = asks(Engine::QuakeSpasm, names);
        assert_eq!(order, "pak0.pak");
        assert_eq!(
            unasked,
            ["pak2.pak: pak1.pak has no entries, and it asks for no number behind such a one"]
        );
        // The listing finds it, at another place in the order.
        let (order, unasked) = asks(Engine::Qss, "a.pak pak0.pak pak1.pak! pak2.pak");
        assert_eq!(
            (order.as_str(), unasked.len()),
            ("pak0.pak a.pak pak2.pak", 0)
        );
        let (order, _) = asks(Engine::Qss, "a.pak pak0.pak pak1.pk3 pak2.pak");
        assert_eq!(order, "pak0.pak pak2.pak a.pak");
        let (order, _) = asks(Engine::Fteqw, "a.pak pak0.pak pak1.pk3 pak2.pak");
        assert_eq!(order, "pak0.pak a.pak pak2.pak");
    }
}

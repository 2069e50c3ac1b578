//! Which paks of a folder an engine asks for, and in which order: a pure function of the names
//! there, of the engine's rule, and of what came of each that was asked for.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};

use super::unasked::{Unasked, why};
use crate::ops::engine::{Engine, Listing, Numbering};

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
    let (last, listing) = match numbering {
        Numbering::UpToFirstMissing { then, .. } => (u64::MAX, then),
        Numbering::Fixed { last, then } => (last.into(), then),
        Numbering::ByName(listing) if listing.yields(name) => return Ok(Place(by_name(name))),
        Numbering::ByNumberThenName(listing) if listing.yields(name) => {
            return Ok(Place(by_number(name)));
        }
        Numbering::ByName(listing) | Numbering::ByNumberThenName(listing) => (0, Some(listing)),
    };
    if let Some(number) = number_of(bytes).filter(|number| *number <= last) {
        return Ok(Place((false, number, Vec::new(), false, bytes.to_vec())));
    }
    if listing.is_some_and(|listing| listing.yields(name)) {
        return Ok(Place(by_name(name)));
    }
    if !is_pak_name(name) {
        return Err(Unasked::Extension);
    }
    Err(why(name, numbering, listing, None, &BTreeSet::new()))
}

/// What came of asking.
#[derive(Debug)]
pub(super) struct Told {
    /// Which paks were never asked for, and why.
    pub(super) unasked: Vec<(OsString, Unasked)>,
    /// How many of the paks that were loaded, the last ones, came from a listing that the engine
    /// does not sort.
    pub(super) unsorted: usize,
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
    let (mut gap, mut unsorted) = (None, 0);
    let sorted = matches!(
        numbering,
        Numbering::ByName(_) | Numbering::ByNumberThenName(_)
    );
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
    if let Some(listing) = listing {
        let mut all: Vec<&OsString> = names.iter().filter(|name| listing.yields(name)).collect();
        all.sort_by_cached_key(|name| match numbering {
            Numbering::ByNumberThenName(_) => by_number(name),
            _ => by_name(name),
        });
        for name in all {
            let twice = listing.once && asked.loaded.contains(&lower(name));
            if !twice && !asked.names.contains(name) {
                let came = asked.ask(name);
                unsorted += usize::from(!sorted && came == Came::Loaded);
            }
        }
    }
    let Asked {
        names: asked,
        loaded,
        ..
    } = asked;
    let unasked = names
        .iter()
        .filter(|name| is_pak_name(name) && !asked.contains(*name));
    let unasked = unasked
        .map(|name| (name.clone(), why(name, numbering, listing, gap, &loaded)))
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
}

impl Listing {
    /// Whether the listing yields a file of this name.
    pub(super) fn yields(&self, name: &OsStr) -> bool {
        let bytes = name.as_encoded_bytes();
        let extension = if self.any_case {
            is_pak_name(name)
        } else {
            bytes.ends_with(b".pak")
        };
        extension && !(self.not_pak && bytes.starts_with(b"pak"))
    }
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

/// What sorts paks: a class, a number, the name without case, and the name itself, where lower
/// case goes first.
type Key = (bool, u64, Vec<u8>, bool, Vec<u8>);

fn by_name(name: &OsStr) -> Key {
    let bytes = name.as_encoded_bytes();
    let lower = lower(name);
    let is_upper = lower != bytes;
    (true, 0, lower, is_upper, bytes.to_vec())
}

/// Names that begin with `pak` go before all others, by the number behind that, which is 0 where
/// there is none.
fn by_number(name: &OsStr) -> Key {
    let lower = lower(name);
    let Some(rest) = lower.strip_prefix(b"pak") else {
        return by_name(name);
    };
    let end = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, rest) = rest.split_at_checked(end).unwrap_or_default();
    let number = match digits {
        [] => 0,
        digits => core::str::from_utf8(digits)
            .ok()
            .and_then(|digits| digits.parse().ok())
            .unwrap_or(u64::MAX),
    };
    let bytes = name.as_encoded_bytes();
    (false, number, rest.to_vec(), lower != bytes, bytes.to_vec())
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

    /// Written by hand from the facts, for each rule: what loads, in order.
    #[test]
    fn each_engine_asks_in_its_own_order() {
        let contiguous = "pak0.pak pak1.pak";
        for (engines, expected) in [
            (
                &[
                    Engine::Quake,
                    Engine::QuakeSpasm,
                    Engine::Ironwail,
                    Engine::VkQuake,
                ][..],
                contiguous,
            ),
            (
                &[Engine::Quake2, Engine::Daikatana],
                "pak0.pak pak1.pak pak3.pak",
            ),
            (
                &[Engine::Qss],
                "pak0.pak pak1.pak b.PAK mod.pak pak07.pak pak10.pak pak100.pak PAK2.PAK pak3.pak Zoo.pak",
            ),
            (
                &[Engine::DarkPlaces],
                "b.PAK mod.pak pak0.pak pak07.pak pak1.pak pak10.pak pak100.pak PAK2.PAK pak3.pak Zoo.pak",
            ),
            (
                &[Engine::Fteqw],
                "pak0.pak pak1.pak mod.pak pak07.pak pak10.pak pak100.pak pak3.pak Zoo.pak",
            ),
            (
                &[Engine::Yquake2],
                "pak0.pak pak1.pak pak3.pak pak10.pak mod.pak Pak1.pak Zoo.pak",
            ),
            (
                &[Engine::Q2pro],
                "pak0.pak pak1.pak Pak1.pak PAK2.PAK pak3.pak pak07.pak pak10.pak pak100.pak b.PAK mod.pak Zoo.pak",
            ),
        ] {
            for engine in engines {
                assert_eq!(asks(*engine, NAMES).0, expected, "{engine}");
            }
        }
    }

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
                "b.PAK: it asks for *.pak, in lower case",
                "pak07.pak: its name begins with \"pak\" and is none of the numbers that are asked for",
                "pak100.pak: it asks for no number above 99",
            ]
        );
        let twice = ["Pak1.pak: one whose name differs only in case is loaded"];
        assert_eq!(asks(Engine::Qss, NAMES).1, twice);
        assert_eq!(asks(Engine::DarkPlaces, NAMES).1, twice);
        assert_eq!(asks(Engine::Q2pro, NAMES).1, [""; 0]);
        let (_, fteqw) = asks(Engine::Fteqw, NAMES);
        assert_eq!(
            fteqw,
            [
                "PAK2.PAK: it asks for pak2.pak, in lower case",
                twice[0],
                "b.PAK: it asks for *.pak, in lower case",
            ]
        );
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
        assert_eq!(
            refused("pak100.pak", Engine::Yquake2),
            Unasked::Number { last: 99 }
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

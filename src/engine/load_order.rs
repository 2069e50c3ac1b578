//! Which paks of a folder an engine asks for, and in which order: from the names of the files there,
//! the engine's rule, and what it makes of each pak.
//!
//! Names are bytes. They are compared as on a file system that tells cases apart.

use std::collections::BTreeSet;

use super::engines::Engine;
use super::profile::{Effect, Listing, Numbering};
use super::reason::Unasked;

/// Which paks of a folder an engine asks for, and in which order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadOrder<'a> {
    /// The paks that it asks for, in that order: those that load, and those that it goes on without.
    pub asked: Vec<&'a [u8]>,
    /// The paks that it never asks for, by name, and why.
    pub unasked: Vec<(&'a [u8], Unasked)>,
    /// Groups of paks that load in whatever order the file system lists them. Here they go by name.
    pub unsorted: Vec<Vec<&'a [u8]>>,
}

/// Which paks of a folder an engine with this rule asks for, and in which order.
///
/// `files` are the names of all files there, and `effect` is what the engine makes of a pak of
/// such a name, when it asks for it.
///
/// ```
/// use daisho::engine::{Effect, Engine, Unasked, load_order};
///
/// let files = ["mod.pak", "pak0.pak", "pak1.pak", "readme.txt"];
/// let files = files.map(str::as_bytes).into();
/// let rule = Engine::Quake.profile().numbering;
/// let order = load_order(&files, rule, |_| Effect::Loads);
/// assert_eq!(order.asked, [b"pak0.pak", b"pak1.pak"]);
/// assert_eq!(order.unasked, [(&b"mod.pak"[..], Unasked::Unnumbered)]);
/// ```
pub fn load_order<'a>(
    files: &BTreeSet<&'a [u8]>,
    rule: Numbering,
    effect: impl Fn(&[u8]) -> Effect,
) -> LoadOrder<'a> {
    let paks = files.iter().copied().filter(|name| is_pak_name(name));
    let mut asking = Asking {
        files,
        rule,
        effect: &effect,
        left: paks.collect(),
        asked: Vec::new(),
        loaded: BTreeSet::new(),
    };
    let gap = asking.by_number();
    let listing = rule.listing();
    let unsorted = listing.map_or_else(Vec::new, |listing| asking.by_listing(listing));
    let Asking {
        left,
        asked,
        loaded,
        ..
    } = asking;
    let why = |name| (name, why_unasked(name, rule, gap, &loaded));
    LoadOrder {
        asked,
        unasked: left.into_iter().map(why).collect(),
        unsorted,
    }
}

/// Where in the order of a folder's paks one loads: the greater, the later.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct LoadPosition {
    /// What has no number comes behind what has one.
    unnumbered: bool,
    number: u64,
    /// The rest of the name, in lower case.
    rest: Vec<u8>,
    /// From here on no engine sorts; here lower case goes first.
    has_upper: bool,
    name: Vec<u8>,
}

/// Where an engine loads a pak of this name, if no number before it is missing.
///
/// # Errors
///
/// Why it would never ask for such a pak.
pub fn load_position(name: &[u8], engine: Engine) -> Result<LoadPosition, Unasked> {
    let rule = engine.profile().numbering;
    if let (Some(number), Some(last)) = (number_of(name), last_number(rule))
        && number <= last
    {
        return Ok(LoadPosition {
            unnumbered: false,
            number,
            rest: Vec::new(),
            has_upper: false,
            name: name.to_vec(),
        });
    }
    if is_listed(rule, name) {
        return Ok(LoadPosition::in_listing(rule, name));
    }
    if !is_pak_name(name) {
        return Err(Unasked::Extension);
    }
    Err(why_unasked(name, rule, None, &BTreeSet::new()))
}

/// Whether a name ends as a pak's does, in whatever case.
#[must_use]
pub fn is_pak_name(name: &[u8]) -> bool {
    name.to_ascii_lowercase().ends_with(b".pak")
}

/// The number at which the numbers end before others.
#[derive(Clone, Copy)]
struct Gap {
    missing: u32,
    /// Whether there is a pak of that number, which the engine takes for missing.
    there: bool,
}

/// An engine that is asking for paks.
struct Asking<'n, 'a> {
    files: &'n BTreeSet<&'a [u8]>,
    rule: Numbering,
    effect: &'n dyn Fn(&[u8]) -> Effect,
    /// The paks that it has not asked for yet.
    left: BTreeSet<&'a [u8]>,
    asked: Vec<&'a [u8]>,
    /// The names of those that load, in lower case.
    loaded: BTreeSet<Vec<u8>>,
}

impl<'a> Asking<'_, 'a> {
    fn ask(&mut self, name: &'a [u8]) -> Effect {
        self.left.remove(name);
        self.asked.push(name);
        let effect = (self.effect)(name);
        if effect == Effect::Loads {
            self.loaded.insert(name.to_ascii_lowercase());
        }
        effect
    }

    /// Asks for what has a number, and says where the numbers end, if that ends the search.
    fn by_number(&mut self) -> Option<Gap> {
        let (last, pk3_counts) = match self.rule {
            Numbering::UpToFirstMissing { pk3_counts, .. } => (u32::MAX, pk3_counts),
            Numbering::Fixed { last, .. } => (last, false),
            Numbering::ByName(_) | Numbering::ByNumberThenName(_) => return None,
        };
        for missing in 0..=last {
            let file = |extension| format!("pak{missing}.{extension}").into_bytes();
            let name = self.files.get(&*file("pak")).copied();
            let effect = name.map(|name| self.ask(name));
            let is_missing = effect.is_none_or(|effect| effect == Effect::CountsAsMissing);
            let has_pk3 = pk3_counts && self.files.contains(&*file("pk3"));
            let has_end = matches!(self.rule, Numbering::UpToFirstMissing { .. });
            if has_end && is_missing && !has_pk3 {
                let there = name.is_some();
                return Some(Gap { missing, there });
            }
        }
        None
    }

    /// Asks for what a listing has, and says of which groups the order is the file system's.
    fn by_listing(&mut self, listing: Listing) -> Vec<Vec<&'a [u8]>> {
        let listed = self.files.iter().filter(|name| is_listed(self.rule, name));
        let mut listed: Vec<(LoadPosition, &'a [u8])> = listed
            .map(|name| (LoadPosition::in_listing(self.rule, name), *name))
            .collect();
        listed.sort();
        let same = |a: &(LoadPosition, _), b: &(LoadPosition, _)| {
            !listing.sorted || a.0.without_case() == b.0.without_case()
        };
        let mut unsorted = Vec::new();
        for group in listed.chunk_by(same) {
            let mut loaded = Vec::new();
            for (_, name) in group {
                let is_twice = listing.once && self.loaded.contains(&name.to_ascii_lowercase());
                if !is_twice && self.left.contains(name) && self.ask(name) == Effect::Loads {
                    loaded.push(*name);
                }
            }
            if loaded.len() > 1 {
                unsorted.push(loaded);
            }
        }
        unsorted
    }
}

/// Why a pak of this name is not asked for: where the numbers end at `gap`, and with paks `loaded`
/// of these names in lower case.
fn why_unasked(
    name: &[u8],
    rule: Numbering,
    gap: Option<Gap>,
    loaded: &BTreeSet<Vec<u8>>,
) -> Unasked {
    let lower = name.to_ascii_lowercase();
    let is_lower = lower == name;
    let number = number_of(&lower);
    if let Some(listing) = rule.listing() {
        if is_listed(rule, name) || listing.once && loaded.contains(&lower) {
            let by_number = number
                .zip(gap)
                .is_some_and(|(number, gap)| number < gap.missing.into());
            let listed = !by_number;
            return Unasked::Twice { listed };
        }
        if !is_lower && number.is_none() && !listing.any_case {
            let asks = "*.pak".to_owned();
            return Unasked::Case { asks };
        }
    }
    match (number, rule, gap) {
        (Some(number), _, _) if !is_lower => Unasked::Case {
            asks: format!("pak{number}.pak"),
        },
        (Some(_), _, Some(Gap { missing, there })) => Unasked::Gap { missing, there },
        (Some(number), Numbering::Fixed { last, .. }, _) if number > u64::from(last) => {
            Unasked::Number { last }
        }
        _ => Unasked::Unnumbered,
    }
}

/// Whether the listing behind the numbers, or instead of them, has a file of this name.
fn is_listed(rule: Numbering, name: &[u8]) -> bool {
    let Some(listing) = rule.listing() else {
        return false;
    };
    let ends = if listing.any_case {
        is_pak_name(name)
    } else {
        name.ends_with(b".pak")
    };
    // In whatever case, a name of one that is asked for by number.
    let is_numbered = || {
        let last = last_number(rule).unwrap_or(u64::MAX);
        number_of(&name.to_ascii_lowercase()).is_some_and(|number| number <= last)
    };
    ends && !(listing.not_numbered && is_numbered())
}

/// The last number that is asked for, where numbers are.
fn last_number(rule: Numbering) -> Option<u64> {
    match rule {
        Numbering::UpToFirstMissing { .. } => Some(u64::MAX),
        Numbering::Fixed { last, .. } => Some(last.into()),
        Numbering::ByName(_) | Numbering::ByNumberThenName(_) => None,
    }
}

/// The number of `pakN.pak`, written as engines write it.
fn number_of(name: &[u8]) -> Option<u64> {
    let digits = name.strip_prefix(b"pak")?.strip_suffix(b".pak")?;
    let number: u64 = core::str::from_utf8(digits).ok()?.parse().ok()?;
    (number.to_string().as_bytes() == digits).then_some(number)
}

impl LoadPosition {
    /// The position of what is listed.
    fn in_listing(rule: Numbering, name: &[u8]) -> Self {
        let lower = name.to_ascii_lowercase();
        let has_upper = lower != name;
        // Names that begin with `pak` go before all others, by the number behind that.
        let numbered = match rule {
            Numbering::ByNumberThenName(_) => lower.strip_prefix(b"pak").map(strtoul),
            _ => None,
        };
        let (number, rest) = numbered.unwrap_or((0, &lower));
        Self {
            unnumbered: numbered.is_none(),
            number,
            rest: rest.to_vec(),
            has_upper,
            name: name.to_vec(),
        }
    }

    /// As far as an engine sorts.
    fn without_case(&self) -> (bool, u64, &[u8]) {
        (self.unnumbered, self.number, &self.rest)
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
        let files = names
            .split(' ')
            .map(|name| name.trim_end_matches('!').as_bytes())
            .collect();
        let is_empty = |name: &[u8]| empty.iter().any(|empty| empty.as_bytes() == name);
        let order = load_order(&files, engine.profile().numbering, |name| {
            if is_empty(name) {
                Effect::CountsAsMissing
            } else {
                Effect::Loads
            }
        });
        let loaded = order.asked.iter().filter(|name| !is_empty(name));
        let unasked = order.unasked.iter();
        let unasked = unasked.map(|(name, why)| format!("{}: {why}", text(name)));
        (words(loaded.copied()), unasked.collect())
    }

    fn text(name: &[u8]) -> &str {
        core::str::from_utf8(name).unwrap()
    }

    fn words<'a>(names: impl Iterator<Item = &'a [u8]>) -> String {
        names.map(text).collect::<Vec<_>>().join(" ")
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
    fn paks_are_named_whose_order_is_the_file_systems() {
        let unsorted = |engine: Engine, names: &str| {
            let files = names.split(' ').map(str::as_bytes).collect();
            let order = load_order(&files, engine.profile().numbering, |_| Effect::Loads);
            let groups = order.unsorted.into_iter();
            let groups = groups.map(|group| words(group.into_iter()));
            groups.collect::<Vec<_>>()
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

    /// `load_position` agrees with `load_order`: what is asked for has a position, in the order in
    /// which it is asked for, where no number is missing.
    #[test]
    fn every_name_that_is_asked_for_has_its_position_in_the_order() {
        let names =
            format!("{NAMES} pak2.pak pak4.pak pak5.pak pak6.pak pak7.pak pak8.pak pak9.pak");
        let names = names
            .replace("Pak1.pak ", "")
            .replace("PAK2.PAK ", "")
            .replace("pak100.pak ", "");
        for engine in Engine::ALL {
            let (order, _) = asks(engine, &names);
            let mut placed: Vec<(LoadPosition, &str)> = names
                .split(' ')
                .filter_map(|name| Some((load_position(name.as_bytes(), engine).ok()?, name)))
                .collect();
            placed.sort();
            let placed: Vec<&str> = placed.into_iter().map(|(_, name)| name).collect();
            assert_eq!(placed.join(" "), order, "{engine}");
        }
        let refused = |name: &str, engine| load_position(name.as_bytes(), engine).unwrap_err();
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

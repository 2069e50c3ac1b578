//! Which archives of a folder an engine asks for, and in which order.
//!
//! The order follows from the names of the files, the engine's rule, and which archives load.
//!
//! Names are bytes. They are compared as on a file system that tells cases apart.

use std::collections::{BTreeMap, BTreeSet};

use super::engines::Engine;
use super::profile::Effect;
use super::reason::Unasked;
use super::steps::{Listing, Sort, Step, has_extension};

/// Which archives of a folder an engine asks for, and in which order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadOrder<'a> {
    /// The archives that it asks for, in load order, including archives that fail to load.
    pub asked: Vec<&'a [u8]>,
    /// The archives that it never asks for, by name, and why: paks, and what ends as something that it
    /// loads.
    pub unasked: Vec<(&'a [u8], Unasked)>,
    /// Groups of archives that load in whatever order the file system lists them. Here they go by name.
    pub unsorted: Vec<Vec<&'a [u8]>>,
}

/// Which archives of a folder an engine with this rule asks for, and in which order.
///
/// `files` holds the names of all files in the folder, and of the directories that are named like archives. `effect`
/// says what the engine does with an archive of a given name when it asks for it.
///
/// ```
/// use daisho::engine::{Effect, Engine, Unasked, load_order};
///
/// let files = ["mod.pak", "pak0.pak", "pak1.pak", "readme.txt"];
/// let files = files.map(str::as_bytes).into();
/// let rule = Engine::Quake.profile().order;
/// let order = load_order(&files, rule, |_| Effect::Loads);
/// assert_eq!(order.asked, [b"pak0.pak", b"pak1.pak"]);
/// assert_eq!(order.unasked, [(&b"mod.pak"[..], Unasked::Unnumbered)]);
/// ```
pub fn load_order<'a>(
    files: &BTreeSet<&'a [u8]>,
    rule: &[Step],
    effect: impl Fn(&[u8]) -> Effect,
) -> LoadOrder<'a> {
    let mut asking = Asking {
        effect: &effect,
        left: files
            .iter()
            .copied()
            .filter(|name| may_load(name, rule))
            .collect(),
        asked: Vec::new(),
        loaded: Loaded::new(),
        gaps: BTreeMap::new(),
        unsorted: Vec::new(),
    };
    for step in rule {
        match step {
            Step::Numbers {
                extensions,
                last,
                any_case,
            } => asking.by_number(extensions, *last, *any_case),
            Step::Listed(listing) => asking.by_listing(*listing, rule),
        }
    }
    let Asking {
        left,
        asked,
        loaded,
        gaps,
        unsorted,
        ..
    } = asking;
    let why = |name| (name, why_unasked(name, rule, &gaps, &loaded));
    LoadOrder {
        asked,
        unasked: left.into_iter().map(why).collect(),
        unsorted,
    }
}

/// Where in the order of a folder's archives one loads: the greater, the later.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct LoadPosition {
    /// The number of the step that asks for it.
    step: usize,
    /// What has no number comes behind what has one.
    unnumbered: bool,
    number: u64,
    /// The rest of what it is sorted by.
    rest: Vec<u8>,
    /// From here on no engine sorts; here lower case goes first.
    has_upper: bool,
    name: Vec<u8>,
}

/// Where an engine loads an archive of this name, if no number before it is missing.
///
/// # Errors
///
/// Why it would never ask for such an archive.
pub fn load_position(name: &[u8], engine: Engine) -> Result<LoadPosition, Unasked> {
    let rule = engine.profile().order;
    for (step, asks) in rule.iter().enumerate() {
        match asks {
            Step::Numbers {
                extensions,
                last,
                any_case,
            } => {
                let lower = name.to_ascii_lowercase();
                let asked = if *any_case { &lower } else { name };
                if let Some((number, at)) = number_of(asked, extensions)
                    && last.is_none_or(|last| number <= last.into())
                {
                    return Ok(LoadPosition {
                        step,
                        unnumbered: false,
                        number,
                        rest: at.to_be_bytes().to_vec(),
                        has_upper: false,
                        name: name.to_vec(),
                    });
                }
            }
            Step::Listed(listing) if is_listed(*listing, rule, name) => {
                return Ok(LoadPosition::in_listing(step, listing.sort, name));
            }
            Step::Listed(_) => {}
        }
    }
    Err(why_unasked(name, rule, &Gaps::new(), &Loaded::new()))
}

/// Whether a name ends like that of an archive that this rule asks for, or of a pak, in any case.
pub(super) fn may_load(name: &[u8], rule: &[Step]) -> bool {
    let mut extensions = rule.iter().map(Step::extensions);
    is_pak_name(name) || extensions.any(|these| has_extension(name, these, true))
}

/// Whether a name ends as a pak's does, in whatever case.
#[must_use]
pub(crate) fn is_pak_name(name: &[u8]) -> bool {
    name.to_ascii_lowercase().ends_with(b".pak")
}

/// The number at which the numbers end before others.
#[derive(Clone, Copy)]
struct Gap {
    missing: u32,
    /// Whether there is an archive of that number, which the engine takes for missing.
    there: bool,
}

/// Where the numbers of archives with each extension end, if they do.
type Gaps = BTreeMap<&'static str, Gap>;

/// The archives that load, by their names in lower case.
type Loaded<'a> = BTreeMap<Vec<u8>, &'a [u8]>;

/// An engine that is asking for archives.
struct Asking<'n, 'a> {
    effect: &'n dyn Fn(&[u8]) -> Effect,
    /// The archives that it has not asked for yet.
    left: BTreeSet<&'a [u8]>,
    asked: Vec<&'a [u8]>,
    /// The archives that load, by their names in lower case.
    loaded: Loaded<'a>,
    gaps: Gaps,
    /// Groups of archives that load in the file system's order.
    unsorted: Vec<Vec<&'a [u8]>>,
}

impl<'a> Asking<'_, 'a> {
    fn ask(&mut self, name: &'a [u8]) -> Effect {
        self.left.remove(name);
        self.asked.push(name);
        let effect = (self.effect)(name);
        if effect == Effect::Loads {
            self.loaded.insert(name.to_ascii_lowercase(), name);
        }
        effect
    }

    /// Asks for what has a number.
    fn by_number(&mut self, extensions: &[&'static str], last: Option<u32>, any_case: bool) {
        for missing in 0..=last.unwrap_or(u32::MAX) {
            let (mut there, mut is_missing) = (false, true);
            for extension in extensions {
                let wanted = format!("pak{missing}.{extension}").into_bytes();
                let exact = self.left.get(&*wanted).copied();
                let mut others = self.left.iter().filter(|_| any_case);
                let other = others.find(|name| name.eq_ignore_ascii_case(&wanted));
                if let Some(name) = exact.or(other.copied()) {
                    there = true;
                    is_missing &= self.ask(name) == Effect::CountsAsMissing;
                }
            }
            if last.is_none() && is_missing {
                let gap = Gap { missing, there };
                self.gaps.extend(extensions.iter().map(|it| (*it, gap)));
                return;
            }
        }
    }

    /// Asks for what a listing has.
    fn by_listing(&mut self, listing: Listing, rule: &[Step]) {
        let listed = self.left.iter();
        let listed = listed.filter(|name| is_listed(listing, rule, name));
        let mut listed: Vec<(LoadPosition, &'a [u8])> = listed
            .map(|name| (LoadPosition::in_listing(0, listing.sort, name), *name))
            .collect();
        listed.sort();
        let same = |a: &(LoadPosition, _), b: &(LoadPosition, _)| {
            listing.sort == Sort::AsListed || a.0.as_sorted() == b.0.as_sorted()
        };
        for group in listed.chunk_by(same) {
            let mut loaded = Vec::new();
            for (_, name) in group {
                let is_twice = listing.once && self.loaded.contains_key(&name.to_ascii_lowercase());
                if !is_twice && self.ask(name) == Effect::Loads {
                    loaded.push(*name);
                }
            }
            if loaded.len() > 1 {
                self.unsorted.push(loaded);
            }
        }
    }
}

/// Why an archive of this name is not asked for: where the numbers end at `gaps`, and with archives
/// `loaded` of these names in lower case.
fn why_unasked(name: &[u8], rule: &[Step], gaps: &Gaps, loaded: &Loaded<'_>) -> Unasked {
    let lower = name.to_ascii_lowercase();
    let is_lower = lower == name;
    let mut steps = rule
        .iter()
        .filter(|step| has_extension(&lower, step.extensions(), true));
    let numbers = steps.clone().find_map(|step| match step {
        Step::Numbers {
            extensions,
            last,
            any_case,
        } => Some((*extensions, *last, *any_case)),
        Step::Listed(_) => None,
    });
    let listing = steps.find_map(|step| match step {
        Step::Listed(listing) => Some(*listing),
        Step::Numbers { .. } => None,
    });
    if numbers.is_none() && listing.is_none() {
        let loads = in_words(rule.iter().flat_map(|step| step.extensions()).copied());
        return Unasked::Extension { loads };
    }
    let extension = lower.rsplit(|byte| *byte == b'.').next();
    let extension = extension.and_then(|it| core::str::from_utf8(it).ok());
    let extension = extension.unwrap_or_default();
    let number = number_of(&lower, &[extension]).map(|(number, _)| number);
    let gap = gaps.get(extension);
    if let Some(listing) = listing {
        let same = loaded.get(&lower);
        if is_listed(listing, rule, name) || listing.once && same.is_some() {
            let by_number = number
                .zip(gap)
                .is_some_and(|(number, gap)| number < gap.missing.into());
            let listed = !by_number && listing.sort != Sort::Bytes;
            let loaded = String::from_utf8_lossy(same.copied().unwrap_or_default());
            let loaded = loaded.into_owned();
            return Unasked::Twice { loaded, listed };
        }
        if !is_lower && number.is_none() && !listing.any_case {
            let asks = format!("*.{extension}");
            return Unasked::Case { asks };
        }
    }
    match (number, numbers, gap) {
        (Some(number), Some((_, _, false)), _) if !is_lower => Unasked::Case {
            asks: format!("pak{number}.{extension}"),
        },
        (Some(_), Some(_), Some(Gap { missing, there })) => Unasked::Gap {
            missing: format!("pak{missing}.{extension}"),
            there: *there,
        },
        (Some(number), Some((_, Some(last), _)), _) if number > u64::from(last) => {
            Unasked::Number { last }
        }
        _ => Unasked::Unnumbered,
    }
}

/// What the names of archives end in, each extension once, in words.
pub(super) fn in_words<'e>(extensions: impl Iterator<Item = &'e str>) -> String {
    let mut all: Vec<String> = Vec::new();
    for extension in extensions.map(|it| format!(".{it}")) {
        if !all.contains(&extension) {
            all.push(extension);
        }
    }
    match all.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => all.concat(),
    }
}

/// Whether a listing has a file of this name, which is not to be asked for by number.
fn is_listed(listing: Listing, rule: &[Step], name: &[u8]) -> bool {
    // In whatever case, a name of one that is asked for by number.
    let is_numbered = || {
        let lower = name.to_ascii_lowercase();
        rule.iter().any(|step| match step {
            Step::Numbers {
                extensions, last, ..
            } => number_of(&lower, extensions)
                .is_some_and(|(number, _)| last.is_none_or(|last| number <= last.into())),
            Step::Listed(_) => false,
        })
    };
    has_extension(name, listing.extensions, listing.any_case)
        && !(listing.not_numbered && is_numbered())
}

/// The number of `pakN.EXTENSION`, written as engines write it, and which of the extensions it is.
fn number_of(name: &[u8], extensions: &[&str]) -> Option<(u64, usize)> {
    let (at, rest) = extensions.iter().enumerate().find_map(|(at, extension)| {
        let rest = name.strip_suffix(extension.as_bytes())?;
        Some((at, rest.strip_suffix(b".")?))
    })?;
    let digits = rest.strip_prefix(b"pak")?;
    let number: u64 = core::str::from_utf8(digits).ok()?.parse().ok()?;
    (number.to_string().as_bytes() == digits).then_some((number, at))
}

impl LoadPosition {
    /// The position of what is listed.
    fn in_listing(step: usize, sort: Sort, name: &[u8]) -> Self {
        let lower = name.to_ascii_lowercase();
        let has_upper = sort != Sort::Bytes && lower != name;
        // Names that begin with `pak` go before all others, by the number behind that.
        let numbered = match sort {
            Sort::Number => lower.strip_prefix(b"pak").map(strtoul),
            Sort::AsListed | Sort::Name | Sort::Bytes => None,
        };
        let whole = if sort == Sort::Bytes { name } else { &lower };
        let (number, rest) = numbered.unwrap_or((0, whole));
        Self {
            step,
            unnumbered: numbered.is_none(),
            number,
            rest: rest.to_vec(),
            has_upper,
            name: name.to_vec(),
        }
    }

    /// As far as an engine sorts.
    fn as_sorted(&self) -> (bool, u64, &[u8]) {
        (self.unnumbered, self.number, &self.rest)
    }
}

/// Splits the text into a leading number and the rest, as C's `strtoul` does with a 64-bit long. Spaces and a
/// sign may precede the number, and `-` negates it. Without a digit, the number is 0 and the rest is the whole
/// text.
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

    /// The archives that are asked for, in order, then the others and why. A name that ends in `!` is an empty
    /// archive, which some engines treat as missing.
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
        let order = load_order(&files, engine.profile().order, |name| {
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
                "pak10.pak: pak2.pak is missing, and the engine asks for no number after a gap",
                "pak100.pak: pak2.pak is missing, and the engine asks for no number after a gap",
                "pak3.pak: pak2.pak is missing, and the engine asks for no number after a gap",
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
        let twice = "Pak1.pak: pak1.pak, whose name differs only in case, is loaded";
        let listed = "; the order in which the file system lists the two decides which";
        assert_eq!(asks(Engine::Qss, NAMES).1, [twice]);
        assert_eq!(asks(Engine::Fteqw, NAMES).1, [twice]);
        assert_eq!(
            asks(Engine::DarkPlaces, NAMES).1,
            [format!("{twice}{listed}")]
        );
        assert_eq!(asks(Engine::Q2pro, NAMES).1, [""; 0]);
        let (_, qss) = asks(Engine::Qss, "pak0.pak a.pak A.pak");
        assert_eq!(
            qss,
            [format!(
                "{}{listed}",
                twice.replace("Pak1", "A").replace("pak1", "a")
            )]
        );
    }

    #[test]
    fn paks_are_named_whose_order_is_the_file_systems() {
        let unsorted = |engine: Engine, names: &str| {
            let files = names.split(' ').map(str::as_bytes).collect();
            let order = load_order(&files, engine.profile().order, |_| Effect::Loads);
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
            .replace("pak4.pk3 ", "pak0.pk3 pak0.pkz zz.pk3 ")
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
        assert_eq!(
            refused("mod.bin", Engine::Quake2),
            Unasked::Extension {
                loads: ".pak".to_owned()
            }
        );
    }

    #[test]
    fn a_pak_that_counts_as_missing_ends_the_numbers_and_a_pk3_goes_on() {
        let names = "pak0.pak pak1.pak! pak2.pak";
        let (order, unasked) = asks(Engine::QuakeSpasm, names);
        assert_eq!(order, "pak0.pak");
        assert_eq!(
            unasked,
            [
                "pak2.pak: pak1.pak has no entries, and the engine asks for no number after such a one"
            ]
        );
        // The listing finds it, at another place in the order.
        let (order, unasked) = asks(Engine::Qss, "a.pak pak0.pak pak1.pak! pak2.pak");
        assert_eq!(
            (order.as_str(), unasked.len()),
            ("pak0.pak a.pak pak2.pak", 0)
        );
        let (order, _) = asks(Engine::Qss, "a.pak pak0.pak pak1.pk3 pak2.pak");
        assert_eq!(order, "pak0.pak pak1.pk3 pak2.pak a.pak");
        let (order, _) = asks(Engine::Fteqw, "a.pak pak0.pak pak1.pk3 pak2.pak");
        assert_eq!(order, "pak0.pak a.pak pak2.pak pak1.pk3");
    }
}

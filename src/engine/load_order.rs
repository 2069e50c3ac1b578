//! Which archives of a folder an engine asks for, and in which order.
//!
//! The order follows from the names of the files, the engine's steps, and which archives load. The steps of each
//! engine are in `table.rs`, in the function `order`.
//!
//! Names are bytes. They are compared as on a file system that tells cases apart.

use std::collections::{BTreeMap, BTreeSet};

use super::engines::Engine;
use super::profile::{Effect, Sort, Step, has_extension};
use super::reason::Unasked;

/// Whether a name ends as a pak's does, in any case.
#[must_use]
pub(crate) fn is_pak_name(name: &[u8]) -> bool {
    has_extension(name, &["pak"], true)
}

/// Whether a name ends like that of an archive that these steps ask for, or of a pak, in any case.
pub(super) fn may_load(name: &[u8], steps: &[Step]) -> bool {
    let mut extensions = steps.iter().map(|step| step.extensions);
    is_pak_name(name) || extensions.any(|these| has_extension(name, these, true))
}

/// Which archives of a folder an engine asks for, and in which order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct LoadOrder<'a> {
    /// The archives that it asks for, in load order, including archives that fail to load.
    pub asked: Vec<&'a [u8]>,
    /// The archives that it never asks for, by name, and why: paks, and names with an extension that it
    /// loads.
    pub unasked: Vec<(&'a [u8], Unasked)>,
    /// Groups of archives that load in whatever order the file system lists them. Here they go by name.
    pub unsorted: Vec<Vec<&'a [u8]>>,
}

/// Which archives of a folder an engine with these steps asks for, and in which order.
///
/// `files` holds the names of all files in the folder, and of the directories that are named like archives. `effect`
/// says what the engine does with an archive of a given name when it asks for it.
pub(crate) fn load_order<'a>(
    files: &BTreeSet<&'a [u8]>,
    steps: &[Step],
    effect: impl Fn(&[u8]) -> Effect,
) -> LoadOrder<'a> {
    let candidates = files.iter().filter(|name| may_load(name, steps));
    let mut asking = Asking {
        effect: &effect,
        left: candidates.copied().collect(),
        order: LoadOrder::default(),
        loaded: LoadedNames::new(),
        gaps: Gaps::new(),
    };
    for (number, step) in steps.iter().enumerate() {
        let mut found: Vec<(LoadPosition, &'a [u8])> = Vec::new();
        for name in &asking.left {
            if let Some(position) = LoadPosition::of(name, number, steps) {
                found.push((position, name));
            }
        }
        found.sort();
        match step.sort {
            Sort::Asked(last) => asking.by_number(step, last, &found),
            _ => asking.by_listing(step, &found),
        }
    }
    let mut order = asking.order;
    for name in asking.left {
        let why = why_unasked(name, steps, &asking.gaps, &asking.loaded);
        order.unasked.push((name, why));
    }
    order
}

/// The position of an archive in the load order of its folder: the greater, the later.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct LoadPosition {
    /// The number of the step that asks for it.
    step: usize,
    /// Names without a number come after names with one.
    unnumbered: bool,
    number: u64,
    /// The rest of the sort key.
    rest: Vec<u8>,
    /// No engine sorts by this and the next field. Here lower case goes first.
    has_upper: bool,
    name: Vec<u8>,
}

impl Engine {
    /// Whether it ever asks for an archive of this name.
    ///
    /// # Errors
    ///
    /// Why it does not.
    pub fn asks_for(self, name: &[u8]) -> Result<(), Unasked> {
        load_position(name, self).map(drop)
    }
}

/// Where an engine loads an archive of this name, if no number before it is missing.
///
/// # Errors
///
/// Why it would never ask for such an archive.
pub(crate) fn load_position(name: &[u8], engine: Engine) -> Result<LoadPosition, Unasked> {
    let steps = engine.profile().order;
    let mut numbers = 0..steps.len();
    let position = numbers.find_map(|number| LoadPosition::of(name, number, steps));
    position.ok_or_else(|| why_unasked(name, steps, &Gaps::new(), &LoadedNames::new()))
}

/// The first missing number. The engine asks for no number after it.
#[derive(Clone, Copy)]
struct Gap {
    missing: u64,
    /// Whether an archive of that number exists, but counts as missing.
    there: bool,
}

/// The first missing number of the archives with each extension, if that ends the numbers.
type Gaps = BTreeMap<&'static str, Gap>;

/// The archives that load, by their names in lower case.
type LoadedNames<'a> = BTreeMap<Vec<u8>, &'a [u8]>;

/// An engine that is asking for archives.
struct Asking<'n, 'a> {
    effect: &'n dyn Fn(&[u8]) -> Effect,
    /// The archives that it has not asked for yet.
    left: BTreeSet<&'a [u8]>,
    /// The order so far.
    order: LoadOrder<'a>,
    loaded: LoadedNames<'a>,
    gaps: Gaps,
}

impl<'a> Asking<'_, 'a> {
    fn ask(&mut self, name: &'a [u8]) -> Effect {
        self.left.remove(name);
        self.order.asked.push(name);
        let effect = (self.effect)(name);
        if effect == Effect::Loads {
            self.loaded.insert(name.to_ascii_lowercase(), name);
        }
        effect
    }

    fn by_number(&mut self, step: &Step, last: Option<u32>, found: &[(LoadPosition, &'a [u8])]) {
        let mut next: u64 = 0;
        let mut there = false;
        for same in found.chunk_by(|a, b| a.0.number == b.0.number) {
            let number = same.first().map_or(0, |(position, _)| position.number);
            if last.is_none() && number > next {
                break;
            }
            // One spelling for each extension.
            let mut is_missing = true;
            for spelled in same.chunk_by(|a, b| a.0.sort_key() == b.0.sort_key()) {
                if let Some((_, name)) = spelled.first() {
                    is_missing &= self.ask(name) == Effect::CountsAsMissing;
                }
            }
            if last.is_none() && is_missing {
                there = true;
                break;
            }
            next = number.saturating_add(1);
        }
        if last.is_none() {
            let gap = Gap {
                missing: next,
                there,
            };
            let extensions = step.extensions.iter();
            self.gaps.extend(extensions.map(|it| (*it, gap)));
        }
    }

    fn by_listing(&mut self, step: &Step, found: &[(LoadPosition, &'a [u8])]) {
        let same = |a: &(LoadPosition, _), b: &(LoadPosition, _)| {
            step.sort == Sort::AsListed || a.0.sort_key() == b.0.sort_key()
        };
        for group in found.chunk_by(same) {
            let mut loaded = Vec::new();
            for (_, name) in group {
                let is_twice = step.once && self.loaded.contains_key(&name.to_ascii_lowercase());
                if !is_twice && self.ask(name) == Effect::Loads {
                    loaded.push(*name);
                }
            }
            if loaded.len() > 1 {
                self.order.unsorted.push(loaded);
            }
        }
    }
}

/// Why the engine does not ask for an archive of this name, given where its numbers end (`gaps`) and which archives
/// are `loaded`.
fn why_unasked(name: &[u8], steps: &[Step], gaps: &Gaps, loaded: &LoadedNames<'_>) -> Unasked {
    let mut all = steps.iter();
    if !all.any(|step| has_extension(name, step.extensions, true)) {
        let loads = in_words(steps.iter().flat_map(|step| step.extensions).copied());
        let why = format!("it loads only archives whose names end in {loads}");
        return Unasked::Name(why);
    }
    let not_listed = why_not_listed(name, steps, gaps, loaded);
    not_listed.unwrap_or_else(|| Unasked::Name(why_not_numbered(name, steps, gaps)))
}

/// Why no listing of the folder leads to an archive of this name; `None` if its number is what matters.
fn why_not_listed(
    name: &[u8],
    steps: &[Step],
    gaps: &Gaps,
    loaded: &LoadedNames<'_>,
) -> Option<Unasked> {
    let mut listings = steps.iter().filter(|step| !step.is_by_number());
    let listing = listings.find(|step| has_extension(name, step.extensions, true))?;
    let lower = name.to_ascii_lowercase();
    let (number, extension) = number_and_extension(&lower);
    let same = loaded.get(&lower);
    if is_listed(listing, steps, name) || listing.once && same.is_some() {
        let is_before_gap = |(number, gap): (u64, &Gap)| number < gap.missing;
        let by_number = number.zip(gaps.get(extension)).is_some_and(is_before_gap);
        let listed = !by_number && listing.sort != Sort::Bytes;
        let loaded = String::from_utf8_lossy(same.copied().unwrap_or_default());
        let loaded = loaded.into_owned();
        return Some(Unasked::Twice { loaded, listed });
    }
    let is_misspelled = lower != name && number.is_none() && !listing.any_case;
    is_misspelled.then(|| Unasked::Name(format!("it asks for *.{extension}, in lower case")))
}

/// Why the engine asks for no number that leads to an archive of this name.
fn why_not_numbered(name: &[u8], steps: &[Step], gaps: &Gaps) -> String {
    let unnumbered = "it asks for pak0.pak, pak1.pak and so on, and no others".to_owned();
    let lower = name.to_ascii_lowercase();
    let (number, extension) = number_and_extension(&lower);
    let mut numbers = steps.iter().filter(|step| step.is_by_number());
    let numbers = numbers.find(|step| has_extension(name, step.extensions, true));
    let (Some(number), Some(numbers)) = (number, numbers) else {
        return unnumbered;
    };
    if lower != name && !numbers.any_case {
        return format!("it asks for pak{number}.{extension}, in lower case");
    }
    if let Some(Gap { missing, there }) = gaps.get(extension) {
        let is = match there {
            true => "has no entries, and the engine asks for no number after such a one",
            false => "is missing, and the engine asks for no number after a gap",
        };
        return format!("pak{missing}.{extension} {is}");
    }
    match numbers.sort {
        Sort::Asked(Some(last)) if number > last.into() => {
            format!("it asks for no number above {last}")
        }
        _ => unnumbered,
    }
}

/// The number in a lower-case name, if it has one, and its extension.
fn number_and_extension(name: &[u8]) -> (Option<u64>, &str) {
    let extension = name.rsplit(|byte| *byte == b'.').next();
    let extension = extension.and_then(|it| core::str::from_utf8(it).ok());
    let extension = extension.unwrap_or_default();
    let number = number_in(name, &[extension]).map(|(number, _)| number);
    (number, extension)
}

/// These extensions in words, each once: `.pak, .pk3 or .zip`.
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

/// Whether a listing has a file of this name. A listing that is `not_numbered` has none that is asked for by number.
fn is_listed(listing: &Step, steps: &[Step], name: &[u8]) -> bool {
    let lower = name.to_ascii_lowercase();
    let mut numbers = steps.iter().filter(|_| listing.not_numbered);
    has_extension(name, listing.extensions, listing.any_case)
        && !numbers.any(|step| step.asks_for(&lower).is_some())
}

impl Step {
    /// Whether it asks for archives by number, and not for all in a listing.
    const fn is_by_number(&self) -> bool {
        matches!(self.sort, Sort::Asked(_))
    }

    /// The number in a lower-case name that it asks for by number, and which of the extensions the name has.
    fn asks_for(&self, name: &[u8]) -> Option<(u64, usize)> {
        let Sort::Asked(last) = self.sort else {
            return None;
        };
        let found = number_in(name, self.extensions);
        found.filter(|(number, _)| last.is_none_or(|last| *number <= last.into()))
    }
}

/// The number in `pakN.EXTENSION`, written as engines write it, and which of the extensions it is.
fn number_in(name: &[u8], extensions: &[&str]) -> Option<(u64, usize)> {
    let (at, rest) = extensions.iter().enumerate().find_map(|(at, extension)| {
        let rest = name.strip_suffix(extension.as_bytes())?;
        Some((at, rest.strip_suffix(b".")?))
    })?;
    let digits = rest.strip_prefix(b"pak")?;
    let number: u64 = core::str::from_utf8(digits).ok()?.parse().ok()?;
    (number.to_string().as_bytes() == digits).then_some((number, at))
}

impl LoadPosition {
    /// The position of an archive in the step with this number, if that asks for it.
    fn of(name: &[u8], step: usize, steps: &[Step]) -> Option<Self> {
        let lower = name.to_ascii_lowercase();
        let (mut number, mut rest) = (None, lower.clone());
        let asking = steps.get(step)?;
        match (asking.sort, lower.strip_prefix(b"pak")) {
            (Sort::Asked(_), _) => {
                let asked = if asking.any_case { &lower } else { name };
                let (pak, extension) = asking.asks_for(asked)?;
                (number, rest) = (Some(pak), extension.to_be_bytes().to_vec());
            }
            _ if !is_listed(asking, steps, name) => return None,
            // Names that begin with `pak` go before all others, by the number after it.
            (Sort::Number, Some(behind)) => {
                let (pak, behind) = strtoul(behind);
                (number, rest) = (Some(pak), behind.to_vec());
            }
            (Sort::Bytes, _) => rest = name.to_vec(),
            _ => {}
        }
        Some(Self {
            step,
            unnumbered: number.is_none(),
            number: number.unwrap_or(0),
            rest,
            has_upper: lower != name,
            name: name.to_vec(),
        })
    }

    /// What an engine sorts by.
    fn sort_key(&self) -> (bool, u64, &[u8]) {
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

    /// `load_position` agrees with `load_order`: if no number is missing, archives have positions in the order in
    /// which they are asked for.
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
        for (name, engine, expected) in [
            ("pak10.pak", Engine::Quake2, "it asks for no number above 9"),
            (
                "mod.pak",
                Engine::Quake,
                "it asks for pak0.pak, pak1.pak and so on, and no others",
            ),
            (
                "mod.bin",
                Engine::Quake2,
                "it loads only archives whose names end in .pak",
            ),
        ] {
            let why = load_position(name.as_bytes(), engine).unwrap_err();
            assert_eq!(why.to_string(), expected);
        }
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
        // The listing finds `pak2.pak`, but at another place in the order: after `a.pak`.
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

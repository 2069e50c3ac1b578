//! Which archives of a folder an engine asks for, and in which order.
//!
//! The order follows from the names of the files, the engine's steps (in `table.rs`), and which archives load.
//!
//! Names are bytes. They are compared as on a file system that tells cases apart.

use std::collections::{BTreeMap, BTreeSet};

use super::profile::{Effect, ListOrder, Step, has_extension};
use super::reason::Unasked;
use super::table::Engine;

/// Whether a name ends as a pak's does, in any case.
pub(crate) fn is_pak_name(name: &[u8]) -> bool {
    has_extension(name, &["pak"], true)
}

/// Whether a name ends like that of an archive that these steps ask for, or of a pak, in any case.
pub(super) fn may_load(name: &[u8], steps: &[Step]) -> bool {
    is_pak_name(name) || steps.iter().any(|step| step.extension_of(name).is_some())
}

/// Which archives of a folder an engine asks for, and in which order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct LoadOrder<'a> {
    /// The archives that it asks for, in load order, including archives that fail to load.
    pub asked: Vec<&'a [u8]>,
    /// The archives that it never asks for, by name, and why: paks, and names with an extension that it
    /// loads.
    pub unasked: Vec<(&'a [u8], Unasked)>,
    /// Groups of archives that load in whatever order the file system lists them, or of which only the first that
    /// it lists loads. Here they go by name.
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
        seen: Seen::default(),
    };
    for (number, step) in steps.iter().enumerate() {
        let mut found: Vec<(Position, &'a [u8])> = Vec::new();
        for name in &asking.left {
            if let Some(position) = Position::of(name, number, steps) {
                found.push((position, name));
            }
        }
        found.sort();
        match step {
            Step::Numbers { last: Some(_), .. } => {
                asking.ask_numbers(&found);
            }
            Step::Numbers { extensions, .. } => asking.ask_to_the_gap(extensions, &found),
            Step::Listing { order, once, .. } => asking.ask_listed(*order, *once, &found),
        }
    }
    let mut order = asking.order;
    for name in asking.left {
        let why = why_unasked(name, steps, &asking.seen);
        order.unasked.push((name, why));
    }
    order
}

impl Engine {
    /// Whether it ever asks for an archive of this name.
    ///
    /// # Errors
    ///
    /// Why it does not.
    pub fn asks_for(self, name: &[u8]) -> Result<(), Unasked> {
        let steps = self.profile().order;
        match Position::in_any(name, steps) {
            Some(_) => Ok(()),
            None => Err(why_unasked(name, steps, &Seen::default())),
        }
    }
}

/// Whether the engine loads the archive `name` after the archive `earlier`, if it asks for both and no number is
/// missing.
pub(crate) fn loads_after(name: &[u8], earlier: &[u8], engine: Engine) -> bool {
    let steps = engine.profile().order;
    Position::in_any(name, steps) > Position::in_any(earlier, steps)
}

/// An engine that is asking for archives.
struct Asking<'n, 'a> {
    effect: &'n dyn Fn(&[u8]) -> Effect,
    /// The archives that it has not asked for yet.
    left: BTreeSet<&'a [u8]>,
    /// The order so far.
    order: LoadOrder<'a>,
    seen: Seen<'a>,
}

/// What an engine has seen while it was asking.
#[derive(Default)]
struct Seen<'a> {
    /// The archives that load, by their names in lower case.
    loaded: BTreeMap<Vec<u8>, &'a [u8]>,
    /// The first missing number of the archives with each extension, if that ends the numbers.
    gaps: BTreeMap<&'static str, Gap>,
}

/// The first missing number. The engine asks for no number after it.
#[derive(Clone, Copy)]
struct Gap {
    missing: u64,
    /// Whether an archive of that number exists, but counts as missing.
    exists: bool,
}

impl<'a> Asking<'_, 'a> {
    fn ask(&mut self, name: &'a [u8]) -> Effect {
        self.left.remove(name);
        self.order.asked.push(name);
        let effect = (self.effect)(name);
        if effect == Effect::Loads {
            self.seen.loaded.insert(name.to_ascii_lowercase(), name);
        }
        effect
    }

    /// Asks for archives by number. Of several spellings of one name, it asks for the first. Returns whether all of
    /// them count as missing.
    fn ask_numbers(&mut self, found: &[(Position, &'a [u8])]) -> bool {
        let mut is_missing = true;
        for spelled in found.chunk_by(|a, b| a.0.key == b.0.key) {
            if let Some((_, name)) = spelled.first() {
                is_missing &= self.ask(name) == Effect::CountsAsMissing;
            }
        }
        is_missing
    }

    /// Asks for each number, until one is missing or counts as missing.
    fn ask_to_the_gap(&mut self, extensions: &[&'static str], found: &[(Position, &'a [u8])]) {
        let (mut missing, mut exists) = (0, false);
        for same in found.chunk_by(|a, b| a.0.key.number() == b.0.key.number()) {
            if same.iter().any(|(position, _)| position.key.number() != Some(missing)) {
                break;
            }
            exists = self.ask_numbers(same);
            if exists {
                break;
            }
            missing += 1;
        }
        let gap = Gap { missing, exists };
        let extensions = extensions.iter();
        self.seen.gaps.extend(extensions.map(|it| (*it, gap)));
    }

    fn ask_listed(&mut self, order: ListOrder, once: bool, found: &[(Position, &'a [u8])]) {
        for group in found.chunk_by(|a, b| order == ListOrder::FileSystem || a.0.key == b.0.key) {
            let mut rivals = Vec::new();
            for (_, name) in group {
                let loaded = self.seen.loaded.get(&name.to_ascii_lowercase()).filter(|_| once);
                let is_rival = match loaded {
                    Some(other) => rivals.contains(other),
                    None => self.ask(name) == Effect::Loads,
                };
                if is_rival {
                    rivals.push(*name);
                }
            }
            if rivals.len() > 1 {
                self.order.unsorted.push(rivals);
            }
        }
    }
}

/// Why the engine does not ask for an archive of this name, after what it has `seen`.
fn why_unasked(name: &[u8], steps: &[Step], seen: &Seen<'_>) -> Unasked {
    let Some(extension) = steps.iter().find_map(|step| step.extension_of(name)) else {
        let loads = steps.iter().flat_map(Step::extensions).copied().collect();
        return Unasked::Extension { loads };
    };
    let lower = name.to_ascii_lowercase();
    let has_upper = lower != name;
    let number = number_in(&lower, &[extension]).map(|(number, _)| number);
    let gap = seen.gaps.get(extension).copied();
    let mut steps: Vec<&Step> = steps.iter().collect();
    steps.retain(|step| step.extension_of(name).is_some());
    // What a listing says of it comes first.
    steps.sort_by_key(|step| matches!(step, Step::Numbers { .. }));
    for step in steps {
        let (Step::Numbers { any_case, .. } | Step::Listing { any_case, .. }) = step;
        let is_by_number = matches!(step, Step::Numbers { .. });
        if let Step::Listing { once: true, .. } = step
            && let Some(loaded) = seen.loaded.get(&lower)
        {
            return Unasked::Twice { loaded: loaded.to_vec() };
        }
        if number.is_some() == is_by_number && !any_case && has_upper {
            return Unasked::UpperCase { number, extension };
        }
        if let (Step::Numbers { last, .. }, Some(number)) = (step, number) {
            if let Some(Gap { missing, exists }) = gap {
                return Unasked::AfterGap { missing, extension, exists };
            }
            if let Some(last) = last.filter(|last| number > u64::from(*last)) {
                return Unasked::Above { last };
            }
        }
    }
    Unasked::NotNumbered
}

impl Step {
    /// Which of its extensions a name has, in any case.
    fn extension_of(&self, name: &[u8]) -> Option<&'static str> {
        let mut extensions = self.extensions().iter().copied();
        extensions.find(|extension| has_extension(name, &[extension], true))
    }

    /// The number in a lower-case name that it asks for by number, and which of the extensions the name has.
    fn asks_for_number(&self, name: &[u8]) -> Option<(u64, usize)> {
        let Self::Numbers { extensions, last, .. } = self else {
            return None;
        };
        let found = number_in(name, extensions);
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

/// The position of an archive in the load order of its folder: the greater, the later.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Position {
    /// The number of the step that asks for it.
    step: usize,
    key: SortKey,
    /// No engine sorts by this and the next field. Here lower case goes first.
    has_upper: bool,
    name: Vec<u8>,
}

/// What an engine sorts by.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum SortKey {
    /// By number, and then by the extension.
    Number(u64, usize),
    /// By the number behind `pak`, and then by the rest of the name.
    Pak(u64, Vec<u8>),
    /// By name.
    Name(Vec<u8>),
}

impl SortKey {
    const fn number(&self) -> Option<u64> {
        match self {
            Self::Number(number, _) | Self::Pak(number, _) => Some(*number),
            Self::Name(_) => None,
        }
    }
}

impl Position {
    /// The position of an archive in the first step that asks for it.
    fn in_any(name: &[u8], steps: &[Step]) -> Option<Self> {
        (0..steps.len()).find_map(|number| Self::of(name, number, steps))
    }

    /// The position of an archive in the step with this number, if that asks for it.
    fn of(name: &[u8], number: usize, steps: &[Step]) -> Option<Self> {
        let lower = name.to_ascii_lowercase();
        let step = steps.get(number)?;
        let key = match step {
            Step::Numbers { any_case, .. } => {
                let (number, extension) =
                    step.asks_for_number(if *any_case { &lower } else { name })?;
                SortKey::Number(number, extension)
            }
            Step::Listing { order, skip_numbered, .. } => {
                let mut steps = steps.iter().filter(|_| *skip_numbered);
                let is_numbered = steps.any(|step| step.asks_for_number(&lower).is_some());
                if is_numbered || !step.has_extension(name) {
                    return None;
                }
                order.key(name)
            }
        };
        Some(Self { step: number, key, has_upper: lower != name, name: name.to_vec() })
    }
}

impl ListOrder {
    fn key(self, name: &[u8]) -> SortKey {
        let lower = name.to_ascii_lowercase();
        match (self, lower.strip_prefix(b"pak")) {
            (Self::Bytes, _) => SortKey::Name(name.to_vec()),
            (Self::Number, Some(behind)) => {
                let (number, rest) = strtoul(behind);
                SortKey::Pak(number, rest.to_vec())
            }
            _ => SortKey::Name(lower),
        }
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
    let len = digits.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, rest) = digits.split_at_checked(len).unwrap_or_default();
    if digits.is_empty() {
        return (0, text);
    }
    let number = core::str::from_utf8(digits).ok().and_then(|it| it.parse().ok());
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
        let empty: Vec<&str> = names.split(' ').filter_map(|n| n.strip_suffix('!')).collect();
        let files = names.split(' ').map(|name| name.trim_end_matches('!').as_bytes()).collect();
        let is_empty = |name: &[u8]| empty.iter().any(|empty| empty.as_bytes() == name);
        let order = load_order(&files, engine.profile().order, |name| {
            if is_empty(name) { Effect::CountsAsMissing } else { Effect::Loads }
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
                "Zoo.pak: it looks only for pak0.pak, pak1.pak and so on",
                "b.PAK: it looks only for pak0.pak, pak1.pak and so on",
                "mod.pak: it looks only for pak0.pak, pak1.pak and so on",
                "pak07.pak: it looks only for pak0.pak, pak1.pak and so on",
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
        let twice = "Pak1.pak: pak1.pak, whose name differs only in case, is loaded";
        for engine in [Engine::Qss, Engine::Fteqw, Engine::DarkPlaces] {
            assert_eq!(asks(engine, NAMES).1, [twice], "{engine}");
        }
        assert_eq!(asks(Engine::Q2pro, NAMES).1, [""; 0]);
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
        assert_eq!(unsorted(Engine::Qss, names), ["a.pak A.pak b.pak"]);
        assert_eq!(unsorted(Engine::Yquake2, names), ["a.pak A.pak b.pak"]);
        assert_eq!(unsorted(Engine::Fteqw, names), ["a.pak A.pak"]);
        assert_eq!(unsorted(Engine::DarkPlaces, names), ["a.pak A.pak", "pak1.pak Pak1.pak"]);
        assert_eq!(unsorted(Engine::Q2pro, names), ["pak1.pak Pak1.pak", "a.pak A.pak"]);
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
            assert_eq!(strtoul(text.as_bytes()), (number, rest.as_bytes()), "{text}");
        }
    }

    /// Positions agree with `load_order`: if no number is missing, archives have positions in the order in which they
    /// are asked for.
    #[test]
    fn every_requested_name_has_its_position() {
        let names =
            format!("{NAMES} pak2.pak pak4.pak pak5.pak pak6.pak pak7.pak pak8.pak pak9.pak");
        let names = names
            .replace("Pak1.pak ", "")
            .replace("PAK2.PAK ", "")
            .replace("pak4.pk3 ", "pak0.pk3 pak0.pkz zz.pk3 ")
            .replace("pak100.pak ", "");
        for engine in Engine::ALL {
            let (order, _) = asks(engine, &names);
            let steps = engine.profile().order;
            let mut placed: Vec<(Position, &str)> = names
                .split(' ')
                .filter_map(|name| Some((Position::in_any(name.as_bytes(), steps)?, name)))
                .collect();
            placed.sort();
            let placed: Vec<&str> = placed.into_iter().map(|(_, name)| name).collect();
            assert_eq!(placed.join(" "), order, "{engine}");
        }
        for (name, engine, expected) in [
            ("pak10.pak", Engine::Quake2, "it asks for no number above 9"),
            ("mod.pak", Engine::Quake, "it looks only for pak0.pak, pak1.pak and so on"),
            ("mod.bin", Engine::Quake2, "it loads only archives whose names end in .pak"),
        ] {
            let why = engine.asks_for(name.as_bytes()).unwrap_err();
            assert_eq!(why.to_string(), expected);
        }
    }

    #[test]
    fn a_skipped_pak_ends_the_numbers_and_a_pk3_does_not() {
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
        assert_eq!((order.as_str(), unasked.len()), ("pak0.pak a.pak pak2.pak", 0));
        let (order, _) = asks(Engine::Qss, "a.pak pak0.pak pak1.pk3 pak2.pak");
        assert_eq!(order, "pak0.pak pak1.pk3 pak2.pak a.pak");
        let (order, _) = asks(Engine::Fteqw, "a.pak pak0.pak pak1.pk3 pak2.pak");
        assert_eq!(order, "pak0.pak a.pak pak2.pak pak1.pk3");
    }
}

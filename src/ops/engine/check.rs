//! Whether an engine loads a pak, why not, and which names in it are never found.
//!
//! [`Facts`] are gathered once and judged for each engine. They can be gathered of a pak that is
//! only planned, too.

use core::fmt;

use super::{Empty, Engine, MaxEntries, Offsets, Over};
use crate::pak::{Archive, Case, Layout, RawName, ReadAt, escape};

/// What matters of a pak to the engines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    layout: Layout,
    entries: u64,
    directory: u64,
    /// The payload that begins last, where that is far.
    begins: Option<Place>,
    /// The one that ends last.
    ends: Option<Place>,
    /// The largest.
    largest: Option<Place>,
    unfindable: Option<Unfindable>,
}

/// What an engine makes of a pak.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// What becomes of it.
    pub outcome: Outcome,
    /// What is to be said of it, the worst first. There can be something where it loads.
    pub why: Vec<Reason>,
}

/// What becomes of a pak, the worse behind the better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// It loads.
    Loads,
    /// The engine goes on without it.
    Refused,
    /// The engine takes it for missing.
    CountsAsMissing,
    /// The engine ends with an error.
    NoStart,
}

/// Something to be said of a pak. It shows itself as a clause that can stand for itself.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// The engine reads another layout.
    #[error("it is a {found} pak, and this engine reads only {wanted} paks")]
    Layout {
        /// The pak's.
        found: Layout,
        /// The engine's.
        wanted: Layout,
    },
    /// There are more entries than the engine allows.
    #[error("its {entries} entries are more than {limit}, {}", over_words(*.over))]
    Entries {
        /// How many there are.
        entries: u64,
        /// How many are allowed.
        limit: u32,
        /// What the engine does.
        over: Over,
    },
    /// There is no entry.
    #[error("it has no entries, {}", empty_words(*.empty))]
    Empty {
        /// What the engine does.
        empty: Empty,
    },
    /// The directory lies beyond what the engine can say.
    #[error("its directory begins at byte {at}, and this engine can say no number above {limit}")]
    Directory {
        /// Where it begins.
        at: u64,
        /// The last byte that can be said.
        limit: u64,
    },
    /// A payload lies beyond what the engine can say.
    #[error("{place}, and this engine can say no number above {limit}")]
    Far {
        /// The entry, and what is too large of it.
        place: Place,
        /// The largest number that can be said.
        limit: u64,
    },
    /// Names that no game asks for and that the engine, which compares case, never takes for
    /// those that are asked for.
    #[error("{0}")]
    Unfindable(Unfindable),
}

/// A number of an entry that may be too large.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The entry's number.
    pub index: usize,
    /// Its name.
    pub name: Vec<u8>,
    /// The number.
    pub value: u64,
    /// What the number is of it.
    what: &'static str,
}

/// Names that an engine which compares case never finds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfindable {
    /// How many there are.
    pub count: usize,
    /// The number of the first entry that has one.
    pub first: usize,
    /// Its name.
    pub name: Vec<u8>,
}

/// Judges a pak for one engine.
pub fn check<S: ReadAt>(archive: &Archive<S>, engine: Engine) -> Verdict {
    Facts::of(archive).judge(engine)
}

/// The name under which every engine finds what has this one: ASCII letters in lower case, and
/// `/` for `\`. None where it is that already.
#[must_use]
pub fn findable(name: RawName<'_>) -> Option<Vec<u8>> {
    if is_findable(name) {
        return None;
    }
    let fold = |byte: &u8| match byte {
        b'\\' => b'/',
        byte => byte.to_ascii_lowercase(),
    };
    Some(name.as_bytes().iter().map(fold).collect())
}

fn is_findable(name: RawName<'_>) -> bool {
    let mut bytes = name.as_bytes().iter();
    !bytes.any(|byte| byte.is_ascii_uppercase() || *byte == b'\\')
}

impl Verdict {
    /// Whether it loads.
    #[must_use]
    pub fn loads(&self) -> bool {
        self.outcome == Outcome::Loads
    }
}

impl Facts {
    /// Of a pak without entries, so far.
    #[must_use]
    pub const fn new(layout: Layout, directory: u64) -> Self {
        Self {
            layout,
            entries: 0,
            directory,
            begins: None,
            ends: None,
            largest: None,
            unfindable: None,
        }
    }

    /// Of an open pak.
    pub fn of<S: ReadAt>(archive: &Archive<S>) -> Self {
        let directory = archive.header().directory_offset.into();
        let mut facts = Self::new(archive.layout(), directory);
        for entry in archive.entries() {
            let extent = entry.extent().map(|extent| (extent.offset, extent.end()));
            facts.add(entry.name(), entry.size().into(), extent);
        }
        facts
    }

    /// Adds an entry behind the others: its name, its size, and where its payload begins and ends.
    pub fn add(&mut self, name: RawName<'_>, size: u64, extent: Option<(u64, u64)>) {
        let index = usize::try_from(self.entries).unwrap_or(usize::MAX);
        self.entries += 1;
        if let Some((begin, end)) = extent {
            for (place, value, what) in [
                (&mut self.begins, begin, "begins at byte"),
                (&mut self.ends, end, "ends at byte"),
                (&mut self.largest, size, "has a size of"),
            ] {
                // Nothing below the least of all limits is ever told.
                let is_far = value > Offsets::Signed.max_bytes();
                if is_far && place.as_ref().is_none_or(|place| place.value < value) {
                    let name = name.as_bytes().to_vec();
                    *place = Some(Place {
                        index,
                        name,
                        value,
                        what,
                    });
                }
            }
        }
        if !is_findable(name) {
            let first = || Unfindable {
                count: 0,
                first: index,
                name: name.as_bytes().to_vec(),
            };
            self.unfindable.get_or_insert_with(first).count += 1;
        }
    }

    /// What `engine` makes of the pak.
    #[must_use]
    pub fn judge(&self, engine: Engine) -> Verdict {
        let profile = engine.profile();
        let mut verdict = Verdict {
            outcome: Outcome::Loads,
            why: Vec::new(),
        };
        let alien = profile.layout != self.layout;
        if alien {
            let (found, wanted) = (self.layout, profile.layout);
            verdict.add(Outcome::Refused, Reason::Layout { found, wanted });
        }
        if let Some(MaxEntries { count: limit, over }) = profile.max_entries
            && self.entries > limit.into()
        {
            let entries = self.entries;
            let reason = Reason::Entries {
                entries,
                limit,
                over,
            };
            verdict.add(over.outcome(), reason);
        }
        if self.entries == 0 && profile.empty != Empty::Loads {
            let empty = profile.empty;
            verdict.add(empty.outcome(), Reason::Empty { empty });
        }
        // A pak of another layout is to be written anew; what its numbers and names will be then
        // is another question.
        if alien {
            return verdict;
        }
        let limit = profile.offsets.max_bytes();
        if self.directory > limit {
            let at = self.directory;
            verdict.add(Outcome::Refused, Reason::Directory { at, limit });
        }
        let ends = match profile.offsets {
            Offsets::SignedEnds => &self.ends,
            Offsets::Signed | Offsets::Unsigned => &None,
        };
        let far = [&self.begins, &self.largest, ends].into_iter().flatten();
        for place in far.filter(|place| place.value > limit) {
            let place = place.clone();
            verdict.add(Outcome::Refused, Reason::Far { place, limit });
        }
        if profile.case == Case::Matters
            && let Some(names) = &self.unfindable
        {
            verdict.add(Outcome::Loads, Reason::Unfindable(names.clone()));
        }
        verdict
    }
}

impl Verdict {
    fn add(&mut self, outcome: Outcome, reason: Reason) {
        self.outcome = self.outcome.max(outcome);
        self.why.push(reason);
    }
}

impl Over {
    const fn outcome(self) -> Outcome {
        match self {
            Self::RefusesToStart => Outcome::NoStart,
            Self::RefusesPak => Outcome::Refused,
            Self::Warns => Outcome::Loads,
        }
    }
}

impl Empty {
    const fn outcome(self) -> Outcome {
        match self {
            Self::Loads => Outcome::Loads,
            Self::CountsAsMissing => Outcome::CountsAsMissing,
            Self::RefusesPak => Outcome::Refused,
            Self::RefusesToStart => Outcome::NoStart,
        }
    }
}

const fn over_words(over: Over) -> &'static str {
    match over {
        Over::RefusesToStart => "and this engine does not start with such a pak",
        Over::RefusesPak => "and this engine refuses such a pak",
        Over::Warns => "of which this engine only warns",
    }
}

const fn empty_words(empty: Empty) -> &'static str {
    match empty {
        Empty::RefusesToStart => "and this engine does not start with such a pak",
        Empty::RefusesPak => "and this engine refuses such a pak",
        Empty::CountsAsMissing => "and this engine looks for no further paks at such a one",
        Empty::Loads => "which this engine does not mind",
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, what) = (escape(&self.name), self.what);
        write!(f, "entry {} \"{name}\" {what} {}", self.index, self.value)
    }
}

impl fmt::Display for Unfindable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, name) = (self.first, escape(&self.name));
        match self.count {
            1 => write!(f, "it never finds entry {first} \"{name}\"")?,
            count => write!(
                f,
                "it never finds {count} entries, first entry {first} \"{name}\""
            )?,
        }
        match findable(RawName::new(&self.name)) {
            Some(works) => write!(f, ", whose name would have to be \"{}\"", escape(&works)),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(layout: Layout, entries: usize) -> Facts {
        let mut facts = Facts::new(layout, 12);
        for _ in 0..entries {
            facts.add(RawName::from("a"), 1, Some((12, 13)));
        }
        facts
    }

    fn outcomes(facts: &Facts) -> Vec<(&'static str, Outcome)> {
        let judged = Engine::ALL.map(|engine| (engine.name(), facts.judge(engine).outcome));
        judged.to_vec()
    }

    /// The engines for which the outcome is this, in the table's order.
    fn those(facts: &Facts, outcome: Outcome) -> String {
        let all = outcomes(facts).into_iter();
        let names: Vec<&str> = all
            .filter(|(_, found)| *found == outcome)
            .map(|(n, _)| n)
            .collect();
        names.join(" ")
    }

    #[test]
    fn the_wrong_layout_is_the_first_thing_to_say() {
        let quake = facts(Layout::Quake, 1);
        assert_eq!(those(&quake, Outcome::Refused), "daikatana");
        let daikatana = facts(Layout::Daikatana, 2049);
        assert_eq!(those(&daikatana, Outcome::Loads), "daikatana");
        let words: Vec<String> = daikatana
            .judge(Engine::Quake)
            .why
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(
            words,
            [
                "it is a daikatana pak, and this engine reads only quake paks",
                "its 2049 entries are more than 2048, and this engine does not start with such a pak"
            ]
        );
    }

    /// For each limit the last number that passes, and what happens to the next one.
    #[test]
    fn each_limit_of_entries_holds_to_the_entry() {
        for (engine, limit, over) in [
            (Engine::Quake, 2048, Outcome::NoStart),
            (Engine::QuakeSpasm, 2048, Outcome::NoStart),
            (Engine::Ironwail, 2048, Outcome::NoStart),
            (Engine::VkQuake, 2048, Outcome::NoStart),
            (Engine::Qss, 4096, Outcome::NoStart),
            (Engine::DarkPlaces, 65_536, Outcome::Refused),
            // As many as the format can have.
            (Engine::Fteqw, 67_108_863, Outcome::Loads),
            (Engine::Quake2, 4096, Outcome::NoStart),
            (Engine::Yquake2, 4096, Outcome::Loads),
            (Engine::Q2pro, 1_048_576, Outcome::Refused),
            (Engine::Daikatana, 20_480, Outcome::NoStart),
        ] {
            let mut facts = facts(engine.profile().layout, 1);
            facts.entries = limit;
            let verdict = facts.judge(engine);
            assert_eq!((verdict.outcome, verdict.why.len()), (Outcome::Loads, 0));
            facts.entries += 1;
            let verdict = facts.judge(engine);
            assert_eq!(verdict.outcome, over, "{engine}");
            assert_eq!(verdict.why.is_empty(), engine == Engine::Fteqw, "{engine}");
        }
    }

    #[test]
    fn an_empty_pak_is_refused_taken_for_missing_or_nothing() {
        let empty = Facts::new(Layout::Quake, 12);
        assert_eq!(
            those(&empty, Outcome::Loads),
            "quake darkplaces fteqw quake2"
        );
        assert_eq!(
            those(&empty, Outcome::CountsAsMissing),
            "quakespasm ironwail vkquake qss"
        );
        assert_eq!(those(&empty, Outcome::Refused), "q2pro daikatana");
        assert_eq!(those(&empty, Outcome::NoStart), "yquake2");
        let empty = Facts::new(Layout::Daikatana, 12);
        assert_eq!(those(&empty, Outcome::Loads), "daikatana");
    }

    #[test]
    fn offsets_reach_to_2_gib_or_to_4_and_in_one_engine_ends_count_too() {
        const GIB_2: u64 = 1 << 31;
        let reaching = |directory: u64, begin: u64, size: u64| {
            let mut facts = Facts::new(Layout::Quake, directory);
            facts.add(RawName::from("a"), size, Some((begin, begin + size)));
            facts
        };
        let unsigned = "darkplaces fteqw";
        let all = "quake quakespasm ironwail vkquake qss darkplaces fteqw quake2 yquake2 q2pro";
        assert_eq!(those(&reaching(GIB_2 - 1, 12, 1), Outcome::Loads), all);
        assert_eq!(those(&reaching(GIB_2, 12, 1), Outcome::Loads), unsigned);
        assert_eq!(those(&reaching(12, GIB_2, 1), Outcome::Loads), unsigned);
        assert_eq!(those(&reaching(12, 12, GIB_2), Outcome::Loads), unsigned);
        assert_eq!(those(&reaching(12, GIB_2 - 2, 1), Outcome::Loads), all);
        let without_q2pro = all.strip_suffix(" q2pro").unwrap();
        let ends = reaching(12, GIB_2 - 1, 1);
        assert_eq!(those(&ends, Outcome::Loads), without_q2pro);
        assert_eq!(
            ends.judge(Engine::Q2pro).why[0].to_string(),
            "entry 0 \"a\" ends at byte 2147483648, and this engine can say no number above 2147483647"
        );
    }

    #[test]
    fn upper_case_and_backslashes_are_never_found_where_case_matters() {
        let mut facts = facts(Layout::Quake, 1);
        facts.add(RawName::from("MAPS\\e1m1.bsp"), 0, None);
        facts.add(RawName::from("b\\c"), 0, None);
        let silent: Vec<&str> = Engine::ALL
            .into_iter()
            .filter(|engine| facts.judge(*engine).why.is_empty())
            .map(Engine::name)
            .collect();
        assert_eq!(
            silent,
            ["darkplaces", "fteqw", "quake2", "yquake2", "q2pro"]
        );
        let verdict = facts.judge(Engine::Qss);
        assert!(verdict.loads());
        assert_eq!(
            verdict.why[0].to_string(),
            "it never finds 2 entries, first entry 1 \"MAPS\\\\e1m1.bsp\", whose name would have to be \"maps/e1m1.bsp\""
        );
        assert_eq!(findable(RawName::from("maps/e1m1.bsp")), None);
    }

    /// Of several that reach as far, the first is named; of one that reaches farther, that one.
    #[test]
    fn the_first_of_those_that_reach_farthest_is_named() {
        let mut facts = facts(Layout::Quake, 1);
        for (name, begin) in [
            ("b", 1 << 31),
            ("c", 3 << 30),
            ("d", 3 << 30),
            ("e", 5 << 29),
        ] {
            facts.add(RawName::from(name), 1, Some((begin, begin + 1)));
        }
        let verdict = facts.judge(Engine::Quake);
        assert_eq!(verdict.why.len(), 1);
        assert_eq!(
            verdict.why[0].to_string(),
            "entry 2 \"c\" begins at byte 3221225472, and this engine can say no number above 2147483647"
        );
    }

    /// A pak that must be written anew gets other offsets then, and perhaps other names.
    #[test]
    fn of_another_layouts_pak_neither_numbers_nor_names_are_told() {
        let mut facts = Facts::new(Layout::Daikatana, 1 << 31);
        facts.add(RawName::from("A\\b"), 1 << 31, Some((1 << 31, 1 << 32)));
        for engine in Engine::ALL {
            let expected = if engine == Engine::Daikatana { 3 } else { 1 };
            assert_eq!(facts.judge(engine).why.len(), expected, "{engine}");
        }
    }

    /// Neither hides the other: what is worst counts, and all is told.
    #[test]
    fn a_pak_with_too_many_entries_that_reach_too_far_stops_the_engine() {
        let mut facts = facts(Layout::Quake, 2048);
        facts.add(RawName::from("b"), 1, Some((1 << 31, (1 << 31) + 1)));
        let verdict = facts.judge(Engine::Quake);
        assert_eq!((verdict.outcome, verdict.why.len()), (Outcome::NoStart, 2));
    }
}

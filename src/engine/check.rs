//! Whether an engine loads a pak, why not, and how it finds the names in it.
//!
//! [`Facts`] are gathered once and judged for each engine. They can be gathered of a pak that is
//! only planned, too.

use core::fmt;

use super::{CutPayload, Empty, Engine, Findable, MaxEntries, Offsets, Outcome, Over};
use crate::codec::Bytes;
use crate::pak::{Archive, Layout, RawName, ReadAt, escape, quoted};

/// What matters of a pak to the engines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    layout: Layout,
    entries: u64,
    directory: u64,
    /// How many bytes at the directory's end are no whole record.
    partial: u64,
    /// How long the directory should be, and how much of it the file has, where that is less.
    cut: Option<(u64, u64)>,
    /// How long the file is, where there is one.
    file_len: Option<u64>,
    /// The payload that begins last, where that is far.
    begins: Option<Place>,
    /// The one that ends last.
    ends: Option<Place>,
    /// The largest.
    largest: Option<Place>,
    /// Those that the file's end cuts off.
    cut_payloads: Option<Entries>,
    names: Vec<Spelled>,
}

/// The names that an engine finds only as they are spelled, and those that it never finds.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Spelled {
    engine: Engine,
    exactly: Option<Entries>,
    never: Option<Entries>,
}

/// What an engine makes of a pak.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// What becomes of it.
    pub outcome: Outcome,
    /// What is to be said of it, the worst first. There can be something where it loads.
    pub why: Vec<Reason>,
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
        /// How many there are, as this engine counts them.
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
    /// The directory's length is no multiple of a record's.
    #[error("its directory ends in {} of no whole record, {}", Bytes(*bytes), words(*.outcome))]
    PartialRecord {
        /// How many bytes are too many.
        bytes: u64,
        /// What becomes of the pak.
        outcome: Outcome,
    },
    /// The file ends before its directory does.
    #[error("the file has {held} of the directory's {}, {}", Bytes(*claimed), words(*.outcome))]
    CutDirectory {
        /// How long the directory should be.
        claimed: u64,
        /// How much of it there is.
        held: u64,
        /// What becomes of the pak.
        outcome: Outcome,
    },
    /// The directory lies beyond what the engine can say.
    #[error(
        "its directory begins at byte {at}, beyond byte {limit}, {}", words(*.outcome)
    )]
    Directory {
        /// Where it begins.
        at: u64,
        /// The last byte that can be said.
        limit: u64,
        /// What becomes of the pak.
        outcome: Outcome,
    },
    /// The file is longer than what the engine can open.
    #[error("it is {len} bytes long, and this engine opens no file of more than {limit}")]
    FileLen {
        /// How long it is.
        len: u64,
        /// The longest that is opened.
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
    /// Payloads that the file's end cuts off.
    #[error("{}, which the file's end cuts off: {entries}", cut_words(*.then))]
    CutPayload {
        /// Their entries.
        entries: Entries,
        /// What happens when one is asked for.
        then: CutPayload,
    },
    /// Names that the engine finds only as they are spelled.
    #[error("it finds names only as they are spelled: those of {0}")]
    FoundAsSpelled(Entries),
    /// Names that the engine never finds.
    #[error("it never finds {0}")]
    NeverFound(Entries),
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

/// Some entries of a pak: how many, and the first of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entries {
    /// How many.
    pub count: usize,
    /// The number of the first.
    pub first: usize,
    /// Its name.
    pub name: Vec<u8>,
}

/// Judges a pak for one engine.
pub fn check<S: ReadAt>(archive: &Archive<S>, engine: Engine) -> Verdict {
    Facts::gather(archive, &[engine]).judge(engine)
}

/// The name under which every engine finds what has this one: ASCII letters in lower case, and
/// `/` for `\`. None where it is that already.
#[must_use]
pub fn findable(name: RawName<'_>) -> Option<Vec<u8>> {
    let mut bytes = name.as_bytes().iter();
    if !bytes.any(|byte| byte.is_ascii_uppercase() || *byte == b'\\') {
        return None;
    }
    let fold = |byte: &u8| match byte {
        b'\\' => b'/',
        byte => byte.to_ascii_lowercase(),
    };
    Some(name.as_bytes().iter().map(fold).collect())
}

impl Verdict {
    /// Whether it loads as what it is.
    #[must_use]
    pub fn loads(&self) -> bool {
        self.outcome == Outcome::Loads
    }

    fn add(&mut self, outcome: Outcome, reason: Reason) {
        self.outcome = self.outcome.max(outcome);
        self.why.push(reason);
    }
}

impl Facts {
    /// Of a pak without entries, so far.
    #[must_use]
    pub fn new(layout: Layout, directory: u64) -> Self {
        Self::for_engines(layout, directory, &Engine::ALL)
    }

    fn for_engines(layout: Layout, directory: u64, engines: &[Engine]) -> Self {
        let names = engines.iter().map(|engine| Spelled {
            engine: *engine,
            exactly: None,
            never: None,
        });
        Self {
            layout,
            entries: 0,
            directory,
            partial: 0,
            cut: None,
            file_len: None,
            begins: None,
            ends: None,
            largest: None,
            cut_payloads: None,
            names: names.collect(),
        }
    }

    /// Of an open pak.
    pub fn of<S: ReadAt>(archive: &Archive<S>) -> Self {
        Self::gather(archive, &Engine::ALL)
    }

    fn gather<S: ReadAt>(archive: &Archive<S>, engines: &[Engine]) -> Self {
        let header = archive.header();
        let (claimed, held) = (
            header.directory_len.into(),
            archive.directory().len() as u64,
        );
        let directory = header.directory_offset.into();
        let mut facts = Self::for_engines(archive.layout(), directory, engines);
        facts.file_len = Some(archive.file_len());
        facts.cut = (held < claimed).then_some((claimed, held));
        facts.partial = claimed % archive.layout().record_len() as u64;
        for entry in archive.entries() {
            let offset = u64::from(entry.record().offset);
            let end = offset + u64::from(entry.stored_len());
            facts.add(entry.name(), entry.size().into(), Some((offset, end)));
        }
        facts
    }

    /// For a file of this length.
    #[must_use]
    pub fn with_file_len(mut self, len: u64) -> Self {
        self.file_len = Some(len);
        self
    }

    /// Adds an entry behind the others: its name, its size, and where its payload begins and ends.
    pub fn add(&mut self, name: RawName<'_>, size: u64, extent: Option<(u64, u64)>) {
        let index = usize::try_from(self.entries).unwrap_or(usize::MAX);
        self.entries += 1;
        if let Some((begin, end)) = extent {
            // Where an empty payload begins, and that it lies outside, matters to none of them.
            let begin = if size > 0 { begin } else { 0 };
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
            if size > 0 && self.file_len.is_some_and(|len| len < end) {
                Entries::add(&mut self.cut_payloads, index, name);
            }
        }
        if !is_found_by_all(name.as_bytes()) {
            for spelled in &mut self.names {
                match spelled.engine.profile().names.find(name.as_bytes()) {
                    Findable::Any => {}
                    Findable::Exactly => Entries::add(&mut spelled.exactly, index, name),
                    Findable::Never => Entries::add(&mut spelled.never, index, name),
                }
            }
        }
    }

    /// What `engine` makes of the pak.
    #[must_use]
    pub fn judge(&self, engine: Engine) -> Verdict {
        let mut verdict = Verdict {
            outcome: Outcome::Loads,
            why: Vec::new(),
        };
        self.judge_directory(engine, &mut verdict);
        // A pak of another layout is to be written anew; what its numbers and names will be then
        // is another question.
        if engine.profile().layout == self.layout {
            self.judge_numbers(engine, &mut verdict);
            self.judge_names(engine, &mut verdict);
        }
        verdict
    }

    fn judge_directory(&self, engine: Engine, verdict: &mut Verdict) {
        let profile = engine.profile();
        let broken = profile.broken;
        let mut entries = self.entries;
        let mut partial = self.partial;
        if profile.layout.magic() != self.layout.magic() {
            let (found, wanted) = (self.layout, profile.layout);
            verdict.add(broken.not_a_pak, Reason::Layout { found, wanted });
            return;
        }
        if profile.layout != self.layout {
            let (found, wanted) = (self.layout, profile.layout);
            verdict.add(broken.other_layout, Reason::Layout { found, wanted });
            // It reads the same bytes in records of its own.
            let len = entries * self.layout.record_len() as u64 + partial;
            let record = wanted.record_len() as u64;
            (entries, partial) = (len / record, len % record);
        }
        if let Some(MaxEntries { count: limit, over }) = profile.max_entries
            && entries > limit.into()
        {
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
        let outcome = broken.partial_record;
        if partial > 0 && outcome != Outcome::Loads {
            let bytes = partial;
            verdict.add(outcome, Reason::PartialRecord { bytes, outcome });
        }
        let outcome = broken.cut_directory;
        if let Some((claimed, held)) = self.cut
            && outcome != Outcome::Loads
        {
            let reason = Reason::CutDirectory {
                claimed,
                held,
                outcome,
            };
            verdict.add(outcome, reason);
        }
    }

    fn judge_numbers(&self, engine: Engine, verdict: &mut Verdict) {
        let profile = engine.profile();
        let (broken, limit) = (profile.broken, profile.offsets.max_bytes());
        if self.directory > limit {
            let (at, outcome) = (self.directory, broken.far_directory);
            verdict.add(outcome, Reason::Directory { at, limit, outcome });
        }
        if profile.offsets == Offsets::ShortFile
            && let Some(len) = self.file_len.filter(|len| *len > limit)
        {
            let reason = Reason::FileLen { len, limit };
            verdict.add(Outcome::CountsAsMissing, reason);
        }
        let ends = if profile.offsets == Offsets::SignedEnds {
            &self.ends
        } else {
            &None
        };
        let limit = profile.offsets.max_payload();
        let far = [&self.begins, &self.largest, ends].into_iter().flatten();
        for place in far.filter(|place| place.value > limit) {
            let place = place.clone();
            verdict.add(broken.far_payload, Reason::Far { place, limit });
        }
        let then = broken.cut_payload;
        if let Some(entries) = &self.cut_payloads
            && matches!(then, CutPayload::NotFound | CutPayload::Stops)
        {
            let entries = entries.clone();
            verdict.add(Outcome::Loads, Reason::CutPayload { entries, then });
        }
    }

    fn judge_names(&self, engine: Engine, verdict: &mut Verdict) {
        let mut all = self.names.iter();
        let Some(Spelled { exactly, never, .. }) = all.find(|it| it.engine == engine) else {
            return;
        };
        if let Some(entries) = never {
            verdict.add(Outcome::Loads, Reason::NeverFound(entries.clone()));
        }
        if let Some(entries) = exactly {
            verdict.add(Outcome::Loads, Reason::FoundAsSpelled(entries.clone()));
        }
    }
}

/// Whether nothing need be asked, since every engine finds the name under every spelling: it has
/// only such bytes as mean nothing else to any of them, and no pair that might.
fn is_found_by_all(name: &[u8]) -> bool {
    let odd = |pair: &[u8]| matches!(pair, b"//" | b"./" | b"..");
    let special = |byte: &u8| byte.is_ascii_uppercase() || *byte == b'\\';
    name.len() < Layout::Quake.name_len()
        && name.first() != Some(&b'/')
        && !name.iter().any(special)
        && !name.windows(2).any(odd)
}

impl Entries {
    /// Counts an entry, and keeps it where it is the first.
    fn add(entries: &mut Option<Self>, index: usize, name: RawName<'_>) {
        let first = || Self {
            count: 0,
            first: index,
            name: name.as_bytes().to_vec(),
        };
        entries.get_or_insert_with(first).count += 1;
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

const fn words(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::NoStart => "and this engine does not start with such a pak",
        Outcome::Refused => "and this engine refuses such a pak",
        Outcome::CountsAsMissing => "and this engine takes such a pak for missing",
        Outcome::Misread => "and this engine makes nonsense of such a pak",
        Outcome::Loads => "which this engine does not mind",
    }
}

const fn over_words(over: Over) -> &'static str {
    match over {
        Over::Warns => "of which this engine only warns",
        other => words(other.outcome()),
    }
}

const fn empty_words(empty: Empty) -> &'static str {
    match empty {
        Empty::CountsAsMissing => "and this engine looks for no further paks at such a one",
        other => words(other.outcome()),
    }
}

const fn cut_words(then: CutPayload) -> &'static str {
    match then {
        CutPayload::Served => "it serves what is there of payloads",
        CutPayload::NotFound => "it does not find payloads",
        CutPayload::Stops => "it ends with an error when asked for payloads",
        CutPayload::NotKnown => "it is not known what it does about payloads",
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, what) = (escape(&self.name), self.what);
        write!(f, "entry {} \"{name}\" {what} {}", self.index, self.value)
    }
}

impl fmt::Display for Entries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, name) = (self.first, quoted(&self.name));
        match self.count {
            1 => write!(f, "entry {first} {name}"),
            count => write!(f, "{count} entries, first entry {first} {name}"),
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

    /// The engines for which the outcome is this, in the table's order.
    fn those(facts: &Facts, outcome: Outcome) -> String {
        let judged = Engine::ALL.into_iter();
        let names: Vec<&str> = judged
            .filter(|engine| facts.judge(*engine).outcome == outcome)
            .map(Engine::name)
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
                // In records of 64 bytes there are more.
                "its 2305 entries are more than 2048, and this engine does not start with such a pak"
            ]
        );
    }

    #[test]
    fn names_are_counted_for_each_engine_and_the_first_is_named() {
        let mut facts = facts(Layout::Quake, 1);
        facts.add(RawName::from("MAPS\\e1m1.bsp"), 0, None);
        facts.add(RawName::from("b\\c"), 0, None);
        let words = |engine: Engine| {
            let verdict = facts.judge(engine);
            assert!(verdict.loads());
            let words: Vec<String> = verdict.why.iter().map(ToString::to_string).collect();
            words.join("; ")
        };
        let both = "2 entries, first entry 1 \"MAPS\\\\e1m1.bsp\"";
        assert_eq!(
            words(Engine::Qss),
            format!("it finds names only as they are spelled: those of {both}")
        );
        assert_eq!(words(Engine::DarkPlaces), format!("it never finds {both}"));
        assert_eq!(words(Engine::Fteqw), "");
        assert_eq!(findable(RawName::from("maps/e1m1.bsp")), None);
        let works = findable(RawName::from("MAPS\\e1m1.bsp"));
        assert_eq!(works.as_deref(), Some(&b"maps/e1m1.bsp"[..]));
    }

    /// What is asked of a name only where it might matter is asked of each that does.
    #[test]
    fn a_name_that_no_engine_is_asked_about_is_found_by_all() {
        for name in [
            "a/b.c", "A", "a\\b", "/a", "a//b", "./a", "a/../b", "a..b", "",
        ] {
            let is_plain = is_found_by_all(name.as_bytes());
            for engine in Engine::ALL {
                let found = engine.profile().names.find(name.as_bytes());
                assert!(!is_plain || found == Findable::Any, "{engine} {name}");
            }
        }
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
            let expected = match engine {
                // Where the directory and the payload begin, and how large that is; and the name.
                Engine::Daikatana => 4,
                // The length of the directory is a number that all of them look at.
                Engine::DarkPlaces | Engine::Q2pro => 2,
                _ => 1,
            };
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

//! What engines will make of an output, said beforehand.

use std::collections::BTreeMap;

use super::partition::sets;
use crate::engine::{Duplicates, Engine, Facts, Findable, Names, Reason, findable};
use crate::error::{Error, ErrorKind};
use crate::ops::assemble::{Part, Parts};
use crate::ops::context::Problem;
use crate::pak::{Layout, RawName};

/// A name that an engine never finds, or only as it is spelled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HardToFind {
    /// The entry's number in its pak, or among the files, or in what a merge takes.
    pub index: usize,
    /// Its name.
    pub name: Vec<u8>,
    /// Whether it is found at all.
    pub found: bool,
}

/// Says which engines of its layout will not load an output.
pub(in crate::ops) fn unloadable(output: &super::Part, to: Layout) -> Option<Error> {
    let entries = output.entries;
    let directory = entries.saturating_mul(to.record_len() as u64);
    let len = output.bytes.unwrap_or_default();
    let end = len.saturating_sub(directory);
    let mut facts = Facts::new(to, end).with_file_len(len);
    for _ in 0..entries {
        facts.add(RawName::from(""), 0, None);
    }
    let mut many = BTreeMap::<u64, Vec<&str>>::new();
    let mut far = BTreeMap::<u64, Vec<&str>>::new();
    for engine in Engine::ALL {
        let verdict = facts.judge(engine);
        if engine.profile().layout != to || verdict.loads() {
            continue;
        }
        for reason in verdict.why {
            match reason {
                Reason::Entries { limit, .. } => {
                    many.entry(limit.into()).or_default().push(engine.name());
                }
                Reason::Directory { limit, .. } | Reason::FileLen { limit, .. } => {
                    let far = far.entry(limit).or_default();
                    if far.last() != Some(&engine.name()) {
                        far.push(engine.name());
                    }
                }
                _ => {}
            }
        }
    }
    let clauses = [
        (many, format!("with {entries} entries")),
        (far, format!("with payloads up to byte {end}")),
    ];
    let clauses: Vec<String> = clauses
        .into_iter()
        .filter(|(engines, _)| !engines.is_empty())
        .map(|(engines, what)| format!("{what} {}", listed(&engines)))
        .collect();
    (!clauses.is_empty()).then(|| ErrorKind::Unloadable(clauses.join("; ")).into())
}

/// The names that `engine` never finds or only as they are spelled, and a warning of each kind that
/// shows the first few.
pub(in crate::ops) fn hard_to_find(
    engine: Option<Engine>,
    parts: &dyn Parts,
) -> (Vec<HardToFind>, Vec<Problem>) {
    let Some(engine) = engine else {
        return (Vec::new(), Vec::new());
    };
    let names = engine.profile().names;
    let hard = |index: usize| {
        let part = parts.part(index)?;
        let name = part.name().as_bytes();
        let found = match names.find(name) {
            Findable::Any => return None,
            Findable::Exactly => true,
            Findable::Never => false,
        };
        let name = name.to_vec();
        Some(HardToFind { index, name, found })
    };
    let all: Vec<HardToFind> = (0..parts.count()).filter_map(hard).collect();
    let warning = |found: bool| {
        let these = all.iter().filter(|it| it.found == found);
        let these = these.map(|it| it.name.as_slice());
        let kind = ErrorKind::hard_to_find(engine.name(), found, these)?;
        Some(Problem::warning(kind.into()))
    };
    let warnings = [false, true].into_iter().filter_map(warning).collect();
    (all, warnings)
}

/// Parts under the names that every engine finds.
pub(in crate::ops) struct Lowered<'a> {
    parts: &'a dyn Parts,
    /// For each its new name, where it gets one.
    names: Vec<Option<Box<[u8]>>>,
}

impl<'a> Lowered<'a> {
    /// All that need one get a new name, if it is asked for.
    pub(in crate::ops) fn of(parts: &'a dyn Parts, asked: bool) -> Self {
        let name = |index| Some(findable(parts.part(index)?.name())?.into_boxed_slice());
        let names = if asked {
            (0..parts.count()).map(name).collect()
        } else {
            Vec::new()
        };
        Self { parts, names }
    }

    /// The new name of each, where it gets one; nothing at all where it is not asked for.
    pub(in crate::ops) fn into_names(self) -> Vec<Option<Box<[u8]>>> {
        self.names
    }

    /// The name of a part as it is now.
    fn name(&self, index: usize) -> Option<&[u8]> {
        match self.names.get(index) {
            Some(Some(name)) => Some(name),
            _ => Some(self.parts.part(index)?.name().as_bytes()),
        }
    }

    /// Warnings of names that are one now and were not before.
    pub(in crate::ops) fn alike(&self, engine: Option<Engine>, to: Layout) -> Vec<Problem> {
        if self.names.iter().all(Option::is_none) {
            return Vec::new();
        }
        let name = |index: usize| self.name(index).unwrap_or_default();
        let firsts = sets(self.count(), Names::EXACT, name);
        let mut lasts = firsts.clone();
        for (index, first) in (0_u32..).zip(&firsts) {
            if let Some(last) = lasts.get_mut(*first as usize) {
                *last = index;
            }
        }
        let warn = |(index, first): (usize, &u32)| {
            let first = *first as usize;
            let (part, first_part) = (self.parts.part(index)?, self.parts.part(first)?);
            let first_name = first_part.name();
            if part.name() == first_name {
                return None;
            }
            let last = *lasts.get(first)? as usize;
            let error = part.located(Error::from(ErrorKind::LoweredAlike {
                first,
                name: first_name.as_bytes().to_vec(),
                served: served(engine, to, first, last),
            }));
            Some(Problem::warning(error))
        };
        firsts.iter().enumerate().filter_map(warn).collect()
    }
}

impl Parts for Lowered<'_> {
    fn count(&self) -> usize {
        self.parts.count()
    }

    fn part(&self, index: usize) -> Option<Part<'_>> {
        let part = self.parts.part(index)?;
        Some(match self.names.get(index) {
            Some(Some(name)) => part.renamed(RawName::new(name)),
            _ => part,
        })
    }
}

/// Which of several entries of one name is served.
fn served(engine: Option<Engine>, to: Layout, first: usize, last: usize) -> String {
    match (
        engine.map(|engine| (engine, engine.profile().duplicates)),
        to,
    ) {
        (Some((engine, Duplicates::First)), _) => format!("{engine} serves entry {first}"),
        (Some((engine, Duplicates::Last)), _) => format!("{engine} serves entry {last}"),
        (Some((engine, Duplicates::NotDefined)), _) => {
            format!("which of them {engine} serves is not defined")
        }
        (None, Layout::Daikatana) => "which of them the game serves is not defined".to_owned(),
        (None, _) => format!("most engines serve entry {first}"),
    }
}

/// Engines by their limits, in words.
fn listed(engines: &BTreeMap<u64, Vec<&str>>) -> String {
    let each = engines
        .iter()
        .map(|(limit, names)| format!("{} (at most {limit})", names.join(", ")));
    each.collect::<Vec<_>>().join(", ")
}

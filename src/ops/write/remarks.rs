//! What engines will make of an output, said beforehand.

use std::collections::BTreeMap;
use std::io::Read as _;

use super::part::Part;
use super::partition::sets;
use super::report::{HardToFind, Output};
use crate::archive::{Archive, Format, RawName};
use crate::engine::{Duplicates, Engine, Facts, Findable, Names, Reason, Stock};
use crate::error::{Error, ErrorKind};
use crate::format::{TEXTURE_HEADER, has_palette};
use crate::ops::context::Problem;

/// Says which engines of its format will not load an output.
pub(super) fn unloadable(output: &Output, to: Format) -> Option<Error> {
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
        if !engine.profile().reads(to) || verdict.loads() {
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
    let each = |engines: BTreeMap<u64, Vec<&str>>, what: &str, how: String| {
        let clause = |(limit, names): (u64, Vec<&str>)| {
            format!("{what} for {}: {how}, at most {limit}", names.join(", "))
        };
        engines.into_iter().map(clause).collect::<Vec<String>>()
    };
    let mut clauses = each(many, "too many entries", entries.to_string());
    let how = format!("up to byte {end}");
    clauses.extend(each(far, "payloads too far into the file", how));
    (!clauses.is_empty()).then(|| ErrorKind::Unloadable(clauses.join("; ")).into())
}

/// The names that `engine` never finds or only as they are spelled, and a warning of each kind that
/// shows the first few.
pub(super) fn hard_to_find(
    engine: Option<Engine>,
    parts: &[Part<'_>],
    to: Format,
) -> (Vec<HardToFind>, Vec<Problem>) {
    let Some(engine) = engine else {
        return (Vec::new(), Vec::new());
    };
    let names = engine.profile().names_in(to);
    let hard = |part: &Part<'_>| {
        let name = part.name().as_bytes();
        if to == Format::Pk3 && names.is_too_long(name) {
            return None;
        }
        let found = match names.find(name) {
            Findable::Any => return None,
            Findable::Exactly => true,
            Findable::Never => false,
        };
        Some(HardToFind {
            index: part.number,
            name: name.to_vec(),
            found,
        })
    };
    let all: Vec<HardToFind> = parts.iter().filter_map(hard).collect();
    let warning = |found: bool| {
        let these = all.iter().filter(|it| it.found == found);
        let these = these.map(|it| it.name.as_slice());
        let kind = ErrorKind::hard_to_find(engine.name(), found, these)?;
        Some(Problem::warning(kind.into()))
    };
    let warnings = [false, true].into_iter().filter_map(warning);
    let warnings = warnings.chain(long_names(engine, parts, to)).collect();
    (all, warnings)
}

/// A warning of names in a ZIP that are longer than `engine` takes them.
fn long_names(engine: Engine, parts: &[Part<'_>], to: Format) -> Option<Problem> {
    if to != Format::Pk3 {
        return None;
    }
    let names = engine.profile().names_in(to);
    let mut long = parts.iter().map(|part| part.name().as_bytes());
    let mut long = long.by_ref().filter(|name| names.is_too_long(name));
    let first = long.next()?.to_vec();
    let kind = ErrorKind::LongNames {
        engine: engine.name(),
        most: names.longest.map_or(0, |longest| longest.bytes),
        count: 1 + long.count(),
        first,
    };
    Some(Problem::warning(kind.into()))
}

/// A warning where textures are to go into a WAD of the other game's, judged by how each begins. What
/// cannot be read is reported by whoever writes it.
pub(super) fn palettes(parts: &[Part<'_>], to: Format) -> Option<Problem> {
    let wants = match to {
        Format::Wad2 => false,
        Format::Wad3 => true,
        _ => return None,
    };
    let has = |part: &&Part<'_>| {
        let extension = part.name().extension()?;
        let is_texture = extension.eq_ignore_ascii_case(b"mip");
        let mut start = [0; TEXTURE_HEADER];
        let mut reader = part.entry.reader().ok().filter(|_| is_texture)?;
        reader.read_exact(&mut start).ok()?;
        has_palette(&start, part.size())
    };
    let mut odd = parts.iter().filter(|part| has(part) == Some(!wants));
    let first = odd.next()?;
    let kind = ErrorKind::TexturePalettes {
        to,
        count: 1 + odd.count(),
        first: first.name().as_bytes().to_vec(),
    };
    Some(Problem::warning(kind.into()))
}

/// Warnings of names that are one in lower case and were not before.
pub(super) fn lowered_alike(
    engine: Option<Engine>,
    parts: &[Part<'_>],
    to: Format,
) -> Vec<Problem> {
    if !parts.iter().any(Part::is_renamed) {
        return Vec::new();
    }
    let name = |at: usize| parts.get(at).map_or(&[][..], |it| it.name().as_bytes());
    let firsts = sets(parts.len(), Names::EXACT, name);
    let mut lasts = firsts.clone();
    for (at, first) in (0_u32..).zip(&firsts) {
        if let Some(last) = lasts.get_mut(*first as usize) {
            *last = at;
        }
    }
    let warn = |(part, first): (&Part<'_>, &u32)| {
        let first = *first as usize;
        let first_name = parts.get(first)?.entry.name();
        if part.entry.name() == first_name {
            return None;
        }
        let last = *lasts.get(first)? as usize;
        let kind = ErrorKind::LoweredAlike {
            first,
            name: first_name.as_bytes().to_vec(),
            served: served(engine, to, first, last),
        };
        Some(Problem::warning(part.entry.locate(kind.into())))
    };
    parts.iter().zip(&firsts).filter_map(warn).collect()
}

/// A warning where the engine that served all this would not load it as one archive.
pub(super) fn too_much(engine: Engine, parts: &[Part<'_>], to: Format) -> Option<Problem> {
    // Who writes another format means another engine.
    if !engine.profile().reads(to) || parts.is_empty() {
        return None;
    }
    let mut facts = Facts::new(to, 0);
    for part in parts {
        facts.add(part.entry.name(), part.size(), None);
    }
    let verdict = facts.judge(engine);
    let words: Vec<String> = verdict.why.iter().map(ToString::to_string).collect();
    let kind = ErrorKind::NeverLoaded {
        engine: engine.name(),
        why: words.join("; "),
    };
    (!verdict.loads()).then(|| Problem::warning(kind.into()))
}

/// Warnings where the engine knows an archive by its directory and will not know the output, whose
/// directory is this one; none where there are several outputs.
pub(super) fn stock_lost(
    archives: &[&Archive],
    to: Format,
    directory: Option<&[u8]>,
) -> Vec<Problem> {
    if to != Format::Quake || directory.and_then(Stock::of_directory).is_some() {
        return Vec::new();
    }
    let lost = |archive: &&Archive| {
        let stock = Stock::of(archive)?.to_string();
        let error = Error::from(ErrorKind::StockLost { stock });
        Some(Problem::warning(match archive.path() {
            Some(path) => error.in_pak(path),
            None => error,
        }))
    };
    archives.iter().filter_map(lost).collect()
}

/// Which of several entries of one name is served.
fn served(engine: Option<Engine>, to: Format, first: usize, last: usize) -> String {
    match (
        engine.map(|engine| (engine, engine.profile().duplicates_in(to))),
        to,
    ) {
        (Some((engine, Duplicates::First)), _) => format!("{engine} serves entry {first}"),
        (Some((engine, Duplicates::Last)), _) => format!("{engine} serves entry {last}"),
        (Some((engine, Duplicates::NotDefined)), _) => {
            format!("which of them {engine} serves is not defined")
        }
        (None, Format::Daikatana) => "which of them the game serves is not defined".to_owned(),
        (None, _) => format!("most engines serve entry {first}"),
    }
}

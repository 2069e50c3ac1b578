//! What engines will make of an output, said beforehand.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::Read as _;

use super::part::Part;
use super::rules::one_name;
use super::split::sets;
use super::targets::Target;
use crate::archive::{Archive, Case, Format, RawName};
use crate::engine::{
    Duplicates, Effect, Engine, Engines, Facts, Findable, Names, Reason, Stock, load_position,
};
use crate::error::{EngineNames, Error, ErrorKind};
use crate::format::{TEXTURE_HEADER, has_palette};
use crate::ops::context::Problem;
use crate::ops::row::{HardToFind, OutputFile};

/// Says which engines of its format will not load an output, which has some bytes behind its directory.
pub(in crate::ops) fn unloadable(output: &OutputFile, to: Format) -> Option<Error> {
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

/// The names that engines never find or only as they are spelled, and for each kind and the engines that
/// agree a warning that shows the first few.
pub(in crate::ops) fn hard_to_find(
    engines: Engines,
    parts: &[Part<'_>],
    to: Format,
) -> (Vec<HardToFind>, Vec<Problem>) {
    let mut all: Vec<HardToFind> = Vec::new();
    let mut warnings = Vec::new();
    for found in [false, true] {
        let hard = |engine: Engine| -> Vec<usize> {
            let names = engine.profile().names_in(to);
            let is_hard = |at: &usize| {
                let name = parts
                    .get(*at)
                    .map_or(&[][..], |part| part.name().as_bytes());
                let too_long = to == Format::Pk3 && names.is_too_long(name);
                let wanted = if found {
                    Findable::Exactly
                } else {
                    Findable::Never
                };
                !too_long && names.find(name) == wanted
            };
            (0..parts.len()).filter(is_hard).collect()
        };
        for (hard, engines) in engines.agreeing(hard) {
            let these = hard.into_iter().filter_map(|at| parts.get(at));
            let names = these.clone().map(|part| part.name().as_bytes());
            let kind = ErrorKind::hard_to_find(engines.into(), found, names);
            warnings.extend(kind.map(|kind| Problem::warning(kind.into())));
            all.extend(these.map(|part| HardToFind {
                index: part.number,
                name: part.name().as_bytes().to_vec(),
                found,
                engines,
            }));
        }
    }
    all.sort_by_key(|it| it.index);
    (all, warnings)
}

/// Warnings of entries that engines do not read as others, such as empty files and long names.
pub(in crate::ops) fn odd_entries(
    engines: Engines,
    parts: &[Part<'_>],
    to: Format,
) -> Vec<Problem> {
    if engines.is_empty() {
        return Vec::new();
    }
    let facts = facts(parts, to);
    let odd = |engine: Engine| -> Vec<String> {
        let mut reasons = facts.judge(engine).why;
        reasons.retain(|why| matches!(why, Reason::OddEntries { .. } | Reason::LongNames { .. }));
        reasons.iter().map(ToString::to_string).collect()
    };
    let mut warnings = Vec::new();
    for (odd, engines) in engines.agreeing(odd) {
        if !odd.is_empty() {
            let (engines, why) = (engines.into(), odd.join("; "));
            warnings.push(Problem::warning(
                ErrorKind::OddForEngines { engines, why }.into(),
            ));
        }
    }
    warnings
}

/// A warning of names with several entries where the engines that are to load all this serve not the
/// same of them.
pub(in crate::ops) fn served_otherwise(
    engines: Engines,
    parts: &[Part<'_>],
    to: Format,
) -> Option<Problem> {
    let serves = |engine: Engine| engine.profile().duplicates_in(to);
    let groups = engines.agreeing(serves);
    if groups.len() < 2 {
        return None;
    }
    let name = |at: usize| parts.get(at).map_or(&[][..], |it| it.name().as_bytes());
    let firsts = one_name(engines, to, parts.len(), name);
    let others = (0_u32..).zip(&firsts).filter(|(at, first)| at != *first);
    let several: BTreeSet<u32> = others.map(|(_, first)| *first).collect();
    let first = *several.first()? as usize;
    let how = groups.into_iter().map(|(serves, engines)| {
        let which = match serves {
            Duplicates::First => "the first",
            Duplicates::Last => "the last",
            Duplicates::NotDefined => "any",
        };
        format!("{which} by {}", EngineNames::from(engines))
    });
    let kind = ErrorKind::ServedOtherwise {
        count: several.len(),
        how: how.collect::<Vec<String>>().join("; "),
        first: name(first).to_vec(),
    };
    Some(Problem::warning(kind.into()))
}

/// A warning for each reason why engines that are to load an output never ask for it under its name.
pub(in crate::ops) fn never_asked_for(target: &Target, engines: Engines) -> Vec<Problem> {
    let name = target.relative.file_name().unwrap_or_default();
    let unasked = |engine| load_position(name.as_encoded_bytes(), engine).err();
    let groups = engines.agreeing(|engine| unasked(engine).map(|why| why.to_string()));
    let warn = |(why, engines): (Option<String>, Engines)| {
        let (engines, why) = (engines.into(), why?);
        let error = Error::from(ErrorKind::NeverLoaded { engines, why });
        Some(Problem::warning(error.in_pak(&target.shown)))
    };
    groups.into_iter().filter_map(warn).collect()
}

/// What matters to engines of an archive of these parts, but for where they will lie.
fn facts(parts: &[Part<'_>], to: Format) -> Facts {
    let mut facts = Facts::new(to, 0);
    for part in parts {
        facts.add(part.name(), part.size(), None);
    }
    facts
}

/// A warning where textures are to go into a WAD of the other game's, judged by how each begins. What
/// cannot be read is reported by whoever writes it.
pub(in crate::ops) fn palettes(parts: &[Part<'_>], to: Format) -> Option<Problem> {
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

/// Warnings of new names that to engines are one with another part's, spelled otherwise.
pub(in crate::ops) fn names_alike(
    engines: Engines,
    parts: &[Part<'_>],
    to: Format,
    is_new: impl Fn(&Part<'_>) -> bool,
) -> Vec<Problem> {
    if !parts.iter().any(&is_new) {
        return Vec::new();
    }
    let name = |at: usize| parts.get(at).map_or(&[][..], |it| it.name().as_bytes());
    let lowered = Names {
        case: Case::Ignored,
        ..Names::EXACT
    };
    let firsts = sets(parts.len(), lowered, name);
    let mut ends: HashMap<u32, usize> = HashMap::new();
    for (at, first) in firsts.iter().enumerate() {
        ends.insert(*first, at);
    }
    let warn = |(at, first): (usize, &u32)| {
        let part = parts.get(at).filter(|part| is_new(part))?;
        let (first, last) = (*first as usize, *ends.get(first)?);
        let spelled_otherwise = |other: &usize| name(*other) != part.name().as_bytes();
        let other = [first, last].into_iter().find(spelled_otherwise)?;
        let kind = ErrorKind::LoweredAlike {
            first: other,
            name: name(other).to_vec(),
            served: served(engines, to, first, last),
        };
        Some(Problem::warning(part.entry.locate(kind.into())))
    };
    let warnings = firsts.iter().enumerate().filter_map(warn);
    warnings.collect()
}

/// Warnings of names that are one in the output, in lower case or as a lump's, and were not before.
pub(in crate::ops) fn made_alike(engines: Engines, parts: &[Part<'_>], to: Format) -> Vec<Problem> {
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
        let name = first_name.as_bytes().to_vec();
        let kind = match to.counts_lumps() {
            true => ErrorKind::LumpsAlike { first, name },
            false => ErrorKind::LoweredAlike {
                first,
                name,
                served: served(engines, to, first, last),
            },
        };
        Some(Problem::warning(part.entry.locate(kind.into())))
    };
    parts.iter().zip(&firsts).filter_map(warn).collect()
}

/// A warning where the engine that served all this would not load it as one archive.
pub(in crate::ops) fn too_much(engine: Engine, parts: &[Part<'_>], to: Format) -> Option<Problem> {
    // Who writes another format means another engine.
    if !engine.profile().reads(to) || parts.is_empty() {
        return None;
    }
    let verdict = facts(parts, to).judge(engine);
    let words: Vec<String> = verdict.why.iter().map(ToString::to_string).collect();
    let kind = ErrorKind::Judged {
        engines: engine.into(),
        garbage: verdict.effect == Effect::Misread,
        why: words.join("; "),
    };
    (!verdict.loads()).then(|| Problem::warning(kind.into()))
}

/// Warnings where the engine knows an archive by its directory and will not know the output, whose
/// directory is this one; none where there are several outputs.
pub(in crate::ops) fn stock_lost(
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
fn served(engines: Engines, to: Format, first: usize, last: usize) -> String {
    let serves = |engine: Engine| engine.profile().duplicates_in(to);
    let words = engines.agreeing(serves).into_iter().map(|(serves, of)| {
        let (verb, names) = (
            if of.len() == 1 { "serves" } else { "serve" },
            EngineNames::from(of),
        );
        match serves {
            Duplicates::First => format!("{names} {verb} entry {first}"),
            Duplicates::Last => format!("{names} {verb} entry {last}"),
            Duplicates::NotDefined => format!("which of them {names} {verb} is not defined"),
        }
    });
    let words: Vec<String> = words.collect();
    match to {
        _ if !words.is_empty() => words.join("; "),
        Format::Daikatana => "which of them the game serves is not defined".to_owned(),
        _ => format!("most engines serve entry {first}"),
    }
}

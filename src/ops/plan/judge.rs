//! What engines will make of an output.
//!
//! Whether they load it is decided by [`Facts::judge`], the check that `info` uses. Beside it are the warnings
//! that this check cannot give, because they compare the output with its sources, or engines with each other:
//! names that become alike, which of several entries is served, palettes, and archives that the game knows by
//! their directories.

use std::collections::BTreeMap;
use std::io::Read as _;

use super::part::Part;
use super::rules::one_name;
use super::split::sets;
use super::targets::Target;
use crate::archive::{Archive, Case, Format};
use crate::engine::{
    Duplicates, Effect, Engine, Engines, Facts, Findable, Names, Reason, Stock, load_position,
};
use crate::error::{EngineNames, Error, ErrorKind};
use crate::format::{TEXTURE_HEADER, has_palette};
use crate::ops::context::Problem;
use crate::ops::row::{HardToFind, OutputFile};

/// What matters to engines of an archive of these parts. Where they will lie is not known.
pub(in crate::ops) fn facts<'p, 'a: 'p>(
    parts: impl IntoIterator<Item = &'p Part<'a>>,
    to: Format,
) -> Facts {
    let mut facts = Facts::new(to, 0);
    for part in parts {
        facts.add(part.name(), part.size(), None);
    }
    facts
}

/// Engines that do not load an output, and why, for all that agree.
pub(in crate::ops) fn refused(facts: &Facts, engines: Engines) -> Vec<ErrorKind> {
    let verdicts = engines.agreeing(|engine| {
        let verdict = facts.judge(engine);
        let why: Vec<String> = verdict.why.iter().map(ToString::to_string).collect();
        (verdict.effect, why.join("; "))
    });
    let mut refused = Vec::new();
    for ((effect, why), engines) in verdicts {
        if effect != Effect::Loads {
            refused.push(ErrorKind::Judged {
                engines: engines.into(),
                garbage: effect == Effect::Misread,
                why,
            });
        }
    }
    refused
}

/// Warnings of entries that engines do not read as others, such as empty files and long names.
pub(in crate::ops) fn odd_entries(facts: &Facts, engines: Engines) -> Vec<Problem> {
    let odd = engines.agreeing(|engine| {
        let mut reasons = facts.judge(engine).why;
        reasons.retain(|why| matches!(why, Reason::OddEntries { .. } | Reason::LongNames { .. }));
        let reasons: Vec<String> = reasons.iter().map(ToString::to_string).collect();
        reasons.join("; ")
    });
    let mut warnings = Vec::new();
    for (why, engines) in odd {
        if !why.is_empty() {
            let engines = engines.into();
            let kind = ErrorKind::OddForEngines { engines, why };
            warnings.push(Problem::warning(kind.into()));
        }
    }
    warnings
}

/// A warning of the engines of its format that will not load an output, whose directory is at its end.
pub(in crate::ops) fn unloadable(output: &OutputFile, to: Format) -> Option<Problem> {
    let len = output.bytes.unwrap_or_default();
    let end = len.saturating_sub(output.entries.saturating_mul(to.spec().record_len as u64));
    let mut facts = Facts::new(to, end).with_directory(end, len);
    for _ in 0..output.entries {
        facts.add("".into(), 0, None);
    }
    // The engines by what is too much for them, and by how much they allow.
    let mut causes: BTreeMap<(bool, u64), Vec<&str>> = BTreeMap::new();
    for engine in Engine::ALL {
        let verdict = facts.judge(engine);
        if !engine.profile().reads(to) || verdict.loads() {
            continue;
        }
        for reason in verdict.why {
            let cause = match reason {
                Reason::Entries { limit, .. } => (false, limit.into()),
                Reason::Directory { limit, .. } | Reason::FileLen { limit, .. } => (true, limit),
                _ => continue,
            };
            let engines = causes.entry(cause).or_default();
            if engines.last() != Some(&engine.name()) {
                engines.push(engine.name());
            }
        }
    }
    let mut clauses = Vec::new();
    for ((is_far, limit), engines) in causes {
        let engines = engines.join(", ");
        clauses.push(match is_far {
            false => {
                let entries = output.entries;
                format!("too many entries for {engines}: {entries}, at most {limit}")
            }
            true => format!(
                "payloads too far into the file for {engines}: up to byte {end}, at most {limit}"
            ),
        });
    }
    let kind = ErrorKind::Unloadable(clauses.join("; "));
    let error = Error::from(kind).in_pak(&output.target);
    (!clauses.is_empty()).then(|| Problem::warning(error))
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
    for (found, findable) in [(false, Findable::Never), (true, Findable::Exactly)] {
        let groups = engines.agreeing(|engine| {
            let names = engine.profile().names_in(to);
            let mut hard = Vec::new();
            for (at, part) in parts.iter().enumerate() {
                let name = part.name().as_bytes();
                let too_long = to == Format::Pk3 && names.is_too_long(name);
                if !too_long && names.find(name) == findable {
                    hard.push(at);
                }
            }
            hard
        });
        for (hard, engines) in groups {
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

/// A warning for each reason why engines that are to load an output never ask for it under its name.
pub(in crate::ops) fn never_asked_for(target: &Target, engines: Engines) -> Vec<Problem> {
    let name = target.relative.file_name().unwrap_or_default();
    let name = name.as_encoded_bytes();
    let mut warnings = Vec::new();
    let why = |engine| load_position(name, engine).err().map(|it| it.to_string());
    for (why, engines) in engines.agreeing(why) {
        if let Some(why) = why {
            let engines = engines.into();
            let error = Error::from(ErrorKind::NeverLoaded { engines, why });
            warnings.push(Problem::warning(error.in_pak(&target.shown)));
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
    let groups = engines.agreeing(|engine| engine.profile().duplicates_in(to));
    if groups.len() < 2 {
        return None;
    }
    let ends = ends(&one_name(engines, to, &names(parts)));
    let mut several = Vec::new();
    for (at, (part, (first, last))) in parts.iter().zip(ends).enumerate() {
        if first == at && last > at {
            several.push(part.name().as_bytes());
        }
    }
    let mut how = Vec::new();
    for (serves, engines) in groups {
        let which = match serves {
            Duplicates::First => "the first",
            Duplicates::Last => "the last",
            Duplicates::NotDefined => "any",
        };
        how.push(format!("{which} by {}", EngineNames::from(engines)));
    }
    let kind = ErrorKind::ServedOtherwise {
        count: several.len(),
        how: how.join("; "),
        first: several.first()?.to_vec(),
    };
    Some(Problem::warning(kind.into()))
}

fn names<'p>(parts: &'p [Part<'_>]) -> Vec<&'p [u8]> {
    parts.iter().map(|part| part.name().as_bytes()).collect()
}

/// For each part the first and the last one of its name, if these are the first ones.
fn ends(firsts: &[u32]) -> Vec<(usize, usize)> {
    let mut lasts = vec![0; firsts.len()];
    for (at, first) in firsts.iter().enumerate() {
        if let Some(last) = lasts.get_mut(*first as usize) {
            *last = at;
        }
    }
    let last = |first: usize| lasts.get(first).copied().unwrap_or(first);
    let firsts = firsts.iter().map(|first| *first as usize);
    firsts.map(|first| (first, last(first))).collect()
}

/// Warnings of new names that to engines are one with another part's, spelled otherwise.
pub(in crate::ops) fn names_alike(
    engines: Engines,
    parts: &[Part<'_>],
    to: Format,
    is_new: impl Fn(&Part<'_>) -> bool,
) -> Vec<Problem> {
    let mut warnings = Vec::new();
    if !parts.iter().any(&is_new) {
        return warnings;
    }
    let lowered = Names {
        case: Case::Ignored,
        ..Names::EXACT
    };
    let ends = ends(&sets(&names(parts), lowered));
    for (part, (first, last)) in parts.iter().zip(ends) {
        if !is_new(part) {
            continue;
        }
        let others = [first, last].into_iter();
        let mut others = others.filter_map(|at| Some((at, parts.get(at)?.name().as_bytes())));
        if let Some((other, name)) = others.find(|(_, name)| *name != part.name().as_bytes()) {
            let kind = ErrorKind::LoweredAlike {
                first: other,
                name: name.to_vec(),
                served: served(engines, to, first, last),
            };
            warnings.push(Problem::warning(part.entry.locate(kind.into())));
        }
    }
    warnings
}

/// Warnings of names that are one in the output, in lower case or as a lump's, and were not before.
pub(in crate::ops) fn made_alike(engines: Engines, parts: &[Part<'_>], to: Format) -> Vec<Problem> {
    let mut warnings = Vec::new();
    if !parts.iter().any(Part::is_renamed) {
        return warnings;
    }
    let ends = ends(&sets(&names(parts), Names::EXACT));
    for (part, (first, last)) in parts.iter().zip(ends) {
        let before = parts.get(first).map_or(part, |it| it).entry.name();
        if part.entry.name() == before {
            continue;
        }
        let name = before.as_bytes().to_vec();
        let kind = match to.spec().has_lumps() {
            true => ErrorKind::LumpsAlike { first, name },
            false => ErrorKind::LoweredAlike {
                first,
                name,
                served: served(engines, to, first, last),
            },
        };
        warnings.push(Problem::warning(part.entry.locate(kind.into())));
    }
    warnings
}

/// Which of several entries of one name is served.
fn served(engines: Engines, to: Format, first: usize, last: usize) -> String {
    let mut words = Vec::new();
    for (serves, of) in engines.agreeing(|engine| engine.profile().duplicates_in(to)) {
        let names = EngineNames::from(of);
        let verb = if of.len() == 1 { "serves" } else { "serve" };
        words.push(match serves {
            Duplicates::First => format!("{names} {verb} entry {first}"),
            Duplicates::Last => format!("{names} {verb} entry {last}"),
            Duplicates::NotDefined => format!("which of them {names} {verb} is not defined"),
        });
    }
    match to {
        _ if !words.is_empty() => words.join("; "),
        Format::Daikatana => "which of them the game serves is not defined".to_owned(),
        _ => format!("most engines serve entry {first}"),
    }
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

//! Warnings about how engines will treat an output.
//!
//! [`Facts::judge`], the check that `info` uses, decides whether they load it; `refused` and `unloadable` put its
//! reasons into words. The other warnings are about what the operation makes: names that become the same or cannot be
//! found, and palettes. What was in a source already is a matter for `info`.

use super::part::Part;
use super::split::sets;
use crate::archive::{Archive, Case, Format, quoted_name};
use crate::engine::{Duplicates, Effect, Engine, Engines, Facts, Findable, Names, Reason};
use crate::ops::finding::{Finding, Help, alike, judged, names_hard_to_find};
use crate::ops::row::HardToFind;

/// The facts that matter to engines about an archive with these parts. The positions of the parts are not known
/// yet.
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

/// The facts that matter to engines about an archive with these parts. The archive has this length and ends with
/// its directory.
pub(in crate::ops) fn facts_of_file<'p, 'a: 'p>(
    parts: impl Iterator<Item = &'p Part<'a>> + Clone,
    to: Format,
    len: u64,
) -> Facts {
    let directory = (parts.clone().count() * to.spec().record_len) as u64;
    let facts = facts(parts, to);
    facts.with_directory(len.saturating_sub(directory), len)
}

/// An error for each reason why engines do not load an output, with all engines that have this reason.
pub(in crate::ops) fn refused(facts: &Facts, engines: Engines) -> Vec<Finding> {
    let verdicts = engines.agreeing(|engine| {
        let mut verdict = facts.judge(engine);
        // What is about single entries keeps no engine from loading the rest.
        verdict.why.retain(|why| {
            !matches!(
                why,
                Reason::OddEntries { .. } | Reason::NeverFound(_) | Reason::FoundAsSpelled(_)
            )
        });
        let why: Vec<String> = verdict.why.iter().map(ToString::to_string).collect();
        let is_name = |why: &Reason| matches!(why, Reason::LongNames { .. });
        (verdict.effect, why.join("; "), verdict.why.iter().all(is_name))
    });
    let mut refused = Vec::new();
    for ((effect, why, are_names), engines) in verdicts {
        if effect == Effect::Loads {
            continue;
        }
        let error = judged(engines, effect == Effect::Misread, why);
        refused.push(if are_names {
            error.advice("give these entries shorter names, or leave them out")
        } else {
            error.help(Help::Split)
        });
    }
    refused
}

/// A warning that names the engines that read the format but will not load the output.
pub(in crate::ops) fn unloadable(facts: &Facts, to: Format) -> Option<Finding> {
    let engines = Engine::ALL.into_iter();
    let engines: Engines = engines.filter(|it| it.profile().reads(to)).collect();
    let (mut why, mut advice, mut help) = (Vec::new(), None, None);
    for finding in refused(facts, engines) {
        why.push(finding.detail);
        advice = advice.or(finding.advice);
        help = help.or(finding.help);
    }
    if why.is_empty() {
        return None;
    }
    Some(Finding { advice, help, ..Finding::warning(why.join("; ")) })
}

/// The names that engines never find, or find only by their exact spelling. For each kind, there is a warning for
/// the engines that agree, with the first few names.
pub(in crate::ops) fn hard_to_find(
    engines: Engines,
    parts: &[&Part<'_>],
    to: Format,
) -> (Vec<HardToFind>, Vec<Finding>) {
    let mut all: Vec<HardToFind> = Vec::new();
    let mut warnings = Vec::new();
    for (found, findable) in [(false, Findable::Never), (true, Findable::Exactly)] {
        let groups = engines.agreeing(|engine| {
            let profile = engine.profile();
            let (names, in_zip) = (profile.rules_in(to).names, profile.zips_in(to).is_some());
            let mut hard = Vec::new();
            for (at, part) in parts.iter().enumerate() {
                let name = part.name().as_bytes();
                let is_too_long = in_zip && names.is_too_long(name);
                let how = if is_too_long { Findable::Never } else { names.find(name) };
                if how == findable {
                    hard.push(at);
                }
            }
            hard
        });
        for (hard, engines) in groups {
            let these = hard.into_iter().filter_map(|at| parts.get(at));
            let names = these.clone().map(|part| part.name().as_bytes());
            warnings.extend(names_hard_to_find(engines, found, names));
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

fn names<'p>(parts: &[&'p Part<'_>]) -> Vec<&'p [u8]> {
    parts.iter().map(|part| part.name().as_bytes()).collect()
}

/// For each part, the first and the last part with the same name. `firsts` gives the first one.
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

/// Whether a part has a name that it did not have in the `old` archive.
fn has_new_name(part: &Part<'_>, old: &Archive) -> bool {
    part.is_renamed() || !core::ptr::eq(part.entry.archive(), old)
}

/// Warnings about names that are new in the `old` archive, and that engines treat as the same as the name of another
/// part, with another spelling.
pub(in crate::ops) fn names_alike(
    engines: Engines,
    parts: &[&Part<'_>],
    to: Format,
    old: &Archive,
) -> Vec<Finding> {
    let mut warnings = Vec::new();
    if !parts.iter().any(|part| has_new_name(part, old)) {
        return warnings;
    }
    let lowered = Names { case: Case::Ignored, ..Names::EXACT };
    let ends = ends(&sets(&names(parts), lowered));
    for (part, (first, last)) in parts.iter().zip(ends) {
        if !has_new_name(part, old) {
            continue;
        }
        let others = [first, last].into_iter();
        let mut others = others.filter_map(|at| Some((at, parts.get(at)?.name().as_bytes())));
        if let Some((other, name)) = others.find(|(_, name)| *name != part.name().as_bytes()) {
            let served = served(engines, to, first, last);
            warnings.push(lowered_alike(other, name, &served).of_entry(&part.entry));
        }
    }
    warnings
}

/// Warnings about names that become the same in the output, because they are in lower case.
pub(in crate::ops) fn made_alike(
    engines: Engines,
    parts: &[&Part<'_>],
    to: Format,
) -> Vec<Finding> {
    let mut warnings = Vec::new();
    // Names that become the same in a WAD are errors (`layout::names_taken`).
    if to.spec().has_lumps() || !parts.iter().any(|part| part.is_renamed()) {
        return warnings;
    }
    let ends = ends(&sets(&names(parts), Names::EXACT));
    for (part, (first, last)) in parts.iter().zip(ends) {
        let before = parts.get(first).unwrap_or(part).entry.name();
        if part.entry.name() == before {
            continue;
        }
        let served = served(engines, to, first, last);
        let warning = lowered_alike(first, before.as_bytes(), &served);
        warnings.push(warning.of_entry(&part.entry));
    }
    warnings
}

/// A warning about a name that in lower case is the same as the name of another entry.
fn lowered_alike(first: usize, name: &[u8], served: &str) -> Finding {
    let name = quoted_name(name);
    let why = format!("in lower case this is also the name of entry {first} {name}; {served}");
    alike(why)
}

/// A sentence about which of several entries with the same name is served.
fn served(engines: Engines, to: Format, first: usize, last: usize) -> String {
    let mut words = Vec::new();
    for (serves, names) in engines.agreeing(|engine| engine.profile().rules_in(to).duplicates) {
        let verb = names.verb("serves", "serve");
        words.push(match serves {
            Duplicates::First => format!("{names} {verb} entry {first}"),
            Duplicates::Last => format!("{names} {verb} entry {last}"),
            Duplicates::NotDefined => format!("it is not defined which of them {names} {verb}"),
        });
    }
    match to {
        _ if !words.is_empty() => words.join("; "),
        Format::Daikatana => "it is not defined which of them the game serves".to_owned(),
        _ => format!("most engines serve entry {first}"),
    }
}

/// A warning if textures go into the WAD of the other game.
pub(in crate::ops) fn palettes(parts: &[&Part<'_>], to: Format) -> Option<Finding> {
    let wants = match to {
        Format::Wad2 => false,
        Format::Wad3 => true,
        _ => return None,
    };
    let mut odd = Vec::new();
    for part in parts {
        if let Some(texture) = &part.texture
            && texture.has_palette != wants
        {
            odd.push(part);
        }
    }
    let first = odd.first()?;
    let what = palettes_wrong(to, odd.len());
    let why = format!("{what}; the first is {}", quoted_name(first.name().as_bytes()));
    Some(Finding::warning(why).advice("pack them into a WAD of their own game, and convert that"))
}

/// The sentence about `count` textures of a WAD that lack a palette, or that have one but do not need it.
fn palettes_wrong(to: Format, count: usize) -> String {
    let what = match (to, count) {
        (Format::Wad3, 1) => "texture has no palette, but Half-Life expects one after each texture",
        (Format::Wad3, _) => {
            "textures have no palette, but Half-Life expects one after each texture"
        }
        (_, 1) => "texture has a palette of its own, but Quake shows it in its own colours",
        (_, _) => "textures have palettes of their own, but Quake shows them in its own colours",
    };
    format!("{count} {what}")
}

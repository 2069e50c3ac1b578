//! Warnings about how engines will treat an output.
//!
//! [`Facts::judge`], the check that `info` uses, decides whether they load it; `refused` and `unloadable` put its
//! reasons into words. The other warnings are about what the operation makes: names that become the same or cannot be
//! found, and palettes. What was in a source already is a matter for `info`.

use crate::archive::{Format, quoted_name};
use crate::engine::{Effect, Engine, Engines, Facts, Findable, Names, Reason};
use crate::ops::finding::{Finding, Help, alike, judged, names_hard_to_find};
use crate::ops::plan::part::Part;
use crate::ops::plan::split::sets;
use crate::ops::row::HardToFind;

/// The facts that matter to engines about an archive with these parts. The positions of the parts are not known
/// yet.
pub(crate) fn facts<'p, 'a: 'p>(
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
pub(crate) fn facts_of_file<'p, 'a: 'p>(
    parts: impl Iterator<Item = &'p Part<'a>> + Clone,
    to: Format,
    len: u64,
) -> Facts {
    let directory = (parts.clone().count() * to.spec().record_len) as u64;
    let facts = facts(parts, to);
    facts.with_directory(len.saturating_sub(directory), len)
}

/// An error for each reason why engines do not load an output, with all engines that have this reason.
pub(crate) fn refused(facts: &Facts, engines: Engines) -> Vec<Finding> {
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
pub(crate) fn unloadable(facts: &Facts, to: Format) -> Option<Finding> {
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
pub(crate) fn hard_to_find(
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

/// Warnings about names that become the same in the output, because they are in lower case.
pub(crate) fn made_alike(parts: &[&Part<'_>], to: Format) -> Vec<Finding> {
    let mut warnings = Vec::new();
    // Names that become the same in a WAD are errors (`layout::names_taken`).
    if to.spec().has_lumps() || !parts.iter().any(|part| part.is_renamed()) {
        return warnings;
    }
    let names: Vec<&[u8]> = parts.iter().map(|part| part.name().as_bytes()).collect();
    for (part, first) in parts.iter().zip(sets(&names, Names::EXACT)) {
        if let Some(before) = parts.get(first as usize)
            && before.entry.name() != part.entry.name()
        {
            let name = quoted_name(before.entry.name().as_bytes());
            let why = format!("in lower case this is also the name of entry {first} {name}");
            warnings.push(alike(why).of_entry(&part.entry));
        }
    }
    warnings
}

/// A warning if textures go into the WAD of the other game.
pub(crate) fn palettes(parts: &[&Part<'_>], to: Format) -> Option<Finding> {
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

//! What an engine serves from a game's directories: written once more, and plainly, with nothing of
//! the code under test. Its rules for names come from what engines were seen to do.

use std::collections::{BTreeMap, BTreeSet};

use daisho::engine::Engine;

use super::engines::observed::{Duplicates, rules};

/// A name, and what it has.
pub(crate) type File = (String, Vec<u8>);

/// A game's directory: its paks by their names, and its loose files.
#[derive(Debug, Clone, Default)]
pub(crate) struct Folder {
    pub(crate) paks: BTreeMap<String, Vec<File>>,
    pub(crate) loose: Vec<File>,
}

/// A copy of a file, in the order in which an engine searches.
#[derive(Debug, Clone)]
pub(crate) struct Copy {
    pub(crate) name: String,
    pub(crate) content: Vec<u8>,
    pub(crate) is_loose: bool,
}

/// The names of the paks that an engine loads, the later ones behind the earlier, by name where it
/// leaves that to the file system.
pub(crate) fn order(engine: Engine, names: &BTreeSet<String>) -> Vec<String> {
    let numbered = |count: u32| (0..count).map(|n| format!("pak{n}.pak"));
    let there = |name: &String| names.contains(name);
    let to_the_first_missing = || numbered(1000).take_while(there);
    // What a listing yields besides, by name.
    let others = |first: Vec<String>, is_listed: &dyn Fn(&str) -> bool| {
        let mut others: Vec<String> =
            names.iter().filter(|name| is_listed(name) && !first.contains(name)).cloned().collect();
        others.sort_by_key(|name| (name.to_lowercase(), *name != name.to_lowercase()));
        [first, others].concat()
    };
    // Of names that are one but for their case the first alone.
    let once = |all: Vec<String>| {
        let mut seen = BTreeSet::new();
        let news = all.into_iter().filter(|it| seen.insert(it.to_lowercase()));
        news.collect()
    };
    let any_case = |name: &str| name.to_lowercase().ends_with(".pak");
    let lower = |name: &str| name.ends_with(".pak");
    match engine {
        Engine::Quake | Engine::QuakeSpasm | Engine::Ironwail | Engine::VkQuake => {
            to_the_first_missing().collect()
        }
        Engine::Qss | Engine::Fteqw => once(others(to_the_first_missing().collect(), &any_case)),
        Engine::DarkPlaces => once(others(Vec::new(), &any_case)),
        Engine::EzQuake => {
            let numbers = (0..1000).map(|n| {
                let exact = format!("pak{n}.pak");
                let mut alike = names.iter().filter(|it| it.to_lowercase() == exact);
                if there(&exact) { Some(exact) } else { alike.next().cloned() }
            });
            once(others(numbers.map_while(|it| it).collect(), &lower))
        }
        Engine::Xash3d => once(names.iter().filter(|it| any_case(it)).cloned().collect()),
        // No paks.
        Engine::IoQuake3 | Engine::Dhewm3 => Vec::new(),
        Engine::Quake2 | Engine::Daikatana | Engine::Hexen2 | Engine::Hexenwail => {
            numbered(10).filter(there).collect()
        }
        Engine::Yquake2 | Engine::Yquake2Remaster => {
            others(numbered(100).filter(there).collect(), &|name| {
                lower(name) && !numbered(100).any(|it| it == name.to_lowercase())
            })
        }
        Engine::Q2pro => {
            let number = |name: &String| {
                let lower = name.to_lowercase();
                let rest = lower.strip_prefix("pak")?;
                let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap();
                let is_negative = rest.starts_with('-') && rest[1..].starts_with(char::is_numeric);
                if is_negative {
                    // As large as it gets.
                    return Some((u64::MAX, rest.to_owned()));
                }
                Some((rest[..end].parse().unwrap_or(0), rest[end..].to_owned()))
            };
            let mut first: Vec<String> =
                names.iter().filter(|it| any_case(it) && number(it).is_some()).cloned().collect();
            first.sort_by_key(|name| (number(name), *name != name.to_lowercase()));
            others(first, &any_case)
        }
        other => panic!("what of {other}?"),
    }
}

/// Every copy, in the order in which it is searched: the later folder first, the later pak first.
pub(crate) fn search(engine: Engine, game: &[Folder], with_loose: bool) -> Vec<Copy> {
    let rules = rules(engine);
    let mut all = Vec::new();
    for folder in game.iter().rev() {
        let copy = |(name, content): &File, is_loose| Copy {
            name: name.clone(),
            content: content.clone(),
            is_loose,
        };
        let loose = folder.loose.iter().filter(|_| with_loose);
        let loose: Vec<Copy> = loose.map(|file| copy(file, true)).collect();
        let mut paks = Vec::new();
        let names = folder.paks.keys().cloned().collect();
        for pak in order(engine, &names).iter().rev() {
            let mut entries: Vec<Copy> =
                folder.paks[pak].iter().map(|it| copy(it, false)).collect();
            if rules.duplicates == Duplicates::Last {
                entries.reverse();
            }
            paks.extend(entries);
        }
        all.extend(if rules.loose_wins { [loose, paks] } else { [paks, loose] }.concat());
    }
    all
}

/// The copies that are found under a name, by their places in the search.
pub(crate) fn found(engine: Engine, search: &[Copy], asked: &str) -> Vec<usize> {
    let rules = rules(engine);
    let Some(file) = rules.slashes(asked) else {
        return Vec::new();
    };
    let key = rules.key(&file);
    let is_it = |copy: &Copy| {
        if copy.is_loose { copy.name == file } else { rules.key(&copy.name) == key }
    };
    let places = search.iter().enumerate();
    let found = places.filter(|(_, copy)| is_it(copy)).map(|(at, _)| at);
    found.collect()
}

/// The copy that is served under a name.
pub(crate) fn served(engine: Engine, search: &[Copy], asked: &str) -> Option<usize> {
    found(engine, search, asked).first().copied()
}

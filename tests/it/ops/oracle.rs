//! What an engine serves from a game's directories: written once more, and plainly, from what is
//! known of the engines, with nothing of the code under test.

use std::collections::{BTreeMap, BTreeSet};

use daisho::ops::engine::Engine;

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

/// Whether case matters, whether the last of one name in one pak is served, whether a loose file
/// goes before the paks beside it.
pub(crate) fn rules(engine: Engine) -> (bool, bool, bool) {
    match engine {
        Engine::Quake | Engine::QuakeSpasm | Engine::Ironwail | Engine::VkQuake => {
            (true, false, false)
        }
        Engine::Qss => (true, false, true),
        Engine::DarkPlaces | Engine::Fteqw | Engine::Daikatana => (false, false, true),
        Engine::Quake2 | Engine::Yquake2 => (false, false, false),
        Engine::Q2pro => (false, true, false),
        other => panic!("what of {other}?"),
    }
}

/// The names of the paks that an engine loads, the later ones behind the earlier.
pub(crate) fn order(engine: Engine, names: &BTreeSet<String>) -> Vec<String> {
    let numbered = |count: u32| (0..count).map(|n| format!("pak{n}.pak"));
    let there = |name: &String| names.contains(name);
    let to_the_first_missing = || numbered(1000).take_while(there);
    // What a listing yields besides, by name.
    let others = |first: Vec<String>, is_listed: &dyn Fn(&str) -> bool| {
        let mut others: Vec<String> = names
            .iter()
            .filter(|name| is_listed(name) && !first.contains(name))
            .cloned()
            .collect();
        others.sort_by_key(|name| name.to_lowercase());
        [first, others].concat()
    };
    let any_case = |name: &str| name.to_lowercase().ends_with(".pak");
    let lower = |name: &str| name.ends_with(".pak");
    match engine {
        Engine::Quake | Engine::QuakeSpasm | Engine::Ironwail | Engine::VkQuake => {
            to_the_first_missing().collect()
        }
        Engine::Qss => others(to_the_first_missing().collect(), &any_case),
        Engine::Fteqw => others(to_the_first_missing().collect(), &lower),
        Engine::DarkPlaces => others(Vec::new(), &any_case),
        Engine::Quake2 | Engine::Daikatana => numbered(10).filter(there).collect(),
        Engine::Yquake2 => others(numbered(100).filter(there).collect(), &|name| {
            lower(name) && !name.starts_with("pak")
        }),
        Engine::Q2pro => {
            let number = |name: &String| {
                let lower = name.to_lowercase();
                let digits = lower.strip_prefix("pak")?.strip_suffix(".pak")?;
                digits.parse::<u64>().ok()
            };
            let mut first: Vec<String> = names
                .iter()
                .filter(|it| number(it).is_some())
                .cloned()
                .collect();
            first.sort_by_key(number);
            others(first, &any_case)
        }
        other => panic!("what of {other}?"),
    }
}

/// Every copy, in the order in which it is searched: the later folder first, the later pak first.
pub(crate) fn search(engine: Engine, game: &[Folder], with_loose: bool) -> Vec<Copy> {
    let (_, last, loose_wins) = rules(engine);
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
            if last {
                entries.reverse();
            }
            paks.extend(entries);
        }
        all.extend(
            if loose_wins {
                [loose, paks]
            } else {
                [paks, loose]
            }
            .concat(),
        );
    }
    all
}

/// What is served under a name: its place in the search.
pub(crate) fn served(engine: Engine, search: &[Copy], asked: &str) -> Option<usize> {
    let (case_matters, ..) = rules(engine);
    search.iter().position(|copy| {
        asked == copy.name
            || !case_matters && !copy.is_loose && asked.eq_ignore_ascii_case(&copy.name)
    })
}

//! What the library reports about engines, compared with the engines' observed behaviour.
//!
//! | file       | what it compares                                                           |
//! |------------|----------------------------------------------------------------------------|
//! | `observed` | what was seen: `observed.txt`, read                                         |
//! | `folders`  | which paks of a folder load, in which order, and whether loose files win    |
//! | `names`    | which names are one, which copy of one name is served, what is never found  |
//! | `odd`      | paks that are empty, cut short, too large, of another layout, or none       |
//! | `limits`   | where a pak is split for an engine                                          |
//! | `zips`     | ZIPs that are odd, and what is written for engines that read them           |
//! | `read`     | engines that were not run, whose rules were read                            |
//! | `ask`      | engines that are installed here, asked again by `tests/engines/ask`          |
//!
//! What was not seen but read, because the engine was not run or not asked, is written out in the
//! tests, each with a word about it.

#[cfg(target_os = "linux")]
mod ask;
mod folders;
pub(super) mod game;
mod limits;
mod names;
pub(crate) mod observed;
mod odd;
mod read;
mod zips;

use daisho::engine::{Engine, Known};

use observed::Observed;

/// The engines that load ZIPs alone.
pub(crate) const WITHOUT_PAKS: [Engine; 2] = [Engine::IoQuake3, Engine::Dhewm3];

/// The engines that were not run: their rules were read.
pub(crate) const NOT_RUN: [Engine; 3] = [Engine::Hexenwail, Engine::Dhewm3, Engine::Daikatana];

/// The engines that load paks.
pub(crate) fn pak_engines() -> impl Iterator<Item = Engine> {
    let all = Engine::ALL.into_iter();
    all.filter(|engine| !WITHOUT_PAKS.contains(engine))
}

#[test]
fn observed_engines_were_asked_every_question() {
    let observed = Observed::read();
    for engine in Engine::ALL {
        let known = observed.known(engine);
        assert_eq!(known.is_some(), !NOT_RUN.contains(&engine), "{engine}");
        // The table has the same source of its knowledge.
        let said = match engine.profile().known {
            Known::Ran { version, .. } => Some(version),
            Known::Read { .. } => None,
        };
        assert_eq!(said, known.map(|build| build.version), "{engine}");
        let Some(build) = known else { continue };
        let kinds: &[&str] = match engine {
            // It loads no paks.
            Engine::IoQuake3 => &["folder", "zip-names"],
            _ if engine.profile().zips.is_some() => {
                &["folder", "names", "copies", "odd", "zip-names"]
            }
            _ => &["folder", "names", "copies", "odd"],
        };
        for kind in kinds {
            for section in observed.of(kind) {
                // A pak of a million entries takes most of them minutes.
                let asked = section.seen(build).is_some() || section.name.contains("1048576");
                let asked = asked || section.name.contains("1048577");
                let own = [section.name, "-of-q2pro"].concat();
                let has_own = observed.of(kind).any(|other| other.name == own);
                let is_own = section.name.ends_with("-of-q2pro");
                let is_other = has_own && engine == Engine::Q2pro || is_own && !asked;
                assert!(asked || is_other, "{engine} {}", section.name);
            }
        }
    }
}

/// The table describes one version of each engine. The other versions differ only in these answers.
#[test]
fn engine_versions_differ_as_the_table_says() {
    let observed = Observed::read();
    let mut differ = Vec::new();
    for build in observed.builds() {
        let known = observed.known(build.engine).unwrap();
        for kind in ["folder", "names", "zip-names", "copies", "odd"] {
            for section in observed.of(kind) {
                let seen = section.seen(build);
                if seen.is_some() && seen != section.seen(known) {
                    differ.push(format!("{}: {}", build.name, section.name));
                }
            }
        }
    }
    let expected = [
        "quakespasm-0.95.1: pak1=20-bytes-of-the-directory-cut",
        "quakespasm-0.95.1: pak1=5-bytes",
        "darkplaces-2018: archives",
    ];
    assert_eq!(differ, expected);
}

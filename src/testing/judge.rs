//! Checks the conditions that must hold after a run with a fault:
//!
//! 1. The sources are byte for byte as they were.
//! 2. Every final name has the old content, the new content, or no file if it had none before. (With
//!    `--keep-going`, the new content may lack entries that errors name.)
//! 3. If any new content is missing, the run reports an error. Each error names a file, and one has the
//!    system's message.
//! 4. A temporary file or an empty directory remains only if its removal failed, and an error names it.
//! 5. Interrupted and short calls are retried: no error, and everything is new.
//! 6. Parts of a split get their names from the last one on, so if the first one exists, all exist.
//! 7. A single fault costs one pak, one file of an extraction, or a page with all its files.
//! 8. If a page is new, all its files are. It says which entries could not be read.

use std::collections::BTreeSet;
use std::path::Path;

use rustix::io::Errno;

use super::faulty::{Fault, When};
use super::scenarios::{Run, Stage, Tree, Verb};
use crate::archive::error::lower_first;
use crate::archive::{Archive, RawName, escape};
use crate::fs::{Call, is_temporary};

pub(super) fn judge(stage: &Stage<'_>, run: &Run, when: When, fault: Fault, call: Option<Call>) {
    let told: Vec<String> = run.errors.iter().map(ToString::to_string).collect();
    let files: Vec<_> = run.tree.iter().map(|(path, it)| (path, it.len())).collect();
    let what = format!(
        "{:?}\n{when:?} ({call:?}): {fault:?}\nrefused: {}\ntold: {told:#?}\nthere: {files:#?}",
        stage.scenario, run.refused
    );
    assert!(stage.sources_are_untouched(), "a source has changed: {what}");
    let new = whole(stage, run, &what);
    // A call that creates a directory and reports an error: no run can know that the directory exists.
    let unknown = matches!(fault, Fault::DoneAndFails(_))
        && matches!(call, Some(Call::MakeDir | Call::MakeRoot));
    nothing_is_left(stage, run, !unknown, &what);
    if run.is_well() {
        assert_eq!(new.len(), stage.whole.len(), "not told: {what}");
    } else {
        errors(stage, run, fault, &told, &what);
    }
    if heals(when, fault) {
        assert!(run.is_well(), "not healed: {what}");
    }
    if matches!(when, When::Once(_)) && !run.refused {
        the_rest_is_done(stage, &new, &what);
    }
    if stage.scenario.split && new.contains(Path::new("new1.pak")) {
        assert_eq!(new.len(), stage.whole.len(), "the first part is early: {what}");
    }
    let page = Path::new("index.html");
    if stage.scenario.verb == Verb::Gallery && new.contains(page) {
        assert_eq!(new.len(), stage.whole.len(), "a file is missing: {what}");
    }
    if run.refused {
        assert!(new.is_empty(), "refused and written: {what}");
    }
}

/// Checks that every file is whole. Returns the new ones.
fn whole<'a>(stage: &'a Stage<'_>, run: &'a Run, what: &str) -> BTreeSet<&'a Path> {
    let mut new = BTreeSet::new();
    for (path, content) in &run.tree {
        if path.file_name().is_some_and(is_temporary) {
            continue;
        }
        let (old, whole) = (stage.old.get(path), stage.whole.get(path));
        if Some(content) == whole {
            new.insert(path.as_path());
        } else if Some(content) != old {
            let lacks = if stage.scenario.verb == Verb::Gallery {
                says_what_is_named(run, path, content)
            } else {
                whole.is_some_and(|whole| lacks_what_is_named(stage, run, whole, content))
            };
            assert!(lacks, "{} is torn: {what}", path.display());
        }
    }
    for path in stage.old.keys() {
        let there = run.tree.contains_key(path);
        assert!(there, "{} is lost: {what}", path.display());
    }
    new
}

/// Whether this is a whole page, and names the entries of all errors.
fn says_what_is_named(run: &Run, path: &Path, content: &[u8]) -> bool {
    let page = String::from_utf8_lossy(content);
    let errors = run.errors.iter();
    let named = errors.filter_map(|error| Some((error.place.entry()?.1, &*error.detail)));
    let named: Vec<_> = named.collect();
    let says = |(name, detail): &(RawName<'_>, &str)| {
        page.contains(&escape(name.as_bytes()).to_string()) && page.contains(*detail)
    };
    path == Path::new("index.html")
        && page.ends_with("</html>\n")
        && !named.is_empty()
        && named.iter().all(says)
}

/// Whether `content` is the whole pak except for entries that errors name.
fn lacks_what_is_named(stage: &Stage<'_>, run: &Run, whole: &[u8], content: &[u8]) -> bool {
    let keeps_going = matches!(stage.scenario.verb, Verb::Convert { keep_going: true, .. });
    let entries = |pak: &[u8]| {
        let archive = Archive::from_bytes(pak).unwrap();
        let entries = archive.entries();
        entries
            .map(|entry| (entry.name().as_bytes().to_vec(), entry.read().unwrap()))
            .collect::<Vec<_>>()
    };
    let mut there = entries(content).into_iter().peekable();
    let mut lacking = entries(whole);
    lacking.retain(|entry| there.next_if_eq(entry).is_none());
    let named = |name: &[u8]| {
        let entries = run.errors.iter().filter_map(|it| it.place.entry());
        entries.into_iter().any(|(_, n)| n.as_bytes() == name)
    };
    keeps_going && there.peek().is_none() && lacking.iter().all(|(name, _)| named(name))
}

fn nothing_is_left(stage: &Stage<'_>, run: &Run, directories: bool, what: &str) {
    let root = stage.path().join("made/out");
    let temporary = |path: &&std::path::PathBuf| path.file_name().is_some_and(is_temporary);
    let left = run.tree.keys().filter(temporary).map(|path| root.join(path));
    // One file's directory was there before.
    let made = directories && !matches!(stage.scenario.verb, Verb::Create { .. });
    for path in left {
        let named = run.errors.iter().any(|error| error.place.path.as_deref() == Some(&*path));
        assert!(named, "{} is left: {what}", path.display());
    }
    for path in run.empty.iter().filter(|_| made) {
        // Or one above it, which could not be opened for the removal.
        let mut named = run.errors.iter().filter_map(|it| it.place.path.as_deref());
        let named = named.any(|named| path.starts_with(named));
        assert!(named, "{} is left: {what}", path.display());
    }
}

fn errors(stage: &Stage<'_>, run: &Run, fault: Fault, told: &[String], what: &str) {
    for error in &run.errors {
        let path = error.place.path.as_deref().unwrap_or_else(|| panic!("where? {what}"));
        assert!(path.starts_with(stage.path()), "what file? {what}");
    }
    let (Fault::Fails(errno) | Fault::DoneAndFails(errno)) = fault else {
        return;
    };
    let words = lower_first(&errno.into());
    // Endless interruptions have a message of their own, and a retry can find what the first try has done.
    let endless = |told: &String| errno == Errno::INTR && told.contains("interrupted");
    let says = |told: &String| told.contains(&words) || endless(told);
    let done = matches!(fault, Fault::DoneAndFails(_));
    assert!(done || told.iter().any(says), "no cause: {what}");
}

fn heals(when: When, fault: Fault) -> bool {
    match fault {
        Fault::Short => true,
        Fault::Fails(errno) | Fault::DoneAndFails(errno) => {
            errno == Errno::INTR && matches!(when, When::Once(_))
        }
    }
}

/// One fault costs one pak. In an extraction it costs one file, or all files if the pak could not be opened.
fn the_rest_is_done(stage: &Stage<'_>, new: &BTreeSet<&Path>, what: &str) {
    let lacking: Vec<&Path> = not_in(&stage.whole, new);
    let paks: BTreeSet<&Path> = lacking.iter().map(|path| pak_of(stage, path)).collect();
    assert!(paks.len() <= 1, "more than one has failed: {what}");
    if stage.scenario.verb == Verb::Extract
        && let Some(pak) = paks.first()
    {
        let of_pak = stage.whole.keys().filter(|path| path.starts_with(pak));
        let all = lacking.len() == of_pak.count();
        assert!(all || lacking.len() == 1, "more than one has failed: {what}");
    }
}

fn not_in<'a>(whole: &'a Tree, new: &BTreeSet<&Path>) -> Vec<&'a Path> {
    let paths = whole.keys().map(|path| path.as_path());
    paths.filter(|path| !new.contains(path)).collect()
}

/// The output that a path belongs to.
fn pak_of<'a>(stage: &Stage<'_>, path: &'a Path) -> &'a Path {
    if stage.scenario.split {
        return Path::new("new1.pak");
    }
    if stage.scenario.verb == Verb::Gallery {
        return Path::new("index.html");
    }
    if stage.scenario.verb != Verb::Extract {
        return path;
    }
    let depth = if path.starts_with("more") { 2 } else { 1 };
    let above = path.ancestors().count() - 1;
    path.ancestors().nth(above - depth).unwrap_or(path)
}

//! Findings about a game: archives that do not load, and files that daisho does not look at.

use std::path::{Path, PathBuf};

use crate::engine::{
    Engine, Engines, Game, GameNote, GameNoteKind, Loaded, NotLoaded, Reason, Skipped,
};
use crate::ops::finding::{self, Finding, judged, listed_with_and};

/// All findings except those about loose files. Without an engine, only archives that cannot be opened, or not all of
/// them.
pub(super) fn of(game: &Game) -> Vec<Finding> {
    let mut findings = Vec::new();
    for loaded in game.loaded() {
        findings.extend(finding::archive_errors(&loaded.archive));
    }
    let Some(engine) = game.engine() else {
        for skipped in game.skipped() {
            findings.extend(skipped.opened.as_ref().err().map(Finding::from));
        }
        return findings;
    };
    for loaded in game.loaded() {
        findings.extend(serves_wrong(loaded, engine));
    }
    let mut unsorted: Vec<&Path> = Vec::new();
    for note in game.notes() {
        if let GameNoteKind::Unsorted(archives) = &note.kind {
            unsorted.extend(archives.iter().map(PathBuf::as_path));
        }
    }
    for skipped in game.skipped().iter().filter(|it| !unsorted.contains(&&*it.path)) {
        let is_asked = !matches!(skipped.why, NotLoaded::Unasked(_));
        let error = skipped.opened.as_ref().err().filter(|_| is_asked);
        findings.extend(error.map(Finding::from));
        let is_bad = skipped.why.is_misread() || skipped.why.is_fatal();
        if error.is_none() || is_bad {
            findings.push(not_loaded(skipped, engine));
        }
    }
    let notes = game.notes().iter().filter(|note| !is_about_loose(note));
    findings.extend(notes.map(|note| of_note(note, engine)));
    findings
}

/// The findings about loose files. Without an engine, there are none.
pub(super) fn of_loose(game: &Game) -> Vec<Finding> {
    let Some(engine) = game.engine() else {
        return Vec::new();
    };
    let notes = game.notes().iter().filter(|note| is_about_loose(note));
    notes.map(|note| of_note(note, engine)).collect()
}

fn is_about_loose(note: &GameNote) -> bool {
    matches!(note.kind, GameNoteKind::Unfollowed | GameNoteKind::Unreadable(_))
}

fn of_note(note: &GameNote, engine: Engine) -> Finding {
    let engine = engine.as_str();
    let finding = match &note.kind {
        GameNoteKind::NeedsFirst => {
            let why = format!("{engine} does not start if the base directory has no pak0.pak");
            Finding::warning(why).advice("give the base directory first, and mods after it")
        }
        GameNoteKind::Unsorted(archives) => {
            let names = archives.iter().filter_map(|path| path.file_name());
            let archives = listed_with_and(&names.map(PathBuf::from).collect::<Vec<_>>());
            let why = format!(
                "the order in which the file system lists them decides which of {archives} wins in {engine}; daisho assumes the order of their names"
            );
            Finding::warning(why)
                .advice("give them names with numbers (pak0.pak, pak1.pak and so on), in lower case: the highest number wins")
        }
        GameNoteKind::Unseen => {
            let why =
                "the engine also loads this file, but daisho does not take it into account here";
            Finding::warning(why)
        }
        GameNoteKind::Unfollowed => {
            let why = "a symbolic link to a directory is not followed, so daisho does not see the files in it";
            Finding::warning(why)
        }
        GameNoteKind::Unreadable(error) => Finding::unread(&note.path, Finding::from(error)),
    };
    finding.at_path(&note.path)
}

/// A warning if the engine serves contents that differ from a ZIP's entries.
fn serves_wrong(loaded: &Loaded, engine: Engine) -> Option<Finding> {
    let wrong = loaded.why.iter().filter(|why| why.is_wrong_content());
    let why: Vec<String> = wrong.map(Reason::to_string).collect();
    if why.is_empty() {
        return None;
    }
    let (engine, why) = (engine.as_str(), why.join("; "));
    let why = format!("{engine} loads this archive, but serves wrong content from it: {why}");
    let warning = Finding::warning(why);
    Some(finding::in_archive(&loaded.archive, warning))
}

/// The finding for an archive that does not load: a warning, or an error if the engine does not even start.
fn not_loaded(skipped: &Skipped, engine: Engine) -> Finding {
    let engines = Engines::from(engine);
    let why = &skipped.why;
    let error = match why {
        NotLoaded::Unasked(_) | NotLoaded::Unreadable => {
            let load = engines.verb("loads", "load");
            Finding::error(format!("{engines} never {load} this archive: {why}"))
        }
        NotLoaded::Refused(_) => judged(engines, why.is_misread(), why),
    };
    let error = error.at_path(&skipped.path);
    if why.is_fatal() { error } else { error.as_warning() }
}

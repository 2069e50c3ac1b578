//! Findings about a game: archives that do not load, and files that daisho does not look at.

use std::path::{Path, PathBuf};

use crate::archive::relative_path;
use crate::engine::{
    Engine, Engines, Game, GameNote, GameNoteKind, Loaded, NotLoaded, Reason, Skipped, Unasked,
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
    for skipped in game.skipped() {
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
        GameNoteKind::Unsorted { archives, names } => {
            let archives: Vec<PathBuf> = archives.iter().map(|path| file_name(path)).collect();
            let (archives, files) =
                (listed_with_and(&archives), if *names == 1 { "file" } else { "files" });
            let why = format!(
                "{engine} loads {archives} in the order in which the file system lists them, so for {names} {files} it is not defined which copy it serves"
            );
            Finding::warning(why)
                .advice("number the paks (pak0.pak, pak1.pak and so on): the highest number wins")
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
        NotLoaded::Unasked(Unasked::Twice { loaded, listed: true }) => {
            any_of(engine, &[relative_path(loaded), file_name(&skipped.path)])
        }
        NotLoaded::Unasked(_) | NotLoaded::Unreadable => never_loaded(engines, why),
        NotLoaded::Refused(_) => judged(engines, why.is_misread(), why),
    };
    let error = error.at_path(&skipped.path);
    if why.is_fatal() { error } else { error.as_warning() }
}

/// The finding that an engine loads one of several archives, but it is not defined which.
fn any_of(engine: Engine, archives: &[PathBuf]) -> Finding {
    let (engine, archives) = (engine.as_str(), listed_with_and(archives));
    let why = format!(
        "{engine} loads only one of {archives}, and the order in which the file system lists them decides which one"
    );
    Finding::error(why).advice("rename one of them, or remove it")
}

fn file_name(path: &Path) -> PathBuf {
    path.file_name().map_or_else(PathBuf::new, PathBuf::from)
}

/// Engines never load an archive.
fn never_loaded(engines: Engines, why: impl core::fmt::Display) -> Finding {
    let load = engines.verb("loads", "load");
    Finding::error(format!("{engines} never {load} this archive: {why}"))
}

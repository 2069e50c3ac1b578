//! One folder of a game: its archives, opened, and those of them that the engine loads.

use std::borrow::Cow;
use std::collections::hash_map::Entry as Slot;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use super::loose::{LooseFiles, is_folder_name};
use super::pak::{LoadedPak, Never, Why};
use crate::archive::{Archive, Format, ReadOptions};
use crate::engine::{
    Effect, Engine, Engines, LoadOrder, OwnPak, Profile, Reason, Unasked, check, is_pak_name,
    load_order,
};
use crate::fs::System;
use crate::ops::finding::{self, Finding, Notice, judged, listed, no_directory};
use crate::ops::open;
use crate::ops::source;

/// The first pak.
const FIRST: &[u8] = b"pak0.pak";

/// One folder of a game.
#[derive(Debug)]
pub struct Folder {
    system: System,
    path: PathBuf,
    engine: Engine,
    paks: Vec<LoadedPak>,
    never: Vec<Never>,
    /// Whether cases are one to the file system.
    ignores_case: bool,
    loose: OnceLock<LooseFiles>,
}

/// A folder that was listed, and its paks, opened.
#[derive(Debug)]
pub(super) struct Listed {
    path: PathBuf,
    /// Where the files in it are, by name; and directories that are named as archives are.
    files: BTreeMap<Vec<u8>, PathBuf>,
    paks: BTreeMap<Vec<u8>, Result<Archive, Finding>>,
    /// Whether cases are one to the file system: then all names here are in lower case.
    ignores_case: bool,
}

/// A file that is named as a pak is, and why the engine would not load it.
struct Judged {
    opened: Result<Archive, Finding>,
    why: Option<Why>,
}

impl Judged {
    fn new(name: &[u8], opened: Result<Archive, Finding>, engine: Engine) -> Self {
        let why = Why::not_loaded(name, &opened, engine);
        Self { opened, why }
    }

    fn effect(&self) -> Effect {
        self.why.as_ref().map_or(Effect::Loads, Why::effect)
    }
}

impl Listed {
    /// Lists a folder, and opens whatever is named as a pak is, or as something that the engine loads. A
    /// directory by the name of a file is an error among these, which matters to engines that ask for it.
    pub(super) fn of(
        system: &System,
        path: &Path,
        engine: Option<Engine>,
        options: ReadOptions,
    ) -> Result<Self, Finding> {
        let profile = engine.map(Engine::profile);
        let is_archive =
            |name: &[u8]| is_pak_name(name) || profile.is_some_and(|it| it.is_archive(name));
        if !fs::metadata(path).map_err(Finding::from_io)?.is_dir() {
            return Err(no_directory());
        }
        let (mut files, mut paks) = (BTreeMap::new(), BTreeMap::new());
        for entry in fs::read_dir(path).map_err(Finding::from_io)? {
            let name = entry.map_err(Finding::from_io)?.file_name();
            let file = path.join(&name);
            // What is gone, or a link that leads nowhere, is not there for an engine either.
            let Ok(found) = fs::metadata(&file) else {
                continue;
            };
            let name = name.into_encoded_bytes();
            if found.is_file() != is_folder_name(&name) || found.is_dir() && is_archive(&name) {
                files.insert(name, file);
            }
        }
        let ignores_case = is_case_ignored(path, &files, is_archive);
        if ignores_case {
            let lower = |(name, file): (Vec<u8>, PathBuf)| (name.to_ascii_lowercase(), file);
            files = files.into_iter().map(lower).collect();
        }
        for (name, file) in files.iter().filter(|(name, _)| is_archive(name)) {
            let opened = match profile {
                Some(profile) if is_folder_name(name) => open_folder(system, file, &profile),
                _ if is_pak_name(name) => source::open(system, file, options),
                // What a pak is to be read as says nothing of these.
                _ => source::open(
                    system,
                    file,
                    ReadOptions {
                        format: None,
                        ..options
                    },
                ),
            };
            paks.insert(name.clone(), opened);
        }
        let path = path.to_path_buf();
        Ok(Self {
            path,
            files,
            paks,
            ignores_case,
        })
    }

    /// The formats of the paks that can be read.
    pub(super) fn formats(&self) -> impl Iterator<Item = Format> + '_ {
        let archives = self.paks.values().filter_map(|pak| pak.as_ref().ok());
        archives.map(Archive::format)
    }

    /// Why the others cannot.
    pub(super) fn errors(self) -> impl Iterator<Item = Finding> {
        self.paks.into_values().filter_map(Result::err)
    }
}

impl Folder {
    /// The folder as `engine` loads it. What it never loads is reported in `findings`.
    pub(super) fn load(
        system: &System,
        listed: Listed,
        engine: Engine,
        base: bool,
        findings: &mut Vec<Finding>,
    ) -> Self {
        let profile = engine.profile();
        let Listed {
            path,
            mut files,
            paks,
            ignores_case,
        } = listed;
        // To an engine that does not mind it, a directory is a directory.
        if profile.broken.is_directory == Effect::CountsAsMissing {
            files.retain(|name, _| !paks.get(name).is_some_and(is_directory));
        }
        let mut judged = BTreeMap::new();
        for (name, pak) in paks {
            let pak = Judged::new(&name, pak, engine);
            judged.insert(name, pak);
        }
        let has_own_pak = base && profile.own == OwnPak::Within;
        let effect = |name: &[u8]| match judged.get(name).map(Judged::effect) {
            // The engine's own pak follows the first one, and is loaded.
            Some(Effect::CountsAsMissing) if has_own_pak && name == FIRST => Effect::Refused,
            effect => effect.unwrap_or(Effect::Refused),
        };
        let names: BTreeSet<&[u8]> = files.keys().map(Vec::as_slice).collect();
        let order = load_order(&names, profile.order, effect);
        let mut folder = Self {
            system: system.clone(),
            path,
            engine,
            paks: Vec::new(),
            never: Vec::new(),
            ignores_case,
            loose: OnceLock::new(),
        };
        for name in &order.asked {
            if let (Some(path), Some(pak)) = (files.get(*name), judged.remove(*name)) {
                folder.ask(path, pak, findings);
            }
        }
        folder.report_unsorted(&order.unsorted, findings);
        folder.set_rivals(&order, &files);
        for (name, why) in order.unasked {
            if let Some(path) = files.get(name) {
                let archive = judged.remove(name).and_then(|pak| pak.opened.ok());
                folder.refuse(path, Why::Unasked(why), archive, findings);
            }
        }
        folder.report_unseen(&files, findings);
        if base {
            folder.look_at_base(&files, findings);
        }
        folder
    }

    /// What is so in the base directory only.
    fn look_at_base(&mut self, files: &BTreeMap<Vec<u8>, PathBuf>, findings: &mut Vec<Finding>) {
        let profile = self.engine.profile();
        if profile.needs_pak0 && !files.contains_key(FIRST) {
            let engine = self.engine.name();
            let why = format!("{engine} does not start where the base directory has no pak0.pak");
            findings.push(Finding::warning(Notice::NeedsFirst, why).in_pak(&self.path));
        }
        if let OwnPak::Beside(name) = profile.own {
            self.add_own(name, findings);
        }
    }

    /// Adds the engine's own pak, where there is one beside the base directory: behind the first one.
    fn add_own(&mut self, name: &str, findings: &mut Vec<Finding>) {
        let beside = match (self.path.file_name(), self.path.parent()) {
            (Some(_), Some(parent)) => parent.join(name),
            _ => self.path.join("..").join(name),
        };
        if !fs::metadata(&beside).is_ok_and(|found| found.is_file()) {
            return;
        }
        let loaded = self.paks.len();
        let first = self.paks.first().and_then(|pak| pak.path().file_name());
        let behind = usize::from(first.is_some_and(|name| self.is_named(name, FIRST)));
        let format = self.engine.profile().layout;
        let opened = source::open(&self.system, &beside, format.into());
        self.ask(&beside, Judged::new(FIRST, opened, self.engine), findings);
        if self.paks.len() > loaded {
            self.paks
                .get_mut(behind..)
                .unwrap_or_default()
                .rotate_right(1);
        }
    }

    /// Loads a pak that the engine asks for, or keeps why it does not load.
    fn ask(&mut self, path: &Path, pak: Judged, findings: &mut Vec<Finding>) {
        match (pak.opened, pak.why) {
            (Ok(archive), None) => {
                let notes = open::notes(&archive).into_iter();
                findings.extend(notes.filter(Finding::is_error));
                findings.extend(self.served_wrong(&archive));
                let archive = Arc::new(archive);
                self.paks.push(LoadedPak::new(archive, self.engine));
            }
            (Ok(archive), Some(why)) => self.refuse(path, why, Some(archive), findings),
            (Err(error), why) => {
                findings.push(error);
                let why = match why.unwrap_or(Why::Unreadable) {
                    // There is no header before it that it could be misread by.
                    Why::NotAPak(Effect::Misread) if self.paks.is_empty() => {
                        Why::NotAPak(Effect::NoStart)
                    }
                    why => why,
                };
                if why.is_misread() || why.is_fatal() {
                    self.refuse(path, why, None, findings);
                } else {
                    let (path, archive) = (path.to_path_buf(), None);
                    self.never.push(Never { path, why, archive });
                }
            }
        }
    }

    /// A warning where a ZIP has entries of which the engine serves something else than they hold.
    fn served_wrong(&self, archive: &Archive) -> Option<Finding> {
        self.engine.profile().zips_in(archive.format())?;
        let verdict = check(archive, self.engine);
        let wrong = verdict.why.iter().filter(|why| why.is_wrong_content());
        let why: Vec<String> = wrong.map(Reason::to_string).collect();
        if why.is_empty() {
            return None;
        }
        let (engine, why) = (self.engine.name(), why.join("; "));
        let why = format!("{engine} loads this pak, and serves wrong content from it: {why}");
        let warning = Finding::warning(Notice::ServesWrong, why);
        Some(open::in_archive(archive, warning))
    }

    /// Keeps a pak that is never loaded, and reports it.
    fn refuse(
        &mut self,
        path: &Path,
        why: Why,
        archive: Option<Archive>,
        findings: &mut Vec<Finding>,
    ) {
        let error = self.error_of(path, &why).in_pak(path);
        findings.push(if why.is_fatal() {
            error
        } else {
            error.as_warning()
        });
        let path = path.to_path_buf();
        self.never.push(Never { path, why, archive });
    }

    /// Notes at each archive with which others its order is not defined, or which is loaded in its place.
    fn set_rivals(&mut self, order: &LoadOrder<'_>, files: &BTreeMap<Vec<u8>, PathBuf>) {
        let mut groups = order.unsorted.clone();
        for (name, why) in &order.unasked {
            if let Unasked::Twice {
                loaded,
                listed: true,
            } = why
            {
                groups.push(vec![loaded.as_bytes(), name]);
            }
        }
        for group in groups {
            let paths = group.iter().filter_map(|name| files.get(*name).cloned());
            let rivals: Arc<[PathBuf]> = paths.collect();
            for pak in &mut self.paks {
                if rivals.iter().any(|path| path == pak.path()) {
                    pak.rivals = Arc::clone(&rivals);
                }
            }
        }
    }

    /// Why an archive is never loaded, as an error.
    fn error_of(&self, path: &Path, why: &Why) -> Finding {
        let engines = Engines::from(self.engine);
        match why {
            Why::Unasked(Unasked::Twice {
                loaded,
                listed: true,
            }) => any_of(self.engine, &[loaded.into(), file_name(path)]),
            Why::Unasked(_) | Why::Unreadable => finding::never_loaded(engines, why),
            Why::Refused(_) | Why::NotAPak(_) => judged(engines, why.is_misread(), why),
        }
    }

    /// Warns of files in several archives of which the engine leaves the order to the file system.
    fn report_unsorted(&self, groups: &[Vec<&[u8]>], findings: &mut Vec<Finding>) {
        for group in groups {
            let of_group = |pak: &&LoadedPak| {
                let name = pak.path().file_name().unwrap_or_default();
                group.iter().any(|it| self.is_named(name, it))
            };
            let paks = self.paks.iter().filter(of_group);
            let names = count_in_several(paks.clone());
            if names > 0 {
                let archives: Vec<PathBuf> = paks.map(|pak| file_name(pak.path())).collect();
                findings.push(unsorted(self.engine, &archives, names).in_pak(&self.path));
            }
        }
    }

    /// Whether a file of this name is found under the other one.
    fn is_named(&self, name: &OsStr, other: &[u8]) -> bool {
        let name = name.as_encoded_bytes();
        name == other || self.ignores_case && name.eq_ignore_ascii_case(other)
    }

    /// Warns of what the engine loads or obeys here, and what daisho does not read.
    fn report_unseen(&self, files: &BTreeMap<Vec<u8>, PathBuf>, findings: &mut Vec<Finding>) {
        let profile = self.engine.profile();
        let unseen = files
            .iter()
            .filter(|(name, _)| profile.is_order_list(name) || profile.is_other_archive(name));
        findings.extend(unseen.map(|(_, path)| {
            let why = "the engine also loads this file, which is not taken into account here";
            Finding::warning(Notice::Unseen, why).in_pak(path)
        }));
    }

    /// Where it is, as the user would write it.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its paks, in the order in which they load.
    pub fn paks(&self) -> impl DoubleEndedIterator<Item = &LoadedPak> + use<'_> {
        self.paks.iter()
    }

    /// The archives of its paks, and of its loose files where these were looked for.
    pub(super) fn archives(&self) -> impl Iterator<Item = &Arc<Archive>> {
        let loose = self.loose.get().map(|files| &files.archive);
        self.paks.iter().map(|pak| &pak.archive).chain(loose)
    }

    /// Its paks that are never loaded.
    #[must_use]
    pub fn never_loaded(&self) -> &[Never] {
        &self.never
    }

    /// Its loose files, looked for at the first call.
    pub(super) fn loose(&self) -> &LooseFiles {
        let profile = self.engine.profile();
        self.loose
            .get_or_init(|| LooseFiles::walk(&self.system, &self.path, &profile))
    }
}

/// Whether the file system of a folder takes both cases of a name for one, as Windows' do. Asked only where
/// that matters: where an archive's name has a letter in upper case.
fn is_case_ignored(
    folder: &Path,
    files: &BTreeMap<Vec<u8>, PathBuf>,
    is_archive: impl Fn(&[u8]) -> bool,
) -> bool {
    let lower = |name: &Vec<u8>| String::from_utf8(name.to_ascii_lowercase()).ok();
    let lower = files.keys().filter_map(lower);
    let mut unlisted =
        lower.filter(|name| is_archive(name.as_bytes()) && !files.contains_key(name.as_bytes()));
    unlisted.any(|name| fs::symlink_metadata(folder.join(name)).is_ok())
}

/// A warning of archives that the engine loads in an order that is not defined.
fn unsorted(engine: Engine, archives: &[PathBuf], names: usize) -> Finding {
    let (engine, archives) = (engine.name(), listed(archives));
    let files = if names == 1 { "file" } else { "files" };
    let why = format!(
        "{engine} loads {archives} in the order in which the file system lists them: which copy of {names} {files} it serves is not defined"
    );
    Finding::warning(Notice::Unsorted, why)
}

/// An error: the engine loads any one of several archives.
fn any_of(engine: Engine, archives: &[PathBuf]) -> Finding {
    let (engine, archives) = (engine.name(), listed(archives));
    let why = format!(
        "{engine} loads only one of {archives}, by the order in which the file system lists them: which one is not defined"
    );
    Finding::error(Notice::UnsortedOne, why)
}

/// A directory that is an archive to the engine.
fn open_folder(system: &System, path: &Path, profile: &Profile) -> Result<Archive, Finding> {
    if !fs::metadata(path).map_err(Finding::from_io)?.is_dir() {
        return Err(no_directory().in_pak(path));
    }
    Ok(LooseFiles::read(system, path, profile).0)
}

fn is_directory(opened: &Result<Archive, Finding>) -> bool {
    matches!(opened, Err(error) if error.notice == Notice::NotAFile)
}

fn file_name(path: &Path) -> PathBuf {
    path.file_name().unwrap_or_default().into()
}

/// How many names lie in more than one of these paks.
fn count_in_several<'a>(paks: impl Iterator<Item = &'a LoadedPak>) -> usize {
    /// Where a name was first, and whether it is elsewhere, too.
    type Places = (usize, bool);
    let mut places: HashMap<Cow<'_, [u8]>, Places> = HashMap::new();
    for (number, pak) in paks.enumerate() {
        let keys = pak.archive.entries();
        for key in keys.filter_map(|entry| pak.names.of_entry(entry.name().as_bytes())) {
            match places.entry(key) {
                Slot::Vacant(slot) => {
                    slot.insert((number, false));
                }
                Slot::Occupied(mut slot) => slot.get_mut().1 |= slot.get().0 != number,
            }
        }
    }
    places.values().filter(|(_, several)| *several).count()
}

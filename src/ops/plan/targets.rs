//! Decides where the outputs of each input go, and which names they have.
//!
//! An input that is split has several outputs. `keep` keeps them if all of them exist, and is refused if only some do.
//! The format that an output's extension asks for is decided here, too.

use std::path::{Path, PathBuf};

use crate::archive::{Format, is_extension_of};
use crate::engine::{Engine, Engines};
use crate::format::map::MapKind;
use crate::media::FileType;
use crate::ops::context::{Context, Refusal};
use crate::ops::finding::{Finding, Help, internal, listed, some_parts_exist};
use crate::ops::plan::number::{NameWanted, Series, name_all, part_taken};
use crate::ops::plan::options::{Destination, WriteOptions};
use crate::ops::plan::policy::{Claimed, Edited, Guard, Target};
use crate::ops::plan::run::Planned;
use crate::ops::row::{Fate, WrittenType};
use crate::ops::source::recognize;

/// Where all outputs of one input go.
#[derive(Debug, Default)]
pub(crate) struct Targets {
    /// The first of them, as the user would write it.
    pub(crate) shown: PathBuf,
    /// In their order. All of them are kept, or none.
    pub(crate) files: Vec<Planned>,
    /// A file that counts on from the parts of a split which are replaced: probably a part of an older, longer split.
    pub(crate) old_part: Option<PathBuf>,
}

impl Targets {
    /// Whether the outputs exist and are kept.
    pub(crate) fn are_kept(&self) -> bool {
        self.files.iter().any(|file| file.fate == Fate::Keep)
    }
}

/// Decides where outputs go, and what happens to files that exist there. The engines must load archives of these names.
///
/// # Errors
/// Every reason to refuse one of them.
pub(crate) fn place(
    guard: &Guard,
    mut wanted: Vec<NameWanted<'_>>,
    engines: Engines,
) -> Result<Vec<Targets>, Refusal> {
    for wanted in &mut wanted {
        wanted.relative = guard.relative(core::mem::take(&mut wanted.relative));
    }
    // An edited archive keeps its name, and standard output has none.
    let has_name = matches!(guard.target, Target::Directory | Target::File(_));
    let engines = if has_name { engines } else { Engines::default() };
    let all_names = name_all(&wanted, &guard.root.path, engines).map_err(Refusal)?;
    let (mut all, mut refused, mut claimed) = (Vec::new(), Vec::new(), Claimed::default());
    // Requested names come before names that a split adds.
    for (wanted, names) in wanted.iter().zip(&all_names) {
        if let Some(relative) = names.first()
            && let Err(error) = claimed.claim(relative, wanted.input)
        {
            refused.push(error.at_path(guard.shown(relative)));
        }
    }
    for (wanted, names) in wanted.iter().zip(all_names) {
        for relative in names.iter().skip(1) {
            if let Err(error) = claimed.claim(relative, wanted.input) {
                refused.push(part_taken(error).at_path(guard.shown(relative)));
            }
        }
        all.push(targets(guard, wanted, names, &mut refused));
    }
    Refusal::if_any(refused)?;
    Ok(all)
}

/// Decides where the only input goes, which needs this many outputs. None of the `sources` is replaced. With
/// `edited`, the output takes the place of that archive.
///
/// # Errors
/// Every reason to refuse it.
pub(crate) fn place_one(
    context: &Context<'_>,
    options: &WriteOptions,
    sources: &[PathBuf],
    outputs: usize,
    edited: Option<Edited>,
) -> Result<(Guard, Targets), Refusal> {
    let system = &context.system;
    let output = options.destination.file().unwrap_or(Path::new(""));
    let guard = match edited {
        Some(edited) => Guard::of_edited(system, output, edited, sources)?,
        None => {
            check_format(&options.destination, options.to.into())?;
            Guard::new(system, &options.destination, options.existing, sources)?
        }
    };
    let wanted = NameWanted { input: output, relative: PathBuf::new(), outputs };
    let mut placed = place(&guard, vec![wanted], options.rules.engines)?;
    let targets = placed.pop().ok_or_else(|| internal("the output has no place"))?;
    Ok((guard, targets))
}

/// The outputs of one input, which have these names.
fn targets(
    guard: &Guard,
    wanted: &NameWanted<'_>,
    names: Vec<PathBuf>,
    refused: &mut Vec<Finding>,
) -> Targets {
    let first = names.first().unwrap_or(&wanted.relative);
    let shown = guard.shown(first);
    let parts = names.len();
    let (mut files, mut kept) = (Vec::new(), Vec::new());
    for relative in names {
        match guard.decide(&relative) {
            Ok(fate) => {
                if fate == Fate::Keep {
                    kept.push(guard.shown(&relative));
                }
                files.push(Planned { relative, fate });
            }
            Err(error) => refused.push(error.into()),
        }
    }
    if !kept.is_empty() && kept.len() < parts {
        refused.push(kept_in_part(kept, parts));
    }
    let mut old_part = None;
    if parts > 1 && files.iter().any(|file| file.fate == Fate::Replace) {
        let next = Series::of(&wanted.relative).and_then(|series| series.name(parts));
        old_part = next.map(|next| guard.shown(&next)).filter(|next| next.exists());
    }
    Targets { shown, files, old_part }
}

/// The error that only some parts of a split output exist, which are to be kept.
fn kept_in_part(mut kept: Vec<PathBuf>, parts: usize) -> Finding {
    let first = kept.remove(0);
    let count = kept.len() + 1;
    let exist = if count == 1 { "exists" } else { "exist" };
    let others =
        if kept.is_empty() { String::new() } else { format!(": this and {}", listed(&kept)) };
    let why = format!("only {count} of the {parts} parts {exist}{others}");
    some_parts_exist(why).at_path(first)
}

/// Extensions of formats that daisho does not write: Anachronox's, a map's, and those of other kinds of archives.
const OTHER_FORMATS: &[&str] = &[
    "7z", "apk", "bsp", "dat", "dz", "gcf", "gma", "gob", "grp", "gz", "rar", "rez", "rff", "tar",
    "tgz", "vpk", "xz", "zst",
];

/// Refuses the name of a single output if its extension belongs to another format than the one written.
pub(crate) fn check_format(destination: &Destination, to: WrittenType) -> Result<(), Finding> {
    let Some(path) = destination.file() else { return Ok(()) };
    let extension = path.extension().and_then(|it| it.to_str()).unwrap_or_default();
    let (says_another, what) = match to {
        WrittenType::Archive(to) => {
            (says_another(extension, to), format!("{} archive", to.with_article()))
        }
        WrittenType::Picture(to) => {
            let mut types = FileType::by_extension(extension.as_bytes()).peekable();
            let is_known = types.peek().is_some() || Format::is_extension(extension.as_bytes());
            (is_known && !types.any(|it| it == to), to.described().to_string())
        }
    };
    if !says_another {
        return Ok(());
    }
    let why = format!("the name ends in \".{extension}\", but the output would be {what}");
    Err(Finding::error(why)
        .advice("give the output the extension of that format")
        .help(Help::OutputDecides)
        .at_path(path))
}

/// The format that the extension of an output asks for. A WAD keeps the format of the input, because the extension
/// does not tell WAD2 from WAD3. Of a map it gets the format that has such textures.
#[must_use]
pub fn named_format(output: &Path, input: Option<&Path>) -> Option<Format> {
    let extension = output.extension()?.to_str()?;
    let plainest = Format::of_extension(extension).next()?;
    let begins = input.and_then(|input| recognize::magic(input).ok()?);
    let of_map = begins.and_then(|begin| MapKind::wad_of(&begin));
    let is_same = |it: &Format| of_map == Some(*it) || Some(it.spec().magic) == begins;
    let same = Format::of_extension(extension).find(is_same);
    Some(same.filter(|it| it.spec().has_lumps()).unwrap_or(plainest))
}

/// Whether an extension belongs to another format.
fn says_another(extension: &str, to: Format) -> bool {
    let mut own = Format::of_extension(extension).peekable();
    match own.peek() {
        Some(_) => !own.any(|it| it == to),
        None => is_extension_of(extension.as_bytes(), OTHER_FORMATS),
    }
}

/// The path with the extension of the format, if the path has no extension or that of another format.
pub(crate) fn named_as(relative: &Path, to: Format) -> PathBuf {
    match relative.extension() {
        Some(extension) if !says_another(extension.to_str().unwrap_or_default(), to) => {
            relative.to_path_buf()
        }
        _ => relative.with_extension(to.spec().extension()),
    }
}

/// Like [`named_as()`], but with another extension of the format if the engines load archives only under that one.
pub(crate) fn named_for(relative: &Path, to: Format, engines: Engines) -> PathBuf {
    let named = named_as(relative, to);
    if is_loaded(&named, engines) {
        return named;
    }
    let profiles = engines.iter().map(Engine::profile);
    for profile in profiles.filter(|it| it.zips_in(to).is_some()) {
        for extension in profile.zip_extensions() {
            let other = named.with_extension(extension);
            if is_loaded(&other, engines) {
                return other;
            }
        }
    }
    named
}

/// Whether the engines load an archive of this name.
fn is_loaded(path: &Path, engines: Engines) -> bool {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    engines.iter().all(|engine| engine.asks_for(name).is_ok())
}

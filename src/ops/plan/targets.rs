//! Decides where the outputs of each input go, and which names they have.
//!
//! An input that is split has several outputs. `keep` keeps them if all of them exist, and is refused if only some do.
//! The format that an output's extension asks for is decided here, too.
//!
//! The parts of a split output count up from the number at the end of the first part's stem:
//!
//! | the first part | the others                      |
//! |----------------|---------------------------------|
//! | `pak1.pak`     | `pak2.pak`, `pak3.pak`, ...     |
//! | `pak9.pak`     | `pak10.pak`, ...                |
//! | `mod08.pak`    | `mod09.pak`, `mod10.pak`, ...   |
//! | `mod.pak`      | none: it has no number to count |
//!
//! Every engine that the outputs are for must load each of them under its name, and each part after the part before
//! it. Otherwise the outputs are refused: daisho never chooses another name than the one that was asked for.

use std::path::{Path, PathBuf};

use bstr::{ByteSlice as _, ByteVec as _};

use crate::archive::{Format, is_extension_of, quoted_path};
use crate::engine::{Engine, Engines, loads_after};
use crate::format::map::MapKind;
use crate::media::FileType;
use crate::ops::context::{Context, Refusal};
use crate::ops::finding::{Finding, Help, internal, listed, some_parts_exist};
use crate::ops::plan::options::{Destination, WriteOptions};
use crate::ops::plan::policy::{Claimed, Edited, Guard, Planned, Target};
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
                let error = Finding { many: None, ..error }.at_path(guard.shown(relative));
                refused.push(
                    error.advice(
                        "merge the archives, or convert each archive in a command of its own",
                    ),
                );
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

/// An input that needs outputs.
#[derive(Debug)]
pub(crate) struct NameWanted<'a> {
    /// The input, as the user would write it.
    pub(crate) input: &'a Path,
    /// Its first output, below the root.
    pub(crate) relative: PathBuf,
    /// How many outputs it needs. 0 if nothing of it is written.
    pub(crate) outputs: usize,
}

/// Names the outputs of all inputs: their paths below the directory that they go to. `engines` must load them.
///
/// # Errors
/// If there are no names for some, or an engine would not load one.
pub(super) fn name_all(
    wanted: &[NameWanted<'_>],
    directory: &Path,
    engines: Engines,
) -> Result<Vec<Vec<PathBuf>>, Vec<Finding>> {
    let (mut all, mut refused) = (Vec::new(), Vec::new());
    for wanted in wanted {
        match names_of(wanted, directory, engines) {
            Ok(names) => all.push(names),
            Err(error) => refused.push(error.at_path(directory.join(&wanted.relative))),
        }
    }
    if refused.is_empty() { Ok(all) } else { Err(refused) }
}

/// The names of an input's outputs, which count up from the first.
fn names_of(
    wanted: &NameWanted<'_>,
    directory: &Path,
    engines: Engines,
) -> Result<Vec<PathBuf>, Finding> {
    let parts = wanted.outputs;
    if parts == 0 {
        return Ok(Vec::new());
    }
    let mut names = vec![wanted.relative.clone()];
    if parts > 1 {
        let Some(series) = Series::of(&wanted.relative) else {
            let why = format!(
                "the output must be split into {parts} archives, but its name does not end in a number that daisho can count up"
            );
            return Err(Finding::error(why)
                .advice("choose a name that ends in a number, such as pak1.pak: the parts are called pak1.pak, pak2.pak and so on, or convert each archive in a command of its own"));
        };
        names = series.names(parts)?;
    }
    check_order(engines, directory, &names)?;
    Ok(names)
}

/// Names that count up.
#[derive(Debug)]
pub(super) struct Series {
    folder: PathBuf,
    /// The part of the name before the number.
    head: Vec<u8>,
    /// The number of the first part. `None` if it is too large to count up.
    first: Option<u64>,
    /// The least number of digits.
    width: usize,
    /// The part of the name after it.
    tail: Vec<u8>,
}

impl Series {
    /// The names that follow `path`, if it has a number to count.
    pub(super) fn of(path: &Path) -> Option<Self> {
        let stem = <[u8]>::from_os_str(path.file_stem()?)?;
        let whole = <[u8]>::from_os_str(path.file_name()?)?;
        let head = stem.trim_end_with(|c| c.is_ascii_digit());
        let digits = core::str::from_utf8(stem.get(head.len()..)?).ok()?;
        let width = if digits.starts_with('0') { digits.len() } else { 0 };
        Some(Self {
            folder: path.parent()?.to_path_buf(),
            head: head.to_vec(),
            first: Some(digits).filter(|digits| !digits.is_empty())?.parse().ok(),
            width,
            tail: whole.get(stem.len()..)?.to_vec(),
        })
    }

    /// The name of a part, counted from 0.
    pub(super) fn name(&self, part: usize) -> Option<PathBuf> {
        let number = self.first?.checked_add(part as u64)?;
        let width = self.width;
        let digits = format!("{number:0width$}");
        let name = [&self.head, digits.as_bytes(), &self.tail].concat();
        // The name was cut only at digits, so it is still one of the system's names.
        Some(self.folder.join(name.into_os_string().ok()?))
    }

    /// The names of this many parts.
    pub(super) fn names(&self, parts: usize) -> Result<Vec<PathBuf>, Finding> {
        let names: Option<Vec<PathBuf>> = (0..parts).map(|part| self.name(part)).collect();
        names.ok_or_else(|| {
            let why = format!(
                "the output must be split into {parts} archives, but the number in its name is too \
                 large to count up that far"
            );
            Finding::error(why).advice("choose a name with a smaller number, such as pak1.pak")
        })
    }
}

/// Checks that `engines` load each output under its name, and each part after the part before it. The outputs are below
/// this directory.
fn check_order(engines: Engines, directory: &Path, names: &[PathBuf]) -> Result<(), Finding> {
    let refused = |engine| Some((engine, part_out_of_order(engine, names)?));
    let mut refused = engines.iter().filter_map(refused);
    let Some((first, (part, why))) = refused.next() else {
        return Ok(());
    };
    let same = refused.filter(|(_, other)| *other == (part, why.clone()));
    let same = same.map(|(engine, _)| engine);
    let engines: Engines = core::iter::once(first).chain(same).collect();
    let name = directory.join(names.get(part).map_or(Path::new(""), PathBuf::as_path));
    if let [only] = names {
        let name = quoted_path(only.file_name().map_or(only, Path::new));
        let why = format!("{engines} would not load the output as {name}: {why}");
        return Err(Finding::error(why)
            .advice("choose a name that the engine loads, such as pak0.pak, or convert each archive in a command of its own")
            );
    }
    let why = format!(
        "the output must be split into {} archives, but {engines} would not load part {} as {}: {why}",
        names.len(),
        part + 1,
        quoted_path(&name)
    );
    Err(Finding::error(why)
        .advice("give the first part another number: a lower one, or one with leading zeros for an engine that sorts by name"))
}

/// The first of these names that the engine does not load after the name before it, and why not.
fn part_out_of_order(engine: Engine, names: &[PathBuf]) -> Option<(usize, String)> {
    let mut before: Option<&[u8]> = None;
    for (part, path) in names.iter().enumerate() {
        let name = path.file_name().unwrap_or_default().as_encoded_bytes();
        if let Err(unasked) = engine.asks_for(name) {
            return Some((part, unasked.to_string()));
        }
        if before.is_some_and(|before| !loads_after(name, before, engine)) {
            let why = "it is loaded before the part that it follows";
            return Some((part, why.to_owned()));
        }
        before = Some(name);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(first: &str, count: usize) -> Option<String> {
        let series = Series::of(Path::new(first))?;
        let names = series.names(count).unwrap();
        // A separator is the system's.
        let names = names.iter().map(|name| name.to_str().unwrap().replace('\\', "/"));
        Some(names.collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn the_number_at_the_end_of_the_stem_counts_up() {
        for (first, expected) in [
            ("pak1.pak", "pak1.pak pak2.pak pak3.pak"),
            ("pak9.pak", "pak9.pak pak10.pak pak11.pak"),
            ("d1/mod08.pak", "d1/mod08.pak d1/mod09.pak d1/mod10.pak"),
            ("x099.PAK", "x099.PAK x100.PAK x101.PAK"),
            ("7", "7 8 9"),
            ("v1.2", "v1.2 v2.2 v3.2"),
            (".pak0", ".pak0 .pak1 .pak2"),
        ] {
            assert_eq!(names(first, 3).as_deref(), Some(expected));
        }
        for none in ["pak.pak", "1mod.pak", "pak1a.pak", "d1/", "pak.1x", ""] {
            assert_eq!(names(none, 3).filter(|_| none != "d1/"), None, "{none}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_name_need_not_be_utf_8() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt as _;

        let series = Series::of(Path::new(OsStr::from_bytes(b"b\xe4r9.pak"))).unwrap();
        let names = series.names(2).unwrap();
        assert_eq!(names[1].as_os_str().as_bytes(), b"b\xe4r10.pak");
    }

    #[test]
    fn numbers_end_where_64_bits_do() {
        let refused = |first: &str, parts| {
            let names = Series::of(Path::new(first)).unwrap().names(parts);
            matches!(names, Err(error) if error.detail.contains("too large"))
        };
        assert!(!refused("pak18446744073709551614.pak", 2));
        assert!(refused("pak18446744073709551614.pak", 3));
        assert!(refused("pak18446744073709551616.pak", 2));
    }

    #[test]
    fn an_engine_must_load_the_parts_in_order() {
        let refused = |engine, first: &str, parts| {
            let names = Series::of(Path::new(first)).unwrap().names(parts).unwrap();
            let checked = check_order(Engines::from(engine), Path::new(""), &names);
            checked.err().map(|kind| kind.to_string())
        };
        for (engine, first, parts) in [
            (Engine::Quake, "pak0.pak", 40),
            (Engine::Quake2, "pak7.pak", 3),
            (Engine::Daikatana, "d/pak0.pak", 10),
            // Behind its last number comes whatever else there is.
            (Engine::Yquake2, "pak98.pak", 4),
            (Engine::Yquake2, "mod1.pak", 9),
            (Engine::Q2pro, "pak9.pak", 3),
            (Engine::DarkPlaces, "pak1.pak", 9),
            (Engine::DarkPlaces, "pak09.pak", 3),
            (Engine::Qss, "pak9.pak", 3),
            (Engine::Fteqw, "mod1.pak", 9),
        ] {
            assert_eq!(refused(engine, first, parts), None, "{engine} {first}");
        }
        for (engine, first, parts, name, why) in [
            (Engine::Quake, "mod1.pak", 2, "mod1.pak", "looks only for"),
            (Engine::Quake, "pak01.pak", 2, "pak01.pak", "looks only for"),
            (Engine::Quake, "PAK1.PAK", 2, "PAK1.PAK", "in lower case"),
            (Engine::Quake, "pak1.bin", 2, "pak1.bin", "end in .pak"),
            (Engine::Quake2, "pak8.pak", 3, "pak10.pak", "no number above 9"),
            (Engine::DarkPlaces, "pak9.pak", 2, "pak10.pak", "before"),
            (Engine::Q2pro, "mod9.pak", 2, "mod10.pak", "before"),
            (Engine::Qss, "pak09.pak", 2, "pak10.pak", "before"),
        ] {
            let said = refused(engine, first, parts).unwrap();
            assert!(said.contains(name) && said.contains(why), "{engine}: {said}");
        }
    }
}

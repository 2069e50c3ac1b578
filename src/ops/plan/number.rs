//! Names all outputs. The parts of a split output count up from the number at the end of the first part's stem:
//!
//! | the first part | the others                      |
//! |----------------|---------------------------------|
//! | `pak1.pak`     | `pak2.pak`, `pak3.pak`, ...     |
//! | `pak9.pak`     | `pak10.pak`, ...                |
//! | `mod08.pak`    | `mod09.pak`, `mod10.pak`, ...   |
//! | `mod.pak`      | none: it has no number to count |
//!
//! The archives of a folder keep their names if the engines load all of them under these names, in the same order
//! as now. That is impossible if one archive is split, has a name that no engine asks for, or would get the same
//! name as another one. Then all archives of the folder get new numbers:
//!
//! | engines                                | names                                   |
//! |----------------------------------------|-----------------------------------------|
//! | that ask for numbers                   | `pak0.pak`, `pak1.pak`, ...             |
//! | that sort by name, of more than ten    | `pak00.pak`, `pak01.pak`, ...           |
//! | that ask for ZIPs of another extension | `pak0.pkz`, ...                         |
//!
//! The order in which they load now is the order of the first engine that loads all of them. If no engine does, for
//! example because the game moves to another engine, the numbers decide, and a pak comes before a ZIP with the same
//! number. Archives without a number follow, sorted by name, as in most engines.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use bstr::{ByteSlice as _, ByteVec as _};

use crate::archive::{Format, quoted_path};
use crate::engine::{Effect, Engine, Engines, LoadOrder, LoadPosition, load_order, load_position};
use crate::ops::finding::{Finding, Notice};
use crate::ops::write::WriteOptions;

/// An input that needs outputs.
#[derive(Debug)]
pub(in crate::ops) struct NameWanted<'a> {
    /// The input, as the user would write it.
    pub(in crate::ops) input: &'a Path,
    /// Its first output, below the root.
    pub(in crate::ops) relative: PathBuf,
    /// How many outputs it needs. 0 if nothing of it is written.
    pub(in crate::ops) outputs: usize,
    /// Whether outputs may be renamed so that engines load the archives of its folder in order.
    pub(in crate::ops) is_numbered: bool,
}

/// Names the outputs of all inputs: their paths below the directory that they go to.
///
/// # Errors
/// If there are no names for some.
pub(super) fn name_all(
    wanted: &[NameWanted<'_>],
    directory: &Path,
    options: &WriteOptions,
) -> Result<Vec<Vec<PathBuf>>, Vec<Finding>> {
    let engines = options.rules.engines;
    let (mut all, mut refused) = (Vec::new(), Vec::new());
    let mut folders: BTreeMap<&Path, Vec<usize>> = BTreeMap::new();
    for (at, wanted) in wanted.iter().enumerate() {
        let mut names = Vec::new();
        if wanted.is_numbered {
            let folder = wanted.input.parent().unwrap_or(Path::new(""));
            folders.entry(folder).or_default().push(at);
        } else if wanted.outputs > 0 {
            match series(wanted, directory, engines) {
                Ok(counted) => names = counted,
                Err(error) => refused.push(error.at_path(directory.join(&wanted.relative))),
            }
        }
        all.push(names);
    }
    for (folder, members) in folders {
        let wanted: Vec<&NameWanted<'_>> =
            members.iter().filter_map(|at| wanted.get(*at)).collect();
        let numbered = match number(&wanted, engines, options.to) {
            Ok(numbered) => numbered,
            Err(error) => {
                refused.push(error.at_path(folder));
                continue;
            }
        };
        for ((at, wanted), names) in members.iter().zip(wanted).zip(numbered) {
            let names = names.iter();
            let beside = names.map(|it| wanted.relative.with_file_name(it));
            if let Some(place) = all.get_mut(*at) {
                *place = beside.collect();
            }
        }
    }
    match refused.is_empty() {
        true => Ok(all),
        false => Err(refused),
    }
}

/// The names of an input's outputs, which count up from the first.
fn series(
    wanted: &NameWanted<'_>,
    directory: &Path,
    engines: Engines,
) -> Result<Vec<PathBuf>, Finding> {
    let parts = wanted.outputs;
    if parts == 1 {
        return Ok(vec![wanted.relative.clone()]);
    }
    let Some(series) = Series::of(&wanted.relative) else {
        let why = format!(
            "the output must be split into {parts} archives, but its name does not end in a number that daisho can count up"
        );
        return Err(Finding::error(Notice::NoNumber, why));
    };
    let names = series.names(parts)?;
    check_order(engines, directory, &names)?;
    Ok(names)
}

impl NameWanted<'_> {
    /// The file name of the archive.
    fn name(&self) -> &[u8] {
        let name = self.input.file_name().unwrap_or_default();
        name.as_encoded_bytes()
    }

    /// The file name of its first output, if the archive keeps its name.
    fn kept_name(&self) -> PathBuf {
        self.relative.file_name().unwrap_or_default().into()
    }
}

/// The names of the outputs of each archive of a folder, in that folder.
///
/// # Errors
/// If there are no names under which all engines load all of them in their order.
fn number(
    members: &[&NameWanted<'_>],
    engines: Engines,
    to: Format,
) -> Result<Vec<Vec<PathBuf>>, Finding> {
    let order = order_now(members, engines);
    if let Some(kept) = kept_names(members)
        && refused(&in_order(&kept, &order), engines).is_none()
    {
        return Ok(kept);
    }
    let outputs: usize = members.iter().map(|member| member.outputs).sum();
    let mut why = None;
    for extension in extensions(engines, to) {
        let digits = outputs.saturating_sub(1).to_string().len();
        for width in BTreeSet::from([1, digits]) {
            let names = (0..outputs).map(|n| PathBuf::from(format!("pak{n:0width$}.{extension}")));
            let names: Vec<PathBuf> = names.collect();
            match refused(&names, engines) {
                None => return Ok(dealt(members, &order, names)),
                Some(refused) => why = why.or(Some((refused, names))),
            }
        }
    }
    let Some(((at, why), names)) = why else {
        return Ok(vec![Vec::new(); members.len()]);
    };
    let unable = |engine: &Engine| out_of_order(&names, *engine).is_some();
    let engines: Engines = engines.iter().filter(unable).collect();
    let name = names.get(at).cloned().unwrap_or_default();
    Err(Finding::error(
        Notice::NoRoomInFolder,
        format!(
            "the {} archives of this directory become {outputs}, but {engines} would not load {}: {why}",
            members.len(),
            quoted_path(&name)
        ),
    ))
}

/// The extensions that outputs may have, the usual one first.
fn extensions(engines: Engines, to: Format) -> Vec<&'static str> {
    let mut all = vec![to.spec().extension()];
    let zips = engines.iter().filter_map(|it| it.profile().zips_in(to));
    for extension in zips.flat_map(|zips| zips.extensions) {
        if !all.contains(extension) {
            all.push(extension);
        }
    }
    all
}

/// The positions of the archives in the order in which they load now.
fn order_now(members: &[&NameWanted<'_>], engines: Engines) -> Vec<usize> {
    let names: BTreeSet<&[u8]> = members.iter().map(|member| member.name()).collect();
    let whole =
        |order: &LoadOrder<'_>| order.asked.len() == names.len() && order.unsorted.is_empty();
    let mut orders = engines.iter().map(|engine| loaded(&names, engine));
    let place: Vec<&[u8]> = match orders.find(whole) {
        Some(order) => order.asked,
        None => {
            let mut names: Vec<&[u8]> = names.into_iter().collect();
            names.sort_by_cached_key(|name| usual_place(name));
            names
        }
    };
    let mut order: Vec<usize> = (0..members.len()).collect();
    order.sort_by_key(|at| {
        let name = members.get(*at).map(|member| member.name());
        place.iter().position(|other| Some(*other) == name)
    });
    order
}

/// A key for the order in which most engines load archives: first the numbered ones by number, paks before ZIPs;
/// then all others by name.
fn usual_place(name: &[u8]) -> (u64, bool, Vec<u8>) {
    let lower = name.to_ascii_lowercase();
    let number = || {
        let rest = core::str::from_utf8(lower.strip_prefix(b"pak")?).ok()?;
        let (digits, _) = rest.split_once('.')?;
        digits.parse::<u64>().ok()
    };
    let is_pak = lower.ends_with(b".pak");
    (number().unwrap_or(u64::MAX), !is_pak, lower)
}

/// The names of outputs if archives keep their names. `None` if two outputs would have the same name, or a name has
/// no number to count up.
fn kept_names(members: &[&NameWanted<'_>]) -> Option<Vec<Vec<PathBuf>>> {
    let mut taken = BTreeSet::new();
    let mut all = Vec::new();
    for member in members {
        let names = match member.outputs {
            0 => Vec::new(),
            1 => vec![member.kept_name()],
            several => Series::of(&member.kept_name())?.names(several).ok()?,
        };
        if !names.iter().all(|name| taken.insert(name.clone())) {
            return None;
        }
        all.push(names);
    }
    Some(all)
}

/// The names of all outputs in the order in which their archives load.
fn in_order(names: &[Vec<PathBuf>], order: &[usize]) -> Vec<PathBuf> {
    let names = order.iter().filter_map(|at| names.get(*at));
    names.flatten().cloned().collect()
}

/// Assigns names to archives in this order.
fn dealt(members: &[&NameWanted<'_>], order: &[usize], names: Vec<PathBuf>) -> Vec<Vec<PathBuf>> {
    let mut names = names.into_iter();
    let mut all = vec![Vec::new(); members.len()];
    for at in order {
        if let (Some(member), Some(place)) = (members.get(*at), all.get_mut(*at)) {
            *place = names.by_ref().take(member.outputs).collect();
        }
    }
    all
}

/// What an engine loads from a folder with archives that have these names.
fn loaded<'a>(names: &BTreeSet<&'a [u8]>, engine: Engine) -> LoadOrder<'a> {
    load_order(names, engine.profile().order, |_| Effect::Loads)
}

/// The first of these names that one of the engines does not load after the name before it, and why not.
fn refused(names: &[PathBuf], engines: Engines) -> Option<(usize, String)> {
    engines
        .iter()
        .find_map(|engine| out_of_order(names, engine))
}

/// The first of these names that the engine does not load after the name before it, and why not. The names are those
/// of all archives in a folder.
fn out_of_order(names: &[PathBuf], engine: Engine) -> Option<(usize, String)> {
    let mut bytes = Vec::with_capacity(names.len());
    for name in names {
        bytes.push(name.as_os_str().as_encoded_bytes());
    }
    for (at, name) in bytes.iter().enumerate() {
        if let Err(why) = engine.asks_for(name) {
            return Some((at, why.to_string()));
        }
    }
    let order = loaded(&bytes.iter().copied().collect(), engine);
    let position = |name: &[u8]| bytes.iter().position(|other| *other == name);
    let unasked = order.unasked.iter();
    let unasked = unasked.filter_map(|(name, why)| Some((position(name)?, why.to_string())));
    if let Some(first) = unasked.min() {
        return Some(first);
    }
    let unsorted = order.unsorted.iter();
    if let Some(second) = unsorted.filter_map(|group| position(group.get(1)?)).min() {
        let why = "it is loaded in whatever order the file system lists";
        return Some((second, why.to_owned()));
    }
    let mut loaded = bytes.iter().zip(&order.asked);
    let at = loaded.position(|(name, asked)| name != asked)?;
    Some((at, "it is loaded before one that it follows".to_owned()))
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
        let width = if digits.starts_with('0') {
            digits.len()
        } else {
            0
        };
        Some(Self {
            folder: path.parent()?.to_path_buf(),
            head: head.to_vec(),
            first: Some(digits)
                .filter(|digits| !digits.is_empty())?
                .parse()
                .ok(),
            width,
            tail: whole.get(stem.len()..)?.to_vec(),
        })
    }

    /// The name of a part, counted from 0.
    fn name(&self, part: usize) -> Option<PathBuf> {
        let number = self.first?.checked_add(part as u64)?;
        let width = self.width;
        let digits = format!("{number:0width$}");
        let name = [&self.head, digits.as_bytes(), &self.tail].concat();
        // The name was cut only at digits, so it is still one of the system's names.
        Some(self.folder.join(name.into_os_string().unwrap_or_default()))
    }

    /// The names of this many parts.
    pub(super) fn names(&self, parts: usize) -> Result<Vec<PathBuf>, Finding> {
        let names: Option<Vec<PathBuf>> = (0..parts).map(|part| self.name(part)).collect();
        names.ok_or_else(|| {
            let why = format!(
                "the output must be split into {parts} archives, but the number in its name is too \
                 large to count up that far"
            );
            Finding::error(Notice::NumberTooLarge, why)
        })
    }
}

/// Checks that `engines` load each part of an output after the part before it. The parts are below this directory.
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
    let why = format!(
        "the output must be split into {} archives, but {engines} would not load part {} as {}: {why}",
        names.len(),
        part + 1,
        quoted_path(&name)
    );
    Err(Finding::error(Notice::NoRoomForPart, why))
}

/// The first of these names that the engine does not load after the name before it, and why not.
fn part_out_of_order(engine: Engine, names: &[PathBuf]) -> Option<(usize, String)> {
    let mut last: Option<LoadPosition> = None;
    for (part, path) in names.iter().enumerate() {
        let name = path.file_name().unwrap_or_default().as_encoded_bytes();
        match load_position(name, engine) {
            Err(unasked) => return Some((part, unasked.to_string())),
            Ok(place) if last.as_ref().is_some_and(|last| *last >= place) => {
                return Some((
                    part,
                    "it is loaded before the part that it follows".to_owned(),
                ));
            }
            Ok(place) => last = Some(place),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names of outputs for archives `name*outputs`, or what speaks against it.
    fn numbered(archives: &str, engines: &str, to: Format) -> String {
        let mut members = Vec::new();
        for archive in archives.split(' ') {
            let (name, outputs) = archive.split_once('*').unwrap_or((archive, "1"));
            let kept = Path::new(name).with_extension(to.spec().extension());
            members.push(NameWanted {
                input: Path::new(name),
                relative: kept,
                outputs: outputs.parse().unwrap(),
                is_numbered: true,
            });
        }
        let members: Vec<&NameWanted<'_>> = members.iter().collect();
        let engines = engines.split(',').filter_map(Engines::by_word).collect();
        match number(&members, engines, to) {
            Ok(numbered) => {
                let names = numbered.iter().map(|names| {
                    let names: Vec<&str> = names.iter().map(|it| it.to_str().unwrap()).collect();
                    names.join("+")
                });
                names.collect::<Vec<String>>().join(" ")
            }
            Err(kind) => kind.to_string(),
        }
    }

    #[test]
    fn names_are_kept_where_engines_load_them_in_order_and_else_numbered() {
        let quake = |archives: &str, engines: &str| numbered(archives, engines, Format::Quake);
        for (archives, engines, names) in [
            ("pak0.pak pak1.pak", "quake", "pak0.pak pak1.pak"),
            ("pak1.pak pak0.pak", "quake", "pak1.pak pak0.pak"),
            ("pak0.pak*2 pak1.pak", "quake", "pak0.pak+pak1.pak pak2.pak"),
            ("pak0.pak pak3.pak", "quake", "pak0.pak pak1.pak"),
            ("pak0.pak pak3.pak", "quake2", "pak0.pak pak3.pak"),
            ("mod.pak", "quake2", "pak0.pak"),
            ("mod.pak", "yquake2", "mod.pak"),
            ("mod.pak zoo.pak", "darkplaces", "mod.pak zoo.pak"),
            // As the file system lists them.
            ("mod.pak zoo.pak", "yquake2", "pak0.pak pak1.pak"),
            (
                "zoo.pak pak1.pak pak0.pak",
                "qss",
                "zoo.pak pak1.pak pak0.pak",
            ),
            (
                "zoo.pak pak2.pak pak0.pak",
                "quake,qss",
                "pak2.pak pak1.pak pak0.pak",
            ),
            // A pak before a ZIP of its number, as where both are loaded.
            (
                "pak0.pk3 pak0.pak pak1.pak",
                "qss",
                "pak1.pak pak0.pak pak2.pak",
            ),
            (
                "pak0.pk3 pak0.pak pak1.pak",
                "quake",
                "pak1.pak pak0.pak pak2.pak",
            ),
            ("a.pk3 pak0.pak*0 pak1.pak", "quake", "pak1.pak  pak0.pak"),
        ] {
            assert_eq!(quake(archives, engines), names, "{archives} {engines}");
        }
        let many: Vec<String> = (0..12).map(|n| format!("pak{n}.pak")).collect();
        let many = many.join(" ");
        // Both load all of them, each in its own order.
        assert_eq!(quake(&many, "darkplaces"), many);
        assert_eq!(quake(&many, "quake"), many);
        let split = quake("pak0.pak*6 pak1.pak*6", "darkplaces");
        assert!(split.starts_with("pak00.pak+pak01.pak") && split.ends_with("+pak11.pak"));
        let words = quake(&many, "quake,quake2");
        assert!(
            words.contains("quake2") && words.contains("pak10.pak") && words.contains("above 9"),
            "{words}"
        );
        let words = quake(&many, "quake,darkplaces");
        assert!(words.contains("darkplaces would not load"), "{words}");
    }

    #[test]
    fn zips_get_the_extension_that_the_engines_load() {
        let zip = |archives: &str, engines: &str| numbered(archives, engines, Format::Pk3);
        assert_eq!(zip("pak0.pak pak1.pak", "ioquake3"), "pak0.pk3 pak1.pk3");
        assert_eq!(zip("pak0.pak pak1.pak", "q2pro"), "pak0.pkz pak1.pkz");
        let words = zip("pak0.pak", "q2pro,ioquake3");
        assert!(words.contains("q2pro would not load"), "{words}");
    }

    fn names(first: &str, count: usize) -> Option<String> {
        let series = Series::of(Path::new(first))?;
        let names = series.names(count).unwrap();
        // A separator is the system's.
        let names = names
            .iter()
            .map(|name| name.to_str().unwrap().replace('\\', "/"));
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
            matches!(names, Err(error) if error.notice == Notice::NumberTooLarge)
        };
        assert!(!refused("pak18446744073709551614.pak", 2));
        assert!(refused("pak18446744073709551614.pak", 3));
        assert!(refused("pak18446744073709551616.pak", 2));
    }

    #[test]
    fn an_engine_must_load_each_part_behind_the_one_before_it() {
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
            (Engine::Quake, "mod1.pak", 2, "mod1.pak", "and no others"),
            (Engine::Quake, "pak01.pak", 2, "pak01.pak", "and no others"),
            (Engine::Quake, "PAK1.PAK", 2, "PAK1.PAK", "in lower case"),
            (Engine::Quake, "pak1.bin", 2, "pak1.bin", "end in .pak"),
            (
                Engine::Quake2,
                "pak8.pak",
                3,
                "pak10.pak",
                "no number above 9",
            ),
            (Engine::DarkPlaces, "pak9.pak", 2, "pak10.pak", "before"),
            (Engine::Q2pro, "mod9.pak", 2, "mod10.pak", "before"),
            (Engine::Qss, "pak09.pak", 2, "pak10.pak", "before"),
        ] {
            let said = refused(engine, first, parts).unwrap();
            assert!(
                said.contains(name) && said.contains(why),
                "{engine}: {said}"
            );
        }
    }
}

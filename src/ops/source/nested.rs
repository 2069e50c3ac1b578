//! Archives within archives: mods travel as a ZIP that holds `id1/pak0.pak` and a readme.
//!
//! The path of such an archive is the file, two slashes, and its name in the file: `mod.zip//id1/pak0.pak`. An archive
//! within that one follows after two more slashes. If an archive is stored, it is read in place. Otherwise it is decoded
//! into a file without a name when it is first read.
//!
//! If several archives have one name, the first keeps it. The others are `NAME.dup-INDEX`, like their files when the
//! outer archive is extracted.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use bstr::ByteSlice as _;

use crate::archive::error::ErrorKind;
use crate::archive::{
    Archive, Case, Coding, Entry, Extent, Format, RawName, ReadAt, SafePath, Which, is_extension_of,
};
use crate::format::HEADER_LEN;
use crate::fs::{System, is_standard_input};
use crate::ops::finding::{Finding, in_archive, too_large};
use crate::ops::source::named::{names_of, not_found};
use crate::ops::source::recognize::formats_of;

/// The greatest depth at which archives within others are opened.
pub const DEPTH_MAX: u8 = 8;

/// Separates the path of an archive from the name of an archive inside it.
const BETWEEN: &str = "//";

/// The text between a name and the index of an entry that is not the first with that name.
pub(crate) const DUPLICATE: &str = ".dup-";

/// A path that leads into a file: the file, and the names after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Within {
    pub(crate) file: PathBuf,
    pub(crate) names: Vec<Vec<u8>>,
}

/// The path, if it leads into a file.
pub(crate) fn split(path: &Path) -> Option<Within> {
    let bytes = path.as_os_str().as_encoded_bytes();
    let (file, rest) = bytes.find_iter(BETWEEN).find_map(|at| {
        let (file, rest) = bytes.split_at_checked(at)?;
        let (file, rest) = (file.to_path().ok()?, rest.strip_prefix(BETWEEN.as_bytes())?);
        let is_file =
            is_standard_input(file) || std::fs::metadata(file).is_ok_and(|found| found.is_file());
        is_file.then_some((file, rest))
    })?;
    let names: Vec<Vec<u8>> = rest.split_str(BETWEEN).map(<[u8]>::to_vec).collect();
    let file = file.to_path_buf();
    let named = names.iter().all(|name| !name.is_empty());
    named.then_some(Within { file, names })
}

/// Refuses an archive whose size is more than a file of this length can decode to.
fn check_size(bytes: u64, len: u64) -> Result<(), Finding> {
    let times = Coding::Deflate.most(1);
    if bytes <= len.saturating_mul(times) {
        return Ok(());
    }
    Err(too_large(bytes, len, times, true))
}

/// The path of an archive within another one.
pub(crate) fn join(outer: &Path, name: &[u8]) -> PathBuf {
    let mut path = outer.as_os_str().to_owned();
    path.push(BETWEEN);
    path.push(name.to_os_str_lossy());
    path.into()
}

/// The number of the entry that a name means.
pub(super) fn find(outer: &Archive, name: &[u8]) -> Result<usize, Finding> {
    let found = outer
        .find(name, Case::Matters, Which::First)
        .or_else(|| outer.find(name, Case::Ignored, Which::First))
        .or_else(|| duplicate(outer, name));
    match found {
        Some(entry) => Ok(entry.index()),
        None => Err(in_archive(outer, not_found(name, names_of(outer), false))),
    }
}

/// The bytes of an archive in an entry: a part of the outer archive if it is stored there, or else a file without a
/// name. The outermost file has `file_len` bytes.
pub(super) fn content(
    system: &System,
    outer: &Arc<Archive>,
    index: usize,
    file_len: u64,
) -> Result<Box<dyn ReadAt>, Finding> {
    let entry = outer.entry(index).ok_or(ErrorKind::NotAFile)?;
    entry.check_claims()?;
    let len = entry.size();
    if let Some(source) = entry.stored_content()? {
        if entry.stated_crc32().is_some() {
            // From here on it is read in place, and its checksum is not compared again.
            entry.verify()?;
        }
        check_size(len, file_len)?;
        return Ok(Box::new(source));
    }
    let outer = Arc::clone(outer);
    check_size(len, file_len)?;
    Ok(Box::new(system.decoded(len, move |scratch| {
        let entry = outer.entry(index).ok_or(io::ErrorKind::NotFound)?;
        let mut reader = entry.reader().map_err(io::Error::other)?;
        io::copy(&mut reader, scratch)?;
        reader.finish().map_err(io::Error::other)?;
        Ok(())
    })))
}

/// The entry that `NAME.dup-INDEX` means.
fn duplicate<'a>(outer: &'a Archive, name: &[u8]) -> Option<Entry<'a>> {
    let (name, index) = duplicate_of(name)?;
    outer.entry(index).filter(|entry| entry.name().as_bytes() == name)
}

/// The name of an entry whose file got this name, and the index.
pub(crate) fn duplicate_of(name: &[u8]) -> Option<(&[u8], usize)> {
    let (own, index) = name.rsplit_once_str(DUPLICATE)?;
    let index = index.split_once_str("-").map_or(index, |(index, _)| index);
    let is_number = !index.is_empty() && index.iter().all(u8::is_ascii_digit);
    let index = index.to_str().ok().filter(|_| is_number)?;
    Some((own, index.parse().ok()?))
}

/// An archive that was found in another one.
pub(super) struct NestedArchive {
    /// The number of its entry.
    pub(super) index: usize,
    pub(super) path: PathBuf,
    /// The path below the folder that the outer archive's files would be extracted to.
    pub(super) relative: PathBuf,
}

/// The archives in an archive, recognised by their names and first bytes. WADs are left out, because they are a game's
/// own files. Entries that cannot be read are left out, too. They are reported when the outer archive is read.
pub(super) fn search(archive: &Archive, path: &Path) -> Vec<NestedArchive> {
    let mut found = Vec::new();
    let mut extents = HashSet::new();
    for entry in archive.entries() {
        let Some(extent) = entry.place() else {
            continue;
        };
        // A payload with many names is one archive. A payload that overlaps the directory of its archive would contain
        // itself.
        if !is_named_as_nested(entry.name())
            || extents.contains(&extent)
            || holds_directory(archive, extent)
            || !begins_as_archive(&entry)
        {
            continue;
        }
        extents.insert(extent);
        // If its name is not allowed for a file, its number is its name.
        let mut relative = match SafePath::try_from(entry.name()) {
            Ok(path) => path.to_path_buf(),
            Err(_) => entry.index().to_string().into(),
        };
        let mut name = entry.name().as_bytes().to_vec();
        if archive.get(&name).is_none_or(|first| first != entry) {
            let number = format!("{DUPLICATE}{}", entry.index());
            name.extend_from_slice(number.as_bytes());
            relative = numbered(&relative, &number);
        }
        found.push(NestedArchive { index: entry.index(), path: join(path, &name), relative });
    }
    found.sort_by(|a, b| a.path.as_os_str().cmp(b.path.as_os_str()));
    found
}

/// The extensions of archives that are searched for in others. A list of its own is quicker to compare with than the
/// formats one by one, and every entry of every archive is compared.
static EXTENSIONS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let mut extensions = Vec::new();
    for spec in Format::ALL.map(Format::spec) {
        if spec.nests() {
            extensions.extend(spec.extensions);
        }
    }
    extensions
});

/// Whether a name has the extension of an archive that is searched for.
pub(crate) fn is_named_as_nested(name: RawName<'_>) -> bool {
    let extension = name.extension();
    extension.is_some_and(|it| is_extension_of(it, &EXTENSIONS))
}

/// Whether these bytes overlap the archive's own header or directory.
fn holds_directory(archive: &Archive, extent: Extent) -> bool {
    let structure = archive.structure();
    let mut parts = [structure.header, structure.directory].into_iter();
    parts.any(|part| extent.end() > part.offset && part.end() > extent.offset)
}

/// Whether the content of an entry begins like an archive.
fn begins_as_archive(entry: &Entry<'_>) -> bool {
    let Ok(mut reader) = entry.reader() else {
        return false;
    };
    let mut start = [0; HEADER_LEN];
    if io::Read::read_exact(&mut reader, &mut start).is_err() {
        return false;
    }
    formats_of(&start).any(|format| format.spec().nests())
}

/// The path with a number before its extension.
fn numbered(path: &Path, number: &str) -> PathBuf {
    let mut name = path.file_stem().map_or_else(OsString::new, OsStr::to_os_string);
    name.push(number);
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_leads_into_the_first_file_on_its_way() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("mod.zip");
        std::fs::write(&file, b"").unwrap();
        let at = |text: &str| {
            let root = dir.path().to_str().unwrap();
            split(Path::new(&text.replace('$', root)))
        };
        let within = |names: &[&str]| {
            let names = names.iter().map(|name| name.as_bytes().to_vec());
            names.collect::<Vec<_>>()
        };
        assert_eq!(at("$/mod.zip//a/b.pak").unwrap().names, within(&["a/b.pak"]));
        let deep = at("$//mod.zip//a.zip//b.pak").unwrap();
        assert_eq!(deep.names, within(&["a.zip", "b.pak"]));
        assert_eq!(
            std::fs::canonicalize(deep.file).unwrap(),
            std::fs::canonicalize(&file).unwrap()
        );
        for none in
            ["$/mod.zip", "$/mod.zip//", "$//other.zip", "$/mod.zip////a", "$/mod.zip/a", ""]
        {
            assert_eq!(at(none), None, "{none}");
        }
    }
}

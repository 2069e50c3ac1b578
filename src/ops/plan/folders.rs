//! Into which directory the files of each archive go.
//!
//! Archives that differ in their extensions alone, as `pak0.pak` and `pak0.bak`, would have one
//! directory. The one without an extension gets it, which has no longer name; or else the one called
//! `.pak`, or the first; each other one gets a directory of its whole name, and a warning. So the same
//! archives have the same directories in every run. Archives of one whole name, from different places
//! or but for its case, still meet, and are refused.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::archive::{RawName, SafePath, quoted_path};
use crate::ops::finding::{Finding, Notice};
use crate::ops::source::Input;

/// Where the files of one archive go.
#[derive(Debug, Clone, Default)]
pub(in crate::ops) struct Folder {
    /// From the root.
    pub(in crate::ops) base: PathBuf,
    /// The directory that it would have alone, and the archive that has that.
    instead: Option<(PathBuf, PathBuf)>,
}

impl Folder {
    /// A warning where an archive has not the directory that it would have alone.
    pub(in crate::ops) fn warning(&self, pak: &Path) -> Option<Finding> {
        let (taken, other) = self.instead.clone()?;
        let (other, taken, given) = (
            quoted_path(&other),
            quoted_path(&taken),
            quoted_path(&self.base),
        );
        let why =
            format!("{other} has the directory {taken}: the files of this pak go into {given}");
        Some(Finding::warning(Notice::OtherDirectory, why).in_pak(pak))
    }
}

/// A directory for each of these archives.
pub(in crate::ops) fn of(paks: &[Input]) -> Vec<Folder> {
    let is_pak = |input: &Input| {
        let extension = input.relative.extension();
        extension.is_some_and(|extension| extension.eq_ignore_ascii_case("pak"))
    };
    let mut owners: HashMap<PathBuf, &Input> = HashMap::new();
    for input in paks {
        let owner = owners.entry(base(input)).or_insert(input);
        let rank = |input: &Input| (input.relative.extension().is_none(), is_pak(input));
        if rank(owner) < rank(input) {
            *owner = input;
        }
    }
    // Whether two whole names are one on some file system.
    let is_same = |a: &Path, b: &Path| a.as_os_str().eq_ignore_ascii_case(b);
    let folder = |input: &Input| {
        let base = base(input);
        match owners.get(&base) {
            Some(owner) if !is_same(&owner.relative, &input.relative) => Folder {
                base: input.relative.clone(),
                instead: Some((base, owner.path.clone())),
            },
            _ => Folder {
                base,
                instead: None,
            },
        }
    };
    paks.iter().map(folder).collect()
}

/// Where the files of an archive go that is alone, from the root.
fn base(input: &Input) -> PathBuf {
    let folder = input.relative.parent().unwrap_or(Path::new(""));
    // A stem can be `..` (of `...pak`), or what is no name elsewhere; a whole name is always one.
    let stem = input.relative.file_stem().filter(|stem| {
        let stem = stem.as_encoded_bytes();
        SafePath::try_from(RawName::new(stem)).is_ok_and(|path| path.as_bytes() == stem)
    });
    let name = stem.or_else(|| input.relative.file_name());
    folder.join(name.unwrap_or_default())
}

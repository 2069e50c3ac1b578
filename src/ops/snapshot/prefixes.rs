//! The prefixes of a snapshot's names if it is of several archives: each archive's path and a slash.

use crate::archive::Format;

/// The prefixes of the archives that were read. If there are none, names have no prefix.
#[derive(Debug, Default)]
pub(crate) struct Prefixes {
    sorted: Vec<Vec<u8>>,
}

impl FromIterator<Vec<u8>> for Prefixes {
    fn from_iter<I: IntoIterator<Item = Vec<u8>>>(prefixes: I) -> Self {
        let mut sorted: Vec<Vec<u8>> = prefixes.into_iter().collect();
        sorted.sort_unstable();
        Self { sorted }
    }
}

impl Prefixes {
    /// The path of a name's archive: the longest prefix of the archives that were read. If that archive is
    /// gone, everything up to the first part with an archive's extension.
    pub(super) fn archive<'n>(&self, name: &'n [u8]) -> &'n [u8] {
        if self.sorted.is_empty() {
            return &[];
        }
        let that_was_read = || {
            slashes(name)
                .rev()
                .find(|end| name.get(..=*end).is_some_and(|prefix| self.has(prefix)))
        };
        let by_extension =
            || slashes(name).find(|end| name.get(..*end).is_some_and(has_archive_extension));
        let end = that_was_read().or_else(by_extension).unwrap_or_default();
        name.get(..end).unwrap_or_default()
    }

    /// The prefix of a name.
    pub(crate) fn of<'n>(&self, name: &'n [u8]) -> &'n [u8] {
        match self.archive(name) {
            [] => &[],
            archive => name.get(..=archive.len()).unwrap_or_default(),
        }
    }

    /// Whether an archive with this prefix was read.
    pub(super) fn has(&self, prefix: &[u8]) -> bool {
        let found = self.sorted.binary_search_by(|it| it.as_slice().cmp(prefix));
        found.is_ok()
    }

    /// The name in its archive.
    pub(crate) fn within<'n>(&self, name: &'n [u8]) -> &'n [u8] {
        match self.archive(name) {
            [] => name,
            archive => name.get(archive.len() + 1..).unwrap_or_default(),
        }
    }
}

/// The offsets of the slashes in a name.
fn slashes(name: &[u8]) -> impl DoubleEndedIterator<Item = usize> {
    let bytes = name.iter().enumerate();
    bytes.filter_map(|(at, byte)| (*byte == b'/').then_some(at))
}

/// Whether a path has an archive's extension.
fn has_archive_extension(path: &[u8]) -> bool {
    let part = path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
    let extension = part.rsplit(|byte| *byte == b'.').next();
    let extension = extension.and_then(|it| core::str::from_utf8(it).ok());
    extension.is_some_and(|it| Format::of_extension(it).next().is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_led_by_the_longest_path_or_by_what_is_called_like_an_archive() {
        let prefixes = ["mod/", "mod/pak0.pak/", "a.pak/"];
        let prefixes: Prefixes = prefixes
            .map(|prefix| prefix.as_bytes().to_vec())
            .into_iter()
            .collect();
        for (name, archive, within) in [
            ("mod/x", "mod", "x"),
            ("mod/pak0.pak/x", "mod/pak0.pak", "x"),
            ("mod/pak0.pak", "mod", "pak0.pak"),
            ("a.pak/b.pak/x", "a.pak", "b.pak/x"),
            ("d/gone.pk3/m/b.pak/x", "d/gone.pk3", "m/b.pak/x"),
            ("maps/x", "", "maps/x"),
            ("gone.pk3", "", "gone.pk3"),
        ] {
            let name = name.as_bytes();
            assert_eq!(prefixes.archive(name), archive.as_bytes());
            assert_eq!(prefixes.within(name), within.as_bytes());
            assert_eq!(Prefixes::default().within(name), name);
        }
    }
}

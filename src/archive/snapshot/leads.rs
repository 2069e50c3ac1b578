//! What leads the names of a snapshot, where they are of several archives.

use crate::archive::format::Format;

/// What leads the names of each archive that was read: a path, and a slash. Where there are none, no
/// name is led.
#[derive(Debug, Default)]
pub(crate) struct Leads {
    sorted: Vec<Vec<u8>>,
}

impl FromIterator<Vec<u8>> for Leads {
    fn from_iter<I: IntoIterator<Item = Vec<u8>>>(leads: I) -> Self {
        let mut sorted: Vec<Vec<u8>> = leads.into_iter().collect();
        sorted.sort_unstable();
        Self { sorted }
    }
}

impl Leads {
    /// The path that leads a name: the longest of those of the archives that were read, or else, as its
    /// archive has gone, all up to the first part that is called like an archive.
    pub(super) fn archive<'n>(&self, name: &'n [u8]) -> &'n [u8] {
        if self.sorted.is_empty() {
            return &[];
        }
        let is_read = |lead: &[u8]| {
            let found = self.sorted.binary_search_by(|it| it.as_slice().cmp(lead));
            found.is_ok()
        };
        let of_read = || {
            ends(name)
                .rev()
                .find(|end| name.get(..=*end).is_some_and(is_read))
        };
        let called_so = || ends(name).find(|end| name.get(..*end).is_some_and(is_called_so));
        let end = of_read().or_else(called_so).unwrap_or_default();
        name.get(..end).unwrap_or_default()
    }

    /// The name in its archive.
    #[cfg(any(test, feature = "ops"))]
    pub(crate) fn within<'n>(&self, name: &'n [u8]) -> &'n [u8] {
        match self.archive(name) {
            [] => name,
            archive => name.get(archive.len() + 1..).unwrap_or_default(),
        }
    }
}

/// Where the slashes of a name are.
fn ends(name: &[u8]) -> impl DoubleEndedIterator<Item = usize> {
    let slashes = name.iter().enumerate();
    slashes.filter_map(|(at, byte)| (*byte == b'/').then_some(at))
}

/// Whether the last part of a path is called like an archive.
fn is_called_so(path: &[u8]) -> bool {
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
        let leads = ["mod/", "mod/pak0.pak/", "a.pak/"];
        let leads: Leads = leads
            .map(|lead| lead.as_bytes().to_vec())
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
            assert_eq!(leads.archive(name), archive.as_bytes());
            assert_eq!(leads.within(name), within.as_bytes());
            assert_eq!(Leads::default().within(name), name);
        }
    }
}

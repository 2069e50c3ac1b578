//! What the fuzz target `media` asserts of any bytes as a file of any type: what is found agrees with itself
//! and does not depend on how it is read, and what a map asks for is in it.

use std::io;

use daisho::archive::{RawName, ReadAt};
use daisho::media::asked::Asked;
use daisho::media::drawing::drawing;
use daisho::media::entities::{Entity, shaders};
use daisho::media::{Depth, FileType, facts};

/// The extensions of all types.
fn extensions() -> Vec<&'static str> {
    FileType::ALL.iter().flat_map(|it| it.extensions().iter().copied()).collect()
}

/// The first byte chooses the extension, the rest is the file.
pub(crate) fn media(data: &[u8]) {
    let Some((choice, file)) = data.split_first() else {
        return;
    };
    let extensions = extensions();
    let extension = extensions[usize::from(*choice) % extensions.len()];
    let name = format!("a.{extension}");
    let name = RawName::from(name.as_str());
    let found = facts(name, &file, Depth::Type).unwrap();
    assert!(!found.named.is_empty());
    if let (Some(it), Some(magic)) = (found.file_type, FileType::by_magic(file)) {
        assert_eq!(it, magic);
    }
    for depth in [Depth::Type, Depth::Header, Depth::All] {
        let all = facts(name, &file, depth).unwrap();
        assert_eq!(facts(name, &Slow(file), depth).unwrap(), all);
        assert_eq!((all.file_type, &all.named), (found.file_type, &found.named));
        assert!(all.summary().chars().all(|it| !it.is_control()));
    }
    let Ok(asked_for) = Asked::by(&file) else {
        return;
    };
    if let Ok(Some(svg)) = drawing(&file, 100) {
        assert_eq!(drawing(&Slow(file), 100).unwrap().as_ref(), Some(&svg));
        assert!(svg.ends_with("</svg>\n") && svg.matches('M').count() <= 100);
    }
    assert_eq!(Some(asked_for.file_type), FileType::by_magic(file));
    assert_eq!(Asked::by(&Slow(file)).unwrap(), asked_for);
    // A name takes some bytes of the file, and a sky six sides.
    assert!(asked_for.files.len() <= 6 * file.len());
    for ask in &asked_for.files {
        assert!(!ask.stems.is_empty());
    }
    assert!(Entity::all(file).count() <= file.len() / 2);
    assert!(shaders(file).all(|shader| !shader.name.is_empty() || file.contains(&b'"')));
}

/// A source that gives one byte at a time.
struct Slow<'a>(&'a [u8]);

impl ReadAt for Slow<'_> {
    fn size(&self) -> io::Result<u64> {
        Ok(self.0.len() as u64)
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let end = buffer.len().min(1);
        self.0.read_at(&mut buffer[..end], offset)
    }
}

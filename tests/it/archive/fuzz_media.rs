//! What the fuzz target `media` asserts of any bytes as a file of any type: what is found agrees with itself
//! and does not depend on how it is read, and what a map asks for stands in it.

use std::io;

use daisho::archive::RawName;
use daisho::media::asked::asked;
use daisho::media::details::{Depth, details};
use daisho::media::drawing::drawing;
use daisho::media::entities::entities;
use daisho::media::{FileType, Source, look, shader};

/// The extensions of all types.
fn extensions() -> Vec<&'static str> {
    FileType::all()
        .flat_map(|it| it.extensions().iter().copied())
        .collect()
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
    let found = look(name, &mut &*file).unwrap();
    assert_eq!(look(name, &mut Slow(file)).unwrap(), found);
    assert!(!found.named.is_empty());
    if let (Some(it), Some(magic)) = (found.file_type(), FileType::by_magic(file)) {
        assert_eq!(it, magic);
    }
    for depth in [Depth::Header, Depth::All] {
        let all = details(name, &mut &*file, depth).unwrap();
        assert_eq!(details(name, &mut Slow(file), depth).unwrap(), all);
        assert_eq!(all.found, found);
        assert!(all.summary().chars().all(|it| !it.is_control()));
    }
    let Ok(asked_for) = asked(&mut &*file) else {
        return;
    };
    if let Ok(svg) = drawing(&mut &*file, 100) {
        assert_eq!(drawing(&mut Slow(file), 100).unwrap(), svg);
        assert!(svg.ends_with("</svg>\n") && svg.matches('M').count() <= 100);
    }
    assert_eq!(Some(asked_for.file_type), FileType::by_magic(file));
    assert_eq!(asked(&mut Slow(file)).unwrap(), asked_for);
    // A name takes some bytes of the file, and a sky six sides.
    assert!(asked_for.files.len() <= 6 * file.len());
    for ask in &asked_for.files {
        assert!(!ask.stems.is_empty());
    }
    assert!(entities(file).count() <= file.len() / 2);
    assert!(shader::names(file).all(|name| !name.is_empty() || file.contains(&b'"')));
}

/// A source that counts what is read of it, which is no more than the parts of a map are long.
struct Slow<'a>(&'a [u8]);

impl Source for Slow<'_> {
    fn size(&self) -> u64 {
        self.0.len() as u64
    }

    fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let mut filled = 0;
        while filled < buffer.len() {
            let at = usize::try_from(offset)
                .unwrap_or(usize::MAX)
                .saturating_add(filled);
            let Some(byte) = self.0.get(at) else { break };
            buffer[filled] = *byte;
            filled += 1;
        }
        Ok(filled)
    }
}

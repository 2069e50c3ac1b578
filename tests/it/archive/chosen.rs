//! Paks that a fuzzer chooses: its bytes read as a row of choices, so that most of what it makes up
//! is a pak, and each bit of it matters.

use std::io::Read;

use daisho::Format;
use daisho::codec::{DecodeReader, Reserved};

use super::build::{Entry, Pak};
use crate::choices::Choices;

/// A pak of up to 24 entries that share, repeat, overlap and make false claims; whether all names are such as
/// files have.
pub(crate) fn any_pak(choices: &mut Choices<'_>) -> (Format, bool, Vec<u8>) {
    let layout = choices.format();
    let plausible = choices.below(2) == 0;
    let mut pak = Pak::new();
    for _ in 0..choices.below(25) {
        let name = if plausible || choices.below(2) == 0 {
            choices.file_name()
        } else {
            let len = choices.below(57);
            let bytes = choices.take(len);
            bytes.iter().map(|byte| (*byte).max(1)).collect()
        };
        let (offset, size, packed) = match (choices.below(8), pak.entries.last()) {
            (0, Some(last)) => (last.offset, last.size, last.packed),
            (1, Some(last)) => (last.offset, last.size / 2, last.packed),
            (2, _) => (choices.number(), choices.number() >> 20, Some((9, 0))),
            (3, _) => (choices.number(), 0, Some((9, 1))),
            (4, _) => {
                let zeros = vec![choices.byte(); choices.below(3000)];
                (pak.payload(&zeros), zeros.len() as u32, None)
            }
            (kind @ (5 | 6), _) => {
                let len = choices.below(200);
                let stream = choices.take(len);
                let size = size_of(stream) + u32::from(kind == 6 && choices.below(4) == 0);
                (pak.payload(stream), size, Some((stream.len() as u32, 1)))
            }
            _ => {
                let len = choices.below(300);
                let content = choices.take(len);
                (pak.payload(content), content.len() as u32, None)
            }
        };
        if choices.below(8) == 0 {
            pak.payload(b"dead");
        }
        pak = pak.entry(Entry { name, offset, size, packed });
    }
    let bytes = match layout {
        Format::Quake => pak.quake(),
        _ => pak.daikatana(),
    };
    (layout, plausible, bytes)
}

/// What a stream writes with its reserved bytes skipped, up to its end or its damage.
fn size_of(stream: &[u8]) -> u32 {
    let mut output = Vec::new();
    let mut reader = DecodeReader::new(stream, None, Reserved::Skip);
    let _ = reader.read_to_end(&mut output);
    output.len() as u32
}

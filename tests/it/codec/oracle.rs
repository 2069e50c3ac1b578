//! The format as slowly and as plainly as it can be read: what everything else is checked against.

/// Decodes `stream` byte by byte up to its end marker, or gives `None` where it is damaged, goes
/// on behind the marker, or does not write exactly `size` bytes. The reserved byte is damage.
pub(crate) fn decode(stream: &[u8], size: usize) -> Option<Vec<u8>> {
    let mut input = stream.iter().copied();
    let mut out = Vec::new();
    loop {
        let control = input.next()?;
        match control {
            0x00..=0x3F => {
                for _ in 0..=control {
                    out.push(input.next()?);
                }
            }
            0x40..=0x7F => {
                let len = usize::from(control) - 62;
                out.resize(out.len() + len, 0);
            }
            0x80..=0xBF => {
                let len = usize::from(control) - 126;
                out.resize(out.len() + len, input.next()?);
            }
            0xC0..=0xFD => {
                let distance = usize::from(input.next()?) + 2;
                for _ in 0..control - 190 {
                    let from = out.len().checked_sub(distance)?;
                    out.push(out[from]);
                }
            }
            0xFE => return None,
            0xFF => return (input.next().is_none() && out.len() == size).then_some(out),
        }
    }
}

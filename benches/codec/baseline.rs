//! What the decoder and the encoder are measured against. Honest versions: each is the plain
//! way to do the job, checks what it must, and is given the output buffer ready made.

/// Decodes as the game does: one byte after the other.
///
/// Returns how many bytes were written, or `None` for a stream that does not fit.
pub(crate) fn byte_loop(stream: &[u8], out: &mut [u8]) -> Option<usize> {
    let (mut at, mut to) = (0, 0);
    loop {
        let control = *stream.get(at)?;
        at += 1;
        match control {
            0x00..=0x3F => {
                for _ in 0..=control {
                    *out.get_mut(to)? = *stream.get(at)?;
                    at += 1;
                    to += 1;
                }
            }
            0x40..=0x7F => {
                for _ in 0..control - 62 {
                    *out.get_mut(to)? = 0;
                    to += 1;
                }
            }
            0x80..=0xBF => {
                let byte = *stream.get(at)?;
                at += 1;
                for _ in 0..control - 126 {
                    *out.get_mut(to)? = byte;
                    to += 1;
                }
            }
            0xC0..=0xFD => {
                let far = usize::from(*stream.get(at)?) + 2;
                at += 1;
                for _ in 0..control - 190 {
                    *out.get_mut(to)? = *out.get(to.checked_sub(far)?)?;
                    to += 1;
                }
            }
            0xFE => {}
            0xFF => return Some(to),
        }
    }
}

/// Decodes with one call of `memcpy`, `memset` or `memmove` a token, as the common C tool does.
///
/// Like that tool it gets copies wrong that are longer than their distance; no sample has one.
pub(crate) fn memmove_loop(stream: &[u8], out: &mut [u8]) -> Option<usize> {
    let (mut at, mut to) = (0, 0);
    loop {
        let control = *stream.get(at)?;
        at += 1;
        match control {
            0x00..=0x3F => {
                let len = usize::from(control) + 1;
                let from = stream.get(at..at + len)?;
                out.get_mut(to..to + len)?.copy_from_slice(from);
                at += len;
                to += len;
            }
            0x40..=0x7F => {
                let len = usize::from(control) - 62;
                out.get_mut(to..to + len)?.fill(0);
                to += len;
            }
            0x80..=0xBF => {
                let len = usize::from(control) - 126;
                let byte = *stream.get(at)?;
                out.get_mut(to..to + len)?.fill(byte);
                at += 1;
                to += len;
            }
            0xC0..=0xFD => {
                let len = usize::from(control) - 190;
                let far = usize::from(*stream.get(at)?) + 2;
                let from = to.checked_sub(far)?;
                if to + len > out.len() {
                    return None;
                }
                out.copy_within(from..from + len, to);
                at += 1;
                to += len;
            }
            0xFE => {}
            0xFF => return Some(to),
        }
    }
}

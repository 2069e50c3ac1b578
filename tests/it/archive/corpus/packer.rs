//! Streams as the original packer writes them: zero runs and byte runs up to 64, copies up to 62
//! that never overlap, the longest of them first, always the end marker.
//!
//! Committed paks are compressed with this, and never with the encoder under test: so they are
//! foreign streams, and a better encoder changes no byte of them.

/// The stream of `content`.
pub(crate) fn pack(content: &[u8]) -> Vec<u8> {
    let mut stream = Vec::new();
    let mut literal = Vec::new();
    let mut at = 0;
    while at < content.len() {
        let rest = &content[at..];
        let run = rest.iter().take(64).take_while(|b| **b == rest[0]).count();
        let (len, distance) = longest_copy(content, at);
        let token = if rest[0] == 0 && run >= 2 && run >= len {
            Some((run, vec![byte(run + 62)]))
        } else if run >= 3 && run >= len {
            Some((run, vec![byte(run + 126), rest[0]]))
        } else if len >= 3 {
            Some((len, vec![byte(len + 190), byte(distance - 2)]))
        } else {
            None
        };
        let Some((len, token)) = token else {
            literal.push(rest[0]);
            at += 1;
            if literal.len() == 64 {
                flush(&mut literal, &mut stream);
            }
            continue;
        };
        flush(&mut literal, &mut stream);
        stream.extend(token);
        at += len;
    }
    flush(&mut literal, &mut stream);
    stream.push(0xFF);
    stream
}

/// Length and distance; a length of 0 where there is none.
fn longest_copy(content: &[u8], at: usize) -> (usize, usize) {
    let rest = &content[at..];
    let mut best = (0, 0);
    for distance in 2..=257.min(at) {
        let back = &content[at - distance..at];
        let same = back.iter().zip(rest).take(62).take_while(|(a, b)| a == b);
        let len = same.count();
        if len > best.0 {
            best = (len, distance);
        }
    }
    best
}

fn flush(literal: &mut Vec<u8>, stream: &mut Vec<u8>) {
    if !literal.is_empty() {
        stream.push(byte(literal.len() - 1));
        stream.append(literal);
    }
}

fn byte(value: usize) -> u8 {
    u8::try_from(value).unwrap()
}

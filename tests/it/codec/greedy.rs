//! A simple greedy encoder. The tests and the benchmark compare the real one with it.

/// Encodes greedily: at every position the longest run or copy, found by trying all 256 distances one after the other.
/// A byte without either is a literal. No copy is longer than its distance.
#[allow(clippy::cast_possible_truncation)]
pub(crate) fn encode(data: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(data.len() + data.len() / 64 + 2);
    let (mut at, mut literal) = (0, 0);
    while at < data.len() {
        let rest = &data[at..];
        let run = rest.iter().take(65).take_while(|b| **b == rest[0]).count();
        let (mut copy, mut far) = (0, 0);
        for distance in 2..=at.min(257) {
            let most = rest.len().min(63).min(distance);
            let len = (0..most).take_while(|k| data[at - distance + k] == data[at + k]).count();
            if len > copy {
                (copy, far) = (len, distance);
            }
        }
        // A run of zeros costs one byte, everything else two; a match that saves nothing would
        // only cut a literal in two.
        let zeros = rest[0] == 0 && run >= 2;
        let len = if zeros && run + 1 >= copy { run } else { run.max(copy) };
        if !zeros && len < 3 {
            at += 1;
            literal += 1;
            if literal < 64 && at < data.len() {
                continue;
            }
        }
        if literal > 0 {
            out.push(literal as u8 - 1);
            out.extend_from_slice(&data[at - literal..at]);
            let full = literal == 64;
            literal = 0;
            if full || at >= data.len() {
                continue;
            }
        }
        if zeros && len == run {
            out.push(run as u8 + 62);
        } else if len == run {
            out.extend([run as u8 + 126, rest[0]]);
        } else {
            out.extend([copy as u8 + 190, (far - 2) as u8]);
        }
        at += len;
    }
    out.push(0xFF);
    out
}

//! Where a stream is cut does not matter, on either side: every cut of every class of token.
//!
//! `cargo test --release --test it -- --ignored cut` goes through all of it. Random pieces, down
//! to none at all, are in [`fuzz_bodies`](super::fuzz_bodies).

use daisho::codec::{Decoder, Reserved, Status};

use super::{oracle, tokens};

/// A stream and what it decodes to.
struct Case {
    stream: Vec<u8>,
    content: Vec<u8>,
}

impl Case {
    fn new(parts: &[&[u8]]) -> Self {
        let mut stream = parts.concat();
        stream.push(0xFF);
        let content = oracle::verdict(&stream, None, Reserved::Copy).output;
        Self { stream, content }
    }

    /// Decodes with `first` bytes of input in the first call, `room` bytes of output in all
    /// calls until they are full, and everything after that. There is room behind the content,
    /// so that the fast loop is let go on.
    fn cut(&self, first: usize, room: usize) {
        let mut decoder = Decoder::new(Some(self.content.len() as u64), Reserved::Copy);
        let mut output = vec![0xA5; self.content.len() + 200];
        let (mut at, mut to) = (0, 0);
        // At most: input is over, room is over, both are over.
        for (give, room) in [(first, room), (self.stream.len(), room)] {
            let progress = decoder.decode(&self.stream[at..give.max(at)], &mut output[to..room]);
            at += progress.consumed;
            to += progress.produced;
            assert!(progress.status.is_ok(), "cut at {first} and {room}");
        }
        let progress = decoder.decode(&self.stream[at..], &mut output[to..]);
        let case = || format!("{:02x?} cut at {first} and {room}", self.stream);
        assert_eq!(progress.status, Ok(Status::Done), "{}", case());
        assert!(output.starts_with(&self.content), "{}", case());
        assert_eq!(to + progress.produced, self.content.len(), "{}", case());
        let summary = decoder.finish(0).unwrap();
        assert_eq!(summary.read, self.stream.len() as u64, "{}", case());
    }
}

/// Every cut of the input alone and of the output alone, and with `both` every two of them.
fn cuts(first: &[u8], second: &[u8], both: bool) -> usize {
    let mut cases = 0;
    for start in tokens::starts() {
        // More behind the pair than the margins, so that both loops meet it.
        let case = Case::new(&[&start, first, second, &[0x7F; 4], &tokens::text(64)]);
        let (ins, pair) = (start.len(), first.len() + second.len());
        let outs = oracle::decode_all(&start).len();
        let wrote = case.content.len() - 4 * 65 - 64 - outs;
        for give in ins..=ins + pair {
            case.cut(give, case.content.len());
            cases += 1;
            for room in outs..=outs + if both { wrote } else { 0 } {
                case.cut(give, room);
                cases += 1;
            }
        }
        for room in outs..=outs + wrote {
            case.cut(case.stream.len(), room);
            cases += 1;
        }
    }
    cases
}

#[test]
fn pairs_cut_on_one_side_decode_like_the_whole() {
    for first in tokens::tiny() {
        for second in tokens::tiny() {
            cuts(&first, &second, false);
        }
    }
}

#[test]
fn tokens_cut_on_both_sides_decode_like_the_whole() {
    for token in tokens::tiny() {
        cuts(&[], &token, true);
    }
}

/// What a copy reads from the history that a decoder keeps, and from what it has just written.
#[test]
fn copies_across_a_cut_of_the_output_decode() {
    for control in [0xC0, 0xD0, 0xFD, 0xFE] {
        for operand in 0..=255 {
            let case = Case::new(&[&tokens::text(300), &[control, operand], &[0x7F; 4]]);
            for room in [0, 1, 2, 43, 100, 256, 257, 258, 299, 300, 301] {
                case.cut(case.stream.len(), room);
            }
        }
    }
}

#[test]
#[ignore = "four million cases: seconds of a release build"]
fn every_pair_cut_anywhere_decodes_like_the_whole() {
    let (few, tiny) = (tokens::few(), tokens::tiny());
    let mut cases = 0;
    for first in &few {
        for second in &few {
            cases += cuts(first, second, false);
        }
        for second in &tiny {
            cases += cuts(first, second, true);
        }
    }
    eprintln!("{cases} cases");
}

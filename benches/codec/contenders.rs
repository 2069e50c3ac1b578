//! Who is measured, on what: every contender does the same job on the same sample.

use std::hint::black_box;

use daisho::codec::{Decoder, Encoder, Profile, Reserved, Status, decode_into};

use crate::samples::{self, Dice};
use crate::{baseline, greedy};

/// A sample with all that a contender may need, made ready before the clock runs.
#[derive(Debug)]
pub(crate) struct Subject {
    pub(crate) name: String,
    pub(crate) content: Vec<u8>,
    /// As the original packer would write it, or our encoder where the content is given.
    pub(crate) stream: Vec<u8>,
    pub(crate) lz4: Vec<u8>,
}

#[derive(Debug)]
pub(crate) struct Contender {
    pub(crate) name: &'static str,
    /// Returns a number that keeps the work from being left out: output or stream length.
    pub(crate) run: fn(&Subject, &mut [u8]) -> usize,
}

/// What decoding is measured by; ratios are relative to the first.
pub(crate) const DECODERS: &[Contender] = &[
    Contender {
        name: "memmove loop",
        run: |s, out| baseline::memmove_loop(black_box(&s.stream), out).unwrap(),
    },
    Contender {
        name: "byte loop",
        run: |s, out| baseline::byte_loop(black_box(&s.stream), out).unwrap(),
    },
    Contender {
        name: "daisho block",
        run: |s, out| {
            let summary = decode_into(black_box(&s.stream), out, Reserved::Skip).unwrap();
            summary.written as usize
        },
    },
    Contender { name: "daisho stream 64K", run: |s, out| stream_64k(black_box(&s.stream), out) },
    Contender {
        name: "LZ4 (lz4_flex)",
        run: |s, out| lz4_flex::block::decompress_into(black_box(&s.lz4), out).unwrap(),
    },
    Contender {
        name: "memcpy",
        run: |s, out| {
            out.copy_from_slice(black_box(&s.content));
            black_box(&out).len()
        },
    },
];

/// What encoding is measured by; ratios are relative to the first.
pub(crate) const ENCODERS: &[Contender] = &[
    Contender { name: "plain greedy", run: |s, _| greedy::encode(black_box(&s.content)).len() },
    Contender { name: "daisho compatible", run: |s, _| encode(s, Profile::Compatible) },
    Contender { name: "daisho overlapping", run: |s, _| encode(s, Profile::Overlapping) },
    Contender {
        name: "LZ4 (lz4_flex)",
        run: |s, _| lz4_flex::block::compress(black_box(&s.content)).len(),
    },
];

fn encode(subject: &Subject, profile: Profile) -> usize {
    Encoder::new(profile).encode(black_box(&subject.content)).len()
}

/// 64 KiB of stream at a time into 64 KiB of output at a time.
fn stream_64k(stream: &[u8], out: &mut [u8]) -> usize {
    const PIECE: usize = 64 * 1024;
    let mut decoder = Decoder::new(Some(out.len() as u64), Reserved::Skip);
    let (mut at, mut to) = (0, 0);
    loop {
        let input = &stream[at..stream.len().min(at + PIECE)];
        let room = out.len().min(to + PIECE);
        let progress = decoder.decode(input, &mut out[to..room]);
        at += progress.consumed;
        to += progress.produced;
        if progress.status.unwrap() == Status::Done {
            return to;
        }
    }
}

/// The generated samples of 4 MB, and the files that `DAISHO_BENCH_FILES` names.
pub(crate) fn samples() -> Vec<Subject> {
    const SIZE: usize = 4 << 20;
    let subject = |name: String, content: Vec<u8>, stream: Vec<u8>| Subject {
        lz4: lz4_flex::block::compress(&content),
        name,
        content,
        stream,
    };
    let encoded = |name: String, content: Vec<u8>| {
        let stream = Encoder::new(Profile::Compatible).encode(&content);
        subject(name, content, stream)
    };
    let mut list = Vec::new();
    for kind in &samples::KINDS {
        let sample = samples::sample(kind, SIZE, 1);
        // A chain that does not write as many bytes a token as the real files did is a wrong
        // table, and whatever was measured on it would be wrong with it.
        let found = sample.content.len() as f64 / sample.tokens as f64;
        assert!((found / kind.bytes_per_token - 1.0).abs() < 0.05, "{found}");
        list.push(subject(kind.name.into(), sample.content, sample.stream));
    }
    let mut dice = Dice::new(2);
    let noise = (0..SIZE).map(|_| dice.byte()).collect();
    list.push(encoded("noise".into(), noise));
    list.push(encoded("zeros".into(), vec![0; SIZE]));
    if let Some(paths) = std::env::var_os("DAISHO_BENCH_FILES") {
        for path in std::env::split_paths(&paths) {
            let content = std::fs::read(&path).unwrap();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            list.push(encoded(name.into_owned(), content));
        }
    }
    list
}

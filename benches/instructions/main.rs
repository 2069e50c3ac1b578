//! What is run under callgrind, by `benches/instructions.sh`: one job, on one fixed input, so that
//! the count of instructions is the same on every run.
//!
//! What a step takes is the difference to the one before it.
//!
//! | job          | what it does                                                          |
//! |--------------|-----------------------------------------------------------------------|
//! | `names N`    | makes N names                                                         |
//! | `setup N`    | writes a pak of as many entries of one byte each, too                 |
//! | `open N`     | opens it, too                                                         |
//! | `find N`     | looks every name up as well                                           |
//! | `zip-setup N`, `zip-open N`, `zip-find N` | the same of a ZIP                        |
//! | `sample K`   | makes up 1 MiB of kind number K (map, WAL, TGA, PCX), and its stream  |
//! | `block K`    | decodes the stream into one slice, too                                |
//! | `stream K`   | decodes the stream in pieces of 64 KiB instead                        |
//! | `walk K`     | walks the stream instead                                              |
//! | `encode K`   | encodes the content instead                                           |

// A benchmark stops where something is wrong.
#![allow(missing_docs, dead_code, clippy::unwrap_used, clippy::print_stdout)]
#![allow(clippy::indexing_slicing, clippy::cast_possible_truncation)]
#![allow(clippy::cast_sign_loss)]

#[path = "../codec/samples.rs"]
mod samples;

use daisho::codec::{self, Decoder, Encoder, Profile, Reserved, Status};
use daisho::{Archive, Format, Writer};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let job = arguments.next().unwrap_or_default();
    let Some(number) = arguments.next().and_then(|number| number.parse().ok()) else {
        println!("run by benches/instructions.sh");
        return;
    };
    match job.as_str() {
        "names" | "setup" | "open" | "find" => container(Format::Quake, &job, number),
        _ => match job.strip_prefix("zip-") {
            Some(job) => container(Format::Pk3, job, number),
            None => codec(&job, number),
        },
    }
}

fn container(format: Format, job: &str, count: u32) {
    // Which a ZIP stores: what deflating takes is another matter.
    let names: Vec<String> = (0..count).map(|i| format!("sound/x{i}.ogg")).collect();
    if job == "names" {
        return;
    }
    let mut writer = Writer::in_memory(format).unwrap();
    for name in &names {
        writer.add(name, b"x").unwrap();
    }
    let bytes = writer.finish().unwrap().into_inner();
    if job == "setup" {
        return;
    }
    let archive = Archive::from_bytes(bytes).unwrap();
    if job == "open" {
        return;
    }
    for name in &names {
        assert!(archive.get(name).is_some());
    }
}

fn codec(job: &str, kind: u32) {
    const PIECE: usize = 64 * 1024;
    let made = samples::sample(&samples::KINDS[kind as usize], 1 << 20, 1);
    let mut output = vec![0; made.content.len()];
    match job {
        "sample" => return,
        "block" => {
            codec::decode_into(&made.stream, &mut output, Reserved::Skip).unwrap();
        }
        "stream" => {
            let mut decoder = Decoder::new(Some(output.len() as u64), Reserved::Skip);
            let (mut from, mut to) = (0, 0);
            loop {
                let input = &made.stream[from..made.stream.len().min(from + PIECE)];
                let room = output.len().min(to + PIECE);
                let progress = decoder.decode(input, &mut output[to..room]);
                from += progress.consumed;
                to += progress.produced;
                if progress.status.unwrap() == Status::Done {
                    break;
                }
            }
        }
        "walk" => {
            let walk = codec::walk(&made.stream, Some(output.len() as u64), Reserved::Skip);
            assert!(walk.unwrap().is_clean());
            return;
        }
        "encode" => {
            let stream = Encoder::new(Profile::Compatible).encode(&made.content);
            assert!(stream.len() < made.content.len());
            return;
        }
        _ => {
            println!("there is no such job");
            return;
        }
    }
    assert!(output == made.content);
}

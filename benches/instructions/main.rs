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
//! | `wad-setup N`, `wad-open N`, `wad-find N` | the same of a WAD                        |
//! | `sample K`   | makes up 1 MiB of kind number K (map, WAL, TGA, PCX), and its stream  |
//! | `block K`    | decodes the stream into one slice, too                                |
//! | `stream K`   | decodes the stream in pieces of 64 KiB instead                        |
//! | `walk K`     | walks the stream instead                                              |
//! | `encode K`   | encodes the content instead                                           |
//! | `deflate K`  | writes a ZIP of the content instead                                   |
//! | `inflate K`  | reads it back, too                                                    |
//! | `drawn K`    | makes a picture: 0 a PCX, 1 a TGA in runs, of a million bytes decoded |
//! | `picture K`  | decodes it, too                                                       |
//! | `pak K FILE` | makes it, and a pak with it, which the command is then counted with   |

#![allow(dead_code)]

#[path = "../codec/samples.rs"]
mod samples;

use daisho::archive::RawName;
use daisho::codec::{self, Decoder, Encoder, Profile, Reserved, Status};
use daisho::media::{self, DecodeOptions};
use daisho::{Archive, Format, Writer};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let job = arguments.next().unwrap_or_default();
    let Some(number) = arguments.next().and_then(|number| number.parse().ok()) else {
        println!("run by benches/instructions.sh");
        return;
    };
    match job.as_str() {
        "pak" => pak(number, &arguments.next().unwrap()),
        "names" | "setup" | "open" | "find" => container(Format::Quake, &job, number),
        "drawn" | "picture" => picture(&job, number),
        "deflate" | "inflate" => zip(&job, number),
        _ => match job.split_once('-') {
            Some(("zip", job)) => container(Format::Pk3, job, number),
            Some(("wad", job)) => container(Format::Wad3, job, number),
            _ => codec(&job, number),
        },
    }
}

fn zip(job: &str, kind: u32) {
    let made = samples::sample(&samples::KINDS[kind as usize], 1 << 20, 1);
    let mut writer = Writer::in_memory(Format::Pk3).unwrap();
    writer.add("content.dat", &made.content).unwrap();
    let bytes = writer.finish().unwrap().into_inner();
    assert!(bytes.len() < made.content.len());
    if job == "inflate" {
        let archive = Archive::from_bytes(bytes).unwrap();
        let content = archive.get("content.dat").unwrap().read().unwrap();
        assert!(content == made.content);
    }
}

fn picture(job: &str, kind: u32) {
    let (name, bytes) = drawn(kind);
    if job == "picture" {
        let picture =
            media::Picture::decode(RawName::from(name), &bytes, &DecodeOptions::default());
        assert_eq!(picture.unwrap().frames.len(), 1);
    }
}

fn pak(kind: u32, path: &str) {
    let (name, bytes) = drawn(kind);
    let mut writer = Writer::in_memory(Format::Quake).unwrap();
    writer.add(RawName::from(name), &bytes).unwrap();
    std::fs::write(path, writer.finish().unwrap().into_inner()).unwrap();
}

fn drawn(kind: u32) -> (&'static str, Vec<u8>) {
    match kind {
        0 => ("a.pcx", pcx()),
        _ => ("a.tga", tga()),
    }
}

/// A PCX of 1024x1024: runs as a WAL has them, and what is too high for a byte of its own.
fn pcx() -> Vec<u8> {
    let mut file = vec![0; 128];
    file[..4].copy_from_slice(&[10, 5, 1, 8]);
    file[8..12].copy_from_slice(&[255, 3, 255, 3]);
    file[65] = 1;
    file[66..68].copy_from_slice(&1024_u16.to_le_bytes());
    let content = samples::sample(&samples::KINDS[1], 1 << 20, 1).content;
    for line in content.chunks(1024) {
        for run in line.chunk_by(|a, b| a == b).flat_map(|run| run.chunks(63)) {
            if run.len() > 1 || run[0] >= 0xC0 {
                file.push(0xC0 + run.len() as u8);
            }
            file.push(run[0]);
        }
    }
    file.push(12);
    file.extend([7; 768]);
    file
}

/// A TGA of 512x512 in 32 bits: by turns a packet of 16 pixels, and a run of 16.
fn tga() -> Vec<u8> {
    let mut file = vec![0, 0, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2, 32, 8];
    let content = samples::sample(&samples::KINDS[2], 1 << 20, 1).content;
    for packet in content.chunks(128) {
        file.push(15);
        file.extend(&packet[..64]);
        file.push(128 + 15);
        file.extend(&packet[64..68]);
    }
    file
}

fn container(format: Format, job: &str, count: u32) {
    let name = |i: u32| match format {
        Format::Wad3 => format!("x{i}.type65"),
        // Which a ZIP stores: what deflating takes is another matter.
        _ => format!("sound/x{i}.ogg"),
    };
    let names: Vec<String> = (0..count).map(name).collect();
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
            let walk = codec::Walk::of(&made.stream, Some(output.len() as u64), Reserved::Skip);
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

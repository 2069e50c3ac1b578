//! What is run under callgrind, by `benches/instructions.sh`: one job, on one fixed directory, so
//! that the count of instructions is the same on every run.
//!
//! `names N` makes N names; `setup N` writes a pak of as many entries of one byte each, too;
//! `open N` opens it, too; `find N` looks every name up as well. What a step takes is the
//! difference to the one before.

// A benchmark stops where something is wrong.
#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout)]

use daisho::pak::{Archive, Case, Coding, Layout, Limits, MemorySink, RawName, Which, Writer};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let job = arguments.next().unwrap_or_default();
    let Some(count) = arguments.next().and_then(|count| count.parse().ok()) else {
        println!("run by benches/instructions.sh");
        return;
    };
    let names: Vec<String> = (0..count).map(|i: u32| format!("sound/x{i}.wav")).collect();
    if job == "names" {
        return;
    }
    let mut writer = Writer::new(MemorySink::new(), Layout::Quake, Limits::default());
    for name in &names {
        writer.begin(RawName::from(name.as_str())).unwrap();
        writer.append(b"x").unwrap();
        writer.end(1, Coding::Stored).unwrap();
    }
    let bytes = writer.finish().unwrap().0.into_bytes();
    if job == "setup" {
        return;
    }
    let archive = Archive::new(bytes).unwrap();
    if job == "open" {
        return;
    }
    for name in &names {
        assert!(archive.find(name, Case::Matters, Which::First).is_some());
    }
}

//! The commands that are measured, each with its parts, and with what a user would take instead of it.

use std::path::Path;

use crate::parts::Part::{
    self, Copy, Decode, Deflate, DeflateStored, Directories, Encode, Files, Hash, Keyed, Pictures,
    Png, Read, Search, Sum, Thumbnails,
};

/// A command over a set.
pub(crate) struct Job {
    /// The set.
    pub(crate) set: &'static str,
    /// What is done, for the table.
    pub(crate) what: &'static str,
    /// Its arguments: `IN` is the set, `OUT` what is made, `TREE` the set's files, `OLD` a copy of the set that
    /// may be changed.
    pub(crate) line: &'static str,
    pub(crate) parts: &'static [Part],
    /// Lines of other programs that come to the same.
    pub(crate) others: &'static [&'static str],
}

const fn job(
    set: &'static str,
    what: &'static str,
    line: &'static str,
    parts: &'static [Part],
    others: &'static [&'static str],
) -> Job {
    Job { set, what, line, parts, others }
}

/// How others extract, test and make ZIPs.
const UNPACKERS: &[&str] =
    &["unzip -q IN -d OUT", "7z x -y -bso0 -bsp0 -oOUT IN", "bsdtar -xf IN -C OUT/"];
const TESTERS: &[&str] = &["unzip -tqq IN", "7z t -bso0 -bsp0 IN"];
const PACKERS: &[&str] =
    &["zip -q -r OUT.zip .", "7z a -bso0 -bsp0 -tzip -mx5 OUT.zip .", "bsdtar -a -cf OUT.zip ."];

/// All of them, in the order of the table.
pub(crate) const JOBS: &[Job] = &[
    job("game", "convert to quake", "convert IN -o OUT", &[Read, Decode, Copy], &[]),
    job("game", "convert to sin", "convert IN -o OUT --to sin", &[Read, Decode, Copy], &[]),
    job(
        "game",
        "convert to daikatana",
        "convert IN -o OUT --to daikatana",
        &[Read, Decode, Copy],
        &[],
    ),
    job(
        "game",
        "convert to pk3",
        "convert IN -o OUT --to pk3",
        &[Read, Decode, Deflate, Copy],
        &[],
    ),
    job("game", "extract", "extract IN -C OUT", &[Read, Decode, Copy], &[]),
    job("game", "verify", "verify IN", &[Read, Decode], &[]),
    job("game", "snapshot, CRC-32", "verify IN --snapshot OUT --update", &[Read, Decode, Sum], &[]),
    job(
        "game",
        "snapshot, SHA-256",
        "verify IN --snapshot OUT --update --hash sha256",
        &[Read, Decode, Hash],
        &[],
    ),
    job("game", "diff", "diff IN OTHER", &[Read, Decode, Sum, Keyed, Read, Sum, Keyed], &[]),
    job("game", "dupes", "dupes IN", &[Read, Decode, Hash], &[]),
    job("game", "remove", "remove OLD cfg/dir1/file1.cfg", &[Read, Decode, Copy], &[]),
    job("game", "rename", "rename OLD cfg/dir1/file1.cfg cfg/x.cfg", &[Read, Decode, Copy], &[]),
    job("game", "add", "add OLD Cargo.toml", &[Read, Decode, Copy], &[]),
    job("game", "create to quake", "create TREE -o OUT", &[Files, Copy], &[]),
    job("game", "create to pk3", "create TREE -o OUT --to pk3", &[Files, Deflate, Copy], PACKERS),
    job(
        "game.quake",
        "convert to daikatana",
        "convert IN -o OUT --to daikatana",
        &[Read, Encode, Copy],
        &[],
    ),
    job(
        "game.pk3",
        "convert to quake",
        "convert IN -o OUT --to quake",
        &[Read, Decode, Sum, Copy],
        &[],
    ),
    job(
        "game.pk3",
        "convert to pk3",
        "convert IN -o OUT --to pk3",
        &[Read, Decode, Sum, DeflateStored, Copy],
        &[],
    ),
    job("game.pk3", "extract", "extract IN -C OUT", &[Read, Decode, Sum, Copy], UNPACKERS),
    job("game.pk3", "verify", "verify IN", &[Read, Decode, Sum], TESTERS),
    job("tiny", "convert to quake", "convert IN -o OUT", &[Read, Decode, Copy], &[]),
    job("tiny", "extract", "extract IN -C OUT", &[Read, Decode, Copy], &[]),
    job("tiny", "verify", "verify IN", &[Read, Decode], &[]),
    job("huge", "convert to quake", "convert IN -o OUT", &[Read, Decode, Copy], &[]),
    job("huge", "extract", "extract IN -C OUT", &[Read, Decode, Copy], &[]),
    job("huge", "verify", "verify IN", &[Read, Decode], &[]),
    job("stored", "convert to quake", "convert IN -o OUT", &[Copy], &[]),
    job("stored", "extract", "extract IN -C OUT", &[Copy], &[]),
    job("many", "convert to quake", "convert IN -r -C OUT", &[Read, Decode, Copy], &[]),
    job("many", "extract", "extract IN -r -C OUT", &[Read, Decode, Copy], &[]),
    job("many", "verify", "verify IN -r", &[Read, Decode], &[]),
    job("disk", "list", "list IN -r", &[Search, Directories], &[]),
    job("disk", "info", "info IN -r", &[Search, Directories], &[]),
    job("pictures", "extract --png", "extract IN -C OUT --png", &[Read, Pictures, Png, Copy], &[]),
    job("pictures", "gallery", "gallery IN -o OUT", &[Read, Pictures, Png, Thumbnails, Copy], &[]),
];

/// The words of a line, with paths in place of their names.
pub(crate) fn words(line: &str, paths: &[(&str, &Path)]) -> Vec<String> {
    let word = |word: &str| {
        let mut word = word.to_owned();
        for (name, path) in paths {
            word = word.replace(name, path.to_str().unwrap());
        }
        word
    };
    line.split(' ').map(word).collect()
}

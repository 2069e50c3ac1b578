//! `corpus/daisho.magic`: with these patterns, `file` recognises every sound archive of the corpus.

use std::fs;
use std::path::Path;
use std::process::Command;

use daisho::Format;

use super::corpus::manifest;
use crate::cli::Dir;
use crate::corpus;
use crate::skips::is_installed;

/// The answer of `file` for one file.
fn said(path: &Path) -> String {
    let ran = Command::new("file")
        .args(["-b", "-m"])
        .args([&corpus::path("daisho.magic"), path])
        .output()
        .unwrap();
    assert!(ran.status.success() && ran.stderr.is_empty(), "{ran:?}");
    String::from_utf8(ran.stdout).unwrap().trim_end().to_owned()
}

/// The expected answer: a pak's layout if the number of its entries shows it.
fn expected(layout: &str, entries: usize) -> String {
    let bytes = entries * if layout == "daikatana" { 72 } else { 64 };
    match layout {
        "quake" | "daikatana" if entries == 0 => "Quake or Daikatana pak, empty".to_owned(),
        "quake" | "daikatana" if bytes.is_multiple_of(64) && bytes.is_multiple_of(72) => {
            let (quake, daikatana) = (bytes / 64, bytes / 72);
            format!(
                "Quake or Daikatana pak, {quake} entries if Quake's, {daikatana} if Daikatana's"
            )
        }
        "quake" => format!("Quake pak, {entries} entries"),
        "daikatana" => format!("Daikatana pak, {entries} entries"),
        "sin" => format!("SiN archive, {entries} entries"),
        "hrot" => format!("HROT archive, {entries} entries"),
        "anachronox" => format!("Anachronox archive, {entries} entries"),
        "wad2" => format!("Quake texture archive (WAD2), {entries} lumps"),
        "wad3" => format!("Half-Life texture archive (WAD3), {entries} lumps"),
        _ => panic!("what file says of {layout} has no pattern in corpus/daisho.magic"),
    }
}

/// The shared MIME database, `file` and Kaitai agree with each format's row.
#[test]
fn files_for_other_tools_match_the_formats_rows() {
    let patterns = fs::read_to_string(corpus::path("daisho.magic")).unwrap();
    for format in Format::ALL {
        let magic = format.spec().magic;
        // Every `file` knows ZIPs.
        if format != Format::Pk3 {
            let pattern = format!("\n0\tstring\t{}", magic.escape_ascii());
            assert!(patterns.contains(&pattern), "{pattern}");
        }
    }
    for (format, file) in
        [(Format::Quake, "kaitai/quake_pak.ksy"), (Format::Daikatana, "kaitai/daikatana_pak.ksy")]
    {
        let text = fs::read_to_string(corpus::path(file)).unwrap();
        let spec = format.spec();
        for fact in [
            format!("contents: {}", spec.magic.escape_ascii()),
            format!("file-extension: {}", spec.extension()),
            format!("value: directory_len / {}", spec.record_len),
            format!("size: {}", spec.name_max + 1),
        ] {
            assert!(text.contains(&fact), "{file}: {fact}");
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let types = fs::read_to_string(root.join(".github/packaging/daisho.xml")).unwrap();
    for format in Format::ALL {
        let spec = format.spec();
        // The database has it already.
        if spec.mime == "application/x-pak" {
            continue;
        }
        let own = format!("<mime-type type=\"{}\">", spec.mime);
        let (_, own) = types.split_once(&own).expect(&own);
        let (own, _) = own.split_once("</mime-type>").unwrap();
        let magic = format!("value=\"{}\"", spec.magic.escape_ascii());
        assert_eq!(own.contains(&magic), format != Format::Pk3, "{magic}");
        for glob in own.split("pattern=\"*.").skip(1) {
            let (extension, _) = glob.split_once('"').unwrap();
            assert!(spec.extensions.contains(&extension), "{extension}");
        }
    }
}

#[test]
fn file_tells_every_sound_archive_by_our_patterns() {
    if !is_installed("file") {
        return;
    }
    let mut wrong = Vec::new();
    for row in manifest("archives") {
        let [file, format] = ["file", "format"].map(|field| row[field].as_str().unwrap());
        if !file.starts_with("paks/sound/") && !file.starts_with("game/") {
            continue;
        }
        let found = said(&corpus::path(file));
        let expected = expected(format, row["entries"].as_array().unwrap().len());
        if found != expected {
            wrong.push(format!("{file}: {found}, not {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn file_takes_nothing_else_for_one_by_our_patterns() {
    if !is_installed("file") {
        return;
    }
    let dir = Dir::new();
    let record = [b"maps/a.bsp".as_slice(), &[0; 54]].concat();
    let wad = |magic: &[u8]| [magic, b"\x07\0\0\0\x0c\0\0\0"].concat();
    let packfile = b"PACK\0\0\0\x02\0\0\0\x40";
    for (start, expected) in [
        (b"PACK\x0c\0\0\0\x40\0\0\0".to_vec(), "Quake pak, 1 entries"),
        (b"PACK\x0c\0\0\0\x41\0\0\0".to_vec(), "data"),
        (b"PACK\xff\0\0\0\x40\0\0\0".to_vec(), "data"),
        (b"PACK\0\0\x0f\0\x40\0\0\0".to_vec(), "data"),
        (packfile.to_vec(), "data"),
        (b"SPAK\x0c\0\0\0\x40\0\0\0".to_vec(), "data"),
        (b"HROT\x0c\0\0\0\x40\0\0\0".to_vec(), "data"),
        (b"ADAT\x0c\0\0\0\x90\0\0\0\x08\0\0\0".to_vec(), "data"),
        (wad(b"WAD2"), "Quake texture archive (WAD2), 7 lumps"),
        (wad(b"WAD3"), "Half-Life texture archive (WAD3), 7 lumps"),
    ] {
        dir.file("a", [start.as_slice(), &record].concat());
        let found = said(&dir.path("a"));
        assert_eq!(found, expected, "{}", start.escape_ascii());
    }
}

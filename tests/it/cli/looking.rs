//! What the verbs that look have in common: which inputs they take, and where their output goes.

use super::Dir;
use super::paks::{daikatana, quake};
use crate::archive::build::Pak;

const VERBS: [&str; 3] = ["list", "info", "verify"];

#[test]
fn a_bad_archive_is_status_1_and_what_is_not_named_like_one_2() {
    let dir = Dir::new();
    dir.file("q.pak", quake());
    dir.file("text.pak", "this is no pak at all");
    dir.file("text", "this is no pak at all");
    dir.file("zip.pk3", "PK\x03\x04 and more");
    dir.file("empty/readme", "nothing here");
    dir.file("empty/none.pak", "");
    for verb in VERBS {
        let run = |paths: &str| dir.run(format!("{verb} {paths}"));
        run("text.pak")
            .code(1)
            .err_has("it begins with \"this\"")
            .err_has("--> text.pak\nhelp: daisho reads");
        run("text").code(if verb == "info" { 0 } else { 2 });
        run("zip.pk3").code(1).err_has("the end of this ZIP is missing").err_has("--> zip.pk3");
        run("missing text.pak").code(1).err_has("--> missing").err_has("--> text.pak");
        run("q.pak text.pak").code(1).err_has("--> text.pak");
        run("missing q.pak").code(1).err_has("--> missing");
        if verb == "verify" {
            run("q.pak empty").code(1).out_has("empty/none.pak: could not be read");
            run("empty").code(1).out_has("empty/none.pak: could not be read");
        } else {
            run("q.pak empty")
                .code(1)
                .err_has("this directory holds no archive")
                .err_has("--> empty\nhelp: make a new archive with 'daisho create DIRECTORY");
            run("empty").code(1).err_has("this directory holds no archive");
        }
        // What is named like an archive and is none is an error only in a verification.
        let code = i32::from(verb.contains("verify"));
        run(".").code(code);
        run("-r .").code(code);
    }
}

#[test]
fn a_pak_cut_anywhere_is_an_error_that_names_it() {
    let whole = daikatana();
    let dir = Dir::new();
    for len in (0..whole.len()).step_by(7) {
        dir.file("cut.pak", &whole[..len]);
        for verb in VERBS {
            let ran = dir.run(format!("{verb} cut.pak"));
            assert!(ran.is(1) || ran.is(2), "{verb} {len}: {ran}");
            ran.err_has("cut.pak");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_path_that_is_not_utf_8_has_hex_in_json() {
    use std::os::unix::ffi::OsStrExt as _;

    let dir = Dir::new();
    let path = std::ffi::OsStr::from_bytes(b"b\xe4r.pak");
    dir.file(path, quake());
    dir.file("plain.pak", quake());
    for verb in VERBS {
        let rows = dir.command(format!("{verb} --json")).arg(path).run().json();
        assert!(!rows.is_empty());
        for row in rows {
            assert_eq!(row["archive"], "b\u{fffd}r.pak", "{verb}");
            assert_eq!(row["archive_hex"], "62e4722e70616b", "{verb}");
        }
        let rows = dir.run(format!("{verb} --json plain.pak")).json();
        assert!(rows.iter().all(|row| row.get("archive_hex").is_none()));
    }
}

#[test]
fn a_quote_in_a_name_is_escaped_in_messages() {
    let dir = Dir::new();
    let evil = b"a\" or \"b";
    let mut pak = Pak::new().stored(evil, "x");
    pak = pak.stored(evil, "y");
    dir.file("p.pak", pak.stored("..", "z").quake());
    let shown = r#""a\" or \"b""#;
    dir.run("-v extract p.pak --rescue")
        .err_has(&format!("entry 0 {shown}"))
        .err_has("rescued as \"_rescued/");
    dir.ok("info p.pak").out_has(&format!("entry 1 {shown}"));
}

#[test]
fn a_warning_of_a_stream_names_its_byte_in_every_verb() {
    let dir = Dir::new();
    for pak in ["reserved-skipped", "end-missing", "bytes-after-the-end"] {
        let path = crate::corpus::path(&format!("paks/sound/{pak}.pak"));
        dir.file("p.pak", std::fs::read(path).unwrap());
        // The reserved byte is one message a pak, and each stream's only with -v.
        let warnings = |args: &[&str]| {
            let ran = dir.daisho().arg("-v").args(args).run().code(0);
            let lines: Vec<String> = ran.stderr().lines().map(str::to_owned).collect();
            let pairs = lines.windows(2).filter(|pair| {
                pair[0].starts_with("warning: ")
                    && !pair[0].contains("1 stream contains the control byte")
            });
            pairs.map(<[String]>::to_vec).collect::<Vec<_>>()
        };
        let verify = warnings(&["verify", "p.pak"]);
        assert!(!verify.is_empty());
        assert!(verify.iter().all(|pair| pair[1].contains(", byte ")), "{verify:?}");
        let convert = ["convert", "p.pak", "-f", "-o", "out.pak", "--to"];
        assert_eq!(warnings(&[&convert[..], &["quake"]].concat()), verify);
        assert_eq!(warnings(&[&convert[..], &["daikatana"]].concat()), verify);
        assert_eq!(warnings(&["extract", "-f", "-C", "out", "p.pak"]), verify);
    }
}

#[test]
fn counts_of_one_are_singular() {
    let dir = Dir::new();
    dir.file("p.pak", Pak::new().stored("a.cfg", b"x").quake());
    let one = |args: &str| {
        let ran = dir.ok(args);
        let reported = String::from_utf8_lossy(ran.stdout()).into_owned() + ran.stderr();
        for many in ["bytes", "entries", "files", "names", "paks", "payloads"] {
            assert!(!reported.contains(&format!(" 1 {many}")), "{reported}");
            assert!(!reported.starts_with(&format!("1 {many}")), "{reported}");
        }
    };
    one("info p.pak");
    one("verify p.pak");
    one("list p.pak");
    one("extract -v p.pak");
    one("convert p.pak -o q.pak");
    one("create p -o r.pak");
}

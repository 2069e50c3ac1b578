//! `verify --snapshot`

use super::Dir;
use super::paks::{contents, crc32, daikatana, damaged, quake};
use crate::archive::build::Pak;
use crate::archive::zips::build::Zip;

/// The lines that [`contents`] should give, by a simple way.
fn expected() -> String {
    let mut lines: Vec<(Vec<u8>, String)> = contents()
        .into_iter()
        .map(|(name, content)| {
            let shown = match name {
                b"b\xe4r.wav" => r"b\xe4r.wav".to_owned(),
                b"maps\\old.bsp" => r"maps\\old.bsp".to_owned(),
                super::paks::EVIL => r"e\x1b[2J\x0a\u{202e}.cfg".to_owned(),
                name => String::from_utf8(name.to_vec()).unwrap(),
            };
            let line = format!("{:08x} {} {shown}\n", crc32(&content), content.len());
            (name.to_vec(), line)
        })
        .collect();
    lines.sort_by(|(a, _), (b, _)| a.cmp(b));
    lines.into_iter().map(|(_, line)| line).collect()
}

#[test]
fn a_conversion_satisfies_the_snapshot_of_its_source() {
    let dir = Dir::new();
    dir.file("d.pak", daikatana());
    dir.file("q.pak", quake());
    let verify = |pak: &str| dir.run(format!("verify {pak} --snapshot s.txt"));
    dir.ok("verify d.pak --snapshot s.txt --update").out(
        "s.txt: created with 7 entries\n\
             7 entries, 1722 bytes, all OK, 1 warning\n",
    );
    assert_eq!(dir.text("s.txt"), expected());
    verify("d.pak").code(0).out(
        "s.txt: no differences\n\
             7 entries, 1722 bytes, all OK, 1 warning\n",
    );
    verify("q.pak").code(0).out(
        "s.txt: no differences\n\
             7 entries, 1722 bytes, all OK\n",
    );
    dir.holds("d.pak q.pak s.txt");
    // Other tools may have sorted it, or changed its line ends.
    let mut lines: Vec<String> = expected()
        .lines()
        .map(|line| format!("{line}\r\n"))
        .collect();
    lines.reverse();
    // Duplicates are in the directory's order.
    lines.swap(4, 5);
    dir.file("s.txt", lines.concat());
    verify("q.pak").code(0).out(
        "s.txt: no differences\n\
             7 entries, 1722 bytes, all OK\n",
    );
}

#[test]
fn snapshot_changes_are_printed_until_updated() {
    let dir = Dir::new();
    let pak = |name: &[u8], content: &[u8]| {
        let pak = Pak::new().stored("same.cfg", "same");
        pak.stored(name, content).quake()
    };
    dir.file("a.pak", pak(b"a.cfg", b"one"));
    dir.file("b.pak", pak(b"a.cfg", b"two"));
    let verify = |arguments: &str| dir.run(format!("verify {arguments} --snapshot s.txt"));
    verify("a.pak --update").code(0);
    verify("b.pak")
        .code(1)
        .out("changed  a.cfg: 3 bytes, as before\n\
             2 entries, 7 bytes, all OK\n")
        .err_has("error: the contents differ from the snapshot: 1 changed\n  --> s.txt\nhelp: if the differences");
    // Rows of JSON stay rows of JSON.
    let rows = verify("b.pak --json").code(1).json();
    assert_eq!(rows.len(), 3);
    let expected = r#"{"snapshot":"s.txt","archive":"","name":"a.cfg","change":"changed"}"#;
    assert_eq!(
        rows[2],
        serde_json::from_str::<serde_json::Value>(expected).unwrap()
    );

    verify("b.pak --update").code(0).out(
        "s.txt: updated; 1 changed\n\
             2 entries, 7 bytes, all OK\n",
    );
    verify("b.pak").code(0).out(
        "s.txt: no differences\n\
             2 entries, 7 bytes, all OK\n",
    );
    verify("a.pak").code(1);
    dir.holds("a.pak b.pak s.txt");
}

#[test]
fn a_snapshot_records_damaged_entries() {
    let dir = Dir::new();
    dir.file("damaged.pak", damaged());
    let verify = |update: &str| dir.run(format!("verify damaged.pak --snapshot s {update}"));
    verify("--update")
        .code(1)
        .out_has("s: created with 8 entries");
    let text = dir.text("s");
    assert_eq!(
        text.lines()
            .filter(|line| line.starts_with("damaged "))
            .count(),
        6
    );
    assert!(text.contains("damaged 4 short.tga\n"));
    // The damage is still reported, and nothing differs.
    verify("").code(1).out_has("s: no differences");
}

#[test]
fn a_snapshot_of_several_paks_has_their_paths() {
    let dir = Dir::new();
    let pak = |content: &[u8]| Pak::new().stored("a.cfg", content).quake();
    dir.file("games/base/pak0.pak", pak(b"base"));
    dir.file("games/mod/pak0.pak", pak(b"mod"));
    let verify = |arguments: &str| dir.run(format!("verify {arguments} --snapshot s"));
    verify("-r games --update").code(0);
    let line = |content: &[u8], name: &str| {
        format!(
            "{:08x} {} {name}/pak0.pak/a.cfg\n",
            crc32(content),
            content.len()
        )
    };
    let both = line(b"base", "base") + &line(b"mod", "mod");
    assert_eq!(dir.read("s"), both.as_bytes());
    // Another directory of the same shape satisfies it, whatever it is called.
    std::fs::rename(dir.path("games"), dir.path("converted")).unwrap();
    verify("-r converted").code(0).out(
        "converted/base/pak0.pak: 1 entry, 4 bytes, all OK\n\
             converted/mod/pak0.pak: 1 entry, 3 bytes, all OK\n\
             s: no differences\n\
             2 archives, 2 entries, 7 bytes, all OK\n",
    );
    // One that has gone is what differs, and not the rest.
    std::fs::remove_dir_all(dir.path("converted/mod")).unwrap();
    verify("-r converted").code(1).out(
        "converted/base/pak0.pak: 1 entry, 4 bytes, all OK\n\
             mod/pak0.pak:\n\
             \x20 missing  a.cfg: 3 bytes\n\
             1 archive, 1 entry, 4 bytes, all OK\n",
    );
}

#[test]
fn globs_limit_what_a_snapshot_compares_and_updates() {
    let dir = Dir::new();
    let pak = |cfg: &[u8], wav: &[u8]| {
        let pak = Pak::new().stored("a.cfg", cfg);
        pak.stored("b.wav", wav).quake()
    };
    dir.file("a.pak", pak(b"cfg", b"wav"));
    let verify = |arguments: &str| dir.run(format!("verify a.pak --snapshot s {arguments}"));
    verify("--update").code(0);
    dir.file("a.pak", pak(b"CFG", b"WAV"));
    let line = |content: &[u8], name: &str| format!("{:08x} 3 {name}\n", crc32(content));
    verify("-i *.cfg").code(1).out(
        "changed  a.cfg: 3 bytes, as before\n\
             1 entry, 3 bytes, all OK\n",
    );
    verify("-i *.cfg --update").code(0);
    let mixed = line(b"CFG", "a.cfg") + &line(b"wav", "b.wav");
    assert_eq!(dir.read("s"), mixed.as_bytes());
}

#[test]
fn a_file_that_is_no_snapshot_is_never_replaced() {
    let dir = Dir::new();
    dir.file("a.pak", quake());
    dir.file("b.pak", daikatana());
    dir.file("text", "00000000 1 a\n0000000g 1 b\n");
    for update in [&[][..], &["--update"]] {
        let verify = |snapshot: &str| {
            dir.command(format!("verify a.pak --snapshot {snapshot}"))
                .args(update)
                .run()
                .code(2)
                .out("")
        };
        verify("text").err(
            "error: line 2 of this snapshot cannot be read: expected it to begin with eight lower-case hexadecimal \
             digits (CRC-32), 64 of them (SHA-256), \"damaged\", \"unsupported\" or \"unreadable\"\n  --> text\n\
             help: name another file, or remove this one to make a new snapshot\n",
        );
        verify("b.pak").err_has("error: line 1 of this snapshot cannot be read");
        verify("a.pak").err_has("error: line 1 of this snapshot cannot be read");
        verify(".").err_has("a directory");
    }
    assert_eq!(dir.read("b.pak"), daikatana());
    dir.holds("a.pak b.pak text");
}

/// What is known of an archive stays, so that a later copy of it can be compared.
#[test]
fn updates_keep_the_lines_of_unreadable_paks() {
    let dir = Dir::new();
    dir.file("a.pak", quake());
    dir.file("b.pak", daikatana());
    let verify = |arguments: &str| dir.run(format!("verify a.pak b.pak --snapshot s {arguments}"));
    verify("--update").code(0);
    let text = || dir.text("s");
    let whole = text();
    dir.file("b.pak", "gone");
    let words = "b.pak:\n  unreadable: the archive cannot be read, or not all of it\n";
    verify("").code(1).out_has(words);
    assert_eq!(text(), whole);
    verify("--update")
        .code(1)
        .out_has("s: updated; 1 unreadable\n");
    assert!(text().contains("\nunreadable 4 b.pak/\n"));
    assert_eq!(text().replace("unreadable 4 b.pak/\n", ""), whole);
    // It is still unreadable, which is an error and no difference.
    let recorded = text();
    for more in ["", "--update"] {
        verify(more).code(1).out_has("s: no differences");
        assert_eq!(text(), recorded);
    }
    dir.file("b.pak", "gone again");
    verify("")
        .code(1)
        .out_has("  changed  the unreadable archive: 4 bytes, then 10 bytes\n");
    // A new copy has to have the same content.
    dir.file("b.pak", quake());
    verify("--update")
        .code(0)
        .out_has("s: updated; 1 readable\n");
    assert_eq!(text(), whole);
}

/// The first snapshot of a collection that is not all right.
#[test]
fn a_snapshot_records_unreadable_and_cut_archives() {
    let dir = Dir::new();
    let whole = (0..9).fold(Pak::new(), |pak, n| pak.stored(format!("{n}.cfg"), b"x"));
    let whole = whole.quake();
    dir.file("r/a.pak", quake());
    dir.file("r/b.pak", b"PACK\xff\xff\0\0\xff\xff\0\0");
    dir.file("r/c.pak", &whole[..whole.len() - 200]);
    dir.file("r/d/e.pak", damaged());
    let verify = |more: &str| dir.run(format!("verify -q r --snapshot s {more}"));
    let text = || dir.text("s");
    let count = |start: &str| text().lines().filter(|it| it.starts_with(start)).count();
    verify("--update").code(1);
    assert!(text().contains("unreadable 12 b.pak/\n"), "{}", text());
    let cut = format!("unreadable {} c.pak/\n", whole.len() - 200);
    assert!(text().contains(&cut), "{}", text());
    assert_eq!((count("unreadable "), count("damaged ")), (2, 6));
    assert!(text().contains(" c.pak/0.cfg\n") && !text().contains(" c.pak/8.cfg\n"));
    verify("").code(1).out("");
    // Whole copies are found: of one that nothing was known of, only that it can be read.
    dir.file("r/b.pak", quake());
    dir.file("r/c.pak", &whole);
    let ran = verify("--json").code(1);
    let changes: Vec<String> = ran
        .json()
        .iter()
        .filter(|row| row["change"].is_string())
        .map(|row| format!("{} {} {}", row["archive"], row["change"], row["name"]))
        .collect();
    assert_eq!(
        changes,
        [
            r#""b.pak" "readable" """#,
            r#""c.pak" "readable" """#,
            r#""c.pak" "new" "5.cfg""#,
            r#""c.pak" "new" "6.cfg""#,
            r#""c.pak" "new" "7.cfg""#,
            r#""c.pak" "new" "8.cfg""#,
        ]
    );
    verify("--update").code(1);
    assert_eq!((count("unreadable "), count("damaged ")), (0, 6));
    // An archive that is gone is missing, whatever is known of it.
    dir.file("r/b.pak", b"PACK\xff\xff\0\0\xff\xff\0\0");
    verify("--update").code(1);
    std::fs::remove_file(dir.path("r/b.pak")).unwrap();
    verify("")
        .code(1)
        .out_has("b.pak:\n  missing  the unreadable archive: 12 bytes\n  missing  ");
}

#[test]
fn an_archive_cut_to_one_entry_is_compared_when_whole() {
    let dir = Dir::new();
    let whole = Pak::named(&["0.cfg", "1.cfg", "2.cfg"], "x").quake();
    dir.file("r/a.pak", &whole[..whole.len() - 120]);
    dir.file("r/b.pak", quake());
    let verify = |more: &str| dir.fails(format!("verify -q r --snapshot s {more}"));
    verify("--update");
    dir.file("r/a.pak", &whole);
    let mut rows = verify("--json").json();
    rows.retain(|row| row["change"].is_string());
    let changes = rows.iter().map(|row| (&row["change"], &row["name"]));
    let changes: Vec<String> = changes
        .map(|(change, name)| format!("{change} {name}"))
        .collect();
    let expected = [r#""readable" """#, r#""new" "1.cfg""#, r#""new" "2.cfg""#];
    assert_eq!(changes, expected);
}

#[test]
fn updates_keep_the_lines_of_excluded_archives() {
    let dir = Dir::new();
    dir.file("r/a.pak", quake());
    dir.file("r/old/b.pak", daikatana());
    dir.file("r/old/bad.pak", b"PACK\xff\xff\0\0\xff\xff\0\0");
    dir.file("r/empty.pak", "");
    let verify = |more: &[&str]| dir.command("verify -q r --snapshot s").args(more).run();
    let text = || dir.text("s");
    verify(&["--update"]).code(1);
    let all = text();
    let without = [
        "--exclude-archive",
        "BAD.pak",
        "--exclude-archive",
        "old/b*",
    ];
    verify(&without).code(0).out("").quiet();
    dir.file("r/a.pak", Pak::new().quake());
    verify(&[&without[..], &["--update"]].concat()).code(0);
    let old = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| line.contains(" old/"));
        lines.map(str::to_owned).collect()
    };
    assert_eq!(old(&text()), old(&all));
    assert!(!text().contains(" a.pak/"));
    // In every verb that searches, and never for what is named.
    dir.ok("list --names r --exclude-archive old/").out("");
    dir.refuses("list r --exclude-archive *");
    dir.ok("info r/old/b.pak --exclude-archive b.pak");
    dir.refuses("info r --exclude-archive a[b")
        .err_has("the glob");
}

#[cfg(unix)]
#[test]
fn updating_through_a_link_writes_its_target() {
    let dir = Dir::new();
    dir.file("a.pak", quake());
    dir.file("real", "");
    std::os::unix::fs::symlink("real", dir.path("link")).unwrap();
    dir.ok("verify a.pak --snapshot link --update");
    assert_eq!(dir.text("real"), expected());
    assert!(dir.path("link").is_symlink());
}

#[cfg(unix)]
#[test]
fn a_snapshot_behind_a_dangling_link_is_refused() {
    let dir = Dir::new();
    dir.file("a.pak", damaged());
    std::os::unix::fs::symlink("nowhere", dir.path("link")).unwrap();
    for update in ["", "--update"] {
        dir.refuses(format!("verify a.pak --snapshot link {update}")).err(
            "error: this is a link that leads nowhere, which daisho never replaces\n  --> link\n\
                  help: choose another name or another directory for the output\n",
        );
    }
    dir.holds("a.pak link");
}

#[cfg(target_os = "linux")]
#[test]
fn a_snapshot_that_cannot_be_written_is_an_error() {
    let dir = Dir::new();
    dir.file("a.pak", quake());
    dir.sh("mkfifo pipe && daisho verify a.pak --snapshot pipe")
        .run()
        .code(2)
        .err_has("not a regular file");
    dir.sh("ulimit -f 0; daisho verify a.pak --snapshot s --update")
        .run()
        .code(1)
        .err_has("file too large");
    dir.holds("a.pak pipe");
}

/// Else a wrong name, or a snapshot that is lost, would look like a success.
#[test]
fn a_missing_snapshot_is_refused_without_update() {
    let dir = Dir::new();
    dir.file("a.pak", quake());
    for more in ["", "-q", "--json"] {
        dir.refuses(format!("verify a.pak --snapshot s {more}"))
            .out("")
            .err(
                "error: there is no snapshot here, so nothing can be compared\n  --> s\n\
             help: name an existing file, or make a new snapshot with --update\n",
            );
    }
    dir.holds("a.pak");
}

#[test]
fn no_snapshot_is_made_if_an_input_is_missing() {
    let dir = Dir::new();
    dir.file("a.pak", quake());
    dir.fails("verify a.pak b.pak --snapshot s --update")
        .err_has(
            "error: the snapshot was not created: 1 of the archives could not be read\n  --> s\n",
        );
    dir.holds("a.pak");
}

#[test]
fn a_snapshot_reports_an_added_pak_as_new() {
    let dir = Dir::new();
    let pak = |content: &[u8]| Pak::new().stored("a.cfg", content).quake();
    let line = |content: &[u8], pak: &str| format!("{:08x} 3 {pak}/a.cfg\n", crc32(content));
    let verify = |more: &str| dir.run(format!("verify -r id1 --snapshot s {more}"));
    dir.file("id1/pak0.pak", pak(b"one"));
    verify("--update").code(0);
    assert_eq!(dir.read("s"), line(b"one", "pak0.pak").as_bytes());
    dir.file("id1/pak1.pak", pak(b"two"));
    verify("").code(1).out(
        "id1/pak0.pak: 1 entry, 3 bytes, all OK\n\
             id1/pak1.pak: 1 entry, 3 bytes, all OK\n\
             pak1.pak:\n\
             \x20 new      a.cfg: 3 bytes\n\
             2 archives, 2 entries, 6 bytes, all OK\n",
    );
}

#[test]
fn a_recorded_pak_that_is_none_now_is_an_error() {
    let dir = Dir::new();
    dir.file("id1/pak0.pak", quake());
    dir.file("id1/pak1.pak", daikatana());
    let verify = |more: &str| dir.run(format!("verify -q -r id1 --snapshot s {more}"));
    verify("--update").code(0);
    let whole = dir.read("s");
    // Never a pak, and yesterday one.
    dir.file("id1/readme.pak", "");
    verify("").code(0).quiet();
    for content in [&b""[..], &[0; 4096]] {
        dir.file("id1/pak1.pak", content);
        for more in ["", "--update"] {
            verify(more)
                .code(1)
                .err_has("error: this was an archive when the snapshot was made, but now ");
            assert_eq!(dir.read("s"), whole);
        }
    }
}

/// The lines of entries that it no longer has stay, so that the baseline is not lost.
#[test]
fn updates_keep_the_lines_of_a_cut_archive() {
    let dir = Dir::new();
    let pak = (0..9).fold(Pak::new(), |pak, n| pak.stored(format!("{n}.cfg"), b"x"));
    let whole = pak.quake();
    let cut = &whole[..whole.len() - 200];
    let text = || dir.text("s");
    let verify = |update: &str| dir.run(format!("verify a.pak --snapshot s {update}"));
    // A new snapshot of it has the entries that are left.
    dir.file("a.pak", cut);
    verify("--update")
        .code(1)
        .out_has("s: created with 6 entries");
    assert!(
        text().starts_with(&format!("unreadable {} \n", cut.len())),
        "{}",
        text()
    );
    assert_eq!(text().lines().count(), 6);
    verify("").code(1).out_has("s: no differences");
    std::fs::remove_file(dir.path("s")).unwrap();

    // In an old one, the lines of all entries stay.
    dir.file("a.pak", &whole);
    verify("--update").code(0);
    let before = text();
    dir.file("a.pak", cut);
    verify("")
        .code(1)
        .out_has("unreadable: the archive cannot be read, or not all of it");
    verify("--update")
        .code(1)
        .out_has("s: updated; 1 unreadable");
    assert_eq!(text(), format!("unreadable {} \n{before}", cut.len()));

    // The whole archive can be read again.
    dir.file("a.pak", &whole);
    verify("")
        .code(1)
        .out_has("readable: the archive was unreadable before\n");
    verify("--update").code(0);
    assert_eq!(text(), before);
}

/// A search finds paks by how they begin, so one that is called otherwise is missed like the others.
#[test]
fn recorded_paks_of_any_name_are_missed() {
    let dir = Dir::new();
    let pak = |n: u8| Pak::new().stored("a.cfg", [n; 9]).quake();
    for (n, name) in [(1, "r/a.dat"), (2, "r/b.pak"), (3, "r/deep/c.bin")] {
        dir.file(name, pak(n));
    }
    let verify = |update: &str| {
        let line = "verify -qr r --snapshot s";
        dir.command(line).args(update.split_whitespace()).run()
    };
    verify("--update").code(0);
    let before = dir.read("s");
    dir.file("r/a.dat", "");
    dir.file("r/deep/c.bin", [0; 100]);
    for update in ["--update", ""] {
        let ran = verify(update).code(1);
        let missed = ran
            .stderr()
            .matches("this was an archive when the snapshot was made")
            .count();
        assert_eq!(missed, 2, "{ran}");
        assert_eq!(dir.read("s"), before);
    }
    // What is gone is gone: that is what --update is for.
    std::fs::remove_file(dir.path("r/a.dat")).unwrap();
    std::fs::remove_file(dir.path("r/deep/c.bin")).unwrap();
    verify("--update").code(0);
    assert_eq!(dir.read("s").split(|byte| *byte == b'\n').count(), 2);
}

#[test]
fn snapshot_changes_are_listed_by_archive() {
    let dir = Dir::new();
    let pak = |files: &[(&str, &str)]| Pak::of(files).quake();
    dir.file(
        "g/a.pak",
        pak(&[
            ("one", "1"),
            ("two", "22"),
            ("three", "333"),
            ("old", "name"),
        ]),
    );
    dir.file("g/b.pak", pak(&[("there", "moved to a")]));
    dir.file("g/c.pak", pak(&[("lost", "for ever")]));
    let verify = |more: &str| dir.run(format!("verify -r g --snapshot s {more}"));
    verify("--update").code(0);
    dir.file(
        "g/a.pak",
        pak(&[
            ("one", "1"),
            ("two", "twenty"),
            ("new", "name"),
            ("here", "moved to a"),
        ]),
    );
    dir.file("g/b.pak", pak(&[("added", "to b")]));
    std::fs::remove_file(dir.path("g/c.pak")).unwrap();
    verify("")
        .code(1)
        .out(
            "g/a.pak: 4 entries, 21 bytes, all OK\n\
             g/b.pak: 1 entry, 4 bytes, all OK\n\
             a.pak:\n\
             \x20 renamed  b.pak/there -> here: 10 bytes, as before\n\
             \x20 renamed  old -> new: 4 bytes, as before\n\
             \x20 missing  three: 3 bytes\n\
             \x20 changed  two: 2 bytes, then 6 bytes\n\
             b.pak:\n\
             \x20 new      added: 4 bytes\n\
             c.pak:\n\
             \x20 missing  lost: 8 bytes\n\
             2 archives, 5 entries, 25 bytes, all OK\n",
        )
        .err_has("the contents differ from the snapshot: 2 missing, 1 changed, 2 renamed, 1 new\n");
    let mut rows = verify("--json").code(1).json();
    rows.retain(|row| row["status"] != "ok");
    assert_eq!(rows.len(), 6);
    let row = r#"{"snapshot":"s","archive":"a.pak","name":"here","change":"renamed","from":"b.pak/there"}"#;
    assert_eq!(
        rows[0],
        serde_json::from_str::<serde_json::Value>(row).unwrap()
    );
}

/// The sums are those of another tool.
#[cfg(target_os = "linux")]
#[test]
fn sha256_snapshots_match_sha256sum() {
    let dir = Dir::new();
    dir.file("d.pak", daikatana());
    dir.file("q.pak", quake());
    let verify = |more: &[&str]| dir.command("verify --snapshot s").args(more).run();
    verify(&["d.pak", "--update", "--hash", "sha256"]).code(0);
    let snapshot = dir.text("s");
    dir.sh("daisho extract -q d.pak -C out; sha256sum out/maps/e1m1.bsp out/default.cfg > sums")
        .run();
    for line in dir.text("sums").lines() {
        let (sum, path) = line.split_once("  out/").unwrap();
        let is_it = |line: &&str| line.starts_with(sum) && line.ends_with(path);
        assert!(
            snapshot.lines().any(|line| is_it(&line)),
            "{line} in {snapshot}"
        );
    }
    verify(&["q.pak"]).code(0).out(
        "s: no differences\n\
             7 entries, 1722 bytes, all OK\n",
    );
    verify(&["q.pak", "--hash", "sha256"]).code(0).out(
        "s: no differences\n\
             7 entries, 1722 bytes, all OK\n",
    );
    let row = &verify(&["q.pak", "--json", "--hash", "sha256"])
        .code(0)
        .json()[1];
    assert!(snapshot.contains(row["sha256"].as_str().unwrap()));
    assert_eq!(row["crc32"].as_str().unwrap().len(), 8);
    for more in [&[][..], &["--update"]] {
        let asked = ["q.pak", "--hash", "crc32"];
        verify(&[&asked[..], more].concat()).code(2).out("").err(
            "error: this snapshot holds the sha256 of each entry, but you asked for crc32\n  --> s\n\
             help: compare with the checksums that the snapshot has, or make the new snapshot in another file\n",
        );
    }
    // Renewed, it holds what it held.
    dir.file("q.pak", Pak::new().stored("a.cfg", "a").quake());
    verify(&["q.pak", "--update"]).code(0);
    assert_eq!(
        dir.read("s").iter().position(|byte| *byte == b' '),
        Some(64)
    );
    dir.file("mixed", snapshot + "00000000 1 z\n");
    dir.refuses("verify q.pak --snapshot mixed")
        .err_has("is of another kind than those before it");
}

/// A ZIP's name may have 65,535 bytes, and each may be escaped.
#[test]
fn a_snapshot_of_the_longest_names_is_read_again() {
    let dir = Dir::new();
    let zip = Zip::new()
        .stored(vec![b'a'; 65_535], b"x")
        .stored(vec![0xff; 65_535], b"y");
    dir.file("z.pk3", zip.bytes());
    let verify = "verify z.pk3 --snapshot s.txt";
    dir.ok(format!("{verify} --update"));
    dir.ok(verify).out_has("no differences");
}

/// What is below `dir` beside the snapshot `s`, with these arguments behind.
fn of_directory(dir: &Dir, root: &str, more: &str) -> super::Ran {
    dir.run(format!("verify -r {root} --snapshot s {more}"))
}

/// A ZIP of two entries.
fn zip(one: (&str, &str), other: (&str, &str)) -> Vec<u8> {
    let zip = Zip::new().stored(one.0, one.1.as_bytes());
    zip.stored(other.0, other.1.as_bytes()).bytes()
}

/// Globs are for names in archives, and those of an archive that has gone have its path before them.
#[test]
fn globs_pick_missing_entries_of_a_removed_archive() {
    let dir = Dir::new();
    dir.file("d/a.zip", zip(("maps/x.bsp", "x"), ("g", "g")));
    dir.file("d/b.zip", zip(("maps/y.bsp", "y"), ("h", "h")));
    of_directory(&dir, "d", "--update").code(0);
    std::fs::remove_file(dir.path("d/b.zip")).unwrap();
    of_directory(&dir, "d", "-i maps/*").code(1).out(
        "d/a.zip: 1 entry, 1 byte, all OK\n\
             b.zip:\n\
             \x20 missing  maps/y.bsp: 1 byte\n\
             1 archive, 1 entry, 1 byte, all OK\n",
    );
    of_directory(&dir, "d", "-x maps/ -x h").code(0).out(
        "d/a.zip: 1 entry, 1 byte, all OK\n\
             s: no differences\n\
             1 archive, 1 entry, 1 byte, all OK\n",
    );
    of_directory(&dir, "d", "-i maps/* --update").code(0);
    let lines = dir.text("s");
    let names: Vec<&str> = lines
        .lines()
        .filter_map(|it| it.split(' ').nth(2))
        .collect();
    assert_eq!(names, ["a.zip/g", "a.zip/maps/x.bsp", "b.zip/h"]);
}

#[test]
fn snapshot_globs_match_names_in_nested_archives() {
    let dir = Dir::new();
    let with = |content: &[u8]| {
        let inner = Pak::new().stored("maps/x.bsp", content).quake();
        let outer = Pak::new().stored("readme", b"by hand");
        outer.stored("pak0.pak", &inner).quake()
    };
    dir.file("d/mod", with(b"one"));
    of_directory(&dir, "d", "--update").code(0);
    dir.file("d/mod", with(b"two"));
    of_directory(&dir, "d", "-i maps/*").code(1).out(
        "d/mod: 0 entries, 0 bytes, all OK\n\
             d/mod//pak0.pak: 1 entry, 3 bytes, all OK\n\
             mod/pak0.pak:\n\
             \x20 changed  maps/x.bsp: 3 bytes, as before\n\
             2 archives, 1 entry, 3 bytes, all OK\n",
    );
}

/// Else two of them could be swapped, and nobody would see it.
#[test]
fn equal_pak_names_are_led_by_the_given_paths() {
    let dir = Dir::new();
    let pak = |content: &[u8]| Pak::new().stored("a.cfg", content).quake();
    let lines = |p: &[u8], q: &[u8]| {
        let line = |sum: &[u8], pak: &str| format!("{:08x} 3 {pak}/pak0.pak/a.cfg\n", crc32(sum));
        line(p, "p") + &line(q, "q")
    };
    for inputs in ["-r p q", "p/pak0.pak q/pak0.pak"] {
        let verify = |more: &str| dir.run(format!("verify {inputs} --snapshot s {more}"));
        dir.file("p/pak0.pak", pak(b"one"));
        dir.file("q/pak0.pak", pak(b"two"));
        verify("--update").code(0);
        assert_eq!(dir.read("s"), lines(b"one", b"two").as_bytes());
        verify("").code(0).out(
            "p/pak0.pak: 1 entry, 3 bytes, all OK\n\
             q/pak0.pak: 1 entry, 3 bytes, all OK\n\
             s: no differences\n\
             2 archives, 2 entries, 6 bytes, all OK\n",
        );
        dir.file("p/pak0.pak", pak(b"two"));
        dir.file("q/pak0.pak", pak(b"one"));
        verify("").code(1).out(
            "p/pak0.pak: 1 entry, 3 bytes, all OK\n\
             q/pak0.pak: 1 entry, 3 bytes, all OK\n\
             p/pak0.pak:\n\
             \x20 changed  a.cfg: 3 bytes, as before\n\
             q/pak0.pak:\n\
             \x20 changed  a.cfg: 3 bytes, as before\n\
             2 archives, 2 entries, 6 bytes, all OK\n",
        );
        std::fs::remove_file(dir.path("s")).unwrap();
    }
    // When one has gone, the path below the directory is the other one's alone. Once it must be renewed.
    of_directory(&dir, "p", "q --update").code(0);
    std::fs::remove_file(dir.path("q/pak0.pak")).unwrap();
    dir.file("q/pak1.pak", pak(b"new"));
    of_directory(&dir, "p", "q")
        .code(1)
        .err_has("warning: no name is both in the snapshot and in these archives")
        .err_has("help: give the same paths as when the snapshot was made, or make a new snapshot with --update");
    of_directory(&dir, "p", "q --update").code(0);
    of_directory(&dir, "p", "q").code(0).err_lacks("warning");
    // Those that have a path to themselves keep the usual one.
    std::fs::remove_file(dir.path("s")).unwrap();
    of_directory(&dir, "p", "q --update").code(0);
    let lines = dir.text("s");
    let names: Vec<&str> = lines
        .lines()
        .filter_map(|it| it.split(' ').nth(2))
        .collect();
    assert_eq!(names, ["pak0.pak/a.cfg", "pak1.pak/a.cfg"]);
}

#[test]
fn nested_equal_pak_names_are_led_by_typed_paths() {
    let dir = Dir::new();
    let outer = |content: &[u8]| {
        let inner = Pak::new().stored("a.cfg", content).quake();
        Zip::new().deflated("pak0.pak", &inner).bytes()
    };
    let put = |names: &[(&str, &[u8])]| {
        for (name, content) in names {
            dir.file(name, outer(content));
        }
    };
    put(&[("d/s/m.pk3", b"one"), ("d/s/m.zip", b"two")]);
    // So is one that was unpacked beside them.
    dir.file("d/s/m/pak0.pak", Pak::new().stored("b", b"b").quake());
    of_directory(&dir, "d", "--update").code(0);
    let lines = dir.text("s");
    let names: Vec<&str> = lines
        .lines()
        .filter_map(|it| it.split(' ').nth(2))
        .collect();
    let led = [
        "d/s/m.pk3/pak0.pak/a.cfg",
        "d/s/m.zip/pak0.pak/a.cfg",
        "d/s/m/pak0.pak/b",
        "s/m.pk3/pak0.pak",
        "s/m.zip/pak0.pak",
    ];
    assert_eq!(names, led);
    of_directory(&dir, "d", "").code(0).out(
        "d/s/m/pak0.pak: 1 entry, 1 byte, all OK\n\
             d/s/m.pk3: 1 entry, 79 bytes, all OK\n\
             d/s/m.pk3//pak0.pak: 1 entry, 3 bytes, all OK\n\
             d/s/m.zip: 1 entry, 79 bytes, all OK\n\
             d/s/m.zip//pak0.pak: 1 entry, 3 bytes, all OK\n\
             s: no differences\n\
             5 archives, 5 entries, 165 bytes, all OK\n",
    );
    put(&[("d/s/m.pk3", b"two"), ("d/s/m.zip", b"one")]);
    let changed = |ran: &super::Ran| ran.text().matches("changed  a.cfg").count();
    assert_eq!(changed(&of_directory(&dir, "d", "").code(1)), 2);
    // One does not change where another one is gone, if it still shares its path with a third.
    put(&[("d/s/m.pk3", b"one")]);
    std::fs::remove_file(dir.path("d/s/m.zip")).unwrap();
    let gone = of_directory(&dir, "d", "").code(1);
    assert!(gone.text().matches("missing").count() == 2, "{gone}");
    assert!(!gone.text().contains("\ns/m.pk3"), "{gone}");
}

#[test]
fn a_snapshot_misses_only_the_removed_nested_archive() {
    let dir = Dir::new();
    let inner = Pak::new().stored("a.cfg", b"a").quake();
    let outer = || Zip::new().stored("maps/x", b"map").stored("y", b"why");
    dir.file("d/m.zip", outer().stored("in.pak", &inner).bytes());
    of_directory(&dir, "d", "--update").code(0);
    dir.file("d/m.zip", outer().bytes());
    of_directory(&dir, "d", "").code(1).out(
        "d/m.zip: 2 entries, 6 bytes, all OK\n\
             m.zip:\n\
             \x20 missing  in.pak: 77 bytes\n\
             m/in.pak:\n\
             \x20 missing  a.cfg: 1 byte\n\
             1 archive, 2 entries, 6 bytes, all OK\n",
    );
    // Nor is the rest lost where nothing of it is looked at.
    dir.file("d/m.zip", Zip::new().stored("y", b"why").bytes());
    of_directory(&dir, "d", "-i maps/*").code(1).out(
        "d/m.zip: 0 entries, 0 bytes, all OK\n\
             m.zip:\n\
             \x20 missing  maps/x: 3 bytes\n\
             1 archive, 0 entries, 0 bytes, all OK\n",
    );
    dir.file("d/m.zip", outer().bytes());
    of_directory(&dir, "d", "--update").code(0);
    of_directory(&dir, "d", "").code(0).out(
        "d/m.zip: 2 entries, 6 bytes, all OK\n\
             s: no differences\n\
             1 archive, 2 entries, 6 bytes, all OK\n",
    );
}

#[test]
fn a_snapshot_lists_only_changed_duplicates() {
    let dir = Dir::new();
    let pak = |contents: [&str; 3]| Pak::of(&contents.map(|content| ("a", content))).quake();
    dir.file("a.pak", pak(["one", "two", "three"]));
    let verify = |more: &str| dir.run(format!("verify a.pak --snapshot s {more}"));
    verify("--update").code(0);
    dir.file("a.pak", pak(["ONE", "two", "THREE"]));
    verify("").code(1).out(
        "changed  a: 3 bytes, as before\n\
             changed  a: 5 bytes, as before\n\
             3 entries, 11 bytes, all OK\n",
    );
}

#[test]
fn a_snapshot_lists_an_archive_per_argument() {
    let dir = Dir::new();
    let pak = |content: &[u8]| Pak::new().stored("x.cfg", content).quake();
    dir.file("g/a.pak", pak(b"one"));
    dir.file("g/m/b.pak", pak(b"two"));
    for inputs in ["g g/m", "g/m g"] {
        dir.ok(format!("verify {inputs} --snapshot s --update"));
        let lines = dir.text("s");
        let names: Vec<&str> = lines
            .lines()
            .filter_map(|it| it.split(' ').nth(2))
            .collect();
        assert_eq!(names, ["a.pak/x.cfg", "b.pak/x.cfg", "m/b.pak/x.cfg"]);
        std::fs::remove_file(dir.path("s")).unwrap();
    }
}

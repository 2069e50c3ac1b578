//! `verify --snapshot`

use super::Dir;
use super::paks::{contents, crc32, daikatana, damaged, quake, stored};
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
fn an_update_makes_it_and_a_conversion_satisfies_it() {
    let dir = Dir::new();
    dir.file("d.pak", daikatana());
    dir.file("q.pak", quake());
    let verify = |pak: &str| {
        dir.daisho()
            .args(["verify", pak, "--snapshot", "s.txt"])
            .run()
    };
    dir.daisho()
        .args(["verify", "d.pak", "--snapshot", "s.txt", "--update"])
        .run()
        .code(0)
        .out("")
        .err_has("s.txt: made, with 7 entries; nothing was compared\n");
    assert_eq!(String::from_utf8(dir.read("s.txt")).unwrap(), expected());
    verify("d.pak")
        .code(0)
        .out("")
        .err_has("s.txt: nothing differs\n");
    verify("q.pak")
        .code(0)
        .out("")
        .err_has("s.txt: nothing differs\n");
    assert_eq!(dir.all(), ["d.pak", "q.pak", "s.txt"]);
    // Other tools may have sorted it, or changed its line ends.
    let mut lines: Vec<String> = expected()
        .lines()
        .map(|line| format!("{line}\r\n"))
        .collect();
    lines.reverse();
    // Duplicates stand in the directory's order.
    lines.swap(4, 5);
    dir.file("s.txt", lines.concat());
    verify("q.pak").code(0).out("");
}

#[test]
fn a_difference_is_printed_and_an_update_renews() {
    let dir = Dir::new();
    let pak = |name: &[u8], content: &[u8]| {
        let pak = stored(Pak::new(), b"same.cfg", b"same");
        stored(pak, name, content).quake()
    };
    dir.file("a.pak", pak(b"a.cfg", b"one"));
    dir.file("b.pak", pak(b"a.cfg", b"two"));
    let verify = |arguments: &[&str]| {
        let command = dir.daisho().arg("verify").args(arguments);
        command.args(["--snapshot", "s.txt"]).run()
    };
    verify(&["a.pak", "--update"]).code(0);
    verify(&["b.pak"])
        .code(1)
        .out("changed  a.cfg: 3 bytes, as before\n")
        .err_has("error: not what the snapshot says: 1 changed\n  --> s.txt\nhelp: give --update");
    // Rows of JSON stay rows of JSON.
    let rows = verify(&["b.pak", "--json"]).code(1).json();
    assert_eq!(rows.len(), 3);
    let expected = r#"{"snapshot":"s.txt","pak":"","name":"a.cfg","change":"changed"}"#;
    assert_eq!(
        rows[2],
        serde_json::from_str::<serde_json::Value>(expected).unwrap()
    );

    verify(&["b.pak", "--update"])
        .code(0)
        .out("")
        .err_has("s.txt: renewed; 1 changed\n");
    verify(&["b.pak"]).code(0).out("");
    verify(&["a.pak"]).code(1);
    assert_eq!(dir.all(), ["a.pak", "b.pak", "s.txt"]);
}

#[test]
fn damaged_entries_are_lines_too() {
    let dir = Dir::new();
    dir.file("damaged.pak", damaged());
    let verify = |update: &[&str]| {
        let command = dir.daisho().args(["verify", "damaged.pak"]);
        command.args(["--snapshot", "s"]).args(update).run()
    };
    verify(&["--update"])
        .code(1)
        .err_has("s: made, with 8 entries");
    let text = String::from_utf8(dir.read("s")).unwrap();
    assert_eq!(
        text.lines()
            .filter(|line| line.starts_with("damaged "))
            .count(),
        6
    );
    assert!(text.contains("damaged 4 short.tga\n"));
    // The damage is still told, and nothing differs.
    verify(&[]).code(1).out("").err_has("s: nothing differs");
}

#[test]
fn several_paks_lead_their_names() {
    let dir = Dir::new();
    let pak = |content: &[u8]| stored(Pak::new(), b"a.cfg", content).quake();
    dir.file("games/base/pak0.pak", pak(b"base"));
    dir.file("games/mod/pak0.pak", pak(b"mod"));
    let verify = |arguments: &[&str]| {
        let command = dir.daisho().arg("verify").args(arguments);
        command.args(["--snapshot", "s"]).run()
    };
    verify(&["-r", "games", "--update"]).code(0);
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
    verify(&["-r", "converted"]).code(0).out("");
    // One that has gone is what differs, and not the rest.
    std::fs::remove_dir_all(dir.path("converted/mod")).unwrap();
    verify(&["-r", "converted"])
        .code(1)
        .out("mod/pak0.pak:\n  missing  a.cfg: 3 bytes\n");
}

#[test]
fn only_what_globs_pick_is_compared_and_renewed() {
    let dir = Dir::new();
    let pak = |cfg: &[u8], wav: &[u8]| {
        let pak = stored(Pak::new(), b"a.cfg", cfg);
        stored(pak, b"b.wav", wav).quake()
    };
    dir.file("a.pak", pak(b"cfg", b"wav"));
    let verify = |arguments: &[&str]| {
        let command = dir.daisho().args(["verify", "a.pak", "--snapshot", "s"]);
        command.args(arguments).run()
    };
    verify(&["--update"]).code(0);
    dir.file("a.pak", pak(b"CFG", b"WAV"));
    let line = |content: &[u8], name: &str| format!("{:08x} 3 {name}\n", crc32(content));
    let changed = "changed  a.cfg: 3 bytes, as before\n";
    verify(&["-i", "*.cfg"]).code(1).out(changed);
    verify(&["-i", "*.cfg", "--update"]).code(0);
    let mixed = line(b"CFG", "a.cfg") + &line(b"wav", "b.wav");
    assert_eq!(dir.read("s"), mixed.as_bytes());
}

#[test]
fn a_file_that_is_no_snapshot_is_refused_and_stays() {
    let dir = Dir::new();
    dir.file("a.pak", quake());
    dir.file("b.pak", daikatana());
    dir.file("text", "00000000 1 a\n0000000g 1 b\n");
    for update in [&[][..], &["--update"]] {
        let verify = |snapshot: &str| {
            let command = dir
                .daisho()
                .args(["verify", "a.pak", "--snapshot", snapshot]);
            command.args(update).run().code(2).out("")
        };
        verify("text").err(
            "error: line 2 of this snapshot cannot be read: expected eight lower-case hexadecimal \
             digits (CRC-32), 64 of them (SHA-256), or \"damaged\", first\n  --> text\n\
             help: name another file; or, if this was a snapshot, remove it and make it again with --update\n",
        );
        verify("b.pak").err_has("error: line 1 of this snapshot cannot be read");
        verify("a.pak").err_has("error: line 1 of this snapshot cannot be read");
        verify(".").err_has("a directory");
    }
    assert_eq!(dir.read("b.pak"), daikatana());
    assert_eq!(dir.all(), ["a.pak", "b.pak", "text"]);
}

#[test]
fn what_is_known_of_a_pak_that_cannot_be_read_is_kept() {
    let dir = Dir::new();
    dir.file("a.pak", quake());
    dir.file("b.pak", daikatana());
    let verify = |arguments: &[&str]| {
        let command = dir
            .daisho()
            .args(["verify", "a.pak", "b.pak", "--snapshot", "s"]);
        command.args(arguments).run()
    };
    verify(&["--update"]).code(0);
    let whole = dir.read("s");
    dir.file("b.pak", "gone");
    verify(&["--update"])
        .code(1)
        .err_has("the snapshot was not renewed");
    assert_eq!(dir.read("s"), whole);
}

#[cfg(unix)]
#[test]
fn a_link_to_a_snapshot_leads_to_it() {
    let dir = Dir::new();
    dir.file("a.pak", quake());
    dir.file("real", "");
    std::os::unix::fs::symlink("real", dir.path("link")).unwrap();
    dir.daisho()
        .args(["verify", "a.pak", "--snapshot", "link", "--update"])
        .run()
        .code(0);
    assert_eq!(String::from_utf8(dir.read("real")).unwrap(), expected());
    assert!(dir.path("link").is_symlink());
}

#[cfg(unix)]
#[test]
fn a_snapshot_behind_a_link_that_leads_nowhere_is_refused_before_the_work() {
    let dir = Dir::new();
    dir.file("a.pak", damaged());
    std::os::unix::fs::symlink("nowhere", dir.path("link")).unwrap();
    for update in [&[][..], &["--update"]] {
        let verify = dir.daisho().args(["verify", "a.pak", "--snapshot", "link"]);
        verify.args(update).run().code(2).err(
            "error: a link that leads nowhere stands here, and is never replaced\n  --> link\n\
                  help: give another name for the output, with -o, or another directory, with -C\n",
        );
    }
    assert_eq!(dir.all(), ["a.pak", "link"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_snapshot_on_a_full_disk_or_a_pipe_is_an_error() {
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
    assert_eq!(dir.all(), ["a.pak", "pipe"]);
}

/// Else a wrong name, or a snapshot that is lost, would look like a success.
#[test]
fn a_snapshot_that_is_not_there_is_refused_unless_it_is_to_be_made() {
    let dir = Dir::new();
    dir.file("a.pak", quake());
    for more in [&[][..], &["-q"], &["--json"]] {
        let verify = dir.daisho().args(["verify", "a.pak", "--snapshot", "s"]);
        verify.args(more).run().code(2).out("").err(
            "error: there is no snapshot here, so nothing can be compared\n  --> s\n\
             help: name one that exists, or give --update to make it\n",
        );
    }
    assert_eq!(dir.all(), ["a.pak"]);
}

#[test]
fn a_snapshot_is_not_made_where_an_input_cannot_be_read() {
    let dir = Dir::new();
    dir.file("a.pak", quake());
    dir.file("b.pak", "no pak");
    dir.daisho()
        .args(["verify", "a.pak", "b.pak", "--snapshot", "s", "--update"])
        .run()
        .code(1)
        .err_has("error: the snapshot was not made: 1 of the paks could not be read\n  --> s\n");
    assert_eq!(dir.all(), ["a.pak", "b.pak"]);
}

#[test]
fn a_pak_that_is_added_to_a_directory_changes_no_other_line() {
    let dir = Dir::new();
    let pak = |content: &[u8]| stored(Pak::new(), b"a.cfg", content).quake();
    let line = |content: &[u8], pak: &str| format!("{:08x} 3 {pak}/a.cfg\n", crc32(content));
    let verify = |more: &[&str]| {
        let verify = dir
            .daisho()
            .args(["verify", "-r", "id1", "--snapshot", "s"]);
        verify.args(more).run()
    };
    dir.file("id1/pak0.pak", pak(b"one"));
    verify(&["--update"]).code(0);
    assert_eq!(dir.read("s"), line(b"one", "pak0.pak").as_bytes());
    dir.file("id1/pak1.pak", pak(b"two"));
    verify(&[])
        .code(1)
        .out("pak1.pak:\n  new      a.cfg: 3 bytes\n");
}

#[test]
fn a_pak_that_the_snapshot_has_and_that_is_none_any_more_is_an_error() {
    let dir = Dir::new();
    dir.file("id1/pak0.pak", quake());
    dir.file("id1/pak1.pak", daikatana());
    let verify = |more: &[&str]| {
        let verify = dir.daisho().args(["verify", "-q", "-r", "id1"]);
        verify.args(["--snapshot", "s"]).args(more).run()
    };
    verify(&["--update"]).code(0);
    let whole = dir.read("s");
    // Never a pak, and yesterday one.
    dir.file("id1/readme.pak", "");
    verify(&[]).code(0).quiet();
    for content in [&b""[..], &[0; 4096]] {
        dir.file("id1/pak1.pak", content);
        for more in [&[][..], &["--update"]] {
            verify(more)
                .code(1)
                .err_has("error: this was a pak when the snapshot was made, and now ");
            assert_eq!(dir.read("s"), whole);
        }
    }
}

/// A baseline must not be lost with an exit status of 1 that is about something else.
#[test]
fn a_snapshot_is_not_renewed_from_a_pak_whose_directory_is_cut() {
    let dir = Dir::new();
    let pak = (0..9).fold(Pak::new(), |pak, n| pak.stored(&format!("{n}.cfg"), b"x"));
    let whole = pak.quake();
    dir.file("a.pak", &whole);
    let verify = || {
        dir.daisho()
            .args(["verify", "-q", "a.pak", "--snapshot", "s", "--update"])
            .run()
    };
    verify().code(0);
    let before = dir.read("s");
    dir.file("a.pak", &whole[..whole.len() - 200]);
    verify().code(1).err_has("was not renewed");
    assert_eq!(dir.read("s"), before);
}

/// A search finds paks by how they begin, so one that is called otherwise is missed like the others.
#[test]
fn a_pak_of_any_name_that_is_none_any_more_is_missed() {
    let dir = Dir::new();
    let pak = |n: u8| Pak::new().stored("a.cfg", &[n; 9]).quake();
    for (n, name) in [(1, "r/a.dat"), (2, "r/b.pak"), (3, "r/deep/c.bin")] {
        dir.file(name, pak(n));
    }
    let verify = |update: &[&str]| {
        let line = ["verify", "-qr", "r", "--snapshot", "s"];
        dir.daisho().args(line).args(update).run()
    };
    verify(&["--update"]).code(0);
    let before = dir.read("s");
    dir.file("r/a.dat", "");
    dir.file("r/deep/c.bin", [0; 100]);
    for update in [&["--update"][..], &[]] {
        let ran = verify(update).code(1);
        let missed = ran
            .stderr()
            .matches("this was a pak when the snapshot was made")
            .count();
        assert_eq!(missed, 2, "{ran}");
        assert_eq!(dir.read("s"), before);
    }
    // What is gone is gone: that is what --update is for.
    std::fs::remove_file(dir.path("r/a.dat")).unwrap();
    std::fs::remove_file(dir.path("r/deep/c.bin")).unwrap();
    verify(&["--update"]).code(0);
    assert_eq!(dir.read("s").split(|byte| *byte == b'\n').count(), 2);
}

#[test]
fn what_was_renamed_changed_lost_or_added_is_told_archive_by_archive() {
    let dir = Dir::new();
    let pak = |files: &[(&str, &str)]| {
        let add =
            |pak, (name, content): &(&str, &str)| stored(pak, name.as_bytes(), content.as_bytes());
        files.iter().fold(Pak::new(), add).quake()
    };
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
    let verify = |more: &[&str]| {
        let verify = dir.daisho().args(["verify", "-r", "g", "--snapshot", "s"]);
        verify.args(more).run()
    };
    verify(&["--update"]).code(0);
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
    let told = "a.pak:\n  \
                renamed  b.pak/there -> here: 10 bytes, as before\n  \
                renamed  old -> new: 4 bytes, as before\n  \
                missing  three: 3 bytes\n  \
                changed  two: 2 bytes, then 6 bytes\n\
                b.pak:\n  \
                new      added: 4 bytes\n\
                c.pak:\n  \
                missing  lost: 8 bytes\n";
    verify(&[])
        .code(1)
        .out(told)
        .err_has("not what the snapshot says: 2 missing, 1 changed, 2 renamed, 1 new\n");
    let mut rows = verify(&["--json"]).code(1).json();
    rows.retain(|row| row["status"] != "ok");
    assert_eq!(rows.len(), 6);
    let row =
        r#"{"snapshot":"s","pak":"a.pak","name":"here","change":"renamed","from":"b.pak/there"}"#;
    assert_eq!(
        rows[0],
        serde_json::from_str::<serde_json::Value>(row).unwrap()
    );
}

/// The sums are those of another tool.
#[cfg(target_os = "linux")]
#[test]
fn a_snapshot_of_sha256_is_what_sha256sum_says_and_is_known_by_itself() {
    let dir = Dir::new();
    dir.file("d.pak", daikatana());
    dir.file("q.pak", quake());
    let verify = |more: &[&str]| {
        let verify = dir.daisho().args(["verify", "--snapshot", "s"]);
        verify.args(more).run()
    };
    verify(&["d.pak", "--update", "--hash", "sha256"]).code(0);
    let snapshot = String::from_utf8(dir.read("s")).unwrap();
    dir.sh("daisho extract -q d.pak -C out; sha256sum out/maps/e1m1.bsp out/default.cfg > sums")
        .run();
    for line in String::from_utf8(dir.read("sums")).unwrap().lines() {
        let (sum, path) = line.split_once("  out/").unwrap();
        let is_it = |line: &&str| line.starts_with(sum) && line.ends_with(path);
        assert!(
            snapshot.lines().any(|line| is_it(&line)),
            "{line} in {snapshot}"
        );
    }
    verify(&["q.pak"]).code(0).out("");
    verify(&["q.pak", "--hash", "sha256"]).code(0).out("");
    let row = &verify(&["q.pak", "--json", "--hash", "sha256"])
        .code(0)
        .json()[1];
    assert!(snapshot.contains(row["sha256"].as_str().unwrap()));
    assert_eq!(row["crc32"].as_str().unwrap().len(), 8);
    for more in [&[][..], &["--update"]] {
        let asked = ["q.pak", "--hash", "crc32"];
        verify(&[&asked[..], more].concat()).code(2).out("").err(
            "error: this snapshot holds sha256 of each entry, and crc32 is asked for\n  --> s\n\
             help: leave --hash out to compare with what it holds, or make another one with --update\n",
        );
    }
    // Renewed, it holds what it held.
    dir.file("q.pak", stored(Pak::new(), b"a.cfg", b"a").quake());
    verify(&["q.pak", "--update"]).code(0);
    assert_eq!(
        dir.read("s").iter().position(|byte| *byte == b' '),
        Some(64)
    );
    dir.file("mixed", snapshot + "00000000 1 z\n");
    let mixed = dir
        .daisho()
        .args(["verify", "q.pak", "--snapshot", "mixed"]);
    mixed
        .run()
        .code(2)
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
    let verify = ["verify", "z.pk3", "--snapshot", "s.txt"];
    dir.daisho().args(verify).arg("--update").run().code(0);
    dir.daisho()
        .args(verify)
        .run()
        .code(0)
        .err_has("nothing differs");
}

/// What is below `dir` beside the snapshot `s`, with these arguments behind.
fn of_directory(dir: &Dir, root: &str, more: &[&str]) -> super::Ran {
    let verify = dir.daisho().args(["verify", "-r", root, "--snapshot", "s"]);
    verify.args(more).run()
}

/// A ZIP of two entries.
fn zip(one: (&str, &str), other: (&str, &str)) -> Vec<u8> {
    let zip = Zip::new().stored(one.0, one.1.as_bytes());
    zip.stored(other.0, other.1.as_bytes()).bytes()
}

/// Globs are for names in archives, and those of an archive that has gone have its path before them.
#[test]
fn globs_pick_entries_of_an_archive_that_has_gone() {
    let dir = Dir::new();
    dir.file("d/a.zip", zip(("maps/x.bsp", "x"), ("g", "g")));
    dir.file("d/b.zip", zip(("maps/y.bsp", "y"), ("h", "h")));
    of_directory(&dir, "d", &["--update"]).code(0);
    std::fs::remove_file(dir.path("d/b.zip")).unwrap();
    let missing = "b.zip:\n  missing  maps/y.bsp: 1 byte\n";
    of_directory(&dir, "d", &["-i", "maps/*"])
        .code(1)
        .out(missing);
    of_directory(&dir, "d", &["-x", "maps/", "-x", "h"])
        .code(0)
        .out("");
    of_directory(&dir, "d", &["-i", "maps/*", "--update"]).code(0);
    let lines = String::from_utf8(dir.read("s")).unwrap();
    let names: Vec<&str> = lines
        .lines()
        .filter_map(|it| it.split(' ').nth(2))
        .collect();
    assert_eq!(names, ["a.zip/g", "a.zip/maps/x.bsp", "b.zip/h"]);
}

#[test]
fn globs_pick_entries_by_their_names_in_the_innermost_archive() {
    let dir = Dir::new();
    let with = |content: &[u8]| {
        let inner = Pak::new().stored("maps/x.bsp", content).quake();
        let outer = Zip::new().stored("readme", b"by hand");
        outer.stored("pak0.pak", &inner).bytes()
    };
    dir.file("d/mod", with(b"one"));
    of_directory(&dir, "d", &["--update"]).code(0);
    dir.file("d/mod", with(b"two"));
    of_directory(&dir, "d", &["-i", "maps/*"])
        .code(1)
        .out("mod/pak0.pak:\n  changed  maps/x.bsp: 3 bytes, as before\n");
}

/// Else two of them could be swapped, and nobody would see it.
#[test]
fn paks_of_one_name_are_led_by_the_paths_that_the_user_has_given() {
    let dir = Dir::new();
    let pak = |content: &[u8]| Pak::new().stored("a.cfg", content).quake();
    let lines = |p: &[u8], q: &[u8]| {
        let line = |sum: &[u8], pak: &str| format!("{:08x} 3 {pak}/pak0.pak/a.cfg\n", crc32(sum));
        line(p, "p") + &line(q, "q")
    };
    for inputs in [&["-r", "p", "q"][..], &["p/pak0.pak", "q/pak0.pak"]] {
        let verify = |more: &[&str]| {
            let verify = dir.daisho().arg("verify").args(inputs);
            verify.args(["--snapshot", "s"]).args(more).run()
        };
        dir.file("p/pak0.pak", pak(b"one"));
        dir.file("q/pak0.pak", pak(b"two"));
        verify(&["--update"]).code(0);
        assert_eq!(dir.read("s"), lines(b"one", b"two").as_bytes());
        verify(&[]).code(0).out("");
        dir.file("p/pak0.pak", pak(b"two"));
        dir.file("q/pak0.pak", pak(b"one"));
        verify(&[]).code(1).out(
            "p/pak0.pak:\n  changed  a.cfg: 3 bytes, as before\n\
             q/pak0.pak:\n  changed  a.cfg: 3 bytes, as before\n",
        );
        std::fs::remove_file(dir.path("s")).unwrap();
    }
    // The other one keeps its path when one has gone.
    of_directory(&dir, "p", &["q", "--update"]).code(0);
    std::fs::remove_file(dir.path("q/pak0.pak")).unwrap();
    of_directory(&dir, "p", &["q"])
        .code(1)
        .out("q/pak0.pak:\n  missing  a.cfg: 3 bytes\n");
    // Those that have a path to themselves keep the usual one.
    dir.file("q/pak1.pak", pak(b"new"));
    std::fs::remove_file(dir.path("s")).unwrap();
    of_directory(&dir, "p", &["q", "--update"]).code(0);
    let lines = String::from_utf8(dir.read("s")).unwrap();
    let names: Vec<&str> = lines
        .lines()
        .filter_map(|it| it.split(' ').nth(2))
        .collect();
    assert_eq!(names, ["pak0.pak/a.cfg", "pak1.pak/a.cfg"]);
}

#[test]
fn paks_of_one_name_in_archives_of_one_name_are_led_by_whole_names() {
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
    // One that was unpacked beside it keeps its path.
    dir.file("d/s/m/pak0.pak", Pak::new().stored("b", b"b").quake());
    of_directory(&dir, "d", &["--update"]).code(0);
    let lines = String::from_utf8(dir.read("s")).unwrap();
    let names: Vec<&str> = lines
        .lines()
        .filter_map(|it| it.split(' ').nth(2))
        .collect();
    let led = [
        "s/m.pk3/pak0.pak",
        "s/m.pk3/pak0.pak/a.cfg",
        "s/m.zip/pak0.pak",
        "s/m.zip/pak0.pak/a.cfg",
        "s/m/pak0.pak/b",
    ];
    assert_eq!(names, led);
    // Whatever the directory is called.
    std::fs::rename(dir.path("d"), dir.path("e")).unwrap();
    of_directory(&dir, "e", &[]).code(0).out("");
    put(&[("e/s/m.pk3", b"two"), ("e/s/m.zip", b"one")]);
    let changed = |ran: &super::Ran| ran.text().matches("changed  a.cfg").count();
    assert_eq!(changed(&of_directory(&dir, "e", &[]).code(1)), 2);
    // Nor does one change where the other is gone.
    put(&[("e/s/m.pk3", b"one")]);
    std::fs::remove_file(dir.path("e/s/m.zip")).unwrap();
    let gone = of_directory(&dir, "e", &[]).code(1);
    assert!(gone.text().matches("missing").count() == 2, "{gone}");
    assert!(!gone.text().contains("s/m.pk3"), "{gone}");
}

/// Whether names are led depends on whether a search has found an archive in the file.
#[test]
fn a_file_without_the_archive_that_it_held_is_compared_by_the_names_that_it_has() {
    let dir = Dir::new();
    let inner = Pak::new().stored("a.cfg", b"a").quake();
    let outer = || Zip::new().stored("maps/x", b"map").stored("y", b"why");
    dir.file("m.zip", outer().stored("in.pak", &inner).bytes());
    of_directory(&dir, "m.zip", &["--update"]).code(0);
    dir.file("m.zip", outer().bytes());
    let missing = "m.zip:\n  missing  in.pak: 77 bytes\n\
                   m/in.pak:\n  missing  a.cfg: 1 byte\n";
    of_directory(&dir, "m.zip", &[]).code(1).out(missing);
    // Nor is the rest lost where nothing of it is looked at.
    dir.file("m.zip", Zip::new().stored("y", b"why").bytes());
    of_directory(&dir, "m.zip", &["-i", "maps/*"])
        .code(1)
        .out("m.zip:\n  missing  maps/x: 3 bytes\n");
    dir.file("m.zip", outer().bytes());
    of_directory(&dir, "m.zip", &["--update"]).code(0);
    of_directory(&dir, "m.zip", &[]).code(0).out("");
    // A folder of the same name is no lead.
    let folder = |content: &[u8]| {
        let zip = Zip::new().stored("m.zip/a", content);
        zip.stored("b", b"b").stored("c", b"c").bytes()
    };
    std::fs::remove_file(dir.path("s")).unwrap();
    dir.file("m.zip", folder(b"one"));
    of_directory(&dir, "m.zip", &["--update"]).code(0);
    dir.file("m.zip", folder(b"two"));
    of_directory(&dir, "m.zip", &[])
        .code(1)
        .out("changed  m.zip/a: 3 bytes, as before\n");
}

#[test]
fn a_copy_that_is_unchanged_between_changed_ones_is_not_named() {
    let dir = Dir::new();
    let pak = |contents: [&str; 3]| {
        let add = |pak, content: &&str| stored(pak, b"a", content.as_bytes());
        contents.iter().fold(Pak::new(), add).quake()
    };
    dir.file("a.pak", pak(["one", "two", "three"]));
    let verify = |more: &[&str]| {
        let verify = dir.daisho().args(["verify", "a.pak", "--snapshot", "s"]);
        verify.args(more).run()
    };
    verify(&["--update"]).code(0);
    dir.file("a.pak", pak(["ONE", "two", "THREE"]));
    let changed = "changed  a: 3 bytes, as before\nchanged  a: 5 bytes, as before\n";
    verify(&[]).code(1).out(changed);
}

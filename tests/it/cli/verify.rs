//! `verify`

use std::path::Path;

use super::paks::{contents, crc32, daikatana, damaged, entry, quake};
use super::{Dir, assert_snapshot};
use crate::archive::build::Pak;
use crate::archive::zips::build::Zip;
use crate::corpus;

#[test]
fn verify_of_sound_paks_with_warnings_succeeds() {
    let dir = Dir::new();
    dir.file("q.pak", quake());
    dir.file("d.pak", daikatana());
    let mut session = dir.session();
    session.run("verify q.pak");
    session.run("verify q.pak -q");
    session.run("verify d.pak q.pak");
    session.is("verify-sound");
}

#[test]
fn every_damage_is_named_and_hides_no_other() {
    let dir = Dir::new();
    dir.file("damaged.pak", damaged());
    let mut session = dir.session();
    session.run("verify -v damaged.pak");
    session.is("verify-damaged");
}

/// `tests/it/archive/snapshots.rs` has the errors of the library. The command adds advice.
#[test]
fn every_broken_pak_of_the_corpus_has_its_advice() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/paks/broken");
    let paks = corpus::paks(&folder, &folder.join("none"));
    assert!(paks.len() > 50, "{paks:?}");
    let names = paks.iter().map(|pak| pak.file_name().unwrap());
    let dir = Dir::new();
    let ran = dir.daisho().within(&folder).args(["verify", "-v"]).args(names).run().code(1);
    assert_snapshot("verify-broken-report", ran.text());
    assert_snapshot("verify-broken", ran.stderr());
}

#[test]
fn json_has_the_promised_fields_and_true_numbers() {
    let dir = Dir::new();
    dir.file("d.pak", daikatana());
    let mut rows = dir.ok("verify d.pak --json").json();
    let whole = rows.pop().unwrap();
    let size: usize = contents().iter().map(|(_, content)| content.len()).sum();
    assert_eq!(
        whole,
        serde_json::json!({"archive": "d.pak", "status": "ok", "entries": rows.len(), "damaged": 0, "size": size})
    );
    assert_eq!(rows.len(), contents().len());
    for ((row, (name, content)), index) in rows.iter().zip(contents()).zip(0..) {
        assert_eq!(row["archive"], "d.pak");
        assert_eq!(row["index"], index);
        assert_eq!(row["size"], content.len());
        assert_eq!(row["crc32"], format!("{:08x}", crc32(&content)));
        let odd = name == b"maps\\old.bsp";
        assert_eq!(row["status"], if odd { "warning" } else { "ok" });
        assert_eq!(row["problem"].is_string(), odd);
    }
    dir.file("damaged.pak", damaged());
    let ran = dir.fails("verify damaged.pak --json");
    let expected = ["damaged"; 6];
    assert_eq!(ran.fields("status"), [&["ok"], &expected[..], &["ok", "damaged"]].concat());
    assert!(ran.json()[1]["crc32"].is_null());
    assert!(ran.json()[1]["problem"].as_str().unwrap().contains("byte"));
}

/// A folder of a thousand archives, of which fifty are odd in five ways and five damaged: one line for each that is
/// not OK, and besides these what is to be read is not more than a screen.
#[test]
fn a_thousand_archives_are_summed_up_on_one_screen() {
    let dir = Dir::new();
    let plain = std::fs::read(corpus::path("paks/sound/plain-daikatana.pak")).unwrap();
    for n in 0..945 {
        dir.file(format!("in/plain{n:03}.pak"), &plain);
    }
    for odd in [
        "bytes-after-the-end",
        "end-missing",
        "reserved-copied",
        "duplicates",
        "both-divide-garbage",
    ] {
        for n in 0..10 {
            dir.copy(&format!("paks/sound/{odd}.pak"), &format!("in/{odd}{n}.pak"));
        }
    }
    for broken in [
        "stream-cut",
        "extent-past-the-end",
        "stream-copy-before-the-start",
        "cut-in-the-directory-daikatana",
        "size-one-too-large",
    ] {
        dir.copy(&format!("paks/broken/{broken}.pak"), &format!("in/{broken}.pak"));
    }
    for (args, named) in [("verify -r in", 5), ("convert -r in -C out", 5)] {
        let ran = dir.fails(args);
        let lines = ran.text().lines().chain(ran.stderr().lines());
        let (of_paks, others): (Vec<&str>, Vec<&str>) =
            lines.partition(|line| line.starts_with("in/"));
        assert_eq!(of_paks.len(), named, "{ran}");
        assert!(others.len() <= 30, "{}: {others:#?}", others.len());
        let all = others.join("\n");
        for said in [
            "warning: 10 streams have bytes after their end marker",
            "warning: 10 streams have no end marker",
            "warning: 10 archives have the control byte",
            "and 9 more, in 10 archives in all (-v names each)",
        ] {
            assert!(all.contains(said), "{said}: {all}");
        }
        assert_eq!(all.matches("error: ").count(), 5, "{all}");
    }
}

/// Two records of a ZIP's directory lead to one file, and only one of them says that it is encrypted.
#[test]
fn an_encrypted_record_keeps_its_shared_payloads_flag() {
    let dir = Dir::new();
    for (encrypted, name) in ["a.txt", "b.txt"].into_iter().enumerate() {
        let zip = Zip::new().stored("a.txt", b"content").stored("b.txt", b"content");
        let mut zip = zip.bytes();
        let starts = zip.windows(4).enumerate();
        let starts = starts.filter(|(_, it)| it == b"PK\x01\x02");
        let records: Vec<usize> = starts.map(|(at, _)| at).collect();
        zip[records[encrypted] + 8] |= 1;
        zip[records[1] + 42..][..4].fill(0);
        dir.file("z.pk3", zip);
        let said =
            format!("error: the entry is encrypted\n  --> z.pk3: entry {encrypted} \"{name}\"");
        dir.fails("verify z.pk3").err_has(&said).out_has("2 entries, 1 not supported, 7 bytes OK");
        dir.fails("dupes z.pk3")
            .err_has(&said)
            .err_has("no file that could be read is stored more than once");
    }
}

/// Errors are kept of so many payloads, and those of more are found again.
#[test]
fn the_last_of_many_damaged_entries_is_named() {
    const COUNT: u32 = 70_000;
    let mut pak = Pak::new();
    let offset = pak.payload(&vec![0; COUNT as usize + 1]);
    for n in 0..COUNT {
        // A literal of one byte, and no end.
        let name = format!("{n}.tga");
        pak = pak.entry(entry(name.as_bytes(), offset + n, 9, Some((2, 1))));
    }
    let dir = Dir::new();
    dir.file("d.pak", pak.daikatana());
    let mut rows = dir.fails("verify d.pak --json").json();
    assert_eq!(rows.pop().unwrap()["damaged"], COUNT);
    assert_eq!(rows.len(), COUNT as usize);
    let problem = |row: &serde_json::Value| {
        let problem = row["problem"].as_str().unwrap().split_once(": ").unwrap();
        (problem.0.to_owned(), problem.1.to_owned())
    };
    let (_, words) = problem(&rows[0]);
    assert!(words.starts_with("the stream is damaged: "), "{words}");
    for (n, row) in (0..).zip(&rows) {
        let at: u32 = problem(row).0["byte ".len()..].parse().unwrap();
        assert_eq!((at - offset, problem(row).1), (n + 2, words.clone()), "{n}");
    }
}

/// Small neighbours are read in one go, and one among them that claims what it cannot hold is damaged, no more.
#[test]
fn an_empty_stream_between_neighbours_is_damaged() {
    let dir = Dir::new();
    let nothing = Zip::new()
        .deflated("a", &[b'A'; 20])
        .deflated("b", &[b'x'; 12])
        .payload(b"")
        .both(|header| header.packed = 0)
        .deflated("c", &[b'C'; 20]);
    dir.file("z.pk3", nothing.bytes());
    for verb in ["verify z.pk3", "diff z.pk3 z.pk3"] {
        dir.fails(verb).err_has("z.pk3: entry 1 \"b\"");
    }
    let status = dir.fails("verify z.pk3 --json").fields("status");
    assert_eq!(status, ["ok", "damaged", "ok", "damaged"]);
}

/// A message about many entries is true of each of them.
#[test]
fn errors_of_two_kinds_are_grouped_separately() {
    let dir = Dir::new();
    let mut zip = Zip::new();
    for n in 0..5 {
        zip = zip.stored(format!("{n}"), b"secret").both(|header| header.flags |= 1);
        zip = zip.stored(format!("m{n}"), b"bzip2").both(|header| header.method = 12 + n);
    }
    dir.file("z.pk3", zip.bytes());
    dir.fails("verify z.pk3")
        .err_has("error: 5 entries are encrypted\n")
        .err_has("error: 5 entries use compression methods that daisho does not read");
}

#[test]
fn a_cut_archive_is_never_all_ok() {
    let dir = Dir::new();
    let whole = daikatana();
    dir.file("whole.pak", &whole);
    dir.file("cut.pak", &whole[..whole.len() - 100]);
    dir.fails("verify cut.pak").out_has(" OK; 1 directory cut off").out_lacks("all OK");
    let both = dir.fails("verify whole.pak cut.pak");
    let summary = both.text().lines().last().unwrap();
    assert!(summary.starts_with("2 archives, "), "{both}");
    assert!(!summary.contains("all OK"), "{both}");
}

/// Each error that `-v` names is one of those that the last line counts.
#[test]
fn the_summary_of_a_batch_counts_every_error() {
    for collection in ["paks", "zips", "wads"] {
        let folder = format!("{}/corpus/{collection}", env!("CARGO_MANIFEST_DIR"));
        let ran = Dir::new().fails(format!("verify -v -r {folder}"));
        let errors = ran.stderr().lines().filter(|line| line.starts_with("error: ")).count();
        let summary = ran.text().lines().last().unwrap();
        let counted = summary.split([',', ';']).filter_map(|part| {
            let (number, what) = part.trim().split_once(' ')?;
            let is_error = what.starts_with("damaged")
                || what.starts_with("not supported")
                || what.starts_with("director")
                || what.ends_with("could not be read");
            is_error.then(|| number.parse::<usize>().unwrap())
        });
        assert_eq!(counted.sum::<usize>(), errors, "{summary}");
    }
}

/// `sha256sum` is the oracle: it checks the extracted files, and prints the same lines.
#[cfg(unix)]
#[test]
fn hashes_are_printed_as_sha256sum_does() {
    let dir = Dir::new();
    let files = [("maps/a.bsp", "one"), ("a b.cfg", "two"), ("z", "three")];
    dir.file("q/pak0.pak", Pak::of(&files).quake());
    let printed = dir.ok("verify q/pak0.pak --hash sha256").err("3 entries, 11 bytes, all OK\n");
    dir.file("sums", printed.text());
    dir.ok("extract -q q/pak0.pak -C out");
    dir.sh("cd out && sha256sum --strict -c ../sums").run().code(0);
    dir.sh("cd out && sha256sum maps/a.bsp 'a b.cfg' z").run().out(printed.text());
    // The directory of the archive's files leads, and -q leaves out only the summary.
    let ran = dir.ok("verify -q q --hash crc32").quiet();
    let names: Vec<&str> =
        ran.text().lines().map(|line| line.splitn(3, ' ').nth(2).unwrap()).collect();
    assert_eq!(names, ["pak0/maps/a.bsp", "pak0/a b.cfg", "pak0/z"]);
}

/// As the guide says: `sha256sum` reads a backslash in a name, and leaves out other names with something escaped.
#[cfg(target_os = "linux")]
#[test]
fn sha256sum_checks_the_names_that_it_can_read() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    let dir = Dir::new();
    for name in [&b"plain"[..], b"a\\b", b"c\xff", b"d\xe2\x80\xae", b"e\x1b"] {
        let path = dir.path("files").join(OsStr::from_bytes(name));
        dir.file(path, name);
    }
    let printed = dir.ok("verify files --hash sha256");
    // The name with a control character is not extracted, and a backslash in a name is a folder's end.
    assert_eq!(printed.text().lines().count(), 4, "{printed}");
    dir.file("sums", printed.text());
    dir.fails("extract files -C out");
    let checked = dir.sh("cd out && LC_ALL=C sha256sum -c ../sums").run();
    checked.code(0).out("a/b: OK\nplain: OK\n").err_has("2 lines are improperly formatted");
}

#[test]
fn hashes_cover_only_what_decodes_and_mark_odd_names() {
    let dir = Dir::new();
    dir.file("d.pak", damaged());
    dir.file("q.pak", Pak::new().stored(b"a\xff.cfg", "x").stored(b"\x1b", "y").quake());
    let ran = dir.fails("verify d.pak --hash crc32");
    let names: Vec<&str> = ran.text().lines().map(|line| &line[10..]).collect();
    assert_eq!(names, ["first.tga", "last.cfg"]);
    let ran = dir.ok("verify q.pak --hash crc32");
    // The oracle is Python's zlib.crc32(b"x").
    // No file of Windows can have this name.
    ran.out(if cfg!(windows) { "" } else { "\\8cdc1683  a\\xff.cfg\n" });
}

#[test]
fn what_daisho_does_not_support_is_not_damaged() {
    let zip = |method: u16| {
        Zip::new()
            .deflated("a.cfg", b"some text")
            .both(move |header| header.method = method)
            .stored("b.cfg", b"abc")
            .bytes()
    };
    let dir = Dir::new();
    dir.file("m.pk3", zip(12));
    dir.file("n.pk3", zip(93));
    let mut session = dir.session();
    session.run("verify m.pk3");
    session.run("verify m.pk3 --json");
    session.run("info m.pk3");
    session.run("info m.pk3 n.pk3");
    // A snapshot says so, too, and when it can be read.
    session.run("verify -q m.pk3 --snapshot s --update");
    session.show("s");
    session.run("verify m.pk3 --snapshot s");
    dir.file("m.pk3", zip(8));
    session.run("verify m.pk3 --snapshot s");
    session.is("verify-not-supported");
}

#[test]
fn of_many_archives_only_the_bad_have_a_line() {
    let dir = Dir::new();
    for number in 0..20 {
        dir.file(format!("in/{number:02}.pak"), quake());
    }
    let lines = |arguments: &str, code| {
        let ran = dir.run(format!("verify {arguments}")).code(code);
        let lines: Vec<String> = ran.text().lines().map(str::to_owned).collect();
        lines
    };
    assert_eq!(lines("in", 0).len(), 21);
    dir.file("in/20.pak", damaged());
    dir.file("in/21.pak", "not an archive");
    let bad = "in/20.pak: 8 entries, 6 damaged, 200 bytes OK";
    let reported = lines("in", 1);
    let unread = "in/21.pak: could not be read";
    assert_eq!(reported.len(), 3, "{reported:?}");
    assert_eq!(reported[..2], [bad, unread]);
    assert!(reported[2].starts_with("21 archives, "), "{reported:?}");
    assert_eq!(lines("in -v", 1).len(), 23);
    assert_eq!(lines("in -q", 1), [bad, unread]);
    let named = lines("in/20.pak in/21.pak -q", 1);
    assert_eq!(named, [bad, unread]);
    assert_eq!(lines("in/20.pak -q", 1), [bad]);
    assert_eq!(lines("in/00.pak -q", 0).len(), 0);
}

#[cfg(unix)]
#[test]
fn an_interrupted_verify_prints_what_it_verified() {
    use std::io::{BufRead as _, BufReader, Read as _};
    use std::process::{Command, Stdio};

    if !super::signals::is_heard(2) {
        return;
    }
    let dir = Dir::new();
    dir.file("in/a.pak", quake());
    // It has holes, so it takes no room, but its checksum takes long.
    let (size, mut long) = (1_u32 << 31, b"PACK".to_vec());
    long.extend((12 + size).to_le_bytes());
    long.extend(64_u32.to_le_bytes());
    let mut record = b"zeros".to_vec();
    record.resize(56, 0);
    record.extend(12_u32.to_le_bytes());
    record.extend(size.to_le_bytes());
    let path = dir.file("in/b.pak", long);
    let file = std::fs::File::options().write(true).open(path).unwrap();
    std::os::unix::fs::FileExt::write_all_at(&file, &record, u64::from(12 + size)).unwrap();
    let mut verify = Command::new(env!("CARGO_BIN_EXE_daisho"))
        .args(["verify", "in", "--snapshot", "s.txt", "--update"])
        .args(["--hash", "sha256", "-j", "1"])
        .current_dir(dir.path(""))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut out = BufReader::new(verify.stdout.take().unwrap());
    let mut first = String::new();
    out.read_line(&mut first).unwrap();
    assert!(first.starts_with("in/a.pak: "), "{first}");
    // A signal during the write of a line would end the process at once.
    std::thread::sleep(std::time::Duration::from_millis(100));
    super::signals::send("INT", verify.id());
    let mut rest = String::new();
    out.read_to_string(&mut rest).unwrap();
    assert_eq!(verify.wait().unwrap().code(), Some(130));
    assert!(rest.starts_with("stopped after in/a.pak: 1 archive, "), "{rest}");
    assert!(rest.ends_with("; s.txt stays as it was\n"), "{rest}");
    assert!(!dir.has("s.txt"));
}

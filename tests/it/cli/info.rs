//! `info`

use super::paks::{daikatana, damaged, entry, quake};
use super::{Dir, assert_snapshot};
use crate::archive::build::Pak;
use crate::archive::zips::build::Zip;

#[test]
fn info_v_describes_paks_of_each_layout() {
    let dir = Dir::new();
    dir.file("d.pak", daikatana());
    dir.file("q.pak", quake());
    let mut pak = Pak::new().stored("a.wav", "shared");
    pak.payload(b"gap!");
    pak = pak
        .entry(entry(b"b.wav", 12, 6, None))
        .entry(entry(b"B.WAV", 15, 6, None));
    let mut odd = pak.stored("../up", "up").quake();
    odd.extend(b"behind the end");
    dir.file("odd.pak", odd);
    let ran = dir.run("info -v d.pak q.pak odd.pak");
    let ran = ran.code(0).quiet();
    let text = if cfg!(windows) {
        ran.text().replace(
            "that are not allowed for files: those of 2 entries, first entry 3",
            "that are not allowed for files: those of entry 3",
        )
    } else {
        ran.text().to_owned()
    };
    assert_snapshot("info", &text);
}

#[test]
fn info_json_accounts_for_every_byte() {
    let dir = Dir::new();
    dir.file("d.pak", daikatana());
    let ran = dir.ok("info d.pak --json").quiet();
    let [row] = &ran.json()[..] else {
        panic!("one line expected: {ran}");
    };
    for field in [
        "archive",
        "format",
        "why",
        "entries",
        "compressed",
        "size",
        "packed_size",
        "warnings",
    ] {
        assert!(row.get(field).is_some(), "{field}");
    }
    assert_eq!(row["format"], "daikatana");
    assert_eq!(
        (&row["entries"], &row["compressed"]),
        (&7.into(), &3.into())
    );
    assert!(row["why"][0].as_str().unwrap().contains("divide by 72"));
    let number = |field: &str| row[field].as_u64().unwrap();
    let parts = [
        "header_bytes",
        "directory_bytes",
        "payload_bytes",
        "gap_bytes",
        "trailing_bytes",
    ];
    assert_eq!(
        parts.map(number).iter().sum::<u64>(),
        daikatana().len() as u64
    );

    // The sums are those of the rows of `list`.
    let list = dir.run("list d.pak --json").json();
    for field in ["size", "packed_size"] {
        let sum: u64 = list.iter().map(|row| row[field].as_u64().unwrap()).sum();
        assert_eq!(number(field), sum);
    }
}

#[test]
fn info_from_sets_the_layout() {
    let dir = Dir::new();
    dir.file("q.pak", quake());
    let ran = dir.run("info q.pak --json --from daikatana");
    assert_eq!(ran.json()[0]["format"], "daikatana");
}

#[test]
fn info_of_a_damaged_archive_advises_verify() {
    let dir = Dir::new();
    dir.file("damaged.pak", damaged());
    dir.fails("info damaged.pak").err(
        "error: the archive is damaged\n  --> damaged.pak\n\
             help: find the damaged entries with 'daisho verify'\n",
    );
}

#[test]
fn info_says_which_engines_load_a_pak_and_why_not() {
    let dir = Dir::new();
    let many = (0..2049).fold(Pak::new(), |pak, _| pak.entry(entry(b"X", 12, 0, None)));
    dir.file("many.pak", many.quake());
    let ran = dir.ok("info -v many.pak").quiet();
    let text = ran.text();
    let (_, engines) = text.split_once("  engines  ").unwrap();
    let (engines, _) = engines.split_once("  unusual").unwrap();
    let names =
        "it finds names only as they are spelled: those of 2049 entries, first entry 0 \"X\"";
    assert_eq!(
        engines,
        format!(
            "darkplaces, fteqw, ezquake, xash3d, quake2, yquake2, yquake2remaster, q2pro: loads\n           \
             qss: loads, but {names}\n           \
             hexen2: refuses: it has 2049 entries, more than 2048; it quits with an error when it is asked for empty files: 2049 entries, first entry 0 \
             \"X\"; {names}\n           \
             hexenwail: refuses: it has 2049 entries, more than 2048\n           \
             ioquake3, dhewm3: refuses: it is a quake archive, not a pk3 archive\n           \
             daikatana: refuses: it is a quake archive, not a daikatana archive\n           \
             quake, quakespasm, ironwail, vkquake: refuses: it has 2049 entries, more than 2048, \
             and the game does not start with it; {names}\n"
        )
    );

    dir.file("d.pak", daikatana());
    let rows = dir.run("info d.pak --json").json();
    let engines = rows[0]["engines"].as_array().unwrap();
    assert_eq!(engines.len(), 18);
    assert_eq!(
        engines[0],
        serde_json::json!({
            "engine": "quake",
            "loads": false,
            "verdict": "misreads",
            "why": ["it is a daikatana archive, not a quake archive"],
        })
    );
    assert_eq!(
        engines[17],
        serde_json::json!({
            "engine": "daikatana",
            "loads": true,
            "verdict": "loads",
            "why": ["it finds names only as they are spelled: those of entry 6 \"maps\\\\old.bsp\""],
        })
    );
}

/// The table and the error of `--engine` say the same, and how many entries another layout would count is
/// said as the reason of the engine that counts so.
#[test]
fn info_engine_has_one_word_for_a_verdict() {
    let dir = Dir::new();
    let many = |count: u32| (0..count).fold(Pak::new(), |pak, n| pak.stored(format!("f{n}"), b"x"));
    dir.file("few.pak", many(3).daikatana());
    dir.file("many.pak", many(2541).daikatana());
    let info = |pak: &str| dir.run(format!("info {pak} --engine quake"));
    let why = "it is a daikatana archive, not a quake archive";
    info("few.pak")
        .code(1)
        .out_has(&format!("quake: misreads: {why}\n"))
        .err_has(&format!("error: quake misreads this archive: {why}\n"));
    let why = format!(
        "{why}; read as a quake pak it has 2858 entries, more than 2048, and the game does not start with it\n"
    );
    info("many.pak")
        .code(1)
        .out_has("  2541 files, ")
        .out_has(&format!("quake: refuses: {why}"))
        .err_has(&format!("error: quake refuses this archive: {why}"));
}

#[test]
fn info_groups_engines_by_what_they_do() {
    let game = |name: &str| format!("info {}", crate::corpus::path("game").join(name).display());
    let dir = Dir::new();
    dir.ok(game("id1/pak1.pak")).out_has(
        "\
  engines  loads    quake, quakespasm, ironwail, vkquake, qss,
                    darkplaces, fteqw, ezquake, hexen2, hexenwail,
                    xash3d, quake2, yquake2, yquake2remaster, q2pro
           refused  ioquake3, dhewm3, daikatana
",
    );
    dir.ok(game("data/pak1.pak")).out_has(
        "\
  engines  loads    daikatana
           misread  quake, quakespasm, ironwail, vkquake, qss,
                    darkplaces, fteqw, ezquake, hexen2, hexenwail,
                    xash3d, quake2, yquake2, yquake2remaster, q2pro
           refused  ioquake3, dhewm3
",
    );
}

/// Ten lines, with the reasons of the engines that were asked about among them; -v gives everything.
#[test]
fn info_prints_ten_lines_or_all_with_v() {
    let dir = Dir::new();
    dir.file("d.pak", daikatana());
    dir.file("e.pak", daikatana());
    let info = |line: &str| dir.run(format!("info d.pak {line}"));
    let brief = info("");
    assert!(brief.text().lines().count() <= 11, "{brief}");
    let asked = info("--engine quake");
    assert!(asked.text().lines().count() <= 11, "{asked}");
    // The same lines but for those of engines.
    let others = |ran: &super::Ran| -> Vec<String> {
        let is_other = |line: &&str| {
            !["engines", "name", "unread", "       "].contains(&line[..9.min(line.len())].trim())
                && !line.starts_with("           ")
        };
        ran.text()
            .lines()
            .filter(is_other)
            .map(str::to_owned)
            .collect()
    };
    assert_eq!(others(&asked), others(&brief));
    assert!(
        asked.text().contains("engines  quake: misreads: "),
        "{asked}"
    );
    // -v says more than either.
    for all in [info("-v"), info("-v --engine quake")] {
        for label in ["format", "entries", "holds", "file", "why"] {
            assert!(all.text().contains(&format!("\n  {label} ")), "{all}");
            assert!(!brief.text().contains(&format!("\n  {label} ")), "{brief}");
        }
    }
    // Several have a line each, unless there is a question about engines.
    assert_eq!(info("e.pak").text().lines().count(), 2);
    let several = info("e.pak --engine quake");
    assert_eq!(
        several.text().matches("engines  quake: misreads").count(),
        2
    );
}

#[test]
fn info_engine_names_what_this_engine_refuses() {
    let dir = Dir::new();
    let pak = Pak::new().stored("./a.txt", b"1").stored("b.txt", b"2");
    dir.file("dot.pak", pak.quake());
    let cut = Pak::new()
        .entry(entry(b"a", 12, 0, None))
        .entry(entry(b"b", 12, 999, None));
    dir.file("cut.pak", cut.quake());
    dir.file("empty.pk3", Zip::new().bytes());
    dir.file(
        "sfx.pk3",
        Zip::new().before(b"MZ", true).stored("a", b"1").bytes(),
    );
    for (path, engine, code, said) in [
        (
            "dot.pak",
            "yquake2",
            0,
            "loads, but it never finds entry 0 \"./a.txt\"\n",
        ),
        (
            "dot.pak",
            "quake2",
            0,
            "quake2: loads, but it finds names only as they are spelled: those of entry 0 \"./a.txt\"\n",
        ),
        (
            "cut.pak",
            "q2pro",
            1,
            "loads, but it does not find payloads that the file's end cuts off: entry 1 \"b\"\n",
        ),
        (
            "empty.pk3",
            "yquake2",
            1,
            "refuses: it has no entries, and the game does not start with it\n",
        ),
        ("empty.pk3", "ioquake3", 0, "ioquake3: loads\n"),
        (
            "sfx.pk3",
            "xash3d",
            1,
            "refuses: the file begins with something other than an entry\n",
        ),
        ("sfx.pk3", "ioquake3", 0, "ioquake3: loads\n"),
    ] {
        let ran = dir.run(format!("info {path} --engine {engine}"));
        assert!(ran.code(code).text().contains(said), "{path} {engine}");
    }
}

#[test]
fn info_v_reports_odd_records() {
    let dir = Dir::new();
    let mut pak = Pak::new();
    let (at, other) = (pak.payload(b"shared"), pak.payload(b"other"));
    for (name, at, size) in [
        ("a", at, 6),
        ("b", at, 6),
        ("c", other, 5),
        ("d", other, 5),
        ("e", other, 5),
    ] {
        pak = pak.entry(entry(name.as_bytes(), at, size, None));
    }
    dir.file("shared.pak", pak.quake());
    for (path, said) in [
        ("shared.pak", "2 payloads by 5 entries, 16 bytes saved\n"),
        (
            "corpus/name-garbage.pak",
            "leftovers after the name's end: in entry 2 \"gfx.wad\"\n",
        ),
        (
            "corpus/flag-2.pak",
            "compressed with a flag other than 1: entry 1 \"skins/a.tga\"\n",
        ),
    ] {
        if let Some(name) = path.strip_prefix("corpus/") {
            dir.file(
                path,
                std::fs::read(format!("corpus/paks/sound/{name}")).unwrap(),
            );
        }
        let ran = dir.run(format!("info -v {path}"));
        assert!(ran.code(0).text().contains(said), "{path}");
    }
}

/// Some engines end where others pass the pak over; what is said of both is one line.
#[test]
fn engines_with_the_same_verdict_share_a_line() {
    let dir = Dir::new();
    let sin = std::fs::read("corpus/paks/sound/plain-sin.pak").unwrap();
    dir.file("x.sin", sin);
    let ran = dir.ok("info -v x.sin");
    let text = ran.text();
    let said = "refuses: it is a sin archive, not a";
    assert_eq!(text.matches(&format!("{said} quake archive")).count(), 1);
    assert_eq!(
        text.matches(&format!("{said} daikatana archive")).count(),
        1
    );
}

/// CRC-16 bit by bit, as its definition has it: polynomial 0x1021, begun at 0xFFFF.
fn crc16(start: u16, bytes: &[u8]) -> u16 {
    let mut crc = start;
    for byte in bytes {
        for bit in (0..8).rev() {
            let one = (byte >> bit & 1 == 1) != (crc & 0x8000 != 0);
            crc = crc << 1 ^ if one { 0x1021 } else { 0 };
        }
    }
    crc
}

/// A pak that Quake takes for one of its own, by this checksum.
pub(super) fn stock(crc: u16) -> Vec<u8> {
    let plain = (0..339_u32).fold(Pak::new(), |pak, n| {
        pak.entry(entry(format!("f{n}").as_bytes(), 12, 0, None))
    });
    let mut bytes = plain.quake();
    // The two bytes at the end of the last name's field are free.
    let free = bytes.len() - 10;
    let (before, behind) = (crc16(0xFFFF, &bytes[12..free]), bytes[free + 2..].to_vec());
    let pair = (0..=u16::MAX)
        .map(u16::to_le_bytes)
        .find(|pair| crc16(crc16(before, pair), &behind) == crc);
    bytes[free..free + 2].copy_from_slice(&pair.unwrap());
    bytes
}

#[test]
fn quakes_own_paks_are_known_by_their_directory() {
    let dir = Dir::new();
    let mut bytes = Vec::new();
    for (crc, version) in [(13900, "1.00"), (62751, "1.01"), (32981, "1.06")] {
        bytes = stock(crc);
        dir.file("pak0.pak", &bytes);
        let ran = dir.ok("info pak0.pak");
        let line = format!(
            "  stock    the pak0.pak of Quake {version}, which Quake knows by its directory\n"
        );
        assert!(ran.text().contains(&line), "{ran}");
        let rows = dir.run("info pak0.pak --json").json();
        assert_eq!(rows[0]["stock"], version);
        // Written again the free bytes are zeros.
        dir.ok("convert pak0.pak -o anew.pak -f");
        dir.run("info anew.pak").out_lacks("stock");
    }
    bytes[12 + 30] ^= 1;
    dir.file("pak0.pak", &bytes);
    dir.run("info pak0.pak").out_lacks("stock");
}

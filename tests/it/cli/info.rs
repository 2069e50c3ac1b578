//! `info`

use super::paks::{daikatana, damaged, entry, quake, stored};
use super::{Dir, assert_snapshot, refused};
use crate::pak::build::Pak;

#[test]
fn wrong_usage_is_refused() {
    refused(&["info", "info a.pak --tree"]);
}

#[test]
fn it_says_what_a_pak_is_like() {
    let dir = Dir::new();
    dir.file("d.pak", daikatana());
    dir.file("q.pak", quake());
    let mut pak = stored(Pak::new(), b"a.wav", b"shared");
    pak.payload(b"gap!");
    pak = pak
        .entry(entry(b"b.wav", 12, 6, None))
        .entry(entry(b"B.WAV", 15, 6, None));
    let mut odd = stored(pak, b"../up", b"up").quake();
    odd.extend(b"behind the end");
    dir.file("odd.pak", odd);
    let ran = dir
        .daisho()
        .args(["info", "d.pak", "q.pak", "odd.pak"])
        .run();
    assert_snapshot("info", ran.code(0).quiet().text());
}

#[test]
fn json_has_the_promised_fields_and_accounts_for_every_byte() {
    let dir = Dir::new();
    dir.file("d.pak", daikatana());
    let ran = dir
        .daisho()
        .args(["info", "d.pak", "--json"])
        .run()
        .code(0)
        .quiet();
    let [row] = &ran.json()[..] else {
        panic!("one line expected: {ran}");
    };
    for field in [
        "pak",
        "layout",
        "why",
        "entries",
        "compressed",
        "size",
        "packed_size",
        "warnings",
    ] {
        assert!(row.get(field).is_some(), "{field}");
    }
    assert_eq!(row["layout"], "daikatana");
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
    let list = dir.daisho().args(["list", "d.pak", "--json"]).run().json();
    for field in ["size", "packed_size"] {
        let sum: u64 = list.iter().map(|row| row[field].as_u64().unwrap()).sum();
        assert_eq!(number(field), sum);
    }
}

#[test]
fn the_layout_can_be_set() {
    let dir = Dir::new();
    dir.file("q.pak", quake());
    let ran = dir
        .daisho()
        .args(["info", "q.pak", "--json", "--layout", "daikatana"])
        .run();
    assert_eq!(ran.json()[0]["layout"], "daikatana");
}

#[test]
fn damage_that_the_directory_shows_is_told() {
    let dir = Dir::new();
    dir.file("damaged.pak", damaged());
    dir.daisho()
        .args(["info", "damaged.pak"])
        .run()
        .code(1)
        .err(
            "error: the pak is damaged\n  --> damaged.pak\n\
             help: 'daisho verify' names every entry that cannot be decoded\n",
        );
}

//! Archives from standard input.

use super::Dir;
use super::paks::quake;

/// What a pipe gives can be read once, and an archive is read at any place: so it is kept for a while.
#[test]
fn an_archive_comes_from_standard_input() {
    let dir = Dir::new();
    dir.file("q.pak", quake());
    let run = |line: &str| dir.command(line).stdin(quake()).run().code(0);
    run("diff - q.pak").out("");
    let cat = run("cat - maps/e1m1.bsp");
    assert_eq!(cat.stdout(), b"level".repeat(300));
    assert_eq!(run("list - --json").json()[0]["archive"], "-");
    run("verify -");
    run("convert - -o d.pak --to daikatana");
    run("convert - -o pak0.pak --max-entries 4");
    dir.ok("diff d.pak q.pak").out("");
    run("extract - maps/e1m1.bsp");
    assert!(dir.has("stdin/maps/e1m1.bsp"));
    let zip = crate::archive::zips::build::Zip::new().deflated("a/pak0.pak", &quake());
    let list = dir.command("list --json -- -//a/pak0.pak").stdin(zip.bytes()).run().code(0);
    assert_eq!(list.json().len(), 7);
    dir.command("info -").stdin(b"no archive".to_vec()).run().code(2);
    // A file that is called so is named as one.
    dir.file("-", quake());
    dir.ok("verify ./-");
}

//! No exit status without a word: whatever makes it 1 or 2 is an error, and `-q` prints it, too.

use super::Dir;
use super::paks::{daikatana, damaged, quake};
use crate::archive::build::Pak;

/// Odd inputs of every kind, in directories and as files.
fn scene() -> (Dir, Vec<&'static str>) {
    let dir = Dir::new();
    let mut cut = quake();
    cut.truncate(cut.len() - 30);
    dir.file("good.pak", quake());
    dir.file("packed.pak", daikatana());
    dir.file("damaged.pak", damaged());
    dir.file("cut.pak", &cut);
    dir.file("none.pak", Pak::new().quake());
    dir.file("zero.pak", "");
    dir.file("text.pak", "no pak at all, but text");
    dir.file("magic.pak", "PACK");
    dir.file("hole.pak", [b"PACK".as_slice(), &[0xff; 8]].concat());
    std::fs::create_dir(dir.path("bare")).unwrap();
    dir.file("nones/pak0.pak", Pak::new().quake());
    dir.file("zeros/pak0.pak", "");
    dir.file("texts/readme.txt", "text");
    dir.file("id1/pak0.pak", quake());
    dir.file("id1/pak1.pak", damaged());
    dir.file("id1/pak2.pak", "");
    dir.file("id1/pak3.pak", Pak::new().quake());
    dir.file("deep/a/b/pak0.pak", &cut);
    dir.file("bad.txt", "no snapshot");
    dir.file("other.txt", "00000000 1 a\n");
    #[cfg(unix)]
    std::os::unix::fs::symlink("nowhere", dir.path("dangling.pak")).unwrap();
    let inputs = vec![
        "good.pak",
        "packed.pak",
        "damaged.pak",
        "cut.pak",
        "none.pak",
        "zero.pak",
        "text.pak",
        "magic.pak",
        "hole.pak",
        "bare",
        "nones",
        "zeros",
        "texts",
        "id1",
        "deep",
        "dangling.pak",
        "missing.pak",
        "good.pak none.pak",
        "good.pak zero.pak",
        "nones zeros bare",
    ];
    (dir, inputs)
}

/// Every verb that takes paks or directories, with the options that change what can go wrong.
const VERBS: [&str; 37] = [
    "list IT",
    "list -r IT",
    "list -r IT --json",
    "list -r IT -i nothing",
    "list --effective IT",
    "info IT",
    "info -r IT --json",
    "verify IT",
    "verify -r IT",
    "verify -r IT --json",
    "verify -r IT -i nothing",
    "verify -r IT --snapshot other.txt",
    "verify -r IT --snapshot bad.txt",
    "verify -r IT --snapshot nowhere.txt",
    "cat IT default.cfg",
    "cat IT --index 0 99",
    "show IT default.cfg",
    "show IT --index 0 99",
    "show IT --index 0 --json",
    "diff IT good.pak",
    "diff good.pak IT",
    "which IT default.cfg",
    "which IT nothing",
    "convert IT -o q.pak",
    "convert -r IT -C q",
    "convert -r IT -C q -n",
    "convert -r IT -C q --keep-going",
    "convert -r IT -C q --to daikatana",
    "convert --merge IT -o q.pak",
    "convert --merge IT -o q.pak --keep-going -n",
    "extract IT -C q",
    "extract -r IT -C q",
    "extract -r IT -C q -n",
    "extract -r IT -C q -i nothing",
    "extract --effective IT -C q",
    "create IT -o q.pak",
    "create IT -o q.pak -n",
];

#[test]
fn a_status_of_1_or_2_has_an_error() {
    let (dir, inputs) = scene();
    let mut seen = [0; 3];
    for verb in VERBS {
        for input in &inputs {
            let line = verb.replace("IT", input);
            let ran = dir.run(format!("-q {line}"));
            let _ = std::fs::remove_file(dir.path("q.pak"));
            let _ = std::fs::remove_dir_all(dir.path("q"));
            let code = ran.code.unwrap();
            seen[usize::try_from(code).unwrap()] += 1;
            // The differences are the word.
            if verb.starts_with("diff") && code == 1 && !ran.stdout.is_empty() {
                continue;
            }
            let reported = ran.stderr.lines().any(|line| line.starts_with("error: "));
            assert_eq!(code != 0, reported, "{line}: {ran}");
        }
    }
    assert!(seen.iter().all(|runs| *runs > 50), "{seen:?}");
}

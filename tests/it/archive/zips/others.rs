//! Other programs test every ZIP that we write, and we read the ZIPs that they write.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::cli::Dir;
use crate::skips::is_installed;

/// Tests a ZIP by a script, in which it is `$1`.
fn says_sound(dir: &Path, program: &str, script: &str, zip: &str) {
    if !is_installed(program) {
        return;
    }
    let ran = Command::new("sh").args(["-c", script, "sh", zip]).current_dir(dir).output().unwrap();
    let said =
        String::from_utf8_lossy(&ran.stdout).into_owned() + &String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{program} on {zip}: {said}");
    let complains =
        |line: &str| line.to_lowercase().contains("warning") && !line.contains("Warnings: 0");
    assert!(!said.lines().any(complains), "{program} on {zip}: {said}");
}

const PYTHON: &str = "python3 -c 'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); sys.exit(z.testzip() is not None)' \"$1\"";

#[test]
fn every_zip_that_is_written_is_accepted_by_others() {
    let dir = Dir::new();
    let corpus = crate::corpus::path("");
    for (from, to) in [
        ("game/data/pak0.pak", "daikatana.pk3"),
        ("game/id1/pak1.pak", "quake.pk3"),
        ("zips/sound/links.pk3", "links.zip"),
        ("zips/sound/duplicates.pk3", "duplicates.pk3"),
        ("zips/sound/names-in-cp437.pk3", "names.pk3"),
        ("zips/sound/empty-files.pk3", "empty.pkz"),
        ("zips/sound/before.zip", "before.pk4"),
    ] {
        let from = corpus.join(from).display().to_string();
        for level in ["", "--level 0", "--level 1", "--level 9"] {
            dir.ok(format!("convert {from} -o {to} -f {level}"));
            assert!(fs::read(dir.path(to)).unwrap().starts_with(b"PK\x03\x04"));
            dir.ok(format!("diff {from} {to}"));
            says_sound(&dir.path(""), "unzip", "unzip -tq \"$1\"", to);
            says_sound(&dir.path(""), "bsdtar", "bsdtar tf \"$1\"", to);
            says_sound(&dir.path(""), "7z", "7z t \"$1\"", to);
            says_sound(&dir.path(""), "7zz", "7zz t \"$1\"", to);
            says_sound(&dir.path(""), "python3", PYTHON, to);
        }
    }
}

#[test]
fn zips_of_other_programs_are_read() {
    let dir = Dir::new();
    let files = dir.path("files");
    fs::create_dir_all(files.join("maps")).unwrap();
    fs::write(files.join("maps/a.bsp"), vec![7; 100_000]).unwrap();
    fs::write(files.join("default.cfg"), "bind w +forward\n".repeat(100)).unwrap();
    fs::write(files.join("empty.txt"), "").unwrap();
    dir.ok("create -o ours.pak files");
    for (program, script) in [
        ("zip", "cd files && zip -qr ../theirs.zip ."),
        ("zip", "cd files && zip -qr - . | cat > ../theirs.zip"),
        ("zip", "cd files && zip -q0r ../theirs.zip ."),
        ("zip", "cd files && zip -q -fz -r ../theirs.zip ."),
        ("7z", "cd files && 7z a -tzip ../theirs.zip ."),
        ("7zz", "cd files && 7zz a -tzip ../theirs.zip ."),
        ("bsdtar", "bsdtar -caf theirs.zip -C files ."),
        ("bsdtar", "bsdtar --format zip -cf - -C files . | cat > theirs.zip"),
        ("python3", "python3 -m zipfile -c theirs.zip files/."),
        (
            "python3",
            "cd files && python3 -c 'import shutil; shutil.make_archive(\"../theirs\", \"zip\", \".\")'",
        ),
    ] {
        if !is_installed(program) {
            continue;
        }
        let _ = fs::remove_file(dir.path("theirs.zip"));
        let ran =
            Command::new("sh").args(["-c", script]).current_dir(dir.path("")).output().unwrap();
        assert!(ran.status.success(), "{script}: {ran:?}");
        dir.ok("verify theirs.zip").quiet();
        let mut names = dir.names("theirs.zip");
        names.sort();
        assert_eq!(names, ["default.cfg", "empty.txt", "maps/a.bsp"], "{script}");
        dir.ok("convert -q theirs.zip -o new.pk3 -f").quiet();
        dir.ok("extract theirs.zip -C out -f");
        for name in ["maps/a.bsp", "default.cfg", "empty.txt"] {
            let ours = fs::read(files.join(name)).unwrap();
            assert_eq!(fs::read(dir.path("out").join(name)).ok(), Some(ours), "{script}: {name}");
        }
    }
}

/// Links are kept by some programs. Whatever they lead to, the ZIP is not damaged.
#[cfg(unix)]
#[test]
fn a_link_to_a_folder_is_not_supported() {
    let dir = Dir::new();
    dir.file("files/maps/a.bsp", b"a map");
    std::os::unix::fs::symlink("maps", dir.path("files/dir")).unwrap();
    std::os::unix::fs::symlink("maps/a.bsp", dir.path("files/file")).unwrap();
    std::os::unix::fs::symlink("dir", dir.path("files/link")).unwrap();
    for (program, script) in
        [("zip", "cd files && zip -qry ../z.zip ."), ("bsdtar", "bsdtar -caf z.zip -C files .")]
    {
        if !is_installed(program) {
            continue;
        }
        let _ = fs::remove_file(dir.path("z.zip"));
        dir.sh(script).run().code(0);
        dir.ok("info z.zip")
            .out_has("not supported, because they are symbolic links to folders: 2 entries")
            .quiet();
        dir.fails("verify z.zip")
            .out("4 entries, 2 not supported, 10 bytes OK\n")
            .err_has(
                "a symbolic link to the folder \"maps\", but daisho follows links only to files",
            )
            .err_has("help: leave it out with -x dir")
            .err_lacks("damaged");
        let json = dir.fails("verify z.zip --json -i dir").json();
        assert_eq!(json[0]["status"], "unsupported");
        let problem = json[0]["problem"].as_str().unwrap();
        assert!(problem.ends_with(
            "the entry is a symbolic link to the folder \"maps\", but daisho follows links only to files"
        ), "{problem}");
        dir.ok("convert z.zip -o new.pk3 -f -x dir -x link");
        let mut names = dir.names("new.pk3");
        names.sort();
        assert_eq!(names, ["file", "maps/a.bsp"], "{script}");
    }
}

//! A directory without archives is an archive, in every verb that reads.

use std::fs;

use super::Dir;
use super::paks::quake;
use crate::archive::build::Pak;

/// The files of the directory, in the order of an archive.
const FILES: [(&str, &str); 3] =
    [("default.cfg", "bind x"), ("docs/a.txt", "text"), ("docs/b.txt", "text")];

/// A line for each verb that reads. `{}` is an archive of [`FILES`], and `out` must not exist.
const READING: [&str; 16] = [
    "list {}",
    "list -l --json {}",
    "info {}",
    "info --identity {}",
    "info {} docs/a.txt",
    "verify {}",
    "verify --json {}",
    "verify --snapshot out --update {}",
    "cat {} docs/a.txt",
    "show {} docs/a.txt",
    "gallery {} -o out",
    "dupes {}",
    "diff {} pak",
    "extract {} -C out",
    "convert {} -o out --to quake",
    "convert {} -o out.pk3",
];

/// The directory `files`, the archive `pak` of the same files, and the directories that are no archives.
fn filled() -> Dir {
    let dir = Dir::new();
    for (name, content) in FILES {
        dir.file(format!("files/{name}"), content);
    }
    dir.file("pak", Pak::of(&FILES).quake());
    dir
}

fn ran(dir: &Dir, line: &str, path: &str) -> super::Ran {
    let line = line.replace("{}", path);
    dir.run(line)
}

#[test]
fn every_verb_reads_a_directory_as_an_archive() {
    for line in READING {
        let (of_files, of_pak) = (filled(), filled());
        let files = ran(&of_files, line, "files").code(0);
        let pak = ran(&of_pak, line, "pak").code(0);
        // The same is written, whatever is read: files, archives, snapshots.
        if !line.starts_with("gallery") {
            assert_eq!(of_files.all(), of_pak.all(), "{line}");
        }
        if line.starts_with("cat") {
            assert_eq!(files.stdout(), pak.stdout());
        }
    }
}

#[test]
fn a_directory_has_the_json_objects_of_an_archive() {
    for line in ["list --json {}", "info --json {}", "verify --json {}", "dupes --json {}"] {
        let dir = filled();
        let [files, pak] = ["files", "pak"].map(|path| ran(&dir, line, path).code(0).json());
        assert_eq!(files.len(), pak.len(), "{line}");
        for (file, entry) in files.iter().zip(&pak) {
            assert_eq!(file["archive"], "files", "{line}");
            assert_eq!(file["index"], entry["index"], "{line}");
            assert_eq!(file["name"], entry["name"], "{line}");
            assert_eq!(file["size"], entry["size"], "{line}");
            let fields = |row: &serde_json::Value| -> Vec<String> {
                row.as_object().unwrap().keys().cloned().collect()
            };
            assert_eq!(fields(file), fields(entry), "{line}");
        }
    }
    let info = ran(&filled(), "info --json {}", "files").code(0).json();
    assert_eq!(info[0]["format"], "directory");
}

/// Each file begins at its own byte 0.
#[test]
fn info_counts_the_bytes_of_a_directory_once() {
    ran(&filled(), "info -v {}", "files").code(0).out_lacks("overlap").out_has(
        "file     14 bytes: header 0, directory 0, payloads 14, gaps 0, after the end 0\n",
    );
}

#[test]
fn extracted_files_satisfy_the_archives_snapshot() {
    let dir = filled();
    ran(&dir, "verify --snapshot s --update {}", "pak").code(0);
    ran(&dir, "verify --snapshot s {}", "files").code(0);
    dir.file("files/docs/a.txt", "more");
    ran(&dir, "verify --snapshot s {}", "files").code(1).out_has("docs/a.txt");
}

/// A directory of damaged archives must never be all right.
#[test]
fn a_directory_with_a_ruined_archive_is_refused() {
    for (file, content, option) in [
        ("files/empty.pak", "", ""),
        ("files/docs/text.pak", "text", ""),
        ("files/cut.bin", "PACK\0\0\0\0", ""),
        ("files/cut.wad", "WAD", ""),
        ("files/q.pak", "text", " --exclude-archive q.pak"),
    ] {
        for line in READING {
            let is_about_one =
                ["cat", "show", "info {} ", "diff"].iter().any(|verb| line.starts_with(verb));
            // A directory has an identity, whatever is in it.
            if is_about_one && !option.is_empty() || line.contains("--identity") {
                continue;
            }
            let dir = filled();
            dir.file(file, content);
            let before = dir.all();
            let line = format!("{line}{option}");
            let ran = ran(&dir, &line, "files");
            // What could be one archive is refused.
            let is_refused = is_about_one || line.starts_with("gallery") || !option.is_empty();
            let code = if is_refused { 2 } else { 1 };
            assert!(ran.is(code), "{file}, {line}: {ran}");
            ran.out_lacks("all OK").err_lacks("all OK");
            if !line.contains("--update") {
                assert_eq!(dir.all(), before, "{file}, {line}");
            }
        }
    }
}

/// It is too short for a pak, and nobody calls it one.
#[test]
fn a_directory_with_a_short_text_is_an_archive() {
    for text in ["PACK\n", "PACK", "WAD2 and 3\n"] {
        let dir = filled();
        let before = dir.ok("list files").stdout().len();
        dir.file("files/docs/w.txt", text);
        let ran = dir.ok("list files").err_lacks("warning");
        assert!(ran.stdout().len() > before, "{ran}");
        dir.ok("verify files").quiet();
        dir.file("files/docs/w.pak", text);
        dir.fails("list files").err_has("--> files/docs/w.pak");
    }
}

#[test]
fn a_directory_without_files_is_refused() {
    for (hidden, count) in [(false, ""), (true, "1 hidden or backup file is left out")] {
        for line in READING {
            let dir = filled();
            fs::create_dir_all(dir.path("none/folder")).unwrap();
            if hidden {
                dir.file("none/.hidden", "hidden");
            }
            let before = dir.all();
            ran(&dir, line, "none")
                .code(2)
                .err_has(count)
                .err_has("error: this directory holds no archive and no files\n  --> none\n");
            assert_eq!(dir.all(), before, "{line}");
        }
    }
}

#[test]
fn hidden_files_are_skipped_and_counted_everywhere() {
    for line in READING {
        let dir = filled();
        dir.file("files/.git/config", "hidden");
        dir.file("files/docs/Thumbs.db", "litter");
        dir.file("files/docs/a.txt~", "a backup");
        let ran = ran(&dir, line, "files").code(0);
        let warning = "warning: 3 hidden or backup files are left out, such as this one\n";
        assert_eq!(ran.err_count(warning), 1, "{line}: {ran}");
        assert!(!ran.to_string().contains("Thumbs.db"), "{line}: {ran}");
    }
}

#[test]
fn a_created_archive_equals_its_directory() {
    let dir = filled();
    dir.file("files/.git/config", "hidden");
    dir.file("files/gfx.wad", fs::read("corpus/wads/sound/plain-wad2.wad").unwrap());
    dir.file("files/id1/pak0.pak", quake());
    dir.file("files/id1/ruined.pak", "text");
    ran(&dir, "create {} -o x.pak", "files").code(0);
    for line in ["diff {} x.pak", "diff x.pak {}"] {
        ran(&dir, line, "files").code(0).out("");
    }
}

/// A link may lead up, to another link, or through a link to a directory, as long as it leads to a file in the directory.
#[cfg(unix)]
#[test]
fn every_verb_follows_links_to_files_in_the_directory() {
    let links = [
        ("link.cfg", "default.cfg"),
        ("docs/up.cfg", "../default.cfg"),
        ("docs/twice.cfg", "../link.cfg"),
        ("through.txt", ".folder/a.txt"),
    ];
    for line in READING.into_iter().chain(["create {} -o x.pak", "add pak --root {} {}/docs"]) {
        let (linked, copied) = (filled(), filled());
        for (name, to) in links {
            std::os::unix::fs::symlink(to, linked.path(format!("files/{name}"))).unwrap();
            let content = if name == "through.txt" { "text" } else { "bind x" };
            copied.file(format!("files/{name}"), content);
        }
        std::os::unix::fs::symlink("docs", linked.path("files/.folder")).unwrap();
        let is = ran(&linked, line, "files");
        let expected = ran(&copied, line, "files");
        assert!(is.stdout() == expected.stdout(), "{line}: {is}{expected}");
        assert_eq!(is.err_count("link is left out"), 0, "{line}: {is}");
        let mut written = linked.all();
        written.retain(|name| name != "files/.folder");
        assert_eq!(written, copied.all(), "{line}");
        for file in written.iter().filter(|name| !name.ends_with('/')) {
            assert!(linked.read(file) == copied.read(file), "{line}: {file}");
        }
    }
}

/// A link to nothing, to a directory, out of the directory, to itself.
#[cfg(unix)]
#[test]
fn every_verb_counts_the_links_that_it_leaves_out() {
    let one = "warning: a symbolic link is left out: it leads to no file in the directory that is \
               read\n  --> files/docs/out\n";
    let many = "warning: 4 symbolic links are left out: they lead to no file in the directory that \
                is read\n  --> files/dangling, and 3 more (-v names each)\n";
    let with_links = || {
        let dir = filled();
        dir.file("secret", "secret");
        let links =
            [("dangling", "nowhere"), ("docs/out", "../../secret"), ("self", "self"), ("up", "..")];
        for (name, to) in links {
            std::os::unix::fs::symlink(to, dir.path(format!("files/{name}"))).unwrap();
        }
        dir
    };
    for line in READING.into_iter().chain(["create {} -o x.pak", "add pak --root {} {}/docs -f"]) {
        let message = if line.starts_with("add") { one } else { many };
        let is = ran(&with_links(), line, "files").code(0);
        is.err_has(message).out_lacks("secret");
        let verbose = ran(&with_links(), &format!("{line} -v"), "files");
        assert_eq!(verbose.err_count(one), 1, "{line}: {verbose}");
    }
    let dir = with_links();
    for line in ["list", "verify -q", "dupes", "info", "convert -o x.pak -n"] {
        let rows = dir.ok(format!("{line} files --json")).json();
        let left_out: Vec<_> = rows.iter().filter(|row| row["status"] == "left_out").collect();
        assert_eq!(left_out.len(), 4, "{line}");
        assert_eq!(left_out[0]["archive"], "files/dangling");
        assert!(left_out[0]["why"].as_str().unwrap().contains("symbolic link"), "{line}");
    }
    let row = dir.ok("create files -o x.pak -n --json").json().remove(0);
    assert_eq!(row["warnings"].as_array().unwrap().len(), 4, "{row}");
}

#[test]
fn an_output_in_the_directory_that_is_read_is_refused() {
    for line in [
        "extract {}",
        "extract {} -C {}",
        "extract {} -C {}/new/folder",
        "extract pak ./{} -C {}/docs",
        "convert {} -o {}/x.pak",
        "convert {} -o {}/docs/x.pak -f",
        "convert {} -C out",
        "verify {} --snapshot {}/s --update",
        "gallery {} -o {}/page",
        "gallery {} -o {}/page",
    ] {
        let dir = filled();
        let before = dir.all();
        ran(&dir, line, "files").code(2).err_has("files");
        assert_eq!(dir.all(), before, "{line}");
    }
}

#[test]
fn an_archive_and_a_directory_are_read_together() {
    let dir = filled();
    ran(&dir, "list --names pak ./{}", "files")
        .code(0)
        .out_has("pak: default.cfg\n")
        .out_has("files: default.cfg\n");
    ran(&dir, "extract pak ./{} -C out", "files").code(0);
    assert!(dir.path("out/files/docs/a.txt").is_file());
    assert!(dir.path("out/pak/docs/a.txt").is_file());
}

/// DESIGN.md's order of what an argument after the first archive is.
#[test]
fn an_argument_is_an_archive_an_entry_or_a_directory() {
    let dir = filled();
    dir.file("docs/other.cfg", "a file outside");
    dir.file("folder/other.cfg", "a file outside");
    dir.file("default.cfg", "no archive");
    dir.file("second", Pak::new().stored("x", b"x").quake());
    for first in ["pak", "files"] {
        for (word, names) in [
            ("second", None),
            ("default.cfg", Some("default.cfg\n")),
            ("docs", Some("docs/a.txt\ndocs/b.txt\n")),
            ("docs/", Some("docs/a.txt\ndocs/b.txt\n")),
            ("b*", Some("docs/b.txt\n")),
            ("./docs", None),
            ("folder", None),
        ] {
            let line = format!("list --names {first} {word}");
            let listed = ran(&dir, &line, "").code(0);
            match names {
                Some(names) => {
                    listed.out(names);
                }
                None => {
                    let path = word.trim_end_matches('/');
                    listed
                        .out_has(&format!("{first}: default.cfg\n"))
                        .out_has(&format!("{path}: "));
                }
            }
        }
        let line = format!("list --names {first} nothing");
        ran(&dir, &line, "")
            .code(1)
            .out("")
            .err_has("error: no file and no entry is named \"nothing\"\n");
    }
}

#[cfg(unix)]
#[test]
fn directory_entries_may_have_non_utf_8_names() {
    use std::os::unix::ffi::OsStrExt as _;
    let dir = filled();
    let name = std::ffi::OsStr::from_bytes(b"files/b\xE4r.txt");
    fs::write(dir.path(name), "text").unwrap();
    let rows = ran(&dir, "list --json {}", "files").code(0).json();
    assert_eq!(rows[0]["name_hex"], "62e4722e747874");
    ran(&dir, "convert {} -o x.pak", "files").code(0);
    ran(&dir, "diff x.pak {}", "files").code(0).out("");
}

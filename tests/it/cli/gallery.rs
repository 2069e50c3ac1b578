//! A page that shows what archives hold.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::Dir;
use super::paks::pak;
use super::pictures::{palette, png};

/// A picture of Quake's menus, of one colour.
fn plain(colour: u8) -> Vec<u8> {
    [&[8, 0, 0, 0, 8, 0, 0, 0][..], &[colour; 64]].concat()
}

/// A sound of no length.
fn sound() -> Vec<u8> {
    let mut file =
        b"RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x11\x2B\0\0\x11\x2B\0\0\x01\0\x08\0"
            .to_vec();
    file.extend(b"data\0\0\0\0");
    file
}

/// The rows of a page: what its scripts hand to `files`.
fn rows(page: &str) -> Vec<serde_json::Value> {
    let pieces = page.split("<script>files(").skip(1);
    let lists = pieces.map(|rest| rest.split(");</script>").next().unwrap());
    lists
        .flat_map(|list| {
            let list: serde_json::Value = serde_json::from_str(&format!("[{list}]")).unwrap();
            list.as_array().unwrap().clone()
        })
        .collect()
}

#[test]
fn gallery_shows_every_entry_by_its_kind() {
    let dir = Dir::new();
    let cut = plain(1)[..20].to_vec();
    let files = [
        ("gfx/a.lmp", plain(7)),
        ("gfx/palette.lmp", palette(9)),
        ("gfx/cut.lmp", cut),
        ("sound/a.wav", sound()),
        ("a.cfg", b"bind x \"b\xe4r\"\n".to_vec()),
        ("progs/none.bin", vec![0, 1, 2]),
    ];
    dir.file("a.pak", pak(&files));
    let run = |more: &str| dir.run(format!("gallery a.pak {more}"));
    run("-o look -j1")
        .code(1)
        .err_has("the picture cannot be decoded")
        .err_has("entry 2 \"gfx/cut.lmp\"")
        .err_has("open look/index.html in a browser: 6 entries, 2 pictures in ");
    let page = dir.text("look/index.html");
    let rows = rows(&page);
    let column = |row: usize, at: usize| rows[row][at].as_str().unwrap().to_owned();
    let looks: Vec<String> = (0..6).map(|row| column(row, 5)).collect();
    assert_eq!(looks, ["picture", "picture", "", "sound", "text", ""]);
    assert_eq!(column(0, 2), "gfx/a.lmp");
    assert!(column(2, 9).contains("the picture cannot be decoded"), "{rows:?}");
    assert_eq!(dir.read(format!("look/{}", column(3, 7))), sound());
    let text = dir.read(format!("look/{}", column(4, 7)));
    assert_eq!(text, "\u{feff}bind x \"bär\"\n".as_bytes());
    // The picture is what extract writes.
    dir.ok("extract a.pak gfx/a.lmp --png -C x -q");
    let full = dir.read(format!("look/{}", column(0, 7)));
    assert_eq!(full, dir.read("x/gfx/a.lmp.png"));

    // It is there: refused, kept, replaced by the same bytes on four threads.
    run("-o look").code(2).err_has("already exists\n  --> look/index.html");
    run("-o look -k").code(0).err_has("look/index.html: kept");
    run("-o look -f -j4 -q").code(1);
    assert_eq!(dir.read("look/index.html"), page.as_bytes());
}

#[test]
fn gallery_escapes_hostile_names_and_contents() {
    let dir = Dir::new();
    let hostile = "</script><script>alert(1)//";
    let files = [
        (b"<img src=x onerror=alert(1)>.cfg".to_vec(), hostile.into()),
        (hostile.as_bytes().to_vec(), hostile.into()),
        (b"a\"]);alert(1);([\"\xe2\x80\xa8\x1b\xff.lmp".to_vec(), plain(1)),
    ];
    // Windows has no such file.
    let name = if cfg!(windows) { "b.pak" } else { "</title><b>.pak" };
    dir.file(name, pak(&files));
    dir.run(format!("gallery -q {name} -o look"));
    let page = dir.text("look/index.html");
    // Its own script, the archives, the files, the start.
    assert_eq!(page.matches("<script>").count(), 4, "{page}");
    assert_eq!(page.matches("</script>").count(), 4);
    // Nothing comes between the scripts that hold the rows.
    assert_eq!(page.matches(">\n<script>files(\n").count(), 1, "{page}");
    assert_eq!(page.matches("</title>").count(), 1);
    assert!(!page.contains("<img src=x") && !page.contains("<b>"));
    assert!(cfg!(windows) || page.contains("title&gt;&lt;b&gt;.pak"));
    assert!(!page.contains('\x1b') && !page.contains('\u{2028}'));
    assert_eq!(rows(&page).len(), 3);
}

/// People publish pages.
#[test]
fn gallery_names_archives_below_the_given_path() {
    let dir = Dir::new();
    for name in ["games/id1/pak0.pak", "games/q2/pak0.pak", "other/q2/pak0.pak", "lone.pak"] {
        dir.file(name, pak(&[("a.txt", b"text".to_vec())]));
    }
    let paths = ["games", "other", "lone.pak"];
    for typed in [paths.map(|name| dir.path(name)), paths.map(Into::into)] {
        dir.command("gallery -f -o page").args(typed).run().code(0);
        let page = dir.text("page/index.html");
        let names = "archives(\"id1/pak0.pak\",\"q2/pak0.pak\",\"q2/pak0.pak (2)\",\"lone.pak\");";
        let names = if cfg!(windows) { names.replace('/', r"\\") } else { names.to_owned() };
        assert!(page.contains(&names));
        let folder = dir.path("");
        assert!(!page.contains(folder.to_str().unwrap().trim_end_matches('/')));
    }
}

#[test]
fn gallery_without_entries_writes_nothing() {
    let dir = Dir::new();
    dir.file("id1/pak0.pak", pak(&[("gfx/a.lmp", plain(7))]));
    let run = |arguments: &str| dir.run(format!("gallery {arguments}"));
    run("id1/pak0.pak -i *.none -o x").code(1).err_has("no entry matches");
    dir.file("empty/readme.txt", "no archive");
    dir.file("empty/empty.pak", "");
    run("empty -o x").code(2).err_has("this directory holds no archive");
    assert!(!dir.has("x"));
}

const CHROMIUM: &str = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync \
    --disable-background-networking --disable-component-update --hide-scrollbars --window-size=1000,800 \
    --virtual-time-budget=5000";

/// Headless Chromium, where it is installed.
fn chromium(dir: &Dir, more: &str) -> Option<Vec<u8>> {
    let page = std::fs::canonicalize(dir.path("look/index.html")).unwrap();
    let ran = Command::new("chromium")
        .args(CHROMIUM.split_whitespace())
        .arg(format!("--user-data-dir={}", dir.path("profile").display()))
        .arg(more)
        .arg(format!("file://{}", page.display()))
        .output();
    ran.ok().filter(|it| it.status.success()).map(|it| it.stdout)
}

/// Ten thousand pictures: only the tiles that are seen are made, and they are seen.
#[test]
fn a_browser_shows_ten_thousand_pictures() {
    let dir = Dir::new();
    let name = |n: usize| format!("textures/t{n:05}.lmp");
    let mut files: Vec<(String, Vec<u8>)> =
        (0..10_000).map(|n| (name(n), plain((n % 251) as u8))).collect();
    files.push(("gfx/palette.lmp".to_owned(), palette(0)));
    dir.file("a.pak", pak(&files));
    dir.ok("gallery -q a.pak -o look");
    let Some(dom) = chromium(&dir, "--dump-dom") else {
        crate::skips::skip("chromium is not installed, or does not run");
        return;
    };
    let dom = String::from_utf8(dom).unwrap();
    assert!(dom.contains("10001 of 10001 files"), "{dom}");
    let tiles = dom.matches("<button type=\"button\" class=\"tile").count()
        + dom.matches("<button class=\"tile").count();
    assert!((20..300).contains(&tiles), "{tiles} tiles");
    assert!(dom.contains("aria-setsize=\"10001\""), "{dom}");
    let is_made = |n| dom.contains(&format!("aria-label=\"{}", name(n)));
    assert!(is_made(0) && !is_made(9_999), "{dom}");

    // Kept to be looked at, where it was judged.
    let shot: PathBuf = Path::new(env!("CARGO_TARGET_TMPDIR")).join("gallery.png");
    let _ = std::fs::remove_file(&shot);
    chromium(&dir, &format!("--screenshot={}", shot.display())).unwrap();
    let (_, _, rgba) = png(&std::fs::read(&shot).unwrap());
    for n in 0..10_u8 {
        let seen = rgba.chunks_exact(4).filter(|it| *it == [n, 0, 255 - n, 255]).count();
        assert!(seen > 2000, "colour {n} on {seen} pixels of {shot:?}");
    }
}

#[test]
fn gallery_counts_only_pictures_as_pictures() {
    let dir = Dir::new();
    dir.copy("game/id1/pak0.pak", "pak0.pak");
    dir.ok("gallery pak0.pak -o look -i *.bsp -i *.lmp")
        .err_has("open look/index.html in a browser: 5 entries, 3 pictures in ");
    let page = dir.text("look/index.html");
    let looks: Vec<_> = rows(&page).iter().map(|row| row[5].clone()).collect();
    assert_eq!(looks, ["picture", "picture", "picture", "map", "map"]);
}

#[test]
fn gallery_thumbnails_keep_the_shape_of_pictures() {
    let dir = Dir::new();
    let large = [&[0, 2, 0, 0, 0, 1, 0, 0][..], &[7; 512 * 256]].concat();
    dir.file("a.pak", pak(&[("gfx/a.lmp", large)]));
    dir.ok("gallery -q a.pak -o look");
    let (width, height, _) = png(&dir.read("look/files/0/0.small.png"));
    assert_eq!(width, 2 * height);
}

/// Nothing is replaced without -f, the files beside the page included.
#[test]
fn gallery_replaces_its_files_only_with_f() {
    let dir = Dir::new();
    dir.file("a.pak", pak(&[("gfx/a.lmp", plain(7))]));
    let gallery = |more: &str| dir.run(format!("gallery a.pak -o look -q {more}"));
    gallery("").code(0);
    let page = dir.read("look/index.html");
    let name = dir.all().into_iter().find(|it| it.ends_with(".png"));
    let name = name.unwrap();
    let picture = dir.read(&name);
    dir.file(&name, "mine");
    dir.remove("look/index.html");
    let all = dir.all();
    let said = format!("already exists\n  --> {name}");
    gallery("").code(2).err_has(&said);
    let said =
        format!("the page does not exist, but files of it do, and this is the first\n  --> {name}");
    gallery("-k").code(2).err_has(&said);
    assert_eq!(dir.read(&name), b"mine");
    assert_eq!(dir.all(), all);
    gallery("-f").code(0);
    assert_eq!(dir.read(&name), picture);
    assert_eq!(dir.read("look/index.html"), page);
}

/// A page that was made of other archives shows what they hold.
#[test]
fn gallery_with_k_keeps_a_whole_page_or_refuses() {
    let dir = Dir::new();
    dir.file("a.pak", pak(&[("gfx/a.lmp", plain(7)), ("a.cfg", b"a".to_vec())]));
    dir.file("b.pak", pak(&[("b.cfg", b"b".to_vec()), ("gfx/b.lmp", plain(9))]));
    let gallery = |from: &str, more: &str| dir.run(format!("gallery {from} -o look -q {more}"));
    gallery("a.pak", "").code(0);
    let before = dir.all();
    let page = dir.read("look/index.html");
    gallery("b.pak", "-k").code(0);
    assert_eq!(dir.read("look/index.html"), page);
    dir.remove("look/index.html");
    // Files that belong to no page of this archive do not matter.
    dir.file("look/files/0/readme.txt", "mine");
    dir.file("look/files/9/0.txt", "mine");
    gallery("b.pak", "-k")
        .code(2)
        .err_has("but files of it do, and this is the first\n  --> look/files/0/0.png");
    gallery("b.pak", "")
        .code(2)
        .err_has("already exists\n  --> look/files/0/0.png\n")
        .err_has("already exists\n  --> look/files/0/1.txt\n");
    assert!(!dir.has("look/index.html"));
    std::fs::remove_dir_all(dir.path("look")).unwrap();
    gallery("a.pak", "").code(0);
    assert_eq!(dir.all(), before);
    // Where a folder of the page should be is a file, or a folder where a file should be.
    for [removed, made] in [["look", "look/files"], ["look", "look/files/0/0.png/x"]] {
        std::fs::remove_dir_all(dir.path(removed)).unwrap();
        dir.file(made, "mine");
        let before = dir.all();
        for existing in ["", "-k", "-f"] {
            gallery("a.pak", existing).code(2);
            assert_eq!(dir.all(), before);
        }
    }
}

#[test]
fn gallery_of_a_cut_archive_shows_the_rest() {
    let dir = Dir::new();
    let whole = pak(&[("a.cfg", b"a".to_vec()), ("b.cfg", b"b".to_vec())]);
    dir.file("cut.pak", &whole[..whole.len() - 40]);
    let gallery = |more: &str| dir.run(format!("gallery cut.pak -o look {more}"));
    gallery("").code(1).err_has("entries are missing");
    let page = dir.text("look/index.html");
    assert_eq!(rows(&page).len(), 1);
    gallery("-f -q").code(1);
}

#[test]
fn gallery_names_missing_archives_and_shows_the_rest() {
    let dir = Dir::new();
    dir.file("a.pak", pak(&[("gfx/a.lmp", plain(7))]));
    dir.file("text.pak", "no archive");
    dir.fails("gallery nosuch.pak text.pak a.pak -o x")
        .err_has("no such file or directory\n  --> nosuch.pak\n")
        .err_has("  --> text.pak\n");
    let page = dir.text("x/index.html");
    assert_eq!(rows(&page).len(), 1);
}

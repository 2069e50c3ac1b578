//! `show`: pictures in a terminal, text, facts.

use super::paks::pak;
use super::pictures::{lump, palette};
use super::{Dir, Ran, assert_plain};

/// A picture, its palette, text, and what is neither.
fn scene() -> Dir {
    let dir = Dir::new();
    let files: [(&str, &[u8]); 5] = [
        ("gfx/a.lmp", &lump([1, 2])),
        ("gfx/palette.lmp", &palette(0)),
        ("quake.rc", b"exec default.cfg\r\n\tbind \x1b[2J\xff x"),
        ("progs.dat", &[0; 64]),
        ("gfx/cut.lmp", &lump([1, 2])[..9]),
    ];
    dir.file("a.pak", pak(&files));
    dir
}

/// Shows entries of `a.pak` on a terminal of all colours.
fn show(dir: &Dir, line: &str) -> Ran {
    let command = dir.command(format!("show a.pak {line}"));
    command.env("COLORTERM", "truecolor").styled().run()
}

/// A text without colours.
pub(crate) fn without_colours(text: &str) -> String {
    let mut parts = text.split("\x1b[");
    let mut plain = parts.next().unwrap().to_owned();
    for part in parts {
        let (code, rest) = part.split_once('m').unwrap();
        assert!(code.bytes().all(|it| it.is_ascii_digit() || it == b';'), "{code}");
        plain += rest;
    }
    plain
}

#[test]
fn show_in_a_pipe_prints_what_info_prints() {
    let dir = Dir::new();
    dir.copy("game/data/pak1.pak", "a.pak");
    let all = "maps/e1m2.bsp textures/e1/wall.wal pics/load0.pcx sound/hit.wav scripts/intro.rc readme.txt";
    for more in ["", "-v", "--json"] {
        let info = dir.ok(format!("info a.pak {all} {more}"));
        for entries in [all, "--index 0 1 3 5 6 7"] {
            let shown = show(&dir, &format!("{entries} {more}"));
            shown.code(0).quiet().out(info.stdout());
        }
    }
    let info = dir.ok("info a.pak pics/load0.pcx");
    for color in ["auto", "never"] {
        show(&dir, &format!("pics/load0.pcx --color {color}")).code(0).out(info.stdout());
    }
}

#[test]
fn show_draws_two_pixels_as_worked_out_by_hand() {
    let dir = scene();
    let line = "\x1b[38;2;1;0;254m▀\x1b[38;2;2;0;253m▀\x1b[0m\n";
    show(&dir, "gfx/a.lmp --color always").code(0).quiet().out(line);
    // One column has half of it.
    show(&dir, "gfx/a.lmp --color always --width 1").code(0).out("\x1b[38;2;1;0;253m▀\x1b[0m\n");
    let few = dir.command("show a.pak gfx/a.lmp --color always");
    few.env("COLORTERM", "").run().code(0).out("\x1b[38;5;21m▀▀\x1b[0m\n");
}

#[test]
fn show_makes_large_pictures_fit() {
    let dir = Dir::new();
    let picture = [&[200, 0, 0, 0, 100, 0, 0, 0][..], &[1; 200 * 100]].concat();
    dir.file("a.pak", pak(&[("a.lmp", picture)]));
    let ran = show(&dir, "a.lmp --color always --width 20").code(0);
    let text = without_colours(str::from_utf8(ran.stdout()).unwrap());
    assert_eq!(text, format!("{}\n", "▀".repeat(20)).repeat(5));
    // A tall one is as high as the terminal, but for two lines.
    let picture = [&[16, 0, 0, 0, 144, 1, 0, 0][..], &[1; 16 * 400]].concat();
    dir.file("a.pak", pak(&[("a.lmp", picture)]));
    let tall = dir.command("show a.pak a.lmp --color always -q");
    let ran = tall.env("LINES", "10").styled().run().code(0);
    assert_eq!(str::from_utf8(ran.stdout()).unwrap().lines().count(), 8);
}

#[test]
fn show_leaves_out_pixels_that_are_mostly_clear() {
    let dir = Dir::new();
    let header = [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 1, 0, 32, 0x28];
    let pixels = [30, 20, 10, 128, 60, 50, 40, 127];
    let tga = [&header[..], &pixels].concat();
    dir.file("a.pak", pak(&[("a.tga", &tga)]));
    show(&dir, "a.tga --color always").code(0).out("\x1b[38;2;10;20;30m▀ \x1b[0m\n");
}

#[test]
fn show_prints_facts_of_png_and_jpeg() {
    let dir = scene();
    dir.ok("extract a.pak gfx/a.lmp --png");
    let png = dir.read("a/gfx/a.lmp.png");
    let jpeg = b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0\xff\xc0\0\x0b\x08\0\x02\0\x03\x01\x01\x11\0\xff\xd9";
    dir.file("a.pak", pak(&[("p.png", &png[..]), ("j.jpg", jpeg)]));
    for name in ["p.png", "j.jpg"] {
        let info = dir.run(format!("info a.pak {name}"));
        show(&dir, &format!("{name} --color always"))
            .code(0)
            .out(info.stdout())
            .err_has("PNG and JPEG are not decoded")
            .err_has("daisho cat ARCHIVE NAME | chafa");
    }
}

#[test]
fn show_escapes_text_and_prints_facts_of_the_rest() {
    let dir = scene();
    let text = "exec default.cfg\n        bind \\x1b[2J\\xff x\n";
    let blocks = |names: &str| show(&dir, &format!("{names} --color always")).code(0);
    blocks("quake.rc").quiet().out(text);
    let info = dir.run("info a.pak progs.dat");
    blocks("progs.dat").quiet().out(info.stdout());
    // Each of several entries has a heading.
    let ran = blocks("quake.rc GFX\\A.LMP progs.dat").quiet();
    let found = without_colours(str::from_utf8(ran.stdout()).unwrap());
    let picture = "▀▀\n";
    let heading = "entry 0 \"gfx/a.lmp\", LMP (Quake), 2x1, 8 bit\n";
    let info = info.text();
    let expected = format!("entry 2 \"quake.rc\"\n{text}\n{heading}{picture}\n{info}");
    assert_eq!(found, expected);
    // Long text is whole, however it is cut while it is decoded; what reverses reading order is escaped.
    let long: String = (0..40_000).map(|n| format!("line {n} é刀\n")).collect();
    let bidi = "bind \u{202e}x\u{9b}\n";
    dir.file("a.pak", pak(&[("long.txt", &long[..]), ("a.cfg", bidi)]));
    blocks("long.txt").out(&long);
    blocks("a.cfg").out("bind \\u{202e}x\\u{9b}\n");
}

#[test]
fn show_prints_facts_of_undecodable_pictures() {
    let dir = scene();
    let ran = show(&dir, "gfx/cut.lmp none.lmp gfx/a.lmp --color always")
        .code(1)
        .err_has("the picture cannot be decoded: ")
        .err_has("entry 4 \"gfx/cut.lmp\"")
        .err_has("none.lmp");
    let text = without_colours(str::from_utf8(ran.stdout()).unwrap());
    assert!(text.starts_with("a.pak: entry 4 \"gfx/cut.lmp\"\n  type"));
    assert!(text.ends_with("▀\n"), "{text}");
    // Facts alone are not decoded.
    show(&dir, "gfx/cut.lmp").code(0).quiet();
    // Quake's palette is built in, and used with a warning. Its colour 1 is (15, 15, 15).
    dir.file("a.pak", pak(&[("a.lmp", lump([1, 2]))]));
    let drawn = show(&dir, "a.lmp --color always")
        .code(0)
        .err_has("no palette was found, so the picture gets Quake's");
    assert!(drawn.stdout().starts_with(b"\x1b[38;2;15;15;15m"), "{drawn}");
}

#[test]
fn show_frames_draws_all_frames() {
    let dir = Dir::new();
    let texture = std::fs::read(crate::corpus::path("pictures/quake2.wal")).unwrap();
    dir.file("a.pak", pak(&[("a.wal", &texture)]));
    let drawn = |more: &str| {
        let ran = show(&dir, &format!("a.wal -q --color always {more}")).code(0);
        assert_plain(&without_colours(str::from_utf8(ran.stdout()).unwrap()));
        ran.stdout().to_vec()
    };
    assert_ne!(drawn(""), drawn("--frames"));
}

/// Runs a script in a terminal of `script`, if that is installed.
#[cfg(target_os = "linux")]
fn terminal(dir: &Dir, variables: &str, script: &str) -> Option<String> {
    let unset =
        "-u CI -u TMUX -u STY -u KITTY_WINDOW_ID -u TERM_PROGRAM -u WT_SESSION -u COLORTERM";
    if !crate::skips::is_installed("script") {
        return None;
    }
    let all = format!("env {unset} {variables} script -qec '{script}' /dev/null </dev/null");
    Some(String::from_utf8(dir.sh(&all).run().code(0).stdout().to_vec()).unwrap())
}

#[cfg(target_os = "linux")]
#[test]
fn show_draws_colours_as_the_terminal_says() {
    let dir = scene();
    let show = "daisho show a.pak gfx/a.lmp";
    let (all, some) = ("\x1b[38;2;1;0;254m", "\x1b[38;5;21m");
    for (variables, drawn) in [
        ("TERM=xterm", some),
        ("TERM=xterm-direct", all),
        ("TERM=foot COLORTERM=truecolor", all),
        ("TERM=xterm-kitty KITTY_WINDOW_ID=1", some),
        ("TERM=screen WT_SESSION=1", all),
        ("TERM=xterm TERM_PROGRAM=WezTerm", some),
    ] {
        let Some(shown) = terminal(&dir, variables, show) else {
            return;
        };
        assert!(shown.contains(drawn), "{variables}: {shown:?}");
        // Neither kitty's nor iTerm2's sequences.
        assert!(!shown.contains("\x1b_G") && !shown.contains("\x1b]"), "{variables}");
        // The terminal is asked nothing.
        assert!(!shown.contains("\x1b[c") && !shown.contains("a=q"), "{shown:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn show_without_colours_prints_facts_and_text() {
    let dir = scene();
    let show = "daisho show a.pak gfx/a.lmp quake.rc";
    for variables in ["TERM=xterm NO_COLOR=1", "TERM=dumb"] {
        let Some(shown) = terminal(&dir, variables, show) else {
            return;
        };
        assert!(shown.contains("  width    2\r\n"), "{shown}");
        assert!(shown.contains("bind \\x1b[2J\\xff x\r\n"), "{shown}");
        assert!(shown.contains("pictures are drawn in colours here"), "{shown}");
        assert!(!shown.contains('▀'), "{shown}");
        assert!(!shown.contains("\x1b[c"), "{shown:?}");
    }
}

#[cfg(unix)]
#[test]
fn show_draws_blocks_in_tmux() {
    let dir = scene();
    let daisho = env!("CARGO_BIN_EXE_daisho");
    let show = format!("'{daisho}' show a.pak gfx/a.lmp");
    let Some(terminal) = super::bars::Terminal::new("show", &dir, &show) else {
        return;
    };
    let screen = terminal.wait(|screen| screen.contains("CODE="));
    assert_eq!(screen, "▀▀\nCODE=0");
}

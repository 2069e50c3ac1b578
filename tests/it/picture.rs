//! Draws README's picture `run.svg` from `run.ansi`, a terminal session that `.github/picture/record` has recorded.
//!
//! The recording is text with escape sequences for colour, as a terminal would show it, in parts
//! that a form feed divides: the same screen at several times, one below the other in the picture.
//! `INSTA_UPDATE=always` overwrites the picture.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// A cell of the terminal, in the picture's units.
const CELL: (usize, usize) = (9, 20);
const MARGIN: usize = 20;
/// What is above the text: a window's bar.
const BAR: usize = 34;
const COLUMNS: usize = 96;

const PAPER: &str = "#11151c";
const INK: &str = "#d7dce2";
const FONTS: &str =
    "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace";
/// The terminal's eight colours, each with enough contrast to the paper.
const COLOURS: [&str; 8] =
    ["#8b95a1", "#ff7b72", "#56d364", "#e3b341", "#79b8ff", "#d2a8ff", "#56d4dd", INK];

/// Characters of one colour and weight, and the column where they begin.
#[derive(Debug, PartialEq)]
struct Run {
    column: usize,
    text: String,
    colour: &'static str,
    bold: bool,
}

/// A line of the recording, cut where colour or weight changes.
fn runs(line: &str) -> Vec<Run> {
    let (mut runs, mut column) = (Vec::new(), 0);
    let (mut colour, mut bold) = (INK, false);
    for (n, part) in line.split("\x1b[").enumerate() {
        let text = if n == 0 {
            part
        } else {
            let (codes, text) = part.split_once('m').expect("a sequence that is no colour");
            for code in codes.split(';') {
                match code.parse().unwrap_or(0) {
                    0 => (colour, bold) = (INK, false),
                    1 => bold = true,
                    22 => bold = false,
                    code @ 30..=37_usize => colour = COLOURS[code - 30],
                    39 => colour = INK,
                    49 => {}
                    code => panic!("{code} is no colour that the picture knows"),
                }
            }
            text
        };
        if !text.is_empty() {
            let text = text.to_owned();
            let width = text.chars().count();
            runs.push(Run { column, text, colour, bold });
            column += width;
        }
    }
    runs
}

/// The recording as a picture.
fn svg(recording: &str) -> String {
    let parts: Vec<Vec<&str>> =
        recording.split("\x0c\n").map(|part| part.lines().collect()).collect();
    let lines: usize = parts.iter().map(Vec::len).sum();
    let width = COLUMNS * CELL.0 + 2 * MARGIN;
    // A line of room about each division.
    let height = BAR + (lines + parts.len() - 1) * CELL.1 + MARGIN;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" font-family=\"{FONTS}\" font-size=\"15\">\n\
         <rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"{PAPER}\"/>\n"
    );
    for (n, colour) in ["#ff7b72", "#e3b341", "#56d364"].iter().enumerate() {
        let x = MARGIN + n * 20;
        let _ = writeln!(svg, "<circle cx=\"{x}\" cy=\"17\" r=\"6\" fill=\"{colour}\"/>");
    }
    let mut y = BAR;
    for (n, part) in parts.iter().enumerate() {
        if n > 0 {
            let (right, middle) = (width - MARGIN, y + CELL.1 / 2);
            let _ = writeln!(
                svg,
                "<path d=\"M{MARGIN} {middle}H{right}\" stroke=\"#3b434e\" stroke-dasharray=\"4 4\"/>"
            );
            y += CELL.1;
        }
        for line in part {
            for run in runs(line) {
                text(&mut svg, &run, y + 15);
            }
            y += CELL.1;
        }
    }
    svg.push_str("</svg>\n");
    svg
}

/// One run. Its length is said, so that columns stand below each other in any font.
fn text(svg: &mut String, run: &Run, y: usize) {
    let x = MARGIN + run.column * CELL.0;
    let length = run.text.chars().count() * CELL.0;
    let weight = if run.bold { " font-weight=\"bold\"" } else { "" };
    let colour = run.colour;
    let text = run.text.replace('&', "&amp;").replace('<', "&lt;");
    let _ = writeln!(
        svg,
        "<text x=\"{x}\" y=\"{y}\" fill=\"{colour}\"{weight} textLength=\"{length}\" \
         xml:space=\"preserve\">{text}</text>"
    );
}

#[test]
fn the_picture_shows_the_recording() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(".github/picture");
    let recording = fs::read_to_string(folder.join("run.ansi")).unwrap();
    let wide = recording.lines().filter(|line| {
        let columns: usize = runs(line).iter().map(|run| run.text.chars().count()).sum();
        columns > COLUMNS
    });
    assert_eq!(wide.count(), 0, "lines wider than the picture");
    let made = svg(&recording);
    let path = folder.join("run.svg");
    if crate::corpus::renews() {
        fs::write(&path, &made).unwrap();
    }
    assert_eq!(fs::read_to_string(&path).unwrap_or_default(), made);
}

#[test]
fn colours_and_weight_hold_until_they_change() {
    let run =
        |column, text: &str, colour, bold| Run { column, text: text.to_owned(), colour, bold };
    assert_eq!(
        runs("\x1b[1m\x1b[32m$\x1b[0m\x1b[39m\x1b[49m ls\x1b[1;31m!"),
        [run(0, "$", COLOURS[2], true), run(1, " ls", INK, false), run(4, "!", COLOURS[1], true)]
    );
}

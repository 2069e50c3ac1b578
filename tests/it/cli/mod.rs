//! The command, through the real binary.
//!
//! A test makes a [`Dir`], puts files into it, and runs the command there:
//!
//! ```ignore
//! let dir = Dir::new();
//! dir.file("a.pak", &bytes);
//! dir.ok("list a.pak").out("...").quiet();
//! ```
//!
//! Several commands, or one that prints much, are a [`Session`], which is compared with a snapshot:
//!
//! ```ignore
//! let mut session = dir.session();
//! session.run("verify a.pak --snapshot s --update");
//! session.run("verify a.pak --snapshot s");
//! session.is("verify-twice");
//! ```
//!
//! Whatever a run prints as text is checked for what could steer a terminal, in every test.

mod arguments;
#[cfg(unix)]
mod bars;
mod cat;
mod comfort;
#[cfg(unix)]
mod conformance;
mod content;
mod convert;
mod create;
mod diff;
mod directories;
#[cfg(target_os = "linux")]
mod dupes;
mod edit;
mod engines;
#[cfg(target_os = "linux")]
mod errors;
mod every_verb;
#[cfg(unix)]
mod examples;
mod extract;
mod facts;
mod formats;
mod gallery;
mod golden;
mod help;
mod hostile;
#[cfg(unix)]
mod identity;
mod info;
mod inventory;
mod list;
mod looking;
mod loose_files;
mod loose_pictures;
#[cfg(unix)]
mod machines;
mod map_needs;
mod map_textures;
#[cfg(target_os = "linux")]
mod meanwhile;
mod merge;
mod missing;
mod nested;
mod output;
mod paks;
mod passed_over;
mod pictures;
mod rates;
mod reserved;
mod salvage;
mod shell;
pub(crate) mod show;
#[cfg(unix)]
pub(crate) mod signals;
mod silence;
#[cfg(unix)]
mod slow;
mod snapshot;
mod split;
mod streams;
mod textures;
mod undo;
mod verify;
mod which;
#[cfg(windows)]
mod windows;
mod written_rows;

#[cfg(unix)]
pub(crate) use slow::{slow_pak, slow_to_deflate};

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::{fs, io, thread};

use tempfile::TempDir;

/// A directory of its own, in which the command runs.
pub(crate) struct Dir(TempDir);

impl Dir {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// Where `name` is, or would be.
    pub(crate) fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.path().join(name)
    }

    /// Makes a file, and the directories above it.
    pub(crate) fn file(&self, name: impl AsRef<Path>, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    pub(crate) fn read(&self, name: impl AsRef<Path>) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    pub(crate) fn text(&self, name: impl AsRef<Path>) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Copies a file from below the folder `corpus`.
    pub(crate) fn copy(&self, from: &str, name: &str) -> PathBuf {
        self.file(name, fs::read(crate::corpus::path(from)).unwrap())
    }

    /// Removes a file.
    pub(crate) fn remove(&self, name: &str) {
        fs::remove_file(self.path(name)).unwrap();
    }

    /// Whether there is a file or directory of this name.
    pub(crate) fn has(&self, name: impl AsRef<Path>) -> bool {
        self.path(name).exists()
    }

    /// The paths of all files below a folder, sorted, without the folder's.
    pub(crate) fn files(&self, folder: &str) -> Vec<String> {
        let inside = format!("{folder}/");
        let mut files = self.all();
        files.retain(|path| path.starts_with(&inside) && !path.ends_with('/'));
        files.iter().map(|path| path[inside.len()..].to_owned()).collect()
    }

    /// The content of an entry, or of several, as `cat` prints it.
    #[track_caller]
    pub(crate) fn cat(&self, archive: &str, name: &str) -> Vec<u8> {
        self.ok(format!("cat {archive} {name}")).stdout
    }

    /// Whether somebody has a file open in it that has no name yet, or a hidden one.
    #[cfg(unix)]
    pub(crate) fn is_written_to(&self) -> bool {
        if self.all().iter().any(|name| name.contains(".daisho-")) {
            return true;
        }
        let dir = self.0.path().canonicalize().unwrap();
        let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
        processes.into_iter().any(|process| {
            let open = fs::read_dir(process.path().join("fd"));
            let mut files = open.into_iter().flatten().flatten();
            files.any(|file| {
                let file = fs::read_link(file.path()).unwrap_or_default();
                file.starts_with(&dir) && !file.exists()
            })
        })
    }

    /// Compares the paths of [all](Self::all) files and directories with a line of them.
    #[track_caller]
    pub(crate) fn holds(&self, paths: &str) {
        assert_eq!(self.all().join(" "), paths);
    }

    /// The names in an archive, in its order.
    pub(crate) fn names(&self, archive: &str) -> Vec<String> {
        let archive = daisho::Archive::open(self.path(archive)).unwrap();
        let entries = archive.entries();
        entries.map(|entry| entry.name().to_string()).collect()
    }

    /// Compares the [names](Self::names) in an archive with a line of them.
    #[track_caller]
    pub(crate) fn lists(&self, archive: &str, names: &str) {
        assert_eq!(self.names(archive).join(" "), names);
    }

    /// The paths of all files and directories in it, sorted, directories with a `/` behind them.
    pub(crate) fn all(&self) -> Vec<String> {
        let mut all = Vec::new();
        let mut open = vec![self.0.path().to_path_buf()];
        while let Some(folder) = open.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                let inside = path.strip_prefix(self.0.path()).unwrap();
                let mut name = inside.to_string_lossy().replace('\\', "/");
                if path.is_dir() && !path.is_symlink() {
                    name.push('/');
                    open.push(path.clone());
                }
                all.push(name);
            }
        }
        all.sort();
        all
    }

    /// Runs `daisho` here with the arguments of a line, which spaces separate. `''` is an empty one.
    pub(crate) fn run(&self, line: impl AsRef<str>) -> Ran {
        self.command(line).run()
    }

    /// Runs `daisho` as [`run`](Self::run) does, and expects exit status 0: done.
    #[track_caller]
    pub(crate) fn ok(&self, line: impl AsRef<str>) -> Ran {
        self.run(line).code(0)
    }

    /// Runs `daisho` as [`run`](Self::run) does, and expects exit status 1: not all is well.
    #[track_caller]
    pub(crate) fn fails(&self, line: impl AsRef<str>) -> Ran {
        self.run(line).code(1)
    }

    /// Runs `daisho` as [`run`](Self::run) does, and expects exit status 2: refused before it began.
    #[track_caller]
    pub(crate) fn refuses(&self, line: impl AsRef<str>) -> Ran {
        self.run(line).code(2)
    }

    /// Begins a session here.
    pub(crate) fn session(&self) -> Session<'_> {
        let text = String::new();
        Session { dir: self, text }
    }

    /// `daisho` with the arguments of a line, to be run here.
    pub(crate) fn command(&self, line: impl AsRef<str>) -> TestCommand {
        let words = line.as_ref().split_whitespace();
        self.daisho().args(words.map(|word| if word == "''" { "" } else { word }))
    }

    /// `daisho` without arguments, to be run here.
    pub(crate) fn daisho(&self) -> TestCommand {
        self.program(env!("CARGO_BIN_EXE_daisho"))
    }

    /// Lines of a shell, with the command in its `PATH`.
    #[cfg(unix)]
    pub(crate) fn sh(&self, script: &str) -> TestCommand {
        let program = Path::new(env!("CARGO_BIN_EXE_daisho"));
        let mut paths = vec![program.parent().unwrap().to_path_buf()];
        paths.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap()));
        self.program("sh").env("PATH", std::env::join_paths(paths).unwrap()).args(["-c", script])
    }

    fn program(&self, program: &str) -> TestCommand {
        let mut command = Command::new(program);
        command.current_dir(self.0.path());
        for name in [
            "CLICOLOR",
            "CLICOLOR_FORCE",
            "COLUMNS",
            "DAISHO_GAME",
            "DAISHO_JOBS",
            "LINES",
            "NO_COLOR",
        ] {
            command.env_remove(name);
        }
        TestCommand { command, input: Vec::new(), styled: false }
    }
}

/// Commands that run one after the other, and all that they print. It is compared with a snapshot: as in a
/// terminal each command has a `$` before it, its standard error `2>`, and a status other than 0 brackets.
pub(crate) struct Session<'a> {
    dir: &'a Dir,
    text: String,
}

impl Session<'_> {
    /// Runs `daisho` with the arguments of a line.
    pub(crate) fn run(&mut self, line: impl AsRef<str>) {
        let line = line.as_ref().trim_end();
        let ran = self.dir.run(line);
        let _ = write!(self.text, "$ daisho {line}\n{}", ran.text());
        for message in timeless(&ran.stderr).lines() {
            let _ = writeln!(self.text, "2> {message}");
        }
        if !ran.is(0) {
            let _ = writeln!(self.text, "[{}]", ran.code.unwrap());
        }
    }

    /// Shows a file.
    pub(crate) fn show(&mut self, name: &str) {
        let _ = write!(self.text, "$ cat {name}\n{}", self.dir.text(name));
    }

    /// All that was printed is what this snapshot has.
    pub(crate) fn is(mut self, name: &str) {
        assert_snapshot(name, &std::mem::take(&mut self.text));
    }
}

impl Drop for Session<'_> {
    fn drop(&mut self) {
        let is_compared = self.text.is_empty() || thread::panicking();
        assert!(is_compared, "this session is compared with no snapshot");
    }
}

/// A run to be.
pub(crate) struct TestCommand {
    command: Command,
    /// What it finds at its standard input.
    input: Vec<u8>,
    /// Whether colours or bars are asked for, so that escapes are what is expected.
    styled: bool,
}

impl TestCommand {
    pub(crate) fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.command.arg(arg);
        self
    }

    pub(crate) fn args<A: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = A>) -> Self {
        self.command.args(args);
        self
    }

    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    pub(crate) fn stdin(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.input = bytes.into();
        self
    }

    /// Runs in another directory.
    pub(crate) fn within(mut self, directory: impl AsRef<Path>) -> Self {
        self.command.current_dir(directory);
        self
    }

    /// Escapes are what this run is about.
    pub(crate) fn styled(mut self) -> Self {
        self.styled = true;
        self
    }

    pub(crate) fn run(mut self) -> Ran {
        let Output { status, stdout, stderr } = output(&mut self.command, &self.input);
        let stderr = String::from_utf8(stderr).expect("standard error is UTF-8");
        let text = str::from_utf8(&stdout).ok();
        let ran = Ran {
            code: status.code(),
            text: text.map(with_slashes),
            stdout,
            stderr: with_slashes(&stderr),
            #[cfg(windows)]
            raw_stderr: stderr,
        };
        if !self.styled {
            assert_plain(&ran.stderr);
        }
        ran
    }
}

fn output(command: &mut Command, input: &[u8]) -> Output {
    /// An "internal error", which Wine 8 makes of a process now and then where many are started.
    const INTERNAL: i32 = 1359;
    for _ in 0..9 {
        match output_once(command, input) {
            Err(error) if cfg!(windows) && error.raw_os_error() == Some(INTERNAL) => {}
            output => return output.unwrap(),
        }
    }
    output_once(command, input).unwrap()
}

fn output_once(command: &mut Command, input: &[u8]) -> io::Result<Output> {
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = piped.stderr(Stdio::piped()).spawn()?;
    let mut stdin = child.stdin.take().unwrap();
    thread::scope(|scope| {
        // A command that ends before it has read everything is no failure of the test.
        scope.spawn(move || stdin.write_all(input));
        child.wait_with_output()
    })
}

/// A run that was.
#[derive(Debug)]
pub(crate) struct Ran {
    code: Option<i32>,
    stdout: Vec<u8>,
    /// The same as text, if it is text, to compare with what is expected.
    text: Option<String>,
    stderr: String,
    /// Before its separators were exchanged.
    #[cfg(windows)]
    raw_stderr: String,
}

impl Ran {
    /// The exit status is this.
    #[track_caller]
    pub(crate) fn code(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self}");
        self
    }

    /// Whether the exit status is this.
    pub(crate) fn is(&self, code: i32) -> bool {
        self.code == Some(code)
    }

    /// Standard output is exactly this.
    #[track_caller]
    pub(crate) fn out(self, expected: impl AsRef<[u8]>) -> Self {
        let text = self.text.as_ref().map_or(&[][..], |text| text.as_bytes());
        let expected = expected.as_ref();
        assert!(self.stdout == expected || text == expected, "{self}");
        self
    }

    /// Standard error is exactly this.
    #[track_caller]
    pub(crate) fn err(self, expected: &str) -> Self {
        assert_eq!(self.stderr, expected, "{self}");
        self
    }

    /// Standard output contains this.
    #[track_caller]
    pub(crate) fn out_has(self, part: &str) -> Self {
        assert!(self.text().contains(part), "no {part:?} in {self}");
        self
    }

    /// Standard error contains this.
    #[track_caller]
    pub(crate) fn err_has(self, part: &str) -> Self {
        assert!(self.stderr.contains(part), "no {part:?} in {self}");
        self
    }

    /// Standard output does not contain this.
    #[track_caller]
    pub(crate) fn out_lacks(self, part: &str) -> Self {
        assert!(!self.text().contains(part), "{part:?} is in {self}");
        self
    }

    /// Standard error does not contain this.
    #[track_caller]
    pub(crate) fn err_lacks(self, part: &str) -> Self {
        assert!(!self.stderr.contains(part), "{part:?} is in {self}");
        self
    }

    /// Standard output begins with this.
    #[track_caller]
    pub(crate) fn out_starts(self, start: &str) -> Self {
        assert!(self.text().starts_with(start), "not {start:?}: {self}");
        self
    }

    /// Standard output ends with this.
    #[track_caller]
    pub(crate) fn out_ends(self, end: &str) -> Self {
        assert!(self.text().ends_with(end), "not {end:?}: {self}");
        self
    }

    /// Standard error begins with this.
    #[track_caller]
    pub(crate) fn err_starts(self, start: &str) -> Self {
        assert!(self.stderr.starts_with(start), "not {start:?}: {self}");
        self
    }

    /// Standard error is empty.
    #[track_caller]
    pub(crate) fn quiet(self) -> Self {
        self.err("")
    }

    /// Standard output as text, which a terminal may have.
    #[track_caller]
    pub(crate) fn text(&self) -> &str {
        let text = self.text.as_ref().expect("standard output is UTF-8");
        assert_plain(text);
        text
    }

    /// Standard output as lines of JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> Vec<serde_json::Value> {
        self.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// A field of each row of JSON, as text.
    #[track_caller]
    pub(crate) fn fields(&self, field: &str) -> Vec<String> {
        let rows = self.json();
        let texts = rows.iter().map(|row| row[field].as_str().unwrap());
        texts.map(str::to_owned).collect()
    }

    /// How often standard error has this.
    pub(crate) fn err_count(&self, part: &str) -> usize {
        self.stderr.matches(part).count()
    }

    pub(crate) fn stdout(&self) -> &[u8] {
        &self.stdout
    }

    pub(crate) fn stderr(&self) -> &str {
        &self.stderr
    }
}

impl core::fmt::Display for Ran {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let stdout = String::from_utf8_lossy(&self.stdout);
        write!(f, "the run:\ncode: {:?}\nstdout: {stdout}\nstderr: {}", self.code, self.stderr)
    }
}

/// What was printed, with `/` between the parts of paths, so that one expectation holds on every system. On
/// Windows a path has `\` there, and a name `\\` or another escape; in JSON it is the fields that tell. How
/// paths are printed is what the tests in `windows` are about, which take no notice of this.
fn with_slashes(text: &str) -> String {
    if cfg!(windows) {
        text.split_inclusive('\n').map(line_with_slashes).collect()
    } else {
        text.to_owned()
    }
}

fn line_with_slashes(line: &str) -> String {
    const PATHS: [&str; 8] = [
        "\"archive\":\"",
        "\"file\":\"",
        "\"output\":\"",
        "\"page\":\"",
        "\"path\":\"",
        "\"picture\":\"",
        "\"problems\":[\"",
        "\"snapshot\":\"",
    ];
    let is_json = line.starts_with('{');
    let (mut out, mut rest, mut in_path) = (String::new(), line, false);
    while let Some(c) = rest.chars().next() {
        let escape = ["\\\\", "\\\"", "\\'", "\\-", "\\x", "\\u"]
            .into_iter()
            .find(|it| rest.starts_with(it));
        let piece = match escape {
            _ if is_json && c == '\\' => rest.get(..2).unwrap(),
            Some("\\x") if !is_hex(rest.get(2..4)) => "\\",
            Some("\\u") if rest.get(2..3) != Some("{") => "\\",
            Some(escape) => escape,
            None => rest.get(..c.len_utf8()).unwrap(),
        };
        rest = rest.strip_prefix(piece).unwrap();
        match piece {
            "\\\\" if is_json && in_path => out.push('/'),
            "\\" => out.push('/'),
            _ => out.push_str(piece),
        }
        if piece == "\"" {
            in_path = PATHS.iter().any(|field| out.ends_with(field));
        }
    }
    out
}

fn is_hex(digits: Option<&str>) -> bool {
    digits.is_some_and(|it| it.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

#[test]
fn windows_separators_differ_from_escapes() {
    for (line, expected) in [
        (
            r#"  --> in\a.pak: entry 1 "a\\x\x1b\u{202e}\"b""#,
            r#"  --> in/a.pak: entry 1 "a\\x\x1b\u{202e}\"b""#,
        ),
        (
            r#"{"archive":"in\\a.pak","name":"b\\c\"","file":"x\\y"}"#,
            r#"{"archive":"in/a.pak","name":"b\\c\"","file":"x/y"}"#,
        ),
        ("out\\x.2\\刀", "out/x.2/刀"),
    ] {
        assert_eq!(line_with_slashes(line), expected);
    }
}

/// Nothing in `text` steers a terminal but the ends of its lines, and nothing in it is invisible. The rule is here a second
/// time on purpose, by ranges and not by our own function for it.
#[track_caller]
pub(crate) fn assert_plain(text: &str) {
    let steers = |c: &char| {
        matches!(c, '\0'..='\x1f' | '\x7f'..='\u{9f}') && *c != '\n'
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
            || matches!(c, '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff0}'..='\u{fffb}')
            || matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}')
            || matches!(c, '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}')
            || matches!(c, '\u{3164}' | '\u{ffa0}' | '\u{fe00}'..='\u{fe0f}')
            || matches!(c, '\u{13430}'..='\u{1343f}' | '\u{1bca0}'..='\u{1bca3}')
            || matches!(c, '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
    };
    let found: Vec<char> = text.chars().filter(steers).collect();
    assert!(found.is_empty(), "{found:?} in {text:?}");
}

/// Standard error without the time, which differs from run to run.
pub(crate) fn timeless(stderr: &str) -> String {
    let cut = |line: &str| match line.split_once(" in ") {
        Some((start, rest)) if rest.ends_with(" s") => format!("{start} in TIME\n"),
        _ => format!("{line}\n"),
    };
    stderr.lines().map(cut).collect()
}

/// A row of JSON has these fields, and may have others.
#[track_caller]
pub(crate) fn assert_has(row: &serde_json::Value, fields: serde_json::Value) {
    for (field, value) in fields.as_object().unwrap() {
        assert_eq!(row[field], *value, "{field} of {row}");
    }
}

/// Compares with the snapshot of this name in tests/snapshots.
pub(crate) fn assert_snapshot(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../snapshots/cli");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

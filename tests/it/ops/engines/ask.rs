//! Engines that are installed here are asked again, headless, and without any game: small scripts in
//! paks and folders say where they are, the engine executes them, and what it prints is what it
//! serves. It must be what `which` answers.

// Who runs it is told what was skipped.
#![allow(clippy::print_stderr)]

use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use daisho::engine::Engine;
use daisho::ops::game::View;
use tempfile::TempDir;

use super::super::context;
use super::observed::Observed;
use crate::archive::build::{Entry, Pak};
use crate::archive::zips::build::Zip;

/// How long an engine may run. It takes a twentieth of a second.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Where an engine is installed, if it is.
fn installed(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders =
        std::env::split_paths(&path).chain(["/usr/games".into(), "/usr/lib/ioquake3".into()]);
    let found = folders
        .map(|folder| folder.join(name))
        .find(|it| it.is_file());
    if found.is_none() {
        eprintln!("skipped: {name} is not installed here");
    }
    found
}

/// The home directory as it was: QuakeSpasm makes a directory in it, and goes by the system's word
/// for where it is. None where there is one with something in it, which would be served, too.
struct Home(Option<PathBuf>);

impl Home {
    fn before() -> Option<Self> {
        let home = PathBuf::from(std::env::var_os("HOME")?).join(".quakespasm");
        if home.join("id1").exists() {
            eprintln!("skipped: {} has files that would be served", home.display());
            return None;
        }
        Some(Self((!home.exists()).then_some(home)))
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        for made in self
            .0
            .iter()
            .flat_map(|home| [home.join("id1"), home.clone()])
        {
            // What is not empty stays.
            let _ = fs::remove_dir(made);
        }
    }
}

/// A game of folders, each of which engines have for a game's directory.
struct Game {
    dir: TempDir,
    /// Whether paks are made so that Quake takes them for its own: without its data, an engine of
    /// its family runs no other.
    stock: bool,
    /// Every name that a copy has, to be asked for.
    names: Vec<String>,
    /// Where each copy is, by the number that it says.
    copies: Vec<String>,
}

impl Game {
    fn new(stock: bool) -> Self {
        let game = Self {
            dir: tempfile::tempdir().unwrap(),
            stock,
            names: Vec::new(),
            copies: Vec::new(),
        };
        for (path, bytes) in [
            ("id1/gfx.wad", &b"WAD2\0\0\0\0\x0c\0\0\0"[..]),
            ("id1/default.cfg", b"\n"),
            ("id1/quake.rc", b"exec autoexec.cfg\n"),
            ("home/x", b""),
        ] {
            game.put(path, bytes);
        }
        game
    }

    fn put(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let path = self.dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    /// A script that says where it is.
    fn script(&mut self, name: &str, place: String) -> Vec<u8> {
        if !self.names.iter().any(|other| other == name) {
            self.names.push(name.to_owned());
        }
        self.copies.push(place);
        format!("echo FROM_{}\n", self.copies.len() - 1).into_bytes()
    }

    fn loose(&mut self, path: &str, name: &str) {
        let script = self.script(name, path.to_owned());
        self.put(path, script);
    }

    fn pak(&mut self, path: &str, names: &[String]) {
        let pak = (0..).zip(names).fold(Pak::new(), |pak, (n, name)| {
            let script = self.script(name, format!("{path}#{n}"));
            pak.stored(name, &script)
        });
        let bytes = if self.stock { forge(pak) } else { pak.quake() };
        self.put(path, bytes);
    }

    fn zip(&mut self, path: &str, names: &[String]) {
        let zip = (0..).zip(names).fold(Zip::new(), |zip, (n, name)| {
            let script = self.script(name, format!("{path}#{n}"));
            zip.deflated(name, &script)
        });
        self.put(path, zip.bytes());
    }

    /// What the engine serves under each name; none where it ends with an error.
    fn asked(&self, program: &Path, with_mod: bool) -> Option<Vec<Option<String>>> {
        let mut probe = String::new();
        for (n, name) in self.names.iter().enumerate() {
            writeln!(probe, "echo ASK_{n}\nexec \"{name}\"").unwrap();
        }
        probe.push_str("echo ASK_END\nquit\n");
        self.put("id1/autoexec.cfg", probe);
        let text = self.run(program, with_mod);
        text.contains("ASK_END").then_some(())?;
        let answer = |n: usize| {
            let (_, rest) = text.split_once(&format!("ASK_{n}\n")).unwrap();
            let (said, _) = rest.split_once("ASK_").unwrap();
            let (_, copy) = said.split_once("FROM_")?;
            let copy = copy.split_whitespace().next().unwrap();
            Some(self.copies[copy.parse::<usize>().unwrap()].clone())
        };
        Some((0..self.names.len()).map(answer).collect())
    }

    /// Runs the engine to its end, or to the end of the time that it has, and says what it printed.
    fn run(&self, program: &Path, with_mod: bool) -> String {
        let at = |name: &str| self.dir.path().join(name);
        let out = File::create(at("out")).unwrap();
        let mut command = Command::new(program);
        // It speaks to nobody but itself.
        if program.ends_with("ioq3ded") {
            for (what, value) in [
                ("com_basegame", "id1".as_ref()),
                ("fs_game", if with_mod { "mod" } else { "" }.as_ref()),
                ("fs_basepath", self.dir.path().as_os_str()),
                ("fs_homepath", at("home").as_os_str()),
                ("net_enabled", "0".as_ref()),
            ] {
                command.args(["+set", what]).arg(value);
            }
            command.args(["+exec", "autoexec.cfg", "+quit"]);
        } else {
            command
                .args(["-dedicated", "1", "-ip", "127.0.0.1", "-basedir"])
                .arg(self.dir.path())
                .args(if with_mod { &["-game", "mod"][..] } else { &[] });
        }
        command
            .env("HOME", at("home"))
            .env_remove("DISPLAY")
            .current_dir(self.dir.path())
            .stdin(Stdio::null())
            .stderr(out.try_clone().unwrap())
            .stdout(out);
        let mut child = command.spawn().unwrap();
        let begun = Instant::now();
        while child.try_wait().unwrap().is_none() {
            if begun.elapsed() > TIMEOUT {
                child.kill().unwrap();
                child.wait().unwrap();
                panic!("{} did not end", program.display());
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        String::from_utf8_lossy(&fs::read(at("out")).unwrap()).replace(" \n", "\n")
    }

    fn view(&self, engine: Engine, folders: &[&str]) -> View {
        let folders: Vec<PathBuf> = folders.iter().map(|it| self.dir.path().join(it)).collect();
        View::open(&context(1), &folders, Some(engine), false).unwrap()
    }

    /// Asks the engine and the library, which must be of one mind, and says how many answers there
    /// were, or none where the engine ended.
    fn compare(&self, engine: Engine, program: &Path, folders: &[&str]) -> Option<usize> {
        let asked = self.asked(program, folders.len() > 1);
        let view = self.view(engine, folders);
        let Some(asked) = asked else {
            let mut never = view.game.skipped().iter();
            let said = fs::read(self.dir.path().join("out")).unwrap();
            let said = String::from_utf8_lossy(&said);
            assert!(
                never.any(|never| never.why.is_fatal()),
                "{engine} ended: {said}"
            );
            return None;
        };
        for (name, answer) in self.names.iter().zip(&asked) {
            let found = view.game.find(name.as_bytes());
            if view.game.is_doubtful(&found) {
                continue;
            }
            let ours = found.first().map(|copy| {
                let path = copy.path.strip_prefix(self.dir.path()).unwrap();
                let path = path.to_str().unwrap();
                match copy.entry() {
                    Some(entry) => format!("{path}#{}", entry.index()),
                    None => path.to_owned(),
                }
            });
            assert_eq!(&ours, answer, "{engine} serves this under {name}");
        }
        Some(asked.len())
    }
}

/// A pak that Quake takes for the one of its version 1.06: of 339 entries, with the right checksum
/// of its directory, to which bytes behind the last name's end are fitted.
fn forge(mut pak: Pak) -> Vec<u8> {
    for n in pak.entries.len()..339 {
        pak.entries.push(Entry {
            name: format!("none/{n}").into_bytes(),
            offset: 12,
            size: 0,
            packed: None,
        });
    }
    let mut bytes = pak.quake();
    let directory = bytes.len() - 339 * 64;
    let free = bytes.len() - 10;
    let go_on = |crc: u16, bytes: &[u8]| {
        bytes.iter().fold(crc, |crc, byte| {
            (0..8).fold(crc ^ u16::from(*byte) << 8, |crc, _| {
                crc << 1 ^ if crc & 0x8000 == 0 { 0 } else { 0x1021 }
            })
        })
    };
    let before = go_on(0xFFFF, &bytes[directory..free]);
    let behind = bytes[free + 2..].to_vec();
    let mut pairs = (0..=u16::MAX).map(u16::to_le_bytes);
    let pair = pairs.find(|pair| go_on(go_on(before, pair), &behind) == 32981);
    bytes[free..free + 2].copy_from_slice(&pair.unwrap());
    bytes
}

/// Folders as `observed.txt` has them: every archive has a name that all have, one of its own, and one
/// with each other pak, which say the whole order.
fn ask_about_folders(engine: Engine, program: &Path, stock: bool) -> usize {
    let observed = Observed::read();
    let mut answers = 0;
    for section in observed.of("folder") {
        let has_mod = section.given.contains("mod/");
        if stock && has_mod {
            // Nobody runs a mod without the game's data.
            continue;
        }
        // Debian's DarkPlaces knows neither of these.
        let is_known = |file: &&str| !file.contains(".dpk");
        let given: Vec<&str> = section.given.split(' ').filter(is_known).collect();
        let mut game = Game::new(stock);
        for (i, file) in given.iter().enumerate() {
            let path = if file.starts_with("mod/") {
                (*file).to_owned()
            } else {
                format!("id1/{file}")
            };
            let mut names = vec!["all.cfg".to_owned(), format!("only-{i}.cfg")];
            let pairs = (0..given.len()).filter(|j| *j != i);
            names.extend(pairs.map(|j| format!("pair-{}-{}.cfg", i.min(j), i.max(j))));
            if file.to_lowercase().ends_with(".pak") {
                game.pak(&path, &names);
            } else if file.ends_with('/') || file.ends_with("loose") {
                let folder = path.strip_suffix("loose").unwrap_or(&path);
                for name in &names {
                    game.loose(&format!("{folder}{name}"), name);
                }
            } else {
                game.zip(&path, &names);
            }
        }
        let folders = if has_mod {
            &["id1", "mod"][..]
        } else {
            &["id1"]
        };
        // Of names that differ in case alone it is not defined which pak loads.
        if engine == Engine::DarkPlaces && section.name.starts_with("case-3") {
            continue;
        }
        answers += game.compare(engine, program, folders).unwrap();
    }
    answers
}

/// The names that engines were asked for in `observed.txt`, and some more.
fn ask_about_names(engine: Engine, program: &Path, stock: bool) -> usize {
    let observed = Observed::read();
    let section = observed.of("names").next().unwrap();
    let words = section.given.split(' ');
    let names: Vec<String> = words
        .flat_map(|word| {
            let (name, times) = word.split_once('*').unwrap_or((word, "1"));
            vec![name.to_owned(); times.parse().unwrap()]
        })
        .chain(["x".repeat(55), "y".repeat(56), "a..b/c.cfg".to_owned()])
        .collect();
    let mut game = Game::new(stock);
    game.pak("id1/pak0.pak", &names);
    game.loose("id1/Loose.cfg", "Loose.cfg");
    let (_, seen) = section.rows(&observed)[0];
    let asked = seen.split(' ').map(|pair| pair.split_once('=').unwrap().0);
    let more = [
        "/Loose.cfg",
        "/d/b2.cfg",
        "./d/b2.cfg",
        "d//b2.cfg",
        "d/./b2.cfg",
        "D/B2.cfg",
    ];
    for name in asked.chain(more) {
        // A file system takes these for the file, whatever an engine does; that is not answered.
        if !name.contains("oose") || engine == Engine::DarkPlaces {
            game.names.push(name.to_owned());
        }
    }
    game.compare(engine, program, &["id1"]).unwrap()
}

/// The same of a ZIP.
fn ask_about_names_in_a_zip(engine: Engine, program: &Path) -> usize {
    let observed = Observed::read();
    let section = observed.of("zip-names").next().unwrap();
    let words = section.given.split(' ');
    // Such a name is read without its first two bytes, whatever engines do.
    let names: Vec<String> = words
        .filter(|word| !word.starts_with("./"))
        .flat_map(|word| {
            let (name, times) = word.split_once('*').unwrap_or((word, "1"));
            vec![name.to_owned(); times.parse().unwrap()]
        })
        .chain([format!("{}.cfg", "x".repeat(51)), "a..b/c.cfg".to_owned()])
        .collect();
    let mut game = Game::new(false);
    game.zip("id1/zz.pk3", &names);
    // One executes a name with an extension, whether it is asked for or not.
    game.names.retain(|name| name.ends_with(".cfg"));
    let (_, seen) = section.rows(&observed)[0];
    let asked = seen.split(' ').map(|pair| pair.split_once('=').unwrap().0);
    let asked = asked.filter(|asked| !asked.contains("dot.cfg"));
    for name in asked.chain(["/d/b2.cfg", "./d/b2.cfg", "d//b2.cfg", "D/B2.cfg"]) {
        game.names.push(name.to_owned());
    }
    game.compare(engine, program, &["id1"]).unwrap()
}

/// Paks that are odd, and what becomes of the others.
fn ask_about_odd_paks(engine: Engine, program: &Path, stock: bool) -> (usize, usize) {
    let (mut answers, mut ended) = (0, 0);
    let cut = |bytes: Vec<u8>| bytes[..bytes.len() - 20].to_vec();
    let odd: [(&str, Vec<u8>); 6] = [
        ("pak1.pak", Pak::new().quake()),
        ("pak1.pak", b"KCAP, and no more".to_vec()),
        ("pak0.pak", Vec::new()),
        ("pak1.pak", b"PK\x03\x04 a ZIP archive".to_vec()),
        ("pak0.pak", Pak::new().quake()),
        ("pak1.pak", cut(Pak::new().stored("t.cfg", b"t").quake())),
    ];
    for (name, bytes) in odd {
        // This one counts as modified before it is known to be cut.
        if stock && bytes.len() > 40 {
            continue;
        }
        let mut game = Game::new(stock);
        for number in 0..3 {
            let path = format!("id1/pak{number}.pak");
            game.pak(&path, &[format!("only-{number}.cfg"), "all.cfg".to_owned()]);
        }
        game.put(&format!("id1/{name}"), bytes);
        match game.compare(engine, program, &["id1"]) {
            Some(count) => answers += count,
            None => ended += 1,
        }
    }
    (answers, ended)
}

#[test]
fn quakespasm_serves_what_which_answers() {
    let (Some(program), Some(_home)) = (installed("quakespasm"), Home::before()) else {
        return;
    };
    let engine = Engine::QuakeSpasm;
    let folders = ask_about_folders(engine, &program, true);
    let names = ask_about_names(engine, &program, true);
    let (odd, ended) = ask_about_odd_paks(engine, &program, true);
    eprintln!("quakespasm was asked: {folders} + {names} + {odd} answers, {ended} ends");
    assert!(folders > 100 && names > 30 && odd > 5 && ended == 3);

    // Its own pak, above loose files of the base directory.
    let mut game = Game::new(true);
    let name = |name: &str| [name.to_owned(), "all.cfg".to_owned()];
    game.pak("id1/pak0.pak", &name("first.cfg"));
    game.pak("id1/pak1.pak", &name("second.cfg"));
    game.pak(
        "quakespasm.pak",
        &[
            "first.cfg".to_owned(),
            "second.cfg".to_owned(),
            "x.cfg".to_owned(),
        ],
    );
    game.loose("id1/x.cfg", "x.cfg");
    assert_eq!(game.compare(engine, &program, &["id1"]), Some(4));
}

/// What anyone runs to renew a row finds the rows of the build that is installed here.
#[test]
fn the_asking_script_finds_what_was_observed() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/engines/ask");
    let python = Command::new("python3").arg("--version").output();
    if python.is_err() || !script.exists() {
        eprintln!("skipped: python3 is not installed");
        return;
    }
    for (row, program) in [
        ("quakespasm-0.95.1", "quakespasm"),
        ("ioquake3-2022", "ioq3ded"),
    ] {
        let (Some(program), Some(_home)) = (installed(program), Home::before()) else {
            continue;
        };
        let asked = Command::new(&script)
            .arg(row)
            .arg(program)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&asked.stdout).into_owned();
        let errors = String::from_utf8_lossy(&asked.stderr).into_owned();
        assert!(asked.status.success(), "{row}: {said}{errors}");
        assert!(
            said.ends_with(" answers as observed, 0 different\n"),
            "{said}"
        );
    }
}

#[test]
fn darkplaces_serves_what_which_answers() {
    let Some(program) = installed("darkplaces-server") else {
        return;
    };
    let engine = Engine::DarkPlaces;
    let folders = ask_about_folders(engine, &program, false);
    let names = ask_about_names(engine, &program, false);
    let names = names + ask_about_names_in_a_zip(engine, &program);
    let (odd, ended) = ask_about_odd_paks(engine, &program, false);
    eprintln!("darkplaces was asked: {folders} + {names} + {odd} answers, {ended} ends");
    assert!(folders > 100 && names > 30 && odd > 15 && ended == 0);
}

#[test]
fn ioquake3_serves_what_which_answers() {
    let Some(program) = installed("ioq3ded") else {
        return;
    };
    let engine = Engine::IoQuake3;
    let folders = ask_about_folders(engine, &program, false);
    let names = ask_about_names_in_a_zip(engine, &program);
    eprintln!("ioquake3 was asked: {folders} + {names} answers");
    assert!(folders > 100 && names > 30);
}

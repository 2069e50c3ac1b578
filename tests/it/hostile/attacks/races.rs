//! Links that are planted, and files that are changed, while the command runs.
//!
//! A thread does so as fast as it can, over and over. What a run comes to then is chance; what must
//! never happen is not.

use std::os::unix::fs::symlink;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use super::*;

/// Runs `work` a number of times while `meddle` runs in a thread without end.
fn while_meddled(rounds: usize, meddle: impl Fn() + Sync, mut work: impl FnMut(usize)) {
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                meddle();
            }
        });
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            for round in 0..rounds {
                work(round);
            }
        }));
        over.store(true, Ordering::Relaxed);
        if let Err(panic) = outcome {
            std::panic::resume_unwind(panic);
        }
    });
}

fn content(n: usize) -> Vec<u8> {
    format!("content of {n}\n").repeat(50).into_bytes()
}

/// Many files in one directory, and in one below it.
fn many() -> Vec<u8> {
    let names = (0..200).map(|n| (n, format!("d/{}{n}", if n % 2 == 0 { "e/" } else { "" })));
    names.fold(Pak::new(), |pak, (n, name)| pak.stored(&name, content(n))).quake()
}

/// A verb that writes a file for each entry.
struct Writer {
    /// What is run, without `-f` or `-k`.
    line: &'static str,
    /// A directory that its files go into, and one below it, where most are.
    folders: [&'static str; 2],
    /// The names of some files.
    files: [&'static str; 4],
    /// What a file begins with before the content of its entry.
    mark: &'static str,
}

const EXTRACT: Writer = Writer {
    line: "extract p.pak -C out",
    folders: ["work/out/d", "work/out/d/e"],
    files: ["3", "4", "151", "198"],
    mark: "",
};

const GALLERY: Writer = Writer {
    line: "gallery p.pak -o out",
    folders: ["work/out/files", "work/out/files/0"],
    files: ["3.txt", "4.txt", "151.txt", "198.txt"],
    mark: "\u{feff}",
};

impl Writer {
    /// Each file that there is under a final name is whole.
    #[track_caller]
    fn assert_whole(&self, arena: &Arena) {
        for (path, found) in arena.files("work/out") {
            let name = path.file_name().unwrap().to_str().unwrap();
            let number = name.strip_suffix(".txt").unwrap_or(name);
            if let Ok(n) = number.parse() {
                let whole = [self.mark.as_bytes(), &content(n)].concat();
                assert_eq!(found, whole, "{} is torn", path.display());
            } else if name == "index.html" {
                assert!(found.ends_with(b"</html>\n"), "the page is torn");
            }
        }
    }
}

fn a_directory_becomes_a_link(writer: &Writer, rounds: usize) {
    let arena = Arena::with(many());
    let [d, e] = writer.folders.map(|folder| arena.path(folder));
    let aside = arena.path("work/aside");
    let outside = arena.path("outside");
    let swap = |real: &Path| {
        if fs::rename(real, &aside).is_ok() {
            let _ = symlink(&outside, real);
            thread::yield_now();
            let _ = fs::remove_file(real);
            // What the run has made there meanwhile goes; otherwise the next swap could not be.
            let _ = fs::remove_dir_all(real);
            let _ = fs::rename(&aside, real);
        }
    };
    let mut ends = [0; 3];
    // A run that sees a link while it plans is refused. So the link is away for moments of all lengths.
    let turn = Mutex::new(0_u64);
    let meddle = || {
        let mut turn = turn.lock().unwrap();
        *turn += 1;
        let wait = std::time::Duration::from_micros(*turn % 40 * 200);
        swap(if turn.is_multiple_of(2) { &d } else { &e });
        drop(turn);
        thread::sleep(wait);
    };
    while_meddled(rounds, meddle, |_| {
        // The directories are there before the run, so that there is something to swap from its
        // first moment on.
        let paused = turn.lock().unwrap();
        let _ = fs::remove_dir_all(arena.path("work/out"));
        let _ = fs::remove_dir_all(&aside);
        fs::create_dir_all(&e).unwrap();
        drop(paused);
        let ran = arena.run(&format!("{} -f", writer.line));
        let code = (0_u8..3).find(|code| ran.is((*code).into()));
        ends[usize::from(code.unwrap_or_else(|| panic!("{ran}")))] += 1;
        let outside = tree(&arena.path("outside"));
        assert_eq!(outside.len(), 1, "written outside: {outside:?}");
        assert_eq!(arena.files("outside")[Path::new("victim")], PRECIOUS);
    });
    writer.assert_whole(&arena);
    println!("a directory became a link under {rounds} runs, which ended with 0, 1, 2: {ends:?}");
}

#[test]
fn a_directory_that_becomes_a_link_leads_nowhere() {
    a_directory_becomes_a_link(&EXTRACT, 6);
}

#[test]
fn a_page_directory_becoming_a_link_leads_nowhere() {
    a_directory_becomes_a_link(&GALLERY, 6);
}

/// `cargo test --release --test it hostile -- --ignored`
#[test]
#[ignore = "takes some minutes"]
fn a_thousand_directories_become_links_in_vain() {
    a_directory_becomes_a_link(&EXTRACT, 1000);
    a_directory_becomes_a_link(&GALLERY, 1000);
}

/// Links under final names, and in the place of temporaries.
fn a_file_becomes_a_link(writer: &Writer, rounds: usize) {
    let arena = Arena::with(many());
    let victim = arena.path("outside/victim");
    let folders = writer.folders.map(|folder| arena.path(folder));
    let meddle = || {
        for folder in &folders {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                let path = entry.path();
                if entry.file_name().as_encoded_bytes().starts_with(b".daisho-") {
                    let _ = fs::remove_file(&path);
                    let _ = symlink(&victim, &path);
                }
            }
            for name in writer.files {
                let _ = symlink(&victim, folder.join(name));
            }
        }
    };
    while_meddled(rounds, meddle, |round| {
        let _ = fs::remove_dir_all(arena.path("work/out"));
        let flag = ["-f", "-k", "-v"][round % 3];
        let ran = arena.run(&format!("{} {flag}", writer.line));
        assert!((0..3).any(|code| ran.is(code)), "{ran}");
        assert_eq!(arena.files("outside").len(), 1);
        assert_eq!(arena.files("outside")[Path::new("victim")], PRECIOUS);
    });
    writer.assert_whole(&arena);
}

#[test]
fn a_file_that_becomes_a_link_is_not_followed() {
    a_file_becomes_a_link(&EXTRACT, 6);
}

#[test]
fn a_page_file_becoming_a_link_is_not_followed() {
    a_file_becomes_a_link(&GALLERY, 6);
}

/// `cargo test --release --test it hostile -- --ignored`
#[test]
#[ignore = "takes some minutes"]
fn a_thousand_files_become_links_in_vain() {
    a_file_becomes_a_link(&EXTRACT, 1000);
    a_file_becomes_a_link(&GALLERY, 1000);
}

/// Big enough for a pipe not to take it, and for a run to be met amid it.
const LARGE: usize = 4_000_000;

fn large() -> Vec<u8> {
    let content: Vec<u8> = (0..LARGE).map(|n| (n / 7) as u8).collect();
    Pak::new().stored("a", &content).stored("b", b"b").quake()
}

/// Lets `cat` write into a pipe until that is full, does something to the pak, and reads on.
#[track_caller]
fn cat_while(change: impl FnOnce(&Path)) -> (Vec<u8>, std::process::Output) {
    use std::io::Read as _;
    let arena = Arena::with(large());
    println!("attack: daisho cat p.pak a");
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_daisho"))
        .args(["cat", "p.pak", "a"])
        .current_dir(arena.path("work"))
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdout = child.stdout.take().unwrap();
    let mut start = vec![0; 1000];
    stdout.read_exact(&mut start).unwrap();
    change(&arena.path("work/p.pak"));
    stdout.read_to_end(&mut start).unwrap();
    (start, child.wait_with_output().unwrap())
}

#[test]
fn a_pak_that_shrinks_while_it_is_read_is_an_error() {
    let (got, ended) = cat_while(|pak| {
        let file = fs::File::options().write(true).open(pak).unwrap();
        file.set_len(2000).unwrap();
    });
    assert_eq!(ended.status.code(), Some(1));
    assert!(got.len() < LARGE && large()[12..].starts_with(&got));
    let said = String::from_utf8(ended.stderr).unwrap();
    assert!(said.contains("it has become shorter since it was opened"), "{said}");
    assert!(said.contains("p.pak: entry 0 \"a\""), "{said}");
    assert!(
        said.contains("help: wait until the program that is writing the file has finished"),
        "{said}"
    );
}

#[test]
fn a_pak_that_grows_gives_what_it_had_at_first() {
    let (got, ended) = cat_while(|pak| {
        use std::io::Write as _;
        let mut file = fs::File::options().append(true).open(pak).unwrap();
        file.write_all(&[7; 100_000]).unwrap();
    });
    assert_eq!(ended.status.code(), Some(0), "{ended:?}");
    assert!(got == large()[12..12 + LARGE]);
}

/// By turns cut short and whole again: what is written under a final name is whole, and a run that
/// could not do its work reports an error.
#[test]
fn a_pak_cut_and_mended_leaves_only_whole_files() {
    use std::os::unix::fs::FileExt as _;

    let arena = Arena::with(large());
    let (source, pak) = (arena.path("work/p.pak"), large());
    let half = pak.len() / 2;
    let meddle = || {
        let file = fs::File::options().write(true).open(&source).unwrap();
        file.set_len(half as u64).unwrap();
        thread::sleep(std::time::Duration::from_micros(500));
        file.write_all_at(&pak[half..], half as u64).unwrap();
        thread::sleep(std::time::Duration::from_millis(2));
    };
    let mut failed = 0;
    while_meddled(10, meddle, |_| {
        for (line, name) in [
            ("extract p.pak -C out", "out/a"),
            ("convert p.pak -o q.pak", "q.pak"),
            ("create p.pak -o r.pak", "r.pak"),
        ] {
            let name = arena.path("work").join(name);
            let ran = arena.run(line);
            failed += usize::from(!ran.is(0));
            let Ok(found) = fs::read(&name) else {
                assert!(!ran.is(0) && ran.stderr().contains("error: "), "{ran}");
                continue;
            };
            let whole = match line.split(' ').next() {
                Some("extract") => found == pak[12..12 + LARGE],
                Some("convert") => found == pak,
                // It was as long as that when it was looked at: files that grow are no error.
                _ => {
                    let len = found.len() - 76;
                    (half..=pak.len()).contains(&len) && found[12..12 + len] == pak[..len]
                }
            };
            assert!(whole, "{} is torn: {ran}", name.display());
            let _ = fs::remove_dir_all(arena.path("work/out"));
            let _ = fs::remove_file(&name);
        }
    });
    let left = arena.changed();
    let temporary = |path: &PathBuf| path.to_string_lossy().contains(".daisho-");
    assert!(!left.iter().any(temporary), "{left:?}");
    println!("cut and mended under 30 runs, of which {failed} failed");
}

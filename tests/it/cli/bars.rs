//! Bars, on a real terminal: one that tmux plays. Where there is no tmux these say so and pass.

use std::process::Command;
use std::time::{Duration, Instant};

use super::Dir;
use super::paks::quake;
use super::slow::slow_to_deflate;

/// A terminal of its own, gone when the test ends.
pub(super) struct Terminal(String);

impl Terminal {
    /// Runs `script` in a new terminal, or says `None` where there is no tmux.
    pub(super) fn new(name: &str, dir: &Dir, script: &str) -> Option<Self> {
        let terminal = Self(format!("daisho-{name}-{}", std::process::id()));
        let script = format!("{script}; echo CODE=$?; sleep 60");
        let size = ["-x", "100", "-y", "12"];
        let made = terminal
            .tmux()
            .args(["-f", "/dev/null", "new-session", "-d"])
            .args(size)
            .arg(script)
            .current_dir(dir.path(""))
            .status();
        if made.is_ok_and(|made| made.success()) {
            return Some(terminal);
        }
        crate::skips::skip("tmux is not installed");
        None
    }

    fn tmux(&self) -> Command {
        let mut tmux = Command::new("tmux");
        tmux.args(["-L", &self.0]);
        tmux
    }

    /// What is on the screen, once `there` holds of it.
    pub(super) fn wait(&self, there: impl Fn(&str) -> bool) -> String {
        let start = Instant::now();
        loop {
            let shown = self.tmux().args(["capture-pane", "-p"]).output().unwrap();
            let screen = String::from_utf8(shown.stdout).unwrap();
            if there(&screen) {
                return screen.trim_end().to_owned();
            }
            assert!(start.elapsed() < Duration::from_secs(300), "{screen}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.tmux().arg("kill-server").status();
    }
}

fn command(rest: &str) -> String {
    let daisho = env!("CARGO_BIN_EXE_daisho");
    format!("'{daisho}' -j1 convert slow.pak -o out.pk3 --level 9 {rest}")
}

fn has_bar(screen: &str) -> bool {
    screen.contains("of 1 entry") && screen.contains("B/s")
}

#[test]
fn a_bar_says_how_far_it_is_and_is_gone_at_the_end() {
    let dir = Dir::new();
    slow_to_deflate(&dir, "slow.pak");
    let Some(terminal) = Terminal::new("end", &dir, &command("")) else {
        return;
    };
    // The first bar may be drawn before anything is done, and a busy machine does little a second.
    let half_way = |screen: &str| screen.contains(" MB of 5.0 MB, 0 of 1 entry, ");
    let screen = terminal.wait(|screen| has_bar(screen) && half_way(screen));
    assert!(screen.contains(" entry, "), "{screen}");
    let screen = terminal.wait(|screen| screen.contains("CODE="));
    let lines: Vec<&str> = screen.lines().collect();
    assert_eq!(lines.len(), 3, "{screen}");
    assert!(lines[0].starts_with("slow.pak -> out.pk3: 1 entry"), "{screen}");
    assert_eq!(lines[2], "CODE=0");
}

#[test]
fn a_bar_is_gone_when_it_is_interrupted() {
    let dir = Dir::new();
    slow_to_deflate(&dir, "slow.pak");
    let Some(terminal) = Terminal::new("interrupt", &dir, &command("")) else {
        return;
    };
    terminal.wait(has_bar);
    let sent = terminal.tmux().args(["send-keys", "C-c"]).status().unwrap();
    assert!(sent.success());
    let screen = terminal.wait(|screen| screen.contains("CODE="));
    assert!(!has_bar(&screen), "{screen}");
    assert!(screen.contains("interrupted"), "{screen}");
    assert!(screen.ends_with("CODE=130"), "{screen}");
    dir.holds("slow.pak");
}

/// Two at once, so that the second comes before the first is obeyed: a process that is held gets
/// both when it goes on.
#[test]
fn a_bar_is_gone_when_a_second_signal_leaves_at_once() {
    let dir = Dir::new();
    slow_to_deflate(&dir, "slow.pak");
    let script = format!("echo $$ >pid; exec {}", command(""));
    let script = format!("sh -c '{}'", script.replace('\'', "'\\''"));
    let Some(terminal) = Terminal::new("twice", &dir, &script) else {
        return;
    };
    terminal.wait(has_bar);
    let pid = String::from_utf8(dir.read("pid")).unwrap();
    for signal in ["STOP", "INT", "TERM", "CONT"] {
        crate::cli::signals::send(signal, pid.trim().parse().unwrap());
    }
    let screen = terminal.wait(|screen| screen.contains("CODE="));
    assert!(!has_bar(&screen), "{screen}");
    assert!(!screen.contains("slow.pak"), "{screen}");
    let codes = ["CODE=130", "CODE=143"];
    assert!(codes.iter().any(|code| screen.ends_with(code)), "{screen}");
}

/// It tells all that run in it, and a shell that knows its jobs tells them again.
#[cfg(target_os = "linux")]
#[test]
fn a_closed_terminal_leaves_nothing_behind() {
    let dir = Dir::new();
    slow_to_deflate(&dir, "slow.pak");
    let Some(terminal) = Terminal::new("closed", &dir, &command("")) else {
        return;
    };
    terminal.wait(has_bar);
    assert!(dir.is_written_to(), "{:?}", dir.all());
    drop(terminal);
    let start = Instant::now();
    while dir.is_written_to() {
        assert!(start.elapsed() < Duration::from_secs(60), "{:?}", dir.all());
        std::thread::sleep(Duration::from_millis(5));
    }
    dir.holds("slow.pak");
}

/// What an archive holds is known when it is opened, so a bar of contents would be full long before the end. The bytes of
/// the files are known before.
#[test]
fn the_bar_of_a_batch_counts_archives() {
    let dir = Dir::new();
    for name in ["in/a.pak", "in/b.pak", "in/c.pak"] {
        dir.file(name, quake());
    }
    slow_to_deflate(&dir, "in/d.pak");
    let daisho = env!("CARGO_BIN_EXE_daisho");
    let script = format!("'{daisho}' -j1 convert -r in -C out --to pk3 --level 9");
    let Some(terminal) = Terminal::new("batch", &dir, &script) else {
        return;
    };
    let is_drawn =
        |screen: &str| screen.contains("of 4 archives, ") && screen.contains("  in/d.pak");
    let screen = terminal.wait(is_drawn);
    assert!(screen.contains(" 3 of 4 archives, 6546 bytes of 5.0 MB"), "{screen}");
    let full = format!("{} ", "=".repeat(20));
    assert!(!screen.contains(&full), "{screen}");
}

#[test]
fn there_is_no_bar_where_progress_is_never_wanted() {
    let dir = Dir::new();
    slow_to_deflate(&dir, "slow.pak");
    let Some(terminal) = Terminal::new("never", &dir, &command("--progress never")) else {
        return;
    };
    let screen = terminal.wait(|screen| has_bar(screen) || screen.contains("CODE="));
    assert!(!has_bar(&screen), "{screen}");
}

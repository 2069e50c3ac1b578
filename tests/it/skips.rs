//! What is skipped where something is missing: each skip says so, and with `DAISHO_NO_SKIPS=1` it fails.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::process::Command;
use std::sync::Mutex;

/// What was said already, because some tests ask for one program many times.
static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Prints that the running test, or a part of it, is skipped. The test harness does not hold this line back.
///
/// # Panics
///
/// If `DAISHO_NO_SKIPS` is 1, as on machines that are to have everything.
#[track_caller]
pub(crate) fn skip(why: &str) {
    let test = std::thread::current().name().unwrap_or("a test").to_owned();
    let line = format!("skipped: {test}, {why}\n");
    assert!(std::env::var_os("DAISHO_NO_SKIPS").is_none_or(|value| value != "1"), "{line}");
    if SAID.lock().unwrap().insert(line.clone()) {
        let _ = std::io::stderr().write_all(line.as_bytes());
    }
}

/// Whether a program is installed. If not, [`skip`]s.
#[track_caller]
pub(crate) fn is_installed(program: &str) -> bool {
    let found = Command::new("sh").args(["-c", &format!("command -v {program}")]).output();
    let found = found.is_ok_and(|found| found.status.success());
    if !found {
        skip(&format!("{program} is not installed"));
    }
    found
}

//! What somebody makes or replaces while a conversion runs.

use std::thread;
use std::time::{Duration, Instant};

use super::slow::slow_pak;
use super::{Dir, Ran};
use crate::archive::build::Pak;

/// Runs a command, and does something as soon as it has begun to write.
fn disturbed(dir: &Dir, line: &str, disturb: impl FnOnce() + Send) -> Ran {
    thread::scope(|scope| {
        scope.spawn(|| {
            let start = Instant::now();
            while !dir.is_written_to() {
                assert!(start.elapsed() < Duration::from_secs(20), "nothing written");
                thread::sleep(Duration::from_millis(5));
            }
            disturb();
        });
        dir.run(line)
    })
}

#[test]
fn an_output_that_appears_during_the_work_is_kept() {
    let dir = Dir::new();
    slow_pak(&dir, "slow.pak");
    let line = "convert slow.pak -o out.pak --to daikatana -j1";
    disturbed(&dir, line, || drop(dir.file("out.pak", "theirs")))
        .code(1)
        .err_has("error: already exists\n  --> out.pak\n");
    assert_eq!(dir.read("out.pak"), b"theirs");
    dir.holds("out.pak slow.pak");
}

/// With an engine, archives are opened once before the first output is written, and again in their turn.
#[test]
fn an_input_replaced_before_its_turn_is_skipped() {
    let dir = Dir::new();
    slow_pak(&dir, "pak0.pak");
    dir.file("pak1.pak", Pak::new().stored("a", "a").quake());
    let other = Pak::new().stored("b", "b").quake();
    let line = "convert pak0.pak pak1.pak -C out --engine daikatana -j1";
    disturbed(&dir, line, || drop(dir.file("pak1.pak", other)))
        .code(1)
        .err_has("changed since the work was planned")
        .err_has("--> pak1.pak\n");
    assert!(dir.has("out/pak0.pak"));
    assert!(!dir.has("out/pak1.pak"));
}

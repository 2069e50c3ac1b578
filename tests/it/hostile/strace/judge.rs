//! What holds after a run in which a system call has failed:
//!
//! 1. The sources are byte for byte as they were.
//! 2. Under every final name is the old content, the new content, or nothing, and nothing only
//!    where there was nothing.
//! 3. Exit status 0 only if all of the new content is there, and nothing else. Otherwise 1 or 2: no
//!    panic, no death, no hang.
//! 4. A message names a file, and says what the system said.
//! 5. A temporary is left only where its removal is what failed, and then it is named.
//! 6. What failed once costs one pak, or the directory that could not be searched. Exit status 2
//!    means that nothing was written.

use std::collections::BTreeSet;
use std::path::Path;

use super::stage::{Fault, Run, Stage};

pub(super) fn judge(stage: &Stage<'_>, fault: &Fault, run: &Run) -> Result<(), String> {
    let held = holds(stage, fault, run);
    let files: Vec<_> = run.tree.iter().map(|(path, it)| (path, it.len())).collect();
    held.map_err(|why| {
        format!(
            "{why}\n{:?}\n{fault:?}\nexit {:?}, there is {files:?}\n{}",
            stage.verb.args, run.code, run.stderr
        )
    })
}

fn holds(stage: &Stage<'_>, fault: &Fault, run: &Run) -> Result<(), String> {
    let check = |holds: bool, why: &str| if holds { Ok(()) } else { Err(why.to_owned()) };
    check(run.sources_are_untouched, "a source has changed")?;
    let code = run.code.ok_or("a death or a hang")?;
    check((0..=2).contains(&code), "no exit status of ours")?;
    check(!run.stderr.contains("panicked"), "a panic")?;

    let mut new = BTreeSet::new();
    for (path, content) in &run.tree {
        let name = path.file_name().unwrap().to_string_lossy();
        if name.starts_with(".daisho-") {
            let named = run.stderr.contains(&*name);
            check(named, &format!("{} is left", path.display()))?;
        } else if Some(content) == stage.whole.get(path) {
            new.insert(path.as_path());
        } else if Some(content) != stage.old.get(path) {
            return Err(format!("{} is torn", path.display()));
        }
    }
    for path in stage.old.keys() {
        let there = run.tree.contains_key(path);
        check(there, &format!("{} is lost", path.display()))?;
    }
    let lacking: Vec<&Path> = (stage.whole.keys().map(|path| path.as_path()))
        .filter(|path| !new.contains(path))
        .collect();
    if code == 0 {
        check(lacking.is_empty(), "lost, and not told")?;
        return check(run.tree.len() == new.len(), "something is left");
    }
    check(code != 2 || new.is_empty(), "refused, and written")?;
    if !fault.from_then_on && code == 1 {
        let groups: BTreeSet<&Path> = lacking.iter().map(|path| group(stage, path)).collect();
        check(groups.len() <= 1, "more than one pak has failed")?;
    }
    // Messages are what `write` writes: everything else is written at a place.
    if fault.call == "write" {
        return Ok(());
    }
    check(run.stderr.contains("error: "), "no message")?;
    // A pak that was named without a directory is in the current one.
    let named = ["sources", "made", "new.pak", "--> .\n"];
    let named = named.iter().any(|name| run.stderr.contains(name));
    check(named, "no file is named")?;
    let words = match fault.errno {
        "ENOSPC" => "no space left",
        "EIO" => "input/output error",
        "EACCES" => "permission denied",
        "EINTR" => "interrupted",
        _ => "too many open files",
    };
    let said = run.stderr.to_lowercase().contains(words);
    check(said, "no cause is told")
}

/// What a fault may cost at most: a pak's files, or all below a directory of sources.
fn group<'a>(stage: &Stage<'_>, path: &'a Path) -> &'a Path {
    if stage.verb.args[0] == "create" {
        return path;
    }
    // made/out/first.pak, made/out/more/second.pak, made/out/first/maps/e1.bsp
    let depth = path.ancestors().count() - 1;
    path.ancestors().nth(depth - 3).unwrap_or(path)
}

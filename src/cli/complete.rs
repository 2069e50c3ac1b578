//! Completions: a shell asks the command itself for the words that fit at the cursor.
//!
//! clap completes verbs, options, formats, engines and files by itself. This file adds the names of entries,
//! which are read from the archive that was typed before them.
//!
//! A name is offered only if a shell reads it as one plain word: an archive may come from a stranger, and the
//! user's next key may run the completed line.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap_complete::engine::{CompletionCandidate, PathCompleter, ValueCompleter as _};
use clap_complete::env::Shells;

use crate::Archive;

/// The environment variable that a shell sets to ask for completions.
pub(crate) const VARIABLE: &str = "DAISHO_COMPLETE";

/// The script that makes a shell ask for completions.
pub(crate) fn script(shell: &str) -> std::io::Result<Vec<u8>> {
    let mut script = Vec::new();
    let shells = Shells::builtins();
    match shells.completer(shell) {
        Some(it) => it.write_registration(VARIABLE, "daisho", "daisho", "daisho", &mut script)?,
        None => return Err(std::io::ErrorKind::InvalidInput.into()),
    }
    if shell == "zsh" {
        script.extend_from_slice(AUTOLOADED);
    }
    Ok(script)
}

/// zsh loads the script from a directory of functions when it needs the first completion, and calls it for that
/// completion, too. So the script must answer this first call.
const AUTOLOADED: &[u8] =
    b"\n[[ \"$funcstack[1]\" == _daisho ]] && _clap_dynamic_completer_daisho \"$@\"\n";

/// Names of entries of the archive that was typed.
pub(crate) fn names(current: &OsStr) -> Vec<CompletionCandidate> {
    let typed: Vec<OsString> = std::env::args_os().skip_while(|it| it != "--").collect();
    let Some(pak) = typed.iter().skip(3).find_map(|word| open(word)) else {
        return Vec::new();
    };
    let all = pak.entries().map(|entry| entry.name().as_bytes());
    let steps = next_steps(all, current.as_encoded_bytes());
    steps.into_iter().map(CompletionCandidate::new).collect()
}

/// Paths, and after an archive the names of its entries.
pub(crate) fn paths_and_names(current: &OsStr) -> Vec<CompletionCandidate> {
    let mut found = PathCompleter::any().complete(current);
    found.extend(names(current));
    found
}

/// Opens the archive at a path that is still being typed.
fn open(word: &OsStr) -> Option<Archive> {
    let path = match word.to_str().and_then(|word| word.strip_prefix("~/")) {
        Some(rest) => Path::new(&std::env::var_os("HOME")?).join(rest),
        None => PathBuf::from(word),
    };
    Archive::open(path).ok()
}

/// The completions of what is typed, from `names`: each up to the next '/', as with paths.
fn next_steps<'n>(names: impl Iterator<Item = &'n [u8]>, typed: &[u8]) -> BTreeSet<String> {
    let step = |name: &[u8]| {
        let rest = name.strip_prefix(typed)?;
        let step = match rest.iter().position(|&byte| byte == b'/') {
            Some(at) => name.get(..=typed.len() + at)?,
            None => name,
        };
        let is_word = !step.is_empty() && !step.starts_with(b"-") && step.iter().all(is_harmless);
        is_word.then(|| String::from_utf8_lossy(step).into_owned())
    };
    names.filter_map(step).collect()
}

/// Whether a shell takes a byte as it is.
fn is_harmless(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_-./+@%,".contains(byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(names: &[&str], typed: &str) -> Vec<String> {
        let names = names.iter().map(|name| name.as_bytes());
        next_steps(names, typed.as_bytes()).into_iter().collect()
    }

    #[test]
    fn names_are_completed_a_folder_at_a_time() {
        let names = ["maps/e1m1.bsp", "maps/e1m2.bsp", "maps/old/a.bsp", "quake.rc"];
        assert_eq!(steps(&names, ""), ["maps/", "quake.rc"]);
        assert_eq!(steps(&names, "ma"), ["maps/"]);
        assert_eq!(steps(&names, "maps/"), ["maps/e1m1.bsp", "maps/e1m2.bsp", "maps/old/"]);
        assert_eq!(steps(&names, "maps/e1m2"), ["maps/e1m2.bsp"]);
        assert_eq!(steps(&names, "sound"), [""; 0]);
    }

    #[test]
    fn a_name_that_a_shell_would_run_is_not_offered() {
        let names = ["$(halt)", "a;b", "`x`", "a b", "-rf", "a\nb", "\u{1b}[2J", "a'", "ok"];
        assert_eq!(steps(&names, ""), ["ok"]);
    }
}

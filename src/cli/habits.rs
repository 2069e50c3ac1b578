//! The verbs and options of other tools, and what they are called here.
//!
//! None of these is accepted. The error names the right one, and so does the help of its verb.

/// A verb or an option of another tool.
struct Habit {
    /// The verbs with which it is typed. Empty if it stands where a verb should.
    with: &'static str,
    typed: &'static str,
    /// What to type instead: an option of the same verb, or what follows `daisho`.
    meant: &'static str,
}

/// The verbs that write, each with `-f`.
const WRITING: &str = "convert extract create add gallery";

#[rustfmt::skip]
const HABITS: [Habit; 43] = [
    Habit { with: "", typed: "a append -a", meant: "add" },
    Habit { with: "", typed: "update freshen u -u replace put", meant: "add -f" },
    Habit { with: "", typed: "delete del d rmdir -d", meant: "remove" },
    Habit { with: "", typed: "decompress unzip untar e extract-all -x -xf -e", meant: "extract" },
    Habit { with: "", typed: "compress zip tar archive new -c -cf", meant: "create" },
    Habit { with: "", typed: "tree", meant: "list --tree" },
    Habit { with: "", typed: "search find grep", meant: "list PATH -i GLOB" },
    Habit { with: "", typed: "dir contents inventory scan -l", meant: "list" },
    Habit { with: "", meant: "verify --hash sha256",
        typed: "hash checksum crc crc32 sha256 sha256sum" },
    Habit { with: "", typed: "check validate integrity fsck -t", meant: "verify" },
    Habit { with: "", typed: "repair fix recover salvage", meant: "convert --keep-going" },
    Habit { with: "", typed: "snapshot baseline", meant: "verify --snapshot FILE --update" },
    Habit { with: "", typed: "merge join combine", meant: "convert --merge" },
    Habit { with: "", typed: "split", meant: "convert --max-size SIZE" },
    Habit { with: "", typed: "repack transform to", meant: "convert" },
    Habit { with: "", typed: "compare cmp", meant: "diff" },
    Habit { with: "", typed: "dedup dedupe duplicates", meant: "dupes" },
    Habit { with: "", typed: "view open identify file stat describe", meant: "FILE" },
    Habit { with: "", typed: "print type -p -O", meant: "cat" },
    Habit { with: "", typed: "preview display draw", meant: "show" },
    Habit { with: "", typed: "html browse", meant: "gallery" },
    Habit { with: "", typed: "restore revert", meant: "undo" },
    Habit { with: "", typed: "move ren", meant: "rename" },
    Habit { with: "", typed: "version", meant: "--version" },
    Habit { with: "extract convert", meant: "-C DIR",
        typed: "-d --output-dir --dest --destination --target" },
    Habit { with: "extract", typed: "-o --output --out", meant: "-C DIR" },
    Habit { with: "extract", typed: "-O -p --stdout --to-stdout", meant: "cat" },
    Habit { with: "extract", typed: "-l -t", meant: "list" },
    Habit { with: "extract", typed: "--strip-components --junk-paths", meant: "--flat" },
    Habit { with: "convert create", typed: "--format", meant: "--to FORMAT" },
    Habit { with: "convert create", typed: "zip pk4 pkz", meant: "--to pk3" },
    Habit { with: "create add", typed: "-C --directory --base --prefix", meant: "--root DIR" },
    Habit { with: WRITING, typed: "-y --yes --overwrite --replace", meant: "-f" },
    Habit { with: "convert extract list verify", typed: "-e --pattern --only", meant: "-i GLOB" },
    Habit { with: "info list verify", typed: "--format", meant: "--json" },
    Habit { with: "info list verify", typed: "--csv", meant: "--json" },
    Habit { with: "convert create", typed: "--split", meant: "--max-size SIZE" },
    Habit { with: "convert create info", typed: "quake3", meant: "--engine ioquake3" },
    Habit { with: "info", typed: "--missing", meant: "missing" },
    Habit { with: "list", typed: "-o --output", meant: "list ... > FILE" },
    Habit { with: "extract", typed: "--as --to", meant: "--png" },
    Habit { with: "convert extract verify", typed: "-T --threads", meant: "-j N" },
    Habit { with: "remove cat", typed: "-i --include -x --exclude", meant: "NAME|GLOB" },
];

impl Habit {
    /// What to type instead, with `verb`: what follows `daisho`.
    fn with_verb(&self, verb: Option<&str>) -> String {
        let is_of_verb = self.meant.starts_with(['-', 'N']);
        match verb.filter(|_| is_of_verb) {
            Some(verb) => format!("{verb} {}", self.meant),
            None => self.meant.to_owned(),
        }
    }
}

/// What to type instead of this option of `verb`, or of this word in the place of a verb: what follows `daisho`.
pub(super) fn meant(verb: Option<&str>, typed: &str) -> Option<String> {
    let with = verb.unwrap_or("");
    for habit in &HABITS {
        if has(habit.with, with) && has(habit.typed, typed) {
            return Some(habit.with_verb(verb));
        }
    }
    None
}

/// Whether `word` is one of these words. The empty word is the only one of no words.
fn has(words: &str, word: &str) -> bool {
    words.split(' ').any(|it| it == word)
}

/// Each verb, each word with it, and what to type instead.
#[cfg(test)]
pub(super) fn all() -> Vec<(Option<&'static str>, &'static str, String)> {
    let mut all = Vec::new();
    for habit in &HABITS {
        for with in habit.with.split(' ') {
            let verb = Some(with).filter(|with| !with.is_empty());
            for typed in habit.typed.split(' ') {
                all.push((verb, typed, habit.with_verb(verb)));
            }
        }
    }
    all
}

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

const fn row(with: &'static str, typed: &'static str, meant: &'static str) -> Habit {
    Habit { with, typed, meant }
}

/// The verbs that write, each with `-f`.
const WRITING: &str = "convert extract create add gallery";

#[rustfmt::skip]
const HABITS: [Habit; 40] = [
    row("", "a append -a", "add"),
    row("", "update freshen u -u", "add -f"),
    row("", "delete del d rmdir -d", "remove"),
    row("", "decompress unzip untar e extract-all -x -xf -e", "extract"),
    row("", "compress zip tar archive new -c -cf", "create"),
    row("", "tree", "list --tree"),
    row("", "search find grep", "list PATH -i GLOB"),
    row("", "dir contents -l", "list"),
    row("", "hash checksum crc crc32 sha256 sha256sum", "verify --hash sha256"),
    row("", "check validate integrity fsck -t", "verify"),
    row("", "repair fix recover salvage", "convert --keep-going"),
    row("", "snapshot baseline", "verify --snapshot FILE --update"),
    row("", "merge join combine", "convert --merge"),
    row("", "split", "convert --max-size SIZE"),
    row("", "repack transform to", "convert"),
    row("", "compare cmp", "diff"),
    row("", "dedup dedupe duplicates", "dupes"),
    row("", "view open identify file stat describe", "FILE"),
    row("", "print type -p -O", "cat"),
    row("", "preview display draw", "show"),
    row("", "html browse", "gallery"),
    row("", "restore revert", "undo"),
    row("", "move ren", "rename"),
    row("", "version", "--version"),
    row("extract convert", "-d --output-dir --dest --destination --target", "-C DIR"),
    row("extract", "-o --output --out", "-C DIR"),
    row("extract", "-O -p --stdout --to-stdout", "cat"),
    row("extract", "-l -t", "list"),
    row("extract", "--strip-components --junk-paths", "--flat"),
    row("convert create", "--format", "--to FORMAT"),
    row("convert create", "zip pk4 pkz", "--to pk3"),
    row("create add", "-C --directory --base --prefix", "--root DIR"),
    row(WRITING, "-y --yes --overwrite --replace", "-f"),
    row("convert extract list verify", "-e --pattern --only", "-i GLOB"),
    row("info list verify", "--format", "--json"),
    row("info", "--missing", "missing"),
    row("list", "-o --output", "list ... > FILE"),
    row("extract", "--as --to", "--png"),
    row("convert extract verify", "-T --threads", "-j N"),
    row("remove cat", "-i --include -x --exclude", "NAME|GLOB"),
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

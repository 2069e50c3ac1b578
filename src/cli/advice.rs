//! What the user can do about a finding, with the command's verbs and options.

use std::ffi::OsStr;
use std::path::Path;

use crate::archive::{Place, escape};
use crate::ops::finding::{Finding, Help};

/// The options of this run's verb, as they are typed. Before the verb is known there are none, and advice may name any.
#[derive(Debug, Default)]
pub(super) struct VerbOptions {
    names: Vec<String>,
    /// Whether the user gave `--keep-going`.
    pub(super) keeps_going: bool,
}

impl VerbOptions {
    pub(super) fn of(verb: &clap::Command, keeps_going: bool) -> Self {
        let mut names = Vec::new();
        for option in verb.get_arguments() {
            names.extend(option.get_short().map(|it| format!("-{it}")));
            names.extend(option.get_long().map(|it| format!("--{it}")));
        }
        Self { names, keeps_going }
    }

    /// Whether the verb has all options that a clause names. Options after the name of another verb belong to that one.
    fn have_all(&self, clause: &str) -> bool {
        let mut words = clause.split([' ', ',']).filter(|it| it.len() > 1 && it.starts_with('-'));
        self.names.is_empty()
            || clause.contains("'daisho ")
            || words.all(|word| self.names.iter().any(|name| name == word))
    }
}

/// What to do about the finding: the advice that it carries, and what the command can do about it with this verb.
pub(super) fn advice(finding: &Finding, verb: &VerbOptions) -> Option<String> {
    let help = finding.help.filter(|help| !(*help == Help::KeepGoing && verb.keeps_going));
    let mut clauses: Vec<String> = help
        .map_or("", table::words)
        .split("; ")
        .filter(|clause| !clause.is_empty() && verb.have_all(clause))
        .map(str::to_owned)
        .collect();
    if help == Some(Help::LeaveOut)
        && let (Some(clause), Some(pattern)) = (clauses.first_mut(), pattern_of(&finding.place))
    {
        *clause = format!("leave it out with -x {pattern}");
    }
    let words = (!clauses.is_empty()).then(|| clauses.join("; "));
    match (finding.advice.as_deref(), words) {
        (Some(advice), Some(words)) => Some(format!("{advice}, or {words}")),
        (advice, words) => words.or(advice.map(str::to_owned)),
    }
}

/// The pattern that matches the entry or file at this place. `None` if its name would mean something else.
fn pattern_of(place: &Place) -> Option<String> {
    let name = match (&place.entry, &place.path) {
        (Some((_, name)), _) => name,
        (None, Some(path)) => path.file_name()?.as_encoded_bytes(),
        (None, None) => return None,
    };
    let name = core::str::from_utf8(name).ok()?;
    let is_odd = |c: char| c.is_control() || "*?[]{}!\\'".contains(c);
    if name.is_empty()
        || name.starts_with('-')
        || name.ends_with(['/', '.'])
        || name.contains(is_odd)
    {
        return None;
    }
    Some(shell_word(name.as_ref()))
}

/// An argument as it would be typed: escaped, and in quotes if a shell would change it.
fn shell_word(word: &OsStr) -> String {
    let word = escape(word.as_encoded_bytes()).to_string();
    let mut special = word.chars();
    let is_special = special.any(|c| !c.is_alphanumeric() && !"_./:=,@%+-".contains(c));
    if !word.is_empty() && !is_special { word } else { format!("'{word}'") }
}

/// The advice for a missing output that was probably given as a path.
pub(super) fn with_output(verb: &str, input: &Path, output: &Path) -> String {
    let [input, output] = [input, output].map(|path| shell_word(path.as_os_str()));
    format!("use -o for the output: daisho {verb} {input} -o {output}")
}

/// What the command can do about a finding.
#[rustfmt::skip]
mod table {
    use crate::ops::finding::{Help, UserLimit};

    pub(super) const fn words(help: Help) -> &'static str {
        match help {
            Help::KeepGoing =>
                "save what is left with 'daisho extract --keep-going' or 'daisho convert --keep-going'",
            Help::NameFormat => "say which format it is, with --from quake or --from daikatana",
            Help::MapOfGame =>
                "give the directory or archive of its game, and its name with --map, as in 'daisho missing id1 mymod --map mine'",
            Help::ReadReserved =>
                "read it with --reserved skip, as the game does, or with --reserved copy",
            Help::Raise(UserLimit::Expansion) => "raise the limit with --max-expansion N",
            Help::Raise(UserLimit::Pixels) => "raise the limit with --max-pixels N",
            Help::Raise(UserLimit::ArchiveSize) => "raise the limit with --max-size",
            Help::Raise(UserLimit::ArchiveEntries) =>
                "raise the limits with --max-entries and --max-size",
            Help::NameEngine => "name the engine of a game of ZIPs, as in --engine ioquake3",
            Help::NewArchive => "make a new archive with 'daisho create DIRECTORY -o NAME.pak'",
            Help::NameOutput =>
                "name it with -o for 'daisho convert', and with -C for 'daisho extract'",
            Help::NamesAfterArchive =>
                "names of entries come after their archive; a directory to write into comes after -C, as in pak0.pak maps/e1m1.bsp -C DIR; 'daisho list' shows the names",
            Help::ListNames => "'daisho list' shows the names and numbers",
            Help::ListServed => "'daisho list --effective' shows the names that are served",
            Help::Patterns =>
                "'*.wal' and '*wall*' match in any folder, 'maps/' matches everything in a folder, and '*' stops at a '/'; 'daisho list' shows the names",
            Help::NewSnapshot => "make a new snapshot with --update",
            Help::ExtractPictures => "write several into files with 'daisho extract --png'",
            Help::MakePictures => "give --png to make pictures of the game of them again",
            Help::GivePalette =>
                "give --game with the directory that holds the game's paks, such as id1 or baseq2, or --palette FILE",
            Help::LeaveOut => "leave it out with -x NAME",
            Help::LeaveOutArchives => "leave archives out with -x, as in -x '*.pak'",
            Help::OnlyTextures =>
                "choose textures with -i '*.mip', or pictures with -i '*.png', of which 'daisho create' and 'daisho add' make textures",
            Help::ReplaceEntry => "replace the entry with 'daisho add -f'",
            Help::Rescue => "give --rescue to extract under safe names",
            Help::GiveRoot => "give --root a directory that contains all files",
            Help::TakeHidden => "give --hidden to take them",
            Help::NoBackup => "give --no-backup to keep no previous version",
            Help::Overwrite => "give -f to replace existing files, or -k to keep them",
            Help::OverwriteAll => "write all parts again with -f",
            Help::Edit =>
                "change the archive itself with 'daisho add', 'daisho remove' or 'daisho rename'",
            Help::OutputDecides => "leave out --to and --engine",
            Help::PicturesBecome =>
                "'daisho create' makes a WAD of pictures, and 'daisho convert' with --to wal, or an output such as a.wal, makes another picture",
            Help::PicturesIntoDirectory =>
                "give -C DIR and the type, as in -C DIR --to wal, to write several pictures into a directory",
            Help::IntoDirectory => "give -C DIR to write several archives into a directory",
            Help::Split =>
                "'daisho create' and 'daisho convert' split their output with --engine, --max-entries or --max-size",
            Help::SplitFirst =>
                "split it first: 'daisho convert --max-entries N' or '--max-size SIZE' writes several archives, which can be changed one by one",
            Help::ConvertForEngine =>
                "'daisho convert --engine NAME' writes an archive that the engine loads",
            Help::Verify => "find the damaged entries with 'daisho verify'",
            Help::Lowercase => "give --lowercase if it asks in lower case",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn advised(help: Help, names: &[&str]) -> Option<String> {
        let names = names.iter().map(|&name| name.to_owned()).collect();
        let verb = VerbOptions { names, keeps_going: false };
        advice(&Finding::error("x").help(help), &verb)
    }

    #[test]
    fn clauses_with_options_of_other_verbs_are_left_out() {
        let names = advised(Help::NamesAfterArchive, &["-q"]);
        let expected = "names of entries come after their archive; 'daisho list' shows the names";
        assert_eq!(names.as_deref(), Some(expected));
        assert!(advised(Help::NamesAfterArchive, &["-C"]).is_some_and(|it| it.contains("-C DIR")));
        assert_eq!(advised(Help::LeaveOut, &["--exclude"]), None);
        assert_eq!(advised(Help::NoBackup, &["-f"]), None);
        // Before the verb is known, and of another verb that is named.
        assert!(advised(Help::NoBackup, &[]).is_some());
        assert!(advised(Help::KeepGoing, &["-q"]).is_some());
    }

    #[test]
    fn what_was_given_is_not_advised() {
        let verb = VerbOptions { names: Vec::new(), keeps_going: true };
        assert_eq!(advice(&Finding::error("x").help(Help::KeepGoing), &verb), None);
    }
}

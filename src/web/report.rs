//! The reports of the program: JSON objects on standard output, one per line, and advice about errors.

use std::fmt::Display;
use std::io::{Stdout, Write as _};
use std::time::{Duration, Instant};

use daisho::archive::{Flaw, Place, RawName, escape};
use daisho::ops::catalogue::SnapshotError;
use daisho::{Entry, Error, ErrorKind};
use serde::Serialize;
use serde_json::{Value, json};

/// The shortest time between two reports of progress.
const PAUSE: Duration = Duration::from_millis(80);

/// Standard output, where the program reports everything to the page.
pub(crate) struct Report {
    out: Stdout,
    last: Instant,
}

impl Report {
    pub(crate) fn new() -> Self {
        Self {
            out: std::io::stdout(),
            last: Instant::now(),
        }
    }

    /// Sends an object as a line of JSON. Errors are ignored: if nobody is listening any more, the program is being
    /// ended anyway.
    pub(crate) fn say(&mut self, line: &impl Serialize) {
        let mut text = serde_json::to_string(line).unwrap_or_default();
        text.push('\n');
        let _ = self.out.write_all(text.as_bytes());
    }

    /// Sends the progress, unless it did so a moment ago.
    pub(crate) fn progress(&mut self, done: u64, all: u64) {
        if self.last.elapsed() >= PAUSE {
            self.last = Instant::now();
            self.say(&json!({ "progress": done, "of": all }));
        }
    }

    pub(crate) fn error(&mut self, error: &Error) {
        self.say(&failure(error));
    }

    /// Reports a warning about an entry.
    pub(crate) fn warning(&mut self, entry: &Entry<'_>, what: impl Display) {
        self.say(&warning(what, &place(entry)));
    }
}

/// An error as the page shows it.
pub(crate) fn failure(error: &Error) -> Value {
    let what = error.kind().to_string();
    json!({ "error": what, "place": shown_place(error.place()), "help": advice(error.kind()) })
}

/// A warning as the page shows it.
pub(crate) fn warning(what: impl Display, place: &Place) -> Value {
    json!({ "warning": what.to_string(), "place": shown_place(place), "help": null })
}

fn shown_place(place: &Place) -> Option<String> {
    (!place.is_unknown()).then(|| place.to_string())
}

/// The sum of sizes, which a hostile archive may make larger than any number.
pub(crate) fn total(sizes: impl Iterator<Item = u64>) -> u64 {
    sizes.fold(0, u64::saturating_add)
}

/// A name as it is shown.
pub(crate) fn shown(name: RawName<'_>) -> String {
    escape(name.as_bytes()).to_string()
}

/// An entry as a place.
pub(crate) fn place(entry: &Entry<'_>) -> Place {
    Place {
        path: entry.archive().path().map(Into::into),
        entry: Some((entry.index(), entry.name().as_bytes().into())),
        offset: None,
    }
}

/// What the user can do about an error, if anything.
fn advice(kind: &ErrorKind) -> Option<&'static str> {
    Some(match kind {
        ErrorKind::TooShort { .. }
        | ErrorKind::NotAnArchive { .. }
        | ErrorKind::OtherFile { .. } => {
            "this page opens paks of Quake, Quake II, Half-Life, Hexen II, Daikatana, SiN, HROT and \
             Anachronox, WAD2, WAD3, and ZIPs such as PK3"
        }
        ErrorKind::NoDirectory { .. }
        | ErrorKind::NoZipEnd
        | ErrorKind::NoZipDirectory { .. }
        | ErrorKind::OutsideFile { .. } => {
            "the file has probably been cut short: get a whole copy of it"
        }
        ErrorKind::NoNames { .. }
        | ErrorKind::ShortDirectory { .. }
        | ErrorKind::Undecided { .. } => "get another copy of the archive",
        ErrorKind::SplitZip => "join the parts of the ZIP first",
        ErrorKind::Flawed(Flaw::Encrypted) => "unpack it with a program that asks for the password",
        ErrorKind::Flawed(Flaw::Method(_)) => {
            "unpack it with 7-Zip, and make an archive of the files"
        }
        ErrorKind::Flawed(_)
        | ErrorKind::ImpossibleSize { .. }
        | ErrorKind::Damaged(_)
        | ErrorKind::Unreadable(_)
        | ErrorKind::DamagedDeflate(_)
        | ErrorKind::WrongCrc32 { .. } => {
            "get another copy of the archive; its other entries are not affected"
        }
        ErrorKind::NameTooLong { .. }
        | ErrorKind::NameFromHere
        | ErrorKind::NameOfFolder
        | ErrorKind::NoLump { .. } => "rename the entry first, or leave out what fails",
        ErrorKind::OverLimit { .. } => "'daisho convert' splits an archive that is too large",
        ErrorKind::Io(error) if error.get_ref().is_some_and(|it| it.is::<SnapshotError>()) => {
            "drop a file that 'daisho verify --snapshot' has written"
        }
        _ => return None,
    })
}

//! Many messages of one kind, as one.
//!
//! A pak of another packer has something to say of each of its streams, and a collection has many such paks.
//! So problems are gathered while a run goes on, and each kind of them is one message with their number,
//! the first of them, and what to do:
//!
//! ```text
//! warning: 2036 streams go on behind their end marker; what follows is ignored, as in the game
//!   --> pak0.pak: entry 3 "maps/e1m1.bsp", byte 12, and 2035 more, in 3 archives in all (-v names each)
//! ```
//!
//! A few of a kind stay messages of their own.

use core::mem::{Discriminant, discriminant};
use std::io;
use std::path::PathBuf;

use daisho::ErrorKind;
use daisho::archive::{Flaw, Note, PathError};
use daisho::codec::Warning;
use daisho::error::{Error, PictureError};
use daisho::ops::context::Severity;

use super::advice::advice_for_several;
use super::message::Message;

/// How many of a kind are still reported one by one; and how many places are shown of more errors.
const FEW: usize = 3;

/// Problems that wait to be reported.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    groups: Vec<Group>,
}

/// Problems of one kind.
#[derive(Debug)]
struct Group {
    sort: Sort,
    severity: Severity,
    /// What all of them say, after their number.
    what: Option<&'static str>,
    help: Option<&'static str>,
    count: usize,
    /// In how many archives their entries are, and the last of these.
    paks: (usize, Option<PathBuf>),
    /// The first few.
    first: Vec<Message>,
}

/// What makes two problems be of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    /// What the system says is one, whoever hears it.
    System(io::ErrorKind),
    /// All that have words of their own for several.
    Several(&'static str),
    Kind(Discriminant<ErrorKind>),
    Note(Discriminant<Note>),
    Path(Discriminant<PathError>),
}

impl Sort {
    fn of(kind: &ErrorKind) -> Self {
        match kind {
            ErrorKind::Io(cause) | ErrorKind::Output { cause, .. } => Self::System(cause.kind()),
            kind => match (several(kind), kind) {
                (Some(words), _) => Self::Several(words),
                (None, ErrorKind::Odd(note)) => Self::Note(discriminant(note)),
                (None, ErrorKind::Path(why)) => Self::Path(discriminant(why)),
                (None, kind) => Self::Kind(discriminant(kind)),
            },
        }
    }
}

/// What several of a kind are, behind their number.
fn several(kind: &ErrorKind) -> Option<&'static str> {
    Some(match kind {
        ErrorKind::Exists => "files already exist",
        ErrorKind::PassedOver(why) => why.several(),
        ErrorKind::Picture(PictureError::TooManyPixels { .. }) => {
            "pictures have more pixels than are decoded"
        }
        ErrorKind::Picture(_) => "pictures cannot be decoded",
        ErrorKind::NoPalette { .. } => "pictures are drawn in grey, because no palette was found",
        ErrorKind::NoLump { .. } => "files are of no type that a WAD holds",
        ErrorKind::NameTooLong { .. } => "names are too long for the archive",
        ErrorKind::PutAside { .. } => "files are put aside, because others have their names",
        ErrorKind::Damaged(_) | ErrorKind::Unreadable(_) => "streams are damaged",
        ErrorKind::OutsideFile { .. } => "payloads do not lie in the file",
        ErrorKind::ImpossibleSize { .. } => "entries claim more than their streams can hold",
        ErrorKind::WrongCrc32 { .. } => "contents have another CRC-32 than the archive says",
        ErrorKind::DamagedDeflate(_) => "deflated payloads are damaged",
        ErrorKind::Flawed(flaw) => return flaws(flaw),
        ErrorKind::OddStream(Warning::MissingEnd { .. }) => {
            "streams end without an end marker, which costs nothing: all of their content is there"
        }
        ErrorKind::OddStream(Warning::Tail { .. }) => {
            "streams go on behind their end marker; what follows is ignored, as in the game"
        }
        ErrorKind::ReservedRead(_) => {
            "archives have the reserved byte 0xfe in their streams; how each is read, its streams decide"
        }
        ErrorKind::Odd(Note::PartialRecord { .. }) => {
            "directories end in less than a record, which is ignored"
        }
        ErrorKind::Odd(Note::LengthContradicted { .. }) => {
            "directories have a length that does not fit their records, which count"
        }
        _ => return None,
    })
}

/// What several entries are that cannot be read because of what their archives say of them.
const fn flaws(flaw: &Flaw) -> Option<&'static str> {
    Some(match flaw {
        Flaw::Encrypted => "entries are encrypted",
        Flaw::Method(_) => {
            "entries are compressed by methods that are not read: only 0 (stored) and 8 (deflated) are"
        }
        Flaw::LumpMethod(_) => "lumps are compressed, which no program is known to write",
        Flaw::NoHeader(_) => "entries have no local header where the directory puts it",
        Flaw::Outside { .. } => "entries should have a local header behind the file's end",
        Flaw::Disagree { .. } => {
            "entries have a local header that says something else than the directory"
        }
        Flaw::StoredLength { .. } => "entries are stored, and their two sizes differ",
        Flaw::OtherPart(_) => "entries lie in other parts of a split ZIP",
        Flaw::LongLink(_) => "symbolic links take too many bytes to say where they lead",
        Flaw::Link(_) => "symbolic links lead to no file of their archive",
        _ => return None,
    })
}

impl Gathered {
    /// Adds a problem. It is kept whole only where it is one of the first of its kind.
    pub(super) fn add(&mut self, error: &Error, severity: Severity) {
        let sort = Sort::of(error.kind());
        // What stands nowhere is not one of many: each says something else.
        let is_alike = |group: &&mut Group| {
            error.pak().is_some() && (group.sort, group.severity) == (sort, severity)
        };
        let pak = error.pak();
        if let Some(group) = self.groups.iter_mut().find(is_alike) {
            group.count += 1;
            if error.entry().is_some() && group.paks.1.as_deref() != pak {
                group.paks = (group.paks.0 + 1, pak.map(Into::into));
            }
            if group.first.len() < FEW {
                group.first.push(Message::from(error));
            }
            return;
        }
        self.groups.push(Group {
            sort,
            severity,
            what: several(error.kind()),
            help: advice_for_several(error.kind()),
            count: 1,
            paks: (1, pak.map(Into::into)),
            first: vec![Message::from(error)],
        });
    }

    /// The messages, those that are about one thing each in the order in which that was first found.
    pub(super) fn take(&mut self) -> Vec<Message> {
        let groups = core::mem::take(&mut self.groups).into_iter();
        groups.flat_map(Group::messages).collect()
    }
}

impl Group {
    fn messages(self) -> Vec<Message> {
        let severity = self.severity;
        if self.count <= FEW {
            let each = self.first.into_iter();
            return each.map(|message| message.with(severity)).collect();
        }
        let shown = match severity {
            Severity::Error => FEW,
            Severity::Warning => 1,
        };
        let more = self.count - shown.min(self.count);
        let mut places: Vec<String> = self.first.iter().flat_map(Message::places).collect();
        places.truncate(shown);
        let within = match self.paks.0 {
            1 => String::new(),
            paks => format!(", in {paks} archives in all"),
        };
        if let Some(last) = places.last_mut() {
            last.push_str(&format!(", and {more} more{within} (-v names each)"));
        }
        let mut first = self.first.into_iter();
        let what = match (self.what, first.next()) {
            (Some(what), _) => format!("{} {what}", self.count),
            (None, Some(first)) => first.what().to_owned(),
            (None, None) => return Vec::new(),
        };
        let message = Message::error(what).with(severity);
        let message = places.into_iter().fold(message, Message::place);
        vec![match self.help {
            Some(help) => message.help(help),
            None => message,
        }]
    }
}

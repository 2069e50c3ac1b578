//! What an operation tells the user: an error or a warning, as plain data.
//!
//! A [`Finding`] has a sentence of its own, and a [`Notice`] that says of what sort it is. Whoever shows
//! findings groups them by notice: the command's sentence for many and its advice are a table from
//! notices to words, `src/cli/notices.rs`. How to provoke each notice is in `tests/ERRORS.md`.

use core::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::archive::error::{ENTRY_SIZE, Error, ErrorKind, Place};
use crate::archive::{Entry, Flaw, Note, RawName, quoted, quoted_path};
use crate::codec::{DecodeErrorKind, Warning};
use crate::engine::Engines;
use crate::fs::CommitError;
use crate::media::PictureError;

/// An error or a warning of an operation.
#[derive(Debug)]
pub struct Finding {
    /// Of what sort it is.
    pub notice: Notice,
    /// Whether it costs anything.
    pub severity: Severity,
    /// The archive or file, the entry and the byte, as far as they are known.
    pub place: Place,
    /// The sentence for this one: what failed, without the place.
    pub detail: String,
    /// The input that could not be read, if it costs a whole one: its path as the user would write it.
    pub unread: Option<Box<PathBuf>>,
}

/// Whether a finding costs anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Odd, and harmless: the result is whole.
    Warning,
    /// Something could not be done.
    Error,
}

/// The sorts of findings. What advice depends on is a notice of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Notice {
    // An input cannot be opened.
    /// The file does not exist.
    NotFound,
    /// The system reports another error while reading.
    CannotRead,
    /// A directory, a pipe or a device where a file is expected.
    NotAFile,
    /// The file is too short for an archive.
    TooShort,
    /// The file is no archive of a known format.
    NotAnArchive,
    /// The file ends before the archive's directory.
    MissingDirectory,
    /// The ZIP has no directory, or not where its end record puts it.
    MissingZipDirectory,
    /// The bytes at the directory's place are no directory.
    NoNames,
    /// The directory is shorter than one record.
    ShortDirectory,
    /// The layout cannot be told from the directory.
    Undecided,
    /// Hardly anything in the directory looks like a record.
    NoisyDirectory,
    /// The magic contradicts the layout that the user asked for.
    OtherMagic,
    /// One part of a ZIP that was split over several files.
    SplitZip,
    /// The file changed while it was read.
    Changed,

    // An entry cannot be read.
    /// The payload is not, or not all of it, inside the file.
    OutsideFile,
    /// The entry claims more than a stream of its length can hold.
    ImpossibleSize,
    /// The entry is encrypted.
    Encrypted,
    /// The entry is compressed by a method that is not read.
    UnknownMethod,
    /// The WAD's lump is compressed.
    CompressedLump,
    /// There is no local header at its offset.
    NoLocalHeader,
    /// The local header would begin after the file's end.
    HeaderOutside,
    /// The local header contradicts the directory.
    HeaderDisagrees,
    /// A stored entry with two different sizes.
    SizesDiffer,
    /// The entry is in another part of a split ZIP.
    OtherPart,
    /// A symbolic link with a path that is too long.
    LongLink,
    /// A symbolic link to something that is not in the archive.
    BrokenLink,
    /// The deflated payload is damaged.
    DamagedDeflate,
    /// The content has another CRC-32 than the archive says.
    WrongCrc32,
    /// The Daikatana stream is damaged.
    Damaged,
    /// The reserved byte `0xFE` is in the stream, and may not be.
    ReservedByte,
    /// The payload belongs to another entry, too, which is damaged.
    SharesDamage,
    /// The reader was used again after an error.
    FailedBefore,
    /// More would come out of the archive than is allowed.
    Expansion,
    /// More would come out of the archive than is possible unless payloads overlap.
    OverlappingPayloads,

    // An archive or a stream is odd.
    /// The archive has no entries.
    EmptyArchive,
    /// The directory is cut off: entries are missing.
    DirectoryCut,
    /// The directory ends in the middle of a record.
    PartialRecord,
    /// The directory's length contradicts its records.
    LengthContradicted,
    /// The directory's length fits no layout.
    LengthOfNone,
    /// Some records of the directory look like noise.
    Noise,
    /// The ZIP's end record has another number of entries than the directory.
    EntryCount,
    /// There are bytes before the archive.
    BytesBefore,
    /// Lumps of a WAD have two sizes.
    LumpSizes,
    /// Local headers of a ZIP differ from the directory.
    LocalHeaders,
    /// A ZIP of a kind that is not a game's archive.
    AnotherKind,
    /// A stream has no end marker.
    MissingEnd,
    /// A stream goes on after its end marker.
    Tail,
    /// A stream has the reserved byte `0xFE`.
    ReservedInStream,
    /// How the reserved byte is read in an archive, as the user chose.
    ReservedChosen,
    /// How the reserved byte is read in an archive, as its streams voted.
    ReservedVoted,

    // A search found something else than an archive.
    /// A directory where an archive is expected.
    IsDirectory,
    /// A directory where exactly one archive is expected.
    OneArchiveExpected,
    /// No archive was found.
    NoArchiveFound,
    /// A file that is named like an archive is empty.
    EmptyFile,
    /// A file that is named like an archive does not begin like one.
    NotBeginning,
    /// A link that is named like an archive leads nowhere.
    DanglingLink,
    /// A pipe, a socket or a device is named like an archive.
    NotRegular,
    /// A Git packfile begins like a pak.
    Packfile,
    /// An archive of RISC OS's PackDir begins like a pak.
    PackDir,
    /// A text begins like a pak.
    TextFile,
    /// A ZIP of another kind is named like an archive.
    OtherZip,
    /// A link to a directory is not searched.
    LinkedDirectory,
    /// An archive inside another one has a name that no file may have.
    NestedName,
    /// Too many archives are inside of others.
    NestedLimit,
    /// An archive is too deep inside of others.
    TooDeep,
    /// An archive of the snapshot is no archive any more.
    NoLongerArchive,

    // What the user named does not exist, or means two things.
    /// A path that does not exist.
    NoSuchFile,
    /// A path after other arguments that does not exist: perhaps the name of an entry.
    NoSuchFileOrEntry,
    /// A name or a number that no entry has.
    NoSuchEntry,
    /// A folder that no entry is in.
    NoSuchFolder,
    /// A pattern that matches no entry.
    NoMatch,
    /// A pattern with a syntax error.
    BadGlob,
    /// An argument that is an archive, and the name of an entry, too.
    ArchiveAndEntry,

    // Snapshots.
    /// A line of a snapshot cannot be parsed.
    BadSnapshot,
    /// The snapshot to compare with does not exist.
    NoSnapshot,
    /// The snapshot has other checksums than the user asked for.
    OtherHash,
    /// The snapshot was not written, because not everything could be read.
    NotRenewed,

    // Pictures and pages.
    /// A picture cannot be decoded.
    Picture,
    /// A picture has more pixels than are decoded.
    TooManyPixels,
    /// A file that was named as a palette has none.
    Palette,
    /// No palette was found for a picture.
    NoPalette,
    /// Nothing is selected that a page could show.
    NothingToShow,

    // Names.
    /// The name of an entry cannot be a path.
    UnsafeName,
    /// The name of a file cannot be the name of an entry.
    FileName,
    /// The name belongs to an entry already.
    NameTaken,
    /// One name was given for several files.
    OneFileForName,
    /// Two files would get one name in the archive.
    SameName,
    /// Two entries have names that are the same in the output.
    NamesAlike,
    /// The name is too long for the format.
    NameTooLong,
    /// The name has a NUL in it.
    NameHasNul,
    /// The name is that of a folder.
    NameOfFolder,
    /// The name begins with `./`.
    NameFromHere,
    /// A file of a type that a WAD cannot hold.
    NoLump,
    /// A file gets another name, because its own is taken.
    PutAside,
    /// An archive's files go into another directory, because its own is taken.
    OtherDirectory,
    /// A file with an unsafe name is written under another one.
    Rescued,
    /// Something in a directory is not packed.
    LeftOut,
    /// The beginning of a path is left out of the names.
    Stripped,

    // Editing.
    /// An archive inside another one cannot be edited.
    WithinAnother,
    /// There is no previous version.
    NothingToUndo,
    /// The previous version would overwrite another file.
    NotPrevious,

    // The output.
    /// There is no entry to write.
    NothingToWrite,
    /// The output exists.
    Exists,
    /// Two inputs would be written to one output.
    SameOutput,
    /// The output is an input.
    OutputIsInput,
    /// The output is something that is never replaced, or inside of an input.
    Blocked,
    /// Something that is no directory is where the output needs one.
    NoDirectoryHere,
    /// The output's extension means another format.
    OtherFormat,
    /// One output was given for several inputs.
    OneOutput,
    /// Archives of this format are not written.
    NotWritten,
    /// The engines do not read this format.
    EngineLayout,
    /// The engines read no format in common.
    NoCommonFormat,
    /// A file is larger than an archive can hold.
    EntryTooLarge,
    /// A number is larger than the format allows.
    OverLimit,
    /// A payload does not have the length that was announced.
    WrongLength,
    /// The format has no compression.
    CannotCompress,
    /// The output could not be opened again.
    WouldNotOpen,
    /// The disk is full, or a quota is used up.
    DiskFull,
    /// Another program has the output open.
    FileInUse,
    /// The user may not write here.
    NotPermitted,
    /// The file system does not allow this name.
    BadOutputName,
    /// The file system does not allow such a large file.
    FileTooLarge,
    /// The system reports another error while writing.
    CannotWrite,
    /// The user stopped the operation.
    Interrupted,

    // Splitting.
    /// Engines do not load an output of this size.
    Unloadable,
    /// An entry is too large for any part.
    FitsNoPart,
    /// Entries of one name are too large for any part.
    GroupFitsNoPart,
    /// The number in the output's name cannot be counted up so far.
    NumberTooLarge,
    /// The output's name has no number.
    NoNumber,
    /// Engines would not load a part.
    NoRoomForPart,
    /// Engines would not load all archives of a directory.
    NoRoomInFolder,
    /// Only some of the parts exist.
    SomePartsExist,
    /// Some of the parts were written when an error occurred.
    PartsLeft,

    // Engines.
    /// Engines refuse an archive, or load garbage from it.
    Judged,
    /// Engines never load an archive.
    NeverLoaded,
    /// Engines never find some names.
    NeverFound,
    /// Engines find some names only as they are spelled.
    FoundAsSpelled,
    /// Engines read some entries differently.
    OddForEngines,
    /// Engines serve different entries under one name.
    ServedOtherwise,
    /// Textures lack their palettes, or have palettes that are ignored.
    TexturePalettes,
    /// The output replaces a pak that the engine recognises.
    StockLost,

    // A game's directories.
    /// There is no directory, or no archive in it.
    NoGame,
    /// The engine needs pak0.pak.
    NeedsFirst,
    /// The engine serves wrong content from an archive.
    ServesWrong,
    /// The engine loads a file that daisho cannot read.
    Unseen,
    /// A link is not followed.
    Unfollowed,
    /// The engine serves nothing under this name.
    NotServed,
    /// The engine serves nothing under this name, and something under one like it.
    NotServedNear,
    /// The engine may serve any of several entries.
    Undefined,
    /// The engine loads archives in no defined order.
    Unsorted,
    /// The engine loads any one of several archives.
    UnsortedOne,
    /// A map, a script or a WAD cannot be looked into.
    NotLookedInto,
    /// The engine loads none of the archives.
    NoneLoaded,
}

impl Finding {
    /// Something that could not be done.
    #[must_use]
    pub fn error(notice: Notice, detail: impl Into<String>) -> Self {
        let mut detail = detail.into();
        // There may be a million findings.
        detail.shrink_to_fit();
        Self {
            notice,
            severity: Severity::Error,
            place: Place::default(),
            detail,
            unread: None,
        }
    }

    /// Something odd.
    #[must_use]
    pub fn warning(notice: Notice, detail: impl Into<String>) -> Self {
        Self::error(notice, detail).as_warning()
    }

    /// The same as a warning.
    #[must_use]
    pub fn as_warning(self) -> Self {
        Self {
            severity: Severity::Warning,
            ..self
        }
    }

    /// An input that could not be read.
    #[must_use]
    pub fn unread(path: impl Into<PathBuf>, error: impl Into<Self>) -> Self {
        Self {
            unread: Some(Box::new(path.into())),
            ..error.into()
        }
    }

    /// Whether it costs anything.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// Whether the user stopped the operation.
    #[must_use]
    pub fn is_stop(&self) -> bool {
        self.notice == Notice::Interrupted
    }

    /// The finding with its archive or file, unless it has one.
    #[must_use]
    pub fn in_pak(mut self, path: impl AsRef<Path>) -> Self {
        self.place.set_path(path.as_ref());
        self
    }

    /// The finding with its entry, unless it has one.
    #[must_use]
    pub fn in_entry(mut self, index: usize, name: RawName<'_>) -> Self {
        self.place.set_entry(index, name);
        self
    }

    /// The finding with its byte of the archive, unless it has one.
    #[must_use]
    pub fn at(mut self, offset: u64) -> Self {
        self.place.set_offset(offset);
        self
    }

    /// The finding with this entry as its place.
    pub(super) fn of_entry(mut self, entry: &Entry<'_>) -> Self {
        entry.locate_at(&mut self.place);
        self
    }

    /// What an error of the system means, met by a reader or by a sink.
    pub(super) fn from_io(error: io::Error) -> Self {
        match CommitError::from_io(error) {
            Ok(error) => error.into(),
            Err(error) => Error::from_io(error).into(),
        }
    }
}

/// The place, and what failed, in one line.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.place.is_unknown() {
            write!(f, "{}: ", self.place)?;
        }
        f.write_str(&self.detail)
    }
}

impl core::error::Error for Finding {}

impl From<Error> for Finding {
    fn from(error: Error) -> Self {
        let (kind, place) = error.into_parts();
        Self {
            place,
            ..kind.into()
        }
    }
}

impl From<ErrorKind> for Finding {
    fn from(kind: ErrorKind) -> Self {
        Self::error(Notice::of(&kind), kind.to_string())
    }
}

impl From<CommitError> for Finding {
    fn from(error: CommitError) -> Self {
        let notice = Notice::of_output(error.cause());
        Self::error(notice, error.words()).in_pak(error.path())
    }
}

impl From<Note> for Finding {
    /// That entries are missing is an error, and everything else a warning.
    fn from(note: Note) -> Self {
        let notice = match note {
            Note::Empty => Notice::EmptyArchive,
            Note::DirectoryCut { .. } => {
                return Self::error(Notice::DirectoryCut, note.to_string());
            }
            Note::PartialRecord { .. } => Notice::PartialRecord,
            Note::LengthContradicted { .. } => Notice::LengthContradicted,
            Note::LengthOfNone { .. } => Notice::LengthOfNone,
            Note::Noise { .. } => Notice::Noise,
            Note::EntryCount { .. } => Notice::EntryCount,
            Note::Before { .. } => Notice::BytesBefore,
            Note::LumpSizes { .. } => Notice::LumpSizes,
            Note::LocalHeaders { .. } => Notice::LocalHeaders,
            Note::AnotherKind { .. } => Notice::AnotherKind,
        };
        Self::warning(notice, note.to_string())
    }
}

impl From<Warning> for Finding {
    fn from(warning: Warning) -> Self {
        let notice = match warning {
            Warning::MissingEnd { .. } => Notice::MissingEnd,
            Warning::Tail { .. } => Notice::Tail,
            Warning::Reserved { .. } => Notice::ReservedInStream,
        };
        Self::warning(notice, warning.to_string())
    }
}

impl From<PictureError> for Finding {
    fn from(error: PictureError) -> Self {
        let notice = match error {
            PictureError::TooManyPixels { .. } => Notice::TooManyPixels,
            _ => Notice::Picture,
        };
        Self::error(notice, format!("the picture cannot be decoded: {error}"))
    }
}

impl Notice {
    fn of(kind: &ErrorKind) -> Self {
        match kind {
            ErrorKind::Io(error) if is_full(error) => Self::DiskFull,
            ErrorKind::Io(error) if error.kind() == io::ErrorKind::NotFound => Self::NotFound,
            ErrorKind::Io(_) => Self::CannotRead,
            ErrorKind::NotAFile => Self::NotAFile,
            ErrorKind::TooShort { .. } => Self::TooShort,
            ErrorKind::NotAPak { .. } | ErrorKind::Relative { .. } => Self::NotAnArchive,
            ErrorKind::NoDirectory { .. } => Self::MissingDirectory,
            ErrorKind::NoZipEnd | ErrorKind::NoZipDirectory { .. } => Self::MissingZipDirectory,
            ErrorKind::NoNames { .. } => Self::NoNames,
            ErrorKind::ShortDirectory { .. } => Self::ShortDirectory,
            ErrorKind::Undecided { noise: true, .. } => Self::NoisyDirectory,
            ErrorKind::Undecided { .. } => Self::Undecided,
            ErrorKind::OtherMagic { .. } => Self::OtherMagic,
            ErrorKind::SplitZip => Self::SplitZip,
            ErrorKind::CutWhileRead { .. } | ErrorKind::Changed { .. } | ErrorKind::AnotherPak => {
                Self::Changed
            }
            ErrorKind::OutsideFile { .. } => Self::OutsideFile,
            ErrorKind::ImpossibleSize { .. } => Self::ImpossibleSize,
            ErrorKind::Flawed(flaw) => Self::of_flaw(flaw),
            ErrorKind::DamagedDeflate(_) => Self::DamagedDeflate,
            ErrorKind::WrongCrc32 { .. } => Self::WrongCrc32,
            ErrorKind::Damaged(error) if error.kind() == DecodeErrorKind::Reserved => {
                Self::ReservedByte
            }
            ErrorKind::Damaged(_) | ErrorKind::Unreadable(_) => Self::Damaged,
            ErrorKind::FailedBefore => Self::FailedBefore,
            ErrorKind::NoEntry { .. } => Self::NoSuchEntry,
            ErrorKind::Path(_) => Self::UnsafeName,
            ErrorKind::NothingToWrite => Self::NothingToWrite,
            ErrorKind::NameTooLong { .. } => Self::NameTooLong,
            ErrorKind::NameHasNul => Self::NameHasNul,
            ErrorKind::NameOfFolder => Self::NameOfFolder,
            ErrorKind::NameFromHere => Self::NameFromHere,
            ErrorKind::NoLump { .. } => Self::NoLump,
            ErrorKind::OverLimit { what, .. } if *what == ENTRY_SIZE => Self::EntryTooLarge,
            ErrorKind::OverLimit { .. } => Self::OverLimit,
            ErrorKind::WrongLength { .. } => Self::WrongLength,
            ErrorKind::CannotCompress { .. } => Self::CannotCompress,
            ErrorKind::NoFile { .. } => Self::NotWritten,
            ErrorKind::WouldNotOpen { .. } => Self::WouldNotOpen,
            ErrorKind::BadSnapshot { .. } => Self::BadSnapshot,
        }
    }

    fn of_flaw(flaw: &Flaw) -> Self {
        match flaw {
            Flaw::Encrypted => Self::Encrypted,
            Flaw::Method(_) => Self::UnknownMethod,
            Flaw::LumpMethod(_) => Self::CompressedLump,
            Flaw::NoHeader(_) => Self::NoLocalHeader,
            Flaw::Outside { .. } => Self::HeaderOutside,
            Flaw::Disagree { .. } => Self::HeaderDisagrees,
            Flaw::StoredLength { .. } => Self::SizesDiffer,
            Flaw::OtherPart(_) => Self::OtherPart,
            Flaw::LongLink(_) => Self::LongLink,
            Flaw::Link(_) => Self::BrokenLink,
        }
    }

    /// Why the system does not let an output be written: the only place that tells a full disk from others.
    pub(super) fn of_output(cause: &io::Error) -> Self {
        match cause.kind() {
            _ if is_full(cause) => Self::DiskFull,
            // Windows: access denied, a sharing violation, or a locked part of the file.
            _ if cfg!(windows) && matches!(cause.raw_os_error(), Some(5 | 32 | 33)) => {
                Self::FileInUse
            }
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                Self::NotPermitted
            }
            io::ErrorKind::NotADirectory | io::ErrorKind::InvalidFilename => Self::BadOutputName,
            io::ErrorKind::FileTooLarge => Self::FileTooLarge,
            _ => Self::CannotWrite,
        }
    }
}

fn is_full(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded
    )
}

/// One output was given, and there is not exactly one input.
pub(super) fn one_output(found: usize) -> Finding {
    let why = format!("one output takes exactly one pak, and there are {found}");
    Finding::error(Notice::OneOutput, why)
}

/// A search found no archive.
pub(super) fn no_archive_found() -> Finding {
    Finding::error(Notice::NoArchiveFound, "there is no pak in this directory")
}

/// A game's directory is no directory.
pub(super) fn no_directory() -> Finding {
    Finding::error(Notice::NoGame, "this is not a directory")
}

/// A path does not exist.
pub(super) fn no_such_file(notice: Notice, path: &Path, near: Option<&Path>) -> Finding {
    let perhaps = perhaps(near.map(quoted_path));
    Finding::error(notice, format!("no such file or directory{perhaps}")).in_pak(path)
}

/// An argument is neither a file nor the name of an entry.
pub(super) fn no_file_or_entry(name: &[u8], near: Option<Vec<u8>>) -> Finding {
    let perhaps = perhaps(near.as_deref().map(quoted));
    let why = format!("no file and no entry is named {}{perhaps}", quoted(name));
    Finding::error(Notice::NoSuchEntry, why)
}

/// What the user probably meant, if anything is called like it.
pub(super) fn perhaps(near: Option<impl fmt::Display>) -> String {
    near.map_or_else(String::new, |near| format!("; perhaps {near} is meant"))
}

/// Something in a directory is not packed.
pub(super) fn left_out(what: &str, why: &str) -> Finding {
    Finding::warning(Notice::LeftOut, format!("{what} is left out: {why}"))
}

/// The output exists.
pub(super) fn exists() -> Finding {
    Finding::error(Notice::Exists, "already exists")
}

/// Something that is never replaced is in the output's place.
pub(super) fn blocked(what: &str) -> Finding {
    Finding::error(
        Notice::Blocked,
        format!("{what} stands here, and is never replaced"),
    )
}

/// Two inputs would be written to one output.
pub(super) fn same_output(other: &Path) -> Finding {
    let why = format!(
        "the output of {} would also be written here",
        quoted_path(other)
    );
    Finding::error(Notice::SameOutput, why)
}

/// The payload belongs to another entry, too, which is damaged.
pub(super) fn shares_damage(first: usize) -> Finding {
    let why = format!("its payload is that of entry {first}, which is damaged");
    Finding::error(Notice::SharesDamage, why)
}

/// Engines refuse an archive, or load garbage from it.
#[must_use]
pub fn judged(engines: Engines, garbage: bool, why: impl fmt::Display) -> Finding {
    let verdict = match garbage {
        true => engines.verb("loads garbage from", "load garbage from"),
        false => engines.verb("refuses", "refuse"),
    };
    Finding::error(
        Notice::Judged,
        format!("{engines} {verdict} this pak: {why}"),
    )
}

/// Engines never load an archive.
pub(super) fn never_loaded(engines: Engines, why: impl fmt::Display) -> Finding {
    let load = engines.verb("loads", "load");
    Finding::error(
        Notice::NeverLoaded,
        format!("{engines} never {load} this pak: {why}"),
    )
}

/// How many names a message shows of many.
const SHOWN: usize = 3;

/// Engines never find some names, or only as they are spelled. `None` if there are no such names.
pub(super) fn names_hard_to_find<'a>(
    engines: Engines,
    found_as_spelled: bool,
    names: impl IntoIterator<Item = &'a [u8]>,
) -> Option<Finding> {
    let mut names = names.into_iter();
    let mut shown = Vec::new();
    for name in names.by_ref().take(SHOWN) {
        shown.push(quoted(name).to_string());
    }
    let more = names.count();
    let count = shown.len() + more;
    if count == 0 {
        return None;
    }
    if more > 0 {
        shown.push("...".to_owned());
    }
    let shown = shown.join(", ");
    let find = engines.verb("finds", "find");
    Some(match found_as_spelled {
        true => Finding::warning(
            Notice::FoundAsSpelled,
            format!(
                "{engines} {find} {count} of the names only under exactly this spelling: {shown}"
            ),
        ),
        false => Finding::warning(
            Notice::NeverFound,
            format!("{engines} never {find} {count} of the names: {shown}"),
        ),
    })
}

/// The first few of some paths.
pub(super) fn listed(paths: &[PathBuf]) -> String {
    let mut names = Vec::new();
    for path in paths.iter().take(SHOWN) {
        names.push(quoted_path(path).to_string());
    }
    if paths.len() > SHOWN {
        names.push(format!("{} more", paths.len() - SHOWN));
    }
    names.join(", ")
}

/// More would come out of an archive than its length allows, or than that of the file it is in.
pub(super) fn too_large(bytes: u64, len: u64, times: u64, is_nested: bool) -> Finding {
    let factor = match times {
        1 => String::new(),
        times => format!("{times} times "),
    };
    let whose = if is_nested { "the file's" } else { "its" };
    let why = format!(
        "{bytes} bytes would come out of this pak, which is more than {factor}{whose} {len} bytes"
    );
    Finding::error(Notice::Expansion, why)
}

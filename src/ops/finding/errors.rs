//! Findings made of errors and notes of the layers below, with their words.

use std::io;

use crate::archive::error::{Error, ErrorKind, Limit};
use crate::archive::{Flaw, Format, Note};
use crate::codec::{DecodeErrorKind, Warning};
use crate::fs::CommitError;
use crate::media::{FileType, Kind, PictureError};
use crate::ops::finding::{
    Finding, Help, Meaning, OTHER_OUTPUT, OTHER_PAK, UserLimit, nothing_to_write,
};

const CUT_SHORT: &str = "the file has probably been cut short: get a whole copy of it";
const FORMATS: &str = "daisho reads paks of Quake, Quake II, Half-Life, Hexen II, Daikatana, SiN, HROT and Anachronox, WAD2 and WAD3, and ZIPs such as PK3";
const OTHER_COPY: &str = "get another copy of the archive; its other entries are not affected";

impl From<Error> for Finding {
    fn from(error: Error) -> Self {
        Self::from(&error)
    }
}

impl From<&Error> for Finding {
    fn from(error: &Error) -> Self {
        Self { place: error.place().clone(), ..of_kind(error.kind()) }
    }
}

impl From<ErrorKind> for Finding {
    fn from(kind: ErrorKind) -> Self {
        of_kind(&kind)
    }
}

/// What failed, with the sentence for many, the advice and the meaning. A file of a game that is no archive is called
/// by its type.
fn of_kind(kind: &ErrorKind) -> Finding {
    let what = match kind {
        ErrorKind::NotAnArchive { start, .. } => FileType::described_by_magic(start),
        _ => None,
    };
    let sentence =
        what.map_or_else(|| kind.to_string(), |what| ErrorKind::OtherFile { what }.to_string());
    table::of_error(Finding::error(sentence), kind)
}

/// Whether a file that begins like this is a picture.
fn is_picture(start: &[u8]) -> bool {
    FileType::by_magic(start).is_some_and(|it| it.kind() == Kind::Picture)
}

/// The system reports an error while reading.
fn reading(finding: Finding, cause: &io::Error) -> Finding {
    if is_full(cause) {
        return disk_full(finding);
    }
    // Windows: no file can have such a name, as in `*.pak`.
    let is_no_name = cfg!(windows) && cause.raw_os_error() == Some(123);
    if cause.kind() == io::ErrorKind::NotFound || is_no_name {
        return finding.no_such_file();
    }
    finding.means(Meaning::Unread)
}

/// A file has no type that a WAD can hold. `other` is a format of WADs that can hold it.
fn no_lump(finding: Finding, other: Option<Format>) -> Finding {
    let finding =
        finding.many("files are of a type that a WAD cannot hold").help(Help::OnlyTextures);
    match other {
        Some(other) => {
            finding.advice(format!("write {} archive, which can hold it", other.with_article()))
        }
        None => finding,
    }
}

impl From<Note> for Finding {
    /// Missing entries are an error; everything else is a warning.
    fn from(note: Note) -> Self {
        let words = note.to_string();
        let is_error = matches!(note, Note::DirectoryCut { .. } | Note::Salvaged { .. });
        table::of_note(if is_error { Self::error(words) } else { Self::warning(words) }, &note)
    }
}

impl From<Warning> for Finding {
    fn from(warning: Warning) -> Self {
        let it = Self::warning(warning.to_string());
        match warning {
            Warning::MissingEnd { .. } => {
                it.many("streams have no end marker; their content is complete")
            }
            Warning::Tail { .. } => it.many(
                "streams have bytes after their end marker; they are ignored, as in the game",
            ),
            Warning::Reserved { .. } => {
                it.many("streams have the control byte 0xFE").means(Meaning::Detail)
            }
        }
    }
}

impl From<CommitError> for Finding {
    /// The system refuses to write an output.
    fn from(error: CommitError) -> Self {
        let finding = Self::error(error.words()).at_path(error.path());
        let cause = error.cause();
        if is_full(cause) {
            return disk_full(finding);
        }
        // Windows: access denied, a sharing violation, or a locked part of the file.
        if cfg!(windows) && matches!(cause.raw_os_error(), Some(5 | 32 | 33)) {
            return finding.advice("close the program that has it open, such as a game or an editor; or write elsewhere, or get permission to write there");
        }
        match cause.kind() {
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                finding.advice("write elsewhere, or get permission to write there")
            }
            io::ErrorKind::NotADirectory | io::ErrorKind::InvalidFilename => {
                finding.advice(OTHER_OUTPUT)
            }
            io::ErrorKind::FileTooLarge => finding.advice(
                "write to a file system that supports such large files, or raise the limit (ulimit -f)",
            ),
            _ => finding,
        }
    }
}

/// Whether the disk is full, or a quota is used up: the only place that tells a full disk from other errors.
fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

fn disk_full(finding: Finding) -> Finding {
    finding.advice("free some space, or write elsewhere, and run the command again")
}

impl From<PictureError> for Finding {
    fn from(error: PictureError) -> Self {
        let finding = Self::error(format!("the picture cannot be decoded: {error}"));
        match error {
            PictureError::TooManyPixels { .. } => finding
                .many("pictures have more pixels than daisho decodes")
                .help(Help::Raise(UserLimit::Pixels)),
            _ => finding
                .many("pictures cannot be decoded")
                .advice("extract it as it is; other pictures are not affected"),
        }
    }
}

impl Finding {
    /// A picture cannot be encoded.
    pub(crate) fn encoding(error: PictureError) -> Self {
        let finding = Self::error(error.to_string());
        match error {
            PictureError::NoPalette(_) => {
                finding.many("pictures need a palette that is not known").help(Help::GivePalette)
            }
            PictureError::NotWritten(_) => finding.type_not_written(),
            PictureError::TextureName { .. } => finding.too_long_a_name(),
            PictureError::Sides { .. }
            | PictureError::TextureSides { .. }
            | PictureError::LumpSides { .. } => finding
                .many("pictures have sizes that do not fit")
                .advice("scale it in a paint program")
                .help(Help::LeaveOut),
            // Only what decodes pictures has an option for this limit.
            PictureError::TooManyPixels { .. } => Self::from(error).help(Help::LeaveOut),
            error => Self::error(format!("the picture cannot be decoded: {error}"))
                .many("pictures cannot be decoded")
                .help(Help::LeaveOut),
        }
    }

    /// The finding that a picture cannot be made into a file of some type.
    pub(crate) fn type_not_written(self) -> Self {
        self.many("pictures have types that daisho does not write").help(Help::LeaveOut)
    }

    /// The finding that a name is too long for its format.
    fn too_long_a_name(self) -> Self {
        self.many("names are too long for the archive")
            .advice("give the file a shorter name")
            .help(Help::LeaveOut)
    }
}

/// The sentence for many, the advice and the meaning of each error of the layers below.
#[rustfmt::skip]
mod table {
    use Meaning::{Cut, NoZipDirectory, Unread, Unsupported};
    use super::{
        CUT_SHORT, DecodeErrorKind, ErrorKind, FORMATS, Finding, Flaw, Help, Limit, Meaning, Note,
        OTHER_COPY, OTHER_PAK, is_picture, no_lump, nothing_to_write, reading,
    };

    pub(super) fn of_error(it: Finding, kind: &ErrorKind) -> Finding {
        match kind {
            ErrorKind::Io(cause) => reading(it, cause),
            ErrorKind::NotAFile =>
                it.advice("give the path of a file, or '-' to read an archive from a pipe, as in 'COMMAND | daisho list -'")
                    .means(Unread),
            ErrorKind::TooShort { .. } =>
                it.many("files are too short for an archive").advice(FORMATS).means(Unread),
            ErrorKind::NotAnArchive { start, .. } if is_picture(start) =>
                it.many("files are pictures, and not archives").help(Help::PicturesBecome)
                    .means(Unread),
            ErrorKind::LfsPointer =>
                it.many("files are pointers of Git LFS, and not the archives themselves")
                    .advice("fetch the archive with 'git lfs pull'").means(Unread),
            ErrorKind::NotAnArchive { .. } | ErrorKind::OtherFile { .. } =>
                it.many("files are not archives of a known format").advice(FORMATS).means(Unread),
            ErrorKind::NoDirectory { .. } | ErrorKind::NoTextureList { .. } =>
                it.many("archives end before their directory").advice(CUT_SHORT).means(Unread),
            ErrorKind::NoZipEnd | ErrorKind::NoZipDirectory { .. } =>
                it.many("ZIPs have no directory where there should be one").advice(CUT_SHORT)
                    .help(Help::KeepGoing).means(NoZipDirectory),
            ErrorKind::NoNames { .. } =>
                it.advice("the file is damaged or not a pak: get another copy").means(Unread),
            ErrorKind::ShortDirectory { .. } =>
                it.advice("the header is damaged, or the format is unknown: get another copy of the pak")
                    .means(Unread),
            ErrorKind::Undecided { noise: true, .. } =>
                it.advice("the directory is damaged: get another copy of the pak")
                    .help(Help::NameFormat).means(Unread),
            ErrorKind::Undecided { .. } => it.help(Help::NameFormat).means(Unread),
            ErrorKind::OtherMagic { .. } =>
                it.advice("leave out the format: the first bytes decide it").means(Unread),
            ErrorKind::SplitZip =>
                it.advice("join its parts first, as 'zip -s 0 parts.zip --out whole.zip' does")
                    .means(Unread),
            ErrorKind::CutWhileRead { .. } | ErrorKind::Changed { .. } | ErrorKind::Replaced =>
                it.many("files changed while they were read")
                    .advice("wait until the program that is writing the file has finished")
                    .means(Unread),
            ErrorKind::OutsideFile { .. } =>
                it.many("payloads are outside the file").advice(CUT_SHORT),
            ErrorKind::ImpossibleSize { .. } =>
                it.many("entries claim more than their streams can hold").advice(OTHER_PAK),
            ErrorKind::Flawed(flaw) => of_flaw(it, flaw),
            ErrorKind::DamagedDeflate(_) =>
                it.many("deflated payloads are damaged").advice(OTHER_COPY),
            ErrorKind::WrongCrc32 { .. } =>
                it.many("entries have content that does not match the CRC-32 in the archive")
                    .advice(OTHER_COPY),
            ErrorKind::Damaged(cause) if cause.kind() == DecodeErrorKind::Reserved =>
                it.many("streams are damaged").help(Help::ReadReserved),
            ErrorKind::Damaged(_) | ErrorKind::Unreadable(_) =>
                it.many("streams are damaged").advice(OTHER_PAK),
            ErrorKind::FailedBefore | ErrorKind::AddedBefore | ErrorKind::NameHasNul |
            ErrorKind::WrongLength { .. } | ErrorKind::CannotCompress { .. } =>
                it,
            ErrorKind::NoEntry { .. } | ErrorKind::NoEntryNamed(_) => it.help(Help::ListNames),
            ErrorKind::Path(_) => it.help(Help::Rescue),
            ErrorKind::NothingToWrite => nothing_to_write(it.detail),
            ErrorKind::NameTooLong { .. } => it.too_long_a_name(),
            ErrorKind::NameOfFolder => it.help(Help::LeaveOut),
            ErrorKind::NameFromHere => it.advice("rename the entry first").help(Help::LeaveOut),
            ErrorKind::NoLump { other, .. } => no_lump(it, *other),
            ErrorKind::OverLimit { what: Limit::EntrySize, .. } =>
                it.advice("leave this file out: no pak can hold it"),
            ErrorKind::OverLimit { .. } => it.help(Help::Split),
            ErrorKind::NotWritten { .. } =>
                it.advice("choose another format, such as quake or pk3"),
            ErrorKind::WouldNotOpen { .. } =>
                it.advice("extract the files, rename them, and make a pak of them"),
        }
    }

    fn of_flaw(it: Finding, flaw: &Flaw) -> Finding {
        let many = match flaw {
            Flaw::Encrypted =>
                return it.many("entries are encrypted").means(Unsupported)
                    .advice("unpack the archive with a program that asks for the password; the other entries are not affected"),
            Flaw::Method(_) =>
                return it.means(Unsupported)
                    .many("entries use compression methods that daisho does not read: it reads 0 (stored), 8 (deflated) and 9 (Deflate64)")
                    .advice("unpack the archive with 7-Zip, and make a new archive of the files; the other entries are not affected"),
            Flaw::LinkToFolder(_) =>
                return it.help(Help::LeaveOut).means(Unsupported)
                    .many("symbolic links point to folders, but daisho follows links only to files"),
            Flaw::LumpMethod(_) =>
                "lumps are compressed, although no known program writes compressed lumps",
            Flaw::NoHeader(_) => "entries have no local header where the directory says it is",
            Flaw::NoEnd => "deflated payloads are damaged",
            Flaw::Outside { .. } => "entries have a local header beyond the end of the file",
            Flaw::Disagree { .. } => "entries have a local header that contradicts the directory",
            Flaw::StoredLength { .. } => "entries are stored, and their two sizes differ",
            Flaw::OtherPart(_) => "entries are in other parts of a split ZIP",
            Flaw::LongLink(_) => "symbolic links have targets that are too long",
            Flaw::Link(_) => "symbolic links point to no file in their archive",
        };
        it.many(many).advice(OTHER_COPY)
    }

    pub(super) fn of_note(it: Finding, note: &Note) -> Finding {
        let many = match note {
            Note::DirectoryCut { .. } =>
                return it.many("directories are cut off, so that entries are missing")
                    .advice(CUT_SHORT).help(Help::KeepGoing).means(Cut),
            Note::Salvaged { .. } =>
                return it.advice("if files are missing, get a whole copy of the ZIP").means(Cut)
                    .many("ZIPs have no complete directory; their files were found by their local headers"),
            Note::NotInMap { .. } =>
                return it.many("maps have textures that are not in them")
                    .advice("read them from the WADs that the map names"),
            Note::Empty => return it,
            Note::PartialRecord { .. } =>
                "directories end in an incomplete record, which is ignored",
            Note::LengthContradicted { .. } =>
                "directories have a length that contradicts their records; daisho goes by the records",
            Note::LengthOfNone { .. } => "directories have a length that fits no format",
            Note::Noise { .. } => "directories have records that look like noise",
            Note::EntryCount { .. } => "ZIPs have more or fewer entries than their end records say",
            Note::Before { .. } => "files have extra bytes before the archive begins",
            Note::LumpSizes { .. } => "WADs have lumps with two sizes",
            Note::LocalHeaders { .. } => "ZIPs have local headers that contradict the directory",
        };
        it.many(many)
    }
}

//! The kinds of findings, and the kind of each error.

use std::io;

use crate::archive::Flaw;
use crate::archive::error::{ErrorKind, Limit};
use crate::codec::DecodeErrorKind;

use super::help::{self, Help};

/// The kinds of findings. Findings that need different advice have different notices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Notice {
    // An input cannot be opened. A file that does not exist is `NoSuchFile`, below.
    /// The system reports another error while reading.
    CannotRead,
    /// A directory, a pipe or a device where a file is expected.
    NotAFile,
    /// The file is too short for an archive.
    TooShort,
    /// The file is not an archive of a known format.
    NotAnArchive,
    /// The file ends before the archive's directory.
    MissingDirectory,
    /// The ZIP has no directory, or its end record gives a wrong place for it.
    MissingZipDirectory,
    /// The bytes where the directory should be are not a directory.
    NoNames,
    /// The directory is shorter than one record.
    ShortDirectory,
    /// The directory does not show which layout it has.
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
    /// All or part of the payload lies outside the file.
    OutsideFile,
    /// The entry claims more than a stream of its length can hold.
    ImpossibleSize,
    /// The entry is encrypted.
    Encrypted,
    /// The entry is compressed by a method that daisho does not support.
    UnknownMethod,
    /// The WAD's lump is compressed.
    CompressedLump,
    /// There is no local header at the offset that the directory gives.
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
    /// The content does not match the CRC-32 in the archive.
    WrongCrc32,
    /// The Daikatana stream is damaged.
    Damaged,
    /// The stream contains the reserved byte `0xFE`, which the user has forbidden (`--reserved error`).
    ReservedByte,
    /// The entry shares its payload with another entry, which is damaged.
    SharesDamage,
    /// The reader was used again after an error.
    FailedBefore,
    /// The archive would unpack to more than is allowed.
    Expansion,
    /// The archive would unpack to more than is possible without overlapping payloads.
    OverlappingPayloads,

    // An archive or a stream is odd.
    /// The archive has no entries.
    EmptyArchive,
    /// The directory is cut off: entries are missing.
    DirectoryCut,
    /// A ZIP without a directory is read by the headers before its payloads.
    Salvaged,
    /// The directory ends in the middle of a record.
    PartialRecord,
    /// The directory's length contradicts its records.
    LengthContradicted,
    /// The directory's length fits no layout.
    LengthOfNone,
    /// Some records of the directory look like noise.
    Noise,
    /// The ZIP's end record gives a different number of entries from the directory.
    EntryCount,
    /// There are bytes before the archive.
    BytesBefore,
    /// Lumps of a WAD have two sizes.
    LumpSizes,
    /// Local headers of a ZIP differ from the directory.
    LocalHeaders,
    /// A stream has no end marker.
    MissingEnd,
    /// A stream goes on after its end marker.
    Tail,
    /// A stream has the reserved byte `0xFE`.
    ReservedInStream,
    /// The reserved byte is read as the user chose.
    ReservedChosen,
    /// The reserved byte is read as the streams of the archive indicate.
    ReservedVoted,

    // A search found something other than an archive.
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
    /// A text file begins like a pak.
    TextFile,
    /// A link to a directory is not searched.
    LinkedDirectory,
    /// An archive inside another one has a name that is not allowed for a file.
    NestedName,
    /// There are too many archives within archives.
    NestedLimit,
    /// An archive is nested too deeply.
    TooDeep,
    /// An archive in the snapshot is no longer an archive.
    NoLongerArchive,

    // What the user named does not exist, or means two things.
    /// A path that does not exist.
    NoSuchFile,
    /// A path after other arguments that does not exist: perhaps the name of an entry.
    NoSuchFileOrEntry,
    /// A name or a number that no entry has.
    NoSuchEntry,
    /// A folder that contains no entry.
    NoSuchFolder,
    /// A pattern that matches no entry.
    NoMatch,
    /// A pattern with a syntax error.
    BadGlob,
    /// An argument that is both an archive and the name of an entry.
    ArchiveAndEntry,

    // Snapshots.
    /// A line of a snapshot cannot be parsed.
    BadSnapshot,
    /// The snapshot to compare with does not exist.
    NoSnapshot,
    /// The snapshot has other checksums than the user asked for.
    OtherHash,
    /// No name of the snapshot is in the archives.
    OtherNames,
    /// A line of a table of identities cannot be parsed.
    BadTable,
    /// The snapshot was not written, because not everything could be read.
    NotRenewed,

    // Pictures and pages.
    /// A picture cannot be decoded.
    Picture,
    /// A picture has more pixels than daisho decodes.
    TooManyPixels,
    /// Several entries were chosen where one picture is written.
    OnePicture,
    /// A file that was named as a palette has none.
    Palette,
    /// No palette was found for a picture of Quake's, so the built-in one is used.
    QuakePalette,
    /// No palette was found for a picture.
    NoPalette,
    /// A picture has no palette, and the directories of the game that were given have none for it.
    NoPaletteInGame,
    /// The palette for a picture to be made is not known.
    UnknownPalette,
    /// A picture cannot be made into a file of this type.
    TypeNotWritten,
    /// A picture that was extracted as a PNG is packed as one.
    LeftAsPngs,
    /// A picture does not have a size that its format can have.
    PictureSides,
    /// A texture has a size that some engines refuse.
    OddSides,
    /// The transparent pixels of a picture become opaque.
    Transparent,
    /// A texture loses its flags, contents and value.
    WalFields,
    /// A file is no picture, or a directory has none.
    NoPicture,
    /// An archive or a map where a picture is expected.
    HoldsPictures,
    /// Nothing that a page could show is selected.
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
    /// Two files would get the same name in the archive.
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
    /// A file with the name of a hidden file, or of a system's litter, is written.
    Hidden,
    /// Something in a directory is not packed.
    LeftOut,
    /// The beginning of a path is left out of the names.
    Stripped,
    /// A file to pack is not below the root of the names.
    OutsideRoot,
    /// Hidden and backup files in a directory are not packed.
    LeftHidden,
    /// An archive in a directory is packed like any other file.
    PackedToo,

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
    /// Two inputs would be written to the same output.
    SameOutput,
    /// The output is an input.
    OutputIsInput,
    /// The output is something that daisho never replaces, or it is inside an input.
    Blocked,
    /// There is something other than a directory where the output needs a directory.
    NoDirectoryHere,
    /// The output's extension means another format.
    OtherFormat,
    /// One output was given for several inputs.
    OneOutput,
    /// daisho does not write archives of this format.
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
    /// The number in the output's name is too large to count up that far.
    NumberTooLarge,
    /// The output's name has no number.
    NoNumber,
    /// Engines would not load a part.
    NoRoomForPart,
    /// Engines never ask for an output's name.
    NameNotLoaded,
    /// A part of a split output would get the name of another output.
    PartTaken,
    /// Only some of the parts exist.
    SomePartsExist,
    /// Some of the parts were written when an error occurred.
    PartsLeft,

    // Engines.
    /// Engines refuse an archive, or misread it.
    Judged,
    /// Engines that were asked about do not load an archive.
    NotLoaded,
    /// An archive is damaged, as its directory shows.
    DamagedArchive,
    /// Engines never load an archive.
    NeverLoaded,
    /// Engines never find some names.
    NeverFound,
    /// Engines find some names only as they are spelled.
    FoundAsSpelled,
    /// Textures lack their palettes, or have palettes that are ignored.
    TexturePalettes,
    /// Entries that shared a payload have one each.
    StoredApart,

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
    /// The game serves no maps.
    NoMaps,
    /// A file that a map needs is nowhere in the game, so an archive of the map lacks it.
    NeededByMap,
    /// The engine serves nothing under this name.
    NotServed,
    /// The engine serves nothing under this name, but there is something under a similar name.
    NotServedNear,
    /// The engine may serve any of several entries.
    Undefined,
    /// The engine loads archives in no defined order.
    Unsorted,
    /// The engine loads any one of several archives.
    UnsortedOne,
    /// A map, a script or a WAD cannot be examined.
    NotLookedInto,
    /// A map's list of textures leaves out some that its faces have.
    TexturesLeftOut,
    /// The engine loads none of the archives.
    NoneLoaded,

    /// A mistake in daisho.
    Internal,
}

impl Notice {
    pub(super) fn of(kind: &ErrorKind) -> Self {
        match kind {
            ErrorKind::Io(error) if is_full(error) => Self::DiskFull,
            ErrorKind::Io(error) if error.kind() == io::ErrorKind::NotFound => Self::NoSuchFile,
            ErrorKind::Io(_) => Self::CannotRead,
            ErrorKind::NotAFile => Self::NotAFile,
            ErrorKind::TooShort { .. } => Self::TooShort,
            ErrorKind::NotAnArchive { .. } | ErrorKind::OtherFile { .. } => Self::NotAnArchive,
            ErrorKind::NoDirectory { .. } => Self::MissingDirectory,
            ErrorKind::NoZipEnd | ErrorKind::NoZipDirectory { .. } => Self::MissingZipDirectory,
            ErrorKind::NoNames { .. } => Self::NoNames,
            ErrorKind::ShortDirectory { .. } => Self::ShortDirectory,
            ErrorKind::Undecided { noise: true, .. } => Self::NoisyDirectory,
            ErrorKind::Undecided { .. } => Self::Undecided,
            ErrorKind::OtherMagic { .. } => Self::OtherMagic,
            ErrorKind::SplitZip => Self::SplitZip,
            ErrorKind::CutWhileRead { .. } | ErrorKind::Changed { .. } | ErrorKind::Replaced => {
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
            ErrorKind::OverLimit {
                what: Limit::EntrySize,
                ..
            } => Self::EntryTooLarge,
            ErrorKind::OverLimit { .. } => Self::OverLimit,
            ErrorKind::WrongLength { .. } => Self::WrongLength,
            ErrorKind::CannotCompress { .. } => Self::CannotCompress,
            ErrorKind::NotWritten { .. } => Self::NotWritten,
            ErrorKind::WouldNotOpen { .. } => Self::WouldNotOpen,
        }
    }

    /// Whether an error of this kind is about an input that cannot be read, if it is not about an entry.
    pub(super) const fn is_unread_input(self) -> bool {
        matches!(
            self,
            Self::CannotRead
                | Self::NotAFile
                | Self::TooShort
                | Self::NotAnArchive
                | Self::MissingDirectory
                | Self::MissingZipDirectory
                | Self::NoNames
                | Self::ShortDirectory
                | Self::Undecided
                | Self::NoisyDirectory
                | Self::OtherMagic
                | Self::SplitZip
                | Self::Changed
                | Self::OneArchiveExpected
                | Self::NoArchiveFound
                | Self::NoSuchFile
                | Self::NoSuchFileOrEntry
                | Self::NoGame
        )
    }

    /// Whether daisho does not support what it found in an entry, which is not damaged.
    pub(super) const fn is_unsupported(self) -> bool {
        matches!(self, Self::Encrypted | Self::UnknownMethod)
    }

    fn of_flaw(flaw: &Flaw) -> Self {
        match flaw {
            Flaw::Encrypted => Self::Encrypted,
            Flaw::Method(_) => Self::UnknownMethod,
            Flaw::LumpMethod(_) => Self::CompressedLump,
            Flaw::NoHeader(_) => Self::NoLocalHeader,
            Flaw::NoEnd => Self::DamagedDeflate,
            Flaw::Outside { .. } => Self::HeaderOutside,
            Flaw::Disagree { .. } => Self::HeaderDisagrees,
            Flaw::StoredLength { .. } => Self::SizesDiffer,
            Flaw::OtherPart(_) => Self::OtherPart,
            Flaw::LongLink(_) => Self::LongLink,
            Flaw::Link(_) => Self::BrokenLink,
        }
    }

    /// Why the system refuses to write an output.
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

/// Whether the disk is full, or a quota is used up: the only place that tells a full disk from other errors.
fn is_full(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded
    )
}

/// The sentence for many findings, plain advice, and what a program can do.
pub(super) type Words = (Option<&'static str>, Option<&'static str>, Option<Help>);

impl Notice {
    /// The words of all findings of this notice.
    #[rustfmt::skip]
    #[expect(clippy::too_many_lines, reason = "a table")]
    pub(super) const fn words(self) -> Words {
        match self {
            Self::TooShort => (Some("files are too short for an archive"), Some("daisho reads paks of Quake, Quake II, Half-Life, Hexen II, Daikatana, SiN, HROT and Anachronox, WAD2 and WAD3, and ZIPs such as PK3"), None),
            Self::NotAnArchive => (Some("files are not archives of a known format"), Some("daisho reads paks of Quake, Quake II, Half-Life, Hexen II, Daikatana, SiN, HROT and Anachronox, WAD2 and WAD3, and ZIPs such as PK3"), None),
            Self::MissingDirectory => (Some("archives end before their directory"), Some("the file has probably been cut short: get a whole copy of it"), None),
            Self::MissingZipDirectory => (Some("ZIPs have no directory where there should be one"), Some("the file has probably been cut short: get a whole copy of it"), Some(Help::KeepGoing)),
            Self::NoNames => (None, Some("the file is damaged or not a pak: get another copy"), None),
            Self::ShortDirectory => (None, Some("the header is damaged, or the format is unknown: get another copy of the pak"), None),
            Self::Undecided => (None, None, Some(Help::NameFormat)),
            Self::NoisyDirectory => (None, Some("the directory is damaged: get another copy of the pak"), Some(Help::NameFormat)),
            Self::OtherMagic => (None, Some("leave out the format: the first bytes decide it"), None),
            Self::SplitZip => (None, Some("join its parts first, as 'zip -s 0 parts.zip --out whole.zip' does"), None),
            Self::Changed => (Some("files changed while they were read"), Some("wait until the program that is writing the file has finished"), None),
            Self::OutsideFile => (Some("payloads are outside the file"), Some("the file has probably been cut short: get a whole copy of it"), None),
            Self::ImpossibleSize => (Some("entries claim more than their streams can hold"), Some("get another copy of the pak; its other entries are not affected"), None),
            Self::Encrypted => (Some("entries are encrypted"), Some("unpack the archive with a program that asks for the password; the other entries are not affected"), None),
            Self::UnknownMethod => (Some("entries use compression methods that daisho does not read: it reads 0 (stored), 8 (deflated) and 9 (Deflate64)"), Some("unpack the archive with 7-Zip, and make a new archive of the files; the other entries are not affected"), None),
            Self::CompressedLump => (Some("lumps are compressed, although no known program writes compressed lumps"), Some("get another copy of the archive; its other entries are not affected"), None),
            Self::NoLocalHeader => (Some("entries have no local header where the directory says it is"), Some("get another copy of the archive; its other entries are not affected"), None),
            Self::HeaderOutside => (Some("entries have a local header beyond the end of the file"), Some("get another copy of the archive; its other entries are not affected"), None),
            Self::HeaderDisagrees => (Some("entries have a local header that contradicts the directory"), Some("get another copy of the archive; its other entries are not affected"), None),
            Self::SizesDiffer => (Some("entries are stored, and their two sizes differ"), Some("get another copy of the archive; its other entries are not affected"), None),
            Self::OtherPart => (Some("entries are in other parts of a split ZIP"), Some("get another copy of the archive; its other entries are not affected"), None),
            Self::LongLink => (Some("symbolic links have targets that are too long"), Some("get another copy of the archive; its other entries are not affected"), None),
            Self::BrokenLink => (Some("symbolic links point to no file in their archive"), Some("get another copy of the archive; its other entries are not affected"), None),
            Self::DamagedDeflate => (Some("deflated payloads are damaged"), Some("get another copy of the archive; its other entries are not affected"), None),
            Self::WrongCrc32 => (Some("entries have content that does not match the CRC-32 in the archive"), Some("get another copy of the archive; its other entries are not affected"), None),
            Self::Damaged => (Some("streams are damaged"), Some("get another copy of the pak; its other entries are not affected"), None),
            Self::ReservedByte => (Some("streams are damaged"), None, Some(Help::ReadReserved)),
            Self::SharesDamage => (Some("entries share a payload with an entry that is damaged"), Some("get another copy of the pak; its other entries are not affected"), None),
            Self::Expansion => (None, None, Some(Help::Raise(help::Limit::Expansion))),
            Self::OverlappingPayloads => (None, Some("few sound archives do this: get another copy"), Some(Help::Raise(help::Limit::Expansion))),
            Self::DirectoryCut => (Some("directories are cut off, so that entries are missing"), Some("the file has probably been cut short: get a whole copy of it"), Some(Help::KeepGoing)),
            Self::Salvaged => (Some("ZIPs have no complete directory; their files were found by their local headers"), Some("if files are missing, get a whole copy of the ZIP"), None),
            Self::PartialRecord => (Some("directories end in an incomplete record, which is ignored"), None, None),
            Self::LengthContradicted => (Some("directories have a length that contradicts their records; daisho goes by the records"), None, None),
            Self::LengthOfNone => (Some("directories have a length that fits no format"), None, None),
            Self::Noise => (Some("directories have records that look like noise"), None, None),
            Self::EntryCount => (Some("ZIPs have more or fewer entries than their end records say"), None, None),
            Self::BytesBefore => (Some("files have extra bytes before the archive begins"), None, None),
            Self::LumpSizes => (Some("WADs have lumps with two sizes"), None, None),
            Self::LocalHeaders => (Some("ZIPs have local headers that contradict the directory"), None, None),
            Self::MissingEnd => (Some("streams have no end marker; their content is complete"), None, None),
            Self::Tail => (Some("streams have bytes after their end marker; they are ignored, as in the game"), None, None),
            Self::ReservedInStream => (Some("streams have the reserved byte 0xfe"), None, None),
            Self::ReservedChosen => (Some("archives have the reserved byte 0xfe in their streams; it is read as you chose with --reserved"), None, None),
            Self::ReservedVoted => (Some("archives have the reserved byte 0xfe in their streams; the streams of each archive decide how it is read"), None, Some(Help::ReadReserved)),
            Self::OneArchiveExpected => (None, Some("name an archive in it"), None),
            Self::NoArchiveFound => (None, None, Some(Help::PackFiles)),
            Self::EmptyFile => (Some("files are named like paks but are empty"), Some("if this is meant to be a pak, get a whole copy of it"), None),
            Self::NotBeginning => (Some("files are named like paks but do not begin like paks"), Some("if this is meant to be a pak, get a whole copy of it"), None),
            Self::DanglingLink => (Some("links are named like paks but are broken"), Some("if this is meant to be a pak, get a whole copy of it"), None),
            Self::NotRegular => (Some("paths are named like paks but are not regular files"), None, None),
            Self::Packfile => (Some("files are Git packfiles, not paks"), None, None),
            Self::PackDir => (Some("files are RISC OS archives (PackDir), not paks"), None, None),
            Self::TextFile => (Some("files begin like paks but are text"), None, None),
            Self::LinkedDirectory => (Some("links to directories are not searched"), Some("give the directory that it points to"), None),
            Self::NestedName => (Some("archives within archives have names that are not allowed for files"), Some("name the archives that you want, as in mod.zip//id1/pak0.pak"), None),
            Self::NestedLimit => (Some("archives within others are over the limit, and are not opened"), Some("name the archives that you want, as in mod.zip//id1/pak0.pak"), None),
            Self::TooDeep => (None, Some("extract the outer archives first"), None),
            Self::NoLongerArchive => (Some("files were archives when the snapshot was made, but no longer are"), Some("get a whole copy of it, or remove it if it is meant to be gone"), None),
            Self::NoSuchFile => (None, Some("give the path of a file or directory that exists"), None),
            Self::NoSuchFileOrEntry => (None, None, Some(Help::NamesAfterArchive)),
            Self::NoSuchEntry => (None, None, Some(Help::ListNames)),
            Self::NoSuchFolder => (None, Some("for a single entry, give no prefix"), None),
            Self::NoMatch => (None, None, Some(Help::Patterns)),
            Self::BadGlob => (None, Some("put special characters in brackets: '[[]' matches '[', and '[{]' matches '{'"), None),
            Self::ArchiveAndEntry => (None, None, Some(Help::ChooseEntry)),
            Self::BadSnapshot => (None, Some("name another file"), Some(Help::NewSnapshot)),
            Self::NoSnapshot => (None, Some("name an existing file"), Some(Help::NewSnapshot)),
            Self::OtherHash => (None, Some("compare with the checksums that the snapshot has"), Some(Help::NewSnapshot)),
            Self::OtherNames => (None, Some("give the same paths as when the snapshot was made"), Some(Help::NewSnapshot)),
            Self::BadTable => (None, Some("correct the line, or name another file; a line has 64 hexadecimal digits, a tab and a name, and optionally another tab and notes"), None),
            Self::NotRenewed => (None, Some("repair or leave out what cannot be read"), None),
            Self::Picture => (Some("pictures cannot be decoded"), Some("extract it as it is; other pictures are not affected"), None),
            Self::TooManyPixels => (Some("pictures have more pixels than daisho decodes"), None, Some(Help::Raise(help::Limit::Pixels))),
            Self::OnePicture => (None, Some("name one picture"), Some(Help::ExtractPictures)),
            Self::Palette => (None, Some("name a file that has a palette: gfx/palette.lmp, pics/colormap.pcx, a .bmp, .pal or .gpl"), None),
            Self::NoPaletteInGame => (Some("pictures are drawn in grey, because no palette was found in the game given with --game"), None, Some(Help::GivePalette)),
            Self::QuakePalette => (Some("pictures get Quake's palette, which is built in, because no other was found"), Some("keep it if the picture is Quake's"), Some(Help::GivePalette)),
            Self::NoPalette => (Some("pictures are drawn in grey, because no palette was found"), None, Some(Help::GivePalette)),
            Self::UnknownPalette => (Some("pictures need a palette that is not known"), None, Some(Help::GivePalette)),
            Self::TypeNotWritten => (Some("pictures have types that daisho does not write"), None, Some(Help::LeaveOut)),
            Self::LeftAsPngs => (None, None, Some(Help::MakePictures)),
            Self::PictureSides => (Some("pictures have sizes that do not fit"), Some("scale it in a paint program"), Some(Help::LeaveOut)),
            Self::OddSides => (Some("textures have sides that are no multiples of 16, and engines of Quake and Half-Life refuse such textures in a map"), Some("scale them to multiples of 16"), None),
            Self::Transparent => (Some("pictures lose transparent pixels"), Some("textures of Quake and Half-Life have transparent pixels if their names begin with '{'"), None),
            Self::WalFields => (Some("WALs get flags, contents and value 0, because PNGs do not hold them"), Some("a texture that its picture replaces keeps them"), None),
            Self::NoPicture => (Some("files are no pictures that daisho reads"), Some("name pictures, or directories that hold some"), Some(Help::LeaveOut)),
            Self::HoldsPictures => (Some("archives and maps are named where loose pictures are expected"), Some("name a loose picture"), Some(Help::ExtractPictures)),
            Self::NothingToShow => (None, Some("name archives that have entries, and patterns that match some of them"), None),
            Self::UnsafeName => (None, None, Some(Help::Rescue)),
            Self::FileName => (None, Some("give it another name"), None),
            Self::NameTaken => (Some("names are already in the archive"), Some("give another name"), Some(Help::ReplaceEntry)),
            Self::OneFileForName => (None, Some("add one file at a time, or let the files keep their names"), None),
            Self::SameName => (Some("files would have the same names as others in the archive"), Some("rename one of them, or leave it out"), None),
            Self::NamesAlike => (Some("entries have names that other entries also have"), Some("rename one of them if you want both"), None),
            Self::NameTooLong => (Some("names are too long for the archive"), Some("give the file a shorter name"), Some(Help::LeaveOut)),
            Self::NameOfFolder => (None, None, Some(Help::LeaveOut)),
            Self::NameFromHere => (None, Some("rename the entry first"), Some(Help::LeaveOut)),
            Self::NoLump => (Some("files are of a type that a WAD cannot hold"), Some("choose other files"), Some(Help::LeaveOut)),
            Self::PutAside => (Some("files are written as NAME.dup-INDEX, because their own names are taken"), None, None),
            Self::OtherDirectory => (Some("archives are extracted into directories with other names, because their own names are taken"), None, None),
            Self::Rescued => (Some("files are rescued, because their names are not allowed"), None, None),
            Self::Hidden => (Some("files have the names of hidden or backup files"), Some("look at what these files do before you use them"), None),
            Self::OutsideRoot => (Some("files are outside the directory given with --root"), None, Some(Help::GiveRoot)),
            Self::LeftHidden => (None, Some("name them one by one"), Some(Help::TakeHidden)),
            Self::PackedToo => (None, None, Some(Help::LeaveOut)),
            Self::WithinAnother => (None, Some("extract it, change it there, and replace it in the outer one"), None),
            Self::NothingToUndo => (None, Some("adding, removing and renaming keep the previous archive there, unless no backup is wanted"), None),
            Self::NotPrevious => (None, Some("move it away"), Some(Help::NoBackup)),
            Self::NothingToWrite => (None, Some("some engines refuse a pak without entries, and others look for no more paks after it"), None),
            Self::Exists => (Some("files already exist"), None, Some(Help::Overwrite)),
            Self::SameOutput => (Some("outputs would be written twice"), Some("write them into different directories"), None),
            Self::OutputIsInput => (Some("outputs are also inputs, which are never overwritten"), Some("choose another name or another directory for the output"), Some(Help::Edit)),
            Self::Blocked => (None, Some("choose another name or another directory for the output"), None),
            Self::NoDirectoryHere => (None, Some("choose another directory for the output"), None),
            Self::OtherFormat => (None, Some("give the output the extension of that format"), Some(Help::OutputDecides)),
            Self::OneOutput => (None, None, Some(Help::IntoDirectory)),
            Self::NotWritten => (None, Some("choose another format, such as quake or pk3"), None),
            Self::EngineLayout => (None, Some("name an engine that reads that format"), Some(Help::OutputDecides)),
            Self::NoCommonFormat => (None, Some("name only engines that read the same format, and write another archive for the others"), None),
            Self::EntryTooLarge => (None, Some("leave this file out: no pak can hold it"), None),
            Self::OverLimit => (None, None, Some(Help::Split)),
            Self::WouldNotOpen => (None, Some("extract the files, rename them, and make a pak of them"), None),
            Self::DiskFull => (None, Some("free some space, or write elsewhere, and run the command again"), None),
            Self::FileInUse => (None, Some("close the program that has it open, such as a game or an editor; or write elsewhere, or get permission to write there"), None),
            Self::NotPermitted => (None, Some("write elsewhere, or get permission to write there"), None),
            Self::BadOutputName => (None, Some("choose another name or another directory for the output"), None),
            Self::FileTooLarge => (None, Some("write to a file system that supports such large files, or raise the limit (ulimit -f)"), None),
            Self::NotLoaded => (None, None, Some(Help::ConvertForEngine)),
            Self::DamagedArchive => (Some("archives are damaged"), None, Some(Help::Verify)),
            Self::Unloadable => (None, None, Some(Help::Split)),
            Self::FitsNoPart => (None, Some("leave it out, name an engine that allows more"), Some(Help::Raise(help::Limit::ArchiveSize))),
            Self::GroupFitsNoPart => (None, Some("leave some of them out, name an engine that allows more"), Some(Help::Raise(help::Limit::ArchiveEntries))),
            Self::NumberTooLarge => (None, Some("choose a name with a smaller number, such as pak1.pak"), None),
            Self::NoNumber => (None, Some("choose a name that ends in a number, such as pak1.pak: the parts are called pak1.pak, pak2.pak and so on"), Some(Help::OneByOne)),
            Self::NoRoomForPart => (None, Some("give the first part another number: a lower one, or one with leading zeros for an engine that sorts by name"), None),
            Self::NameNotLoaded => (None, Some("choose a name that the engine loads, such as pak0.pak"), Some(Help::OneByOne)),
            Self::PartTaken => (None, Some("merge the archives"), Some(Help::OneByOne)),
            Self::SomePartsExist => (None, Some("remove the parts that exist"), Some(Help::OverwriteAll)),
            Self::PartsLeft => (None, Some("remove them"), Some(Help::OverwriteAll)),
            Self::NeverFound => (None, Some("every engine finds names that are at most 55 bytes long, use '/' between folders, do not begin with '/', and contain no './', '//' or '..'"), None),
            Self::FoundAsSpelled => (None, Some("keep them if the game uses this spelling"), Some(Help::Lowercase)),
            Self::TexturePalettes => (None, Some("make the textures again with a texture editor for that game: daisho does not convert the content of files"), None),
            Self::StoredApart => (None, Some("a pak can store one content for several names: convert to one of its formats"), None),
            Self::NoGame => (None, Some("give the directory that holds the game's paks, such as id1, baseq2 or data"), Some(Help::NameEngine)),
            Self::NeedsFirst => (None, Some("give the base directory first, and mods after it"), None),
            Self::NoMaps => (None, Some("a map is a file such as maps/start.bsp; archives that the engine does not load do not count"), None),
            Self::NeededByMap => (Some("files that maps need are nowhere in the game"), Some("the archive is written without it"), None),
            Self::NotServed => (None, None, Some(Help::ListServed)),
            Self::Unsorted => (None, Some("number the paks (pak0.pak, pak1.pak and so on): the highest number wins"), None),
            Self::UnsortedOne => (None, Some("rename one of them, or remove it"), None),
            Self::NotLookedInto => (Some("files cannot be examined"), Some("leave it out, get a whole copy of it"), Some(Help::Verify)),
            Self::TexturesLeftOut => (Some("maps leave out textures that their faces have; engines show a placeholder"), Some("compile the map again with the WADs that have these textures"), None),
            Self::Internal => (None, Some("this is a mistake in daisho: report it with the command that you gave, please"), None),
            _ => (None, None, None),
        }
    }
}

//! The kinds of findings, and the kind of each error.

use std::io;

use crate::archive::Flaw;
use crate::archive::error::{ErrorKind, Limit};
use crate::codec::DecodeErrorKind;

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
    /// A picture does not have a size that its format can have.
    PictureSides,
    /// A texture has a size that some engines refuse.
    OddSides,
    /// The transparent pixels of a picture become opaque.
    Transparent,
    /// A texture loses its flags, contents and value.
    WalFields,
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

//! The kinds of advice that an option or a verb of a program follows.

/// What a user can do about a finding by means of the program. `cli` says it with its verbs and options; another
/// program can offer what it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Help {
    /// Save the entries that are not damaged.
    KeepGoing,
    /// Say which format the archive has.
    NameFormat,
    /// Give the game, and the map as an option.
    MapOfGame,
    /// Choose how the reserved byte is read.
    ReadReserved,
    /// Raise the limit.
    Raise(UserLimit),
    /// Name the engine of the game.
    NameEngine,
    /// Make a new archive.
    NewArchive,
    /// Name the output for the files of a directory.
    NameOutput,
    /// Give the names of entries after their archive.
    NamesAfterArchive,
    /// List the names of the entries.
    ListNames,
    /// List the names that the engine serves.
    ListServed,
    /// Correct the pattern.
    Patterns,
    /// Choose the entry, not the archive of that name.
    ChooseEntry,
    /// Make a new snapshot.
    NewSnapshot,
    /// Extract several pictures.
    ExtractPictures,
    /// Make pictures of a game from PNGs again.
    MakePictures,
    /// Give the game of the picture, or a palette.
    GivePalette,
    /// Leave the file or entry out.
    LeaveOut,
    /// Leave archives out of what is packed.
    LeaveOutArchives,
    /// Choose textures and pictures.
    OnlyTextures,
    /// Replace the entry that has the name.
    ReplaceEntry,
    /// Extract the entry under a safe name.
    Rescue,
    /// Say which directory the names begin at.
    GiveRoot,
    /// Take hidden files, too.
    TakeHidden,
    /// Keep no previous version.
    NoBackup,
    /// Replace the existing file, or keep it.
    Overwrite,
    /// Write all parts again.
    OverwriteAll,
    /// Change the archive itself.
    Edit,
    /// Let the output's extension decide the format.
    OutputDecides,
    /// Write several archives into a directory.
    IntoDirectory,
    /// Make a WAD of pictures, or pictures of another type.
    PicturesBecome,
    /// Write several pictures into a directory.
    PicturesIntoDirectory,
    /// Split the output.
    Split,
    /// Split the archive, and then change one of its parts.
    SplitFirst,
    /// Make an archive that the engine loads.
    ConvertForEngine,
    /// Find the entries that are damaged.
    Verify,
    /// Write the names in lower case.
    Lowercase,
}

/// A limit that the user can raise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UserLimit {
    /// How much an archive may unpack to.
    Expansion,
    /// The number of pixels of a picture.
    Pixels,
    /// The length of an archive that is written.
    ArchiveSize,
    /// The length of an archive that is written, and the number of its entries.
    ArchiveEntries,
}

//! What can fail, in words.
//!
//! A variant is added here; what the command advises about it, in `src/cli/advice.rs`; and how to
//! make it happen, in `tests/ERRORS.md`.

use std::io;
use std::path::{Path, PathBuf};

use super::EngineNames;
use super::passed_over::PassedOver;
use super::picture::PictureError;
use super::words::{
    alternatives, and_others, lower_first, magics, needing, not_written, palettes, perhaps,
    unsorted,
};
use crate::archive::{
    DeflateDamage, Flaw, Format, Note, PathError, ReservedReading, quoted, quoted_path,
};
use crate::codec::{Bytes, DecodeError, Unreadable, Warning};

/// What an [`ErrorKind::OverLimit`] calls a file that no pak can hold.
pub const ENTRY_SIZE: &str = "the entry's size";

/// What failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Reading or writing failed.
    #[error("{}", lower_first(.0))]
    Io(io::Error),
    /// A directory, a pipe or a device, which cannot be read at an offset.
    #[error("this is not a regular file")]
    NotAFile,
    /// Too short for a header.
    #[error("this is no known archive: it has {}, and a pak's header alone has 12", Bytes(*len))]
    TooShort {
        /// How long it is.
        len: u64,
    },
    /// The file does not begin like an archive of any format.
    #[error(
        "this is no known archive: it begins with {} instead of {}",
        quoted(found),
        magics()
    )]
    NotAPak {
        /// Its first bytes.
        found: [u8; 4],
    },
    /// The file begins like another known format.
    #[error("this is no known archive, it is {what}")]
    Relative {
        /// What it is.
        what: &'static str,
    },
    /// The file ends before the first whole record of the directory.
    #[error(
        "the pak's directory is missing: the header puts it at byte {offset}, {len} long, and the file ends at byte {file}",
        len = Bytes(*.len)
    )]
    NoDirectory {
        /// Where it should begin.
        offset: u64,
        /// How long it should be.
        len: u64,
        /// How long the file is.
        file: u64,
    },
    /// There is no directory where it should be.
    #[error(
        "there is no directory where the pak's header puts it: almost no names are in the first {read} of its {len} bytes"
    )]
    NoNames {
        /// How long it should be.
        len: u64,
        /// How much of it was looked at.
        read: u64,
    },
    /// The directory is not long enough for a record.
    #[error("the pak's directory has {}, less than one record of {record}", Bytes(*len))]
    ShortDirectory {
        /// How long it is.
        len: u64,
        /// How long a record is.
        record: u64,
    },
    /// The evidence does not decide between the layouts.
    #[error("cannot tell the layout of this pak: {why}")]
    Undecided {
        /// What the evidence says.
        why: String,
        /// Whether hardly anything in the directory looks like a record.
        noise: bool,
    },
    /// A payload is not, or not all of it, inside the file.
    #[error(
        "the payload should lie at bytes {offset} to {end}, and the file ends at byte {file}",
        end = .offset.saturating_add(*.len)
    )]
    OutsideFile {
        /// Where it should begin.
        offset: u64,
        /// How long it should be.
        len: u64,
        /// How long the file is.
        file: u64,
    },
    /// A stream claims to hold more than any stream of its length can.
    #[error(
        "the entry claims {size} from a stream of {packed}, and no stream of that length holds more than {most}",
        size = Bytes(*.size),
    )]
    ImpossibleSize {
        /// The size that is claimed.
        size: u64,
        /// How long the stream is.
        packed: u64,
        /// The most that a stream of that length holds.
        most: u64,
    },
    /// What the archive says of the entry keeps it from being read.
    #[error(transparent)]
    Flawed(Flaw),
    /// The deflated payload is damaged.
    #[error("the deflated data is damaged: {0}")]
    DamagedDeflate(DeflateDamage),
    /// The content is not what the archive says it sums up to.
    #[error("the content has the CRC-32 {found:08x}, and the archive says {expected:08x}")]
    WrongCrc32 {
        /// What the archive says.
        expected: u32,
        /// What the content sums up to.
        found: u32,
    },
    /// A ZIP without the record that says where its directory is.
    #[error("this ZIP has no end: the record that says where its directory is, is missing")]
    NoZipEnd,
    /// The directory is not where the end record puts it.
    #[error(
        "the ZIP's end record puts its directory at byte {offset}, {len} long, and it is not there",
        len = Bytes(*.len)
    )]
    NoZipDirectory {
        /// Where it should begin.
        offset: u64,
        /// How long it should be.
        len: u64,
    },
    /// A part of a ZIP that was split over several files.
    #[error("this is one part of a ZIP that was split over several files")]
    SplitZip,
    /// The stream is damaged.
    #[error("the stream is damaged: {0}")]
    Damaged(DecodeError),
    /// The stream is damaged under either reading of the byte 0xFE in it.
    #[error("the stream is damaged: {0}")]
    Unreadable(Box<Unreadable>),
    /// A picture cannot be decoded.
    #[error("the picture cannot be decoded: {0}")]
    Picture(PictureError),
    /// A file that was named for its palette has none.
    #[error("no palette can be read from this: {0}")]
    Palette(PictureError),
    /// A picture's palette was not found, so that it is drawn in shades of grey.
    #[error(
        "no palette was found, so it is drawn in grey; the game looks for it in {}",
        alternatives(wanted)
    )]
    NoPalette {
        /// The names of the files that would have it.
        wanted: Vec<Vec<u8>>,
    },
    /// The file ended while it was read: it was longer when it was opened.
    #[error(
        "the file ended at byte {at}, before it should: it has become shorter since it was opened"
    )]
    CutWhileRead {
        /// Where it ended.
        at: u64,
    },
    /// The reader was used again after it had failed.
    #[error("reading this entry has failed before")]
    FailedBefore,
    /// The entry does not exist.
    #[error("there is no entry {index}: the pak has {count}")]
    NoEntry {
        /// The number asked for.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// The name cannot be a path.
    #[error(transparent)]
    Path(PathError),

    /// There is no entry to write, and a pak without entries is never written.
    #[error("there is no entry to write, and a pak without entries is never written")]
    NothingToWrite,
    /// There is no entry to show.
    #[error("there is no entry to show")]
    NothingToShow,
    /// The archive does not begin with the magic of the layout that was asked for.
    #[error("this archive begins with {}, and a {format} archive with {}", quoted(found), quoted(&format.spec().magic))]
    OtherMagic {
        /// The layout that was asked for.
        format: Format,
        /// What the archive begins with.
        found: [u8; 4],
    },
    /// The name is too long for the layout.
    #[error("the name has {len} bytes, and the longest that a {format} archive can hold safely has {}", format.spec().name_max)]
    NameTooLong {
        /// How long it is.
        len: usize,
        /// The layout that is written.
        format: Format,
    },
    /// The name has a NUL in it.
    #[error("the name has a NUL in it, which would end it there")]
    NameHasNul,
    /// The name would be that of a folder.
    #[error("a ZIP takes this name for that of a folder, which holds nothing")]
    NameOfFolder,
    /// The name begins with `./`, which programs that read ZIPs leave out.
    #[error("the name begins with \"./\", which programs leave out when they read it in a ZIP")]
    NameFromHere,
    /// A WAD holds files of a few types, and this is of none of them.
    #[error("a {format} archive holds no such file: its files are {}", format.lump_extensions())]
    NoLump {
        /// The format that is written.
        format: Format,
    },
    /// Textures that the games which read a WAD show in other colours, or not at all.
    #[error("{count} {}; the first is {}", palettes(*to, *count), quoted(first))]
    TexturePalettes {
        /// The format that is written.
        to: Format,
        /// How many textures.
        count: usize,
        /// The name of the first.
        first: Vec<u8>,
    },
    /// A number is larger than the format or the caller allows.
    #[error("{what} would be {value}, and the limit is {limit}")]
    OverLimit {
        /// What the number is.
        what: &'static str,
        /// The number.
        value: u64,
        /// The most that is allowed.
        limit: u64,
    },
    /// A payload does not have the length that was announced.
    #[error("the payload has {} instead of {expected}", Bytes(*found))]
    WrongLength {
        /// How long it should be.
        expected: u64,
        /// How long it is.
        found: u64,
    },
    /// The layout has no compression.
    #[error("a {format} pak cannot hold a compressed payload")]
    CannotCompress {
        /// The layout.
        format: Format,
    },
    /// Archives of this format are not written: a directory is no file, and of Anachronox's not enough
    /// is known.
    #[error("{}", not_written(*.format))]
    NoFile {
        /// The format.
        format: Format,
    },

    // The kinds below come from `ops`: from many paks, and from the files around them.
    /// The operation was cancelled.
    #[error("interrupted")]
    Interrupted,
    /// A directory where a pak was expected.
    #[error("this is a directory")]
    IsDirectory,
    /// A glob with a syntax error.
    #[error("the glob {} cannot be read: {why}", quoted(glob.as_bytes()))]
    BadGlob {
        /// The glob.
        glob: String,
        /// What is wrong with it.
        why: String,
    },
    /// A glob that matches no entry.
    #[error("no entry matches {}", quoted(.0.as_bytes()))]
    NoMatch(String),
    /// A file exists at an output's path.
    #[error("already exists")]
    Exists,
    /// Two inputs have the same output.
    #[error("the output of {} would also be written here", quoted_path(.other))]
    SameOutput {
        /// The other input.
        other: PathBuf,
    },
    /// Two files would have one name in a pak.
    #[error("{} would also have this name in the pak", quoted_path(.other))]
    SameName {
        /// The other file.
        other: PathBuf,
    },
    /// Something at an output's path is never replaced, such as a directory.
    #[error("{what} stands here, and is never replaced")]
    Blocked {
        /// What it is.
        what: &'static str,
    },
    /// Something that is not a directory is where an output needs one.
    #[error("{what} is where a directory is needed")]
    NoDirectoryHere {
        /// What it is.
        what: &'static str,
    },
    /// The output lies in a directory whose files are to go into it.
    #[error("this lies in an input, {}, and would be taken for one of its files", quoted_path(.input))]
    OutputInInput {
        /// The directory.
        input: PathBuf,
    },
    /// Something in a directory that is not taken as a file, such as a link.
    #[error("{what} is left out: {why}")]
    LeftOut {
        /// What it is.
        what: &'static str,
        /// Why it is not taken.
        why: &'static str,
    },
    /// A file's name that not every system can extract again.
    #[error("{0}")]
    FileName(PathError),
    /// The beginning of a path was left out of the names, because it leads upwards.
    #[error("names begin after {}: no name in a pak leads upwards", quoted_path(.stripped))]
    Stripped {
        /// What is left out of the names.
        stripped: PathBuf,
    },
    /// An output's extension names another format than the one that would be written.
    #[error("the name says \".{extension}\", and what would be written is a {to} pak")]
    OtherFormat {
        /// The extension.
        extension: String,
        /// What would be written.
        to: Format,
    },
    /// One output was given for several inputs.
    #[error("one output takes exactly one pak, and there are {found}")]
    OneOutput {
        /// How many there are.
        found: usize,
    },
    /// A search of a directory found no pak.
    #[error("there is no pak in this directory")]
    NoPakFound,
    /// Writing failed.
    #[error("{what}: {}", lower_first(.cause))]
    Output {
        /// What could not be done.
        what: &'static str,
        /// What the system says.
        cause: io::Error,
    },
    /// A payload that an entry shares with another one is damaged.
    #[error("its payload is that of entry {first}, which is damaged")]
    SharesDamage {
        /// The other entry.
        first: usize,
    },
    /// The file's length changed while it was read.
    #[error("the file had {} and now has {found}: it is changing while it is read", Bytes(*expected))]
    Changed {
        /// How many bytes it had.
        expected: u64,
        /// How many it has.
        found: u64,
    },
    /// Something unusual in a pak, which can still be read.
    #[error("{0}")]
    Odd(Note),
    /// Something unusual in a stream, which can still be decoded.
    #[error("{0}")]
    OddStream(Warning),
    /// The pak would be written such that it could not be opened again.
    #[error(
        "the new pak could not be opened again: too many of its names are empty, have control \
         bytes or are too short to tell a {format} pak"
    )]
    WouldNotOpen {
        /// The layout that it was to have.
        format: Format,
    },
    /// How the reserved byte was read in a pak.
    #[error("{0}")]
    ReservedRead(ReservedReading),
    /// A file's name has a backslash, which is a separator in a pak.
    #[error("the name has a backslash in it, which is a separator in a pak")]
    Backslash,
    /// A directory where one pak was expected, and not a search for paks.
    #[error("this is a directory, and one pak is expected")]
    OnePakExpected,
    /// An archive too deep within others.
    #[error("archives within archives are opened {most} deep, and this one lies deeper")]
    TooDeep {
        /// How deep.
        most: u8,
    },
    /// A name that no entry has.
    #[error("no entry is named {}{}", quoted(name), perhaps(near.as_deref().map(quoted)))]
    NoName {
        /// The name.
        name: Vec<u8>,
        /// The entry that was probably meant.
        near: Option<Vec<u8>>,
    },
    /// A name that an entry has already.
    #[error("the archive already has an entry named {}", quoted(.0))]
    NameTaken(Vec<u8>),
    /// A name was given for other than one file.
    #[error("a name can be given to one file, and these are {found}")]
    OneFileForName {
        /// How many there are.
        found: usize,
    },
    /// An archive that is to be changed lies within another one.
    #[error("an archive within another one is not changed")]
    WithinAnother,
    /// An archive without a previous version beside it.
    #[error("there is nothing to undo: {} does not exist", quoted_path(.0))]
    NothingToUndo(PathBuf),
    /// The name for the previous version belongs to something that is no previous version.
    #[error("this is not a previous version of the archive: it is {what}")]
    NotPrevious {
        /// What it is instead.
        what: &'static str,
    },
    /// A folder of which no entry is.
    #[error("no entry is in a folder {}", quoted(.0))]
    NoFolder(Vec<u8>),
    /// An argument after a pak is neither a file nor an entry.
    #[error(
        "no file and no entry is named {}{}",
        quoted(name),
        perhaps(near.as_deref().map(quoted))
    )]
    NeitherFileNorEntry {
        /// The argument.
        name: Vec<u8>,
        /// The entry that was probably meant.
        near: Option<Vec<u8>>,
    },
    /// An argument that is an archive, and the name of an entry of one before it.
    #[error("taken as an archive, and it is also the name of an entry of {}", quoted_path(.other))]
    ArchiveAndEntry {
        /// The archive that has the entry.
        other: PathBuf,
    },
    /// A path at which there is nothing.
    #[error(
        "no such file or directory{}",
        perhaps(near.as_deref().map(quoted_path))
    )]
    Missing {
        /// What was probably meant.
        near: Option<PathBuf>,
        /// Whether it may be the name of an entry, as it stands behind other arguments.
        beside: bool,
    },
    /// A line of a snapshot that cannot be parsed.
    #[error("line {line} of this snapshot cannot be read: {why}")]
    BadSnapshot {
        /// Its number, counted from 1, as editors do.
        line: u64,
        /// What is wrong with it.
        why: &'static str,
    },
    /// The snapshot to compare with does not exist.
    #[error("there is no snapshot here, so nothing can be compared")]
    NoSnapshot,
    /// A snapshot that holds sums of another kind than are asked for.
    #[error("this snapshot holds {holds} of each entry, and {asked} is asked for")]
    OtherHash {
        /// What it holds.
        holds: &'static str,
        /// What is asked for.
        asked: &'static str,
    },
    /// A snapshot that was not written, because what it would hold could not all be read.
    #[error(
        "the snapshot was not {}: {paks} of the paks could not be read",
        if *is_new { "made" } else { "renewed" }
    )]
    NotRenewed {
        /// How many could not.
        paks: usize,
        /// Whether there was none before.
        is_new: bool,
    },
    /// Something that a search for paks did not take.
    #[error("this {}{}{}", .0.name(), .0.what(), .0.more())]
    PassedOver(PassedOver),
    /// Something that a search for paks did not take, and that was a pak when the snapshot was made.
    #[error("this was a pak when the snapshot was made, and now {}{}", .0.what(), .0.more())]
    NoPakAnyMore(PassedOver),
    /// An entry's file got another name than the entry's own.
    #[error("{why}: its file is put aside as {}", quoted_path(.path))]
    PutAside {
        /// Where the file is, from the pak's destination.
        path: PathBuf,
        /// Why it is not under its own name.
        why: &'static str,
    },
    /// A pak whose directory would be that of another one.
    #[error(
        "{} has the directory {}: the files of this pak go into {}",
        quoted_path(.other),
        quoted_path(.taken),
        quoted_path(.given)
    )]
    WholeName {
        /// The other pak.
        other: Box<Path>,
        /// The directory that both would have.
        taken: Box<Path>,
        /// The directory that it has instead.
        given: Box<Path>,
    },
    /// A name that no file may have, with a file all the same.
    #[error("{why}: rescued as {}", quoted_path(.path))]
    Rescued {
        /// Where the file is, from the pak's destination.
        path: PathBuf,
        /// What is wrong with the name.
        #[source]
        why: PathError,
    },
    /// More would come out of a pak than is allowed; by default, than is possible without a trick.
    #[error(
        "{bytes} bytes would come out of this pak, which is more than {}{} {len} bytes{}",
        if *times == 1 { String::new() } else { format!("{times} times ") },
        if *within { "the file's" } else { "its" },
        if *overlap { ": payloads must overlap" } else { "" }
    )]
    Expansion {
        /// How many bytes would come out.
        bytes: u64,
        /// How long the pak is.
        len: u64,
        /// How many times that would have been allowed.
        times: u64,
        /// Whether only payloads that overlap can hold so much.
        overlap: bool,
        /// Whether the length is that of a file that holds the pak.
        within: bool,
    },
    /// A file was replaced or written to between two looks at it.
    #[error("the pak has changed since the work was planned")]
    AnotherPak,
    /// A rewrite of a pak that the engine knows by its directory.
    #[error(
        "this is {stock}, which the engine knows by its directory: with the output it counts the game as modified"
    )]
    StockLost {
        /// What it is.
        stock: String,
    },
    /// A file where a directory was expected.
    #[error("this is not a directory")]
    NotADirectory,
    /// No pak in a game's directory.
    #[error("there is no pak in this game's directory")]
    NoPakInGame,
    /// A pak in a game's directory that the engine does not load.
    #[error("{engines} never {} this pak: {why}", .engines.verb("loads", "load"))]
    NeverLoaded {
        /// Who does not.
        engines: EngineNames,
        /// Why not, as a clause.
        why: String,
    },
    /// Engines refuse an archive, or load garbage from it.
    #[error("{engines} {} this pak: {why}", .engines.verdict(*.garbage))]
    Judged {
        /// The engines.
        engines: EngineNames,
        /// Whether they load garbage from it.
        garbage: bool,
        /// Why, as a clause.
        why: String,
    },
    /// An archive that an engine loads and from some entries of which it serves something else.
    #[error("{engine} loads this pak, and serves wrong content from it: {why}")]
    ServesWrong {
        /// The engine's name.
        engine: &'static str,
        /// Why, as a clause.
        why: String,
    },
    /// The base directory has no first pak, which the engine must have.
    #[error("{engine} does not start where the base directory has no pak0.pak")]
    NeedsFirst {
        /// The engine's name.
        engine: &'static str,
    },
    /// A file in a game's directory that the engine loads and this crate cannot read.
    #[error("the engine also loads this file, which is not taken into account here")]
    Unseen,
    /// A link in a game's directory that is not followed.
    #[error("{what} is not followed: files behind it are not seen")]
    Unfollowed {
        /// What it is.
        what: &'static str,
    },
    /// Nothing is served under a name.
    #[error(
        "{engine} serves nothing under the name {}{}{}",
        quoted(name),
        if near.is_some() { ": " } else { "" },
        near.as_deref().unwrap_or_default()
    )]
    NotServed {
        /// The engine's name.
        engine: &'static str,
        /// The name.
        name: Vec<u8>,
        /// What comes near it, as a clause.
        near: Option<String>,
    },
    /// More than one entry of one name, where the engine may serve any.
    #[error(
        "{count} {} several entries in one pak, and {engine} may serve any of them; the first is taken",
        if *count == 1 { "name has" } else { "names have" }
    )]
    Undefined {
        /// The engine's name.
        engine: &'static str,
        /// How many names there are.
        count: usize,
    },
    /// Archives of a directory that the engine loads in no defined order, or of which it loads any one.
    #[error("{engine} loads {}", unsorted(.archives, *.names))]
    Unsorted {
        /// The engine's name.
        engine: &'static str,
        /// The archives.
        archives: Vec<PathBuf>,
        /// How many file names are in more than one of them. None if only one archive is loaded.
        names: Option<usize>,
    },
    /// A map, a script or a WAD that is to be looked into and cannot be.
    #[error("the map cannot be read: {why}")]
    NotLookedInto {
        /// Why not, as a clause.
        why: String,
    },
    /// The engine loads no pak of a game's directory.
    #[error("{engine} loads none of the paks")]
    NoneLoaded {
        /// The engine's name.
        engine: &'static str,
    },
    /// An output in a format that engines which are to load it do not read.
    #[error("for {engines} {wanted} archives are written, and a {asked} one is asked for")]
    EngineLayout {
        /// The engines that do not read it.
        engines: EngineNames,
        /// What they read.
        wanted: Format,
        /// What is to be written.
        asked: Format,
    },
    /// Engines that are to load one output, and read no format in common.
    #[error("no format is read by all of these engines: {0}")]
    NoCommonFormat(String),
    /// What has to stay together in one pak is more than one may hold.
    #[error("{}a pak of {value} {unit}, and {whose} allows {limit}", needing(*.together))]
    FitsNoPart {
        /// How many entries of this name there are.
        together: u64,
        /// How much a pak of them would have.
        value: u64,
        /// Of what: entries or bytes.
        unit: &'static str,
        /// How much is allowed.
        limit: u64,
        /// Who allows it: an engine or an option.
        whose: &'static str,
    },
    /// An output that must be split has a number that cannot be counted up.
    #[error(
        "the output must be split into {parts} paks, and the number in its name is too large to count up that far"
    )]
    NumberTooLarge {
        /// How many paks.
        parts: usize,
    },
    /// An output that must be split has a name that cannot be counted up.
    #[error(
        "the output must be split into {parts} paks, and its name has no number at its end to count up"
    )]
    NoNumber {
        /// How many paks.
        parts: usize,
    },
    /// The engine would not load all parts of an output, or in another order.
    #[error(
        "the output must be split into {parts} paks, and {engines} would not load part {part} as {}: {why}",
        quoted_path(.name)
    )]
    NoRoomForPart {
        /// Who would not.
        engines: EngineNames,
        /// How many paks.
        parts: usize,
        /// Which of them, counted from 1.
        part: usize,
        /// What it would be called.
        name: Box<Path>,
        /// Why not, as a clause.
        why: Box<str>,
    },
    /// The engines would not load all archives of a folder, or not in their order.
    #[error(
        "the {archives} archives of this directory become {outputs}, and {engines} would not load {}: {why}",
        quoted_path(.name)
    )]
    NoRoomInFolder {
        /// Who would not.
        engines: EngineNames,
        /// How many archives there are.
        archives: usize,
        /// How many there are to be.
        outputs: usize,
        /// The first that would not be loaded.
        name: Box<Path>,
        /// Why not, as a clause.
        why: Box<str>,
    },
    /// While keeping existing files: only some parts of a split output exist.
    #[error("only {} of the {parts} parts {}{}", .others.len() + 1, if .others.is_empty() { "exists" } else { "exist" }, and_others(.others))]
    SomePartsExist {
        /// Those that exist, behind the first of them.
        others: Vec<PathBuf>,
        /// How many there would be.
        parts: usize,
    },
    /// A part could not be given its name, when others had theirs.
    #[error("{why}; {done} of the {parts} parts have been written, from the last one on")]
    PartsLeft {
        /// What went wrong.
        why: String,
        /// How many parts stand under their names.
        done: usize,
        /// How many there are.
        parts: usize,
    },
    /// Engines that will not load an output.
    #[error("{0}")]
    Unloadable(String),
    /// Names that an engine never finds.
    #[error("{engines} never {} {count} of the names: {names}", .engines.verb("finds", "find"))]
    NeverFound {
        /// Who does not.
        engines: EngineNames,
        /// How many there are.
        count: usize,
        /// The first few.
        names: String,
    },
    /// Names that an engine finds only where it is asked for exactly them.
    #[error(
        "{engines} {} {count} of the names only under exactly this spelling: {names}",
        .engines.verb("finds", "find")
    )]
    FoundAsSpelled {
        /// Who does.
        engines: EngineNames,
        /// How many there are.
        count: usize,
        /// The first few.
        names: String,
    },
    /// Entries of an output that engines do not read as others.
    #[error("{engines}: {why}")]
    OddForEngines {
        /// Who does not.
        engines: EngineNames,
        /// What they do, as a sentence.
        why: String,
    },
    /// Names with several entries, of which the engines that are to load an output serve not the same.
    #[error(
        "{count} {} several entries, and not all engines serve the same of them: {how}; the first such name is {}",
        if *count == 1 { "name has" } else { "names have" },
        quoted(.first)
    )]
    ServedOtherwise {
        /// How many names.
        count: usize,
        /// Which engine serves which.
        how: String,
        /// The first name.
        first: Vec<u8>,
    },
    /// A name that in lower case is also another entry's name.
    #[error("in lower case this is also the name of entry {first} {}; {served}", quoted(.name))]
    LoweredAlike {
        /// The other entry.
        first: usize,
        /// Its name as it was.
        name: Vec<u8>,
        /// Which of them is served, as a clause.
        served: String,
    },
    /// A name that in a WAD is another entry's, too: their lumps have one name and one type.
    #[error("in a WAD this is the same name as that of entry {first} {}", quoted(.name))]
    LumpsAlike {
        /// The other entry.
        first: usize,
        /// Its name as it was.
        name: Vec<u8>,
    },
    /// A file whose name in lower case is that of another one, which is taken.
    #[error("this is left out: in lower case its name is also that of {taken}, which is taken")]
    LoweredAway {
        /// Where the other one is.
        taken: String,
    },
    /// The output is one of the inputs, perhaps by another name.
    #[error("this is an input, {}, and inputs are never overwritten", quoted_path(.input))]
    OutputIsInput {
        /// The input.
        input: PathBuf,
    },
}

/// How many names a message shows of many.
#[cfg(feature = "ops")]
const NAMES_SHOWN: usize = 3;

impl ErrorKind {
    /// Of names that an engine never finds, or where they are `found`, only as they are spelled:
    /// none where there are none.
    #[cfg(feature = "ops")]
    pub(crate) fn hard_to_find<'a>(
        engines: EngineNames,
        found: bool,
        names: impl IntoIterator<Item = &'a [u8]>,
    ) -> Option<Self> {
        let mut all = names.into_iter();
        let first = all.by_ref().take(NAMES_SHOWN);
        let mut shown: Vec<String> = first.map(|name| quoted(name).to_string()).collect();
        let more = all.count();
        let count = shown.len() + more;
        if more > 0 {
            shown.push("...".to_owned());
        }
        let names = shown.join(", ");
        let kind = if found {
            Self::FoundAsSpelled {
                engines,
                count,
                names,
            }
        } else {
            Self::NeverFound {
                engines,
                count,
                names,
            }
        };
        (count > 0).then_some(kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_byte_is_not_bytes() {
        let (size, packed, most) = (1, 0, 0);
        for kind in [
            ErrorKind::TooShort { len: 1 },
            ErrorKind::ShortDirectory { len: 1, record: 64 },
            ErrorKind::ImpossibleSize { size, packed, most },
            ErrorKind::NoDirectory {
                offset: 9,
                len: 1,
                file: 9,
            },
            ErrorKind::Odd(Note::PartialRecord { bytes: 1 }),
            ErrorKind::Odd(Note::DirectoryCut {
                claimed: 1,
                held: 0,
            }),
        ] {
            let words = kind.to_string();
            assert!(
                words.contains("1 byte") && !words.contains("1 bytes"),
                "{words}"
            );
        }
    }
}

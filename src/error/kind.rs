//! What can fail, in words, and what to do about it: a variant and its help are added here, and
//! nowhere else.

use std::io;
use std::path::PathBuf;

use super::Error;
use crate::codec::{Bytes, DecodeError, DecodeErrorKind, Unreadable, Warning};
use crate::pak::{Detection, Layout, Oddity, PathError, ReservedReading, quoted};

/// What an [`ErrorKind::OverLimit`] calls a file that no pak can hold.
pub(crate) const ENTRY_SIZE: &str = "the entry's size";

/// What failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Reading or writing failed.
    #[error("{}", lower_first(.0))]
    Io(io::Error),
    /// It is a directory, a pipe, a device: nothing that can be read at any place.
    #[error("this is not a regular file")]
    NotAFile,
    /// Too short for a header.
    #[error("this is no pak: it has {}, and a pak's header alone has 12", Bytes(*len))]
    TooShort {
        /// How long it is.
        len: u64,
    },
    /// It does not begin as a pak does.
    #[error("this is no pak: it begins with {} instead of \"PACK\"", quoted(found))]
    NotAPak {
        /// Its first bytes.
        found: [u8; 4],
    },
    /// It does not begin as a pak does, but as something that has a name.
    #[error("this is no pak, it is {what}")]
    Relative {
        /// What it is.
        what: &'static str,
    },
    /// No whole record of the directory lies in the file.
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
    /// What stands where the directory should is none.
    #[error(
        "there is no directory where the pak's header puts it: hardly a name is in the first {read} of its {len} bytes"
    )]
    NoNames {
        /// How long it should be.
        len: u64,
        /// How much of it was looked at.
        read: u64,
    },
    /// The directory is not long enough for a record.
    #[error("the pak's directory has {}, and a record of it alone has {record}", Bytes(*len))]
    ShortDirectory {
        /// How long it is.
        len: u64,
        /// How long a record is.
        record: u64,
    },
    /// The evidence does not tell the layouts apart.
    #[error("cannot tell the layout of this pak: {0}")]
    Undecided(Box<Detection>),
    /// A payload does not lie in the file.
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
        most = .packed.saturating_mul(crate::codec::grammar::EXPANSION_MAX)
    )]
    ImpossibleSize {
        /// The size that is claimed.
        size: u64,
        /// How long the stream is.
        packed: u64,
    },
    /// The stream is damaged.
    #[error("the stream is damaged: {0}")]
    Damaged(DecodeError),
    /// The stream is damaged under either reading of the byte 0xFE in it.
    #[error("the stream is damaged: {0}")]
    Unreadable(Unreadable),
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

    /// A directory of no entry is never written.
    #[error("there is no entry to write, and a pak without entries is never written")]
    NothingToWrite,
    /// An archive that was to be read in a layout whose archives begin otherwise.
    #[error("this archive begins with {}, and a {layout} archive with {}", quoted(found), quoted(&layout.magic()))]
    OtherMagic {
        /// The layout that was asked for.
        layout: Layout,
        /// What the archive begins with.
        found: [u8; 4],
    },
    /// The name is longer than what is written.
    #[error("the name has {len} bytes, and the longest that a {layout} archive can hold safely has {}", layout.name_max())]
    NameTooLong {
        /// How long it is.
        len: usize,
        /// The layout that is written.
        layout: Layout,
    },
    /// The name has a NUL in it.
    #[error("the name has a NUL in it, which would end it there")]
    NameHasNul,
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
    /// A payload is not as long as was said.
    #[error("the payload has {} instead of {expected}", Bytes(*found))]
    WrongLength {
        /// How long it should be.
        expected: u64,
        /// How long it is.
        found: u64,
    },
    /// The layout has no place for what should be written.
    #[error("a {layout} pak cannot hold a compressed payload")]
    CannotCompress {
        /// The layout.
        layout: Layout,
    },
    /// The writer was used out of order: a mistake of the program, not of the data.
    #[error("the writer was used out of order: {0}")]
    OutOfOrder(&'static str),

    // What follows is of `ops`: of many paks, and of the files around them.
    /// A stop was asked for from outside.
    #[error("interrupted")]
    Interrupted,
    /// A directory where a pak was expected.
    #[error("this is a directory")]
    IsDirectory,
    /// A glob that is none.
    #[error("the glob {} cannot be read: {why}", quoted(glob.as_bytes()))]
    BadGlob {
        /// The glob.
        glob: String,
        /// What is wrong with it.
        why: String,
    },
    /// A glob that picked nothing.
    #[error("no entry matches {}", quoted(.0.as_bytes()))]
    NoMatch(String),
    /// Something stands where the output would.
    #[error("this exists already")]
    Exists,
    /// The same of a pak that is to be made: there is nothing else to do that could go on.
    #[error("this exists already")]
    PakExists,
    /// Two inputs would land on one name.
    #[error("the output of {} would land here, too", quoted(.other.as_os_str().as_encoded_bytes()))]
    SameOutput {
        /// The other input.
        other: PathBuf,
    },
    /// Two files would have one name in a pak.
    #[error("{} would have this name in the pak, too", quoted(.other.as_os_str().as_encoded_bytes()))]
    SameName {
        /// The other file.
        other: PathBuf,
    },
    /// Something stands where the output would, and is never replaced.
    #[error("{what} stands here, and is never replaced")]
    Blocked {
        /// What it is.
        what: &'static str,
    },
    /// Something stands where a directory of the output would be.
    #[error("{what} stands where a directory is needed")]
    NoDirectoryHere {
        /// What it is.
        what: &'static str,
    },
    /// The output lies in a directory whose files are to go into it.
    #[error("this lies in an input, {}, and would be taken for one of its files", quoted(.input.as_os_str().as_encoded_bytes()))]
    OutputInInput {
        /// The directory.
        input: PathBuf,
    },
    /// Something in a directory that is no file of the user's.
    #[error("{what} is left out: {why}")]
    LeftOut {
        /// What it is.
        what: &'static str,
        /// Why it is not taken.
        why: &'static str,
    },
    /// A file's name is none that every system can extract again.
    #[error("{0}")]
    FileName(PathError),
    /// The beginning of a path that is in no name of a pak.
    #[error("names begin behind {}: none in a pak leads upwards", quoted(.stripped.as_os_str().as_encoded_bytes()))]
    Stripped {
        /// What is left out of the names.
        stripped: PathBuf,
    },
    /// The name of an output says another format than what would be written.
    #[error("the name says \".{extension}\", and what would be written is a {to} pak")]
    OtherFormat {
        /// The extension.
        extension: String,
        /// What would be written.
        to: Layout,
    },
    /// The directory of an output does not exist.
    #[error("the directory that it would be in does not exist")]
    NoParent,
    /// One output, and not one input.
    #[error("one output takes exactly one pak, and there are {found}")]
    OneOutput {
        /// How many there are.
        found: usize,
    },
    /// A directory was searched in vain.
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
    /// The file is not as long as it was when it was looked at.
    #[error("the file had {} and has {found} now: it changes while it is read", Bytes(*expected))]
    Changed {
        /// How many bytes it had.
        expected: u64,
        /// How many it has.
        found: u64,
    },
    /// Something unusual in a pak that can be read all the same.
    #[error("{0}")]
    Odd(Oddity),
    /// Something unusual in a stream that can be decoded all the same.
    #[error("{0}")]
    OddStream(Warning),
    /// A pak that was to be written, and that nobody could open again.
    #[error(
        "the new pak could not be opened again: too many of its names are empty, have control \
         bytes or are too short to tell a {layout} pak"
    )]
    WouldNotOpen {
        /// The layout that it was to have.
        layout: Layout,
    },
    /// How the reserved byte was read in a pak.
    #[error("{0}")]
    ReservedRead(ReservedReading),
    /// The name in a pak would lead elsewhere than the file's own.
    #[error("the name has a backslash in it, which is a separator in a pak")]
    Backslash,
    /// A directory where one pak was expected, and not a search for paks.
    #[error("this is a directory, and one pak is expected")]
    OnePakExpected,
    /// A name that no entry has.
    #[error("no entry has the name {}", quoted(.0))]
    NoName(Vec<u8>),
    /// An argument behind a pak that is there neither as a path nor as an entry.
    #[error(
        "there is neither a file nor an entry of the name {}{}",
        quoted(name),
        perhaps(near.as_deref())
    )]
    NeitherFileNorEntry {
        /// The argument.
        name: Vec<u8>,
        /// The entry that was probably meant.
        near: Option<Vec<u8>>,
    },
    /// A path at which there is nothing.
    #[error(
        "there is no such file or directory{}",
        perhaps(near.as_ref().map(|near| near.as_os_str().as_encoded_bytes()))
    )]
    Missing {
        /// What was probably meant.
        near: Option<PathBuf>,
        /// Whether it may be the name of an entry, as it stands behind other arguments.
        beside: bool,
    },
    /// A line of a snapshot that is none.
    #[error("line {line} of this snapshot cannot be read: {why}")]
    BadSnapshot {
        /// Its number, counted from 1, as editors do.
        line: u64,
        /// What is wrong with it.
        why: &'static str,
    },
    /// A snapshot that is to be compared with and does not exist.
    #[error("there is no snapshot here, so nothing can be compared")]
    NoSnapshot,
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
    #[error("this {}{}", .0.name(), .0.what())]
    PassedOver(PassedOver),
    /// Something that a search for paks did not take, and that was a pak when the snapshot was made.
    #[error("this was a pak when the snapshot was made, and now {}", .0.what())]
    NoPakAnyMore(PassedOver),
    /// An entry's file got another name than the entry's own.
    #[error("{why}: its file is put aside as {}", quoted(.path.as_os_str().as_encoded_bytes()))]
    PutAside {
        /// Where the file is, from the pak's destination.
        path: PathBuf,
        /// Why it is not under its own name.
        why: &'static str,
    },
    /// A pak whose directory would be that of another one.
    #[error(
        "{} has the directory {}: the files of this go into {}",
        quoted(.other.as_os_str().as_encoded_bytes()),
        quoted(.taken.as_os_str().as_encoded_bytes()),
        quoted(.given.as_os_str().as_encoded_bytes())
    )]
    WholeName {
        /// The other pak.
        other: PathBuf,
        /// The directory that both would have.
        taken: PathBuf,
        /// The directory that it has instead.
        given: PathBuf,
    },
    /// A name that no file may have, with a file all the same.
    #[error("{why}: rescued as {}", quoted(.path.as_os_str().as_encoded_bytes()))]
    Rescued {
        /// Where the file is, from the pak's destination.
        path: PathBuf,
        /// What is wrong with the name.
        #[source]
        why: PathError,
    },
    /// More would come out of a pak than is allowed; by default, than is possible without a trick.
    #[error(
        "{bytes} bytes would come out of this pak, which is more than {}its {len} bytes{}",
        if *times == 1 { String::new() } else { format!("{times} times ") },
        if is_trick(*.times) { ": payloads must lie over each other" } else { "" }
    )]
    Expansion {
        /// How many bytes would come out.
        bytes: u64,
        /// How long the pak is.
        len: u64,
        /// How many times that would have been allowed.
        times: u64,
    },
    /// A file was replaced or written to between two looks at it.
    #[error("this is not the pak any more that it was when the work was planned")]
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
    /// A pak in a game's directory to which the engine pays no regard.
    #[error("{engine} never loads this pak: {why}")]
    NeverLoaded {
        /// The engine's name.
        engine: &'static str,
        /// Why not, as a clause.
        why: String,
    },
    /// A pak in a game's directory that the engine takes for what it is not.
    #[error("{engine} loads this pak, and serves from it what it does not hold: {why}")]
    Misread {
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
    /// Something in a game's directory that the engine regards and that cannot be read here.
    #[error("the engine reads this file, too, and daisho does not")]
    Unseen,
    /// A link in a game's directory that is not followed.
    #[error("{what} is not entered: what lies behind it is not seen")]
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
        "names with several entries in one pak, of which {engine} may serve any: {count}; the first is taken"
    )]
    Undefined {
        /// The engine's name.
        engine: &'static str,
        /// How many names there are.
        count: usize,
    },
    /// Names in several paks of a directory, of which the engine does not define the order.
    #[error(
        "names that lie in several of these paks, which {engine} loads in whatever order the file \
         system lists them: {count}; here they go by name"
    )]
    Unsorted {
        /// The engine's name.
        engine: &'static str,
        /// How many names there are.
        count: usize,
    },
    /// The engine loads no pak of a game's directory.
    #[error("{engine} loads none of the paks")]
    NoneLoaded {
        /// The engine's name.
        engine: &'static str,
    },
    /// An output in a layout that the engine which is to load it does not read.
    #[error("{engine} reads only {wanted} paks, and a {asked} pak is asked for")]
    EngineLayout {
        /// The engine's name.
        engine: &'static str,
        /// What it reads.
        wanted: Layout,
        /// What is to be written.
        asked: Layout,
    },
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
        "the output must be split into {parts} paks, and the number in its name is too large to count so far up"
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
        "the output must be split into {parts} paks, and {engine} would not load part {part} as {}: {why}",
        quoted(.name.as_os_str().as_encoded_bytes())
    )]
    NoRoomForPart {
        /// The engine's name.
        engine: &'static str,
        /// How many paks.
        parts: usize,
        /// Which of them, counted from 1.
        part: usize,
        /// What it would be called.
        name: PathBuf,
        /// Why not, as a clause.
        why: String,
    },
    /// What speaks against a part of an output.
    #[error("{}; it would be part {part} of {parts} that the output must be split into", .why.kind())]
    InTheWayOfPart {
        /// Which part, counted from 1.
        part: usize,
        /// How many there are.
        parts: usize,
        /// What speaks against it.
        why: Box<Error>,
    },
    /// With -k some of the parts of an output are there or missing, and where others should be are
    /// paks that are none of them.
    #[error(
        "{}: of the {parts} parts {here} {} here, {missing} {} missing and {}",
        not_parts(.others),
        is_or_are(*.here),
        is_or_are(*.missing),
        if .others.is_empty() { "1 is another pak".to_owned() } else { format!("{} are other paks", .others.len() + 1) }
    )]
    NotTheParts {
        /// Those that are none of the parts, behind the first of them.
        others: Vec<PathBuf>,
        /// How many of the parts are there.
        here: usize,
        /// How many are missing.
        missing: usize,
        /// How many there would be.
        parts: usize,
    },
    /// Files under the names that further parts would have.
    #[error("{}, and {} loaded behind the last one", standing(.others), if .others.is_empty() { "is" } else { "are" })]
    BehindParts {
        /// Those behind the first one.
        others: Vec<PathBuf>,
    },
    /// A part could not be given its name, when others had theirs.
    #[error("{why}; {done} of the {parts} parts have been written, from the last one on")]
    PartsLeft {
        /// What went wrong.
        why: Box<Error>,
        /// How many parts stand under their names.
        done: usize,
        /// How many there are.
        parts: usize,
    },
    /// Engines that will not load an output.
    #[error("engines that will not load this pak: {0}")]
    Unloadable(String),
    /// Names that an engine never finds.
    #[error("{engine} never finds {count} of the names: {names}")]
    NeverFound {
        /// The engine's name.
        engine: &'static str,
        /// How many there are.
        count: usize,
        /// The first few.
        names: String,
    },
    /// Names that an engine finds only where it is asked for exactly them.
    #[error("{engine} finds {count} of the names only under exactly this spelling: {names}")]
    FoundAsSpelled {
        /// The engine's name.
        engine: &'static str,
        /// How many there are.
        count: usize,
        /// The first few.
        names: String,
    },
    /// A name that is another entry's, too, since it is in lower case.
    #[error("in lower case this is the name of entry {first} {}, too; {served}", quoted(.name))]
    LoweredAlike {
        /// The other entry.
        first: usize,
        /// Its name as it was.
        name: Vec<u8>,
        /// Which of them is served, as a clause.
        served: String,
    },
    /// A copy of a file that is served under one spelling of a name, while another copy is served
    /// under another one, and only one of them can be taken.
    #[error(
        "this is left out: by how its name is spelled, {engine} serves this or {taken}, which is taken"
    )]
    SpelledAlike {
        /// The engine's name.
        engine: &'static str,
        /// Where the other one is.
        taken: String,
    },
    /// A file whose name in lower case is that of another one, which is taken.
    #[error("this is left out: in lower case its name is that of {taken}, too, which is taken")]
    LoweredAway {
        /// Where the other one is.
        taken: String,
    },
    /// The output is one of the inputs, perhaps by another name.
    #[error("this is an input, {}: a source is never touched", quoted(.input.as_os_str().as_encoded_bytes()))]
    OutputIsInput {
        /// The input.
        input: PathBuf,
    },
}

/// Why a search for paks does not take something that a user may have meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum PassedOver {
    /// A file that is named like a pak and has no byte.
    Empty,
    /// A file that is named like a pak and does not begin as one.
    NoMagic,
    /// A link that is named like a pak and leads nowhere.
    DanglingLink,
    /// A pipe, a socket or a device that is named like a pak.
    NotAFile,
    /// One of Git's packfiles, which begin as paks do.
    Packfile,
    /// A text that begins as a pak does.
    Text,
    /// A link to a directory.
    LinkedDirectory,
}

impl PassedOver {
    /// What it is, as a clause.
    const fn what(self) -> &'static str {
        match self {
            Self::Empty => "is empty",
            Self::NoMagic => "does not begin as one",
            Self::DanglingLink => "is a link that leads nowhere",
            Self::NotAFile => "is no regular file",
            Self::Packfile => "is one of Git's packfiles, and no pak",
            Self::Text => "begins as a pak does, and is a text",
            Self::LinkedDirectory => "is a link to a directory, and is not searched",
        }
    }

    /// Why it may have been meant, as the start of a sentence.
    const fn name(self) -> &'static str {
        match self {
            Self::Packfile | Self::Text | Self::LinkedDirectory => "",
            _ => "is named like a pak and ",
        }
    }

    /// What several of them are, behind their number.
    #[must_use]
    pub const fn several(self) -> &'static str {
        match self {
            Self::Empty => "files are named like paks and are empty",
            Self::NoMagic => "files are named like paks and do not begin as paks",
            Self::DanglingLink => "links are named like paks and lead nowhere",
            Self::NotAFile => "things are named like paks and are no regular files",
            Self::Packfile => "files are Git's packfiles, and no paks",
            Self::Text => "files begin as paks do, and are texts",
            Self::LinkedDirectory => "links to directories are not searched",
        }
    }

    /// What to do about it, where there is something to do.
    #[must_use]
    pub const fn help(self) -> Option<&'static str> {
        match self {
            Self::Empty | Self::NoMagic | Self::DanglingLink => {
                Some("get a whole copy, if it should be a pak")
            }
            Self::LinkedDirectory => Some("name where it leads to have that searched"),
            Self::NotAFile | Self::Packfile | Self::Text => None,
        }
    }
}

/// How many names a message shows of many.
#[cfg(feature = "ops")]
const NAMES_SHOWN: usize = 3;

impl ErrorKind {
    /// Of names that an engine never finds, or where they are `found`, only as they are spelled:
    /// none where there are none.
    #[cfg(feature = "ops")]
    pub(crate) fn hard_to_find<'a>(
        engine: &'static str,
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
                engine,
                count,
                names,
            }
        } else {
            Self::NeverFound {
                engine,
                count,
                names,
            }
        };
        (count > 0).then_some(kind)
    }

    /// What to do, where there is something to do.
    pub(super) fn help(&self) -> Option<&'static str> {
        Some(match self {
            Self::Relative { .. } | Self::NotAPak { .. } | Self::TooShort { .. } => {
                "only the archives of Quake, Quake II, Half-Life, Hexen II, Daikatana, SiN and HROT are read"
            }
            Self::NoDirectory { .. }
            | Self::OutsideFile { .. }
            | Self::Odd(Oddity::DirectoryCut { .. }) => {
                "the file has probably been cut short: get a whole copy of it"
            }
            Self::NoNames { .. } => "the file is damaged, or no pak: get another copy of it",
            Self::Undecided(detection) if detection.looks_like_noise() => {
                "the directory is damaged: get another copy of the pak, or read what there is with --layout"
            }
            Self::ShortDirectory { .. } => {
                "the header is damaged, or of a format of its own: get another copy of the pak"
            }
            Self::Undecided(_) => {
                "say which layout it is, with --layout quake or --layout daikatana"
            }
            Self::OtherMagic { .. } => "leave --layout away: the magic says which layout it is",
            Self::NameTooLong { .. } => {
                "give the file a shorter name, or leave it out, as convert --keep-going does"
            }
            Self::NothingToWrite => {
                "some engines refuse a pak without entries, others stop looking for further paks at it"
            }
            Self::OverLimit { what, .. } if *what == ENTRY_SIZE => {
                "leave this file out: no pak can hold it"
            }
            Self::OverLimit { .. } => {
                "spread the files over several paks: --max-size and --max-entries split the output"
            }
            Self::BadGlob { .. } => {
                "put what should stand for itself into brackets: '[[]' is a '[', and '[{]' a '{'"
            }
            Self::Unsorted { .. } => {
                "give the paks numbers (pak0.pak, pak1.pak and so on), the one that is to win the highest"
            }
            Self::WouldNotOpen { .. } => {
                "extract the files (--rescue gives names to those without), rename them, and make a pak of them with 'daisho create'"
            }
            Self::ReservedRead(ReservedReading { vote: Some(_), .. }) => {
                "if a file looks wrong, compare with --reserved skip and --reserved copy"
            }
            Self::IsDirectory => "give -r to search it for paks",
            Self::NoMatch(_)
            | Self::NoName(_)
            | Self::NoEntry { .. }
            | Self::NeitherFileNorEntry { .. } => "daisho list shows the names and numbers",
            Self::Missing { beside: true, .. } => {
                "names of entries stand behind the one pak that they are in, as in daisho extract \
                 pak0.pak maps/e1m1.bsp"
            }
            Self::OnePakExpected => "name a pak in it",
            Self::Damaged(error) if error.kind() == DecodeErrorKind::Reserved => {
                "read it with --reserved skip, as the game does, or with --reserved copy"
            }
            Self::Damaged(_)
            | Self::Unreadable(_)
            | Self::ImpossibleSize { .. }
            | Self::SharesDamage { .. } => {
                "get another copy of the pak; its other entries are not affected"
            }
            Self::BadSnapshot { .. } => {
                "name another file; or, if this was a snapshot, remove it and make it again with --update"
            }
            Self::NotRenewed { .. } => "mend or leave out what cannot be read",
            Self::NoSnapshot => "name one that exists, or give --update to make it",
            Self::PassedOver(what) => return what.help(),
            Self::NoPakAnyMore(_) => {
                "get a whole copy of it; if it is meant to be gone, remove it and give --update"
            }
            Self::Exists => "give -f to replace it, or -k to keep it",
            Self::PakExists => "give -f to replace it, or another name",
            Self::SameOutput { .. } => "write them into different directories",
            Self::OutputIsInput { .. } | Self::OutputInInput { .. } => {
                "give another name or directory for the output"
            }
            Self::SameName { .. } => "rename one of them, or leave it out",
            Self::Blocked { .. } => "give another name or directory for the output",
            Self::NoDirectoryHere { .. } => "give another directory for the output, with -C DIR",
            Self::Output { cause, .. } => match cause.kind() {
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                    "make room, or write elsewhere, and run it again"
                }
                io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                    "write elsewhere, or see to it that you may write there"
                }
                io::ErrorKind::NotADirectory | io::ErrorKind::InvalidFilename => {
                    "give another name or directory for the output"
                }
                io::ErrorKind::FileTooLarge => {
                    "write to a file system that takes files so large, or lift the limit (ulimit -f)"
                }
                _ => return None,
            },
            Self::OtherFormat { .. } => {
                "give the output the extension .pak, or .sin with --to sin: ZIP archives and other \
                 formats are not written so far"
            }
            Self::NoParent => "make it first, or give another one",
            Self::OneOutput { .. } => "give -C DIR to write several paks into a directory",
            Self::NoPakFound => "paks are known by how they begin, not by their extension",
            Self::Backslash | Self::FileName(_) => "rename the file",
            Self::Changed { .. } | Self::CutWhileRead { .. } => {
                "let whatever writes to the file finish first"
            }
            Self::AnotherPak => "let whatever writes to the file finish first",
            Self::Path(_) => "give --rescue to extract it, under a name that a file may have",
            Self::StockLost { .. } => {
                "keep the original as pak0.pak, and give the output a higher number"
            }
            Self::NotADirectory | Self::NoPakInGame => {
                "name the directory that a game's paks lie in, such as id1, baseq2 or data"
            }
            Self::EngineLayout { .. } => {
                "give --engine alone, which says the layout, or name an engine that reads the other one"
            }
            Self::FitsNoPart { together, .. } if *together > 1 => {
                "raise --max-entries or --max-size, name an engine that allows more, or leave some of \
                 them out: extract the pak, and create another from what is wanted"
            }
            Self::FitsNoPart { .. } => {
                "raise --max-size, name an engine that allows more, or leave it out: extract the pak, and \
                 create another from what is wanted"
            }
            Self::NumberTooLarge { .. } => "give -o a name with a smaller number, such as pak1.pak",
            Self::NoNumber { .. } => {
                "give -o a name that ends in a number, such as pak1.pak, and the parts are called pak1.pak, \
                 pak2.pak and so on; for that a pak of a batch is converted alone"
            }
            Self::NoRoomForPart { .. } => {
                "let the first part have another number: a lower one, or one with leading zeros for an engine that goes by names"
            }
            Self::InTheWayOfPart { why, .. } => return why.help(),
            Self::NotTheParts { .. } => {
                "give -f to write all of them anew: a run with -f may have been stopped before its end"
            }
            Self::BehindParts { .. } => {
                "remove what an earlier run into more parts has left: it goes before what the new ones have"
            }
            Self::PartsLeft { .. } => "remove them, or write all parts once more with -f",
            Self::Unloadable(_) => {
                "--engine ENGINE splits the output for one of them, --max-entries and --max-size by a limit"
            }
            Self::NeverFound { .. } => {
                "every engine finds names of up to 55 bytes with '/', without a leading '/', './', '//' and '..'"
            }
            Self::FoundAsSpelled { .. } => {
                "leave them where the game asks for them so; --lowercase is for a game that asks in lower case"
            }
            Self::NeedsFirst { .. } => "give the base directory first, and mods behind it",
            Self::LoweredAlike { .. } | Self::SpelledAlike { .. } | Self::LoweredAway { .. } => {
                "rename one of them where both are wanted"
            }
            Self::NotServed { near: None, .. } => {
                "daisho list --effective shows the names that are served"
            }
            Self::NoneLoaded { .. } => "name the engine that is to load them, with --engine",
            Self::Expansion { times, .. } if is_trick(*times) => {
                "few honest paks do this: if this one does, raise the limit with --max-expansion N"
            }
            Self::Expansion { .. } => "raise the limit with --max-expansion N",
            _ => return None,
        })
    }
}

const fn is_or_are(count: usize) -> &'static str {
    if count == 1 { "is" } else { "are" }
}

/// What is none of the parts.
fn not_parts(others: &[PathBuf]) -> String {
    if others.is_empty() {
        return "this is not the pak that would be written here".to_owned();
    }
    format!(
        "this and {} are not the paks that would be written here",
        listed(others)
    )
}

/// What stands where further parts would be.
fn standing(others: &[PathBuf]) -> String {
    if others.is_empty() {
        return "this stands where one more part would be".to_owned();
    }
    format!(
        "this and {} stand where further parts would be",
        listed(others)
    )
}

/// The first few of some paths.
fn listed(others: &[PathBuf]) -> String {
    // All of a directory may be among them.
    const SHOWN: usize = 3;
    let names = others.iter().take(SHOWN);
    let names = names.map(|path| quoted(path.as_os_str().as_encoded_bytes()).to_string());
    let mut names: Vec<String> = names.collect();
    if let more @ 1.. = others.len().saturating_sub(SHOWN) {
        names.push(format!("{more} more"));
    }
    names.join(", ")
}

/// What was probably meant, where there is something like it.
fn perhaps(near: Option<&[u8]>) -> String {
    near.map_or_else(String::new, |near| {
        format!("; perhaps {} is meant", quoted(near))
    })
}

/// What needs room in one pak.
fn needing(entries: u64) -> String {
    match entries {
        1 => "this entry needs ".to_owned(),
        entries => format!("the {entries} entries of this name must stay together and need "),
    }
}

/// Whether no stream grows so many times by being decompressed.
fn is_trick(times: u64) -> bool {
    times >= crate::codec::grammar::EXPANSION_MAX
}

/// The system's words, which begin with a capital, as ours, which do not; an abbreviation stays.
fn lower_first(error: &io::Error) -> String {
    let words = error.to_string();
    let mut chars = words.chars();
    match (chars.next(), chars.clone().next()) {
        (Some(first), Some(second)) if !second.is_uppercase() => {
            first.to_lowercase().chain(chars).collect()
        }
        _ => words,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_systems_words_become_lower_case() {
        let words = |words: &'static str| lower_first(&io::Error::other(words));
        assert_eq!(words("No such file"), "no such file");
        assert_eq!(words("IO failed"), "IO failed");
        assert_eq!(words(""), "");
    }

    #[test]
    fn one_byte_is_not_bytes() {
        let (size, packed) = (1, 0);
        for kind in [
            ErrorKind::TooShort { len: 1 },
            ErrorKind::ShortDirectory { len: 1, record: 64 },
            ErrorKind::ImpossibleSize { size, packed },
            ErrorKind::NoDirectory {
                offset: 9,
                len: 1,
                file: 9,
            },
            ErrorKind::Odd(Oddity::PartialRecord { bytes: 1 }),
            ErrorKind::Odd(Oddity::DirectoryCut {
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

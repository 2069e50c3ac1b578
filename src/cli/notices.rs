//! The words of each notice: the sentence for many findings of it, and what the user can do.
//!
//! A finding brings a sentence for itself. How many of them become one message is in
//! [`gathered`](super::gathered).

use daisho::ops::finding::Notice;

/// A row of the table: a notice, the sentence for many findings of it, and what to do about one.
///
/// Findings of a notice without a sentence for many become one message if they say the same.
type Row = (Notice, &'static str, &'static str);

/// The sentence for many findings of a notice, without their number.
pub(super) fn sentence_for_many(notice: Notice) -> Option<&'static str> {
    row(notice)
        .map(|(_, many, _)| *many)
        .filter(|it| !it.is_empty())
}

/// What to do about one finding.
pub(super) fn help(notice: Notice) -> Option<&'static str> {
    row(notice)
        .map(|(_, _, help)| *help)
        .filter(|it| !it.is_empty())
}

/// What to do about many findings.
pub(super) fn help_for_many(notice: Notice) -> Option<&'static str> {
    match notice {
        Notice::Exists => Some("give -f to replace them, or -k to keep them"),
        Notice::UnsafeName => {
            Some("give --rescue to extract them, under names that files may have")
        }
        _ => help(notice),
    }
}

fn row(notice: Notice) -> Option<&'static Row> {
    TABLE.iter().find(|(it, _, _)| *it == notice)
}

const FORMATS: &str = "only the paks of Quake, Quake II, Half-Life, Hexen II, Daikatana, SiN, HROT and Anachronox are read, WAD2, WAD3, and ZIPs such as PK3";
const CUT_SHORT: &str = "the file has probably been cut short: get a whole copy of it";
const OTHER_COPY: &str = "get another copy of the archive; its other entries are not affected";
const OTHER_PAK: &str = "get another copy of the pak; its other entries are not affected";
const WHOLE_COPY: &str = "get a whole copy, if it should be a pak";
const NAME_IT: &str = "name those that you want, as in mod.zip//id1/pak0.pak";
const LIST_SHOWS: &str = "daisho list shows the names and numbers";
const OTHER_OUTPUT: &str =
    "give another name for the output, with -o, or another directory, with -C";
const OTHER_DIRECTORY: &str = "give another directory for the output, with -C DIR";
const ELSEWHERE: &str = "write elsewhere, or get permission to write there";

#[rustfmt::skip]
const TABLE: &[Row] = &[
    (Notice::TooShort, "files are too short for an archive", FORMATS),
    (Notice::NotAnArchive, "files are no known archives", FORMATS),
    (Notice::MissingDirectory, "archives end before their directory", CUT_SHORT),
    (Notice::MissingZipDirectory, "ZIPs have no directory where it should be", CUT_SHORT),
    (Notice::NoNames, "", "the file is damaged, or no pak: get another copy of it"),
    (Notice::ShortDirectory, "", "the header is damaged, or of a format of its own: get another copy of the pak"),
    (Notice::Undecided, "", "say which layout it is, with --layout quake or --layout daikatana"),
    (Notice::NoisyDirectory, "", "the directory is damaged: get another copy of the pak, or read what there is with --layout"),
    (Notice::OtherMagic, "", "leave --layout out: the magic says which layout it is"),
    (Notice::SplitZip, "", "join its parts first, as 'zip -s 0 parts.zip --out whole.zip' does"),
    (Notice::Changed, "files changed while they were read", "let whatever writes to the file finish first"),
    (Notice::OutsideFile, "payloads do not lie in the file", CUT_SHORT),
    (Notice::ImpossibleSize, "entries claim more than their streams can hold", OTHER_PAK),
    (Notice::Encrypted, "entries are encrypted", "unpack it with a program that asks for the password; its other entries are not affected"),
    (Notice::UnknownMethod, "entries are compressed by methods that are not read: only 0 (stored) and 8 (deflated) are", "unpack it with 7-Zip, and make an archive of the files; its other entries are not affected"),
    (Notice::CompressedLump, "lumps are compressed, which no program is known to write", OTHER_COPY),
    (Notice::NoLocalHeader, "entries have no local header where the directory puts it", OTHER_COPY),
    (Notice::HeaderOutside, "entries should have a local header behind the file's end", OTHER_COPY),
    (Notice::HeaderDisagrees, "entries have a local header that says something else than the directory", OTHER_COPY),
    (Notice::SizesDiffer, "entries are stored, and their two sizes differ", OTHER_COPY),
    (Notice::OtherPart, "entries lie in other parts of a split ZIP", OTHER_COPY),
    (Notice::LongLink, "symbolic links take too many bytes to say where they lead", OTHER_COPY),
    (Notice::BrokenLink, "symbolic links lead to no file of their archive", OTHER_COPY),
    (Notice::DamagedDeflate, "deflated payloads are damaged", OTHER_COPY),
    (Notice::WrongCrc32, "contents have another CRC-32 than the archive says", OTHER_COPY),
    (Notice::Damaged, "streams are damaged", OTHER_PAK),
    (Notice::ReservedByte, "streams are damaged", "read it with --reserved skip, as the game does, or with --reserved copy"),
    (Notice::SharesDamage, "entries share a payload with an entry that is damaged", OTHER_PAK),
    (Notice::Expansion, "", "raise the limit with --max-expansion N"),
    (Notice::OverlappingPayloads, "", "few honest paks do this: if this one does, raise the limit with --max-expansion N"),
    (Notice::DirectoryCut, "directories are cut off, so that entries are missing", CUT_SHORT),
    (Notice::PartialRecord, "directories end in less than a record, which is ignored", ""),
    (Notice::LengthContradicted, "directories have a length that does not fit their records, which count", ""),
    (Notice::LengthOfNone, "directories have a length that fits no layout", ""),
    (Notice::Noise, "directories have records that look like noise", ""),
    (Notice::EntryCount, "ZIPs have another number of entries than their end records say", ""),
    (Notice::BytesBefore, "archives have bytes before their beginning", ""),
    (Notice::LumpSizes, "WADs have lumps with two sizes", ""),
    (Notice::LocalHeaders, "ZIPs have local headers that say something else than the directory", ""),
    (Notice::AnotherKind, "", "it is read like any other ZIP; a search with -r passes it over"),
    (Notice::MissingEnd, "streams end without an end marker, which costs nothing: all of their content is there", ""),
    (Notice::Tail, "streams go on behind their end marker; what follows is ignored, as in the game", ""),
    (Notice::ReservedInStream, "streams have the reserved byte 0xfe", ""),
    (Notice::ReservedChosen, "archives have the reserved byte 0xfe in their streams; how each is read, its streams decide", ""),
    (Notice::ReservedVoted, "archives have the reserved byte 0xfe in their streams; how each is read, its streams decide", "if a file looks wrong, compare with --reserved skip and --reserved copy"),
    (Notice::IsDirectory, "", "give -r to search it for paks"),
    (Notice::OneArchiveExpected, "", "name a pak in it"),
    (Notice::NoArchiveFound, "", "paks are known by how they begin, not by their extension"),
    (Notice::EmptyFile, "files are named like paks and are empty", WHOLE_COPY),
    (Notice::NotBeginning, "files are named like paks and do not begin as paks", WHOLE_COPY),
    (Notice::DanglingLink, "links are named like paks and lead nowhere", WHOLE_COPY),
    (Notice::NotRegular, "things are named like paks and are not regular files", ""),
    (Notice::Packfile, "files are Git's packfiles, and not paks", ""),
    (Notice::PackDir, "files are RISC OS archives (PackDir), and not paks", ""),
    (Notice::TextFile, "files begin like paks, but are texts", ""),
    (Notice::OtherZip, "files are named like paks and are ZIPs of other kinds, as programs and office files are", "it is read if its own path is given instead of a directory"),
    (Notice::LinkedDirectory, "links to directories are not searched", "give the directory that it leads to"),
    (Notice::NestedName, "archives within archives have names that no file may have", NAME_IT),
    (Notice::NestedLimit, "archives within others are more than are opened", NAME_IT),
    (Notice::TooDeep, "", "extract the outer archives first"),
    (Notice::NoLongerArchive, "files were paks when the snapshot was made, and are none now", "get a whole copy of it; if it is meant to be gone, remove it and give --update"),
    (Notice::NoSuchFile, "", "give the path of a file or directory that is there; -r searches directories for archives"),
    (Notice::NoSuchFileOrEntry, "", "give the names of entries after the paks that they are in, as in daisho extract pak0.pak maps/e1m1.bsp"),
    (Notice::NoSuchEntry, "", LIST_SHOWS),
    (Notice::NoSuchFolder, "", "leave --prefix out for the name of an entry"),
    (Notice::NoMatch, "", "'*.wal' takes such files anywhere, 'maps/' all in a folder, 'maps/*.bsp' some of them; daisho list shows the names"),
    (Notice::BadGlob, "", "put a character that stands for itself in brackets: '[[]' matches '[', and '[{]' matches '{'"),
    (Notice::ArchiveAndEntry, "", "for the entry, extract from that one alone, with -i"),
    (Notice::BadSnapshot, "", "name another file; or, if this was a snapshot, remove it and make it again with --update"),
    (Notice::NoSnapshot, "", "name one that exists, or give --update to make it"),
    (Notice::OtherHash, "", "leave --hash out to compare with what it holds, or make another one with --update"),
    (Notice::NotRenewed, "", "repair or leave out what cannot be read"),
    (Notice::Picture, "pictures cannot be decoded", "'daisho extract' without --as writes it as it is; other pictures are not affected"),
    (Notice::TooManyPixels, "pictures have more pixels than are decoded", "raise the limit with --max-pixels N"),
    (Notice::Palette, "", "name a file that has a palette: gfx/palette.lmp, pics/colormap.pcx, a .bmp, .pal or .gpl"),
    (Notice::NoPalette, "pictures are drawn in grey, because no palette was found", "give --game with the game's directory, or --palette FILE; daisho has no game's palette built in"),
    (Notice::NothingToShow, "", "give archives that have entries, and patterns (-i) that match some"),
    (Notice::UnsafeName, "", "give --rescue to extract it, under a name that a file may have"),
    (Notice::FileName, "", "give it another name"),
    (Notice::NameTaken, "names belong to entries already", "give another name; 'daisho add' replaces with -f"),
    (Notice::OneFileForName, "", "add one file at a time, or leave --as out"),
    (Notice::SameName, "files would have names that others have in the pak", "rename one of them, or leave it out"),
    (Notice::NamesAlike, "names are also those of other entries", "rename one of them if you want both"),
    (Notice::NameTooLong, "names are too long for the archive", "give the file a shorter name, or leave it out, as convert --keep-going does"),
    (Notice::NameOfFolder, "", "leave it out, as convert --keep-going does"),
    (Notice::NameFromHere, "", "rename the entry first, or leave it out, as convert --keep-going does"),
    (Notice::NoLump, "files are of no type that a WAD holds", "leave it out with -x, or take with -i only what the archive holds"),
    (Notice::PutAside, "files are put aside, because others have their names", ""),
    (Notice::OtherDirectory, "archives go into directories of other names, because others have theirs", ""),
    (Notice::Rescued, "files are rescued, because no file may have their names", ""),
    (Notice::WithinAnother, "", "extract it, change it there, and add it to the outer one with -f"),
    (Notice::NothingToUndo, "", "add, remove and rename keep the previous archive there, unless --no-backup is given"),
    (Notice::NotPrevious, "", "move it away, or keep no previous version with --no-backup"),
    (Notice::NothingToWrite, "", "some engines refuse a pak without entries, others stop looking for further paks at it"),
    (Notice::Exists, "files already exist", "give -f to replace it, or -k to keep it"),
    (Notice::SameOutput, "outputs would be written by two inputs", "write them into different directories"),
    (Notice::OutputIsInput, "outputs are inputs, which are never overwritten", OTHER_OUTPUT),
    (Notice::Blocked, "", OTHER_OUTPUT),
    (Notice::NoDirectoryHere, "", OTHER_DIRECTORY),
    (Notice::OtherFormat, "", "give the output the extension of what --to or --engine ask for; without them the name says it"),
    (Notice::OneOutput, "", "give -C DIR to write several paks into a directory"),
    (Notice::NotWritten, "", "give --to another format, such as quake or pk3"),
    (Notice::EngineLayout, "", "give --engine alone, which says the layout, or name an engine that reads the other one"),
    (Notice::NoCommonFormat, "", "give --engine those that read one format, and write another archive for the others"),
    (Notice::EntryTooLarge, "", "leave this file out: no pak can hold it"),
    (Notice::OverLimit, "", "spread the files over several paks: create and convert split their output with --max-size and --max-entries"),
    (Notice::WouldNotOpen, "", "extract the files (--rescue gives names to those without), rename them, and make a pak of them with 'daisho create'"),
    (Notice::DiskFull, "", "free some space, or write elsewhere, and run it again"),
    (Notice::FileInUse, "", "close what has it open, such as a game or an editor; or write elsewhere, or get permission to write there"),
    (Notice::NotPermitted, "", ELSEWHERE),
    (Notice::BadOutputName, "", OTHER_OUTPUT),
    (Notice::FileTooLarge, "", "write to a file system that takes such large files, or raise the limit (ulimit -f)"),
    (Notice::Unloadable, "", "create and convert split their output for one of them with --engine, by a limit with --max-entries or --max-size"),
    (Notice::FitsNoPart, "", "raise --max-size, name an engine that allows more, or leave it out: extract the pak, and create another from what is wanted"),
    (Notice::GroupFitsNoPart, "", "raise --max-entries or --max-size, name an engine that allows more, or leave some of them out: extract the pak, and create another from what is wanted"),
    (Notice::NumberTooLarge, "", "give -o a name with a smaller number, such as pak1.pak"),
    (Notice::NoNumber, "", "give -o a name that ends in a number, such as pak1.pak, and the parts are called pak1.pak, pak2.pak and so on; for that a pak of a batch is converted alone"),
    (Notice::NoRoomForPart, "", "give the first part another number: a lower one, or one with leading zeros for an engine that sorts by name"),
    (Notice::NoRoomInFolder, "", "--merge makes one archive of what a game's directories serve; or name fewer engines"),
    (Notice::SomePartsExist, "", "give -f to write all parts, or remove those that exist"),
    (Notice::PartsLeft, "", "remove them, or write all parts once more with -f"),
    (Notice::NeverFound, "", "every engine finds names of up to 55 bytes with '/', without a leading '/', './', '//' and '..'"),
    (Notice::FoundAsSpelled, "", "leave them if the game asks for them in this spelling; --lowercase is for a game that asks in lower case"),
    (Notice::ServedOtherwise, "", "keep one of each name: 'daisho extract' puts the others aside, and 'daisho create' makes a new archive"),
    (Notice::TexturePalettes, "", "make the textures anew with an editor for the game: what is inside of files is not converted"),
    (Notice::StockLost, "", "keep the original as pak0.pak, and give the output a higher number"),
    (Notice::NoGame, "", "name the directory that a game's paks lie in, such as id1, baseq2 or data; and --engine for a game of ZIPs, such as ioquake3"),
    (Notice::NeedsFirst, "", "give the base directory first, and mods after it"),
    (Notice::NotServed, "", "daisho list --effective shows the names that are served"),
    (Notice::Unsorted, "", "number the paks (pak0.pak, pak1.pak and so on): the highest number wins"),
    (Notice::UnsortedOne, "", "rename one of them, or remove it"),
    (Notice::NotLookedInto, "files cannot be looked into", "daisho verify says whether the file is damaged; leave it out, or get a whole copy of it"),
    (Notice::NoneLoaded, "", "name the engine that is to load them, with --engine"),
];

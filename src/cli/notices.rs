//! The words for each notice: a sentence for many findings of that notice, and what the user can do.
//!
//! Each finding has its own sentence. [`messages`](super::messages) decides how many findings become one message.

use daisho::ops::finding::Notice;

/// A row of the table: a notice, the sentence for many findings of that notice, and what to do about one finding.
///
/// If a notice has no sentence for many, its findings become one message only if their own sentences are the same.
type Words = (Notice, &'static str, &'static str);

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
        Notice::UnsafeName => Some("give --rescue to extract them under safe names"),
        _ => help(notice),
    }
}

fn row(notice: Notice) -> Option<&'static Words> {
    TABLE.iter().find(|(it, _, _)| *it == notice)
}

const FORMATS: &str = "daisho reads paks of Quake, Quake II, Half-Life, Hexen II, Daikatana, SiN, HROT and Anachronox, WAD2 and WAD3, and ZIPs such as PK3";
const CUT_SHORT: &str = "the file has probably been cut short: get a whole copy of it";
const OTHER_COPY: &str = "get another copy of the archive; its other entries are not affected";
const OTHER_PAK: &str = "get another copy of the pak; its other entries are not affected";
const WHOLE_COPY: &str = "if this is meant to be a pak, get a whole copy of it";
const NAME_IT: &str = "name the archives that you want, as in mod.zip//id1/pak0.pak";
const LIST_SHOWS: &str = "'daisho list' shows the names and numbers";
const OTHER_OUTPUT: &str = "choose another name or another directory for the output";
const OTHER_DIRECTORY: &str = "choose another directory for the output";
const ELSEWHERE: &str = "write elsewhere, or get permission to write there";

#[rustfmt::skip]
const TABLE: &[Words] = &[
    (Notice::TooShort, "files are too short for an archive", FORMATS),
    (Notice::NotAnArchive, "files are not archives of a known format", FORMATS),
    (Notice::MissingDirectory, "archives end before their directory", CUT_SHORT),
    (Notice::MissingZipDirectory, "ZIPs have no directory where there should be one", "the file has probably been cut short: get a whole copy of it, or save what is left with 'daisho extract --keep-going'"),
    (Notice::NoNames, "", "the file is damaged or not a pak: get another copy"),
    (Notice::ShortDirectory, "", "the header is damaged, or the format is unknown: get another copy of the pak"),
    (Notice::Undecided, "", "say which format it is, with --from quake or --from daikatana"),
    (Notice::NoisyDirectory, "", "the directory is damaged: get another copy of the pak, or read what is left with --from"),
    (Notice::OtherMagic, "", "leave out --from: the first bytes decide the format"),
    (Notice::SplitZip, "", "join its parts first, as 'zip -s 0 parts.zip --out whole.zip' does"),
    (Notice::Changed, "files changed while they were read", "wait until the program that is writing the file has finished"),
    (Notice::OutsideFile, "payloads are outside the file", CUT_SHORT),
    (Notice::ImpossibleSize, "entries claim more than their streams can hold", OTHER_PAK),
    (Notice::Encrypted, "entries are encrypted", "unpack the archive with a program that asks for the password; the other entries are not affected"),
    (Notice::UnknownMethod, "entries use compression methods that daisho does not read: it reads 0 (stored), 8 (deflated) and 9 (Deflate64)", "unpack the archive with 7-Zip, and make a new archive of the files; the other entries are not affected"),
    (Notice::CompressedLump, "lumps are compressed, although no known program writes compressed lumps", OTHER_COPY),
    (Notice::NoLocalHeader, "entries have no local header where the directory says it is", OTHER_COPY),
    (Notice::HeaderOutside, "entries have a local header beyond the end of the file", OTHER_COPY),
    (Notice::HeaderDisagrees, "entries have a local header that contradicts the directory", OTHER_COPY),
    (Notice::SizesDiffer, "entries are stored, and their two sizes differ", OTHER_COPY),
    (Notice::OtherPart, "entries are in other parts of a split ZIP", OTHER_COPY),
    (Notice::LongLink, "symbolic links have targets that are too long", OTHER_COPY),
    (Notice::BrokenLink, "symbolic links point to no file in their archive", OTHER_COPY),
    (Notice::DamagedDeflate, "deflated payloads are damaged", OTHER_COPY),
    (Notice::WrongCrc32, "entries have content that does not match the CRC-32 in the archive", OTHER_COPY),
    (Notice::Damaged, "streams are damaged", OTHER_PAK),
    (Notice::ReservedByte, "streams are damaged", "read it with --reserved skip, as the game does, or with --reserved copy"),
    (Notice::SharesDamage, "entries share a payload with an entry that is damaged", OTHER_PAK),
    (Notice::Expansion, "", "raise the limit with --max-expansion N"),
    (Notice::OverlappingPayloads, "", "few sound archives do this; if this one is meant to, raise the limit with --max-expansion N"),
    (Notice::DirectoryCut, "directories are cut off, so that entries are missing", "the file has probably been cut short: get a whole copy of it; 'daisho convert --keep-going' saves what is left"),
    (Notice::Salvaged, "ZIPs have no complete directory; their files were found by their local headers", "if files are missing, get a whole copy of the ZIP"),
    (Notice::PartialRecord, "directories end in an incomplete record, which is ignored", ""),
    (Notice::LengthContradicted, "directories have a length that contradicts their records; daisho goes by the records", ""),
    (Notice::LengthOfNone, "directories have a length that fits no format", ""),
    (Notice::Noise, "directories have records that look like noise", ""),
    (Notice::EntryCount, "ZIPs have more or fewer entries than their end records say", ""),
    (Notice::BytesBefore, "files have extra bytes before the archive begins", ""),
    (Notice::LumpSizes, "WADs have lumps with two sizes", ""),
    (Notice::LocalHeaders, "ZIPs have local headers that contradict the directory", ""),
    (Notice::MissingEnd, "streams have no end marker; their content is complete", ""),
    (Notice::Tail, "streams have bytes after their end marker; they are ignored, as in the game", ""),
    (Notice::ReservedInStream, "streams have the reserved byte 0xfe", ""),
    (Notice::ReservedChosen, "archives have the reserved byte 0xfe in their streams; it is read as you chose with --reserved", ""),
    (Notice::ReservedVoted, "archives have the reserved byte 0xfe in their streams; the streams of each archive decide how it is read", "if a file looks wrong, compare with --reserved skip and --reserved copy"),
    (Notice::OneArchiveExpected, "", "name an archive in it"),
    (Notice::NoArchiveFound, "", "to pack its files: daisho create DIRECTORY -o NAME.pak"),
    (Notice::EmptyFile, "files are named like paks but are empty", WHOLE_COPY),
    (Notice::NotBeginning, "files are named like paks but do not begin like paks", WHOLE_COPY),
    (Notice::DanglingLink, "links are named like paks but are broken", WHOLE_COPY),
    (Notice::NotRegular, "paths are named like paks but are not regular files", ""),
    (Notice::Packfile, "files are Git packfiles, not paks", ""),
    (Notice::PackDir, "files are RISC OS archives (PackDir), not paks", ""),
    (Notice::TextFile, "files begin like paks but are text", ""),
    (Notice::LinkedDirectory, "links to directories are not searched", "give the directory that it points to"),
    (Notice::NestedName, "archives within archives have names that are not allowed for files", NAME_IT),
    (Notice::NestedLimit, "archives within others are over the limit, and are not opened", NAME_IT),
    (Notice::TooDeep, "", "extract the outer archives first"),
    (Notice::NoLongerArchive, "files were archives when the snapshot was made, but no longer are", "get a whole copy of it; if it is meant to be gone, remove it and give --update"),
    (Notice::NoSuchFile, "", "give the path of a file or directory that exists"),
    (Notice::NoSuchFileOrEntry, "", "names of entries come after their archive, and a directory to write into after -C, as in 'daisho extract pak0.pak maps/e1m1.bsp -C DIR'; 'daisho list' shows the names"),
    (Notice::NoSuchEntry, "", LIST_SHOWS),
    (Notice::NoSuchFolder, "", "for an entry, leave out --prefix"),
    (Notice::NoMatch, "", "'*.wal' and '*wall*' match in any folder, 'maps/' matches everything in a folder, and '*' stops at a '/'; 'daisho list' shows the names"),
    (Notice::BadGlob, "", "put special characters in brackets: '[[]' matches '[', and '[{]' matches '{'"),
    (Notice::ArchiveAndEntry, "", "to get the entry instead, name only its archive and give the entry with -i"),
    (Notice::BadSnapshot, "", "name another file; or, if this was a snapshot, remove it and make it again with --update"),
    (Notice::NoSnapshot, "", "name an existing file, or create it with --update"),
    (Notice::OtherHash, "", "leave out --hash to compare with the snapshot, or make another one with --update"),
    (Notice::OtherNames, "", "give the same paths as when the snapshot was made, or renew it once with --update"),
    (Notice::BadTable, "", "correct the line, or name another file; a line has 64 hexadecimal digits, a tab and a name, and optionally another tab and notes"),
    (Notice::NotRenewed, "", "repair or leave out what cannot be read"),
    (Notice::Picture, "pictures cannot be decoded", "'daisho extract' without --png writes it as it is; other pictures are not affected"),
    (Notice::TooManyPixels, "pictures have more pixels than daisho decodes", "raise the limit with --max-pixels N"),
    (Notice::OnePicture, "", "name one picture, or write several into files with 'daisho extract --png'"),
    (Notice::Palette, "", "name a file that has a palette: gfx/palette.lmp, pics/colormap.pcx, a .bmp, .pal or .gpl"),
    (Notice::NoPaletteInGame, "pictures are drawn in grey, because no palette was found in the game given with --game", "give --game with the directory that holds the game's paks, such as id1 or baseq2, or --palette FILE"),
    (Notice::QuakePalette, "pictures get Quake's palette, which is built in, because no other was found", "if it is another game's, give --game with its directory, or --palette FILE"),
    (Notice::NoPalette, "pictures are drawn in grey, because no palette was found", "give --game with the game's directory, or --palette FILE; only Quake's palette is built in"),
    (Notice::UnknownPalette, "pictures need a palette that is not known", "give --palette FILE, or --game with the game's directory"),
    (Notice::TypeNotWritten, "pictures have types that daisho does not write", "leave them out, for example with -x '*.spr.png'"),
    (Notice::PictureSides, "pictures have sizes that do not fit", "scale it in a paint program, or leave it out with -x"),
    (Notice::OddSides, "textures have sides that are no multiples of 16, and engines of Quake and Half-Life refuse such textures in a map", "scale them to multiples of 16"),
    (Notice::Transparent, "pictures lose transparent pixels", "textures of Quake and Half-Life have transparent pixels if their names begin with '{'"),
    (Notice::WalFields, "WALs get flags, contents and value 0, because PNGs do not hold them", "with 'daisho add -f' they come from the entry that is replaced"),
    (Notice::NothingToShow, "", "name archives that have entries, and patterns that match some of them"),
    (Notice::UnsafeName, "", "give --rescue to extract it under a safe name"),
    (Notice::FileName, "", "give it another name"),
    (Notice::NameTaken, "names are already in the archive", "give another name, or replace the entry with 'daisho add -f'"),
    (Notice::OneFileForName, "", "add one file at a time, or leave --as out"),
    (Notice::SameName, "files would have the same names as others in the archive", "rename one of them, or leave it out"),
    (Notice::NamesAlike, "entries have names that other entries also have", "rename one of them if you want both"),
    (Notice::NameTooLong, "names are too long for the archive", "give the file a shorter name, or leave it out, as convert --keep-going does"),
    (Notice::NameOfFolder, "", "leave it out, as convert --keep-going does"),
    (Notice::NameFromHere, "", "rename the entry first, or leave it out, as convert --keep-going does"),
    (Notice::NoLump, "files are of a type that a WAD cannot hold", "leave it out with -x, or choose other files with -i"),
    (Notice::PutAside, "files are written as NAME.dup-INDEX, because their own names are taken", ""),
    (Notice::OtherDirectory, "archives are extracted into directories with other names, because their own names are taken", ""),
    (Notice::Rescued, "files are rescued, because their names are not allowed", ""),
    (Notice::Hidden, "files have the names of hidden or backup files", "look at what these files do before you use them; 'daisho create' takes them only with --hidden"),
    (Notice::OutsideRoot, "files are outside the directory given with --root", "give --root a directory that contains all files"),
    (Notice::LeftHidden, "", "give --hidden to take them, or name them one by one"),
    (Notice::PackedToo, "", "leave out archives with -x '*.pak'"),
    (Notice::WithinAnother, "", "extract it, change it there, and add it to the outer one with -f"),
    (Notice::NothingToUndo, "", "add, remove and rename keep the previous archive there, unless --no-backup is given"),
    (Notice::NotPrevious, "", "move it away, or give --no-backup to keep no previous version"),
    (Notice::NothingToWrite, "", "some engines refuse a pak without entries, and others look for no more paks after it"),
    (Notice::Exists, "files already exist", "give -f to replace it, or -k to keep it"),
    (Notice::SameOutput, "outputs would be written twice", "write them into different directories"),
    (Notice::OutputIsInput, "outputs are also inputs, which are never overwritten", "choose another name or another directory for the output; 'daisho add', 'daisho remove' and 'daisho rename' change an archive itself"),
    (Notice::Blocked, "", OTHER_OUTPUT),
    (Notice::NoDirectoryHere, "", OTHER_DIRECTORY),
    (Notice::OtherFormat, "", "give the output the extension of that format, or leave out --to and --engine"),
    (Notice::OneOutput, "", "give -C DIR to write several archives into a directory"),
    (Notice::NotWritten, "", "give --to another format, such as quake or pk3"),
    (Notice::EngineLayout, "", "leave out --to, or name an engine that reads that format"),
    (Notice::NoCommonFormat, "", "give --engine only engines that read the same format, and write another archive for the others"),
    (Notice::EntryTooLarge, "", "leave this file out: no pak can hold it"),
    (Notice::OverLimit, "", "spread the files over several archives: 'daisho create' and 'daisho convert' split their output with --max-size and --max-entries"),
    (Notice::WouldNotOpen, "", "extract the files (--rescue gives names to those without), rename them, and make a pak of them with 'daisho create'"),
    (Notice::DiskFull, "", "free some space, or write elsewhere, and run the command again"),
    (Notice::FileInUse, "", "close the program that has it open, such as a game or an editor; or write elsewhere, or get permission to write there"),
    (Notice::NotPermitted, "", ELSEWHERE),
    (Notice::BadOutputName, "", OTHER_OUTPUT),
    (Notice::FileTooLarge, "", "write to a file system that supports such large files, or raise the limit (ulimit -f)"),
    (Notice::NotLoaded, "", "'daisho convert --engine NAME' writes an archive that the engine loads"),
    (Notice::DamagedArchive, "archives are damaged", "'daisho verify' names each entry that cannot be decoded"),
    (Notice::Unloadable, "", "'daisho create' and 'daisho convert' split their output with --engine, --max-entries or --max-size"),
    (Notice::FitsNoPart, "", "raise --max-size, name an engine that allows more, or leave it out with -x"),
    (Notice::GroupFitsNoPart, "", "raise --max-entries or --max-size, name an engine that allows more, or leave some of them out with -x"),
    (Notice::NumberTooLarge, "", "give -o a name with a smaller number, such as pak1.pak"),
    (Notice::NoNumber, "", "give -o a name that ends in a number, such as pak1.pak: the parts are called pak1.pak, pak2.pak and so on; if this archive is one of several, convert it in a command of its own"),
    (Notice::NoRoomForPart, "", "give the first part another number: a lower one, or one with leading zeros for an engine that sorts by name"),
    (Notice::NameNotLoaded, "", "give -o a name that the engine loads, such as pak0.pak; of several archives, convert each in a command of its own"),
    (Notice::PartTaken, "", "write one archive with --merge, or convert each with -o in a command of its own"),
    (Notice::SomePartsExist, "", "give -f to write all parts, or remove the parts that exist"),
    (Notice::PartsLeft, "", "remove them, or write all parts once more with -f"),
    (Notice::NeverFound, "", "every engine finds names that are at most 55 bytes long, use '/' between folders, do not begin with '/', and contain no './', '//' or '..'"),
    (Notice::FoundAsSpelled, "", "keep them if the game uses this spelling; if it asks in lower case, give --lowercase"),
    (Notice::TexturePalettes, "", "make the textures again with a texture editor for that game: daisho does not convert the content of files"),
    (Notice::StoredApart, "", "a pak can store one content for several names: convert to one of its formats"),
    (Notice::NoGame, "", "give the directory that holds the game's paks, such as id1, baseq2 or data; for a game of ZIPs, also give its engine, such as --engine ioquake3"),
    (Notice::NeedsFirst, "", "give the base directory first, and mods after it"),
    (Notice::NoMaps, "", "a map is a file such as maps/start.bsp; with --engine, archives that the engine does not load do not count"),
    (Notice::NeededByMap, "files that maps need are nowhere in the game", "'daisho missing' says what asks for it; the archive is written without it"),
    (Notice::NotServed, "", "'daisho list --effective' shows the names that are served"),
    (Notice::Unsorted, "", "number the paks (pak0.pak, pak1.pak and so on): the highest number wins"),
    (Notice::UnsortedOne, "", "rename one of them, or remove it"),
    (Notice::NotLookedInto, "files cannot be examined", "'daisho verify' says whether the file is damaged; leave it out, or get a whole copy of it"),
    (Notice::TexturesLeftOut, "maps leave out textures that their faces have; engines show a placeholder", "compile the map again with the WADs that have these textures"),
    (Notice::NoneLoaded, "", "name the engine that loads them, with --engine"),
    (Notice::Internal, "", "this is a mistake in daisho: report it with the command that you gave, please"),
];

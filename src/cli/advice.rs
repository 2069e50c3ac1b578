//! What to do about an error, in the words of the command: the `help:` line of a message.
//!
//! An error of the library says what failed and where; only the command knows which of its options
//! help. Each kind of error is in one of the functions below, by what the user was doing.

use std::io;

use daisho::ErrorKind;
use daisho::archive::{Flaw, Note, ReservedReading};
use daisho::codec::DecodeErrorKind;
use daisho::error::{ENTRY_SIZE, PassedOver, PictureError};

/// What to do about an error, or `None` where there is nothing to advise.
pub(super) fn advice(kind: &ErrorKind) -> Option<&'static str> {
    reading(kind)
        .or_else(|| looking(kind))
        .or_else(|| choosing(kind))
        .or_else(|| naming(kind))
        .or_else(|| writing(kind))
        .or_else(|| splitting(kind))
        .or_else(|| serving(kind))
}

/// What to do about several errors of one kind that are reported together.
pub(super) fn advice_for_several(kind: &ErrorKind) -> Option<&'static str> {
    match kind {
        ErrorKind::Exists => Some("give -f to replace them, or -k to keep them"),
        ErrorKind::Path(_) => {
            Some("give --rescue to extract them, under names that files may have")
        }
        _ => advice(kind),
    }
}

/// About an archive that cannot be read, or not all of it.
fn reading(kind: &ErrorKind) -> Option<&'static str> {
    Some(match kind {
        ErrorKind::Relative { .. } | ErrorKind::NotAPak { .. } | ErrorKind::TooShort { .. } => {
            "only the paks of Quake, Quake II, Half-Life, Hexen II, Daikatana, SiN, HROT and Anachronox are read, WAD2, WAD3, and \
             ZIPs such as PK3"
        }
        ErrorKind::NoDirectory { .. }
        | ErrorKind::NoZipEnd
        | ErrorKind::NoZipDirectory { .. }
        | ErrorKind::OutsideFile { .. }
        | ErrorKind::Odd(Note::DirectoryCut { .. }) => {
            "the file has probably been cut short: get a whole copy of it"
        }
        ErrorKind::Odd(Note::AnotherKind { .. }) => {
            "it is read like any other ZIP; a search with -r passes it over"
        }
        ErrorKind::SplitZip => "join its parts first, as 'zip -s 0 parts.zip --out whole.zip' does",
        ErrorKind::Flawed(Flaw::Encrypted) => {
            "unpack it with a program that asks for the password; its other entries are not affected"
        }
        ErrorKind::Flawed(Flaw::Method(_)) => {
            "unpack it with 7-Zip, and make an archive of the files; its other entries are not affected"
        }
        ErrorKind::Flawed(_) | ErrorKind::DamagedDeflate(_) | ErrorKind::WrongCrc32 { .. } => {
            "get another copy of the archive; its other entries are not affected"
        }
        ErrorKind::NoNames { .. } => "the file is damaged, or no pak: get another copy of it",
        ErrorKind::ShortDirectory { .. } => {
            "the header is damaged, or of a format of its own: get another copy of the pak"
        }
        ErrorKind::Undecided { noise: true, .. } => {
            "the directory is damaged: get another copy of the pak, or read what there is with --layout"
        }
        ErrorKind::Undecided { .. } => {
            "say which layout it is, with --layout quake or --layout daikatana"
        }
        ErrorKind::OtherMagic { .. } => "leave --layout out: the magic says which layout it is",
        ErrorKind::ReservedRead(ReservedReading { vote: Some(_), .. }) => {
            "if a file looks wrong, compare with --reserved skip and --reserved copy"
        }
        ErrorKind::Damaged(error) if error.kind() == DecodeErrorKind::Reserved => {
            "read it with --reserved skip, as the game does, or with --reserved copy"
        }
        ErrorKind::Damaged(_)
        | ErrorKind::Unreadable(_)
        | ErrorKind::ImpossibleSize { .. }
        | ErrorKind::SharesDamage { .. } => {
            "get another copy of the pak; its other entries are not affected"
        }
        ErrorKind::Changed { .. } | ErrorKind::CutWhileRead { .. } | ErrorKind::AnotherPak => {
            "let whatever writes to the file finish first"
        }
        ErrorKind::Expansion { overlap: true, .. } => {
            "few honest paks do this: if this one does, raise the limit with --max-expansion N"
        }
        ErrorKind::Expansion { .. } => "raise the limit with --max-expansion N",
        _ => return None,
    })
}

/// About pictures, and what there is to look at.
fn looking(kind: &ErrorKind) -> Option<&'static str> {
    Some(match kind {
        ErrorKind::Picture(PictureError::TooManyPixels { .. }) => {
            "raise the limit with --max-pixels N"
        }
        ErrorKind::Picture(_) => {
            "'daisho extract' without --as writes it as it is; other pictures are not affected"
        }
        ErrorKind::Palette(_) => {
            "name a file that has a palette: gfx/palette.lmp, pics/colormap.pcx, a .bmp, .pal or .gpl"
        }
        ErrorKind::NoPalette { .. } => {
            "give --game with the game's directory, or --palette FILE; daisho has no game's palette built in"
        }
        _ => return None,
    })
}

/// About arguments that mean no archive, no entry or no snapshot.
fn choosing(kind: &ErrorKind) -> Option<&'static str> {
    Some(match kind {
        ErrorKind::IsDirectory => "give -r to search it for paks",
        ErrorKind::OnePakExpected => "name a pak in it",
        ErrorKind::NoPakFound => "paks are known by how they begin, not by their extension",
        ErrorKind::PassedOver(
            PassedOver::Empty | PassedOver::NoMagic | PassedOver::DanglingLink,
        ) => "get a whole copy, if it should be a pak",
        ErrorKind::PassedOver(PassedOver::AnotherKind(_)) => {
            "it is read if its own path is given instead of a directory"
        }
        ErrorKind::PassedOver(PassedOver::TooMany | PassedOver::NoPath) => {
            "name those that you want, as in mod.zip//id1/pak0.pak"
        }
        ErrorKind::PassedOver(PassedOver::LinkedDirectory) => "give the directory that it leads to",
        ErrorKind::Missing { beside: true, .. } => {
            "give the names of entries after the paks that they are in, as in daisho extract \
             pak0.pak maps/e1m1.bsp"
        }
        ErrorKind::ArchiveAndEntry { .. } => "for the entry, extract from that one alone, with -i",
        ErrorKind::Missing { .. } => {
            "give the path of a file or directory that is there; -r searches directories for archives"
        }
        ErrorKind::NoMatch(_) => {
            "'*.wal' takes such files anywhere, 'maps/' all in a folder, 'maps/*.bsp' some of them; daisho list \
             shows the names"
        }
        ErrorKind::NoName { .. }
        | ErrorKind::NoEntry { .. }
        | ErrorKind::NeitherFileNorEntry { .. } => "daisho list shows the names and numbers",
        ErrorKind::BadGlob { .. } => {
            "put a character that stands for itself in brackets: '[[]' matches '[', and '[{]' matches '{'"
        }
        ErrorKind::NoSnapshot => "name one that exists, or give --update to make it",
        ErrorKind::OtherHash { .. } => {
            "leave --hash out to compare with what it holds, or make another one with --update"
        }
        ErrorKind::BadSnapshot { .. } => {
            "name another file; or, if this was a snapshot, remove it and make it again with --update"
        }
        ErrorKind::NotRenewed { .. } => "repair or leave out what cannot be read",
        ErrorKind::NoPakAnyMore(_) => {
            "get a whole copy of it; if it is meant to be gone, remove it and give --update"
        }
        _ => return None,
    })
}

/// About names that cannot stay as they are, in an archive or on disk.
fn naming(kind: &ErrorKind) -> Option<&'static str> {
    Some(match kind {
        ErrorKind::Path(_) => "give --rescue to extract it, under a name that a file may have",
        ErrorKind::Backslash | ErrorKind::FileName(_) => "give it another name",
        ErrorKind::NameTaken(_) => "give another name; 'daisho add' replaces with -f",
        ErrorKind::OneFileForName { .. } => "add one file at a time, or leave --as out",
        ErrorKind::WithinAnother => {
            "extract it, change it there, and add it to the outer one with -f"
        }
        ErrorKind::NothingToUndo(_) => {
            "add, remove and rename keep the previous archive there, unless --no-backup is given"
        }
        ErrorKind::NotPrevious { .. } => {
            "move it away, or keep no previous version with --no-backup"
        }
        ErrorKind::NoFolder(_) => "leave --prefix out for the name of an entry",
        ErrorKind::TooDeep { .. } => "extract the outer archives first",
        ErrorKind::TexturePalettes { .. } => {
            "make the textures anew with an editor for the game: what is inside of files is not converted"
        }
        ErrorKind::NoLump { .. } => {
            "leave it out with -x, or take with -i only what the archive holds"
        }
        ErrorKind::NameOfFolder => "leave it out, as convert --keep-going does",
        ErrorKind::NameFromHere => {
            "rename the entry first, or leave it out, as convert --keep-going does"
        }
        ErrorKind::NameTooLong { .. } => {
            "give the file a shorter name, or leave it out, as convert --keep-going does"
        }
        ErrorKind::SameName { .. } => "rename one of them, or leave it out",
        ErrorKind::LoweredAlike { .. }
        | ErrorKind::LumpsAlike { .. }
        | ErrorKind::LoweredAway { .. } => "rename one of them if you want both",
        ErrorKind::ServedOtherwise { .. } => {
            "keep one of each name: 'daisho extract' puts the others aside, and 'daisho create' makes a new archive"
        }
        ErrorKind::WouldNotOpen { .. } => {
            "extract the files (--rescue gives names to those without), rename them, and make a pak of them with 'daisho create'"
        }
        ErrorKind::NeverFound { .. } => {
            "every engine finds names of up to 55 bytes with '/', without a leading '/', './', '//' and '..'"
        }
        ErrorKind::FoundAsSpelled { .. } => {
            "leave them if the game asks for them in this spelling; --lowercase is for a game that asks in lower case"
        }
        _ => return None,
    })
}

/// About an output that cannot be written, or not there.
fn writing(kind: &ErrorKind) -> Option<&'static str> {
    Some(match kind {
        ErrorKind::Exists => "give -f to replace it, or -k to keep it",
        ErrorKind::SameOutput { .. } => "write them into different directories",
        ErrorKind::OutputIsInput { .. }
        | ErrorKind::OutputInInput { .. }
        | ErrorKind::Blocked { .. } => {
            "give another name for the output, with -o, or another directory, with -C"
        }
        ErrorKind::NoDirectoryHere { .. } => "give another directory for the output, with -C DIR",
        ErrorKind::NoFile { .. } => "give --to another format, such as quake or pk3",
        ErrorKind::OneOutput { .. } => "give -C DIR to write several paks into a directory",
        ErrorKind::OtherFormat { .. } => {
            "give the output the extension of what --to or --engine ask for; without them the name says it"
        }
        ErrorKind::EngineLayout { .. } => {
            "give --engine alone, which says the layout, or name an engine that reads the other one"
        }
        ErrorKind::NoCommonFormat(_) => {
            "give --engine those that read one format, and write another archive for the others"
        }
        ErrorKind::StockLost { .. } => {
            "keep the original as pak0.pak, and give the output a higher number"
        }
        ErrorKind::NothingToShow => {
            "give archives that have entries, and patterns (-i) that match some"
        }
        ErrorKind::NothingToWrite => {
            "some engines refuse a pak without entries, others stop looking for further paks at it"
        }
        ErrorKind::OverLimit { what, .. } if *what == ENTRY_SIZE => {
            "leave this file out: no pak can hold it"
        }
        ErrorKind::OverLimit { .. } => {
            "spread the files over several paks: create and convert split their output with --max-size and --max-entries"
        }
        ErrorKind::Output { cause, .. } => return refused_by_the_system(cause),
        _ => return None,
    })
}

/// About an output that the system does not let be written.
fn refused_by_the_system(cause: &io::Error) -> Option<&'static str> {
    Some(match cause.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "free some space, or write elsewhere, and run it again"
        }
        // Windows: access denied, a sharing violation, or a part that is locked.
        _ if cfg!(windows) && matches!(cause.raw_os_error(), Some(5 | 32 | 33)) => {
            "close what has it open, such as a game or an editor; or write elsewhere, or get permission to write there"
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "write elsewhere, or get permission to write there"
        }
        io::ErrorKind::NotADirectory | io::ErrorKind::InvalidFilename => {
            "give another name for the output, with -o, or another directory, with -C"
        }
        io::ErrorKind::FileTooLarge => {
            "write to a file system that takes such large files, or raise the limit (ulimit -f)"
        }
        _ => return None,
    })
}

/// About an output that does not fit one pak, or for which several are there already.
fn splitting(kind: &ErrorKind) -> Option<&'static str> {
    Some(match kind {
        ErrorKind::Unloadable(_) => {
            "create and convert split their output for one of them with --engine, by a limit with --max-entries or --max-size"
        }
        ErrorKind::FitsNoPart { together, .. } if *together > 1 => {
            "raise --max-entries or --max-size, name an engine that allows more, or leave some of \
             them out: extract the pak, and create another from what is wanted"
        }
        ErrorKind::FitsNoPart { .. } => {
            "raise --max-size, name an engine that allows more, or leave it out: extract the pak, and \
             create another from what is wanted"
        }
        ErrorKind::NumberTooLarge { .. } => {
            "give -o a name with a smaller number, such as pak1.pak"
        }
        ErrorKind::NoNumber { .. } => {
            "give -o a name that ends in a number, such as pak1.pak, and the parts are called pak1.pak, \
             pak2.pak and so on; for that a pak of a batch is converted alone"
        }
        ErrorKind::NoRoomInFolder { .. } => {
            "--merge makes one archive of what a game's directories serve; or name fewer engines"
        }
        ErrorKind::NoRoomForPart { .. } => {
            "give the first part another number: a lower one, or one with leading zeros for an engine that sorts by name"
        }
        ErrorKind::SomePartsExist { .. } => {
            "give -f to write all parts, or remove those that exist"
        }
        ErrorKind::PartsLeft { .. } => "remove them, or write all parts once more with -f",
        _ => return None,
    })
}

/// About what an engine serves from a game's directories.
fn serving(kind: &ErrorKind) -> Option<&'static str> {
    Some(match kind {
        ErrorKind::NotADirectory | ErrorKind::NoPakInGame => {
            "name the directory that a game's paks lie in, such as id1, baseq2 or data; and --engine for a game \
             of ZIPs, such as ioquake3"
        }
        ErrorKind::NeedsFirst { .. } => "give the base directory first, and mods after it",
        ErrorKind::NotLookedInto { .. } => {
            "daisho verify says whether the file is damaged; leave it out, or get a whole copy of it"
        }
        ErrorKind::NoneLoaded { .. } => "name the engine that is to load them, with --engine",
        ErrorKind::NotServed { near: None, .. } => {
            "daisho list --effective shows the names that are served"
        }
        ErrorKind::Unsorted { names: None, .. } => "rename one of them, or remove it",
        ErrorKind::Unsorted { .. } => {
            "number the paks (pak0.pak, pak1.pak and so on): the highest number wins"
        }
        _ => return None,
    })
}

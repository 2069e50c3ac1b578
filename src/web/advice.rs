//! What the user of the page can do about an error.

use daisho::ErrorKind;
use daisho::archive::Flaw;

/// What to do about an error, if there is anything.
pub(crate) fn advice(kind: &ErrorKind) -> Option<&'static str> {
    Some(match kind {
        ErrorKind::TooShort { .. } | ErrorKind::NotAPak { .. } | ErrorKind::Relative { .. } => {
            "this page opens paks of Quake, Quake II, Half-Life, Hexen II, Daikatana, SiN, HROT and \
             Anachronox, WAD2, WAD3, and ZIPs such as PK3"
        }
        ErrorKind::NoDirectory { .. }
        | ErrorKind::NoZipEnd
        | ErrorKind::NoZipDirectory { .. }
        | ErrorKind::OutsideFile { .. } => {
            "the file has probably been cut short: get a whole copy of it"
        }
        ErrorKind::NoNames { .. }
        | ErrorKind::ShortDirectory { .. }
        | ErrorKind::Undecided { .. } => "get another copy of the archive",
        ErrorKind::SplitZip => "join the parts of the ZIP first",
        ErrorKind::Flawed(Flaw::Encrypted) => "unpack it with a program that asks for the password",
        ErrorKind::Flawed(Flaw::Method(_)) => {
            "unpack it with 7-Zip, and make an archive of the files"
        }
        ErrorKind::Flawed(_)
        | ErrorKind::ImpossibleSize { .. }
        | ErrorKind::Damaged(_)
        | ErrorKind::Unreadable(_)
        | ErrorKind::DamagedDeflate(_)
        | ErrorKind::WrongCrc32 { .. } => {
            "get another copy of the archive; its other entries are not affected"
        }
        ErrorKind::NameTooLong { .. }
        | ErrorKind::NameFromHere
        | ErrorKind::NameOfFolder
        | ErrorKind::NoLump { .. } => "rename the entry first, or leave out what fails",
        ErrorKind::OverLimit { .. } => "'daisho convert' splits an archive that is too large",
        ErrorKind::BadSnapshot { .. } => "drop a file that 'daisho verify --snapshot' has written",
        _ => return None,
    })
}

//! An archive of the corpus as the code makes it, and what the library must find in it.

use daisho::{Archive, ErrorKind};

/// An archive, and what must be found in it.
pub(crate) struct Made {
    /// Its path below `corpus`.
    pub(crate) file: String,
    /// What it shows.
    pub(crate) shows: &'static str,
    /// How it is made.
    pub(crate) made: String,
    pub(crate) bytes: Vec<u8>,
    /// The word for its format, or for the format that it had before it was damaged.
    pub(crate) format: &'static str,
    /// The word for the error that opening it gives.
    pub(crate) refused: Option<&'static str>,
    /// Whether a reader should say something about the archive as a whole.
    pub(crate) noted: bool,
    pub(crate) entries: Vec<Expected>,
}

/// An entry of an archive, and what must come out of it.
pub(crate) struct Expected {
    pub(crate) name: Vec<u8>,
    /// A lump's own name and its type, in a WAD.
    pub(crate) lump: Option<(Vec<u8>, u8)>,
    pub(crate) comes: Comes,
}

/// What comes out of an entry, or the word for the error.
pub(crate) type Comes = Result<Vec<u8>, &'static str>;

impl Expected {
    pub(crate) fn new(name: &[u8], comes: &Comes) -> Self {
        Self {
            name: name.to_vec(),
            lump: None,
            comes: comes.clone(),
        }
    }

    /// The name that readers know it by.
    pub(crate) fn served_name(&self) -> &[u8] {
        match &self.lump {
            Some((lump, _)) => lump,
            None => &self.name,
        }
    }
}

/// Compares what the library finds in an archive with what it was built of.
pub(super) fn compare(made: &Made) -> Result<(), String> {
    let archive = match Archive::from_bytes(made.bytes.clone()) {
        Ok(archive) => archive,
        Err(error) if made.refused == Some(word(&error)) => return Ok(()),
        Err(error) => return Err(format!("{error}, not {:?}", made.refused)),
    };
    let found = (archive.format_word(), archive.len());
    let expected = (made.format, made.entries.len());
    if made.refused.is_some() || found != expected {
        return Err(format!("{found:?}, not {expected:?}"));
    }
    if made.noted == archive.notes().is_empty() {
        return Err(format!("notes: {:?}", archive.notes()));
    }
    for (entry, expected) in archive.entries().zip(&made.entries) {
        let content = entry.read().map_err(|error| word(&error));
        if entry.name().as_bytes() != expected.name || content != expected.comes {
            return Err(format!("entry {} differs", entry.index()));
        }
    }
    if archive.account().sum() != archive.file_len() {
        return Err("the account does not add up".to_owned());
    }
    Ok(())
}

/// The word that the manifest has for an error.
fn word(error: &daisho::Error) -> &'static str {
    match error.kind() {
        ErrorKind::TooShort { .. } => "too-short",
        ErrorKind::NotAnArchive { .. } => "no-pak",
        ErrorKind::OtherFile { .. } => "relative",
        ErrorKind::NoDirectory { .. } | ErrorKind::ShortDirectory { .. } => "no-directory",
        ErrorKind::Undecided { .. } => "undecided",
        ErrorKind::OutsideFile { .. } => "outside",
        ErrorKind::ImpossibleSize { .. } => "impossible",
        ErrorKind::Damaged(_) | ErrorKind::DamagedDeflate(_) => "damaged",
        ErrorKind::Flawed(_) => "flawed",
        ErrorKind::WrongCrc32 { .. } => "wrong-sum",
        ErrorKind::NoZipEnd => "no-end",
        ErrorKind::NoZipDirectory { .. } => "no-directory",
        ErrorKind::SplitZip => "split",
        ErrorKind::Unreadable(_) => "unreadable",
        _ => "unexpected",
    }
}

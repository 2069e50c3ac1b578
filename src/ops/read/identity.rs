//! Reports the identity of archives, and looks it up in a table.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use crate::ops::catalogue::{Content, Contents, Identity, Trouble};
use crate::ops::context::{Context, Refusal};
use crate::ops::finding::{self, Finding};
use crate::ops::json;
use crate::ops::report::{Sink, hand_on};
use crate::ops::row::InfoTotals;
use crate::ops::source::named::or_missing;
use crate::ops::source::{Found, Input, Inputs, for_each};

/// The identity of what an archive holds, and the name that a table has for it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct IdentityRow {
    /// The archive, or a directory of loose files.
    #[serde(flatten, serialize_with = "json::archive")]
    pub archive: PathBuf,
    /// 64 hexadecimal digits.
    pub identity: String,
    /// The number of files that count.
    pub files: u64,
    /// The sum of their sizes.
    pub size: u64,
    /// Whether the identity was looked up in a table.
    #[serde(skip)]
    pub is_looked_up: bool,
    /// Its name in the table.
    pub known: Option<String>,
    /// The notes in the table.
    pub notes: Option<String>,
}

/// The row of an archive's identity, with what a table says about it.
pub(super) fn row(
    archive: &Path,
    identity: Identity,
    known: Option<&KnownArchives>,
) -> IdentityRow {
    let (files, size) = (identity.files(), identity.bytes());
    let digest = identity.digest();
    let found = known.and_then(|known| known.0.get(&digest));
    IdentityRow {
        archive: archive.to_path_buf(),
        files,
        size,
        is_looked_up: known.is_some(),
        known: found.map(|(name, _)| name.clone()),
        notes: found.map(|(_, notes)| notes.clone()),
        identity: digest,
    }
}

/// A table of identities: lines of digest, name and notes, separated by tabs.
#[derive(Debug)]
pub struct KnownArchives(HashMap<String, (String, String)>);

impl KnownArchives {
    /// Reads a table. Empty lines, and lines that begin with `#`, are skipped.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or a line is wrong: says which one, and why.
    pub fn load(path: &Path) -> Result<Self, Refusal> {
        Self::read(path).map_err(|error| error.at_path(path).into())
    }

    fn read(path: &Path) -> Result<Self, Finding> {
        let missing = |error| or_missing(Finding::from_io(error).at_path(path));
        let file = File::open(path).map_err(missing)?;
        let mut table = HashMap::new();
        for (number, line) in (1..).zip(BufReader::new(file).lines()) {
            let wrong = |why: &str| {
                Finding::error(format!("line {number} of this table: {why}"))
                    .advice("correct the line, or name another file; a line has 64 hexadecimal digits, a tab and a name, and optionally another tab and notes")
            };
            let line = line.map_err(|_| wrong("it is not text in UTF-8"))?;
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let mut fields = line.splitn(3, '\t');
            let digest = fields.next().unwrap_or("");
            if digest.len() != 64 || !digest.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                return Err(wrong("expected 64 hexadecimal digits before a tab"));
            }
            let name = fields.next().unwrap_or("");
            if name.is_empty() {
                return Err(wrong("expected a tab and a name after the digits"));
            }
            let notes = fields.next().unwrap_or("");
            let value = (name.to_owned(), notes.to_owned());
            if table.insert(digest.to_ascii_lowercase(), value).is_some() {
                return Err(wrong("an earlier line has the same digits"));
            }
        }
        Ok(Self(table))
    }
}

/// Reports the identity of each archive that `paths` name, and looks it up in a table. A directory is searched
/// for archives. With `whole_directories` it is one archive, whatever archives are in it.
///
/// Archives with damaged entries have no identity; the damage is reported.
///
/// # Errors
///
/// None so far.
pub fn identify(
    context: &Context<'_>,
    paths: &[impl AsRef<Path>],
    whole_directories: bool,
    known: Option<&KnownArchives>,
    out: &mut dyn Sink<IdentityRow>,
) -> Result<InfoTotals, Refusal> {
    let mut totals = InfoTotals::default();
    let mut targets = Vec::new();
    for path in paths {
        let path = path.as_ref();
        let inputs = if whole_directories && path.is_dir() {
            match Inputs::whole_directory(context, path) {
                Ok(inputs) => inputs,
                Err(findings) => {
                    let unread = |it: Finding| {
                        if it.is_error() { Finding::unread(path, it) } else { it }
                    };
                    totals.unread += hand_on(out, findings.into_iter().map(unread));
                    continue;
                }
            }
        } else {
            Inputs::of(Found::new(context, &[path]))
        };
        hand_on(out, inputs.warnings());
        targets.extend(inputs.archives);
        totals.unread += hand_on(out, inputs.findings);
    }
    let look = |input: &Input| identify_one(context, input, known);
    let report = |(row, findings): Identified| {
        totals.unread += hand_on(out, findings);
        let Some(row) = row else {
            return ControlFlow::Continue(());
        };
        totals.archives += 1;
        out.row(row)
    };
    let _ = for_each(context, &targets, usize::MAX, look, report);
    Ok(totals)
}

/// An identity if everything could be read, and what could not be.
type Identified = (Option<IdentityRow>, Vec<Finding>);

fn identify_one(context: &Context<'_>, input: &Input, known: Option<&KnownArchives>) -> Identified {
    let path = &input.path;
    let archive = match input.open(context) {
        Ok(archive) => archive,
        Err(error) => return (None, vec![Finding::unread(path, error)]),
    };
    let notes = finding::archive_notes(&archive);
    let contents = context
        .cancel
        .check()
        .and_then(|()| Contents::of(context, &archive, archive.entries().collect(), None));
    let contents = match contents {
        Ok(contents) => contents,
        Err(error) => return (None, vec![Finding::unread(path, error)]),
    };
    let (mut identity, mut findings) = (Identity::default(), Vec::new());
    for Content { entry, digest, trouble } in contents.hash(context, Sha256::new()) {
        match trouble.map(|it| *it) {
            Some(Trouble::Damaged(error)) => findings.push(error),
            Some(Trouble::Odd(_)) | None => identity.add(entry.name(), entry.size(), digest),
        }
    }
    let is_whole = findings.is_empty() && !notes.iter().any(Finding::is_error);
    findings.extend(notes);
    let is_identified = is_whole && !context.cancel.is_set();
    (is_identified.then(|| row(path, identity, known)), findings)
}

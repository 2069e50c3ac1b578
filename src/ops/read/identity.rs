//! The identity of an archive: one digest over names, sizes and contents, whatever the format.
//!
//! The rule is in the guide (`src/guide/snapshots.md`), so that others can compute the same digest:
//!
//! 1. In names, `\` becomes `/`, and ASCII letters become lower case. If several entries then have the same name,
//!    the first one counts.
//! 2. Each has a line: the SHA-256 of its content in hexadecimal digits, its size, and its name, separated by
//!    spaces, with `\n` at the end. In the name a byte below 0x20 or equal to 0x7F is written as `\xHH`.
//! 3. The lines are sorted by the bytes of the names. The identity is the SHA-256 of all of them.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sha2::{Digest as _, Sha256};

use crate::archive::{Archive, Entry, RawName};
use crate::ops::context::{Context, Refusal};
use crate::ops::finding::{self, Finding, Notice};
use crate::ops::gather_files::archive_of_directory;
use crate::ops::report::{Sink, hand_on};
use crate::ops::row::{IdentityRow, InfoTotals};
use crate::ops::snapshot::Sum;
use crate::ops::source::named::or_missing;
use crate::ops::source::{Found, Input, Inputs, for_each};
use crate::ops::stream::Payloads;

/// The served files of an archive, as they are found.
#[derive(Debug, Default)]
pub(super) struct ServedContents {
    lines: HashMap<Vec<u8>, (u64, [u8; 32])>,
    bytes: u64,
}

impl ServedContents {
    /// Adds an entry; entries come in the archive's order.
    pub(super) fn add(&mut self, name: RawName<'_>, size: u64, sha256: [u8; 32]) {
        let mut name = name.as_bytes().to_ascii_lowercase();
        for byte in &mut name {
            if *byte == b'\\' {
                *byte = b'/';
            }
        }
        self.lines.entry(name).or_insert_with(|| {
            self.bytes = self.bytes.saturating_add(size);
            (size, sha256)
        });
    }

    /// The identity of all that was added.
    pub(super) fn identity(self, archive: &Path, known: Option<&KnownArchives>) -> IdentityRow {
        let files = self.lines.len() as u64;
        let mut lines: Vec<_> = self.lines.into_iter().collect();
        lines.sort_unstable();
        let mut whole = Sha256::new();
        for (name, (size, sha256)) in lines {
            whole.update(format!("{} {size} ", Sum::Sha256(sha256)));
            for byte in name {
                match byte {
                    0..0x20 | 0x7F => whole.update(format!("\\x{byte:02x}")),
                    _ => whole.update([byte]),
                }
            }
            whole.update("\n");
        }
        let identity = Sum::Sha256(whole.finalize().into()).to_string();
        let found = known.and_then(|known| known.0.get(&identity));
        IdentityRow {
            archive: archive.to_path_buf(),
            files,
            size: self.bytes,
            is_looked_up: known.is_some(),
            known: found.map(|(name, _)| name.clone()),
            notes: found.map(|(_, notes)| notes.clone()),
            identity,
        }
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
                Finding::error(
                    Notice::BadTable,
                    format!("line {number} of this table: {why}"),
                )
            };
            let line = line.map_err(|_| wrong("it is not text in UTF-8"))?;
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let mut fields = line.splitn(3, '\t');
            let digest = fields.next().unwrap_or_default();
            if digest.len() != 64 || !digest.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                return Err(wrong("expected 64 hexadecimal digits before a tab"));
            }
            let name = fields.next().unwrap_or_default();
            if name.is_empty() {
                return Err(wrong("expected a tab and a name after the digits"));
            }
            let notes = fields.next().unwrap_or_default();
            let value = (name.to_owned(), notes.to_owned());
            if table.insert(digest.to_ascii_lowercase(), value).is_some() {
                return Err(wrong("an earlier line has the same digits"));
            }
        }
        Ok(Self(table))
    }
}

/// One thing to identify.
enum ToIdentify {
    Archive(Input),
    /// A directory of loose files.
    Tree(PathBuf),
}

/// Reports the identity of each archive that `paths` name, and looks it up in a table. Directories are searched
/// for archives; with `whole_directories` the files of a directory count as those of one archive.
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
        if whole_directories && path.is_dir() {
            targets.push(ToIdentify::Tree(path.to_path_buf()));
            continue;
        }
        let inputs = Inputs::of(context, Found::new(context, &[path]));
        targets.extend(inputs.archives.into_iter().map(ToIdentify::Archive));
        totals.unread += hand_on(out, inputs.findings);
    }
    let look = |target: &ToIdentify| identify_one(context, target, known);
    let report = |(row, findings): Identified| {
        totals.unread += hand_on(out, findings);
        let Some(row) = row else {
            return ControlFlow::Continue(());
        };
        totals.archives += 1;
        out.row(row)
    };
    let _ = for_each(context, &targets, look, report);
    Ok(totals)
}

/// An identity if everything could be read, and what could not be.
type Identified = (Option<IdentityRow>, Vec<Finding>);

fn identify_one(
    context: &Context<'_>,
    target: &ToIdentify,
    known: Option<&KnownArchives>,
) -> Identified {
    let (path, opened) = match target {
        ToIdentify::Archive(input) => {
            let opened = input.open(context).map(|archive| {
                let notes = finding::archive_notes(&archive);
                (archive, notes)
            });
            let unread = |error| vec![Finding::unread(&input.path, error)];
            (&input.path, opened.map_err(unread))
        }
        ToIdentify::Tree(path) => (
            path,
            archive_of_directory(path)
                .map(|(archive, findings)| (Arc::new(archive), findings))
                .map_err(|it| it.0),
        ),
    };
    let (archive, notes) = match opened {
        Ok(opened) => opened,
        Err(findings) => return (None, findings),
    };
    let mut served = ServedContents::default();
    let entries = archive.entries().collect();
    let damage = sha256_of_each(context, &archive, entries, |entry, sha256| {
        served.add(entry.name(), entry.size(), sha256);
    });
    let mut findings = match damage {
        Ok(damage) => damage,
        Err(error) => return (None, vec![Finding::unread(path, error)]),
    };
    let is_whole = findings.is_empty() && !notes.iter().any(Finding::is_error);
    findings.extend(notes);
    let row = (is_whole && !context.cancel.is_set()).then(|| served.identity(path, known));
    (row, findings)
}

/// Reads entries of an archive, on all threads, and gives `take` each in the directory's order with the SHA-256 of
/// its content. Returns the damage of the others.
pub(super) fn sha256_of_each<'a>(
    context: &Context<'_>,
    archive: &'a Archive,
    entries: Vec<Entry<'a>>,
    mut take: impl FnMut(Entry<'a>, [u8; 32]),
) -> Result<Vec<Finding>, Finding> {
    context.cancel.check()?;
    let payloads = Payloads::of(archive, entries);
    payloads.announce(context, None)?;
    let sums = payloads.map(context, |payload| {
        let mut sha256 = Sha256::new();
        let read = payload.read(&mut |piece| sha256.update(piece));
        (<[u8; 32]>::from(sha256.finalize()), read.err())
    });
    let mut damage = Vec::new();
    payloads.for_each(sums, |entry, sha256, error| match error {
        Some(error) => damage.push(error),
        None => take(entry, *sha256),
    });
    Ok(damage)
}

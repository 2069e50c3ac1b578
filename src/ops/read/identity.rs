//! The identity of an archive: one digest over names, sizes and contents, whatever the format.
//!
//! The rule is in the guide (`src/guide/snapshots.md`), so that others can compute the same digest:
//!
//! 1. In names, `\` becomes `/`, and ASCII letters become lower case. If several entries then have the same name,
//!    the first one counts.
//! 2. Each has a line: the SHA-256 of its content in hexadecimal digits, its size, and its name, separated by
//!    spaces, with `\n` at the end. In the name a byte below 0x20 or equal to 0x7F is written as `\xHH`.
//! 3. The lines are sorted by the bytes of the names. The identity is the SHA-256 of all of them.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use crate::ops::catalogue::{Content, Contents, Sum, Trouble};
use crate::ops::context::{Context, Refusal};
use crate::ops::finding::{self, Finding};
use crate::ops::json;
use crate::ops::report::{Sink, hand_on, hand_on_rows};
use crate::ops::row::InfoTotals;
use crate::ops::source::{How, Input, Search, for_each};

/// The identity of what an archive holds.
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
}

/// Reports the identity of each archive that `paths` name. A directory is searched for archives.
///
/// Archives with damaged entries have no identity; the damage is reported.
///
/// # Errors
///
/// None so far.
pub fn identify(
    context: &Context<'_>,
    paths: &[impl AsRef<Path>],
    out: &mut dyn Sink<IdentityRow>,
) -> Result<InfoTotals, Refusal> {
    let mut totals = InfoTotals::default();
    let mut found = Search::new(context, paths, How::default());
    totals.unread += hand_on(out, found.take_findings());
    let identify = |input: &Input| identify_one(context, input);
    let _ = for_each(context, &found.inputs, identify, |_, identified| match identified {
        Ok((row, findings)) => {
            hand_on(out, findings);
            totals.archives += u64::from(row.is_some());
            hand_on_rows(out, row)
        }
        Err(error) => {
            totals.unread += hand_on(out, [error]);
            ControlFlow::Continue(())
        }
    });
    Ok(totals)
}

/// An identity if everything could be read, and what could not be.
type Identified = (Option<IdentityRow>, Vec<Finding>);

fn identify_one(context: &Context<'_>, input: &Input) -> Result<Identified, Finding> {
    let archive = input.open(context)?;
    let notes = finding::archive_notes(&archive);
    let contents = Contents::of(context, &archive, archive.entries().collect(), None)?;
    let (mut files, mut size, mut findings) = (BTreeMap::new(), 0_u64, Vec::new());
    for Content { entry, digest, trouble } in contents.hash(context, Sha256::new()) {
        if let Some(Trouble::Damaged(error)) = trouble.map(|it| *it) {
            findings.push(error);
            continue;
        }
        let name = entry.name().as_bytes().to_ascii_lowercase();
        let name: Vec<u8> = name.iter().map(|b| if *b == b'\\' { b'/' } else { *b }).collect();
        files.entry(name).or_insert_with(|| {
            size = size.saturating_add(entry.size());
            (entry.size(), digest)
        });
    }
    let is_whole = findings.is_empty() && !notes.iter().any(Finding::is_error);
    findings.extend(notes);
    if !is_whole || context.cancel.is_set() {
        return Ok((None, findings));
    }
    let (archive, count) = (input.path.clone(), files.len() as u64);
    Ok((Some(IdentityRow { archive, identity: identity(files), files: count, size }), findings))
}

/// The digest of all files, each with its size and the SHA-256 of its content, in 64 hexadecimal digits.
fn identity(files: BTreeMap<Vec<u8>, (u64, [u8; 32])>) -> String {
    let mut whole = Sha256::new();
    for (name, (size, sha256)) in files {
        whole.update(format!("{} {size} ", Sum::Sha256(sha256)));
        for byte in name {
            match byte {
                0..0x20 | 0x7F => whole.update(format!("\\x{byte:02x}")),
                _ => whole.update([byte]),
            }
        }
        whole.update("\n");
    }
    Sum::Sha256(whole.finalize().into()).to_string()
}

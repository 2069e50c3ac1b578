//! `info --identity`: one digest over names, sizes and contents, whatever the format.
//!
//! The rule is in the guide (`src/guide/snapshots.md`), so that others can compute the same digest:
//!
//! 1. In names, `\` becomes `/`, and ASCII letters become lower case. If several entries then have the same name,
//!    the first one counts.
//! 2. Each has a line: the SHA-256 of its content in hexadecimal digits, its size, and its name, separated by
//!    spaces, with `\n` at the end. In the name a byte below 0x20 or equal to 0x7F is written as `\xHH`.
//! 3. The lines are sorted by the bytes of the names. The identity is the SHA-256 of all of them.

use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::ops::ControlFlow;
use std::path::PathBuf;

use sha2::{Digest as _, Sha256};

use crate::cli::output::Stdout;
use crate::cli::rows::{RunKind, Show};
use crate::cli::text;
use crate::cli::ui::Ui;
use crate::ops::catalogue::{Contents, Hash, Sum, Summer};
use crate::ops::finding::{self, Finding};
use crate::ops::report::{hand_on, hand_on_rows};
use crate::ops::source::{How, Input, Search, for_each};
use crate::ops::{Context, Refusal, json};

/// Prints the identity of each archive. Archives with damaged entries have none; the damage is reported.
pub(super) fn run(paths: &[PathBuf], ui: &Ui) -> Result<(), Refusal> {
    ui.run(RunKind::Decodes, &mut ShowIdentities, |context, out| {
        let mut found = Search::new(context, paths, How::default());
        found.refuse_strangers(context)?;
        hand_on(out, found.take_findings());
        let identify = |input: &Input| identify(context, input);
        let _ = for_each(context, &found.inputs, identify, |_, identified| match identified {
            Ok((row, findings)) => {
                hand_on(out, findings);
                hand_on_rows(out, row)
            }
            Err(error) => {
                out.finding(error);
                ControlFlow::Continue(())
            }
        });
        Ok(())
    })?;
    Ok(())
}

/// The identity of what an archive holds.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
struct IdentityRow {
    /// The archive, or a directory of loose files.
    #[serde(flatten, serialize_with = "json::archive")]
    archive: PathBuf,
    /// 64 hexadecimal digits.
    identity: String,
    /// The number of files that count.
    files: u64,
    /// The sum of their sizes.
    size: u64,
}

/// Shows the identity of each archive.
struct ShowIdentities;

impl Show<IdentityRow> for ShowIdentities {
    fn text(&mut self, out: &mut Stdout, row: IdentityRow) -> io::Result<()> {
        writeln!(out, "{}  {}", row.identity, text::path(&row.archive))
    }
}

/// An identity if everything could be read, and what could not be.
type Identified = (Option<IdentityRow>, Vec<Finding>);

fn identify(context: &Context<'_>, input: &Input) -> Result<Identified, Finding> {
    let archive = input.open(context)?;
    let notes = finding::archive_notes(&archive);
    let contents = Contents::of(context, &archive, archive.entries().collect(), None)?;
    let (mut files, mut size, mut findings) = (BTreeMap::new(), 0_u64, Vec::new());
    for content in contents.hash(context, &Summer::new(&[Hash::Sha256])) {
        let entry = content.entry;
        let Some(sum) = content.sums.by(Hash::Sha256) else {
            findings.extend(content.findings);
            continue;
        };
        let name = entry.name().as_bytes().to_ascii_lowercase();
        let name: Vec<u8> = name.iter().map(|b| if *b == b'\\' { b'/' } else { *b }).collect();
        files.entry(name).or_insert_with(|| {
            size = size.saturating_add(entry.size());
            (entry.size(), sum)
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
fn identity(files: BTreeMap<Vec<u8>, (u64, Sum)>) -> String {
    let mut whole = Sha256::new();
    for (name, (size, sum)) in files {
        whole.update(format!("{sum} {size} "));
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

//! A snapshot on disk.

use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::Path;

use crate::archive::error::ErrorKind;
use crate::fs::Sink as _;
use crate::fs::{Over, Root, System};
use crate::ops::finding::{Finding, blocked};
use crate::ops::snapshot::Snapshot;

/// How many bytes are written at once.
const PIECE: usize = 64 * 1024;

/// Reads the snapshot at `path`. Returns `None` if it does not exist but can be created.
pub(super) fn load(path: &Path) -> Result<Option<Snapshot>, Finding> {
    let io = |error| Finding::from(ErrorKind::Io(error));
    let load = || match fs::metadata(path) {
        Ok(found) if found.is_dir() => Err(blocked("a directory")),
        Ok(found) if !found.is_file() => Err(ErrorKind::NotAFile.into()),
        Ok(_) => {
            let file = File::open(path).map_err(io)?;
            Ok(Some(Snapshot::read(BufReader::new(file))?))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound && path.is_symlink() => {
            Err(blocked("a link that leads nowhere"))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(io(error)),
    };
    load().map_err(|error: Finding| error.in_pak(path))
}

/// Writes the snapshot to `path`: all of it or nothing, and with `replace` over an old one.
pub(super) fn save(snapshot: &Snapshot, path: &Path, replace: bool) -> Vec<Finding> {
    // If the path is a link, the file that it leads to is renewed, not the link.
    let real = if replace {
        fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf())
    } else {
        path.to_path_buf()
    };
    let over = if replace { Over::Old } else { Over::Nothing };
    let (root, name) = match System::real().root_of_file(&real) {
        Ok(found) => found,
        Err(error) => return vec![Finding::from(error)],
    };
    let written = write(snapshot, &root, &name, over);
    let mut findings: Vec<Finding> = written.err().into_iter().collect();
    let left = root.finish().into_iter();
    findings.extend(left.map(Finding::from));
    findings
}

fn write(snapshot: &Snapshot, root: &Root, name: &Path, over: Over) -> Result<(), Finding> {
    let draft = root.draft(name)?;
    let (mut piece, mut at) = (String::new(), 0);
    let mut lines = snapshot.lines().iter().peekable();
    while let Some(line) = lines.next() {
        piece.push_str(&line.to_string());
        piece.push('\n');
        if piece.len() >= PIECE || lines.peek().is_none() {
            draft
                .write_at(piece.as_bytes(), at)
                .map_err(Finding::from_io)?;
            at += piece.len() as u64;
            piece.clear();
        }
    }
    Ok(draft.commit(over)?)
}

//! What the library reports of every pak in the corpus: one snapshot a pak, under the same path in
//! `tests/snapshots`. A pak that is dropped into the corpus is picked up by itself.
//!
//! The same over paks of one's own, which never leave their folder; `INSTA_UPDATE=unseen` keeps
//! what was not yet seen in its subfolder `snapshots`, and later runs compare:
//!
//! ```text
//! DAISHO_CORPUS=/games INSTA_UPDATE=unseen cargo test --test it snapshots
//! DAISHO_CORPUS=/games cargo test --test it snapshots
//! ```

use std::fmt::Write;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use daisho::archive::{Account, Extent, PathError, SafePath};
use daisho::media::Kind;
use daisho::{Archive, Entry, Error};

use crate::corpus;

#[test]
fn every_pak_of_the_corpus_matches_its_snapshot() {
    let (root, kept) = match std::env::var_os("DAISHO_CORPUS") {
        Some(root) => {
            let root = fs::canonicalize(root).unwrap();
            let kept = root.join("snapshots");
            (root, kept)
        }
        None => {
            let top = Path::new(env!("CARGO_MANIFEST_DIR"));
            (top.join("corpus"), top.join("tests/snapshots"))
        }
    };
    let paks = corpus::paks(&root, &kept);
    assert!(!paks.is_empty(), "no pak in {}", root.display());
    // Every pak is looked at, whatever comes of those before it.
    let different: Vec<&PathBuf> = paks
        .iter()
        .filter(|pak| {
            let name = pak.strip_prefix(&root).unwrap();
            let compare = || compare(pak, &kept.join(name));
            catch_unwind(AssertUnwindSafe(compare)).is_err()
        })
        .collect();
    assert!(different.is_empty(), "not as in {}: {different:#?}", kept.display());
}

fn compare(pak: &Path, snapshot: &Path) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(snapshot.parent().unwrap());
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let name = snapshot.file_name().unwrap().to_string_lossy();
    let reported = describe(pak);
    settings.bind(|| insta::assert_snapshot!(&*name, reported));
}

/// Everything that the library reports of a pak.
fn describe(pak: &Path) -> String {
    let mut reported = String::new();
    let archive = match Archive::from_source(fs::File::open(pak).unwrap()) {
        Ok(archive) => archive,
        Err(error) => {
            describe_error(&mut reported, "", &error);
            return reported;
        }
    };
    writeln!(reported, "layout: {}", archive.format_word()).unwrap();
    for reason in archive.why() {
        writeln!(reported, "  {reason}").unwrap();
    }
    for oddity in archive.notes().iter().cloned().chain(archive.header_note()) {
        writeln!(reported, "oddity: {oddity}").unwrap();
    }
    let account = archive.account().unwrap();
    assert_eq!(account.sum(), archive.file_len(), "every byte counts once");
    describe_account(&mut reported, &account);
    for entry in archive.entries() {
        describe_entry(&mut reported, entry);
    }
    reported
}

fn describe_account(reported: &mut String, account: &Account) {
    let Account { file, header, directory, payload, trailing, .. } = account;
    writeln!(
        reported,
        "account: {file} = header {header} + directory {directory} + payload {payload} + gaps {} + trailing {trailing}",
        account.gap_bytes()
    )
    .unwrap();
    let place = |extent: Extent| format!("{} at {}", extent.len, extent.offset);
    for gap in &account.gaps {
        writeln!(reported, "  gap: {}", place(*gap)).unwrap();
    }
    for (extent, entries) in &account.shared {
        let place = place(*extent);
        writeln!(reported, "  shared: {place}, by {entries} entries").unwrap();
    }
    if account.overlapping > 0 {
        writeln!(reported, "  overlapping: {}", account.overlapping).unwrap();
    }
    if !account.over_structure.is_empty() {
        let entries = &account.over_structure;
        writeln!(reported, "  over header or directory: entries {entries:?}").unwrap();
    }
}

fn describe_entry(reported: &mut String, entry: Entry<'_>) {
    let (index, name, kind, size) =
        (entry.index(), entry.name(), Kind::of(entry.name()), entry.size());
    write!(reported, "{index} \"{name}\": {kind}, {size}").unwrap();
    if entry.is_compressed() {
        write!(reported, " from {}", entry.stored_len()).unwrap();
    }
    write!(reported, " at {}", entry.offset()).unwrap();
    match entry.verify() {
        Ok(verified) => {
            writeln!(reported, ", crc {:08x}", verified.crc32).unwrap();
            for warning in verified.stream.iter().flat_map(|stream| stream.warnings()) {
                writeln!(reported, "  warning: {warning}").unwrap();
            }
        }
        Err(error) => {
            reported.push('\n');
            describe_error(reported, "  ", &error);
        }
    }
    if let Err(error) = SafePath::try_from(name)
        // Paths are text on some systems.
        && error != PathError::NotUtf8
    {
        writeln!(reported, "  no path: {error}").unwrap();
    }
}

fn describe_error(reported: &mut String, indent: &str, error: &Error) {
    writeln!(reported, "{indent}error: {error}").unwrap();
}

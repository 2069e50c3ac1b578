//! ZIPs whose directory is missing or cut: what the library finds in them, against how they were built,
//! against a reader that tries every end of every payload, and against 7-Zip and `zip -FF`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use bstr::ByteSlice as _;
use daisho::archive::{Flaw, Note, ReadOptions};
use daisho::{Archive, ErrorKind, Format};

use super::build::Zip;
use super::reads::Counted;
use crate::archive::fields::number;
use crate::skips::is_installed;

/// Reads without a directory.
fn salvaging() -> ReadOptions {
    let mut options = ReadOptions::default();
    options.salvage = true;
    options
}

/// Names and contents.
type Files = Vec<(Vec<u8>, Vec<u8>)>;

/// One entry of each kind, and some of them twice.
fn zip() -> Zip {
    Zip::new()
        .stored("a.cfg", b"bind w +forward")
        .deflated("maps/b.bsp", &[7; 300])
        .stored("maps/", b"")
        .deflated("c.txt", b"sizes behind it")
        .descriptor(true)
        .stored("empty", b"")
        .deflated("d.txt", b"and without a signature")
        .descriptor(false)
        .stored("e.txt", b"PK and PK again")
        .stored("g.txt", b"large numbers")
        .both(|header| header.large = true)
        .deflated("./h.txt", b"from the current folder")
}

/// Everything that can be read, or nothing if it is no archive. It is read as a ZIP even if its first bytes
/// are damaged.
fn salvaged(bytes: &[u8]) -> Files {
    let mut options = salvaging();
    options.format = Some(Format::Pk3);
    let Ok(archive) = Archive::from_source_with(bytes.to_vec(), options) else {
        return Files::new();
    };
    let mut files = Files::new();
    for entry in archive.entries() {
        if let Ok(content) = entry.read() {
            files.push((entry.name().as_bytes().to_vec(), content));
        }
    }
    files
}

/// The entries of a ZIP, in a simple way: every offset is tried as a header, and every offset after that as
/// the end of the payload.
fn naive(bytes: &[u8]) -> Files {
    let mut files = Files::new();
    let mut at = 0;
    while at < bytes.len() {
        match naive_entry(bytes, at) {
            Some((name, content, end)) => {
                if !name.ends_with(b"/") {
                    files.push((name, content));
                }
                at = end;
            }
            None => at += 1,
        }
    }
    files
}

fn naive_entry(bytes: &[u8], at: usize) -> Option<(Vec<u8>, Vec<u8>, usize)> {
    let header = bytes.get(at..at + 30).filter(|it| it.starts_with(b"PK\x03\x04"))?;
    let [name_len, extra_len] = [26, 28].map(|at| number(header, at, 2) as usize);
    let start = at + 30 + name_len + extra_len;
    let name = bytes.get(at + 30..at + 30 + name_len)?.to_vec();
    let payload = bytes.get(start..)?;
    let name = name.strip_prefix(b"./").unwrap_or(&name).to_vec();
    let is_stored = number(header, 8, 2) == 0;
    for len in 0..=payload.len() {
        let (packed, behind) = payload.split_at(len);
        let content = if is_stored {
            Some(packed.to_vec())
        } else {
            miniz_oxide::inflate::decompress_to_vec(packed).ok()
        };
        let Some(content) = content else { continue };
        let sum = crc32fast::hash(&content);
        let numbers = [sum, len as u32, content.len() as u32];
        let numbers: Vec<u8> = numbers.iter().flat_map(|it| it.to_le_bytes()).collect();
        if number(header, 6, 2) & 8 == 0 {
            let large = [content.len(), len].map(|it| (it as u64).to_le_bytes()).concat();
            let extra = &bytes[start - extra_len..start];
            let is_whole = header[14..18] == numbers[..4]
                && (header[18..26] == numbers[4..] || extra.ends_with(&large));
            if is_whole {
                return Some((name, content, start + len));
            }
            continue;
        }
        for descriptor in [[&b"PK\x07\x08"[..], &numbers].concat(), numbers] {
            if behind.starts_with(&descriptor) {
                return Some((name, content, start + len + descriptor.len()));
            }
        }
    }
    None
}

#[test]
fn a_zip_cut_anywhere_gives_all_files_that_are_whole() {
    let zip = zip();
    let bytes = zip.bytes();
    let whole = Archive::from_bytes(bytes.clone()).unwrap();
    let mut all = Files::new();
    for entry in whole.entries() {
        let name = entry.name().as_bytes();
        let name = name.strip_prefix(b"./").unwrap_or(name);
        all.push((name.to_vec(), entry.read().unwrap()));
    }
    assert_eq!(salvaged(&bytes), all);
    let directory = usize::try_from(whole.structure().directory.offset).unwrap();
    for cut in 0..bytes.len() {
        let found = salvaged(&bytes[..cut]);
        let expected = naive(&bytes[..cut]);
        assert!(found == expected, "{cut}");
        assert!(all.starts_with(&found), "{cut}");
        if cut >= directory {
            assert_eq!(found, all, "{cut}");
        }
    }
}

#[test]
fn salvage_is_off_by_default_and_noted() {
    let bytes = zip().bytes();
    let cut = &bytes[..bytes.len() - 30];
    let error = Archive::from_bytes(cut).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NoZipEnd), "{error}");
    let archive = Archive::from_source_with(cut.to_vec(), salvaging()).unwrap();
    assert_eq!(archive.notes(), [Note::Salvaged { found: 8 }]);
    let whole = Archive::from_source_with(bytes, salvaging()).unwrap();
    assert_eq!(whole.notes(), []);
    let error =
        Archive::from_source_with(b"PK\x03\x04 and no header".to_vec(), salvaging()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NoZipEnd), "{error}");
}

/// Only a deflated stream says where it ends.
#[test]
fn a_stored_file_before_its_sizes_is_lost_and_costs_no_other() {
    let zip = Zip::new().stored("a.txt", b"PK and PK again").descriptor(true).stored("b.txt", b"b");
    let bytes = zip.bytes();
    let archive =
        Archive::from_source_with(bytes[..bytes.len() - 30].to_vec(), salvaging()).unwrap();
    let a = archive.get("a.txt").unwrap();
    assert!(matches!(a.read().unwrap_err().kind(), ErrorKind::Flawed(Flaw::NoEnd)));
    assert_eq!(archive.get("b.txt").unwrap().read().unwrap(), b"b");
}

/// A record of the directory is damaged, or the directory is that of an archive inside of it.
#[test]
fn a_damaged_directory_does_not_hide_entries() {
    let mut bytes = zip().bytes();
    let whole = Archive::from_bytes(bytes.clone()).unwrap();
    let directory = usize::try_from(whole.structure().directory.offset).unwrap();
    let all = salvaged(&bytes);
    let second = directory + 46 + "a.cfg".len();
    bytes[second] = b'X';
    assert_eq!(Archive::from_bytes(bytes.clone()).unwrap().len(), 1);
    assert_eq!(salvaged(&bytes), all);

    let inner = Zip::new().stored("inner.cfg", b"inner").bytes();
    let outer = Zip::new().stored("a.cfg", b"a").stored("inner.pk3", &inner);
    let bytes = outer.bytes();
    let whole = Archive::from_bytes(bytes.clone()).unwrap();
    let directory = usize::try_from(whole.structure().directory.offset).unwrap();
    let files = salvaged(&bytes[..directory]);
    let expected = [(b"a.cfg".to_vec(), b"a".to_vec()), (b"inner.pk3".to_vec(), inner)];
    assert_eq!(files, expected);
}

#[test]
fn a_changed_byte_costs_at_most_its_entry() {
    let bytes = zip().bytes();
    let whole = Archive::from_bytes(bytes.clone()).unwrap();
    let directory = usize::try_from(whole.structure().directory.offset).unwrap();
    let bytes = &bytes[..directory];
    let all = salvaged(bytes);
    let headers: Vec<usize> =
        (0..directory).filter(|at| bytes[*at..].starts_with(b"PK\x03\x04")).collect();
    for at in 0..directory {
        let header = headers.partition_point(|header| *header <= at) - 1;
        let own = number(bytes, headers[header] + 26, 2) as usize;
        let own = &bytes[headers[header] + 30..][..own];
        let own = own.strip_prefix(b"./").unwrap_or(own);
        for change in [1, 0x80, 0xFF] {
            let mut bytes = bytes.to_vec();
            bytes[at] ^= change;
            let found = salvaged(&bytes);
            let others = all.iter().filter(|(name, _)| name != own);
            for file in others {
                let name = String::from_utf8_lossy(&file.0);
                assert!(found.contains(file), "byte {at}, {change}: {name} is lost");
            }
        }
    }
}

/// A header with a name of one letter.
fn header(flags: u16, method: u16, packed: u32, extra: u16) -> Vec<u8> {
    let mut header = b"PK\x03\x04\x14\0".to_vec();
    header.extend(flags.to_le_bytes());
    header.extend(method.to_le_bytes());
    header.extend([0; 8]);
    header.extend(packed.to_le_bytes());
    header.extend(packed.to_le_bytes());
    header.extend([1, 0]);
    header.extend(extra.to_le_bytes());
    header.push(b'x');
    header
}

#[test]
fn hostile_bytes_are_read_a_bounded_number_of_times() {
    let far = 1_u32 << 20;
    // A block of deflate that is not compressed, and takes in most of the next headers.
    let block = [&header(8, 8, 0, 0)[..], &[0, 0xE0, 0xFF, 0x1F, 0]].concat();
    let behind = |header: Vec<u8>, tail: usize| [header.repeat(2000), vec![0; tail]].concat();
    for (what, bytes) in [
        ("signatures", b"PK\x03\x04".repeat(1 << 20)),
        ("empty", header(0, 0, 0, 0).repeat(100_000)),
        ("far", header(0, 0, far, 0).repeat(100_000)),
        ("far and deflated", header(0, 8, far, 0).repeat(100_000)),
        ("encrypted", header(1, 8, far, 0).repeat(100_000)),
        ("stored", header(8, 0, 0, 0).repeat(100_000)),
        ("deflated", block.repeat(100_000)),
        ("extra fields", behind(header(8, 0, 0, 0xFFFF), 4 << 20)),
        ("extra fields, far", behind(header(0, 0, far, 0xFFFF), 4 << 20)),
        ("extra fields, deflated", behind(header(8, 8, 0, 0xFFFF), 4 << 20)),
        ("descriptors", [header(8, 0, 0, 0), b"PK\x07\x08".repeat(1 << 20)].concat()),
    ] {
        let len = bytes.len() as u64;
        let source = Counted::new(bytes);
        let archive = Archive::from_source_with(source.clone(), salvaging());
        let (_, read) = source.reads_and_bytes();
        assert!(read < 16 * len + (64 << 20), "{what}: {read} of {len}");
        if let Ok(archive) = archive {
            assert!(archive.len() as u64 <= len / 31, "{what}");
        }
    }
}

/// What a program leaves in a directory.
fn files_in(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for folder in ["", "maps"] {
        for entry in fs::read_dir(dir.join(folder)).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_file() {
                let name = path.strip_prefix(dir).unwrap().to_string_lossy();
                files.insert(name.into_owned(), fs::read(&path).unwrap());
            }
        }
    }
    files
}

/// Runs a script in which `$1` is the cut archive, and returns the files below `out`.
fn others_find(script: &str, bytes: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("cut.zip"), bytes).unwrap();
    let script = format!("ulimit -t 10; {script}");
    let _ = Command::new("sh")
        .args(["-c", &script])
        .current_dir(dir.path())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    files_in(&dir.path().join("out"))
}

#[test]
fn files_that_7_zip_and_zip_find_are_found() {
    let bytes = zip().bytes();
    let all: BTreeMap<_, _> = salvaged(&bytes).into_iter().collect();
    // If the checksum behind a content is cut, 7-Zip hands on the content unchecked, and daisho does not.
    let before_header_of = |name: &str, len| {
        let header = bytes.find(name).unwrap() - 30;
        header - len..header
    };
    let checksums = [before_header_of("empty", 16), before_header_of("e.txt", 12)];
    for (program, script) in [
        ("7z", "7z x -y -oout cut.zip"),
        (
            "zip",
            "printf 'y\\n' | timeout 5 zip -FF cut.zip --out fixed.zip; unzip -qo fixed.zip -d out",
        ),
    ] {
        if !is_installed(program) || !is_installed("unzip") {
            continue;
        }
        let mut whole = 0;
        for cut in (40..bytes.len()).step_by(29) {
            if checksums.iter().any(|it| it.contains(&cut)) {
                continue;
            }
            let ours: BTreeMap<_, _> = salvaged(&bytes[..cut]).into_iter().collect();
            for (name, content) in others_find(script, &bytes[..cut]) {
                if all.get(name.as_bytes()) == Some(&content) && !content.is_empty() {
                    whole += 1;
                    let found = ours.get(name.as_bytes());
                    assert_eq!(found, Some(&content), "{program} at {cut}: {name}");
                }
            }
        }
        assert!(whole > 10, "{program} finds {whole}");
    }
}

//! Lists of paths, from a file or from standard input: `--files-from`.
//!
//! | in the list                 | what it means                                                |
//! |-----------------------------|--------------------------------------------------------------|
//! | a line                      | a path, from the current directory, whatever it begins with  |
//! | a line that ends in CR LF   | the same: the CR is not part of the path                            |
//! | an empty line               | nothing                                                      |
//! | a NUL byte                  | the end of a path. Line ends are then part of the paths           |
//! | no path at all              | an error: an empty list is probably a mistake                     |

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use bstr::ByteSlice as _;

use super::message::Message;
use super::text;

/// The longest path that is read: many times longer than any system can open.
const PATH_MAX: usize = 64 * 1024;

/// Reads the list at `path`, or on standard input if that is `-`.
pub(crate) fn read(path: &Path) -> Result<Vec<PathBuf>, Message> {
    let mut list = Vec::new();
    let read = match path.as_os_str() == "-" {
        true => io::stdin().lock().read_to_end(&mut list),
        false => File::open(path).and_then(|mut file| file.read_to_end(&mut list)),
    };
    let paths = match read {
        Ok(_) => paths(&list),
        Err(error) => Err(cannot_read(error)),
    };
    match paths {
        Ok(paths) if paths.is_empty() => Err(Message::error("this list of paths is empty")
            .help("give it a line for each path, as find and ls print them")),
        paths => paths,
    }
    .map_err(|message| message.place(text::path(path)))
}

fn cannot_read(error: io::Error) -> Message {
    let words = daisho::ErrorKind::Io(error);
    Message::error(format!("cannot read this list of paths: {words}"))
}

/// The paths of a list. If the list has a NUL byte, each path ends in a NUL byte, otherwise in a line end.
fn paths(list: &[u8]) -> Result<Vec<PathBuf>, Message> {
    let end = if list.contains(&0) { 0 } else { b'\n' };
    let mut paths = Vec::new();
    for (number, item) in (1..).zip(list.split(|byte| *byte == end)) {
        let path = match end {
            0 => item,
            _ => item.strip_suffix(b"\r").unwrap_or(item),
        };
        let bad = |why: &str| Err(Message::error(format!("path {number} of this list {why}")));
        if path.len() > PATH_MAX {
            return bad("is too long");
        }
        if path.is_empty() {
            continue;
        }
        match path.to_path() {
            Ok(path) => paths.push(path.to_path_buf()),
            Err(_) => return bad("is not UTF-8"),
        }
    }
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_bytes(bytes: &[u8]) -> Option<Vec<String>> {
        let paths = paths(bytes).ok()?.into_iter();
        Some(paths.map(|it| it.to_str().unwrap().to_owned()).collect())
    }

    #[test]
    fn lines_of_either_end_are_paths_and_empty_ones_are_not() {
        let read = read_bytes(b"a b\r\n\n  c\n\r\n#d\n-e").unwrap();
        assert_eq!(read, ["a b", "  c", "#d", "-e"]);
        assert_eq!(read_bytes(b"").unwrap().len(), 0);
    }

    #[test]
    fn with_nul_bytes_a_path_can_hold_line_ends() {
        assert_eq!(read_bytes(b"a\nb\0\0c\r\0d").unwrap(), ["a\nb", "c\r", "d"]);
    }

    #[test]
    fn a_path_of_any_length_is_read_up_to_a_bound() {
        let long = "x".repeat(64 * 1024);
        assert_eq!(read_bytes(long.as_bytes()).unwrap(), [long.as_str()]);
        assert_eq!(read_bytes(format!("{long}x").as_bytes()), None);
    }
}

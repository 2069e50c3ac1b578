//! Lists of paths, from a file or from standard input: `--files-from`.
//!
//! | in the list                 | what it means                                                |
//! |-----------------------------|--------------------------------------------------------------|
//! | a line                      | a path, from the current directory, whatever it begins with  |
//! | a line that ends in CR LF   | the same: the CR is no part of it                            |
//! | an empty line               | nothing                                                      |
//! | a NUL byte                  | the end of a path with `-0`, which may hold line ends; else an error |
//! | no path at all              | an error: nothing to do was hardly meant                     |

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _};
use std::path::{Path, PathBuf};

use bstr::ByteSlice as _;

use super::message::Message;
use super::text;

/// The longest path that is read: many times what any system opens.
const PATH_MAX: u64 = 64 * 1024;

/// Reads the list at `path`, or on standard input where that is `-`. With `null` its paths end in NUL
/// bytes, else in line ends.
pub(crate) fn read(path: &Path, null: bool) -> Result<Vec<PathBuf>, Message> {
    let read = match path.as_os_str() == "-" {
        true => paths(io::stdin().lock(), null),
        false => File::open(path)
            .map_err(cannot_read)
            .and_then(|file| paths(BufReader::new(file), null)),
    };
    match read {
        Ok(paths) if paths.is_empty() => Err(Message::error("this list of paths is empty")
            .help("give it a line for each path, as find and ls print them")),
        read => read,
    }
    .map_err(|message| message.place(text::path(path)))
}

fn cannot_read(error: io::Error) -> Message {
    let words = daisho::ErrorKind::Io(error);
    Message::error(format!("cannot read this list of paths: {words}"))
}

fn paths(mut list: impl BufRead, null: bool) -> Result<Vec<PathBuf>, Message> {
    let end = if null { 0 } else { b'\n' };
    let (mut paths, mut item) = (Vec::new(), Vec::new());
    for number in 1_u64.. {
        item.clear();
        let read = list.by_ref().take(PATH_MAX).read_until(end, &mut item);
        if read.map_err(cannot_read)? == 0 {
            break;
        }
        let inside = item.strip_suffix(&[end]).unwrap_or(&item);
        let bad = |why: &str| Err(Message::error(format!("path {number} of this list {why}")));
        let inside = match null {
            true => inside,
            false => inside.strip_suffix(b"\r").unwrap_or(inside),
        };
        if inside.contains(&0) {
            return bad("has a NUL byte in it")
                .map_err(|it| it.help("give -0, if NUL bytes end the paths of this list"));
        }
        if item.len() as u64 == PATH_MAX && item.last() != Some(&end) {
            return bad("is too long");
        }
        if inside.is_empty() {
            continue;
        }
        match inside.to_path() {
            Ok(path) => paths.push(path.to_path_buf()),
            Err(_) => return bad("is not UTF-8"),
        }
    }
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_bytes(bytes: &[u8], null: bool) -> Option<Vec<String>> {
        let paths = paths(bytes, null).ok()?.into_iter();
        Some(paths.map(|it| it.to_str().unwrap().to_owned()).collect())
    }

    #[test]
    fn lines_of_either_end_are_paths_and_empty_ones_are_not() {
        let read = read_bytes(b"a b\r\n\n  c\n\r\n#d\n-e", false).unwrap();
        assert_eq!(read, ["a b", "  c", "#d", "-e"]);
        assert_eq!(read_bytes(b"", false).unwrap().len(), 0);
    }

    #[test]
    fn with_nul_bytes_a_path_can_hold_line_ends() {
        assert_eq!(
            read_bytes(b"a\nb\0\0c\r\0d", true).unwrap(),
            ["a\nb", "c\r", "d"]
        );
        assert_eq!(read_bytes(b"a\0b\0", false), None);
    }

    #[test]
    fn a_path_of_any_length_is_read_up_to_a_bound() {
        let long = "x".repeat(64 * 1024 - 1);
        assert_eq!(read_bytes(long.as_bytes(), false).unwrap(), [long.as_str()]);
        assert_eq!(read_bytes(format!("{long}x").as_bytes(), false), None);
        assert_eq!(
            read_bytes(format!("{}\n", &long[1..]).as_bytes(), true).unwrap(),
            [format!("{}\n", &long[1..])]
        );
    }
}

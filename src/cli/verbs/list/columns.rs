//! The columns before the name.

use daisho::Entry;

/// The widths of the columns.
#[derive(Debug)]
pub(super) struct Columns {
    index: usize,
    size: usize,
    /// 0 if no entry is compressed: then there is no such column.
    packed: usize,
    kind: usize,
}

impl Columns {
    /// The widths that these entries need.
    pub(super) fn of<'a>(entries: impl Iterator<Item = Entry<'a>>) -> Self {
        let mut columns = Self {
            index: 0,
            size: 0,
            packed: 0,
            kind: 0,
        };
        for entry in entries {
            columns.index = columns.index.max(digits(entry.index() as u64));
            columns.size = columns.size.max(digits(entry.size()));
            columns.kind = columns.kind.max(entry.kind().as_str().len());
            if entry.is_compressed() {
                columns.packed = columns.packed.max(digits(entry.stored_len()));
            }
        }
        columns
    }

    /// An entry's number, size, compressed size if it is compressed, and kind.
    pub(super) fn of_entry(&self, entry: &Entry<'_>) -> String {
        let packed = match entry.is_compressed() {
            true => entry.stored_len().to_string(),
            false => "-".to_owned(),
        };
        self.line(
            &entry.index().to_string(),
            &entry.size().to_string(),
            &packed,
            entry.kind().as_str(),
        )
    }

    /// Spaces as wide as all columns.
    pub(super) fn blank(&self) -> String {
        self.line("", "", "", "")
    }

    fn line(&self, index: &str, size: &str, packed: &str, kind: &str) -> String {
        let packed = match self.packed {
            0 => String::new(),
            width => format!("{packed:>width$}  "),
        };
        let (index_width, size_width, kind_width) = (self.index, self.size, self.kind);
        format!("{index:>index_width$}  {size:>size_width$}  {packed}{kind:<kind_width$}  ")
    }
}

fn digits(number: u64) -> usize {
    number.checked_ilog10().unwrap_or(0) as usize + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_as_wide_as_its_digits() {
        for number in [0, 1, 9, 10, 99, 100, u64::from(u32::MAX)] {
            assert_eq!(digits(number), number.to_string().len());
        }
    }
}

//! Explains a verdict in sentences, for people who want to know why.

use core::fmt;

use super::{Basis, Detection, Reading};
use crate::archive::{Format, escape};

impl Detection {
    /// The explanation: the directory's length, each layout's reading, the verdict.
    #[must_use]
    pub fn reasons(&self) -> Vec<String> {
        let mut reasons = vec![self.length()];
        if self.held < self.claimed {
            reasons.push(format!(
                "the file holds {} of the directory's {} bytes",
                self.held, self.claimed
            ));
        }
        if self.claimed > 0 {
            reasons.extend(self.readings.iter().map(ToString::to_string));
        }
        reasons.push(self.verdict());
        reasons
    }

    fn length(&self) -> String {
        if self.claimed == 0 {
            return "the directory is empty".to_owned();
        }
        let (mut by, mut not_by) = (Vec::new(), Vec::new());
        for reading in &self.readings {
            let lengths = if reading.divides { &mut by } else { &mut not_by };
            lengths.push(reading.format.spec().record_len.to_string());
        }
        let divide = match (by.is_empty(), not_by.is_empty()) {
            (true, _) => format!("by none of {}", not_by.join(" and ")),
            (_, true) => format!("by {}", by.join(" and by ")),
            _ => format!("by {} and not by {}", by.join(" and "), not_by.join(" and ")),
        };
        format!("the directory's {} bytes divide {divide}", self.claimed)
    }

    fn verdict(&self) -> String {
        let format = self.format.map_or("undecided", Format::as_str);
        match (self.format, self.basis) {
            (None, _) => "so neither layout is clearly more likely".to_owned(),
            (_, Basis::Forced) => {
                format!("so it would say nothing: the layout was set to {format}")
            }
            (_, Basis::Nothing) => {
                format!("so nothing tells the layout, and it is taken for {format}")
            }
            (_, Basis::Length) if self.readings.len() == 1 => {
                format!("and no other format begins as it does, so it is {format}")
            }
            (_, Basis::Length) => format!("so its length says {format}"),
            (_, Basis::Records) => format!("so its records say {format}"),
            (_, Basis::RecordsAgainstLength) => {
                format!("so its records say {format}, against its length")
            }
        }
    }
}

impl fmt::Display for Detection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reasons().join("; "))
    }
}

impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tally = &self.tally;
        let records = tally.records;
        write!(f, "as {}-byte records, ", self.format.spec().record_len)?;
        let Some(score) = self.score else {
            return f.write_str("there is no whole one");
        };
        match (tally.first_no_name, records) {
            (None, 1) => f.write_str("the one name is a valid name")?,
            (None, _) => write!(f, "all {records} names are valid names")?,
            (Some((index, start)), _) => {
                let words = ["name", "is not a valid name", "are not valid names"];
                tell(f, tally.no_names, records, words)?;
                write!(f, ": record {index} starts with {}", escape(&start))?;
            }
        }
        if tally.outside > 0 {
            f.write_str(", ")?;
            let words = ["payload", "lies outside the file", "lie outside the file"];
            tell(f, tally.outside, records, words)?;
        }
        write!(f, " (score {score})")
    }
}

/// States how many of all things have a property, in the singular or the plural.
fn tell(
    f: &mut fmt::Formatter<'_>,
    count: usize,
    of: usize,
    [noun, one, more]: [&str; 3],
) -> fmt::Result {
    let said = if count == 1 { one } else { more };
    match of {
        1 => write!(f, "the one {noun} {said}"),
        _ => write!(f, "{count} of {of} {noun}s {said}"),
    }
}

//! The verdict in words, for people who want to know why.

use core::fmt;

use super::{Basis, Detection, Reading};
use crate::pak::layout::Layout;
use crate::pak::name::escape;

impl Detection {
    /// Why, in sentences: the directory's length, each layout's reading, the verdict.
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
        let lengths = |divides: bool| {
            let lengths = self
                .readings
                .iter()
                .filter(|reading| reading.divides == divides);
            lengths
                .map(|reading| reading.layout.record_len().to_string())
                .collect::<Vec<_>>()
        };
        let (by, not_by) = (lengths(true), lengths(false));
        let claimed = self.claimed;
        if by.is_empty() {
            format!(
                "the directory's {claimed} bytes divide by none of {}",
                not_by.join(" and ")
            )
        } else if not_by.is_empty() {
            format!(
                "the directory's {claimed} bytes divide by {}",
                by.join(" and by ")
            )
        } else {
            format!(
                "the directory's {claimed} bytes divide by {} and not by {}",
                by.join(" and "),
                not_by.join(" and ")
            )
        }
    }

    fn verdict(&self) -> String {
        let layout = self.layout.map_or("undecided", Layout::as_str);
        match (self.layout, self.basis) {
            (None, _) => "so neither reading is clearly the better one".to_owned(),
            (_, Basis::Forced) => {
                format!("so it would say nothing: the layout was set to {layout}")
            }
            (_, Basis::Nothing) => {
                format!("so nothing tells the layout, and it is taken for {layout}")
            }
            (_, Basis::Length) => format!("so its length says {layout}"),
            (_, Basis::Records) => format!("so its records say {layout}"),
            (_, Basis::RecordsAgainstLength) => {
                format!("so its records say {layout}, against its length")
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
        write!(f, "as {}-byte records, ", self.layout.record_len())?;
        let Some(score) = self.score else {
            return f.write_str("there is no whole one");
        };
        match tally.first_no_name {
            None => write!(f, "{} names", all_of(records))?,
            Some((index, start)) => write!(
                f,
                "{} of {records} names are not names: record {index} starts with {}",
                tally.no_names,
                escape(&start)
            )?,
        }
        if tally.first_no_name.is_none() {
            f.write_str(if records == 1 {
                " is a name"
            } else {
                " are names"
            })?;
        }
        for (count, what) in [
            (tally.doubtful_names, "names could be chance"),
            (tally.outside, "payloads lie outside the file"),
            (tally.over_header, "payloads begin in the header"),
            (tally.over_directory, "payloads lie over the directory"),
            (tally.too_short, "streams are too short for their size"),
            (tally.odd_flags, "flags are neither 0 nor 1"),
        ] {
            if count > 0 {
                write!(f, ", {count} of {records} {what}")?;
            }
        }
        if tally.following > 0 {
            write!(
                f,
                ", {} of {records} payloads follow each other",
                tally.following
            )?;
        }
        write!(f, " (score {score})")
    }
}

fn all_of(records: usize) -> String {
    match records {
        1 => "the 1".to_owned(),
        _ => format!("all {records}"),
    }
}

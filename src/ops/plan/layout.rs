//! Which parts go into which output, found out before anything is written.

use super::part::{Finding, Part};
use super::sharing::Sharing;
use crate::error::{Error, ErrorKind};
use crate::ops::expansion::Limit;
use crate::ops::write::archive;
use crate::ops::write::options::WriteOptions;

/// Which parts go into which output.
pub(in crate::ops) struct Plan<'p, 'a> {
    pub(in crate::ops) parts: &'p [Part<'a>],
    /// Parts that can be in no output, as far as that shows without reading them.
    pub(in crate::ops) failed: Vec<Finding>,
    /// The others.
    pub(in crate::ops) rest: Vec<&'p Part<'a>>,
    /// The parts of each output; none where nothing can be written.
    pub(in crate::ops) lists: Vec<Vec<&'p Part<'a>>>,
    /// Why nothing at all is done, not even reading.
    pub(in crate::ops) refused: Option<Error>,
}

impl<'p, 'a> Plan<'p, 'a> {
    /// Plans the output of these parts, which come from files of this length together. They are
    /// `whole` unless the sources are known to lack some.
    ///
    /// # Errors
    /// If entries that must stay together fit into no output.
    pub(in crate::ops) fn of(
        parts: &'p [Part<'a>],
        whole: bool,
        len: u64,
        options: &WriteOptions,
    ) -> Result<Self, Error> {
        let to = options.to;
        let (mut failed, mut rest) = (Vec::new(), Vec::new());
        for part in parts {
            match part.check(to) {
                Ok(()) => rest.push(part),
                Err(error) => failed.push(part.finding(error)),
            }
        }
        let mut archives: Vec<_> = parts.iter().map(|part| part.entry.archive()).collect();
        archives.dedup_by(|a, b| core::ptr::eq(*a, *b));
        let limit = Limit::together(&archives, len);
        let bytes = Sharing::of(&rest, to).bytes(&rest);
        let mut refused = limit.check(bytes, options.max_expansion).err();
        let possible = !rest.is_empty() && (failed.is_empty() && whole || options.keep_going);
        let mut lists = Vec::new();
        if possible && refused.is_none() {
            lists = options.rules.split(&rest, to)?;
        }
        if lists.len() > 1 {
            // A payload that entries of several outputs share is written in each of these.
            let mut bytes = 0_u64;
            for list in &lists {
                bytes = bytes.saturating_add(Sharing::of(list, to).bytes(list));
            }
            refused = limit.check(bytes, options.max_expansion).err();
        }
        if refused.is_some() {
            lists.clear();
        }
        Ok(Self {
            parts,
            failed,
            rest,
            lists,
            refused,
        })
    }

    /// Whether the format can say how large an output is that is not split, and how many entries it has, as
    /// far as that is known.
    pub(in crate::ops) fn check_size(&self, options: &WriteOptions) -> Result<(), Error> {
        match self.lists.as_slice() {
            [list] if !options.rules.limit() => archive::foresee(list, options.to).map(drop),
            _ => Ok(()),
        }
    }

    /// Whether the one output there is to be, which may not be split, has a size that the format can say,
    /// and is within the engines' limits.
    pub(in crate::ops) fn check_whole(&self, options: &WriteOptions) -> Result<(), Error> {
        let (to, entries) = (options.to, self.rest.len() as u64);
        let engines = options.rules.engines;
        if !engines.is_empty() {
            // What is to be compressed is counted as if it were not, as where a split is planned.
            let bytes = archive::plan(&self.rest, to)?.file_len();
            let over = engines.agreeing(|engine| {
                let limits = engine.profile().limits(to);
                let over = |what, value, most| {
                    (value > most).then(|| format!("too {what}: {value}, at most {most}"))
                };
                over("many entries", entries, limits.max_entries)
                    .or_else(|| over("many bytes", bytes, limits.max_bytes))
            });
            let first = over
                .into_iter()
                .find_map(|(why, engines)| Some((why?, engines)));
            if let Some((why, engines)) = first {
                let kind = ErrorKind::Judged {
                    engines: engines.into(),
                    garbage: false,
                    why,
                };
                return Err(kind.into());
            }
        }
        archive::foresee(&self.rest, to).map(drop)
    }

    /// How many outputs there are to be; one where nothing can be written.
    pub(in crate::ops) fn count(&self) -> usize {
        self.lists.len().max(1)
    }
}

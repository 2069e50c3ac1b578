//! What is to become of one entry, and what became of it.

use super::names::{Aside, Late, Named, Placed, Rules};
use crate::archive::{Entry, PathError, SafePath};
use crate::error::ErrorKind;
use crate::ops::context::Problem;
use crate::ops::write::Outcome;

/// What is to become of one entry.
#[derive(Clone, Copy)]
pub(super) struct Row<'a> {
    pub(super) entry: Entry<'a>,
    /// Its number; loose files have none, and are counted.
    pub(super) number: usize,
    pub(super) placed: Result<Placed, PathError>,
    pub(super) outcome: Outcome,
}

impl<'a> Row<'a> {
    /// Whether a file is to be written, or was.
    pub(super) const fn is_file(&self) -> bool {
        matches!(self.outcome, Outcome::Written | Outcome::Replaced)
    }

    /// Its number and its name.
    pub(super) fn named(&self) -> Named<'a> {
        (self.number, self.entry.name())
    }

    /// The path of its file.
    pub(super) fn path(&self, rules: Rules) -> Result<SafePath, PathError> {
        self.placed?.path(self.named(), rules)
    }

    /// Whether its file is written after all others.
    pub(super) fn is_late(&self) -> bool {
        self.placed.is_ok_and(|placed| placed.late != Late::No)
    }

    /// Whether another entry's directory may be its path.
    pub(super) fn may_be_directory(&self) -> bool {
        let placed = self.placed;
        placed.is_ok_and(|placed| placed.late == Late::Directory)
    }

    /// It goes where it was to go in reserve: the file system has shown that it folds.
    pub(super) fn fold(&mut self) {
        if let (true, Ok(placed)) = (self.is_late(), &mut self.placed) {
            (placed.aside, placed.late) = (Some(Aside::Folded), Late::No);
        }
    }

    /// What is worth reporting of its name and its claims.
    pub(super) fn problems(&self, rules: Rules) -> Vec<Problem> {
        let why = |why: PathError| vec![Problem::error(self.entry.locate(why.into()))];
        self.remarks(rules).unwrap_or_else(why)
    }

    fn remarks(&self, rules: Rules) -> Result<Vec<Problem>, PathError> {
        let placed = self.placed?;
        let path = || Ok(self.path(rules)?.to_path_buf());
        let mut kinds = Vec::new();
        let folded = placed.aside == Some(Aside::Folded);
        // Without their directories many are: that is what was asked for, and counted.
        let is_news = !(rules.flat && placed.aside == Some(Aside::Duplicate));
        if let Some(why) = placed.rescued {
            let path = match folded {
                true => placed.own(self.entry.name(), rules)?.to_path_buf(),
                false => path()?,
            };
            kinds.push(ErrorKind::Rescued { path, why });
        }
        if let Some(why) = placed.aside.filter(|_| is_news)
            && (placed.rescued.is_none() || folded)
        {
            let (path, why) = (path()?, why.words());
            kinds.push(ErrorKind::PutAside { path, why });
        }
        let warning = |kind: ErrorKind| Problem::warning(self.entry.locate(kind.into()));
        let mut problems: Vec<Problem> = kinds.into_iter().map(warning).collect();
        if self.outcome == Outcome::Failed
            && let Err(error) = self.entry.check_claims()
        {
            problems.push(Problem::error(error));
        }
        Ok(problems)
    }
}

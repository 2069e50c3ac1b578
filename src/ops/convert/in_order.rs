//! What has become of archives, handed on as soon as they are done, in the order of the inputs.
//!
//! A batch takes long, and whoever waits wants to see what is done. Archives end in any order, so one that ends
//! early waits here for those before it. As long as nothing could be done with any, nothing is handed on: in the
//! end that may be a refusal of the whole.

use std::sync::{Mutex, PoisonError};

use crate::error::ErrorKind;
use crate::ops::context::Problem;
use crate::ops::write::{Outcome, Written};

/// Who sees what has become of an archive, one of so many.
pub(super) type Visit<'v> = &'v (dyn Fn(&Written, usize) + Sync);

/// Archives that are done.
pub(super) struct InOrder<'v> {
    visit: Visit<'v>,
    done: Mutex<Done>,
}

struct Done {
    reports: Vec<Option<Written>>,
    /// How many of the first are done.
    ready: usize,
    /// How many of these were handed on.
    seen: usize,
    /// Whether something could be done with one of them.
    begun: bool,
}

impl<'v> InOrder<'v> {
    /// For so many archives.
    pub(super) fn new(count: usize, visit: Visit<'v>) -> Self {
        let done = Done {
            reports: core::iter::repeat_with(|| None).take(count).collect(),
            ready: 0,
            seen: 0,
            begun: false,
        };
        Self {
            visit,
            done: Mutex::new(done),
        }
    }

    /// Adds what has become of an archive.
    pub(super) fn add(&self, index: usize, report: Written) {
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = done.reports.get_mut(index) {
            *place = Some(report);
        }
        while let Some(Some(report)) = done.reports.get(done.ready) {
            let begun = done.begun || !is_hopeless(report);
            (done.begun, done.ready) = (begun, done.ready + 1);
        }
        if !done.begun {
            return;
        }
        let count = done.reports.len();
        let new = done.reports.get(done.seen..done.ready);
        for report in new.into_iter().flatten().flatten() {
            (self.visit)(report, count);
        }
        done.seen = done.ready;
    }

    /// All of them, in order.
    pub(super) fn finish(self) -> Vec<Written> {
        let done = self.done.into_inner();
        let reports = done.unwrap_or_else(PoisonError::into_inner).reports;
        reports.into_iter().flatten().collect()
    }
}

/// Whether nothing could be done with an archive, or is allowed to be.
pub(super) fn is_hopeless(report: &Written) -> bool {
    let expands = |problem: &Problem| matches!(problem.error.kind(), ErrorKind::Expansion { .. });
    let refused = report.problems.iter().any(expands);
    report.outcome == Outcome::Failed && (report.from.is_none() || refused)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::sync::Mutex;

    use super::*;
    use crate::archive::Format;

    fn report(name: usize, is_hopeless: bool) -> Written {
        let name = PathBuf::from(name.to_string());
        let mut report = Written::new(name.clone(), name, Format::Quake);
        report.from = (!is_hopeless).then_some(Format::Quake);
        report
    }

    /// What is handed on after each of these is done, where those with `x` are hopeless.
    fn seen(done: &[(usize, bool)]) -> Vec<String> {
        let all = Mutex::new(String::new());
        let visit = |report: &Written, _| {
            let name = report.source.display().to_string();
            all.lock().unwrap().push_str(&name);
        };
        let in_order = InOrder::new(done.len(), &visit);
        let seen = done.iter().map(|(index, is_hopeless)| {
            in_order.add(*index, report(*index, *is_hopeless));
            core::mem::take(&mut *all.lock().unwrap())
        });
        let seen = seen.collect();
        assert_eq!(in_order.finish().len(), done.len());
        seen
    }

    #[test]
    fn each_is_handed_on_behind_those_before_it() {
        let fine = |order: &[usize]| seen(&order.iter().map(|n| (*n, false)).collect::<Vec<_>>());
        assert_eq!(fine(&[0, 1, 2]), ["0", "1", "2"]);
        assert_eq!(fine(&[2, 1, 0, 3]), ["", "", "012", "3"]);
        assert_eq!(fine(&[1, 0, 3, 2]), ["", "01", "", "23"]);
    }

    #[test]
    fn nothing_is_handed_on_before_something_could_be_done() {
        assert_eq!(seen(&[(0, true), (1, true)]), ["", ""]);
        assert_eq!(seen(&[(0, true), (1, true), (2, false)]), ["", "", "012"]);
        assert_eq!(seen(&[(2, false), (0, true), (1, true)]), ["", "", "012"]);
    }
}

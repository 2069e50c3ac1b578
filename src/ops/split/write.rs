//! All parts of an output, under temporary names, and committed when all are whole.
//!
//! They get their names from the last one on, one after another: as long as the first one is
//! missing, which has the name that was asked for, so is the whole. If one of these steps fails,
//! the parts behind it stand under their names, and the error says how many they are.
//!
//! A run that is stopped between two of these steps leaves the last parts, or over old parts new
//! ones behind old ones. Where parts that exist are to be kept, each of them is compared with what
//! would be written:
//!
//! | the parts that exist                  | what is done                                   |
//! |---------------------------------------|------------------------------------------------|
//! | all of them what they should be       | those that are missing are written             |
//! | all parts exist, none what it should be | all are kept: they are another run's         |
//! | anything else                         | nothing is written, and those are named that are none |

use std::path::PathBuf;

use super::Part;
use crate::engine::Engine;
use crate::error::{Error, ErrorKind};
use crate::fs::{Closed, Draft, Over};
use crate::ops::assemble::{self, Chosen, Crew, Found, Parts, Sharing, Tally};
use crate::ops::context::Problem;
use crate::ops::convert::targets::{Meeting, Way};
use crate::ops::game::place;
use crate::pak::Layout;

/// Where an output goes, and what may stand there.
#[derive(Debug, Clone)]
pub(in crate::ops) struct Output {
    /// Below the root.
    pub(in crate::ops) relative: PathBuf,
    /// As the user would write it.
    pub(in crate::ops) shown: PathBuf,
    pub(in crate::ops) way: Way,
}

impl Output {
    /// A warning where the engine that is to load it never asks for it under its name.
    pub(in crate::ops) fn not_loaded(&self, engine: Option<Engine>) -> Option<Problem> {
        let engine = engine?;
        let why = place(self.relative.file_name()?, engine).err()?.to_string();
        let engine = engine.name();
        let error = Error::from(ErrorKind::NeverLoaded { engine, why });
        Some(Problem::warning(error.in_pak(&self.shown)))
    }
}

/// What is to be written, and how.
pub(in crate::ops) struct Job<'a> {
    pub(in crate::ops) crew: Crew<'a>,
    /// What outputs meet, now and when they get their names.
    pub(in crate::ops) meeting: Meeting<'a>,
    /// As many as there are parts.
    pub(in crate::ops) outputs: &'a [Output],
    pub(in crate::ops) parts: &'a dyn Parts,
    pub(in crate::ops) to: Layout,
    pub(in crate::ops) keep_going: bool,
}

/// What has become of it.
#[derive(Debug, Default)]
pub(in crate::ops) struct Made {
    /// The outputs that are written; none where entries have failed, and may not be left out.
    pub(in crate::ops) outputs: Vec<Part>,
    /// How many outputs are kept.
    pub(in crate::ops) kept: usize,
    pub(in crate::ops) tally: Tally,
}

/// The parts so far.
#[derive(Default)]
struct Drafts<'s> {
    /// Those that wait for their names, and which outputs they are.
    waiting: Vec<(Closed<'s>, &'s Output)>,
    /// How many outputs are taken, those that are kept included.
    outputs: usize,
    /// Those that exist and are what they should be.
    same: usize,
    /// Those that exist and are not.
    others: Vec<&'s Output>,
}

impl Job<'_> {
    /// Writes one output, or one for each of `lists`.
    pub(in crate::ops) fn write(
        &self,
        sharing: Sharing,
        lists: Option<Vec<Vec<u32>>>,
    ) -> Result<Made, Error> {
        let mut drafts = Drafts::default();
        let mut made = Made::default();
        let mut whole = true;
        match lists {
            None => self.draft(self.parts, sharing, &mut drafts, &mut made, |index| index)?,
            Some(lists) => {
                for list in lists {
                    let part = Chosen::new(self.parts, list);
                    let sharing = Sharing::of(&part, self.to);
                    if whole {
                        self.draft(&part, sharing, &mut drafts, &mut made, |it| part.inner(it))?;
                        whole = self.keep_going || made.tally.failed.is_empty();
                    } else {
                        // Nothing will be written: all that is left is to name what is damaged.
                        let tally = assemble::check(self.crew, &part, &sharing)?;
                        add(&mut made.tally, tally, |it| part.inner(it));
                    }
                }
            }
        }
        for found in [&mut made.tally.failed, &mut made.tally.odd] {
            found.sort_by_key(|found| found.index);
        }
        if !whole {
            made.outputs.clear();
            // What cannot be compared is kept, as it was asked for.
            if self.outputs.iter().all(|output| output.way == Way::Kept) {
                (made.kept, made.tally) = (self.outputs.len(), Tally::default());
            }
            return Ok(made);
        }
        self.crew.cancel.check()?;
        self.keep(&drafts)?;
        made.kept = drafts.same + drafts.others.len();
        self.commit(drafts.waiting, &mut made)?;
        if made.outputs.is_empty() && made.kept > 0 {
            made.tally = Tally::default();
        }
        Ok(made)
    }

    /// Refuses to go on where what is to be kept belongs to another run than the rest.
    fn keep(&self, drafts: &Drafts<'_>) -> Result<(), Error> {
        let [first, others @ ..] = drafts.others.as_slice() else {
            return Ok(());
        };
        if drafts.others.len() == drafts.outputs {
            return Ok(());
        }
        let kind = ErrorKind::NotTheParts {
            others: others.iter().map(|output| output.shown.clone()).collect(),
            here: drafts.same,
            missing: drafts.waiting.len(),
            parts: drafts.outputs,
        };
        Err(Error::from(kind).in_pak(&first.shown))
    }

    /// Writes a part under a temporary name, unless entries fail. One that is there and to be kept
    /// is compared with that.
    fn draft<'s>(
        &'s self,
        part: &dyn Parts,
        sharing: Sharing,
        drafts: &mut Drafts<'s>,
        made: &mut Made,
        inner: impl Fn(usize) -> usize,
    ) -> Result<(), Error> {
        // A part of which nothing is left is not written, and leaves its name to the next one.
        let Some(output) = self.outputs.get(drafts.outputs) else {
            return Err(ErrorKind::AnotherPak.into());
        };
        let draft = self.meeting.root.draft(&output.relative)?;
        let (len, tally) =
            assemble::write(self.crew, part, sharing, self.to, self.keep_going, &draft)?;
        let entries = part.count().saturating_sub(tally.failed.len()) as u64;
        add(&mut made.tally, tally, inner);
        let Some(len) = len else {
            return Ok(());
        };
        drafts.outputs += 1;
        let over = match output.way {
            Way::New => Over::Nothing,
            Way::Replaces => Over::Old,
            Way::Kept => {
                if self.is_whole(&draft, output)? {
                    drafts.same += 1;
                } else {
                    drafts.others.push(output);
                }
                return Ok(());
            }
        };
        drafts.waiting.push((draft.close(over)?, output));
        made.outputs.push(Part {
            target: output.shown.clone(),
            entries,
            bytes: Some(len),
        });
        Ok(())
    }

    /// Whether what exists is what was written.
    fn is_whole(&self, draft: &Draft<'_>, output: &Output) -> Result<bool, Error> {
        let same = self.meeting.root.open(&output.relative);
        let same = same.and_then(|existing| draft.equals(&existing));
        same.map_err(|error| Error::from_io(error).in_pak(&output.shown))
    }

    /// Gives all of them their names.
    fn commit(&self, drafts: Vec<(Closed<'_>, &Output)>, made: &mut Made) -> Result<(), Error> {
        let parts = drafts.len();
        for (done, (draft, output)) in drafts.into_iter().rev().enumerate() {
            let placed = self.place(draft, output);
            let placed = placed.map_err(|error| match done {
                0 => error,
                done => ErrorKind::PartsLeft {
                    why: Box::new(error),
                    done,
                    parts,
                }
                .into(),
            })?;
            if !placed {
                made.outputs.retain(|part| part.target != output.shown);
                made.kept += 1;
            }
        }
        Ok(())
    }

    /// Gives a file its name, unless something has appeared there that is to be kept.
    fn place(&self, draft: Closed<'_>, output: &Output) -> Result<bool, Error> {
        let Some(draft) = draft.commit()? else {
            return Ok(true);
        };
        let met = self.meeting.meet(&output.relative);
        match met.map_err(|error| error.in_pak(&output.shown))? {
            // Whether it is the part that it should be was not compared.
            Way::Kept if self.outputs.len() > 1 => {
                let kind = ErrorKind::NotTheParts {
                    others: Vec::new(),
                    here: 0,
                    missing: self.outputs.len() - 1,
                    parts: self.outputs.len(),
                };
                return Err(Error::from(kind).in_pak(&output.shown));
            }
            Way::Kept => return Ok(false),
            Way::Replaces => draft.replace()?,
            // It has gone again.
            Way::New => {
                if draft.commit()?.is_some() {
                    return Err(Error::from(ErrorKind::Exists).in_pak(&output.shown));
                }
            }
        }
        Ok(true)
    }

    /// What would be written, as far as that is known without writing, and how many outputs would be
    /// kept.
    pub(in crate::ops) fn plan(
        &self,
        sharing: &Sharing,
        lists: Option<&[Vec<u32>]>,
    ) -> Result<(Vec<Part>, usize), Error> {
        let plan = |part: &dyn Parts, sharing: &Sharing, output: Option<&Output>| {
            let known = !assemble::needs_encoder(part, self.to);
            let plan = known.then(|| assemble::plan(part, sharing, self.to));
            Ok(Part {
                target: output.map_or_else(PathBuf::new, |output| output.shown.clone()),
                entries: part.count() as u64,
                bytes: plan.transpose()?.map(|plan| plan.file_len()),
            })
        };
        let Some(lists) = lists else {
            let part = plan(self.parts, sharing, self.outputs.first())?;
            return Ok((vec![part], 0));
        };
        let is_kept = |number: usize| {
            let output = self.outputs.get(number);
            output.is_some_and(|output| output.way == Way::Kept)
        };
        let lists = lists.iter().enumerate();
        let (kept, lists): (Vec<_>, Vec<_>) = lists.partition(|(number, _)| is_kept(*number));
        let each = lists.into_iter().map(|(number, list)| {
            let part = Chosen::new(self.parts, list.clone());
            plan(
                &part,
                &Sharing::of(&part, self.to),
                self.outputs.get(number),
            )
        });
        Ok((each.collect::<Result<_, Error>>()?, kept.len()))
    }
}

/// Adds what was found in a part.
fn add(all: &mut Tally, tally: Tally, inner: impl Fn(usize) -> usize) {
    let found = |found: Found| Found {
        index: inner(found.index),
        ..found
    };
    all.failed.extend(tally.failed.into_iter().map(&found));
    all.odd.extend(tally.odd.into_iter().map(&found));
}

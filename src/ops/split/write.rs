//! All parts of an output, under temporary names, and committed when all are whole.
//!
//! They get their names from the last one on, one after another: as long as the first one is
//! missing, which has the name that was asked for, so is the whole. If one of these steps fails,
//! the parts behind it stand under their names, and the error says how many they are.

use std::path::PathBuf;

use super::Part;
use crate::error::{Error, ErrorKind};
use crate::ops::assemble::{self, Chosen, Crew, Found, Parts, Sharing, Tally};
use crate::ops::commit::{Closed, Over, Root};
use crate::ops::context::Problem;
use crate::ops::engine::Engine;
use crate::ops::game::place;
use crate::pak::Layout;

/// Where an output goes, and what may stand there.
#[derive(Debug, Clone)]
pub(in crate::ops) struct Output {
    /// Below the root.
    pub(in crate::ops) relative: PathBuf,
    /// As the user would write it.
    pub(in crate::ops) shown: PathBuf,
    pub(in crate::ops) over: Over,
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
    pub(in crate::ops) root: &'a Root,
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
    pub(in crate::ops) tally: Tally,
}

impl Job<'_> {
    /// Writes one output, or one for each of `lists`.
    pub(in crate::ops) fn write(
        &self,
        sharing: Sharing,
        lists: Option<Vec<Vec<u32>>>,
    ) -> Result<Made, Error> {
        let mut drafts = Vec::new();
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
            return Ok(made);
        }
        self.crew.cancel.check()?;
        commit(drafts)?;
        Ok(made)
    }

    /// Writes a part under a temporary name, unless entries fail.
    fn draft<'s>(
        &'s self,
        part: &dyn Parts,
        sharing: Sharing,
        drafts: &mut Vec<Closed<'s>>,
        made: &mut Made,
        inner: impl Fn(usize) -> usize,
    ) -> Result<(), Error> {
        // A part of which nothing is left is not written, and leaves its name to the next one.
        let Some(output) = self.outputs.get(drafts.len()) else {
            return Err(ErrorKind::AnotherPak.into());
        };
        let draft = self.root.draft(&output.relative)?;
        let (len, tally) =
            assemble::write(self.crew, part, sharing, self.to, self.keep_going, &draft)?;
        let entries = part.count().saturating_sub(tally.failed.len()) as u64;
        add(&mut made.tally, tally, inner);
        if let Some(len) = len {
            drafts.push(draft.close(output.over)?);
            made.outputs.push(Part {
                target: output.shown.clone(),
                entries,
                bytes: Some(len),
            });
        }
        Ok(())
    }

    /// What would be written, as far as that is known without writing.
    pub(in crate::ops) fn plan(
        &self,
        sharing: &Sharing,
        lists: Option<&[Vec<u32>]>,
    ) -> Result<Vec<Part>, Error> {
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
            return Ok(vec![plan(self.parts, sharing, self.outputs.first())?]);
        };
        let each = lists.iter().enumerate().map(|(number, list)| {
            let part = Chosen::new(self.parts, list.clone());
            plan(
                &part,
                &Sharing::of(&part, self.to),
                self.outputs.get(number),
            )
        });
        each.collect()
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

/// Gives all of them their names.
fn commit(drafts: Vec<Closed<'_>>) -> Result<(), Error> {
    let parts = drafts.len();
    for (done, draft) in drafts.into_iter().rev().enumerate() {
        draft.commit().map_err(|error| {
            let error = Error::from(error);
            match done {
                0 => error,
                done => ErrorKind::PartsLeft {
                    why: Box::new(error),
                    done,
                    parts,
                }
                .into(),
            }
        })?;
    }
    Ok(())
}

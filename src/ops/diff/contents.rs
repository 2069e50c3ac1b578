//! What is in the entries of two paks, as far as telling them apart needs it.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::path::Path;

use super::DiffOptions;
use super::order::Matched;
use crate::error::{Error, ErrorKind};
use crate::ops::context::{Context, Problem};
use crate::ops::expansion;
use crate::ops::once::{Few, Payloads, damage};
use crate::ops::open;
use crate::ops::pool::Pool;
use crate::ops::select::Picked;
use crate::pak::Archive;

/// What is known of the contents of both paks.
pub(super) struct Contents<'a>([Side<'a>; 2]);

/// What is known of the contents of one pak.
struct Side<'a> {
    archive: &'a Archive,
    payloads: Payloads,
    prints: Vec<Print>,
    /// Each taken by the first entry.
    damages: Few<Error>,
}

/// What two contents that are the same have in common: sixteen bytes, for there can be very many.
#[derive(PartialEq, Eq)]
struct Print {
    /// Of what could be decoded, and of how much that was: less than the size only where it is
    /// damaged.
    keyed: u64,
    crc32: u32,
    damaged: bool,
}

impl<'a> Contents<'a> {
    /// Decodes what can be the same: whatever has the same name and the same size.
    pub(super) fn new(
        context: &Context<'_>,
        [(one, a), (other, b)]: [(&'a Archive, &Path); 2],
        matched: &Matched,
        options: &DiffOptions,
        tell: &mut dyn FnMut(Problem),
    ) -> Result<Self, Error> {
        let alike = matched
            .pairs
            .iter()
            .filter(|(a, b)| size(one, *a) == size(other, *b));
        let (of_one, mut of_other): (Vec<u32>, Vec<u32>) = alike.copied().unzip();
        of_other.sort_unstable();
        let mut sides = [Side::new(one, of_one), Side::new(other, of_other)];
        let works = sides
            .each_ref()
            .map(|side| side.payloads.work(side.archive));
        for ((side, work), path) in sides.iter().zip(works).zip([a, b]) {
            expansion::check(work.bytes, side.archive.file_len(), options.max_expansion)
                .map_err(|error| error.in_pak(path))?;
        }
        for (side, work) in sides.iter().zip(works) {
            side.payloads.announce(work, context);
        }
        let (pool, key) = (Pool::new(context.jobs), RandomState::new());
        for (side, path) in sides.iter_mut().zip([a, b]) {
            side.decode(context, &pool, &key);
            // Before the other one is decoded, which may have as many.
            side.tell(path, tell);
            open::reserved(side.archive, path)
                .into_iter()
                .for_each(&mut *tell);
        }
        Ok(Self(sides))
    }

    /// Whether a pair has the same content, as far as anybody can know.
    pub(super) fn agree(&self, (a, b): (u32, u32)) -> bool {
        let [one, other] = &self.0;
        let both = (one.print(a), other.print(b));
        let (Some(a_print), Some(b_print)) = both else {
            return false;
        };
        size(one.archive, a) == size(other.archive, b) && a_print == b_print
    }
}

impl<'a> Side<'a> {
    fn new(archive: &'a Archive, compared: Vec<u32>) -> Self {
        Self {
            archive,
            payloads: Payloads::of(archive, Picked::Some(compared)),
            prints: Vec::new(),
            damages: Few::new(),
        }
    }

    fn decode(&mut self, context: &Context<'_>, pool: &Pool, key: &RandomState) {
        let (archive, payloads, damages) = (self.archive, &self.payloads, &self.damages);
        self.prints = payloads.map(archive, pool, |kept, payload| {
            let (mut len, mut crc32) = (0, crc32fast::Hasher::new());
            let mut keyed = key.build_hasher();
            // Pieces are of one size, so the hash is fed alike for the same content.
            let decoded = payloads.decode(archive, payload, context, kept, &mut |piece| {
                len += piece.len() as u64;
                crc32.update(piece);
                keyed.write(piece);
            });
            keyed.write_u64(len);
            // A stop is no damage; nothing is judged after it.
            let stopped = |error: &Error| matches!(error.kind(), ErrorKind::Interrupted);
            let damage = decoded.err().filter(|error| !stopped(error));
            let damaged = damage.is_some();
            if let Some(damage) = damage {
                damages.keep(payload, damage);
            }
            Print {
                keyed: keyed.finish(),
                crc32: crc32.finalize(),
                damaged,
            }
        });
    }

    fn print(&self, index: u32) -> Option<&Print> {
        self.prints.get(self.payloads.of_entry(index)?)
    }

    /// A problem for each entry that could not be decoded.
    fn tell(&self, path: &Path, tell: &mut dyn FnMut(Problem)) {
        for (index, payload) in self.payloads.entries() {
            if !self.prints.get(payload).is_some_and(|print| print.damaged) {
                continue;
            }
            if let Some(entry) = self.archive.entry(index) {
                let error = if self.payloads.is_first(index, payload) {
                    let kept = self.damages.take(payload);
                    kept.unwrap_or_else(|| damage(&entry))
                } else {
                    self.payloads.shared_damage(&entry, payload)
                };
                tell(Problem::error(error.in_pak(path)));
            }
        }
    }
}

fn size(archive: &Archive, index: u32) -> Option<u32> {
    Some(archive.entry(index as usize)?.size())
}

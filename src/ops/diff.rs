//! Two paks, compared by what is in them: by name and content, across layouts.
//!
//! Entries of one name are matched in order: the first with the first, and so on. Two contents are
//! the same if size, CRC-32 and a hash agree whose key is drawn at random for each run. CRC-32
//! alone can be fooled by whoever makes a pak; with a key that nobody knows beforehand, two
//! contents that differ agree once in 2^64, whoever made them. This way each payload is decoded
//! once, however many entries name it, and in constant memory; reading pairs side by side would
//! decode a shared one once for each of its partners.
//!
//! Entries whose contents are the same have moved if they are in another order: of them as many as
//! possible stay, and the others have moved.
//!
//! An entry that is damaged differs from one that is not. If both are damaged alike, nobody knows,
//! and only the damage is told.

use core::cmp::Ordering;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::path::Path;

use super::context::{Context, Problem, Refusal};
use super::once::Payloads;
use super::open::{oddities, open_one};
use super::pool::Pool;
use crate::error::{Error, ErrorKind};
use crate::pak::Archive;

/// What differs between two paks.
#[derive(Debug, Default)]
pub struct DiffReport {
    /// How many of the two could be read. Less than two, and nothing was compared.
    pub paks: usize,
    /// First what the first pak has, in its order, then what only the second one has.
    pub differences: Vec<Difference>,
    /// How many entries are the same, and in the same order.
    pub same: usize,
}

/// A difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The name.
    pub name: Vec<u8>,
    /// What became of it.
    pub change: Change,
    /// The entry's number in the first pak, where it has one.
    pub a: Option<usize>,
    /// The entry's number in the second pak, where it has one.
    pub b: Option<usize>,
}

/// What became of an entry from the first pak to the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Change {
    /// Only the second one has it.
    Added,
    /// Only the first one has it.
    Removed,
    /// The content is another one.
    Changed,
    /// The content is the same, and the place in the order another one.
    Moved,
}

impl Change {
    /// A stable word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Changed => "changed",
            Self::Moved => "moved",
        }
    }
}

/// Compares the paks at `a` and `b`. Paks that cannot be read, what is odd in them, and entries
/// that cannot be decoded are told as they are found: there can be very many.
///
/// # Errors
///
/// If one of them is a directory.
pub fn diff(
    context: &Context<'_>,
    a: &Path,
    b: &Path,
    mut tell: impl FnMut(Problem),
) -> Result<DiffReport, Refusal> {
    let mut report = DiffReport::default();
    let mut refused = Vec::new();
    let opened = [a, b].map(|path| {
        let opened = open_one(context, path);
        opened.map_err(|error| match error.kind() {
            ErrorKind::OnePakExpected => refused.push(error),
            _ => tell(Problem::error(error)),
        })
    });
    if !refused.is_empty() {
        return Err(Refusal(refused));
    }
    report.paks = opened.iter().flatten().count();
    let [Ok(one), Ok(other)] = opened else {
        return Ok(report);
    };
    oddities(&one, a).into_iter().for_each(&mut tell);
    oddities(&other, b).into_iter().for_each(&mut tell);
    let matched = Matched::new(&one, &other);
    let contents = Contents::new(context, [(&one, a), (&other, b)], &matched, &mut tell)?;
    if !context.cancel.is_set() {
        report.judge(&one, &other, &matched, &contents);
    }
    Ok(report)
}

impl DiffReport {
    fn judge(
        &mut self,
        one: &Archive,
        other: &Archive,
        matched: &Matched,
        contents: &Contents<'_>,
    ) {
        let same: Vec<bool> = matched
            .pairs
            .iter()
            .map(|pair| contents.agree(*pair))
            .collect();
        let places = matched.pairs.iter().zip(&same);
        let places: Vec<u32> = places
            .filter(|(_, same)| **same)
            .map(|(pair, _)| pair.1)
            .collect();
        let mut stays = longest_rise(&places).into_iter();
        let name = |archive: &Archive, index: u32| {
            let entry = archive.entry(index as usize);
            entry.map_or_else(Vec::new, |entry| entry.name().as_bytes().to_vec())
        };
        let mut pairs = matched.pairs.iter().zip(&same).peekable();
        for a in (0_u32..).take(one.len()) {
            let pair = pairs.next_if(|(pair, _)| pair.0 == a);
            let (change, b) = match pair {
                None => (Change::Removed, None),
                Some((pair, false)) => (Change::Changed, Some(pair.1)),
                Some((_, true)) if stays.next() == Some(true) => {
                    self.same += 1;
                    continue;
                }
                Some((pair, true)) => (Change::Moved, Some(pair.1)),
            };
            self.differences.push(Difference {
                name: name(one, a),
                change,
                a: Some(a as usize),
                b: b.map(|b| b as usize),
            });
        }
        self.differences
            .extend(matched.added.iter().map(|b| Difference {
                name: name(other, *b),
                change: Change::Added,
                a: None,
                b: Some(*b as usize),
            }));
    }
}

/// Which entry of one pak is meant by which of the other.
#[derive(Debug, Default)]
struct Matched {
    /// Numbers in the first and the second pak, in the first one's order.
    pairs: Vec<(u32, u32)>,
    /// Numbers in the second pak, in its order.
    added: Vec<u32>,
}

impl Matched {
    fn new(one: &Archive, other: &Archive) -> Self {
        let by_name = |archive| {
            let mut names: Vec<_> = names(archive).collect();
            names.sort_unstable();
            names
        };
        let (one, other) = (by_name(one), by_name(other));
        let mut matched = Self::default();
        let mut rest = other.iter().peekable();
        let mut pairs = one.iter().peekable();
        while let Some((name, index)) = rest.peek() {
            let order = pairs
                .peek()
                .map_or(Ordering::Greater, |(own, _)| own.cmp(name));
            match order {
                // Only in the first.
                Ordering::Less => {}
                Ordering::Equal => {
                    let own = pairs.peek().map_or(0, |(_, own)| *own);
                    matched.pairs.push((own, *index));
                    rest.next();
                }
                Ordering::Greater => {
                    matched.added.push(*index);
                    rest.next();
                    continue;
                }
            }
            pairs.next();
        }
        matched.pairs.sort_unstable();
        matched.added.sort_unstable();
        matched
    }
}

fn names(archive: &Archive) -> impl Iterator<Item = (&[u8], u32)> {
    let names = archive.entries().map(|entry| entry.name().as_bytes());
    names.zip(0_u32..)
}

/// What is known of the contents of both paks.
struct Contents<'a>([Side<'a>; 2]);

/// What is known of the contents of one pak.
struct Side<'a> {
    archive: &'a Archive,
    payloads: Payloads,
    prints: Vec<Print>,
}

/// What two contents that are the same have in common.
struct Print {
    /// How many bytes could be decoded: fewer than the size only where it is damaged.
    len: u64,
    crc32: u32,
    keyed: u64,
    damaged: bool,
    /// Taken by the first entry.
    damage: Option<Error>,
}

impl<'a> Contents<'a> {
    /// Decodes what can be the same: whatever has the same name and the same size.
    fn new(
        context: &Context<'_>,
        [(one, a), (other, b)]: [(&'a Archive, &Path); 2],
        matched: &Matched,
        tell: &mut dyn FnMut(Problem),
    ) -> Result<Self, Error> {
        let alike = matched
            .pairs
            .iter()
            .filter(|(a, b)| size(one, *a) == size(other, *b));
        let (of_one, mut of_other): (Vec<u32>, Vec<u32>) = alike.copied().unzip();
        of_other.sort_unstable();
        let mut sides = [Side::new(one, of_one), Side::new(other, of_other)];
        for side in &sides {
            context.observer.found(side.payloads.work(side.archive));
        }
        let (pool, key) = (Pool::new(context.jobs)?, RandomState::new());
        for (side, path) in sides.iter_mut().zip([a, b]) {
            side.decode(context, &pool, &key);
            // Before the other one is decoded, which may have as many.
            side.tell(path, tell);
        }
        Ok(Self(sides))
    }

    /// Whether a pair has the same content, as far as anybody can know.
    fn agree(&self, (a, b): (u32, u32)) -> bool {
        let [one, other] = &self.0;
        let both = (one.print(a), other.print(b));
        let (Some(a_print), Some(b_print)) = both else {
            return false;
        };
        let known = |print: &Print| (print.len, print.crc32, print.keyed, print.damaged);
        size(one.archive, a) == size(other.archive, b) && known(a_print) == known(b_print)
    }
}

impl<'a> Side<'a> {
    fn new(archive: &'a Archive, compared: Vec<u32>) -> Self {
        Self {
            archive,
            payloads: Payloads::of(archive, compared),
            prints: Vec::new(),
        }
    }

    fn decode(&mut self, context: &Context<'_>, pool: &Pool, key: &RandomState) {
        let (archive, payloads) = (self.archive, &self.payloads);
        self.prints = pool.map(&payloads.numbers(), Vec::new, |buffer, payload| {
            let (mut len, mut crc32) = (0, crc32fast::Hasher::new());
            let mut keyed = key.build_hasher();
            // Pieces are of one size, so the hash is fed alike for the same content.
            let decoded = payloads.decode(archive, *payload, context, buffer, &mut |piece| {
                len += piece.len() as u64;
                crc32.update(piece);
                keyed.write(piece);
            });
            // A stop is no damage; nothing is judged after it.
            let stopped = |error: &Error| matches!(error.kind(), ErrorKind::Interrupted);
            let damage = decoded.err().filter(|error| !stopped(error));
            Print {
                len,
                crc32: crc32.finalize(),
                keyed: keyed.finish(),
                damaged: damage.is_some(),
                damage,
            }
        });
    }

    fn print(&self, index: u32) -> Option<&Print> {
        self.prints.get(self.payloads.of_entry(index)?)
    }

    /// A problem for each entry that could not be decoded.
    fn tell(&mut self, path: &Path, tell: &mut dyn FnMut(Problem)) {
        for (index, payload) in self.payloads.entries() {
            let print = self.prints.get_mut(payload).filter(|print| print.damaged);
            if let (Some(print), Some(entry)) = (print, self.archive.entry(index)) {
                let error = print.damage.take();
                let error = error.unwrap_or_else(|| self.payloads.shared_damage(&entry, payload));
                tell(Problem::error(error.in_pak(path)));
            }
        }
    }
}

fn size(archive: &Archive, index: u32) -> Option<u32> {
    Some(archive.entry(index as usize)?.size())
}

/// Which of these numbers, all different, belong to a longest selection that rises.
fn longest_rise(numbers: &[u32]) -> Vec<bool> {
    // The last place of the best rise of each length, and before each place the one it follows.
    let mut ends: Vec<(u32, usize)> = Vec::new();
    let mut before = Vec::with_capacity(numbers.len());
    for (place, number) in numbers.iter().enumerate() {
        let length = ends.partition_point(|(end, _)| end < number);
        let shorter = length.checked_sub(1).and_then(|shorter| ends.get(shorter));
        before.push(shorter.map(|(_, place)| *place));
        match ends.get_mut(length) {
            Some(end) => *end = (*number, place),
            None => ends.push((*number, place)),
        }
    }
    let mut belongs = vec![false; numbers.len()];
    let mut at = ends.last().map(|(_, place)| *place);
    while let Some(place) = at {
        if let Some(belongs) = belongs.get_mut(place) {
            *belongs = true;
        }
        at = before.get(place).copied().flatten();
    }
    belongs
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn of_what_has_moved_as_much_as_possible_stays() {
        assert_eq!(longest_rise(&[]), []);
        assert_eq!(longest_rise(&[3, 0, 1, 2]), [false, true, true, true]);
        assert_eq!(longest_rise(&[1, 2, 3, 0]), [true, true, true, false]);
        assert_eq!(
            longest_rise(&[2, 1, 0])
                .iter()
                .filter(|stays| **stays)
                .count(),
            1
        );
    }

    proptest! {
        #[test]
        fn no_selection_that_rises_is_longer(
            numbers in Just((0..9_u32).collect::<Vec<_>>()).prop_shuffle(),
        ) {
            let rises = |picked: &[u32]| picked.is_sorted();
            let best = (0..1_u32 << numbers.len())
                .map(|mask| {
                    let bit = |place: usize| mask >> place & 1 == 1;
                    let picked = numbers.iter().enumerate().filter(|(place, _)| bit(*place));
                    picked.map(|(_, number)| *number).collect::<Vec<_>>()
                })
                .filter(|picked| rises(picked))
                .map(|picked| picked.len())
                .max();
            let stays = longest_rise(&numbers);
            let kept = numbers.iter().zip(stays).filter(|(_, stays)| *stays);
            let kept: Vec<u32> = kept.map(|(number, _)| *number).collect();
            prop_assert!(rises(&kept));
            prop_assert_eq!(Some(kept.len()), best);
        }
    }
}

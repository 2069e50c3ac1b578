//! Which entries of two archives have the same content, as far as anybody can know.

use std::collections::HashSet;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};

use crate::archive::{Archive, Entry};
use crate::error::{Error, ErrorKind};
use crate::ops::context::{Context, Problem};
use crate::ops::open;
use crate::ops::pool::Pool;
use crate::ops::read::payloads::{Payload, Payloads};

/// What two contents that are the same have in common.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Print {
    /// Of what could be decoded, and of how much that was: less than the size only where it is
    /// damaged.
    keyed: u64,
    crc32: u32,
    damaged: bool,
}

/// What is known of the contents of two archives, by the numbers of their entries.
pub(super) struct Contents {
    one: Vec<Option<Print>>,
    other: Vec<Option<Print>>,
}

impl Contents {
    /// Decodes what can be the same: of these pairs, those of one size, and of the entries that have no
    /// partner, those of a size that one in the other archive has. Entries that cannot be decoded are
    /// reported through `tell`.
    pub(super) fn read(
        context: &Context<'_>,
        [one, other]: [&Archive; 2],
        (pairs, alone): (&[(Entry<'_>, Entry<'_>)], [&[Entry<'_>]; 2]),
        max_expansion: Option<u64>,
        tell: &mut dyn FnMut(Problem),
    ) -> Result<Self, Error> {
        let alike = pairs.iter().filter(|(a, b)| a.size() == b.size());
        let (mut of_one, mut of_other): (Vec<Entry<'_>>, Vec<Entry<'_>>) = alike.copied().unzip();
        let [removed, added] = alone;
        of_one.extend(of_sizes(removed, added));
        of_other.extend(of_sizes(added, removed));
        of_one.sort_unstable_by_key(Entry::index);
        of_other.sort_unstable_by_key(Entry::index);
        let (one, other) = (Payloads::of(one, of_one), Payloads::of(other, of_other));
        one.announce(context, max_expansion)?;
        other.announce(context, max_expansion)?;
        let (pool, key) = (Pool::new(context.jobs), RandomState::new());
        Ok(Self {
            one: prints(context, &pool, &one, &key, tell),
            other: prints(context, &pool, &other, &key, tell),
        })
    }

    /// Whether an entry of the one archive has the content of an entry of the other.
    pub(super) fn are_same(&self, a: &Entry<'_>, b: &Entry<'_>) -> bool {
        let (one, other) = (self.of_one(a), self.of_other(b));
        a.size() == b.size() && one.is_some() && one == other
    }

    /// The content of an entry of the one archive, if it was read.
    pub(super) fn of_one(&self, entry: &Entry<'_>) -> Option<Print> {
        *self.one.get(entry.index())?
    }

    /// The content of an entry of the other archive, if it was read.
    pub(super) fn of_other(&self, entry: &Entry<'_>) -> Option<Print> {
        *self.other.get(entry.index())?
    }
}

impl Print {
    /// Whether all of it is known.
    pub(super) const fn is_sound(&self) -> bool {
        !self.damaged
    }
}

/// Of these entries, those that have bytes, as many as one of the others.
fn of_sizes<'a>(entries: &[Entry<'a>], others: &[Entry<'_>]) -> impl Iterator<Item = Entry<'a>> {
    let sizes: HashSet<u64> = others.iter().map(|entry| entry.size()).collect();
    let is_alike = move |it: &&Entry<'_>| it.size() > 0 && sizes.contains(&it.size());
    entries
        .iter()
        .filter(is_alike)
        .copied()
        .collect::<Vec<_>>()
        .into_iter()
}

/// What is known of the contents of an archive, by the numbers of its entries.
fn prints(
    context: &Context<'_>,
    pool: &Pool,
    payloads: &Payloads<'_>,
    key: &RandomState,
    tell: &mut dyn FnMut(Problem),
) -> Vec<Option<Print>> {
    let decoded = payloads.map(context, pool, |payload| print(payload, key));
    let mut prints = vec![None; payloads.archive().len()];
    payloads.for_each(decoded, |entry, print, error| {
        if let Some(error) = error {
            tell(Problem::error(error));
        }
        if let Some(of_entry) = prints.get_mut(entry.index()) {
            *of_entry = Some(*print);
        }
    });
    if let Some(reserved) = open::reserved(payloads.archive()) {
        tell(reserved);
    }
    prints
}

/// What a payload decodes to, as far as it can be decoded, and the damage.
fn print(payload: Payload<'_>, key: &RandomState) -> (Print, Option<Error>) {
    let (mut len, mut crc32) = (0, crc32fast::Hasher::new());
    let mut keyed = key.build_hasher();
    // Pieces are of one size, so the hash is fed alike for the same content.
    let decoded = payload.decode(&mut |piece| {
        len += piece.len() as u64;
        crc32.update(piece);
        keyed.write(piece);
    });
    keyed.write_u64(len);
    // A stop is no damage; nothing is judged after it.
    let damage = decoded
        .err()
        .filter(|error| !matches!(error.kind(), ErrorKind::Interrupted));
    let print = Print {
        keyed: keyed.finish(),
        crc32: crc32.finalize(),
        damaged: damage.is_some(),
    };
    (print, damage)
}

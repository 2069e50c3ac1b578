//! Which pairs of entries have the same content, as far as anybody can know.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};

use crate::archive::{Archive, Entry};
use crate::error::{Error, ErrorKind};
use crate::ops::context::{Context, Problem};
use crate::ops::open;
use crate::ops::pool::Pool;
use crate::ops::read::payloads::{Payload, Payloads};

/// What two contents that are the same have in common.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Print {
    /// Of what could be decoded, and of how much that was: less than the size only where it is
    /// damaged.
    keyed: u64,
    crc32: u32,
    damaged: bool,
}

/// Whether each of these pairs has the same content. Decodes what can be the same: whatever has the
/// same size. Entries that cannot be decoded are reported through `tell`.
pub(super) fn same(
    context: &Context<'_>,
    [one, other]: [&Archive; 2],
    pairs: &[(Entry<'_>, Entry<'_>)],
    max_expansion: Option<u64>,
    tell: &mut dyn FnMut(Problem),
) -> Result<Vec<bool>, Error> {
    let alike = pairs.iter().filter(|(a, b)| a.size() == b.size());
    let (of_one, mut of_other): (Vec<Entry<'_>>, Vec<Entry<'_>>) = alike.copied().unzip();
    of_other.sort_unstable_by_key(Entry::index);
    let (one, other) = (Payloads::of(one, of_one), Payloads::of(other, of_other));
    one.announce(context, max_expansion)?;
    other.announce(context, max_expansion)?;
    let (pool, key) = (Pool::new(context.jobs), RandomState::new());
    let one = prints(context, &pool, &one, &key, tell);
    let other = prints(context, &pool, &other, &key, tell);
    let of = |prints: &[Option<Print>], entry: &Entry<'_>| *prints.get(entry.index())?;
    let same = pairs.iter().map(|(a, b)| {
        let print = of(&one, a);
        a.size() == b.size() && print.is_some() && print == of(&other, b)
    });
    Ok(same.collect())
}

/// What is known of the contents of an archive, by the numbers of its entries.
fn prints(
    context: &Context<'_>,
    pool: &Pool,
    payloads: &Payloads<'_>,
    key: &RandomState,
    tell: &mut dyn FnMut(Problem),
) -> Vec<Option<Print>> {
    let mut decoded = payloads.map(context, pool, |payload| print(payload, key));
    let mut prints = vec![None; payloads.archive().len()];
    for (entry, payload) in payloads.entries() {
        let Some((print, damage)) = decoded.get_mut(payload) else {
            continue;
        };
        if print.damaged {
            let error = payloads.error((entry, payload), damage);
            tell(Problem::error(error));
        }
        if let Some(of_entry) = prints.get_mut(entry.index()) {
            *of_entry = Some(*print);
        }
    }
    open::reserved(payloads.archive())
        .into_iter()
        .for_each(tell);
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
    let stopped = |error: &Error| matches!(error.kind(), ErrorKind::Interrupted);
    let damage = decoded.err().filter(|it| !it.as_ref().is_some_and(stopped));
    let print = Print {
        keyed: keyed.finish(),
        crc32: crc32.finalize(),
        damaged: damage.is_some(),
    };
    (print, damage.flatten())
}

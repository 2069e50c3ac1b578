//! Splits: where a new block with codes of its own is worth what it costs to tell them.
//!
//! Tokens are cut into small pieces, and of two neighbours those are joined first that gain most by it,
//! until none gain.

use super::symbols::Token;
use super::tally::Tally;

/// How many tokens make a piece.
const PIECE: usize = 1024;

/// A run of tokens that make a block.
pub(super) struct Split {
    /// How many tokens.
    pub(super) tokens: usize,
    pub(super) tally: Tally,
    cost: u64,
    /// What it and the next one cost as one.
    joined: u64,
}

/// Cuts tokens into blocks.
pub(super) fn split(tokens: &[Token]) -> Vec<Split> {
    let mut splits: Vec<Split> = (tokens.chunks(PIECE))
        .map(|tokens| {
            let tally = Tally::of(tokens);
            Split {
                tokens: tokens.len(),
                cost: tally.cost(),
                tally,
                joined: u64::MAX,
            }
        })
        .collect();
    for at in 0..splits.len() {
        rate(&mut splits, at);
    }
    loop {
        let pairs = splits.iter().zip(splits.iter().skip(1)).enumerate();
        let gains = pairs.filter_map(|(at, (a, b))| {
            let gain = (a.cost + b.cost).checked_sub(a.joined)?;
            Some((gain, at))
        });
        // The first one of those that gain the same.
        let Some((_, at)) = gains.max_by_key(|(gain, at)| (*gain, core::cmp::Reverse(*at))) else {
            return splits;
        };
        let next = splits.remove(at + 1);
        if let Some(split) = splits.get_mut(at) {
            split.tokens += next.tokens;
            split.tally = split.tally.with(&next.tally);
            split.cost = split.joined;
        }
        rate(&mut splits, at);
        if let Some(before) = at.checked_sub(1) {
            rate(&mut splits, before);
        }
    }
}

/// Finds out what a piece and the next one cost as one.
fn rate(splits: &mut [Split], at: usize) {
    let mut rest = splits.iter_mut().skip(at);
    if let Some(split) = rest.next() {
        let next = rest.next();
        split.joined = next.map_or(u64::MAX, |next| split.tally.with(&next.tally).cost());
    }
}

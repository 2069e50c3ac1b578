//! Which streams an encoder may write.

/// What a stream may hold, by who is to read it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Profile {
    /// No copy is longer than its distance. Every reader that is known takes such streams; some
    /// tools decode other copies wrongly, or not at all.
    #[default]
    Compatible,
    /// Copies may read what they have just written, as the game allows: 1 to 3 % smaller.
    Overlapping,
}

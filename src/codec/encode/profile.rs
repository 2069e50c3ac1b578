//! Which tokens an encoder may write.

/// The tokens that a stream may contain, depending on its readers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Profile {
    /// No copy is longer than its distance. Every known reader accepts such streams; some tools decode
    /// longer copies wrongly, or not at all.
    #[default]
    Compatible,
    /// Copies may read what they have just written, as the game allows. Streams are 1 to 3 % smaller.
    Overlapping,
}

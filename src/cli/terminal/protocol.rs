//! The ways in which pictures are drawn.

/// How pictures are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Protocol {
    /// kitty's.
    Kitty,
    /// iTerm2's.
    Iterm2,
    /// Sixels.
    Sixel,
    /// Half blocks.
    Blocks(Colours),
}

/// The colours of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Colours {
    /// Any.
    All,
    /// 256 of them.
    Some,
}

//! The first picture of a film of Quake II.
//!
//! Pixels are coded as Huffman's codes of a byte, one tree for each byte that can stand before it; before
//! the first stands 0. For each tree the file has 256 counts, from which it is built: again and again the
//! two nodes of the smallest count become one, and of equal counts the one that was there first is taken
//! first. Bits come from the lowest of each byte.
//!
//! | bytes        | what                                                       |
//! |--------------|------------------------------------------------------------|
//! | 0, 4         | width, height                                              |
//! | 20           | 256 times 256 counts                                       |
//! | 65,556       | a picture's command: 1 a palette follows, 2 the film ends  |
//! | behind it    | the palette; length; number of pixels; codes               |

use super::frame::{Frame, Pixels};
use crate::media::input::{Budget, Input, PictureError, size, wrong};
use crate::media::palette;

/// Where the counts stand, and where the first picture does.
const COUNTS: usize = 20;
const FIRST: usize = 65_556;

pub(super) fn decode(input: Input<'_>, budget: &mut Budget) -> Result<Vec<Frame>, PictureError> {
    let sides = input.sides(0)?;
    let mut at = FIRST;
    let command = input.long("the first command", at)?;
    at = at.saturating_add(4);
    let palette = match command {
        0 => None,
        1 => {
            let palette = palette::of_triples(input, at)?;
            at = at.saturating_add(768);
            Some(palette)
        }
        _ => return Err(wrong("the first command", FIRST, "0 or 1", command)),
    };
    let len = size(input.long("the length of the picture", at)?);
    let start = at.saturating_add(4);
    let coded = Input(input.take("the picture", start, len)?);
    let area = budget.area(0, sides.0, sides.1)?;
    let count = input.long("the number of pixels", start)?;
    if size(count) != area {
        let expected = "the picture's width times its height";
        return Err(wrong("the number of pixels", start, expected, count));
    }
    let codes = coded.0.get(4..).unwrap_or_default();
    // A pixel takes a bit at least.
    coded.take("the codes of pixels", 4, area.div_ceil(8))?;
    let counts = input.take("the counts of bytes", COUNTS, 65_536)?;
    let indices = unpack(counts, codes, area).ok_or(PictureError::Short {
        what: "the codes of pixels",
        offset: start.saturating_add(4) as u64,
        expected: codes.len().saturating_add(1) as u64,
        found: codes.len() as u64,
    })?;
    let pixels = Pixels::indexed(sides, indices, palette, None);
    Ok(vec![Frame::only(pixels)])
}

/// The two nodes below each that is no byte, from number 256 on, and the number of the uppermost.
struct Tree {
    nodes: Vec<[u16; 2]>,
    root: u16,
}

impl Tree {
    /// The tree of these counts; a byte that is counted 0 times is not in it.
    fn new(counts: &[u8]) -> Self {
        let leafs = (0_u16..).zip(counts).filter(|(_, count)| **count > 0);
        let mut leafs: Vec<(u32, u16)> =
            leafs.map(|(byte, count)| ((*count).into(), byte)).collect();
        leafs.sort_unstable();
        let mut leafs = leafs.into_iter().peekable();
        // Nodes are made in the order of their counts, so the first is always the smallest.
        let mut made = std::collections::VecDeque::new();
        let mut nodes = Vec::new();
        let mut root = 0;
        loop {
            let mut smallest = || match (leafs.peek(), made.front()) {
                (Some(leaf), Some(node)) if node < leaf => made.pop_front(),
                (None, _) => made.pop_front(),
                _ => leafs.next(),
            };
            let Some(first) = smallest() else { break };
            root = first.1;
            let Some(second) = smallest() else { break };
            let number = 256_usize.saturating_add(nodes.len());
            nodes.push([first.1, second.1]);
            let number = u16::try_from(number).unwrap_or(u16::MAX);
            made.push_back((first.0.saturating_add(second.0), number));
        }
        Self { nodes, root }
    }
}

/// The bytes that these codes stand for; none where the codes end before, or say nothing.
fn unpack(counts: &[u8], codes: &[u8], area: usize) -> Option<Vec<u8>> {
    let mut trees: Vec<Option<Tree>> = Vec::new();
    trees.resize_with(256, || None);
    let mut out = Vec::with_capacity(area);
    let mut bits = codes
        .iter()
        .flat_map(|byte| [0, 1, 2, 3, 4, 5, 6, 7].map(|bit| usize::from(byte >> bit & 1)));
    let mut before = 0;
    while out.len() < area {
        let slot = trees.get_mut(usize::from(before))?;
        let tree = match slot {
            Some(tree) => tree,
            None => {
                let start = usize::from(before).checked_mul(256)?;
                slot.insert(Tree::new(counts.get(start..)?.get(..256)?))
            }
        };
        let mut node = tree.root;
        // A tree of one byte or of none has no codes, and no film of the game's makers has one in use.
        if node < 256 {
            return None;
        }
        while let Some(below) = node.checked_sub(256) {
            node = *tree.nodes.get(usize::from(below))?.get(bits.next()?)?;
        }
        before = u8::try_from(node).ok()?;
        out.push(before);
    }
    Some(out)
}

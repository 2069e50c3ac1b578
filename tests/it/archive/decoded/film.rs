//! A film of Quake II with one picture, coded by a slow encoder of its own.

use super::files::File;

/// The nodes of a tree, built as the game builds it: of all nodes without one above, the smallest that is
/// found first, twice; then all over again.
fn nodes(counts: &[u8]) -> Vec<(usize, usize)> {
    let mut open: Vec<(usize, u32)> = counts
        .iter()
        .enumerate()
        .filter(|it| *it.1 > 0)
        .map(|(at, count)| (at, u32::from(*count)))
        .collect();
    let mut nodes = Vec::new();
    while open.len() > 1 {
        let mut pick = || {
            let least = open.iter().map(|it| it.1).min().unwrap();
            let at = open.iter().position(|it| it.1 == least).unwrap();
            open.remove(at)
        };
        let (first, second) = (pick(), pick());
        open.push((256 + nodes.len(), first.1 + second.1));
        nodes.push((first.0, second.0));
    }
    nodes
}

/// The bits that stand for a byte, from the uppermost node on.
fn code(nodes: &[(usize, usize)], byte: u8) -> Vec<bool> {
    let mut bits = Vec::new();
    let mut at = usize::from(byte);
    while let Some(above) = nodes.iter().position(|it| it.0 == at || it.1 == at) {
        bits.push(nodes[above].1 == at);
        at = 256 + above;
    }
    bits.reverse();
    bits
}

/// A film of this picture.
pub(super) fn file(width: u32, height: u32, pixels: &[u8], palette: &[u8]) -> Vec<u8> {
    let mut counts = vec![0_u8; 65_536];
    let mut before = 0;
    for pixel in pixels {
        let counts = &mut counts[256 * before..][..256];
        counts[usize::from(*pixel)] = counts[usize::from(*pixel)].saturating_add(1);
        // A tree of one byte has no code for it.
        counts[usize::from(pixel.wrapping_add(7))] |= 1;
        before = usize::from(*pixel);
    }
    let mut trees = vec![None; 256];
    let mut bits = Vec::new();
    before = 0;
    for pixel in pixels {
        let tree = trees[before].get_or_insert_with(|| nodes(&counts[256 * before..][..256]));
        bits.extend(code(tree, *pixel));
        before = usize::from(*pixel);
    }
    let byte = |bits: &[bool]| {
        bits.iter()
            .rev()
            .fold(0_u8, |byte, bit| byte << 1 | u8::from(*bit))
    };
    let codes: Vec<u8> = bits.chunks(8).map(byte).collect();
    let len = u32::try_from(codes.len() + 4).unwrap();
    let header = File::new(20).longs(0, &[width, height, 22_050, 2, 1]);
    let picture = File::new(8).longs(0, &[len, u32::try_from(pixels.len()).unwrap()]);
    let palette = File::new(4).longs(0, &[1]).then(palette);
    header
        .then(&counts)
        .then(&palette.0)
        .then(&picture.0)
        .then(&codes)
        .then(&[2, 0, 0, 0])
        .0
}

//! A map drawn from above: its edges as lines of an SVG, x to the right and y up.
//!
//! | map                 | points           | lines                         |
//! |---------------------|------------------|-------------------------------|
//! | BSP 29, 30          | lump 3, 12 bytes | lump 12: two numbers of 16 bits |
//! | BSP2, 2PSB          | the same         | lump 12: two numbers of 32 bits |
//! | IBSP 38, 41         | lump 2           | lump 11: two numbers of 16 bits |
//! | QBSP 38             | lump 2           | lump 11: two numbers of 32 bits |
//!
//! Maps of Quake III have no edges, and are not drawn. Lines have the same width on small and large drawings. Lines
//! that coincide are drawn once. If there are too many, the shortest are left out, and the `desc` of the SVG says so.
//! The same map gives the same bytes on every machine.

use std::cmp::Reverse;
use std::fmt::Write as _;

use super::types::bsp::Map;
use crate::archive::ReadAt;
use crate::archive::bytes::{Cursor, Short};
use crate::format::map::{MapError, Naming, check_count};

/// The longer side of a drawing. The other side is shorter.
const SIDE: f32 = 4096.0;

/// The greatest coordinate of a point: several times more than in any map.
const FAR: f32 = 1e6;

/// The most points of a map that are read, and the most edges.
const POINTS_MAX: u64 = 1 << 19;
const EDGES_MAX: u64 = 1 << 20;

/// An edge: the two points between which it is.
type Edge = [[f32; 2]; 2];

/// A line on the page: start and end.
type DrawnLine = [u16; 4];

/// Draws a map with at most `lines_max` lines. `None` for a map of Quake III.
///
/// # Errors
/// If it is not a map, cannot be read, or has more edges than any real map.
pub fn drawing(source: &impl ReadAt, lines_max: usize) -> Result<Option<String>, MapError> {
    let map = Map::read(source)?;
    let (point_lump, edge_lump) = match map.header.kind.naming {
        Naming::Miptex(_) => (3, 12),
        Naming::Texinfo => (2, 11),
        Naming::Shaders => return Ok(None),
    };
    let mut points = Vec::new();
    read(&map, point_lump, "vertexes", 12, POINTS_MAX, |mut point| {
        let (x, y) = (point.f32("x")?, point.f32("y")?);
        let is_near = x.abs() <= FAR && y.abs() <= FAR;
        points.push(is_near.then_some([x, y]));
        Ok(())
    })?;
    let point = |number: u32| *points.get(usize::try_from(number).ok()?)?;
    let is_wide = map.header.kind.is_wide;
    let mut edges: Vec<Edge> = Vec::new();
    let len = if is_wide { 8 } else { 4 };
    let count = read(&map, edge_lump, "edges", len, EDGES_MAX, |mut edge| {
        let mut end = || {
            if is_wide { edge.u32("a point") } else { edge.u16("a point").map(u32::from) }
        };
        // Without both points there is no line.
        if let (Some(from), Some(to)) = (point(end()?), point(end()?)) {
            edges.push([from, to]);
        }
        Ok(())
    })?;
    Ok(Some(svg(&edges, count, lines_max)))
}

/// Reads the records of a lump, and returns how many there are.
fn read(
    map: &Map<'_>,
    number: usize,
    part: &'static str,
    len: usize,
    most: u64,
    take: impl FnMut(Cursor<'_>) -> Result<(), Short>,
) -> Result<u64, MapError> {
    let mut lump = map.header.lump(number);
    let count = lump.len.checked_div(len as u64).unwrap_or(0);
    check_count(part, count, most)?;
    // An incomplete record at the end is ignored.
    lump.len = count.saturating_mul(len as u64);
    map.records(lump, part, len, take)?;
    Ok(count)
}

/// Draws these of `count` edges.
fn svg(edges: &[Edge], count: u64, lines_max: usize) -> String {
    let (mut left, mut right) = (f32::INFINITY, f32::NEG_INFINITY);
    let (mut bottom, mut top) = (left, right);
    for [x, y] in edges.as_flattened() {
        (left, right) = (left.min(*x), right.max(*x));
        (bottom, top) = (bottom.min(*y), top.max(*y));
    }
    // Without any edges the bounds are reversed.
    let (width, height) = ((right - left).max(0.0), (top - bottom).max(0.0));
    // Page units per map unit.
    let scale = SIDE / width.max(height).max(1.0);
    let mut lines: Vec<DrawnLine> = Vec::new();
    for edge in edges {
        let ends = edge.map(|[x, y]| [on_page((x - left) * scale), on_page((top - y) * scale)]);
        let [from, to] = ends;
        let ([x, y], [to_x, to_y]) = (from.min(to), from.max(to));
        if from != to {
            lines.push([x, y, to_x, to_y]);
        }
    }
    lines.sort_unstable();
    lines.dedup();
    let is_short = lines.len() > lines_max;
    if is_short {
        lines.sort_unstable_by_key(|line| (Reverse(length(*line)), *line));
        lines.truncate(lines_max);
        lines.sort_unstable();
    }
    let mut words = format!("A map from above: {} lines of {count} edges.", lines.len());
    let shortest = lines.iter().map(|line| length(*line)).min();
    if let Some(shortest) = shortest.filter(|_| is_short) {
        #[expect(clippy::cast_precision_loss, reason = "it is shown as a whole number")]
        let units = ((shortest as f32).sqrt() / scale).ceil();
        words += &format!(" Of those that are at most {units} units long, some are left out.");
    }
    let page = [width, height].map(|side| on_page(side * scale).max(1).saturating_add(16));
    let [width, height] = page;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-8 -8 {width} {height}\" fill=\"none\" \
         stroke=\"currentColor\" stroke-width=\".6\" stroke-linecap=\"round\">\
         <desc>{words}</desc><path vector-effect=\"non-scaling-stroke\" d=\""
    );
    for [x, y, to_x, to_y] in lines.iter().map(|line| line.map(i32::from)) {
        let (right, down) = (to_x.saturating_sub(x), to_y.saturating_sub(y));
        // Writing into memory does not fail.
        let _ = write!(svg, "M{x} {y}l{right} {down}");
    }
    svg.push_str("\"/></svg>\n");
    svg
}

/// The length of a line, squared.
fn length([x, y, to_x, to_y]: DrawnLine) -> u64 {
    let square = |side: u16| u64::from(side).saturating_mul(side.into());
    square(x.abs_diff(to_x)).saturating_add(square(y.abs_diff(to_y)))
}

/// A page coordinate as a whole number.
fn on_page(place: f32) -> u16 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within the page")]
    let whole = place.round().clamp(0.0, SIDE) as u16;
    whole
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::media::tests::{map, samples};
    use proptest::prelude::*;

    fn floats(points: &[[f32; 3]], len: usize) -> Vec<u8> {
        let mut all = Vec::new();
        for point in points {
            let begin = all.len();
            all.extend(point.map(f32::to_le_bytes).concat());
            all.resize(begin + len, 0);
        }
        all
    }

    fn shorts(edges: &[[u16; 2]]) -> Vec<u8> {
        edges.iter().flatten().flat_map(|it| it.to_le_bytes()).collect()
    }

    fn longs(numbers: &[u32]) -> Vec<u8> {
        numbers.iter().flat_map(|it| it.to_le_bytes()).collect()
    }

    /// A wall of 512 x 256 with its floor and its ceiling, and a point far away that no edge uses.
    const BOX: [[f32; 3]; 6] = [
        [9999.0, 0.0, 0.0],
        [-256.0, -128.0, 0.0],
        [256.0, -128.0, 0.0],
        [256.0, 128.0, 0.0],
        [-256.0, 128.0, 0.0],
        [-256.0, -128.0, 64.0],
    ];
    const EDGES: [[u16; 2]; 6] = [[1, 2], [2, 3], [3, 4], [4, 1], [1, 5], [2, 5]];

    fn svg(file: &[u8]) -> String {
        drawing(&file, 20_000).unwrap().unwrap()
    }

    /// Drawn by hand: 512 units are 4096 of the page. The wall's height vanishes, and the second edge
    /// equals the first.
    const DRAWN: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-8 -8 4112 2064\" fill=\"none\" \
        stroke=\"currentColor\" stroke-width=\".6\" stroke-linecap=\"round\">\
        <desc>A map from above: 4 lines of 6 edges.</desc>\
        <path vector-effect=\"non-scaling-stroke\" d=\"M0 0l0 2048M0 0l4096 0M0 2048l4096 0M4096 0l0 2048\"/></svg>\n";

    #[test]
    fn edges_of_every_map_are_seen_from_above() {
        let (points, edges) = (floats(&BOX, 12), shorts(&EDGES));
        let wide: Vec<u8> =
            longs(&EDGES.as_flattened().iter().map(|it| u32::from(*it)).collect::<Vec<_>>());
        let quake = |magic: &[u8], edges: &[u8]| map(magic, 15, &[(3, &points), (12, edges)]);
        let quake2 =
            |magic: &[u8], lumps, edges: &[u8]| map(magic, lumps, &[(2, &points), (11, edges)]);
        for (file, of) in [
            (quake(b"\x1D\0\0\0", &edges), "29"),
            (quake(b"\x1E\0\0\0", &edges), "30"),
            (quake(b"BSP2", &wide), "BSP2"),
            (quake2(b"IBSP\x26\0\0\0", 19, &edges), "38"),
            (quake2(b"IBSP\x29\0\0\0", 21, &edges), "41"),
            (quake2(b"QBSP\x26\0\0\0", 19, &wide), "QBSP"),
        ] {
            assert_eq!(svg(&file), DRAWN, "{of}");
        }
    }

    #[test]
    fn the_longest_lines_stay_where_there_are_too_many() {
        // Lines of 1 to 1,000 units, and one of them many times.
        let mut points = vec![[0.0; 3]];
        let mut edges = Vec::new();
        for number in 1..=1000_u16 {
            points.push([f32::from(number), 0.0, 0.0]);
            edges.extend([[0, number], [number, 0]]);
        }
        let lumps = [(3, &floats(&points, 12)[..]), (12, &shorts(&edges))];
        let file = map(b"\x1D\0\0\0", 15, &lumps);
        let svg = drawing(&file, 10).unwrap().unwrap();
        let words =
            "10 lines of 2000 edges. Of those that are at most 991 units long, some are left out.";
        assert!(svg.contains(words), "{svg}");
        assert_eq!(svg.matches('M').count(), 10);
        assert!(svg.contains("M0 0l4096 0\"") && svg.contains("\"M0 0l4059 0"), "{svg}");
        assert!(!drawing(&file, 1000).unwrap().unwrap().contains("left out"));
    }

    #[test]
    fn a_map_of_nothing_is_an_empty_page() {
        let empty = map(b"\x1D\0\0\0", 15, &[]);
        assert!(svg(&empty).contains("viewBox=\"-8 -8 17 17\"") && svg(&empty).contains("d=\"\""));
        // Points with impossible coordinates, and edges to points that do not exist.
        let nowhere = floats(&[[f32::NAN, 0.0, 0.0], [1e30, 0.0, 0.0], [5.0, 5.0, 5.0]], 12);
        let edges = shorts(&[[0, 2], [1, 2], [2, 3], [2, 2], [700, 800]]);
        let file = map(b"\x1D\0\0\0", 15, &[(3, &nowhere), (12, &edges)]);
        assert!(svg(&file).contains("0 lines of 5 edges") && svg(&file).contains("d=\"\""));
        assert!(matches!(drawing(b"PACK", 1), Err(MapError::NotAMap)));
        let without_edges = map(b"IBSP\x2E\0\0\0", 17, &[]);
        assert_eq!(drawing(&without_edges, 1).unwrap(), None);
    }

    proptest! {
        #[test]
        fn no_bytes_do_harm(
            which in 0..9_usize,
            changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..60),
            points in proptest::collection::vec(any::<[f32; 3]>(), 0..20),
        ) {
            let file_types: Vec<_> = samples().into_iter().take(9).collect();
            let magic_and_lumps = &file_types[which].1;
            let count = match which { 0..=3 => 15, 4 | 5 => 19, 6 => 21, _ => 17 };
            let magic = &magic_and_lumps[..if which < 4 { 4 } else { 8 }];
            let lumps: Vec<Vec<u8>> = (0..count).map(|_| floats(&points, 12)).collect();
            let lumps: Vec<(usize, &[u8])> = lumps.iter().enumerate().map(|(n, it)| (n, &it[..])).collect();
            let mut file = map(magic, count, &lumps);
            for (at, value) in changes {
                let at = at.index(file.len());
                file[at] = value;
            }
            if let Ok(Some(svg)) = drawing(&file, 5) {
                prop_assert!(svg.matches('M').count() <= 5);
                prop_assert!(svg.len() < 600);
            }
        }
    }
}

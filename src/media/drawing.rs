//! A map drawn from above: its edges as lines of an SVG, x to the right and y up.
//!
//! | map                 | points       | lines                                                            |
//! |---------------------|--------------|------------------------------------------------------------------|
//! | BSP 29, 30          | lump 3, 12 bytes | lump 12: two numbers of 16 bits                               |
//! | BSP2, 2PSB          | the same     | lump 12: two numbers of 32 bits                                    |
//! | IBSP 38, 41         | lump 2       | lump 11: two numbers of 16 bits                                    |
//! | QBSP 38             | lump 2       | lump 11: two numbers of 32 bits                                    |
//! | IBSP 46, 47         | lump 10, 44 bytes | lump 13, surfaces of 104 bytes: the outer edges of their triangles, or the border of a patch |
//!
//! Lines have the same width on small and large drawings. Lines that coincide are drawn once. If there are
//! too many, the shortest are left out, and the `desc` of the SVG says so. The same map gives the same
//! bytes on every machine.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::types::bsp::{Map, MapError, Naming, check_count};
use crate::archive::{Extent, ReadAt};

/// The longer side of a drawing. The other side is shorter.
const SIDE: f32 = 4096.0;

/// The greatest coordinate of a point: several times more than in any map.
const FAR: f32 = 1e6;

/// The most points and surfaces of a map that are read, and the most edges and corner numbers.
const POINTS_MAX: u64 = 1 << 19;
const EDGES_MAX: u64 = 1 << 20;

/// Points as seen from above, or `None` for a point with impossible coordinates.
type Points = Vec<Option<[f32; 2]>>;

/// Draws a map with at most `lines_max` lines.
///
/// # Errors
/// If it is not a map, cannot be read, or has more edges than any real map.
pub fn drawing(source: &impl ReadAt, lines_max: usize) -> Result<String, MapError> {
    let map = Map::read(source)?;
    let (points, edges) = match map.layout.naming {
        Naming::Shaders => of_surfaces(&map)?,
        Naming::Texinfo => (points(&map, 2, 12)?, edges(&map, 11)?),
        Naming::Miptex => (points(&map, 3, 12)?, edges(&map, 12)?),
    };
    Ok(Drawing::new(&points, &edges).to_svg(lines_max))
}

/// A lump of at most `most` records of this length.
fn lump(
    map: &Map<'_>,
    number: usize,
    record: usize,
    part: &'static str,
    most: u64,
) -> Result<Extent, MapError> {
    let mut lump = map.lump(number);
    let found = lump.len.checked_div(record as u64).unwrap_or(0);
    check_count(part, found, most)?;
    // An incomplete record at the end is ignored.
    lump.len = found.saturating_mul(record as u64);
    Ok(lump)
}

/// Reads the points at the beginning of records of this length.
fn points(map: &Map<'_>, number: usize, record: usize) -> Result<Points, MapError> {
    let mut points = Vec::new();
    let lump = lump(map, number, record, "vertexes", POINTS_MAX)?;
    map.records(lump, "vertexes", record, |mut point| {
        let (x, y) = (point.f32("x")?, point.f32("y")?);
        let is_near = x.abs() <= FAR && y.abs() <= FAR;
        points.push(is_near.then_some([x, y]));
        Ok(())
    })?;
    Ok(points)
}

/// Reads edges between points.
fn edges(map: &Map<'_>, number: usize) -> Result<Vec<[u32; 2]>, MapError> {
    let record = if map.layout.is_wide { 8 } else { 4 };
    let lump = lump(map, number, record, "edges", EDGES_MAX)?;
    let mut edges = Vec::new();
    map.records(lump, "edges", record, |mut edge| {
        edges.push(if map.layout.is_wide {
            [edge.u32("a point")?, edge.u32("a point")?]
        } else {
            [edge.u16("a point")?.into(), edge.u16("a point")?.into()]
        });
        Ok(())
    })?;
    Ok(edges)
}

/// A surface of a map of Quake III.
struct Surface {
    kind: u32,
    first_point: u32,
    points: u32,
    first_corner: u32,
    corners: u32,
    /// The width and height of a patch, in points.
    sides: [u32; 2],
}

/// The points of a map of Quake III, and the outer edges of its surfaces.
fn of_surfaces(map: &Map<'_>) -> Result<(Points, Vec<[u32; 2]>), MapError> {
    let points = points(map, 10, 44)?;
    let mut corners: Vec<u32> = Vec::new();
    let numbers = lump(map, 11, 4, "drawindexes", EDGES_MAX)?;
    map.records(numbers, "drawindexes", 4, |mut number| {
        corners.push(number.u32("a corner")?);
        Ok(())
    })?;
    let surfaces = lump(map, 13, 104, "surfaces", POINTS_MAX)?;
    let mut edges = Vec::new();
    // Each corner belongs to one surface. Hostile surfaces may all claim the same corners, so there is a
    // limit.
    let mut left = EDGES_MAX;
    map.records(surfaces, "surfaces", 104, |record| {
        let number = |at: usize| record.at(at).u32("a surface");
        let surface = Surface {
            kind: number(8)?,
            first_point: number(12)?,
            points: number(16)?,
            first_corner: number(20)?,
            corners: number(24)?,
            sides: [number(96)?, number(100)?],
        };
        let cost = u64::from(surface.corners).saturating_add(surface.points.into());
        if cost <= left && edges.len() as u64 <= EDGES_MAX {
            left = left.saturating_sub(cost);
            match surface.kind {
                // Flat faces, and models.
                1 | 3 => surface.outside_of_triangles(&corners, &mut edges),
                2 => surface.border(&mut edges),
                _ => {}
            }
        }
        Ok(())
    })?;
    Ok((points, edges))
}

impl Surface {
    /// Adds the edges that belong to only one triangle.
    fn outside_of_triangles(&self, corners: &[u32], edges: &mut Vec<[u32; 2]>) {
        let place = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
        let own = corners.get(place(self.first_corner)..);
        let own = own.and_then(|own| own.get(..place(self.corners)));
        let mut counts: BTreeMap<[u32; 2], u32> = BTreeMap::new();
        for triangle in own.unwrap_or_default().chunks_exact(3) {
            let [a, b, c] = *triangle else { continue };
            for (from, to) in [(a, b), (b, c), (c, a)] {
                let count = counts.entry([from.min(to), from.max(to)]).or_default();
                *count = count.saturating_add(1);
            }
        }
        let once = counts.into_iter().filter(|(_, count)| *count == 1);
        edges.extend(once.map(|(edge, _)| edge.map(|it| self.first_point.saturating_add(it))));
    }

    /// Adds the border of a patch: every second point is on the surface.
    fn border(&self, edges: &mut Vec<[u32; 2]>) {
        let [width, height] = self.sides;
        if width < 3 || height < 3 || width.checked_mul(height) != Some(self.points) {
            return;
        }
        let point = |x: u32, y: u32| {
            let own = y.saturating_mul(width).saturating_add(x);
            self.first_point.saturating_add(own)
        };
        let (right, bottom) = (width.saturating_sub(1), height.saturating_sub(1));
        for x in (2..width).step_by(2) {
            let before = x.saturating_sub(2);
            edges.extend([0, bottom].map(|y| [point(before, y), point(x, y)]));
        }
        for y in (2..height).step_by(2) {
            let before = y.saturating_sub(2);
            edges.extend([0, right].map(|x| [point(x, before), point(x, y)]));
        }
    }
}

/// Edges between points, and the bounds of the drawing.
struct Drawing<'a> {
    points: &'a Points,
    edges: &'a [[u32; 2]],
    left: f32,
    top: f32,
    /// Page units per map unit.
    scale: f32,
    width: u16,
    height: u16,
}

/// A line on the page: start and end.
type DrawnLine = [u16; 4];

/// Its length, squared.
fn length(line: DrawnLine) -> u64 {
    let [x, y, to_x, to_y] = line.map(u64::from);
    let square = |side: u64| side.saturating_mul(side);
    square(x.abs_diff(to_x)).saturating_add(square(y.abs_diff(to_y)))
}

impl<'a> Drawing<'a> {
    fn new(points: &'a Points, edges: &'a [[u32; 2]]) -> Self {
        let (mut low, mut high) = ([f32::INFINITY; 2], [f32::NEG_INFINITY; 2]);
        let ends = edges.iter().filter_map(|edge| ends(points, edge));
        for point in ends.flatten() {
            for ((low, high), place) in low.iter_mut().zip(&mut high).zip(point) {
                *low = low.min(place);
                *high = high.max(place);
            }
        }
        let ([left, bottom], [right, top]) = (low, high);
        // Without any edges the bounds are reversed.
        let (width, height) = ((right - left).max(0.0), (top - bottom).max(0.0));
        let scale = SIDE / width.max(height).max(1.0);
        Self {
            points,
            edges,
            left,
            top,
            scale,
            width: on_page(width * scale),
            height: on_page(height * scale),
        }
    }

    /// An edge on the page, or `None` if it is a point there.
    fn line(&self, edge: &[u32; 2]) -> Option<DrawnLine> {
        let [from, to] = ends(self.points, edge)?.map(|[x, y]| {
            let place = [(x - self.left) * self.scale, (self.top - y) * self.scale];
            place.map(on_page)
        });
        let ([x, y], [to_x, to_y]) = (from.min(to), from.max(to));
        (from != to).then_some([x, y, to_x, to_y])
    }

    fn to_svg(&self, lines_max: usize) -> String {
        let lines = self.edges.iter().filter_map(|edge| self.line(edge));
        let mut lines: Vec<DrawnLine> = lines.collect();
        lines.sort_unstable();
        lines.dedup();
        let is_short = lines.len() > lines_max;
        if is_short {
            lines.sort_unstable_by_key(|line| (Reverse(length(*line)), *line));
            lines.truncate(lines_max);
            lines.sort_unstable();
        }
        let mut words =
            format!("A map from above: {} lines of {} edges.", lines.len(), self.edges.len());
        let shortest = lines.iter().map(|line| length(*line)).min();
        if let Some(shortest) = shortest.filter(|_| is_short) {
            #[expect(clippy::cast_precision_loss, reason = "it is shown as a whole number")]
            let units = ((shortest as f32).sqrt() / self.scale).ceil();
            // Writing into memory does not fail.
            let _ =
                write!(words, " Of those that are at most {units} units long, some are left out.");
        }
        let (width, height) = (self.width.max(1), self.height.max(1));
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-8 -8 {} {}\" fill=\"none\" \
             stroke=\"currentColor\" stroke-width=\".6\" stroke-linecap=\"round\">\
             <desc>{words}</desc><path vector-effect=\"non-scaling-stroke\" d=\"",
            width.saturating_add(16),
            height.saturating_add(16),
        );
        for [x, y, to_x, to_y] in lines.iter().map(|line| line.map(i32::from)) {
            let (right, down) = (to_x.saturating_sub(x), to_y.saturating_sub(y));
            let _ = write!(svg, "M{x} {y}l{right} {down}");
        }
        svg.push_str("\"/></svg>\n");
        svg
    }
}

/// The end points of an edge, if both exist.
fn ends(points: &Points, edge: &[u32; 2]) -> Option<[[f32; 2]; 2]> {
    let point = |number: u32| *points.get(usize::try_from(number).ok()?)?;
    let [from, to] = *edge;
    Some([point(from)?, point(to)?])
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
        drawing(&file, 20_000).unwrap()
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
    fn only_outlines_of_meshes_and_patches_are_drawn() {
        let surface = |numbers: [u32; 5], sides: [u32; 2]| {
            let mut record = vec![0; 104];
            record[8..28].copy_from_slice(&longs(&numbers));
            record[96..].copy_from_slice(&longs(&sides));
            record
        };
        let points = floats(&BOX, 44);
        // Two triangles, whose corners are numbered from point 1.
        let face = surface([1, 1, 4, 3, 6], [0, 0]);
        let corners = longs(&[9, 9, 9, 0, 1, 2, 0, 2, 3]);
        let flare = surface([4, 0, 6, 0, 9], [0, 0]);
        let surfaces = [face, flare].concat();
        let file = map(b"IBSP\x2E\0\0\0", 17, &[(10, &points), (11, &corners), (13, &surfaces)]);
        assert_eq!(svg(&file), DRAWN.replace("6 edges", "4 edges"));
        // Three by three points. Those in the middle of a side are above it and are not drawn.
        let grid: Vec<[f32; 3]> =
            (0..9_u8).map(|it| [f32::from(it % 3) * 64.0, f32::from(it / 3) * 64.0, 0.0]).collect();
        let patch = surface([2, 0, 9, 0, 0], [3, 3]);
        let file = map(b"IBSP\x2E\0\0\0", 17, &[(10, &floats(&grid, 44)), (13, &patch)]);
        let lines = "M0 0l0 4096M0 0l4096 0M0 4096l4096 0M4096 0l0 4096";
        assert!(svg(&file).contains(lines), "{}", svg(&file));
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
        let svg = drawing(&file, 10).unwrap();
        let words =
            "10 lines of 2000 edges. Of those that are at most 991 units long, some are left out.";
        assert!(svg.contains(words), "{svg}");
        assert_eq!(svg.matches('M').count(), 10);
        assert!(svg.contains("M0 0l4096 0\"") && svg.contains("\"M0 0l4059 0"), "{svg}");
        assert!(!drawing(&file, 1000).unwrap().contains("left out"));
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
            if let Ok(svg) = drawing(&file, 5) {
                prop_assert!(svg.matches('M').count() <= 5);
                prop_assert!(svg.len() < 600);
            }
        }
    }
}

//! Levels for the game's corpus: rooms on a grid, corridors between them, and what is in the rooms.
//! Each part is an upright prism, whose corners are right or cut off, so that every wall runs along an
//! axis or between two.
//!
//! | lump     | BSP 29 | IBSP 41 |
//! |----------|--------|---------|
//! | leafs    | of 28  | of 28   |
//! | nodes    | of 24  | of 28   |
//! | textures | within | by name |

use std::fmt::Write;

use super::pictures::{Picture, field, long, short};
use crate::codec::dice::Dice;

/// The four textures of a level: of walls, of floors, of ceilings, and of what is in rooms.
pub(super) enum Textures<'a> {
    /// Within the level, as Quake has them.
    Within(Vec<(&'a str, Picture)>),
    /// By their names, as Daikatana has them.
    Named(&'a [&'a str]),
}

/// How far the middles of rooms are apart.
const PITCH: i32 = 512;

/// A room, a corridor, or what is in a room.
struct Prism {
    /// Against the clock, as seen from above.
    corners: Vec<[i32; 2]>,
    low: i32,
    high: i32,
    /// Whether it is seen from outside.
    is_solid: bool,
    texture: usize,
}

impl Prism {
    /// A box whose upright edges are cut off, so far from where they were.
    fn new([left, bottom]: [i32; 2], [right, top]: [i32; 2], cut: i32) -> Self {
        let mut corners = vec![
            [left + cut, bottom],
            [right - cut, bottom],
            [right, bottom + cut],
            [right, top - cut],
            [right - cut, top],
            [left + cut, top],
            [left, top - cut],
            [left, bottom + cut],
        ];
        corners.dedup();
        if cut == 0 {
            corners.pop();
        }
        Self {
            corners,
            low: 0,
            high: 192,
            is_solid: false,
            texture: 0,
        }
    }

    /// The same around a point.
    fn around([x, y]: [i32; 2], [width, height]: [i32; 2], cut: i32) -> Self {
        Self::new([x - width, y - height], [x + width, y + height], cut)
    }

    /// The edges of a face, with the clock as seen from where it is seen; so they are given for a room.
    fn turn(&self, mut around: Vec<i32>) -> Vec<i32> {
        if self.is_solid {
            around.reverse();
            around.iter_mut().for_each(|edge| *edge = -*edge);
        }
        around
    }

    fn solid(self, high: i32, texture: usize) -> Self {
        Self {
            high,
            is_solid: true,
            texture,
            ..self
        }
    }
}

/// Where rooms are and how large, half of each side.
struct Room {
    middle: [i32; 2],
    half: [i32; 2],
}

/// The rooms and all that is between and in them.
fn plan(rooms: usize, dice: &mut Dice) -> (Vec<Room>, Vec<Prism>) {
    let columns = (1..)
        .find(|columns| columns * columns * 2 >= rooms * 3)
        .unwrap();
    let mut all: Vec<Room> = Vec::new();
    let mut prisms = Vec::new();
    let side = |dice: &mut Dice| 80 + 32 * number(dice.below(5));
    for room in 0..rooms {
        let place = [room % columns, room / columns].map(number);
        let middle = place.map(|place| place * PITCH + PITCH / 2);
        let half = [side(dice), side(dice)];
        // A corridor of 80 meets a wall that is at least as wide.
        let cut = [0, 0, 0, 32, 64][dice.below(5)].min(half[0].min(half[1]) - 40);
        prisms.push(Prism::around(middle, half, cut));
        furnish(middle, half, dice, &mut prisms);
        // To the room on the left, and to the one below: always to one of them.
        let (left, below) = (room % columns > 0, room >= columns);
        let choice = dice.below(4);
        if left && (!below || choice > 0) {
            let from = &all[room - 1];
            let ends = [from.middle[0] + from.half[0], middle[0] - half[0]];
            corridor(ends, middle[1], false, dice, &mut prisms);
        }
        if below && (!left || choice < 2) {
            let from = &all[room - columns];
            let ends = [from.middle[1] + from.half[1], middle[1] - half[1]];
            corridor(ends, middle[0], true, dice, &mut prisms);
        }
        all.push(Room { middle, half });
    }
    (all, prisms)
}

/// Pillars, a basin or a platform, or nothing.
fn furnish(middle: [i32; 2], half: [i32; 2], dice: &mut Dice, prisms: &mut Vec<Prism>) {
    let small = half.map(|half| half / 2);
    match dice.below(6) {
        0 if half.iter().all(|half| *half > 100) => {
            for (right, up) in [(-1, -1), (1, -1), (1, 1), (-1, 1)] {
                let place = [middle[0] + right * small[0], middle[1] + up * small[1]];
                prisms.push(Prism::around(place, [16, 16], 0).solid(192, 3));
            }
        }
        1 => prisms.push(Prism::around(middle, small, 24).solid(8, 3)),
        2 => {
            prisms.push(Prism::around(middle, small, 0).solid(16, 1));
            prisms.push(Prism::around(middle, [24, 24], 0).solid(64, 3));
        }
        _ => {}
    }
}

/// A corridor between two walls: flat, or with steps.
fn corridor(
    [from, to]: [i32; 2],
    middle: i32,
    is_upright: bool,
    dice: &mut Dice,
    prisms: &mut Vec<Prism>,
) {
    let steps = [1, 1, 1, 4][dice.below(4)];
    for step in 0..steps {
        let ends = [step, step + 1].map(|step| from + (to - from) * step / steps);
        let (low, high) = if is_upright {
            ([middle - 40, ends[0]], [middle + 40, ends[1]])
        } else {
            ([ends[0], middle - 40], [ends[1], middle + 40])
        };
        prisms.push(Prism {
            low: 8 * step,
            high: 128,
            ..Prism::new(low, high, 0)
        });
    }
}

/// Lumps as they grow.
#[derive(Default)]
struct Lumps {
    planes: Vec<[f32; 4]>,
    points: Vec<u8>,
    edges: Vec<u8>,
    surfedges: Vec<u8>,
    faces: Vec<u8>,
    light: Vec<u8>,
    leafs: Vec<u8>,
    nodes: Vec<u8>,
}

impl Lumps {
    /// Adds a part: its points, its edges, its faces, and a leaf that has them.
    fn add(&mut self, prism: &Prism, is_quake: bool, dice: &mut Dice) {
        let corners = &prism.corners;
        let count = corners.len();
        let (points, edges) = (self.points.len() / 12, self.edges.len() / 4);
        for height in [prism.low, prism.high] {
            for [x, y] in corners {
                self.points
                    .extend([*x, *y, height].map(float).as_flattened());
            }
        }
        for corner in 0..count {
            self.edge(points + corner, points + (corner + 1) % count);
        }
        for corner in 0..count {
            self.edge(
                points + count + corner,
                points + count + (corner + 1) % count,
            );
        }
        for corner in 0..count {
            self.edge(points + corner, points + count + corner);
        }
        let [bottom, top, upright] = [0, 1, 2].map(|part| number(edges + part * count));
        let first = self.faces.len() / 20;
        let count = number(count);
        for corner in 0..count {
            let next = (corner + 1) % count;
            let around = prism.turn(vec![
                bottom + corner,
                upright + next,
                -top - corner,
                -upright - corner,
            ]);
            let [from, to] = [corner, next].map(|it| corners[usize::try_from(it).unwrap()]);
            let (plane, side) = self.wall(from, to);
            self.face(
                &around,
                plane,
                side != prism.is_solid,
                prism.texture,
                (is_quake, dice),
            );
        }
        let around = prism.turn((0..count).rev().map(|corner| -bottom - corner).collect());
        let plane = self.plane([0.0, 0.0, 1.0, whole(prism.low)]);
        self.face(&around, plane, prism.is_solid, 1, (is_quake, dice));
        let around = prism.turn((0..count).map(|corner| top + corner).collect());
        let plane = self.plane([0.0, 0.0, 1.0, whole(prism.high)]);
        self.face(&around, plane, !prism.is_solid, 2, (is_quake, dice));
        self.leaf(prism, first, is_quake);
    }

    fn edge(&mut self, from: usize, to: usize) {
        self.edges.extend([short(from), short(to)].concat());
    }

    /// The plane of a wall, and whether the room is behind it.
    fn wall(&mut self, from: [i32; 2], to: [i32; 2]) -> (usize, bool) {
        let [right, up] = [0, 1].map(|axis| (to[axis] - from[axis]).signum());
        let inward = [-up, right];
        let is_behind = inward < [0, 0];
        let [x, y] = inward.map(|part| if is_behind { -part } else { part });
        let unit = if x * y == 0 {
            1.0
        } else {
            std::f32::consts::FRAC_1_SQRT_2
        };
        let [x, y, distance] = [x, y, x * from[0] + y * from[1]].map(|it| whole(it) * unit);
        (self.plane([x, y, 0.0, distance]), is_behind)
    }

    fn plane(&mut self, plane: [f32; 4]) -> usize {
        let same = |other: &[f32; 4]| other.map(f32::to_bits) == plane.map(f32::to_bits);
        self.planes.iter().position(same).unwrap_or_else(|| {
            self.planes.push(plane);
            self.planes.len() - 1
        })
    }

    fn face(
        &mut self,
        around: &[i32],
        plane: usize,
        is_behind: bool,
        texture: usize,
        (is_quake, dice): (bool, &mut Dice),
    ) {
        self.faces
            .extend([short(plane), short(usize::from(is_behind))].concat());
        self.faces.extend(long(self.surfedges.len() / 4));
        self.faces
            .extend([short(around.len()), short(texture)].concat());
        self.faces.extend([0, 255, 255, 255]);
        self.faces.extend(long(self.light.len()));
        self.surfedges
            .extend(around.iter().flat_map(|edge| edge.to_le_bytes()));
        let bright = 40 + 16 * dice.below(8);
        for sample in 0..4 {
            let sample = u8::try_from(bright + 8 * sample).unwrap();
            let channels = if is_quake { 1 } else { 3 };
            self.light.extend([sample].repeat(channels));
        }
    }

    /// A leaf with the faces from `first` on, and a node in front of it.
    fn leaf(&mut self, prism: &Prism, first: usize, is_quake: bool) {
        let faces = self.faces.len() / 20 - first;
        let axis = |axis: usize| prism.corners.iter().map(move |corner| corner[axis]);
        let low = [axis(0).min().unwrap(), axis(1).min().unwrap(), prism.low];
        let high = [axis(0).max().unwrap(), axis(1).max().unwrap(), prism.high];
        let bounds = [low, high].concat().into_iter().flat_map(signed);
        let bounds: Vec<u8> = bounds.collect();
        let of_faces = [short(first), short(faces)].concat();
        let leaf = self.leafs.len() / 28;
        let empty = if is_quake { -1_i32 } else { 0 };
        self.leafs.extend(empty.to_le_bytes());
        if is_quake {
            self.leafs.extend((-1_i32).to_le_bytes())
        } else {
            self.leafs.extend([short(leaf - 1), short(0)].concat())
        }
        self.leafs.extend(&bounds);
        self.leafs.extend(&of_faces);
        self.leafs.extend([0; 4]);
        // In front: this leaf. Behind: the next node, or what is solid behind the last.
        self.nodes.extend(long(leaf % self.planes.len()));
        let children = [-number(leaf) - 1, number(leaf)];
        for child in children {
            if is_quake {
                self.nodes.extend(signed(child))
            } else {
                self.nodes.extend(child.to_le_bytes())
            }
        }
        self.nodes.extend(&bounds);
        self.nodes.extend(&of_faces);
    }

    /// The last node leads to the first leaf, which is solid.
    fn end_nodes(&mut self, is_quake: bool) {
        let (len, child) = if is_quake { (24, 6) } else { (28, 8) };
        let at = self.nodes.len() - len + child;
        if is_quake {
            self.nodes[at..][..2].copy_from_slice(&signed(-1))
        } else {
            self.nodes[at..][..4].copy_from_slice(&(-1_i32).to_le_bytes())
        }
    }
}

/// A level of so many rooms; `seed` says which.
pub(super) fn bsp(rooms: usize, seed: u64, textures: &Textures<'_>) -> Vec<u8> {
    let mut dice = Dice::new(seed);
    let (places, prisms) = plan(rooms, &mut dice);
    let is_quake = matches!(textures, Textures::Within(_));
    let mut lumps = Lumps::default();
    // No surfedge can name edge 0 the other way round, and leaf 0 is what is solid.
    lumps.edge(0, 0);
    let solid: i32 = if is_quake { -2 } else { 1 };
    lumps.leafs.extend(solid.to_le_bytes());
    let cluster: i32 = if is_quake { -1 } else { 0xFFFF };
    lumps.leafs.extend(cluster.to_le_bytes());
    lumps.leafs.resize(28, 0);
    for prism in &prisms {
        lumps.add(prism, is_quake, &mut dice);
    }
    lumps.end_nodes(is_quake);
    let faces = lumps.faces.len() / 20;
    let planes = lumps.planes.iter().flat_map(|plane| {
        let axis = plane[..3]
            .iter()
            .position(|part| part.to_bits() == 1.0_f32.to_bits());
        let parts = plane.iter().flat_map(|part| part.to_le_bytes());
        parts.chain(long(axis.unwrap_or(3))).collect::<Vec<u8>>()
    });
    let planes: Vec<u8> = planes.collect();
    let far = places
        .iter()
        .map(|room| room.middle.map(|it| it + PITCH / 2));
    let far = far.fold([0, 0], |a, b| [a[0].max(b[0]), a[1].max(b[1])]);
    let bounds = [0, 0, 0, far[0], far[1], 192, 0, 0, 0];
    let mut model: Vec<u8> = bounds.into_iter().flat_map(float).collect();
    model.resize(if is_quake { 36 + 20 } else { 36 + 4 }, 0);
    model.extend([long(0), long(faces)].concat());
    let marks: Vec<u8> = (0..faces).flat_map(short).collect();
    let entities = entities(&places).into_bytes();
    let made = [entities, planes, marks, model];
    match textures {
        Textures::Within(textures) => of_quake(made, lumps, textures),
        Textures::Named(names) => of_daikatana(made, lumps, names),
    }
}

fn of_quake(made: [Vec<u8>; 4], lumps: Lumps, textures: &[(&str, Picture)]) -> Vec<u8> {
    let [entities, planes, marks, model] = made;
    let clip = [long(0), [255, 255, 254, 255]].concat();
    let info = (0..textures.len()).flat_map(|it| [axes(), [long(it), long(0)].concat()]);
    let info = info.collect::<Vec<_>>().concat();
    let parts = [
        entities,
        planes,
        within(textures),
        lumps.points,
        vec![],
        lumps.nodes,
        info,
        lumps.faces,
        lumps.light,
        clip,
        lumps.leafs,
        marks,
        lumps.edges,
        lumps.surfedges,
        model,
    ];
    file(&long(29), &parts)
}

fn of_daikatana(made: [Vec<u8>; 4], lumps: Lumps, names: &[&str]) -> Vec<u8> {
    let [entities, planes, marks, model] = made;
    let info = names.iter().flat_map(|name| {
        let last = u32::MAX.to_le_bytes().to_vec();
        [axes(), vec![0; 8], field(name, 32), last]
    });
    let info = info.collect::<Vec<_>>().concat();
    let grey = [128, 128, 128]
        .map(float)
        .as_flattened()
        .repeat(names.len());
    let parts = [
        entities,
        planes,
        lumps.points,
        vec![],
        lumps.nodes,
        info,
        lumps.faces,
        lumps.light,
        lumps.leafs,
        marks,
        vec![],
        lumps.edges,
        lumps.surfedges,
        model,
        // Brushes and their sides: there are none.
        vec![],
        vec![],
        // What the tools leave behind, one area, and no portal between areas.
        vec![0; 256],
        vec![0; 8],
        vec![0; 8],
        grey,
        vec![],
    ];
    file(&[&b"IBSP"[..], &long(41)].concat(), &parts)
}

fn entities(rooms: &[Room]) -> String {
    let mut entities = String::from("{\n\"classname\" \"worldspawn\"\n\"message\" \"rooms\"\n}\n");
    for (number, room) in rooms.iter().enumerate() {
        let [x, y] = room.middle;
        let light = 200 + 25 * (number % 5);
        writeln!(
            entities,
            "{{\n\"classname\" \"light\"\n\"origin\" \"{x} {y} 96\"\n\"light\" \"{light}\"\n}}"
        )
        .unwrap();
    }
    entities
}

/// A texture is on a wall as wide as it is.
fn axes() -> Vec<u8> {
    [1, 0, 0, 0, 0, 0, -1, 0].map(float).concat()
}

/// The lump of textures that are within a level: how many, where each is, and what they are.
fn within(textures: &[(&str, Picture)]) -> Vec<u8> {
    let mut lump = long(textures.len()).to_vec();
    let mut body = Vec::new();
    for (name, picture) in textures {
        lump.extend(long(4 + 4 * textures.len() + body.len()));
        body.extend(picture.miptex(name));
    }
    [lump, body].concat()
}

/// A directory of the lumps behind what the file begins with, then the lumps.
fn file(magic: &[u8], parts: &[Vec<u8>]) -> Vec<u8> {
    let mut file = magic.to_vec();
    let mut body = Vec::new();
    let start = file.len() + 8 * parts.len();
    for part in parts {
        file.extend([long(start + body.len()), long(part.len())].concat());
        body.extend(part);
        body.resize(body.len().next_multiple_of(4), 0);
    }
    file.extend(body);
    file
}

fn number(value: usize) -> i32 {
    i32::try_from(value).unwrap()
}

fn signed(value: i32) -> [u8; 2] {
    i16::try_from(value).unwrap().to_le_bytes()
}

fn whole(value: i32) -> f32 {
    f32::from(i16::try_from(value).unwrap())
}

fn float(value: i32) -> [u8; 4] {
    whole(value).to_le_bytes()
}

//! Models for the game's corpus, put together of boxes that move up and down.

use super::pictures::{Picture, field, long, short};

/// The lowest and the highest corner of each box.
pub(super) type Boxes<'a> = &'a [[[u8; 3]; 2]];

/// Somebody: legs, body, arms, head.
pub(super) const FIGURE: Boxes<'_> = &[
    [[104, 80, 0], [136, 116, 96]],
    [[104, 140, 0], [136, 176, 96]],
    [[92, 76, 96], [148, 180, 184]],
    [[104, 44, 100], [136, 72, 180]],
    [[104, 184, 100], [136, 212, 180]],
    [[100, 104, 188], [140, 152, 236]],
];

/// A slab with a handle.
pub(super) const DOOR: Boxes<'_> = &[
    [[112, 0, 0], [144, 248, 240]],
    [[104, 208, 104], [152, 224, 136]],
];

/// The corners of all boxes in a frame, four bytes each.
fn points(boxes: Boxes<'_>, frame: usize) -> Vec<[u8; 4]> {
    let rise = u8::try_from([0, 2, 4, 6, 8, 6, 4, 2][frame % 8]).unwrap();
    let corners = boxes.iter().enumerate().flat_map(|(number, ends)| {
        // Every second one stands still.
        let rise = if number % 2 == 0 { 0 } else { rise };
        (0..8).map(move |corner: usize| {
            let [x, y, z] = [0, 1, 2].map(|axis| ends[corner >> axis & 1][axis]);
            [x, y, z + rise, 5 * u8::try_from(corner).unwrap()]
        })
    });
    corners.collect()
}

/// Two triangles for each side of each box.
fn triangles(boxes: Boxes<'_>) -> Vec<[usize; 3]> {
    const SIDES: [[usize; 4]; 6] = [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ];
    let sides =
        (0..boxes.len()).flat_map(|number| SIDES.map(|side| side.map(|it| number * 8 + it)));
    sides
        .flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]])
        .collect()
}

/// Quake's model, with one skin.
pub(super) fn mdl(boxes: Boxes<'_>, frames: usize, skin: &Picture) -> Vec<u8> {
    let (count, triangles) = (boxes.len() * 8, triangles(boxes));
    let mut file = [&b"IDPO"[..], &long(6)].concat();
    let numbers = [0.25, 0.25, 0.25, -32.0, -32.0, -24.0, 48.0, 0.0, 0.0, 24.0];
    file.extend(numbers.map(f32::to_le_bytes).as_flattened());
    file.extend(
        [
            1,
            skin.width,
            skin.height,
            count,
            triangles.len(),
            frames,
            0,
            0,
        ]
        .map(long)
        .as_flattened(),
    );
    file.extend(8.0_f32.to_le_bytes());
    file.extend(long(0));
    file.extend(&skin.pixels);
    for point in 0..count {
        let place = [
            point % 2 * (skin.width - 1),
            point / 2 % 2 * (skin.height - 1),
        ];
        file.extend([0, place[0], place[1]].map(long).as_flattened());
    }
    for [a, b, c] in triangles {
        file.extend([1, a, b, c].map(long).as_flattened());
    }
    for frame in 0..frames {
        // A single frame, the box that it fills, its name, its points.
        file.extend([&long(0)[..], &[0; 4], &[255, 255, 255, 0]].concat());
        file.extend(field(&format!("stand{}", frame + 1), 16));
        file.extend(points(boxes, frame).as_flattened());
    }
    file
}

/// Daikatana's model of version 1, with one skin and one surface.
pub(super) fn dkm(boxes: Boxes<'_>, frames: usize, skin: &str) -> Vec<u8> {
    let (count, triangles) = (boxes.len() * 8, triangles(boxes));
    let surface = [field("all", 32), [0, 0, 64, 64, 1].map(long).concat()].concat();
    let corners = [[0, 0], [63, 0], [0, 63], [63, 63]].map(|it| it.map(short).concat());
    let sides = triangles
        .iter()
        .flat_map(|[a, b, c]| [0, 1, *a, *b, *c, *a % 4, *b % 4, *c % 4].map(short));
    let pictures = (0..frames).flat_map(|frame| {
        let place = [0.25, 0.25, 0.25, -32.0, -32.0, -24.0].map(f32::to_le_bytes);
        let name = field(&format!("stand{}", frame + 1), 16);
        [place.concat(), name, points(boxes, frame).concat()].concat()
    });
    let sequence = [field("stand", 16), [0, frames - 1].map(long).concat()].concat();
    let frame_len = 40 + 4 * count;
    let counts = [frame_len, 1, count, 4, triangles.len(), 1, frames, 1];
    let parts = [
        field(skin, 64),
        corners.concat(),
        sides.flatten().collect(),
        pictures.collect(),
        long(0).to_vec(),
        surface,
        sequence,
    ];
    let mut ends = vec![88];
    for part in &parts {
        ends.push(ends[ends.len() - 1] + part.len());
    }
    let mut file = [&b"DKMD"[..], &long(1), &[0; 12]].concat();
    file.extend(counts.map(long).as_flattened());
    // Where skins, places on them, triangles, frames, commands and surfaces begin, and where these end.
    file.extend(ends[..7].iter().copied().flat_map(long));
    file.extend([1, ends[6]].map(long).as_flattened());
    file.extend(parts.concat());
    file
}

//! Maps, put together lump by lump: only the lumps that show its format and what it asks for.

/// A map of `count` lumps behind this beginning, those that are given by their numbers.
fn map(magic: &[u8], count: usize, lumps: &[(usize, Vec<u8>)]) -> Vec<u8> {
    let (mut file, mut body) = (magic.to_vec(), Vec::<u8>::new());
    let start = magic.len() + 8 * count;
    for number in 0..count {
        let lump = lumps.iter().find(|(it, _)| *it == number);
        let lump = lump.map_or(&[][..], |(_, lump)| lump);
        let place = [start + body.len(), lump.len()];
        file.extend(place.map(|it| u32::try_from(it).unwrap().to_le_bytes()).concat());
        body.extend(lump);
    }
    file.extend(body);
    file
}

/// A name in a field of so many bytes.
fn field(name: &str, len: usize) -> Vec<u8> {
    let mut field = name.as_bytes().to_vec();
    field.resize(len, 0);
    field
}

/// A map of Quake (29) or Half-Life (30), with the names of textures, and whether each has its pixels.
pub(crate) fn quake(version: u32, entities: &str, textures: &[(&str, bool)]) -> Vec<u8> {
    let count = u32::try_from(textures.len()).unwrap();
    let mut lump = count.to_le_bytes().to_vec();
    lump.extend((0..count).flat_map(|number| (4 + 4 * count + 40 * number).to_le_bytes()));
    for (name, has_pixels) in textures {
        lump.extend(field(name, 16));
        let offset = if *has_pixels { 40 } else { 0 };
        lump.extend([16, 16, offset, 0, 0, 0_u32].map(u32::to_le_bytes).concat());
    }
    let entities = entities.as_bytes().to_vec();
    map(&version.to_le_bytes(), 15, &[(0, entities), (2, lump)])
}

/// A map that begins with these bytes, with these textures. `None` leaves a texture out: its offset is -1.
pub(crate) fn textured(magic: &[u8; 4], textures: &[Option<Vec<u8>>]) -> Vec<u8> {
    let mut offset = 4 + 4 * textures.len();
    let mut lump = u32::try_from(textures.len()).unwrap().to_le_bytes().to_vec();
    for texture in textures {
        let Some(texture) = texture else {
            lump.extend([0xFF; 4]);
            continue;
        };
        lump.extend(u32::try_from(offset).unwrap().to_le_bytes());
        offset += texture.len();
    }
    lump.extend(textures.iter().flatten().flatten());
    map(magic, 15, &[(2, lump)])
}

/// A map of Quake with as many textures as `faces` has numbers, all of them left out: each offset is -1. There is a
/// face for each `true`.
pub(crate) fn left_out(faces: &[bool]) -> Vec<u8> {
    let count = u32::try_from(faces.len()).unwrap();
    let lump = [count.to_le_bytes().to_vec(), vec![0xFF; 4 * faces.len()]].concat();
    let texinfo =
        (0..count).flat_map(|number| [&[0; 32], &number.to_le_bytes()[..], &[0; 4]].concat());
    let used = (0..count).zip(faces).filter(|(_, used)| **used);
    let faces =
        used.flat_map(|(number, _)| [&[0; 10], &number.to_le_bytes()[..], &[0; 6]].concat());
    let lumps = [(2, lump), (6, texinfo.collect()), (7, faces.collect())];
    map(&29_u32.to_le_bytes(), 15, &lumps)
}

/// The lump of texture records that Quake II and Daikatana have.
fn texinfo(textures: &[&str]) -> Vec<u8> {
    let record = |name: &&str| [vec![0; 40], field(name, 32), vec![0; 4]].concat();
    textures.iter().flat_map(record).collect()
}

/// A map of Quake II.
pub(crate) fn quake2(entities: &str, textures: &[&str]) -> Vec<u8> {
    let entities = entities.as_bytes().to_vec();
    map(b"IBSP\x26\0\0\0", 19, &[(0, entities), (5, texinfo(textures))])
}

/// A map of Daikatana.
pub(crate) fn daikatana(entities: &str, textures: &[&str]) -> Vec<u8> {
    let entities = entities.as_bytes().to_vec();
    map(b"IBSP\x29\0\0\0", 21, &[(0, entities), (5, texinfo(textures))])
}

/// A map of Quake III.
pub(crate) fn quake3(entities: &str, shaders: &[&str]) -> Vec<u8> {
    let record = |name: &&str| [field(name, 64), vec![0; 8]].concat();
    let shaders = shaders.iter().flat_map(record).collect();
    let entities = entities.as_bytes().to_vec();
    map(b"IBSP\x2E\0\0\0", 17, &[(0, entities), (1, shaders)])
}

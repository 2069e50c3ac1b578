//! The facts of a model or a sprite: besides the numbers of its header, what its skins, surfaces and frames
//! are called, and how large they are.

use std::io;

use super::fact::{Collected, Depth, Fact, LISTED_MAX, number, text};
use crate::media::FileType;
use crate::media::model::Model;
use crate::media::source::{self, Source, long, short};

pub(super) fn add(
    all: &mut Collected,
    model: &Model,
    source: &mut (impl Source + ?Sized),
    depth: Depth,
) -> io::Result<()> {
    let mut head = [0; 256];
    let read = source.read_at(0, &mut head)?;
    let head = head.get(..read).unwrap_or_default();
    all.number("version", Some(model.version));
    let sides = match model.file_type {
        FileType::Mdl => Some(("skin_width", 52, "skin_height", 56)),
        FileType::Md2 => Some(("skin_width", 8, "skin_height", 12)),
        FileType::Spr => Some(("width", 16, "height", 20)),
        FileType::HalfLifeSpr => Some(("width", 20, "height", 24)),
        _ => None,
    };
    if let Some((width, at_width, height, at_height)) = sides {
        all.number(width, long(head, at_width));
        all.number(height, long(head, at_height));
    }
    all.number("frames", model.frames);
    all.number("skins", model.skins);
    all.number("vertices", model.vertices);
    all.number("triangles", model.triangles);
    match model.file_type {
        FileType::Mdl | FileType::Spr => all.palette(model.file_type, Some(false)),
        FileType::HalfLifeSpr => all.palette(model.file_type, Some(true)),
        FileType::Md3 => all.number("surfaces", long(head, 84)),
        FileType::Dkm => all.number("surfaces", long(head, 48)),
        FileType::HalfLifeMdl => {
            all.text("model", source::text(head, 8, 64));
            all.number("bones", long(head, 140));
            all.number("sequences", long(head, 164));
            all.number("textures", long(head, 180));
        }
        _ => {}
    }
    if depth == Depth::Header {
        return Ok(());
    }
    let place = |count: usize, at: usize| long(head, count).zip(long(head, at));
    match model.file_type {
        FileType::Md2 => names(all, "skin_names", source, place(20, 44), 64)?,
        FileType::Dkm => {
            names(all, "skin_names", source, place(24, 52), 64)?;
            names(all, "surface_names", source, place(48, 72), 52)?;
        }
        FileType::HalfLifeMdl => names(all, "texture_names", source, place(180, 184), 80)?,
        FileType::Md3 => surfaces(all, source, place(84, 100))?,
        FileType::Sp2 => pictures(all, source, model.frames)?,
        FileType::Spr => frames(all, source, model.frames, 36)?,
        FileType::HalfLifeSpr => {
            let colours = short(head, 40).map_or(0, u64::from);
            let palette = colours.saturating_mul(3);
            frames(all, source, model.frames, palette.saturating_add(42))?;
        }
        _ => {}
    }
    Ok(())
}

/// Says that a part lies outside of the file.
fn outside(all: &mut Collected, part: &str) {
    all.note(format!("its {part} do not all lie in the file"));
}

/// Names that begin records of this length, of which there are so many from there on. A name takes 64 bytes
/// at most.
fn names(
    all: &mut Collected,
    name: &'static str,
    source: &mut (impl Source + ?Sized),
    place: Option<(u32, u32)>,
    record: u64,
) -> io::Result<()> {
    let Some((count, offset)) = place else {
        return Ok(());
    };
    let mut found = Vec::new();
    let mut at = u64::from(offset);
    for _ in (0..count).take(LISTED_MAX) {
        let mut field = [0; 64];
        let field = field.get_mut(..record.min(64) as usize).unwrap_or_default();
        if source.read_at(at, field)? < field.len() {
            let part = name.trim_end_matches("_names");
            outside(all, &format!("{part}s"));
            break;
        }
        let len = if record == 52 { 32 } else { 64 };
        found.extend(source::text(field, 0, len).map(<[u8]>::to_vec));
        at = at.saturating_add(record);
    }
    all.texts(name, found);
    Ok(())
}

/// The surfaces of an MD3, each of which says where the next one lies, and the shaders that they name.
fn surfaces(
    all: &mut Collected,
    source: &mut (impl Source + ?Sized),
    place: Option<(u32, u32)>,
) -> io::Result<()> {
    const HEAD: usize = 108;
    let Some((count, offset)) = place else {
        return Ok(());
    };
    let (mut records, mut shaders) = (Vec::new(), Vec::new());
    let (mut vertices, mut triangles): (u64, u64) = (0, 0);
    let mut at = u64::from(offset);
    for _ in (0..count).take(LISTED_MAX) {
        let mut head = [0; HEAD];
        let read = source.read_at(at, &mut head)?;
        let number_at = |at: usize| long(&head, at).unwrap_or(0);
        let end = number_at(104);
        if read < HEAD || !head.starts_with(b"IDP3") || end < 108 {
            outside(all, "surfaces");
            break;
        }
        let (own_vertices, own_triangles) = (number_at(80), number_at(84));
        vertices = vertices.saturating_add(own_vertices.into());
        triangles = triangles.saturating_add(own_triangles.into());
        records.push(vec![
            text("name", source::text(&head, 4, 64).unwrap_or_default()),
            number("vertices", own_vertices),
            number("triangles", own_triangles),
        ]);
        let mut shader = at.saturating_add(number_at(92).into());
        for _ in 0..number_at(76) {
            let mut field = [0; 64];
            if shaders.len() >= LISTED_MAX || source.read_at(shader, &mut field)? < field.len() {
                break;
            }
            shaders.extend(source::text(&field, 0, 64).map(<[u8]>::to_vec));
            shader = shader.saturating_add(68);
        }
        at = at.saturating_add(end.into());
    }
    all.number("vertices", Some(vertices));
    all.number("triangles", Some(triangles));
    all.records("surface_list", records);
    all.texts("shader_names", shaders);
    Ok(())
}

/// The frames of an SP2, each of which is a picture of its own.
fn pictures(
    all: &mut Collected,
    source: &mut (impl Source + ?Sized),
    count: Option<u32>,
) -> io::Result<()> {
    let mut records = Vec::new();
    let mut at: u64 = 12;
    for _ in (0..count.unwrap_or(0)).take(LISTED_MAX) {
        let mut frame = [0; 80];
        if source.read_at(at, &mut frame)? < frame.len() {
            outside(all, "frames");
            break;
        }
        records.push(vec![
            text("name", source::text(&frame, 16, 64).unwrap_or_default()),
            number("width", long(&frame, 0).unwrap_or(0)),
            number("height", long(&frame, 4).unwrap_or(0)),
        ]);
        at = at.saturating_add(80);
    }
    all.records("frame_list", records);
    Ok(())
}

/// The frames of an SPR, from `at` on: pictures, and groups of them.
fn frames(
    all: &mut Collected,
    source: &mut (impl Source + ?Sized),
    count: Option<u32>,
    mut at: u64,
) -> io::Result<()> {
    let mut records: Vec<Vec<Fact>> = Vec::new();
    let mut is_whole = true;
    'frames: for frame in (0..count.unwrap_or(0)).take(LISTED_MAX) {
        let mut head = [0; 8];
        let read = source.read_at(at, &mut head)?;
        at = at.saturating_add(4);
        let mut pictures = 1;
        if long(&head, 0) != Some(0) {
            // A group: how many pictures, how long each is seen, and the pictures.
            pictures = long(&head, 4).unwrap_or(0);
            let times = u64::from(pictures).saturating_mul(4);
            at = at.saturating_add(4).saturating_add(times);
        }
        if read < 4 {
            is_whole = false;
            break;
        }
        for _ in 0..pictures {
            let mut head = [0; 16];
            let read = source.read_at(at, &mut head)?;
            let (width, height) = (long(&head, 8).unwrap_or(0), long(&head, 12).unwrap_or(0));
            let pixels = u64::from(width).saturating_mul(height.into());
            at = at.saturating_add(16).saturating_add(pixels);
            if read < 16 || at > source.size() {
                is_whole = false;
                break 'frames;
            }
            if records.len() >= LISTED_MAX {
                break 'frames;
            }
            records.push(vec![
                number("frame", frame),
                number("width", width),
                number("height", height),
            ]);
        }
    }
    if !is_whole {
        outside(all, "frames");
    }
    all.records("frame_list", records);
    Ok(())
}

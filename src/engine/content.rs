//! Which types of files each engine reads.
//!
//! All of this was read in the engines' sources, with their default compile options; nothing was observed. The
//! loader refuses a type that its row does not name, or reads it as something else. "Sounds" are the effects of a
//! game; music is not covered.
//!
//! | engine          | read in November 2026                                                          |
//! |-----------------|--------------------------------------------------------------------------------|
//! | quake           | a8f828a `WinQuake/model.c`; 0023db3 `snd_mem.c`, `draw.c`                       |
//! | quakespasm      | 68faa57 `gl_model.c`; 1e728fa `image.c`; f5fe1786 `snd_mem.c`                   |
//! | ironwail        | 5caad80 `gl_model.c`; 8fca359 `image.c`; 7ff4ec57 `snd_mem.c`                   |
//! | vkquake         | 752842c `gl_model.c`; 009c959 `image.c`; 46e5e6dd `snd_mem.c`                   |
//! | qss             | c4893638 `gl_model.c`, `image.c`; 189fcc1 `snd_mem.c`                           |
//! | darkplaces      | 5e50734, b32e6e3 `model_shared.c`; 0128967 `model_sprite.c`; bebdddd `image.c`; 503f6fe `snd_mem.c` |
//! | fteqw           | 2bf1930 `gl_model.c`, `com_mesh.c`; 95f13b3 `image.c`; 062cdf6 `snd_mem.c`      |
//! | ezquake         | 0349e45 `r_model.c`; 743353c `r_texture_load.c`; 2f0ff42 `snd_mem.c`            |
//! | hexen2          | uHexen2 38d89c0, 0085bef `gl_model.c`; 061b9dd `gl_draw.c`; 15d4570 `snd_mem.c`; a WAL needs "HWAL" before it |
//! | xash3d          | eacc35d `mod_bmodel.c`, `model.c`; 0fe18ae `mod_sprite.c`; e36486b `img_utils.c`; d5832e9 `snd_utils.c` |
//! | quake2          | 2afeb3f `ref_gl/gl_model.c`; 372afde `gl_image.c`, `snd_mem.c`                  |
//! | yquake2         | e4818d3 `cmodel.c`; 0588d3f `wal.c`; 146e561 `models.c`; ea09e5c `stb.c`; 6f045f7 `sound` |
//! | yquake2remaster | 1aa53f3 `Mod_LoadGetRules`; 0ef8409 `models.c`; 2faf2b4 `sprites.c`; a33d6b0 `cl_image.c`; afd16ad `sound.c` |
//! | q2pro           | d487c85 `bsp.c`; 050f260 `images.c`; bcfebdc `models.c`; a00ae87 `mem.c`        |
//! | ioquake3        | 5956299 `tr_bsp.c`; 2ca0594 `tr_image.c`, `tr_model.c`; 0742d30 `snd_codec.c`   |
//!
//! Daikatana has no public source. For Hexenwail and dhewm3, only the code that loads archives was read.

use super::engines::Engine;

/// Each engine, the types that it reads, and the types for which this is unknown.
#[rustfmt::skip]
const ROWS: [(Engine, &str, &str); 15] = [
    (Engine::Quake,           "bsp29 mdl spr wav lmp", ""),
    (Engine::QuakeSpasm,      "bsp29 bsp2 2psb mdl spr wav tga pcx lmp", "md3"),
    (Engine::Ironwail,        "bsp29 bsp2 2psb mdl spr wav png tga jpeg pcx lmp", "md3"),
    (Engine::VkQuake,         "bsp29 bsp2 2psb mdl spr wav tga pcx lmp", "md3"),
    (Engine::Qss,             "bsp29 bsp2 2psb mdl spr wav ogg mp3 tga pcx lmp", "bsp30 wal md3 hlspr png jpeg bmp"),
    (Engine::DarkPlaces,      "bsp29 bsp30 bsp2 2psb ibsp46 wal mdl md2 md3 spr hlspr sp2 wav ogg tga png jpeg pcx lmp", "ibsp38 ibsp47 mp3"),
    (Engine::Fteqw,           "bsp29 bsp30 bsp2 2psb ibsp38 qbsp38 ibsp46 ibsp47 wal mdl md2 md3 hlmdl spr hlspr sp2 wav ogg tga png jpeg pcx bmp lmp", "wal3 m8 m32 swl dkm mp3"),
    (Engine::EzQuake,         "bsp29 bsp30 bsp2 2psb mdl md3 spr wav tga png jpeg pcx lmp", "hlspr ogg mp3"),
    (Engine::Hexen2,          "bsp29 mdl spr wav lmp", ""),
    (Engine::Xash3d,          "bsp29 bsp30 bsp2 hlmdl mdl hlspr spr wav mp3 ogg bmp tga png lmp", ""),
    (Engine::Quake2,          "ibsp38 wal md2 sp2 wav pcx tga", ""),
    (Engine::Yquake2,         "ibsp38 wal md2 sp2 wav ogg pcx tga png jpeg", "qbsp38 m8 m32 swl"),
    (Engine::Yquake2Remaster, "bsp29 ibsp38 qbsp38 ibsp41 ibsp46 wal wal3 m8 m32 swl mdl hlmdl md2 md3 dkm spr sp2 wav ogg mp3 pcx tga png jpeg lmp", "bsp30 bsp2 2psb ibsp47 bmp"),
    (Engine::Q2pro,           "ibsp38 qbsp38 wal md2 md3 sp2 wav ogg pcx tga jpeg png", ""),
    (Engine::IoQuake3,        "ibsp46 md3 wav ogg png tga jpeg pcx bmp", "ibsp47"),
];

impl Engine {
    /// Whether the engine reads files of this type, or `None` if that is unknown. The word is the type's short name,
    /// such as `md3`. The table leaves out compiled code, demos, videos and lumps.
    #[must_use]
    pub fn reads(self, word: &str) -> Option<bool> {
        let (_, reads, not_known) = ROWS.iter().find(|row| row.0 == self)?;
        let names = |words: &str| words.split(' ').any(|it| it == word);
        (!names(not_known)).then(|| names(reads))
    }

    /// Whether it may load a picture of another type for a map's texture.
    #[must_use]
    pub const fn replaces_textures(self) -> bool {
        !matches!(self, Self::Quake | Self::Quake2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::media::{FileType, Kind};
    use std::collections::BTreeSet;

    #[test]
    fn every_word_of_the_table_is_a_type_and_said_once() {
        let types: BTreeSet<&str> = FileType::all().map(FileType::as_str).collect();
        for (engine, reads, not_known) in ROWS {
            let mut seen = BTreeSet::new();
            for word in reads.split(' ').chain(not_known.split(' ')) {
                assert!(word.is_empty() || types.contains(word), "{engine}: {word}");
                assert!(seen.insert(word), "{engine}: {word}");
            }
        }
    }

    /// Each game's first engine reads the maps that the game came with.
    #[test]
    fn engines_read_the_maps_of_their_games() {
        let reads = |engine: Engine| -> Vec<&str> {
            let types = FileType::all().filter(|it| it.kind() == Kind::Map);
            let types = types.filter(|it| engine.reads(it.as_str()) == Some(true));
            types.map(FileType::as_str).collect()
        };
        assert_eq!(reads(Engine::Quake), ["bsp29"]);
        assert_eq!(reads(Engine::Xash3d), ["bsp29", "bsp30", "bsp2"]);
        assert_eq!(reads(Engine::Quake2), ["ibsp38"]);
        assert_eq!(reads(Engine::IoQuake3), ["ibsp46"]);
        for engine in Engine::ALL {
            let expected = match engine {
                Engine::Hexenwail | Engine::Dhewm3 | Engine::Daikatana => None,
                _ => Some(engine == Engine::Yquake2Remaster),
            };
            assert_eq!(engine.reads("ibsp41"), expected, "{engine}");
        }
    }
}

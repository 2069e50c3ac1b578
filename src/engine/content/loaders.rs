//! The parts of engines that load files, a row each: what they read, and where that was read.

use crate::archive::Family::{self, Map, Model, Picture, Sound, Sprite, Texture};
use crate::archive::FileType;
use crate::engine::engines::Engine;
use FileType as T;

/// The part of an engine that loads files of one family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Loader {
    pub(super) family: Family,
    pub(super) reads: &'static [FileType],
    /// What is not known.
    pub(super) open: &'static [FileType],
    /// Where it was read: commit, file, function.
    pub(super) source: &'static str,
}

const fn loader(family: Family, reads: &'static [FileType], source: &'static str) -> Loader {
    Loader {
        family,
        reads,
        open: &[],
        source,
    }
}

impl Loader {
    const fn open(self, open: &'static [FileType]) -> Self {
        Self { open, ..self }
    }
}

/// The parts of an engine that load files.
pub(super) const fn loaders(engine: Engine) -> &'static [Loader] {
    match engine {
        Engine::Quake => QUAKE,
        Engine::QuakeSpasm => QUAKESPASM,
        Engine::Ironwail => IRONWAIL,
        Engine::VkQuake => VKQUAKE,
        Engine::Qss => QSS,
        Engine::DarkPlaces => DARKPLACES,
        Engine::Fteqw => FTEQW,
        Engine::EzQuake => EZQUAKE,
        Engine::Hexen2 => HEXEN2,
        Engine::Xash3d => XASH3D,
        Engine::Quake2 => QUAKE2,
        Engine::Yquake2 => YQUAKE2,
        Engine::Yquake2Remaster => YQUAKE2REMASTER,
        Engine::Q2pro => Q2PRO,
        Engine::IoQuake3 => IOQUAKE3,
        Engine::Hexenwail | Engine::Dhewm3 | Engine::Daikatana => &[],
    }
}

const QUAKE: &[Loader] = &[
    loader(
        Map,
        &[T::Bsp29],
        "id Quake a8f828a, WinQuake/model.c, Mod_LoadModel, and general knowledge of its BSPVERSION",
    ),
    loader(
        Texture,
        &[],
        "id Quake a8f828a, WinQuake/model.c, Mod_LoadTextures, from the map alone",
    ),
    loader(
        Model,
        &[T::Mdl],
        "id Quake a8f828a, WinQuake/model.c, Mod_LoadModel",
    ),
    loader(
        Sprite,
        &[T::Spr],
        "id Quake a8f828a, WinQuake/model.c, Mod_LoadModel, and general knowledge of its SPRITE_VERSION",
    ),
    loader(
        Sound,
        &[T::Wav],
        "id Quake 0023db3, WinQuake/snd_mem.c, S_LoadSound",
    ),
    loader(
        Picture,
        &[T::Lmp],
        "id Quake 0023db3, WinQuake/draw.c, Draw_CachePic",
    ),
];

const QUAKESPASM: &[Loader] = &[
    loader(
        Map,
        &[T::Bsp29, T::Bsp2, T::Bsp2Psb],
        "QuakeSpasm 68faa57, Quake/gl_model.c, Mod_LoadBrushModel",
    ),
    loader(
        Texture,
        &[],
        "QuakeSpasm 1e728fa, Quake/image.c, Image_LoadImage",
    ),
    loader(
        Model,
        &[T::Mdl],
        "QuakeSpasm 68faa57, Quake/gl_model.c, Mod_LoadModel",
    )
    .open(&[T::Md3]),
    loader(
        Sprite,
        &[T::Spr],
        "QuakeSpasm 68faa57, Quake/gl_model.c, Mod_LoadSpriteModel",
    ),
    loader(
        Sound,
        &[T::Wav],
        "QuakeSpasm f5fe1786, Quake/snd_mem.c, S_LoadSound",
    ),
    loader(
        Picture,
        &[T::Tga, T::Pcx, T::Lmp],
        "QuakeSpasm 1e728fa, Quake/image.c, Image_LoadImage",
    ),
];

const IRONWAIL: &[Loader] = &[
    loader(
        Map,
        &[T::Bsp29, T::Bsp2, T::Bsp2Psb],
        "Ironwail 5caad80, Quake/gl_model.c, Mod_LoadBrushModel",
    ),
    loader(
        Texture,
        &[],
        "Ironwail 8fca359, Quake/image.c, Image_LoadImage",
    ),
    loader(
        Model,
        &[T::Mdl],
        "Ironwail 5caad80, Quake/gl_model.c, Mod_LoadModel",
    )
    .open(&[T::Md3]),
    loader(
        Sprite,
        &[T::Spr],
        "Ironwail 5caad80, Quake/gl_model.c, Mod_LoadSpriteModel",
    ),
    loader(
        Sound,
        &[T::Wav],
        "Ironwail 7ff4ec57, Quake/snd_mem.c, S_LoadSound",
    ),
    loader(
        Picture,
        &[T::Png, T::Tga, T::Jpeg, T::Pcx, T::Lmp],
        "Ironwail 8fca359, Quake/image.c, Image_LoadImage",
    ),
];

const VKQUAKE: &[Loader] = &[
    loader(
        Map,
        &[T::Bsp29, T::Bsp2, T::Bsp2Psb],
        "vkQuake 752842c, Quake/gl_model.c, Mod_LoadBrushModel",
    ),
    loader(
        Texture,
        &[],
        "vkQuake 009c959, Quake/image.c, Image_LoadImage",
    ),
    loader(
        Model,
        &[T::Mdl],
        "vkQuake 752842c, Quake/gl_model.c, Mod_LoadModel",
    )
    .open(&[T::Md3]),
    loader(
        Sprite,
        &[T::Spr],
        "vkQuake 752842c, Quake/gl_model.c, Mod_LoadSpriteModel",
    ),
    loader(
        Sound,
        &[T::Wav],
        "vkQuake 46e5e6dd, Quake/snd_mem.c, S_LoadSound",
    ),
    loader(
        Picture,
        &[T::Tga, T::Pcx, T::Lmp],
        "vkQuake 009c959, Quake/image.c, Image_LoadImage",
    ),
];

const QSS: &[Loader] = &[
    loader(
        Map,
        &[T::Bsp29, T::Bsp2, T::Bsp2Psb],
        "QSS c4893638, Quake/gl_model.c, Mod_LoadBrushModel",
    )
    .open(&[T::Bsp30]),
    loader(Texture, &[], "QSS c4893638, Quake/image.c, Image_LoadImage").open(&[T::Wal]),
    loader(
        Model,
        &[T::Mdl],
        "QSS c4893638, Quake/gl_model.c, Mod_LoadModel",
    )
    .open(&[T::Md3]),
    loader(
        Sprite,
        &[T::Spr],
        "QSS c4893638, Quake/gl_model.c, Mod_LoadSpriteModel",
    )
    .open(&[T::HalfLifeSpr]),
    loader(
        Sound,
        &[T::Wav, T::Ogg, T::Mp3],
        "QSS 189fcc1, Quake/snd_mem.c, S_LoadSound",
    ),
    loader(
        Picture,
        &[T::Tga, T::Pcx, T::Lmp],
        "QSS c4893638, Quake/image.c, Image_LoadImage",
    )
    .open(&[T::Png, T::Jpeg, T::Bmp]),
];

const DARKPLACES: &[Loader] = &[
    loader(
        Map,
        &[T::Bsp29, T::Bsp30, T::Bsp2, T::Bsp2Psb, T::Ibsp46],
        "DarkPlaces 5e50734, model_shared.c, loader[], and general knowledge of Mod_IBSP_Load",
    )
    .open(&[T::Ibsp38, T::Ibsp47]),
    loader(
        Texture,
        &[T::Wal],
        "DarkPlaces bebdddd, image.c, imageformats_textures[]",
    ),
    loader(
        Model,
        &[T::Mdl, T::Md2, T::Md3],
        "DarkPlaces b32e6e3, model_shared.c, loader[]",
    ),
    loader(
        Sprite,
        &[T::Spr, T::HalfLifeSpr, T::Sp2],
        "DarkPlaces 0128967, model_sprite.c, Mod_IDSP_Load",
    ),
    loader(
        Sound,
        &[T::Wav, T::Ogg],
        "DarkPlaces 503f6fe, snd_mem.c, S_LoadSound",
    )
    .open(&[T::Mp3]),
    loader(
        Picture,
        &[T::Tga, T::Png, T::Jpeg, T::Pcx, T::Lmp],
        "DarkPlaces bebdddd, image.c, imageformats_other[]",
    ),
];

const FTEQW: &[Loader] = &[
    loader(
        Map,
        &[
            T::Bsp29,
            T::Bsp30,
            T::Bsp2,
            T::Bsp2Psb,
            T::Ibsp38,
            T::Qbsp38,
            T::Ibsp46,
            T::Ibsp47,
        ],
        "FTEQW 2bf1930, engine/gl/gl_model.c, Mod_Init",
    ),
    loader(
        Texture,
        &[T::Wal],
        "FTEQW, engine/client/image.c, general knowledge",
    )
    .open(&[T::Wal3, T::M8, T::M32, T::Swl]),
    loader(
        Model,
        &[T::Mdl, T::Md2, T::Md3, T::HalfLifeMdl],
        "FTEQW 2bf1930, engine/common/com_mesh.c",
    )
    .open(&[T::Dkm]),
    loader(
        Sprite,
        &[T::Spr, T::HalfLifeSpr, T::Sp2],
        "FTEQW 2bf1930, engine/gl/gl_model.c, Mod_Init",
    ),
    loader(
        Sound,
        &[T::Wav, T::Ogg],
        "FTEQW 062cdf6, engine/client/snd_mem.c, AudioInputPlugins[]",
    )
    .open(&[T::Mp3]),
    loader(
        Picture,
        &[T::Tga, T::Png, T::Jpeg, T::Pcx, T::Bmp, T::Lmp],
        "FTEQW 95f13b3, engine/client/image.c, Image_LocateHighResTexture, and general knowledge of its decoders",
    ),
];

const EZQUAKE: &[Loader] = &[
    loader(
        Map,
        &[T::Bsp29, T::Bsp30, T::Bsp2, T::Bsp2Psb],
        "ezQuake 0349e45, src/r_model.c, Mod_LoadBrushModel",
    ),
    loader(
        Texture,
        &[],
        "ezQuake 743353c, src/r_texture_load.c, R_LoadImagePixels",
    ),
    loader(
        Model,
        &[T::Mdl, T::Md3],
        "ezQuake 0349e45, src/r_model.c, Mod_LoadModelEx",
    ),
    loader(
        Sprite,
        &[T::Spr],
        "ezQuake 0349e45, src/r_model.c, Mod_LoadModelEx",
    )
    .open(&[T::HalfLifeSpr]),
    loader(
        Sound,
        &[T::Wav],
        "ezQuake 2f0ff42, src/snd_mem.c, S_LoadSound, by the libsndfile that is there",
    )
    .open(&[T::Ogg, T::Mp3]),
    loader(
        Picture,
        &[T::Tga, T::Png, T::Jpeg, T::Pcx, T::Lmp],
        "ezQuake 743353c, src/r_texture_load.c, R_LoadImagePixels, and general knowledge of Draw_CachePic",
    ),
];

const HEXEN2: &[Loader] = &[
    loader(
        Map,
        &[T::Bsp29],
        "uHexen2 38d89c0, engine/hexen2/gl_model.c, Mod_LoadBrushModel",
    ),
    loader(
        Texture,
        &[],
        "uHexen2 0085bef, engine/hexen2/gl_model.c, Mod_LoadTextures, from the map, or a .wal with \"HWAL\" before it",
    ),
    loader(
        Model,
        &[T::Mdl],
        "uHexen2 0085bef, engine/hexen2/gl_model.c, Mod_LoadModel",
    ),
    loader(
        Sprite,
        &[T::Spr],
        "uHexen2 0085bef, engine/hexen2/gl_model.c, Mod_LoadModel, and general knowledge of its SPRITE_VERSION",
    ),
    loader(
        Sound,
        &[T::Wav],
        "uHexen2 15d4570, engine/h2shared/snd_mem.c, S_LoadSound",
    ),
    loader(
        Picture,
        &[T::Lmp],
        "uHexen2 061b9dd, engine/h2shared/gl_draw.c, Draw_CachePic",
    ),
];

const XASH3D: &[Loader] = &[
    loader(
        Map,
        &[T::Bsp29, T::Bsp30, T::Bsp2],
        "Xash3D eacc35d, engine/common/mod_bmodel.c, Mod_LoadBmodelLumps",
    ),
    loader(
        Texture,
        &[],
        "Xash3D e36486b, engine/common/imagelib/img_utils.c, load_game[]",
    ),
    loader(
        Model,
        &[T::HalfLifeMdl, T::Mdl],
        "Xash3D eacc35d, engine/common/model.c, Mod_LoadModel",
    ),
    loader(
        Sprite,
        &[T::HalfLifeSpr, T::Spr],
        "Xash3D 0fe18ae, engine/common/mod_sprite.c",
    ),
    loader(
        Sound,
        &[T::Wav, T::Mp3, T::Ogg],
        "Xash3D d5832e9, engine/common/soundlib/snd_utils.c, load_game[]",
    ),
    loader(
        Picture,
        &[T::Bmp, T::Tga, T::Png, T::Lmp],
        "Xash3D e36486b, engine/common/imagelib/img_utils.c, load_game[]",
    ),
];

const QUAKE2: &[Loader] = &[
    loader(
        Map,
        &[T::Ibsp38],
        "id Quake-2 2afeb3f, ref_gl/gl_model.c, Mod_ForName, and general knowledge of its BSPVERSION",
    ),
    loader(
        Texture,
        &[T::Wal],
        "id Quake-2 372afde, ref_gl/gl_image.c, GL_FindImage",
    ),
    loader(
        Model,
        &[T::Md2],
        "id Quake-2 2afeb3f, ref_gl/gl_model.c, Mod_ForName",
    ),
    loader(
        Sprite,
        &[T::Sp2],
        "id Quake-2 2afeb3f, ref_gl/gl_model.c, Mod_ForName",
    ),
    loader(
        Sound,
        &[T::Wav],
        "id Quake-2 372afde, client/snd_mem.c, S_LoadSound",
    ),
    loader(
        Picture,
        &[T::Pcx, T::Tga],
        "id Quake-2 372afde, ref_gl/gl_image.c, GL_FindImage",
    ),
];

const YQUAKE2: &[Loader] = &[
    loader(
        Map,
        &[T::Ibsp38],
        "yquake2 e4818d3, src/common/cmodel.c, CM_LoadMap",
    )
    .open(&[T::Qbsp38]),
    loader(
        Texture,
        &[T::Wal],
        "yquake2 0588d3f, src/client/refresh/files/wal.c, LoadWal",
    )
    .open(&[T::M8, T::M32, T::Swl]),
    loader(
        Model,
        &[T::Md2],
        "yquake2 146e561, src/client/refresh/files/models.c",
    ),
    loader(
        Sprite,
        &[T::Sp2],
        "yquake2 146e561, src/client/refresh/files/models.c",
    ),
    loader(
        Sound,
        &[T::Wav, T::Ogg],
        "yquake2 6f045f7, src/client/sound, S_LoadSound",
    ),
    loader(
        Picture,
        &[T::Pcx, T::Tga, T::Png, T::Jpeg],
        "yquake2 ea09e5c, src/client/refresh/files/stb.c, LoadSTB",
    ),
];

const YQUAKE2REMASTER: &[Loader] = &[
    loader(
        Map,
        &[T::Bsp29, T::Ibsp38, T::Qbsp38, T::Ibsp41, T::Ibsp46],
        "yquake2remaster 1aa53f3, Mod_LoadGetRules",
    )
    .open(&[T::Bsp30, T::Bsp2, T::Bsp2Psb, T::Ibsp47]),
    loader(
        Texture,
        &[T::Wal, T::Wal3, T::M8, T::M32, T::Swl],
        "yquake2remaster a33d6b0, src/client/cl_image.c, LoadImageWithPaletteStatic",
    ),
    loader(
        Model,
        &[T::Mdl, T::HalfLifeMdl, T::Md2, T::Md3, T::Dkm],
        "yquake2remaster 0ef8409, src/common/models/models.c, Mod_LoadModelFile",
    ),
    loader(
        Sprite,
        &[T::Spr, T::Sp2],
        "yquake2remaster 2faf2b4, src/common/models/sprites.c, Mod_LoadSprite_SPR",
    ),
    loader(
        Sound,
        &[T::Wav, T::Ogg, T::Mp3],
        "yquake2remaster afd16ad, src/client/sound/sound.c, S_LoadSound",
    ),
    loader(
        Picture,
        &[T::Pcx, T::Tga, T::Png, T::Jpeg, T::Lmp],
        "yquake2remaster a33d6b0, src/client/cl_image.c, LoadImageWithPaletteStatic",
    )
    .open(&[T::Bmp]),
];

const Q2PRO: &[Loader] = &[
    loader(
        Map,
        &[T::Ibsp38, T::Qbsp38],
        "Q2PRO d487c85, src/common/bsp.c, BSP_Load",
    ),
    loader(
        Texture,
        &[T::Wal],
        "Q2PRO 050f260, src/refresh/images.c, img_loaders[]",
    ),
    loader(
        Model,
        &[T::Md2, T::Md3],
        "Q2PRO bcfebdc, src/refresh/models.c, R_RegisterModel",
    ),
    loader(
        Sprite,
        &[T::Sp2],
        "Q2PRO bcfebdc, src/refresh/models.c, R_RegisterModel",
    ),
    loader(
        Sound,
        &[T::Wav, T::Ogg],
        "Q2PRO a00ae87, src/client/sound/mem.c, GetWavinfo",
    ),
    loader(
        Picture,
        &[T::Pcx, T::Tga, T::Jpeg, T::Png],
        "Q2PRO 050f260, src/refresh/images.c, img_loaders[]",
    ),
];

const IOQUAKE3: &[Loader] = &[
    loader(
        Map,
        &[T::Ibsp46],
        "ioquake3 5956299, code/renderergl1/tr_bsp.c, RE_LoadWorldMap",
    )
    .open(&[T::Ibsp47]),
    loader(
        Texture,
        &[],
        "ioquake3 2ca0594, code/renderergl1/tr_image.c, imageLoaders[]",
    ),
    loader(
        Model,
        &[T::Md3],
        "ioquake3 2ca0594, code/renderergl1/tr_model.c, modelLoaders[]",
    ),
    loader(
        Sprite,
        &[],
        "ioquake3 2ca0594, code/renderergl1/tr_model.c, modelLoaders[]",
    ),
    loader(
        Sound,
        &[T::Wav, T::Ogg],
        "ioquake3 0742d30, code/client/snd_codec.c, S_CodecInit",
    ),
    loader(
        Picture,
        &[T::Png, T::Tga, T::Jpeg, T::Pcx, T::Bmp],
        "ioquake3 2ca0594, code/renderergl1/tr_image.c, imageLoaders[]",
    ),
];

//! Which types of files each engine reads, and how that is known. The rows are in `loaders`.
//!
//! Nothing of this was observed. Facts were *read* in the engine's source, in the file and function that
//! the row names, at the commit that it names: the newest that was at hand, which need not be the build that
//! [`table`](super::table) is about. Compile options are taken to be as they are by default. A row that says
//! "general knowledge" was not looked up. What a row neither reads nor leaves open is not read: the loader
//! there refuses it, or takes it for something else. Where the source was not read that far, or what was
//! linked decides, it is left open, and nothing is said. Daikatana has no public source, and of Hexenwail and
//! dhewm3 only what loads archives was read, so nothing is said of the three at all.
//!
//! Sounds are those that a game plays as effects. Music is another matter, and left open.

mod loaders;

use super::engines::Engine;
use crate::archive::FileType;
use loaders::loaders;

/// What an engine does about files of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// It reads them.
    Reads,
    /// It does not, by this source.
    DoesNot(&'static str),
    /// This is not known.
    NotKnown,
}

impl Engine {
    /// What it does about files of this type.
    #[must_use]
    pub fn reading(self, file_type: FileType) -> Reading {
        let mut all = loaders(self).iter();
        match all.find(|loader| loader.family == file_type.family()) {
            Some(loader) if loader.reads.contains(&file_type) => Reading::Reads,
            Some(loader) if !loader.open.contains(&file_type) => Reading::DoesNot(loader.source),
            _ => Reading::NotKnown,
        }
    }

    /// Whether it may take a picture of another type where a map asks for a texture.
    #[must_use]
    pub const fn replaces_textures(self) -> bool {
        !matches!(self, Self::Quake | Self::Quake2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::Family::{self, Map, Model, Picture, Sound, Sprite, Texture};
    use FileType as T;

    /// Of whose content nothing is said.
    const UNKNOWN: [Engine; 3] = [Engine::Hexenwail, Engine::Dhewm3, Engine::Daikatana];

    #[test]
    fn every_family_has_one_loader_that_reads_of_it_alone() {
        let families = [Map, Texture, Model, Sprite, Sound, Picture];
        for engine in Engine::ALL {
            let all = loaders(engine);
            let found: Vec<Family> = all.iter().map(|loader| loader.family).collect();
            let none_known = UNKNOWN.contains(&engine);
            assert!(
                none_known && found.is_empty() || found == families,
                "{engine}"
            );
            for loader in all {
                let mut all = loader.reads.iter().chain(loader.open);
                assert!(all.all(|it| it.family() == loader.family), "{engine}");
                assert!(
                    !loader.reads.iter().any(|it| loader.open.contains(it)),
                    "{engine}"
                );
                assert!(loader.source.contains(", "), "{engine}: {}", loader.source);
            }
        }
    }

    /// What was read once more and is otherwise than it had been taken for.
    #[test]
    fn what_the_sources_say_is_what_the_rows_say() {
        for (engine, read) in [
            (Engine::Xash3d, T::Ogg),
            (Engine::Yquake2Remaster, T::Mp3),
            (Engine::Yquake2Remaster, T::Lmp),
            (Engine::Yquake2Remaster, T::HalfLifeMdl),
        ] {
            assert_eq!(engine.reading(read), Reading::Reads, "{engine} {read:?}");
        }
        for (engine, refused, file) in [
            (Engine::Yquake2Remaster, T::HalfLifeSpr, "sprites.c"),
            (Engine::Hexen2, T::Bsp2, "gl_model.c"),
            (Engine::Hexen2, T::Bsp2Psb, "gl_model.c"),
            (Engine::Hexen2, T::Wal, "HWAL"),
            (Engine::Hexen2, T::Tga, "gl_draw.c"),
            (Engine::Hexen2, T::Pcx, "gl_draw.c"),
            (Engine::Quake2, T::Png, "gl_image.c"),
        ] {
            let Reading::DoesNot(source) = engine.reading(refused) else {
                panic!("{engine} {refused:?}");
            };
            assert!(source.contains(file), "{engine} {refused:?}: {source}");
        }
        for open in [T::Ogg, T::Mp3] {
            assert_eq!(Engine::EzQuake.reading(open), Reading::NotKnown);
        }
    }

    /// Each game's first engine reads what the game came with, and the others' maps it refuses.
    #[test]
    fn engines_read_the_maps_of_their_games() {
        let reads = |engine: Engine| -> Vec<&str> {
            let types = FileType::all().filter(|it| it.family() == Map);
            let types = types.filter(|it| engine.reading(*it) == Reading::Reads);
            types.map(FileType::as_str).collect()
        };
        assert_eq!(reads(Engine::Quake), ["bsp29"]);
        assert_eq!(reads(Engine::Xash3d), ["bsp29", "bsp30", "bsp2"]);
        assert_eq!(reads(Engine::Quake2), ["ibsp38"]);
        assert_eq!(reads(Engine::IoQuake3), ["ibsp46"]);
        assert_eq!(Engine::Yquake2Remaster.reading(T::Ibsp41), Reading::Reads);
        let others = Engine::ALL
            .into_iter()
            .filter(|it| *it != Engine::Yquake2Remaster && !UNKNOWN.contains(it));
        for engine in others {
            assert!(
                matches!(engine.reading(T::Ibsp41), Reading::DoesNot(_)),
                "{engine}"
            );
        }
        for engine in UNKNOWN {
            assert_eq!(engine.reading(T::Ibsp41), Reading::NotKnown, "{engine}");
        }
    }
}

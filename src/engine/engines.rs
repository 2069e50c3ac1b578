//! Words for engines and for families of engines, and sets of engines.

use core::fmt;

use super::profile::FileTypes;
use super::table::Engine;

impl Engine {
    /// Its stable word, as typed by users and used in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.profile().name
    }

    /// The engine with this word, in any case.
    #[must_use]
    pub fn by_word(word: &str) -> Option<Self> {
        let has_word = |engine: &Self| engine.as_str().eq_ignore_ascii_case(word);
        Self::ALL.into_iter().find(has_word)
    }

    /// Whether the engine reads files of this type, or `None` if that is unknown. The word is the type's short name,
    /// such as `md3`. Compiled code, demos, videos and lumps are not covered.
    #[must_use]
    pub fn reads(self, word: &str) -> Option<bool> {
        let FileTypes { read, unknown } = self.profile().types?;
        if unknown.split(' ').any(|it| it == word) {
            return None;
        }
        Some(read.split(' ').any(|it| it == word))
    }

    /// An engine that reads files of this type, and all that this engine reads.
    #[must_use]
    pub fn wider(self, word: &str) -> Option<Self> {
        let own = self.profile().types?.read;
        let reads_all =
            |other: &Self| own.split(' ').chain([word]).all(|it| other.reads(it) == Some(true));
        Self::ALL.into_iter().find(reads_all)
    }
}

impl core::fmt::Display for Engine {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A set of engines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Engines(u32);

impl Engines {
    /// No engine.
    pub const NONE: Self = Self(0);

    /// All engines.
    pub const ALL: Self = Self((1 << Engine::ALL.len()) - 1);

    /// The words for families: engines that play the same game.
    #[must_use]
    pub fn families() -> Vec<&'static str> {
        let profiles = Engine::ALL.into_iter().map(Engine::profile);
        let mut families: Vec<&str> = profiles.filter_map(|it| it.family).collect();
        families.dedup();
        families
    }

    /// All words for an engine or a family.
    pub fn words() -> impl Iterator<Item = &'static str> {
        let engines = Engine::ALL.into_iter().map(Engine::as_str);
        engines.chain(Self::families())
    }

    /// The engines of such a [word](Self::words), in any case.
    #[must_use]
    pub fn by_word(word: &str) -> Option<Self> {
        let mut engines = Self::NONE;
        for engine in Engine::ALL {
            let mut words = [Some(engine.as_str()), engine.profile().family].into_iter();
            if words.any(|it| it.is_some_and(|it| it.eq_ignore_ascii_case(word))) {
                engines.0 |= Self::from(engine).0;
            }
        }
        (!engines.is_empty()).then_some(engines)
    }

    /// All of them, in the order of [`Engine::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Engine> + Clone {
        let all = Engine::ALL.into_iter();
        all.filter(move |engine| self.contains(*engine))
    }

    /// Groups the engines by the result of `so`.
    pub fn agreeing<T: PartialEq>(self, so: impl Fn(Engine) -> T) -> Vec<(T, Self)> {
        let mut groups: Vec<(T, Self)> = Vec::new();
        for engine in self.iter() {
            let (so, engine) = (so(engine), Self::from(engine));
            match groups.iter_mut().find(|(other, _)| *other == so) {
                Some((_, engines)) => engines.0 |= engine.0,
                None => groups.push((so, engine)),
            }
        }
        groups
    }

    /// The form of a verb for this number of engines: `loads` or `load`.
    #[must_use]
    pub const fn verb(self, of_one: &'static str, of_several: &'static str) -> &'static str {
        match self.len() {
            1 => of_one,
            _ => of_several,
        }
    }

    /// Whether the set contains this engine.
    #[must_use]
    pub const fn contains(self, engine: Engine) -> bool {
        self.0 & (1 << engine as u32) != 0
    }

    /// The number of engines.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl From<Engine> for Engines {
    fn from(engine: Engine) -> Self {
        Self(1 << engine as u32)
    }
}

impl FromIterator<Engine> for Engines {
    fn from_iter<I: IntoIterator<Item = Engine>>(engines: I) -> Self {
        let bits = engines.into_iter().map(|engine| Self::from(engine).0);
        Self(bits.fold(0, |all, one| all | one))
    }
}

impl FromIterator<Self> for Engines {
    fn from_iter<I: IntoIterator<Item = Self>>(all: I) -> Self {
        Self(all.into_iter().fold(0, |all, one| all | one.0))
    }
}

/// Their names, in the order of [`Engine::ALL`]: `quake, q2pro`.
impl fmt::Display for Engines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.iter().map(Engine::as_str).collect();
        f.write_str(&names.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engine_words_name_one_engine_or_a_family() {
        for word in Engines::words() {
            let engines = Engines::by_word(word).unwrap();
            let upper = Engines::by_word(&word.to_ascii_uppercase());
            assert_eq!(upper, Some(engines));
            assert_eq!(engines.iter().collect::<Engines>(), engines);
            assert_eq!(engines.iter().count(), engines.len());
            assert_eq!(engines.len() == 1, !matches!(word, "all-quake" | "all-quake2"));
        }
        assert_eq!(Engines::by_word("all"), None);
        let twice: Engines = [Engine::Q2pro, Engine::Quake, Engine::Q2pro].into_iter().collect();
        assert_eq!(twice.to_string(), "quake, q2pro");
        assert!(Engines::NONE.is_empty() && !twice.is_empty());
    }

    #[test]
    fn every_engine_is_found_by_its_name_in_any_case() {
        for engine in Engine::ALL {
            assert_eq!(Engine::by_word(engine.as_str()), Some(engine));
            let upper = engine.as_str().to_ascii_uppercase();
            assert_eq!(Engine::by_word(&upper), Some(engine));
        }
        assert_eq!(Engine::by_word("doom"), None);
        assert_eq!(Engines::ALL.iter().count(), Engine::ALL.len());
    }
}

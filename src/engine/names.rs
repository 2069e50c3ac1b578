//! How an engine compares names: which names are the same to it, and which it never finds.
//!
//! An engine has one rule for the name that a game asks for, and another one for the name of an entry. Each rule
//! makes a **key** of the name, and a request finds an entry if both keys are equal. A request without a key finds
//! nothing, and an entry without a key is never found.

use std::borrow::Cow;

use crate::archive::Case;

/// How an engine compares names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Names {
    /// Whether `A` and `a` are different.
    pub case: Case,
    /// The meaning of `\`.
    pub(crate) backslash: Backslash,
    /// How a leading `/`, `./`, `//` and `..` are treated.
    pub(crate) odd: OddPaths,
    /// Whether the names of entries become lower case when their archive is loaded.
    pub lowered: bool,
    /// The longest name that is kept as it is; `None` if there is no limit but the format's.
    pub(crate) longest: Option<LongestName>,
}

/// The longest name that an engine keeps as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct LongestName {
    /// Its length.
    pub bytes: usize,
    /// How longer names are treated.
    pub over: LongName,
}

/// How an engine treats a name that is too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LongName {
    /// The entry is never found.
    NotFound,
    /// The entry is found under the beginning of its name.
    Cut,
    /// The engine ends with an error if the game asks for the entry.
    Stops,
    /// The whole archive is refused.
    Refused,
}

/// The meaning of a `\` in a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Backslash {
    /// It is a character like others: only `a\b` finds `a\b`.
    Itself,
    /// It means `/`.
    Slash,
    /// A request with it is refused, so an entry with it is never found.
    Refused,
    /// In a request it means `/`. In the name of an entry it is a character like others, so that entry is never
    /// found.
    OfRequests,
}

/// How an engine treats names that begin with `/`, or contain `./`, `//` or `..`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum OddPaths {
    /// Like any other names.
    Plain,
    /// A request for such a name is refused, so such an entry is never found.
    Refused,
    /// As `Refused`, but the name of an entry loses leading `/`.
    RefusedRootDropped,
    /// A request that begins with `/` or contains `..` is refused. `./` and `//` have no meaning.
    RootRefused,
    /// A request loses one leading `/`, and is refused if it contains `..`. The name of an entry is not changed, so an
    /// entry with a leading `/` or with `..` is never found. `./` and `//` have no meaning.
    RootDropped,
    /// A request loses a leading `/`, `./` and `//`. The name of an entry keeps them, so that entry is never found.
    RequestsCleaned,
    /// Requests and names of entries are resolved like paths, and lose a leading `/`: `/a//./b/../c` is `a/c`.
    Folded,
}

/// Which requests find an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Findable {
    /// Its name in any case, with `/` for `\`.
    Any,
    /// Its name as it is spelled. Other spellings may find it in some engines.
    Exactly,
    /// None.
    Never,
}

impl Names {
    /// Compares bytes.
    pub const EXACT: Self = Self {
        case: Case::Matters,
        backslash: Backslash::Itself,
        odd: OddPaths::Plain,
        lowered: false,
        longest: None,
    };

    /// Names are equal by this rule if they are equal to any engine.
    pub const WIDEST: Self = Self {
        case: Case::Ignored,
        backslash: Backslash::Slash,
        odd: OddPaths::Folded,
        lowered: false,
        longest: None,
    };

    /// The key of an entry's name; `None` if no request finds it.
    #[must_use]
    pub fn of_entry<'a>(&self, name: &'a [u8]) -> Option<Cow<'a, [u8]>> {
        Some(self.fold_case(self.clean_entry(name)?))
    }

    /// The key of a name that a game asks for; `None` if the engine refuses to look for it.
    #[must_use]
    pub fn of_request<'a>(&self, name: &'a [u8]) -> Option<Cow<'a, [u8]>> {
        Some(self.fold_case(self.clean_request(name)?))
    }

    /// An entry's name as the engine keeps it. Its case is the original one unless the engine lowers it.
    #[must_use]
    pub fn clean_entry<'a>(&self, name: &'a [u8]) -> Option<Cow<'a, [u8]>> {
        let name = self.shortened(name)?;
        if self.backslash == Backslash::OfRequests && name.contains(&b'\\') {
            return None;
        }
        let name = match self.clean_slashes(name)? {
            name if self.lowered && name.iter().any(u8::is_ascii_uppercase) => {
                Cow::Owned(name.to_ascii_lowercase())
            }
            name => name,
        };
        if is_plain(&name) {
            return Some(name);
        }
        match self.odd {
            OddPaths::Plain => Some(name),
            OddPaths::Refused => None,
            OddPaths::RootRefused | OddPaths::RootDropped => (!is_refused(&name)).then_some(name),
            OddPaths::RequestsCleaned => (without_empty(&name) == *name).then_some(name),
            OddPaths::RefusedRootDropped => {
                let root = name.iter().take_while(|byte| **byte == b'/').count();
                let rest = name.get(root..).unwrap_or_default();
                is_plain(rest).then(|| Cow::Owned(rest.to_vec()))
            }
            OddPaths::Folded => Some(Cow::Owned(folded(&name))),
        }
    }

    /// A name that a game asks for, as the engine looks for it, in its original case.
    #[must_use]
    pub fn clean_request<'a>(&self, name: &'a [u8]) -> Option<Cow<'a, [u8]>> {
        let name = self.clean_slashes(name)?;
        if is_plain(&name) {
            return Some(name);
        }
        match self.odd {
            OddPaths::Plain => Some(name),
            OddPaths::Refused | OddPaths::RefusedRootDropped => None,
            OddPaths::RootRefused => (!is_refused(&name)).then_some(name),
            OddPaths::RootDropped => {
                let rest = name.strip_prefix(b"/").unwrap_or(&name);
                (!is_refused(rest)).then(|| Cow::Owned(rest.to_vec()))
            }
            OddPaths::RequestsCleaned => Some(Cow::Owned(without_empty(&name))),
            OddPaths::Folded => Some(Cow::Owned(folded(&name))),
        }
    }

    /// Which requests find an entry of this name.
    #[must_use]
    pub fn find(&self, name: &[u8]) -> Findable {
        let Some(kept) = self.clean_entry(name) else {
            return Findable::Never;
        };
        let has_case = self.case == Case::Matters && kept.iter().any(u8::is_ascii_uppercase);
        if has_case || kept.contains(&b'\\') || !is_plain(&kept) {
            Findable::Exactly
        } else {
            Findable::Any
        }
    }

    /// Whether a name is too long for it.
    #[must_use]
    pub fn is_too_long(&self, name: &[u8]) -> bool {
        self.longest.is_some_and(|longest| name.len() > longest.bytes)
    }

    /// The part of an entry's name that counts; `None` if the name is too long to be found.
    fn shortened<'a>(&self, name: &'a [u8]) -> Option<&'a [u8]> {
        match self.longest {
            Some(longest) if name.len() > longest.bytes => match longest.over {
                LongName::Cut => name.get(..longest.bytes),
                LongName::NotFound | LongName::Stops | LongName::Refused => None,
            },
            _ => Some(name),
        }
    }

    fn clean_slashes<'a>(&self, name: &'a [u8]) -> Option<Cow<'a, [u8]>> {
        if !name.contains(&b'\\') {
            return Some(Cow::Borrowed(name));
        }
        match self.backslash {
            Backslash::Itself => Some(Cow::Borrowed(name)),
            Backslash::Slash | Backslash::OfRequests => {
                let slash = |byte: &u8| if *byte == b'\\' { b'/' } else { *byte };
                Some(Cow::Owned(name.iter().map(slash).collect()))
            }
            Backslash::Refused => None,
        }
    }

    fn fold_case<'a>(&self, name: Cow<'a, [u8]>) -> Cow<'a, [u8]> {
        if self.case == Case::Ignored && name.iter().any(u8::is_ascii_uppercase) {
            Cow::Owned(name.to_ascii_lowercase())
        } else {
            name
        }
    }
}

/// The spelling under which every engine finds a file of this name: ASCII letters in lower case, and `/` for `\`.
/// Borrowed if the name is spelled like that already.
pub(crate) fn findable(name: &[u8]) -> Cow<'_, [u8]> {
    let changes = |byte: &u8| byte.is_ascii_uppercase() || *byte == b'\\';
    if !name.iter().any(changes) {
        return Cow::Borrowed(name);
    }
    let fold = |byte: &u8| match byte {
        b'\\' => b'/',
        byte => byte.to_ascii_lowercase(),
    };
    Cow::Owned(name.iter().map(fold).collect())
}

/// Whether a name has no leading `/`, no `./`, no `//` and no `..`.
pub(super) fn is_plain(name: &[u8]) -> bool {
    let odd = |pair: &[u8]| matches!(pair, b"./" | b"//" | b"..");
    name.first() != Some(&b'/') && !name.windows(2).any(odd)
}

/// Whether a name begins with `/` or contains `..`.
fn is_refused(name: &[u8]) -> bool {
    name.first() == Some(&b'/') || name.windows(2).any(|pair| pair == b"..")
}

/// The name without parts that are empty or `.`.
fn without_empty(name: &[u8]) -> Vec<u8> {
    let parts = name.split(|byte| *byte == b'/');
    let parts: Vec<&[u8]> = parts.filter(|part| !matches!(*part, b"" | b".")).collect();
    parts.join(&b'/')
}

/// The name without parts that are empty or `.`, and without `..` and the part before it.
fn folded(name: &[u8]) -> Vec<u8> {
    let mut parts: Vec<&[u8]> = Vec::new();
    for part in name.split(|byte| *byte == b'/') {
        match part {
            b"" | b"." => {}
            b".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join(&b'/')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Engine;

    fn entry(engine: Engine, name: &str) -> Option<String> {
        let key = engine.profile().request_names().of_entry(name.as_bytes())?.into_owned();
        Some(String::from_utf8(key).unwrap())
    }

    fn request(engine: Engine, name: &str) -> Option<String> {
        let key = engine.profile().request_names().of_request(name.as_bytes())?.into_owned();
        Some(String::from_utf8(key).unwrap())
    }

    #[test]
    fn plain_lower_case_names_are_their_own_keys() {
        for engine in Engine::ALL {
            for name in [&b"maps/e1m1.bsp"[..], b"a.b/c", b".x", b"x.", b""] {
                let names = engine.profile().request_names();
                for key in [names.of_entry(name), names.of_request(name)] {
                    assert!(matches!(key, Some(Cow::Borrowed(key)) if key == name), "{engine}");
                }
            }
        }
    }

    #[test]
    fn names_equal_to_any_engine_have_one_wide_key() {
        let names = ["A\\b", "a/b", "/a/b", "./a//b", "a/./b", "c/../a/b", "\\A\\B"];
        for name in names {
            let key = Names::WIDEST.of_entry(name.as_bytes()).unwrap();
            assert_eq!(&*key, b"a/b", "{name}");
            assert_eq!(entry(Engine::Q2pro, name).as_deref(), Some("a/b"), "{name}");
        }
        assert_eq!(&*Names::WIDEST.of_entry(b"../../x").unwrap(), b"x");
    }

    #[test]
    fn parts_that_only_look_odd_are_kept() {
        assert_eq!(entry(Engine::Q2pro, "a../b./c..d").as_deref(), Some("a../b./c..d"));
        assert_eq!(entry(Engine::Yquake2, "a../b").as_deref(), Some("a../b"));
        assert_eq!(request(Engine::Yquake2, "/a/.//b").as_deref(), Some("a/b"));
        assert_eq!(request(Engine::Quake, "/a/.//B").as_deref(), Some("/a/.//B"));
        assert_eq!(entry(Engine::Fteqw, "//A\\b").as_deref(), Some("a/b"));
        assert_eq!(request(Engine::Fteqw, "//A\\b"), None);
    }

    /// Fifty-five bytes leave room for the NUL that ends a name.
    #[test]
    fn a_name_that_fills_its_field_is_found_by_few() {
        let (full, fits) = ("x".repeat(56), "x".repeat(55));
        let found = |name: &str| {
            let found = Engine::ALL.into_iter().filter(|it| entry(*it, name).is_some());
            found.map(Engine::as_str).collect::<Vec<_>>()
        };
        assert_eq!(
            found(&full),
            ["fteqw", "yquake2remaster", "q2pro", "ioquake3", "dhewm3", "daikatana"]
        );
        assert_eq!(found(&fits).len(), Engine::ALL.len());
    }

    #[test]
    fn every_engine_finds_lower_case_and_slashes() {
        let same = findable(b"maps/e1m1.bsp");
        assert!(matches!(same, Cow::Borrowed(b"maps/e1m1.bsp")));
        assert_eq!(&*findable(b"MAPS\\e1m1.bsp"), b"maps/e1m1.bsp");
    }
}

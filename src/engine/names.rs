//! How an engine takes names: which of them are one to it, and which it never finds.
//!
//! An engine has one rule for the name that a game asks for and another one for an entry's name.
//! Both lead to a **key**, and an entry is found where the two keys are the same. Where a rule
//! gives no key, the request finds nothing, or no request finds the entry.

use std::borrow::Cow;

use crate::archive::{Case, Format};

/// How an engine takes names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Names {
    /// Whether `A` and `a` are one letter.
    pub case: Case,
    /// What `\` is.
    pub(crate) backslash: Backslash,
    /// What becomes of a leading `/`, of `./`, `//` and `..`.
    pub(crate) odd: OddPaths,
    /// Whether an entry's name is put in lower case when its archive is loaded.
    pub lowered: bool,
    /// The longest name that is taken as it is; none where every name is that fits its format.
    pub(crate) longest: Option<LongestName>,
}

/// The longest name that an engine takes as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct LongestName {
    /// How many bytes it has.
    pub bytes: usize,
    /// What becomes of longer ones.
    pub over: LongName,
}

/// What an engine makes of a name that is too long for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LongName {
    /// The entry is never found.
    NotFound,
    /// The name is cut, and the entry is found under what is left of it.
    Cut,
    /// The engine ends with an error when it is asked for.
    Stops,
    /// The whole archive is refused.
    Refused,
}

/// What a `\` in a name is to an engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Backslash {
    /// A character like others: `a\b` is found as `a\b` alone.
    Itself,
    /// The same as `/`.
    Slash,
    /// Nothing that a request may have, so that an entry with it is never found.
    Refused,
    /// The same as `/` in a request, and a character like others in an entry's name, which is never
    /// found so.
    OfRequests,
}

/// What an engine makes of names that begin with `/`, or that have `./`, `//` or `..`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum OddPaths {
    /// Nothing: they are names like others.
    Plain,
    /// A request for such a name is refused, so that no such entry is found.
    Refused,
    /// As `Refused`, but an entry's leading `/` is dropped.
    RefusedRootDropped,
    /// A request that begins with `/` or has `..` is refused; `./` and `//` are as others.
    RootRefused,
    /// A request loses one leading `/`, and with `..` it is refused; an entry keeps that, and is not
    /// found. `./` and `//` are as others.
    RootDropped,
    /// A request loses a leading `/`, `./` and `//`; an entry keeps them, and is not found.
    RequestsCleaned,
    /// They are taken out of requests and entries alike: `a//./b/../c` is `a/c`.
    Folded,
}

/// How a name is found that is not found under every spelling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Findable {
    /// In whatever case, and with `/`.
    Any,
    /// Only as it is spelled, though some engines find it otherwise, too.
    Exactly,
    /// Under no name.
    Never,
}

impl Names {
    /// Names are bytes.
    pub const EXACT: Self = Self {
        case: Case::Matters,
        backslash: Backslash::Itself,
        odd: OddPaths::Plain,
        lowered: false,
        longest: None,
    };

    /// Every name that is one to any engine is one by this rule.
    pub const WIDEST: Self = Self {
        case: Case::Ignored,
        backslash: Backslash::Slash,
        odd: OddPaths::Folded,
        lowered: false,
        longest: None,
    };

    /// The same, where a name in a pak's field of 56 bytes is found only if it ends with a NUL.
    pub(super) const fn ended(self) -> Self {
        self.longest(Format::Quake.spec().name_max, LongName::NotFound)
    }

    pub(super) const fn longest(self, bytes: usize, over: LongName) -> Self {
        let longest = Some(LongestName { bytes, over });
        Self { longest, ..self }
    }

    pub(super) const fn lowered(self) -> Self {
        let lowered = true;
        Self { lowered, ..self }
    }

    pub(super) const fn slashes(self, backslash: Backslash, odd: OddPaths) -> Self {
        Self {
            backslash,
            odd,
            ..self
        }
    }

    /// The key that an entry of this name is found by; none where no request finds it.
    #[must_use]
    pub fn of_entry<'a>(&self, name: &'a [u8]) -> Option<Cow<'a, [u8]>> {
        Some(self.fold_case(self.clean_entry(name)?))
    }

    /// The key of a name that a game asks for; none where the engine refuses to look for it.
    #[must_use]
    pub fn of_request<'a>(&self, name: &'a [u8]) -> Option<Cow<'a, [u8]>> {
        Some(self.fold_case(self.clean_request(name)?))
    }

    /// An entry's name as the engine keeps it, in the case that it has.
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

    /// A name that a game asks for, as the engine looks for it, in the case that it has.
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

    /// How an entry of this name is found.
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
        self.longest
            .is_some_and(|longest| name.len() > longest.bytes)
    }

    /// As much of an entry's name as counts; none where it is too long to be found.
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

/// The name under which every engine finds what has this one: ASCII letters in lower case, and
/// `/` for `\`. Borrowed where it is that already.
#[must_use]
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

/// Whether a name has none of a leading `/`, `./`, `//` and `..`.
pub(super) fn is_plain(name: &[u8]) -> bool {
    let odd = |pair: &[u8]| matches!(pair, b"./" | b"//" | b"..");
    name.first() != Some(&b'/') && !name.windows(2).any(odd)
}

/// Whether a name begins with `/` or has `..`.
fn is_refused(name: &[u8]) -> bool {
    name.first() == Some(&b'/') || name.windows(2).any(|pair| pair == b"..")
}

/// Without parts that are empty or `.`.
fn without_empty(name: &[u8]) -> Vec<u8> {
    let parts = name.split(|byte| *byte == b'/');
    let parts: Vec<&[u8]> = parts.filter(|part| !matches!(*part, b"" | b".")).collect();
    parts.join(&b'/')
}

/// Without parts that are empty, `.` or `..`, and the part that it leads out of.
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
        let key = engine
            .profile()
            .names
            .of_entry(name.as_bytes())?
            .into_owned();
        Some(String::from_utf8(key).unwrap())
    }

    fn request(engine: Engine, name: &str) -> Option<String> {
        let key = engine
            .profile()
            .names
            .of_request(name.as_bytes())?
            .into_owned();
        Some(String::from_utf8(key).unwrap())
    }

    #[test]
    fn a_plain_name_in_lower_case_is_its_own_key_and_nothing_is_copied() {
        for engine in Engine::ALL {
            for name in [&b"maps/e1m1.bsp"[..], b"a.b/c", b".x", b"x.", b""] {
                let names = engine.profile().names;
                for key in [names.of_entry(name), names.of_request(name)] {
                    assert!(
                        matches!(key, Some(Cow::Borrowed(key)) if key == name),
                        "{engine}"
                    );
                }
            }
        }
    }

    #[test]
    fn names_whose_keys_are_one_are_folded_by_the_widest_rule() {
        let names = [
            "A\\b", "a/b", "/a/b", "./a//b", "a/./b", "c/../a/b", "\\A\\B",
        ];
        for name in names {
            let key = Names::WIDEST.of_entry(name.as_bytes()).unwrap();
            assert_eq!(&*key, b"a/b", "{name}");
            assert_eq!(entry(Engine::Q2pro, name).as_deref(), Some("a/b"), "{name}");
        }
        assert_eq!(&*Names::WIDEST.of_entry(b"../../x").unwrap(), b"x");
    }

    #[test]
    fn parts_that_only_look_odd_are_kept() {
        assert_eq!(
            entry(Engine::Q2pro, "a../b./c..d").as_deref(),
            Some("a../b./c..d")
        );
        assert_eq!(entry(Engine::Yquake2, "a../b").as_deref(), Some("a../b"));
        assert_eq!(request(Engine::Yquake2, "/a/.//b").as_deref(), Some("a/b"));
        assert_eq!(
            request(Engine::Quake, "/a/.//B").as_deref(),
            Some("/a/.//B")
        );
        assert_eq!(entry(Engine::Fteqw, "//A\\b").as_deref(), Some("a/b"));
        assert_eq!(request(Engine::Fteqw, "//A\\b"), None);
    }

    /// Fifty-five bytes leave room for the NUL that ends a name.
    #[test]
    fn a_name_that_fills_its_field_is_found_by_few() {
        let (full, fits) = ("x".repeat(56), "x".repeat(55));
        let found = |name: &str| {
            let found = Engine::ALL
                .into_iter()
                .filter(|it| entry(*it, name).is_some());
            found.map(Engine::name).collect::<Vec<_>>()
        };
        assert_eq!(
            found(&full),
            [
                "fteqw",
                "yquake2remaster",
                "q2pro",
                "ioquake3",
                "dhewm3",
                "daikatana"
            ]
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

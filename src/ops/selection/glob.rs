//! Globs: `?`, `*`, `**`, `[a-z]`, `[!a-z]` and `{a,b}`; a `\` takes the meaning from what follows it.
//!
//! A glob is compared from its start to its end. Each part of it turns the places of a name where the parts before it
//! can end into the places where it can end itself. So the time is at most the length of the glob times the length of
//! the name, whatever the glob is. ASCII case is ignored.

/// How deep `{` can be nested, so that no glob can exhaust the stack.
const DEEPEST: usize = 16;

/// A glob.
#[derive(Debug)]
pub(super) struct Glob {
    parts: Vec<GlobPart>,
}

#[derive(Debug)]
enum GlobPart {
    /// These bytes.
    Text(Vec<u8>),
    /// `?`, `[a-z]` or `[!a-z]`: one byte other than `/`.
    OneOf(ByteClass),
    /// `*`: any bytes other than `/`.
    Name,
    /// `**`: any bytes.
    Path,
    /// `**/`: any number of folders, also none.
    Folders,
    /// `{a,b}`: one of these.
    Either(Vec<Vec<GlobPart>>),
}

/// `[a-z]`: one of these ranges, whose ends belong to it. `[!a-z]`: none of them.
#[derive(Debug)]
struct ByteClass {
    ranges: Vec<(u8, u8)>,
    negated: bool,
}

/// Where parts of a glob can end in a name: numbers of bytes before them, in order.
type Places = Vec<usize>;

impl Glob {
    /// Reads a glob. The error says what is wrong with it.
    pub(super) fn new(text: &[u8]) -> Result<Self, &'static str> {
        let mut reader = Reader { rest: text, last: None };
        let parts = reader.parts(0)?;
        if reader.rest.is_empty() { Ok(Self { parts }) } else { Err("a `}` has no `{` before it") }
    }

    /// Whether the glob matches the whole of `name`.
    pub(super) fn matches(&self, name: &[u8]) -> bool {
        // Most globs end in an extension, which most names do not have.
        if let Some(GlobPart::Text(end)) = self.parts.last() {
            let found = name.len().checked_sub(end.len());
            let found = found.and_then(|start| name.get(start..));
            if !found.is_some_and(|found| found.eq_ignore_ascii_case(end)) {
                return false;
            }
        }
        ends(&self.parts, name, vec![0]).last() == Some(&name.len())
    }
}

/// Where `parts` can end that begin at one of these places.
fn ends(parts: &[GlobPart], name: &[u8], mut places: Places) -> Places {
    for part in parts {
        if places.is_empty() {
            break;
        }
        places = part.ends(name, places);
    }
    places
}

impl GlobPart {
    /// Where it can end if it begins at one of these places.
    fn ends(&self, name: &[u8], mut places: Places) -> Places {
        match self {
            Self::Text(text) => {
                places.retain_mut(|place| {
                    let start = *place;
                    *place += text.len();
                    let found = name.get(start..*place);
                    found.is_some_and(|found| found.eq_ignore_ascii_case(text))
                });
                places
            }
            Self::OneOf(class) => {
                places.retain_mut(|place| {
                    let start = *place;
                    *place += 1;
                    name.get(start).is_some_and(|byte| class.has(*byte))
                });
                places
            }
            Self::Name => ends_of_names(name, &places),
            Self::Path => {
                let first = places.first().copied();
                first.map_or(Places::new(), |first| (first..=name.len()).collect())
            }
            Self::Folders => {
                let first = places.first().copied().unwrap_or(name.len());
                let rest = name.iter().enumerate().skip(first);
                let slashes = rest.filter(|(_, byte)| **byte == b'/');
                places.extend(slashes.map(|(place, _)| place + 1));
                places.sort_unstable();
                places.dedup();
                places
            }
            Self::Either(choices) => {
                let mut all = Places::new();
                for choice in choices {
                    all.extend(ends(choice, name, places.clone()));
                }
                all.sort_unstable();
                all.dedup();
                all
            }
        }
    }
}

/// The places from each of `starts` up to the next `/`.
fn ends_of_names(name: &[u8], starts: &[usize]) -> Places {
    let mut places = Places::new();
    for start in starts {
        // If it is among the places already, then so is what follows up to the `/`.
        if places.last().is_some_and(|last| start <= last) {
            continue;
        }
        let rest = name.get(*start..).unwrap_or(&[]);
        let len = rest.iter().take_while(|byte| **byte != b'/').count();
        places.extend(*start..=*start + len);
    }
    places
}

impl ByteClass {
    fn has(&self, byte: u8) -> bool {
        let (lower, upper) = (byte.to_ascii_lowercase(), byte.to_ascii_uppercase());
        let is_within = self.ranges.iter().any(|(low, high)| {
            let range = *low..=*high;
            range.contains(&lower) || range.contains(&upper)
        });
        byte != b'/' && is_within != self.negated
    }
}

/// Reads a glob into its parts.
struct Reader<'a> {
    rest: &'a [u8],
    /// The byte before `rest`.
    last: Option<u8>,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        self.last = Some(*first);
        self.last
    }

    /// The parts up to the end of the glob, or up to a `,` or `}` that ends one of the choices of a `{`.
    ///
    /// `depth` is the number of `{` around them.
    fn parts(&mut self, depth: usize) -> Result<Vec<GlobPart>, &'static str> {
        let mut parts = Vec::new();
        while let Some(byte) = self.rest.first().copied() {
            if byte == b'}' || byte == b',' && depth > 0 {
                break;
            }
            let folder_begins = parts.is_empty() || self.last == Some(b'/');
            self.next();
            let part = match byte {
                b'?' => GlobPart::OneOf(ByteClass { ranges: Vec::new(), negated: true }),
                b'*' => self.star(folder_begins, depth),
                b'[' => GlobPart::OneOf(self.class()?),
                b'{' => self.choices(depth + 1)?,
                b'\\' => match self.next() {
                    Some(byte) => GlobPart::Text(vec![byte]),
                    None => return Err("nothing follows the `\\` at its end"),
                },
                byte => GlobPart::Text(vec![byte]),
            };
            match (parts.last_mut(), part) {
                (Some(GlobPart::Text(text)), GlobPart::Text(more)) => text.extend(more),
                (_, part) => parts.push(part),
            }
        }
        Ok(parts)
    }

    /// What the `*` before `rest` means, with what belongs to it. Only a `**` that stands between two `/`, or at an end,
    /// matches a `/`.
    fn star(&mut self, folder_begins: bool, depth: usize) -> GlobPart {
        let Some((b'*', after)) = self.rest.split_first() else {
            return GlobPart::Name;
        };
        if !folder_begins {
            return GlobPart::Name;
        }
        match after.first() {
            None => {}
            Some(b',' | b'}') if depth > 0 => {}
            Some(b'/') => {
                self.next();
                self.next();
                return GlobPart::Folders;
            }
            Some(_) => return GlobPart::Name,
        }
        self.next();
        GlobPart::Path
    }

    /// The ranges of a class, whose `[` is read, up to its `]`. A `]` or `-` that is first stands for itself, and so does
    /// a `-` that is last.
    fn class(&mut self) -> Result<ByteClass, &'static str> {
        let unclosed = "a `[` has no `]` after it";
        let negated = matches!(self.rest.first(), Some(b'!' | b'^'));
        if negated {
            self.next();
        }
        let mut ranges = Vec::new();
        loop {
            let low = self.next().ok_or(unclosed)?;
            if low == b']' && !ranges.is_empty() {
                return Ok(ByteClass { ranges, negated });
            }
            let mut high = low;
            if let [b'-', end, ..] = self.rest
                && *end != b']'
            {
                high = *end;
                self.next();
                self.next();
            }
            if low > high {
                return Err("a range in `[]` ends before it begins");
            }
            ranges.push((low, high));
        }
    }

    /// The choices of a `{`, which is read, up to its `}`.
    fn choices(&mut self, depth: usize) -> Result<GlobPart, &'static str> {
        if depth > DEEPEST {
            return Err("its `{` are nested too deep");
        }
        let mut choices = Vec::new();
        loop {
            choices.push(self.parts(depth)?);
            match self.next() {
                Some(b',') => {}
                Some(_) => return Ok(GlobPart::Either(choices)),
                None => return Err("a `{` has no `}` after it"),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Whether a glob without `{`, `[` and `\\` matches: tries every length for every star.
    fn naive(glob: &[u8], name: &[u8], folder_begins: bool) -> bool {
        let any = |rest: &[u8], accepted: fn(u8) -> bool| {
            let longest = name.iter().take_while(|byte| accepted(**byte)).count();
            (0..=longest).any(|len| naive(rest, &name[len..], false))
        };
        match glob {
            [] => name.is_empty(),
            [b'*', b'*'] if folder_begins => true,
            [b'*', b'*', b'/', rest @ ..] if folder_begins => {
                naive(rest, name, true)
                    || (0..name.len())
                        .any(|at| name[at] == b'/' && naive(rest, &name[at + 1..], true))
            }
            [b'*', rest @ ..] => any(rest, |byte| byte != b'/'),
            [b'?', rest @ ..] => {
                name.first().is_some_and(|byte| *byte != b'/') && naive(rest, &name[1..], false)
            }
            [byte, rest @ ..] => {
                name.first() == Some(byte) && naive(rest, &name[1..], *byte == b'/')
            }
        }
    }

    fn matches(glob: &str, name: &str) -> bool {
        Glob::new(glob.as_bytes()).unwrap().matches(name.as_bytes())
    }

    #[test]
    fn every_short_glob_matches_like_a_naive_one() {
        let names = words(b"ab/", 5);
        for glob in words(b"a*?/", 5) {
            let read = Glob::new(&glob).unwrap();
            for name in &names {
                let expected = naive(&glob, name, true);
                let (glob, shown) = (String::from_utf8_lossy(&glob), String::from_utf8_lossy(name));
                assert_eq!(read.matches(name), expected, "{glob} and {shown}");
            }
        }
    }

    /// All words of at most `longest` of these letters.
    fn words(letters: &[u8], longest: usize) -> Vec<Vec<u8>> {
        let mut all = vec![Vec::new()];
        let mut longer = 0;
        for _ in 0..longest {
            let before = all.len();
            for at in longer..before {
                for letter in letters {
                    let mut word = all[at].clone();
                    word.push(*letter);
                    all.push(word);
                }
            }
            longer = before;
        }
        all
    }

    #[test]
    fn one_of_several_bytes_or_texts() {
        for (glob, yes, no) in [
            ("[abc]", "b", "d"),
            ("[a-c]x", "cx", "dx"),
            ("[!a-c]", "d", "b"),
            ("[^a-c]", "d", "B"),
            ("[]a]", "]", "b"),
            ("[!]a]", "b", "]"),
            ("[a-]", "-", "b"),
            ("[-a]", "-", "b"),
            ("[A-C]", "b", "d"),
            ("[Z-a]", "z", "b"),
            ("[!a]", "b", "/"),
            ("[[]", "[", "]"),
            ("[{]", "{", "["),
            ("*.{tga,pcx}", "a.PCX", "a.wal"),
            ("{a,b{c,d}}e", "bde", "be"),
            ("a{,b}", "a", "ac"),
            ("{a,**/b}", "x/y/b", "x/a"),
            ("{a/**,b}", "a/x/y", "b/x"),
            ("a,b", "a,b", "a"),
            (r"\{a,b\}", "{a,b}", "a"),
            (r"\*", "*", "a"),
            ("**.bsp", "e1m1.bsp", "maps/e1m1.bsp"),
        ] {
            assert!(matches(glob, yes), "{glob} and {yes}");
            assert!(!matches(glob, no), "{glob} and {no}");
        }
    }

    #[test]
    fn what_is_no_glob_says_why() {
        let deep = "{".repeat(100_000);
        for (glob, why) in [
            ("a[b", "no `]`"),
            ("[", "no `]`"),
            ("[]", "no `]`"),
            ("[z-a]", "before it begins"),
            ("{a", "no `}`"),
            ("{a,{b}", "no `}`"),
            ("a}", "no `{`"),
            ("a\\", "nothing follows"),
            (&deep, "nested"),
        ] {
            let error = Glob::new(glob.as_bytes()).unwrap_err();
            assert!(error.contains(why), "{why}: {error}");
        }
    }

    #[test]
    fn globs_of_many_stars_take_linear_time() {
        let name = "a".repeat(1000);
        assert!(!matches(&"*a".repeat(500).replace("a*", "a?*"), &name[..499]));
        assert!(matches(&"*a".repeat(500), &name));
        assert!(!matches(&format!("{}b", "*a".repeat(500)), &name));
        assert!(!matches(&format!("{}b", "{*,**}".repeat(500)), &name));
    }

    proptest! {
        #[test]
        fn any_bytes_are_a_glob_or_an_error(glob: Vec<u8>, name: Vec<u8>) {
            if let Ok(glob) = Glob::new(&glob) {
                glob.matches(&name);
            }
        }

        #[test]
        fn a_name_whose_bytes_are_escaped_matches_itself_only(name: Vec<u8>, other: Vec<u8>) {
            let escaped: Vec<u8> = name.iter().flat_map(|byte| [b'\\', *byte]).collect();
            let glob = Glob::new(&escaped).unwrap();
            prop_assert!(glob.matches(&name.to_ascii_uppercase()));
            prop_assert_eq!(glob.matches(&other), other.eq_ignore_ascii_case(&name));
        }
    }
}

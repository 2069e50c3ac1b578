//! Globs: `?`, `*`, `**`, `[a-z]`, `[!a-z]` and `{a,b}`; a `\` takes the meaning from what follows it.
//!
//! A glob is compared from its start to its end. Each part of it turns the places of a name where the parts before it
//! can end into the places where it can end itself. So the time is the length of the glob times the length of the
//! name, whatever the glob is. ASCII case is ignored.

/// How deep `{` can be nested, so that no glob can exhaust the stack.
const DEEPEST: usize = 16;

/// A glob.
#[derive(Debug)]
pub(super) struct Glob {
    parts: Vec<Part>,
}

#[derive(Debug)]
enum Part {
    /// A byte, in lower case.
    Byte(u8),
    /// `?`, `[a-z]` or `[!a-z]`: one byte other than `/`.
    OneOf(Class),
    /// `*`: any bytes other than `/`.
    Name,
    /// `**`: any bytes.
    Path,
    /// `{a,b}`: one of these.
    Either(Vec<Vec<Part>>),
}

/// `[a-z]`: one of these ranges, whose ends belong to it. `[!a-z]`: none of them.
#[derive(Debug)]
struct Class {
    ranges: Vec<(u8, u8)>,
    negated: bool,
}

/// For each place of a name, from before its first byte to after its last, whether a part of a glob can end there.
type Places = Vec<bool>;

impl Glob {
    /// Reads a glob. The error says what is wrong with it.
    pub(super) fn new(text: &[u8]) -> Result<Self, &'static str> {
        let mut reader = Reader {
            rest: text,
            last: None,
        };
        let parts = reader.parts(0)?;
        if reader.rest.is_empty() {
            Ok(Self { parts })
        } else {
            Err("a `}` has no `{` before it")
        }
    }

    /// Whether the glob matches the whole of `name`.
    pub(super) fn matches(&self, name: &[u8]) -> bool {
        let name = name.to_ascii_lowercase();
        let mut start = vec![false; name.len() + 1];
        if let Some(first) = start.first_mut() {
            *first = true;
        }
        ends(&self.parts, &name, start).last() == Some(&true)
    }
}

/// Where `parts` can end that begin at one of the places in `starts`.
fn ends(parts: &[Part], name: &[u8], starts: Places) -> Places {
    let mut places = starts;
    for part in parts {
        places = part.ends(name, &places);
    }
    places
}

impl Part {
    fn ends(&self, name: &[u8], starts: &[bool]) -> Places {
        match self {
            Self::Byte(own) => one_further(name, starts, |byte| byte == *own),
            Self::OneOf(class) => one_further(name, starts, |byte| class.has(byte)),
            Self::Name => further(name, starts, |byte| byte != b'/'),
            Self::Path => further(name, starts, |_| true),
            Self::Either(choices) => {
                let mut places = vec![false; starts.len()];
                for choice in choices {
                    let ends = ends(choice, name, starts.to_vec());
                    for (place, end) in places.iter_mut().zip(ends) {
                        *place |= end;
                    }
                }
                places
            }
        }
    }
}

/// The places one byte after `starts`, if that byte is `accepted`.
fn one_further(name: &[u8], starts: &[bool], accepted: impl Fn(u8) -> bool) -> Places {
    let mut places = vec![false];
    for (start, byte) in starts.iter().zip(name) {
        places.push(*start && accepted(*byte));
    }
    places
}

/// `starts`, and all places that `accepted` bytes lead to from there.
fn further(name: &[u8], starts: &[bool], accepted: impl Fn(u8) -> bool) -> Places {
    let mut places = Vec::with_capacity(starts.len());
    let mut reached = false;
    let mut bytes = name.iter();
    for start in starts {
        reached |= start;
        places.push(reached);
        reached &= bytes.next().is_some_and(|byte| accepted(*byte));
    }
    places
}

impl Class {
    fn has(&self, byte: u8) -> bool {
        let upper = byte.to_ascii_uppercase();
        let within = |(low, high): &(u8, u8)| {
            (*low..=*high).contains(&byte) || (*low..=*high).contains(&upper)
        };
        byte != b'/' && self.ranges.iter().any(within) != self.negated
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
    fn parts(&mut self, depth: usize) -> Result<Vec<Part>, &'static str> {
        let mut parts = Vec::new();
        while let Some(byte) = self.rest.first().copied() {
            if byte == b'}' || byte == b',' && depth > 0 {
                break;
            }
            let folder_begins = parts.is_empty() || self.last == Some(b'/');
            self.next();
            parts.push(match byte {
                b'?' => Part::OneOf(Class {
                    ranges: Vec::new(),
                    negated: true,
                }),
                b'*' => self.star(folder_begins, depth),
                b'[' => Part::OneOf(self.class()?),
                b'{' => self.choices(depth + 1)?,
                b'\\' => match self.next() {
                    Some(byte) => Part::Byte(byte.to_ascii_lowercase()),
                    None => return Err("nothing follows the `\\` at its end"),
                },
                byte => Part::Byte(byte.to_ascii_lowercase()),
            });
        }
        Ok(parts)
    }

    /// What follows the first `*`. Only a `**` that has a folder for itself matches a `/`: with the `/` after it, it
    /// stands for any number of folders, also none.
    fn star(&mut self, folder_begins: bool, depth: usize) -> Part {
        let Some((b'*', after)) = self.rest.split_first() else {
            return Part::Name;
        };
        if !folder_begins {
            return Part::Name;
        }
        match after.first() {
            None => {}
            Some(b',' | b'}') if depth > 0 => {}
            Some(b'/') => {
                self.next();
                self.next();
                let folders = vec![Part::Path, Part::Byte(b'/')];
                return Part::Either(vec![Vec::new(), folders]);
            }
            Some(_) => return Part::Name,
        }
        self.next();
        Part::Path
    }

    /// The ranges of a class, whose `[` is read, up to its `]`. A `]` or `-` that is first stands for itself, and so does
    /// a `-` that is last.
    fn class(&mut self) -> Result<Class, &'static str> {
        let unclosed = "a `[` has no `]` after it";
        let negated = matches!(self.rest.first(), Some(b'!' | b'^'));
        if negated {
            self.next();
        }
        let mut ranges = Vec::new();
        loop {
            let low = self.next().ok_or(unclosed)?;
            if low == b']' && !ranges.is_empty() {
                return Ok(Class { ranges, negated });
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
    fn choices(&mut self, depth: usize) -> Result<Part, &'static str> {
        if depth > DEEPEST {
            return Err("its `{` are nested too deep");
        }
        let mut choices = Vec::new();
        loop {
            choices.push(self.parts(depth)?);
            match self.next() {
                Some(b',') => {}
                Some(_) => return Ok(Part::Either(choices)),
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
    fn every_short_glob_does_what_a_naive_reading_of_it_does() {
        let names = words(b"ab/", 5);
        for glob in words(b"a*?/", 5) {
            let read = Glob::new(&glob).unwrap();
            for name in &names {
                let expected = naive(&glob, name, true);
                let (glob, shown) = (
                    String::from_utf8_lossy(&glob),
                    String::from_utf8_lossy(name),
                );
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
    fn one_of_several_bytes() {
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
        ] {
            assert!(matches(glob, yes), "{glob} and {yes}");
            assert!(!matches(glob, no), "{glob} and {no}");
        }
    }

    #[test]
    fn one_of_several_texts() {
        for (glob, yes, no) in [
            ("*.{tga,pcx}", "a.pcx", "a.wal"),
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
    fn a_glob_of_many_stars_takes_no_longer_than_its_length() {
        let name = "a".repeat(1000);
        assert!(!matches(
            &"*a".repeat(500).replace("a*", "a?*"),
            &name[..499]
        ));
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

//! What engines were seen to do, read from `observed.txt`, where its form is explained.

use std::sync::LazyLock;

use daisho::engine::Engine;

/// All that was seen.
pub(crate) struct Observed {
    builds: Vec<Build>,
    sections: Vec<Section>,
}

/// A version of an engine that was run.
#[derive(Debug, Clone)]
pub(crate) struct Build {
    /// The name that rows have for it.
    pub(crate) name: &'static str,
    pub(crate) engine: Engine,
    pub(crate) version: &'static str,
}

/// Something that engines were asked.
pub(crate) struct Section {
    /// `folder`, `names`, `copies` or `odd`.
    pub(crate) kind: &'static str,
    /// What is between that and the colon.
    pub(crate) name: &'static str,
    /// What follows the colon.
    pub(crate) given: &'static str,
    rows: Vec<(&'static str, &'static str)>,
}

impl Observed {
    pub(crate) fn read() -> Self {
        let text = include_str!("observed.txt");
        let mut all = Self { builds: Vec::new(), sections: Vec::new() };
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            if let Some(rest) = line.strip_prefix("engine ") {
                let (name, rest) = rest.split_once(' ').unwrap();
                let (engine, version) = rest.trim_start().split_once(' ').unwrap();
                all.builds.push(Build {
                    name,
                    engine: Engine::by_word(engine).unwrap(),
                    version: version.trim(),
                });
            } else if let Some(row) = line.strip_prefix("  ") {
                let (names, seen) = row.split_once(": ").unwrap();
                let rows = names.split(' ').map(|name| (name, seen));
                all.sections.last_mut().unwrap().rows.extend(rows);
            } else if !line.is_empty() {
                let (head, given) = line.split_once(':').unwrap_or((line, ""));
                let (kind, name) = head.split_once(' ').unwrap_or((head, ""));
                all.sections.push(Section { kind, name, given: given.trim(), rows: Vec::new() });
            }
        }
        all
    }

    /// Every build that was run.
    pub(crate) fn builds(&self) -> &[Build] {
        &self.builds
    }

    /// The version of an engine that the library knows: the first of its builds.
    pub(crate) fn known(&self, engine: Engine) -> Option<&Build> {
        self.builds.iter().find(|build| build.engine == engine)
    }

    pub(crate) fn of(&self, kind: &str) -> impl Iterator<Item = &Section> {
        let sections = self.sections.iter();
        sections.filter(move |section| section.kind == kind)
    }

    /// What was seen of the engine that the library knows.
    pub(crate) fn seen(&self, engine: Engine, kind: &str, name: &str) -> &'static str {
        let build = self.known(engine).unwrap();
        let section = self.of(kind).find(|section| section.name == name).unwrap();
        section.seen(build).unwrap()
    }
}

impl Rules {
    /// What two names have in common that are one to the engine; none for a name that it never
    /// finds.
    pub(crate) fn key(&self, name: &str) -> Option<String> {
        if self.backslash == Backslash::OfRequests && name.contains('\\') {
            return None;
        }
        let name = self.slashes(name)?;
        Some(if self.case_matters { name } else { name.to_ascii_lowercase() })
    }

    /// The file that the engine looks for.
    pub(crate) fn slashes(&self, name: &str) -> Option<String> {
        match self.backslash {
            Backslash::Itself => Some(name.to_owned()),
            Backslash::Slash => Some(name.replace('\\', "/")),
            Backslash::OfRequests => Some(name.replace('\\', "/")),
            Backslash::Never => (!name.contains('\\')).then(|| name.to_owned()),
        }
    }
}

impl Section {
    /// What was seen of a build, where it was asked.
    pub(crate) fn seen(&self, build: &Build) -> Option<&'static str> {
        let mut rows = self.rows.iter();
        rows.find(|(name, _)| *name == build.name).map(|(_, seen)| *seen)
    }

    /// Each engine that the library knows, and what was seen of it.
    pub(crate) fn rows(&self, observed: &Observed) -> Vec<(Engine, &'static str)> {
        let known = Engine::ALL.into_iter().filter_map(|it| observed.known(it));
        known.filter_map(|build| Some((build.engine, self.seen(build)?))).collect()
    }
}

/// The rules of an engine for names and loose files, as they were observed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rules {
    /// Whether `A` and `a` are two letters.
    pub(crate) case_matters: bool,
    /// Which of several entries of one name is served.
    pub(crate) duplicates: Duplicates,
    /// Whether a loose file goes before the paks beside it.
    pub(crate) loose_wins: bool,
    /// What a `\` is.
    pub(crate) backslash: Backslash,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Duplicates {
    First,
    Last,
    Any,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Backslash {
    Itself,
    Slash,
    Never,
    /// `/` in what is asked for, and in an entry's name nothing that is found.
    OfRequests,
}

/// The rules of an engine, as they were seen. Three engines were never run: theirs were read.
pub(crate) fn rules(engine: Engine) -> Rules {
    static RULES: LazyLock<Vec<(Engine, Rules)>> = LazyLock::new(|| {
        let all = Engine::ALL.into_iter();
        all.map(|engine| (engine, derived(engine))).collect()
    });
    let mut all = RULES.iter();
    all.find(|(other, _)| *other == engine).unwrap().1
}

fn derived(engine: Engine) -> Rules {
    if super::WITHOUT_PAKS.contains(&engine) {
        // They load no paks: these are their rules for ZIPs.
        return Rules {
            case_matters: false,
            duplicates: Duplicates::Last,
            loose_wins: true,
            backslash: Backslash::Slash,
        };
    }
    if engine == Engine::Hexenwail {
        return Rules {
            case_matters: false,
            duplicates: Duplicates::Last,
            loose_wins: true,
            backslash: Backslash::Itself,
        };
    }
    if engine == Engine::Daikatana {
        return Rules {
            case_matters: false,
            duplicates: Duplicates::Any,
            loose_wins: true,
            backslash: Backslash::Itself,
        };
    }
    let observed = Observed::read();
    let names = observed.seen(engine, "names", "");
    let answer = |asked: &str| {
        let mut pairs = names.split(' ').filter_map(|pair| pair.split_once('='));
        pairs.find(|(request, _)| *request == asked).unwrap().1
    };
    let backslash = match (answer("d\\b1.cfg"), answer("d/b1.cfg")) {
        ("-", "-") if answer("d\\b2.cfg") != "-" => Backslash::OfRequests,
        ("-", "-") => Backslash::Never,
        (_, "-") => Backslash::Itself,
        _ => Backslash::Slash,
    };
    // Four of one name, and two.
    let four = observed.seen(engine, "copies", "4, others 33");
    let two = observed.seen(engine, "copies", "2, others 10");
    let duplicates = match (two, four) {
        ("1", "1") => Duplicates::First,
        ("2", "4") => Duplicates::Last,
        _ => Duplicates::Any,
    };
    let folder = observed.seen(engine, "folder", "archives");
    Rules {
        case_matters: answer("upper.cfg") == "-",
        duplicates,
        loose_wins: folder.starts_with("loose"),
        backslash,
    }
}

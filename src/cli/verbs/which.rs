//! `which`: says which copy of a file an engine serves; and a game's directories as an engine sees them, for all
//! verbs.

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::path::PathBuf;

use clap::{Args, ValueHint};

use crate::archive::{escape, escape_path, quoted_name};
use crate::cli::args::{EngineArgs, with_base};
use crate::cli::output::Stdout;
use crate::cli::rows::{RunKind, Show};
use crate::cli::text;
use crate::cli::ui::Ui;
use crate::engine::{Engine, FileCopy, findable};
use crate::ops::finding::{Finding, Help};
use crate::ops::game::{View, no_paks};
use crate::ops::row::{At, EntryRow};
use crate::ops::{Refusal, Sink};

/// Say which copy of a file an engine serves
///
/// DIRs are the directories of a game, the base first, then mods. First comes the copy that the engine
/// serves, then the copies that it shadows. Archives that the engine never loads are reported. With one
/// DIR or none, the base is DAISHO_GAME, if that is set.
#[derive(Debug, Args)]
#[command(after_long_help = WHICH, override_usage = WHICH_USAGE)]
pub(crate) struct WhichArgs {
    /// The directories of a game, then the name of a file as the game asks for it
    #[arg(value_name = "[DIR]... NAME", required = true, value_hint = ValueHint::AnyPath)]
    pub(crate) words: Vec<OsString>,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
}

const WHICH_USAGE: &str = "daisho which [OPTIONS] [DIR]... NAME";

const WHICH: &str = "\
Rules:
  Archives are loaded and names are compared as the engine does it on a
  case-sensitive file system. A later directory wins over an earlier one, and a
  later archive over an earlier one in the same directory. -v shows the load
  order. A directory without archives is a game of loose files.
  Where only the file system orders archives, their names do, and a warning says
  so. If nothing is served, the exit status is 1.

Examples:
  daisho which id1 maps/start.bsp
  daisho which id1 hipnotic progs.dat --engine quakespasm";

pub(super) fn run(mut args: WhichArgs, ui: &Ui) -> Result<(), Refusal> {
    // clap cannot tell the name from the directories where an option stands between them.
    let Some(name) = args.words.pop() else {
        return Ok(());
    };
    let folders = with_base(args.words.into_iter().map(PathBuf::from).collect())?;
    if folders.is_empty() {
        let error = Finding::error("'daisho which' takes a game's directory and a name");
        return Err(error
            .advice("give both, as in daisho which id1 progs.dat, or try '--help'")
            .into());
    }
    let view = View::open(&ui.context(), &folders, args.engine.engine, false)?;
    tell_view(&view, ui);
    ui.run(RunKind::Looks, &mut ShowServed { ui }, |_, out| {
        which(&view, name.as_encoded_bytes(), out);
        Ok(())
    })?;
    Ok(())
}

/// A copy of a file.
#[derive(Debug, serde::Serialize)]
struct WhichRow {
    /// Whether the engine serves it.
    served: bool,
    /// The copy.
    #[serde(flatten)]
    copy: EntryRow,
}

/// Shows the copies of a file.
struct ShowServed<'g> {
    ui: &'g Ui,
}

impl Show<WhichRow> for ShowServed<'_> {
    fn text(&mut self, out: &mut Stdout, row: WhichRow) -> io::Result<()> {
        // A warning about all copies comes before them.
        self.ui.flush();
        let word = if row.served { "served" } else { "shadowed" };
        let path = text::path(row.copy.at.path());
        let place = match row.copy.at.index() {
            Some(index) => format!("{path}: entry {index} \"{}\"", escape(&row.copy.name)),
            None => path,
        };
        writeln!(out, "{word:<8}  {place}")
    }
}

/// Opens the directories, and reports how the engine sees them. Without `loose`, directories without archives are
/// refused.
pub(super) fn open_view(
    folders: &[PathBuf],
    engine: Option<Engine>,
    loose: bool,
    ui: &Ui,
) -> Result<View, Refusal> {
    let view = View::open(&ui.context(), folders, engine, loose)?;
    if view.is_plain && !loose {
        let errors = no_paks(&view.folders);
        let advice = "give the directory that holds the game's paks, such as id1, baseq2 or data, or --loose for loose files";
        return Err(Refusal(errors.into_iter().map(|error| error.advice(advice)).collect()));
    }
    tell_view(&view, ui);
    Ok(view)
}

/// Reports which engine's rules apply and which paks this engine never loads, and with `-v` the load order of the
/// others.
fn tell_view(view: &View, ui: &Ui) {
    let name = view.engine_word();
    if view.is_chosen {
        let why = if view.is_plain {
            "because there are no paks".to_owned()
        } else {
            format!("because the paks have {name}'s layout")
        };
        ui.note(&format!("by the rules of {name}, {why}; choose another engine with --engine"));
    }
    for (n, pak) in view.game.loaded().enumerate() {
        let entries = text::count(pak.archive.len(), "entry", "entries");
        let path = text::path(pak.path());
        ui.detail(&format!("  loads {}: {path}, {entries}", n + 1));
    }
    ui.findings(&view.findings);
    ui.flush();
    ui.show_inputs(&view.findings);
    if view.game.loaded().next().is_none() && !view.is_plain {
        let why = format!("{name} loads none of the paks");
        let none = Finding::error(why);
        ui.tell(&none.advice("name the engine that loads them, with --engine"));
    }
}

/// Reports every copy of a file, in the order of `Game::find`, or an error if no copy exists.
fn which(view: &View, name: &[u8], out: &mut dyn Sink<WhichRow>) {
    let found = view.game.find(name);
    if found.is_empty() {
        return out.finding(not_served(view, name));
    }
    if view.game.is_doubtful(&found)
        && let Some(entry) = found.first().and_then(FileCopy::entry)
    {
        out.finding(view.warn_undefined().of_entry(&entry));
    }
    for (number, copy) in found.into_iter().enumerate() {
        let at = match copy.entry() {
            Some(entry) => At::Archive(copy.path.into(), entry.index()),
            None => At::File(copy.path),
        };
        let copy = EntryRow::new(at, copy.name, copy.size);
        if out.row(WhichRow { served: number == 0, copy }).is_break() {
            return;
        }
    }
}

/// Why no file is served under a name, with a hint at similar names.
fn not_served(view: &View, name: &[u8]) -> Finding {
    let engine = view.engine_word();
    let why = format!("{engine} serves nothing under the name {}", quoted_name(name));
    match near(view, name) {
        Some(near) => Finding::error(format!("{why}: {near}")),
        None => Finding::error(why).help(Help::ListServed),
    }
}

/// Where the name occurs in another case or with other slashes, or in a pak that is never loaded.
fn near(view: &View, name: &[u8]) -> Option<String> {
    let is_never_asked = |engine: Engine| {
        let names = engine.profile().request_names();
        names.of_request(name).is_none()
    };
    if view.engine().is_some_and(is_never_asked) {
        return Some("it looks for no name like this".to_owned());
    }
    let wanted = findable(name);
    let loaded = view.game.loaded().rev();
    let loaded = loaded.map(|it| (&*it.archive, "but to this engine that is a different name"));
    let skipped = view.game.skipped().iter().rev().filter_map(|it| {
        let is_misread = it.why.is_misread();
        let how =
            if is_misread { "but this engine misreads the archive" } else { "but is not loaded" };
        Some((it.opened.as_deref().ok()?, how))
    });
    for (archive, how) in loaded.chain(skipped) {
        let mut entries = archive.entries();
        let entry = entries.find(|entry| findable(entry.name().as_bytes()) == wanted);
        if let (Some(entry), Some(path)) = (entry, archive.path()) {
            let (path, index) = (escape_path(path), entry.index());
            let name = quoted_name(entry.name().as_bytes());
            return Some(format!("{path} has entry {index} {name}, {how}"));
        }
    }
    let copies = view.game.find(&wanted);
    let file = copies.iter().find(|copy| copy.entry().is_none())?;
    let path = escape_path(&file.path);
    Some(format!("{path} is there, but to the file system that is a different name"))
}

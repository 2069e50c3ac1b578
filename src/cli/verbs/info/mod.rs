//! `info`: says which layout paks have and why, which engines load them, what they hold, and what is odd.

mod content;
mod entries;
mod missing;

use std::io::{self, Write as _};
use std::iter;
use std::path::Path;

use anstyle::AnsiColor;
use clap::Args;
use daisho::archive::Account;
use daisho::engine::{Effect, Engine, Engines, Verdict, load_position};
use daisho::error::{EngineNames, Error, ErrorKind};
use daisho::format::{Former, History};
use daisho::ops::context::Refusal;
use daisho::ops::read::facts::{Behind, facts as facts_behind};
use daisho::ops::read::info::{Info, info};
use serde::Serialize;

use crate::cli::args::{InputArgs, SHOWN, with_engines};
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::json;
use crate::cli::message::Message;
use crate::cli::output::{self, Kind, Output, go_on};
use crate::cli::text;
use crate::cli::values::{engines, number};

/// Say which layout paks have and why, which engines load them, and what they hold
///
/// Entries, sizes, gaps, shared contents, everything unusual, and for each engine whether it loads
/// the archive and if not, why; a ZIP's extension counts in that. What the files are, by their first
/// bytes: maps, textures, models, sounds and pictures by format, and which of them an engine does not
/// read. -v names every file, and where in an engine's source each such fact was read.
///
/// With NAMEs behind one archive it says what these files are, in detail: a map's title, entities,
/// textures and lumps, the size of a picture, the length and loop of a sound, a model's skins, which
/// game code is for, where a demo was played. -v leaves out nothing of a long list.
///
/// Of compressed files it decompresses headers, and of those that are named what their facts need. It
/// never writes a file.
#[derive(Debug, Args)]
#[command(after_long_help = INFO, override_usage = USAGE)]
pub(crate) struct InfoArgs {
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    /// Say what these maps ask for that PATH, as a game, does not serve; a glob, such as '*.bsp'
    ///
    /// PATH is then a game's directories and archives, the base first, and MAP picks the maps in them,
    /// by name as elsewhere; one --engine says whose rules hold. Listed is each texture, model, sound,
    /// side of a sky or piece of music that a map names and nothing serves, with who asks for it.
    #[arg(long, value_name = "MAP", conflicts_with = "recursive")]
    pub(crate) missing: Vec<String>,
    /// Check for these engines (A,B); exit status 1 where one does not load an archive
    #[arg(long, value_name = "ENGINE", value_parser = engines(), ignore_case = true)]
    #[arg(value_delimiter = ',', hide_possible_values = true, long_help = with_engines(CHECK))]
    pub(crate) engine: Vec<Engines>,
    /// Entries by their numbers, counted from 0, as 'daisho list' shows them, instead of by name
    #[arg(long, value_name = "N", num_args = 1.., value_parser = number::<usize>)]
    #[arg(conflicts_with_all = ["recursive", "missing", "engine", "files_from"])]
    pub(crate) index: Vec<usize>,
    /// One JSON object a line
    #[arg(long, help_heading = SHOWN)]
    pub(crate) json: bool,
}

const USAGE: &str = "\
daisho info [OPTIONS] PATH...
       daisho info [OPTIONS] ARCHIVE NAME...
       daisho info [OPTIONS] ARCHIVE --index N...";

const CHECK: &str = "\
Check for these engines alone, with commas between them; the exit status is 1 where one does not load \
an archive

What an archive holds is judged, and of its name only how it ends. A name that an engine never asks for \
is said and is no failure, because an archive can be renamed.";

const INFO: &str = "\
Rules:
  What stands behind an archive is an archive as well where it is a file that begins as one. Else it
  is the name of an entry, if one is meant by it as 'daisho cat' finds it, even if there is a file of
  this name here. Where no entry is meant at all, all are paths. --index says by its number what is
  called like an archive, and reaches the others of several of one name. Names stand behind one
  archive, without -r, --files-from and --engine. A damaged entry costs that entry: what its header
  says is shown, the others follow, and the exit status is 1.
  Under --missing, what is in a directory's archives and what lies loose in it counts. With
  --engine as that engine loads it, and names are compared as it does; without, in any case. A
  texture may be served by a picture of another type where the engine takes that, a sound by
  another sound. A texture of a WAD is looked for in the WADs that the map names. What a shader
  itself asks for, and what the game's code asks for by an entity's class, is not seen. Where
  something is missing, the exit status is 1.

JSON fields:
  pak, layout (quake, daikatana), why (a list of sentences), entries, compressed, size,
  packed_size, warnings, engines (a list of engine, loads, outcome, why), content (a list of kind,
  type, format, count, entries, names, of Daikatana's maps leaf_bytes), contrary (files that are
  not what their names say: a list of entry, name, found), unread (a list of engine, kind, type,
  count, source), changes (a list of entries, bytes: what 'daisho undo' goes back to, the latest
  first). Of a pak that could not be read: pak, status (unread), problem. Of an entry: pak, index,
  name, kind, size, packed_size, type (null where it is not known), format, contrary (whether it
  is not what its name says), facts (an object whose fields depend on the type: version, width,
  height, mips, bits, palette, rate, channels, samples, seconds, loop_start, loop_length, title, sky,
  entities, classes, textures, texture_names, lumps, frames, skins, skin_names, vertices, triangles,
  surfaces, crc, game, functions, protocol, map and others), notes. Under --missing: map,
  path, kind, missing, instead (names that would do), and who asks: texture, or entity, class and
  key.
  Fields are only ever added.

Examples:
  daisho info pak1.pak
  daisho info pak1.pak maps/e1m2.bsp sound/hit.wav
  daisho info pak0.pk3 --engine qss,fteqw,ioquake3
                                          will all of these load it?
  daisho info id1 mymod --missing maps/mine.bsp --engine quakespasm
  daisho info -r games/ --json | jq -r 'select(.layout == \"daikatana\") | .pak'";

impl InfoArgs {
    /// Refuses several engines where one game is looked at.
    pub(crate) fn check(&self) -> Result<(), Message> {
        let engines: Engines = self.engine.iter().copied().collect();
        if self.missing.is_empty() || engines.len() <= 1 {
            return Ok(());
        }
        Err(Message::error("--missing takes one engine")
            .help("run it once for each, or try '--help'"))
    }
}

pub(super) fn run(args: &InfoArgs, global: &Global) -> Result<Exit, Refusal> {
    if !args.missing.is_empty() {
        let (paths, maps) = (&args.inputs.paths, &args.missing);
        let engine = args.engine.iter().flat_map(|engines| engines.iter()).next();
        return missing::run(paths, maps, engine, args.json, global);
    }
    if !args.inputs.recursive && !args.inputs.list.is_given() && args.engine.is_empty() {
        let paths = &args.inputs.paths;
        match facts_behind(&global.context(), paths, &args.index)? {
            Behind::Paths => {}
            Behind::Entries(report) => {
                let path = paths.first().map_or(Path::new(""), |path| path);
                return Ok(entries::run(path, &report, args.json, global));
            }
            Behind::Both(name) => {
                let name = text::path(&name);
                let error = format!("both archives and the name of an entry are given: \"{name}\"");
                let help = "give one archive with names, or archives alone";
                global.messages.tell(Message::error(error).help(help));
                return Ok(Exit::Refused);
            }
        }
    }
    Ok(look(args, global))
}

fn look(args: &InfoArgs, global: &Global) -> Exit {
    let paths = &args.inputs.paths;
    let only: Engines = args.engine.iter().copied().collect();
    output::write(global, Kind::Text, |out| {
        let mut between = "";
        let mut shown: io::Result<()> = Ok(());
        let visit = |info: &Info<'_>| {
            shown = if args.json {
                show_json(out, info)
            } else {
                show(
                    out,
                    info,
                    between,
                    global.messages.is_verbose(),
                    !only.is_empty(),
                )
            };
            between = "\n";
            let mut wrong = Vec::new();
            if !only.is_empty() {
                wrong = unloaded(info);
            }
            if info.is_damaged() {
                wrong.push(damaged(info));
            }
            if shown.is_ok() && !wrong.is_empty() {
                shown = out.flush();
                wrong
                    .into_iter()
                    .for_each(|error| global.messages.tell(error));
            }
            go_on(shown.is_ok())
        };
        let told = info(&global.context(), paths, args.inputs.search(), only, visit);
        shown?;
        Ok(match told {
            Ok(visited) => {
                if args.json {
                    json::unread(out, &visited.problems)?;
                }
                global.judge(visited.paks, &visited.problems)
            }
            Err(refusal) => global.messages.refusal(&refusal),
        })
    })
}

/// Writes a row. The fields from `file_size` on account for every byte of the file.
fn show_json(out: &mut Output, info: &Info<'_>) -> io::Result<()> {
    let (archive, account) = (info.archive, &info.account);
    let warnings: Vec<String> = info.remarks.iter().map(ToString::to_string).collect();
    let engines: Vec<Judged> = info.engines.iter().map(Judged::new).collect();
    json::row(out, |row| {
        row.path("pak", info.path)?;
        row.field("layout", archive.format().as_str())?;
        row.field("why", archive.why())?;
        row.field("entries", archive.len())?;
        row.field("compressed", info.compressed)?;
        row.field("size", info.size)?;
        row.field("packed_size", info.packed_size)?;
        row.field("warnings", warnings)?;
        row.field("file_size", account.file)?;
        row.field("header_bytes", account.header)?;
        row.field("directory_bytes", account.directory)?;
        row.field("payload_bytes", account.payload)?;
        row.field("gap_bytes", account.gap_bytes())?;
        row.field("trailing_bytes", account.trailing)?;
        row.field("gaps", account.gaps.len())?;
        row.field("shared_extents", account.shared.len())?;
        row.field("shared_bytes_saved", account.saved_by_sharing())?;
        row.field("engines", engines)?;
        row.field("content", content::held_rows(archive, &info.content))?;
        row.field("contrary", content::contrary_rows(archive, &info.content))?;
        row.field("unread", content::unread_rows(&info.content))?;
        let former = info.history.former.iter();
        row.field("changes", former.map(Before::new).collect::<Vec<_>>())?;
        match info.stock {
            Some(stock) => row.field("stock", stock.version()),
            None => Ok(()),
        }
    })
}

/// What the pak was before a change in place.
#[derive(Serialize)]
struct Before {
    entries: u64,
    bytes: u64,
}

impl Before {
    const fn new(former: &Former) -> Self {
        Self {
            entries: former.entries,
            bytes: former.bytes,
        }
    }
}

/// An engine's verdict on the pak.
#[derive(Serialize)]
struct Judged {
    engine: &'static str,
    loads: bool,
    outcome: &'static str,
    why: Vec<String>,
}

impl Judged {
    fn new((engine, verdict): &(Engine, Verdict)) -> Self {
        Self {
            engine: engine.name(),
            loads: verdict.loads(),
            outcome: verdict.effect.as_str(),
            why: verdict.why.iter().map(ToString::to_string).collect(),
        }
    }
}

fn show(
    out: &mut Output,
    info: &Info<'_>,
    between: &str,
    verbose: bool,
    checks: bool,
) -> io::Result<()> {
    let path = text::heading(&text::path(info.path));
    writeln!(out, "{between}{path}")?;
    for (label, lines) in facts(info, verbose, checks) {
        let labels = iter::once(label).chain(iter::repeat(""));
        for (label, line) in labels.zip(&lines) {
            let shown = format!("{label:<9}");
            let shown = match label {
                "unusual" | "unread" | "name" => text::coloured(AnsiColor::Yellow, &shown),
                _ => text::faint(&shown),
            };
            writeln!(out, "  {shown}{}", text::scrub(line))?;
        }
    }
    Ok(())
}

/// What is shown, in order: a label, and the lines beside it. First what is asked for most: which format it
/// has, how much is in it, and who loads it.
fn facts(info: &Info<'_>, verbose: bool, checks: bool) -> Vec<(&'static str, Vec<String>)> {
    let archive = info.archive;
    let mut facts = vec![
        ("layout", vec![layout(info)]),
        ("entries", vec![entries(info)]),
        ("engines", verdicts(info)),
    ];
    if checks {
        facts.push(("name", unasked(info)));
    }
    facts.push(("unread", content::unread(&info.content, verbose)));
    facts.push(("holds", content::held(archive, &info.content, verbose)));
    let remarks = info.remarks.iter();
    facts.push(("unusual", remarks.map(ToString::to_string).collect()));
    facts.push(("changes", changes(&info.history)));
    let stock = info.stock.iter();
    let stock = stock.map(|stock| format!("{stock}, which Quake knows by its directory"));
    facts.push(("stock", stock.collect()));
    facts.push(("shared", shared(&info.account).into_iter().collect()));
    facts.push(("file", vec![account_in_words(&info.account)]));
    if verbose {
        facts.push(("why", archive.why()));
    }
    facts
}

/// The format, and in one line why it is taken for that.
fn layout(info: &Info<'_>) -> String {
    let format = info.archive.format();
    match info.archive.why().as_slice() {
        [] => format.to_string(),
        // What the length says, the first line says as well.
        [first, .., last] if !last.starts_with("so its length") => {
            format!("{format}: {first}; {last}")
        }
        [first, ..] => format!("{format}: {first}"),
    }
}

/// How much there is.
fn entries(info: &Info<'_>) -> String {
    let Info {
        archive,
        compressed,
        empty,
        ..
    } = info;
    let (size, packed) = (text::bytes(info.size), text::bytes(info.packed_size));
    let entries = archive.len();
    format!("{entries}, {compressed} compressed, {empty} empty; {size}, {packed} in the pak")
}

/// What entries share, if they do.
fn shared(account: &Account) -> Option<String> {
    let shared = &account.shared;
    let payloads = text::count(shared.len(), "payload", "payloads");
    let entries: usize = shared.iter().map(|shared| shared.entries).sum();
    let saved = text::bytes(account.saved_by_sharing());
    (!shared.is_empty()).then(|| format!("{payloads} by {entries} entries, {saved} saved"))
}

/// What was changed in place, and what 'daisho undo' goes back to.
fn changes(history: &History) -> Vec<String> {
    let former = history.former.first().map(|last| {
        let count = history.former.len();
        let (entries, bytes) = (
            text::count(last.entries, "entry", "entries"),
            text::count(last.bytes, "byte", "bytes"),
        );
        format!("{count} by --append; 'daisho undo' goes back one, to {entries} in {bytes}")
    });
    let interrupted = history.interrupted.map(|bytes| {
        let bytes = text::count(bytes, "byte", "bytes");
        format!("one was interrupted; 'daisho undo' removes its {bytes} behind the end")
    });
    interrupted.into_iter().chain(former).collect()
}

/// How the bytes of the file are used.
fn account_in_words(account: &Account) -> String {
    let gaps = match account.gaps.len() {
        0 => "gaps 0".to_owned(),
        gaps => format!(
            "{} {}",
            text::count(gaps, "gap", "gaps"),
            account.gap_bytes()
        ),
    };
    format!(
        "{} bytes: header {}, directory {}, payloads {}, {gaps}, behind the end {}",
        account.file, account.header, account.directory, account.payload, account.trailing
    )
}

/// The verdicts of the engines, with engines that agree in one line.
fn verdicts(info: &Info<'_>) -> Vec<String> {
    let words = |engine: Engine| {
        let verdict = info.verdict(engine)?;
        let why = why(verdict);
        Some(match verdict.effect {
            Effect::Loads if why.is_empty() => "loads".to_owned(),
            Effect::Loads => format!("loads, but {why}"),
            Effect::Misread => format!("loads with wrong content: {why}"),
            _ => format!("does not load: {why}"),
        })
    };
    // Those that load it come first, and of these those of which nothing more is to be said.
    let effect = |engine: Engine| info.verdict(engine).map(|verdict| verdict.effect);
    let line = |(words, engines): (Option<String>, Engines)| {
        let words = words?;
        let order = (engines.iter().filter_map(effect).max(), words != "loads");
        Some((order, format!("{}: {words}", EngineNames::from(engines))))
    };
    let groups = judged(info).agreeing(words).into_iter();
    let mut lines: Vec<((Option<Effect>, bool), String)> = groups.filter_map(line).collect();
    lines.sort_by_key(|(order, _)| *order);
    lines.into_iter().map(|(_, line)| line).collect()
}

/// Which of the engines that are asked about never ask for an archive of this name, and why.
fn unasked(info: &Info<'_>) -> Vec<String> {
    let name = info.path.file_name().unwrap_or_default();
    let why = |engine| load_position(name.as_encoded_bytes(), engine).err();
    let line = |(why, engines)| {
        Some(format!(
            "not asked for by {}: {}",
            EngineNames::from(engines),
            why?
        ))
    };
    let groups = judged(info).agreeing(|engine| why(engine).map(|why| why.to_string()));
    groups.into_iter().filter_map(line).collect()
}

/// An error for each reason why engines do not load the archive.
fn unloaded(info: &Info<'_>) -> Vec<Message> {
    let words = |engine| info.verdict(engine).filter(|it| !it.loads()).map(why);
    let error = |(why, engines): (Option<String>, Engines)| {
        let (engines, why) = (engines.into(), why?);
        let error = Error::from(ErrorKind::NeverLoaded { engines, why }).in_pak(info.path);
        Some(Message::from(&error).help(PACK_FOR))
    };
    let groups = judged(info).agreeing(words).into_iter();
    groups.filter_map(error).collect()
}

const PACK_FOR: &str =
    "'daisho convert --engine' writes it for them: split where it must be, and in their format";

/// The engines with a verdict on the archive.
fn judged(info: &Info<'_>) -> Engines {
    info.engines.iter().map(|(engine, _)| *engine).collect()
}

fn why(verdict: &Verdict) -> String {
    let why: Vec<String> = verdict.why.iter().map(ToString::to_string).collect();
    why.join("; ")
}

/// The error for damaged entries, which are not reported one by one here.
fn damaged(info: &Info<'_>) -> Message {
    Message::error("the pak is damaged")
        .place(text::path(info.path))
        .help("'daisho verify' names every entry that cannot be decoded")
}

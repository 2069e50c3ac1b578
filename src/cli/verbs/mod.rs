//! The verbs, one file each: its arguments and their help, from them to the options of an operation,
//! and from its report to words.
//!
//! The help is where a user learns the rules, so each verb says first what it does, then what it
//! never does, then how it treats names, duplicates and existing files, then examples.

mod cat;
mod convert;
mod create;
mod diff;
mod dupes;
mod edit;
mod extract;
mod gallery;
mod help;
mod info;
mod list;
mod missing;
mod shell;
mod show;
mod stream;
mod undo;
mod verify;
mod view;
mod which;
mod written;

use clap::Subcommand;

use super::exit::Exit;
use super::global::Global;
use super::message::Message;
use super::topics;

/// A verb, with its arguments.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    Convert(convert::ConvertArgs),
    #[command(visible_alias = "x")]
    Extract(extract::ExtractArgs),
    #[command(visible_alias = "ls")]
    List(list::ListArgs),
    Info(info::InfoArgs),
    #[command(visible_alias = "t")]
    Verify(verify::VerifyArgs),
    Cat(cat::CatArgs),
    Show(show::ShowArgs),
    #[command(visible_alias = "c")]
    Create(create::CreateArgs),
    Add(edit::AddArgs),
    #[command(visible_alias = "rm")]
    Remove(edit::RemoveArgs),
    #[command(visible_alias = "mv")]
    Rename(edit::RenameArgs),
    Undo(undo::UndoArgs),
    Diff(diff::DiffArgs),
    Dupes(dupes::DupesArgs),
    Which(which::WhichArgs),
    Gallery(gallery::GalleryArgs),
    UnpackStream(stream::UnpackStreamArgs),
    PackStream(stream::PackStreamArgs),
    Completions(shell::CompletionsArgs),
    Man(shell::ManArgs),
    Help(help::HelpArgs),
}

impl Verb {
    /// Adds the paths of `--files-from` to those that were typed.
    pub(super) fn complete(&mut self) -> Result<(), Message> {
        let inputs = match self {
            Self::Convert(args) => &mut args.inputs,
            Self::Extract(args) => &mut args.inputs,
            Self::List(args) => &mut args.inputs,
            Self::Info(args) => &mut args.inputs,
            Self::Verify(args) => &mut args.inputs,
            Self::Dupes(args) => &mut args.inputs,
            Self::Gallery(args) => &mut args.inputs,
            Self::Create(args) => return args.complete(),
            Self::Add(args) => return args.complete(),
            _ => return Ok(()),
        };
        inputs.complete()
    }
}

/// Runs a verb of `command`.
pub(crate) fn run(verb: Verb, command: clap::Command, global: &Global) -> Exit {
    let ended = match verb {
        Verb::Convert(args) => convert::run(args, global),
        Verb::Extract(args) => extract::run(args, global),
        Verb::List(args) => list::run(args, global),
        Verb::Info(args) => info::run(&args, global),
        Verb::Verify(args) => verify::run(args, global),
        Verb::Cat(args) => Ok(cat::run(args, global)),
        Verb::Show(args) => Ok(show::run(args, global)),
        Verb::Gallery(args) => gallery::run(args, global),
        Verb::Create(args) => create::run(args, global),
        Verb::Add(args) => edit::add_to(&args, global),
        Verb::Remove(args) => edit::remove_from(&args, global),
        Verb::Rename(args) => edit::rename_in(&args, global),
        Verb::Undo(args) => undo::run(&args, global),
        Verb::Diff(args) => diff::run(args, global),
        Verb::Dupes(args) => dupes::run(args, global),
        Verb::Which(args) => which::run(args, global),
        Verb::UnpackStream(args) => Ok(stream::unpack(&args, global)),
        Verb::PackStream(_) => Ok(stream::pack(global)),
        Verb::Completions(args) => Ok(shell::completions(&args, global)),
        Verb::Man(args) => Ok(shell::man(&args, command, global)),
        // The help of a verb was printed while the arguments were read.
        Verb::Help(args) => Ok(match args.page.as_deref().and_then(topics::find) {
            Some(topic) => help::run(topic, global),
            None => Exit::Done,
        }),
    };
    ended.unwrap_or_else(|refusal| global.messages.refusal(&refusal))
}

//! The verbs. Each has its arguments, their help, and the call of its operation. Similar verbs share a file.
//!
//! Users learn the rules from the help. So each verb says first what it does, then what it never does, then
//! how it treats names, duplicates and existing files, then examples. A verb shows its own rows, too, if that takes
//! few lines. `render` shows all others.

mod cat;
mod convert;
mod create;
mod diff;
mod dupes;
mod edit;
mod extract;
pub(crate) mod gallery;
mod identity;
mod info;
mod list;
mod missing;
mod shell;
mod show;
mod verify;
mod which;

use clap::Subcommand;

use crate::cli::ui::Ui;

/// A verb, with its arguments.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    Convert(convert::ConvertArgs),
    #[command(visible_aliases = ["x", "unpack"])]
    Extract(extract::ExtractArgs),
    #[command(visible_aliases = ["c", "pack"])]
    Create(create::CreateArgs),
    Add(edit::AddArgs),
    #[command(visible_alias = "rm")]
    Remove(edit::RemoveArgs),
    #[command(visible_alias = "mv")]
    Rename(edit::RenameArgs),
    Undo(edit::UndoArgs),
    #[command(visible_aliases = ["ls", "l"])]
    List(list::ListArgs),
    Info(info::InfoArgs),
    #[command(visible_aliases = ["t", "test"])]
    Verify(verify::VerifyArgs),
    Diff(diff::DiffArgs),
    Dupes(dupes::DupesArgs),
    Cat(cat::CatArgs),
    Show(show::ShowArgs),
    Gallery(gallery::GalleryArgs),
    Which(which::WhichArgs),
    Missing(missing::MissingArgs),
    #[command(hide = true)]
    Completions(shell::CompletionsArgs),
    #[command(hide = true)]
    Man(shell::ManArgs),
    #[command(hide = true)]
    Help(shell::HelpArgs),
}

impl Verb {
    /// Whether archives without a directory are read as far as possible. An engine never loads such an archive, so
    /// the answer is no for `--merge` and `--effective`.
    pub(super) const fn salvages(&self) -> bool {
        match self {
            Self::Convert(args) => args.keep_going && !args.merge,
            Self::Extract(args) => args.keep_going,
            _ => false,
        }
    }

    /// Whether a map whose own path is given is an archive of its textures. In the other verbs it is one file.
    pub(super) const fn reads_maps(&self) -> bool {
        matches!(
            self,
            Self::Convert(_)
                | Self::Extract(_)
                | Self::List(_)
                | Self::Verify(_)
                | Self::Cat(_)
                | Self::Gallery(_)
                | Self::Diff(_)
        )
    }
}

/// The verbs without rows, which therefore have no JSON.
pub(super) const WITHOUT_ROWS: [&str; 4] = ["cat", "completions", "man", "help"];

/// Runs a verb of the command that `definition` defines.
pub(crate) fn run(verb: Verb, definition: fn() -> clap::Command, ui: &Ui) {
    let ended = match verb {
        Verb::Convert(args) => convert::run(args, ui),
        Verb::Extract(args) => extract::run(args, ui),
        Verb::List(args) => list::run(args, ui),
        Verb::Info(args) => info::run(args, ui),
        Verb::Verify(args) => verify::run(args, ui),
        Verb::Cat(args) => cat::cat_entries(&args, ui),
        Verb::Show(args) => show::run(&args, ui),
        Verb::Gallery(args) => gallery::run(args, ui),
        Verb::Create(args) => create::run(args, ui),
        Verb::Add(args) => edit::add_to(args, ui),
        Verb::Remove(args) => edit::remove_from(args, ui),
        Verb::Rename(args) => edit::rename_in(args, ui),
        Verb::Undo(args) => edit::undo_in(&args, ui),
        Verb::Diff(args) => diff::run(args, ui),
        Verb::Dupes(args) => dupes::run(args, ui),
        Verb::Which(args) => which::run(args, ui),
        Verb::Missing(args) => missing::run(&args, ui),
        Verb::Completions(args) => shell::completions(&args, ui),
        Verb::Man(args) => shell::man(&args, definition(), ui),
        Verb::Help(args) => shell::help(&args, ui),
    };
    if let Err(refusal) = ended {
        ui.refuse(&refusal);
    }
}

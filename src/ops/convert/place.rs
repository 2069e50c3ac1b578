//! Where the outputs of a conversion go: all of them are known before the first is written, and
//! whatever speaks against one of them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::candidate::Candidate;
use crate::error::{Error, ErrorKind};
use crate::fs::System;
use crate::ops::context::Refusal;
use crate::ops::nested;
use crate::ops::plan::number::{Member, number};
use crate::ops::plan::targets::{
    Claimed, Names, OutputRoot, Targets, check_format, named_as, names,
};
use crate::ops::write::{Destination, WriteOptions};

/// Where the outputs of an input go.
pub(super) struct Placed {
    /// The first of them, as the user would write it.
    pub(super) shown: PathBuf,
    pub(super) targets: Targets,
}

/// Where every output goes, or all that speaks against it.
pub(super) fn place(
    system: &System,
    options: &WriteOptions,
    inputs: &[Candidate],
) -> Result<(OutputRoot, Vec<Placed>), Refusal> {
    let (root, wanted): (_, Names) = match &options.destination {
        Destination::Directory(path) => {
            let wanted = inputs.iter().map(|it| {
                let relative = named_as(&it.input.relative, options.to);
                let shown = path.join(&relative);
                (relative, shown)
            });
            (system.root(path), wanted.collect())
        }
        one => {
            let path = one.file().unwrap_or(Path::new(""));
            let root = system.root_of_file(path);
            let (root, name) = root.map_err(Error::from)?;
            check_format(path, options.to)?;
            let wanted = inputs.iter().map(|_| (name.clone(), path.to_path_buf()));
            (root, wanted.collect())
        }
    };
    let sources = inputs.iter().map(|it| nested::file_of(it.path()));
    let sources: Vec<PathBuf> = sources.collect();
    let sources = sources.iter().map(PathBuf::as_path);
    let root = OutputRoot::new(root, options.existing, system, sources)?;
    let root = root.or_spool(&options.destination);
    let named = name(options, inputs, &wanted).map_err(Refusal)?;
    let placed = claim(&root, inputs, named).map_err(Refusal)?;
    let shown = wanted.into_iter().map(|(_, shown)| shown);
    let placed = shown.zip(placed).map(|(shown, targets)| Placed {
        shown: targets
            .all
            .first()
            .map_or(shown, |first| first.shown.clone()),
        targets,
    });
    Ok((root, placed.collect()))
}

/// The names of all outputs, of which the first of each input should be the wanted one.
fn name(
    options: &WriteOptions,
    inputs: &[Candidate],
    wanted: &Names,
) -> Result<Vec<Names>, Vec<Error>> {
    let engines = options.rules.engines;
    let mut refused = Vec::new();
    let mut all = Vec::new();
    for (input, (relative, shown)) in inputs.iter().zip(wanted) {
        let is_numbered = is_numbered(options, input);
        let named = if !input.is_archive || input.outputs == 0 || is_numbered {
            Ok(Names::new())
        } else {
            names(relative, shown, input.outputs, engines)
        };
        all.push(named.unwrap_or_else(|error| {
            refused.push(error);
            Names::new()
        }));
    }
    for (folder, members) in folders(options, inputs) {
        let archive = |at: &usize| {
            let (input, (relative, _)) = (inputs.get(*at)?, wanted.get(*at)?);
            Some(Member {
                name: input.path().file_name()?.as_encoded_bytes().to_vec(),
                keeps: relative.file_name()?.into(),
                outputs: input.outputs,
            })
        };
        let archives: Vec<Member> = members.iter().filter_map(archive).collect();
        let numbered = match number(&archives, engines, options.to) {
            Ok(numbered) => numbered,
            Err(kind) => {
                refused.push(Error::from(kind).in_pak(folder));
                continue;
            }
        };
        for (at, names) in members.iter().zip(numbered) {
            if let (Some(named), Some((relative, shown))) = (all.get_mut(*at), wanted.get(*at)) {
                let beside =
                    |name: PathBuf| (relative.with_file_name(&name), shown.with_file_name(&name));
                *named = names.into_iter().map(beside).collect();
            }
        }
    }
    if refused.is_empty() {
        Ok(all)
    } else {
        Err(refused)
    }
}

/// Whether an archive may get another name, so that engines load it with all of its folder.
fn is_numbered(options: &WriteOptions, input: &Candidate) -> bool {
    let is_to_many = matches!(options.destination, Destination::Directory(_));
    is_to_many && !options.rules.engines.is_empty() && input.input.searched
}

/// The archives that may get other names, by the folder that they lie in.
fn folders<'a>(options: &WriteOptions, inputs: &'a [Candidate]) -> BTreeMap<&'a Path, Vec<usize>> {
    let mut folders: BTreeMap<&Path, Vec<usize>> = BTreeMap::new();
    for (at, input) in inputs.iter().enumerate() {
        if let (true, Some(folder)) = (is_numbered(options, input), input.path().parent()) {
            folders.entry(folder).or_default().push(at);
        }
    }
    folders
}

/// Takes the names, and finds out what stands under each of them.
fn claim(
    root: &OutputRoot,
    inputs: &[Candidate],
    named: Vec<Names>,
) -> Result<Vec<Targets>, Vec<Error>> {
    let mut claimed = Claimed::default();
    let mut refused = Vec::new();
    // The names that are asked for come before those that a split adds.
    for (input, named) in inputs.iter().zip(&named) {
        if let Some((relative, shown)) = named.first()
            && let Err(kind) = claimed.claim(relative, input.path())
        {
            refused.push(Error::from(kind).in_pak(shown));
        }
    }
    let mut all = Vec::new();
    for (input, named) in inputs.iter().zip(named) {
        let mut claim =
            |relative: &Path| -> Result<(), ErrorKind> { claimed.claim(relative, input.path()) };
        match root.targets_of(named, &mut claim) {
            Ok(targets) => all.push(targets),
            Err(errors) => refused.extend(errors),
        }
    }
    if refused.is_empty() {
        Ok(all)
    } else {
        Err(refused)
    }
}

//! Changes an archive.

use std::path::{Path, PathBuf};

use daisho::ops::finding::Finding;
use daisho::ops::pictures::PictureOptions;
use daisho::ops::{
    AddOptions, Context, Edit, EditOptions, PackOptions, Refusal, edit as edit_archive,
};
use serde_json::json;

use crate::report::Report;

/// Writes the archive with these changes, each a verb with two arguments, to `out`.
pub(crate) fn edit(
    report: &Report,
    (out, path): (&str, &str),
    keep_going: bool,
    changes: &[&str],
) -> Result<(), Refusal> {
    let context = Context::new().observed_by(report);
    let mut edits = Vec::new();
    for change in changes.chunks(3) {
        match *change {
            ["remove", name, _] => edits.push(Edit::Remove(vec![name.into()])),
            ["rename", old, new] => edits.push(Edit::Rename(old.into(), new.into())),
            [verb @ ("add" | "replace"), file, palette] => {
                let palette = (!palette.is_empty()).then(|| PathBuf::from(palette));
                add(&mut edits, Path::new(file), verb == "replace", palette);
            }
            _ => return Err(Finding::error("no such change").into()),
        }
    }
    let options = EditOptions { keep_going, to: Some(out.into()), ..EditOptions::default() };
    let edited = edit_archive(&context, Path::new(path), &edits, options)?;
    report.findings(&edited.output.findings);
    report.say(&json!({ "edited": edited }));
    Ok(())
}

/// Adds a file, whose name is its path without the first two folders. Of `NAME.EXT.png` a picture `NAME.EXT` is made.
/// Files of the same two folders are one change if they come one after another.
fn add(edits: &mut Vec<Edit>, file: &Path, replace: bool, palette: Option<PathBuf>) {
    let root = Some(file.components().take(2).collect());
    let is_png = file.extension().is_some_and(|it| it.eq_ignore_ascii_case("png"));
    let png = is_png && file.file_stem().is_some_and(|it| Path::new(it).extension().is_some());
    if let Some(Edit::Add(files, adding)) = edits.last_mut()
        && adding.pack.root == root
        && (adding.replace, adding.pack.png) == (replace, png)
    {
        files.push(file.into());
        return;
    }
    let pictures = PictureOptions { palette, is_default_game: true, ..PictureOptions::default() };
    let pack = PackOptions { root, png, pictures, ..PackOptions::default() };
    let adding = AddOptions { replace, pack, ..AddOptions::default() };
    edits.push(Edit::Add(vec![file.into()], Box::new(adding)));
}

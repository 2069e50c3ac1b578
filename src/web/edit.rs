//! Changes an archive.

use std::path::{Path, PathBuf};

use daisho::ops::finding::Finding;
use daisho::ops::pictures::PictureOptions;
use daisho::ops::{
    AddOptions, Context, Edit, EditOptions, PackOptions, Refusal, edit as edit_archive,
};
use serde_json::json;

use crate::report::Report;

/// Writes the archive with these changes to `out`. Without `out`, only finds out whether that is possible.
pub(crate) fn edit(
    report: &Report,
    out: Option<&str>,
    path: &str,
    keep_going: bool,
    changes: &[&str],
) -> Result<(), Refusal> {
    let context = Context::new().observed_by(report);
    let edits: Result<Vec<Edit>, Finding> = changes.chunks(3).map(edit_of).collect();
    let options = EditOptions {
        keep_going,
        dry_run: out.is_none(),
        to: Some(out.unwrap_or(".checked").into()),
        ..EditOptions::default()
    };
    let edited = edit_archive(&context, Path::new(path), &edits?, options)?;
    report.findings(&edited.output.findings);
    report.say(&json!({ "edited": edited }));
    Ok(())
}

/// A change, from a verb with two arguments.
fn edit_of(change: &[&str]) -> Result<Edit, Finding> {
    match *change {
        ["remove", name, _] => Ok(Edit::Remove(vec![name.into()])),
        ["rename", old, new] => Ok(Edit::Rename(old.into(), new.into())),
        [verb @ ("add" | "replace"), file, palette] => {
            let palette = (!palette.is_empty()).then(|| PathBuf::from(palette));
            Ok(added(Path::new(file), verb == "replace", palette))
        }
        _ => Err(Finding::error("no such change")),
    }
}

/// A file to add, whose name is its path without the first two folders. Of `NAME.EXT.png` a picture `NAME.EXT` is made.
fn added(file: &Path, replace: bool, palette: Option<PathBuf>) -> Edit {
    let is_png = file.extension().is_some_and(|it| it.eq_ignore_ascii_case("png"));
    let is_made = is_png && file.file_stem().is_some_and(|it| Path::new(it).extension().is_some());
    let pack = PackOptions {
        root: Some(file.components().take(2).collect()),
        png: is_made,
        pictures: PictureOptions { palette, is_default_game: true, ..PictureOptions::default() },
        ..PackOptions::default()
    };
    let adding = AddOptions { replace, pack, ..AddOptions::default() };
    Edit::Add(vec![file.into()], Box::new(adding))
}

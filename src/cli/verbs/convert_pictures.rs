//! `convert` with loose pictures: writes each as a file of another type.

use crate::ops::Refusal;
use std::io;
use std::path::{Path, PathBuf};

use crate::media::{FileType, Kind};
use crate::ops::finding::Finding;
use crate::ops::row::{Fate, OutputStatus};
use crate::ops::source::is_named_as_archive;
use crate::ops::write::Destination;
use crate::ops::{ConvertedPicture, PictureConversion, convert_pictures};

use crate::cli::args::is_written_picture;
use crate::cli::output::Stdout;
use crate::cli::render::json_line;
use crate::cli::render::written::{end, total_of};
use crate::cli::rows::{RunKind, Show};
use crate::cli::text;
use crate::cli::ui::Ui;
use crate::cli::write::unknown_extension;

/// The type of pictures that an output's extension asks for.
pub(super) fn type_of_extension(output: &Path) -> Option<FileType> {
    let extension = output.extension()?.as_encoded_bytes();
    FileType::by_extension(extension).find(is_written_picture)
}

/// Whether a file has the name of a picture.
pub(super) fn is_named_as_picture(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default().as_encoded_bytes();
    FileType::by_extension(extension).any(|it| it.kind() == Kind::Picture)
}

/// Refuses an output of pictures whose extension says neither a type of pictures nor a format of archives.
pub(super) fn check_extension(output: &Path) -> Result<(), Finding> {
    if output.extension().unwrap_or_default().is_empty() || is_named_as_archive(output) {
        return Ok(());
    }
    let written = FileType::ALL.iter().filter(|it| is_written_picture(it));
    let known = written.flat_map(|it| it.extensions());
    Err(unknown_extension(output, "type of pictures", known))
}

/// Converts pictures.
pub(super) fn run(paths: &[PathBuf], options: &PictureConversion, ui: &Ui) -> Result<(), Refusal> {
    let mut shown = ShowPictures { ui, options, held: Vec::new() };
    let (totals, rate) = ui.run(RunKind::WritesTimed, &mut shown, |context, out| {
        convert_pictures(context, paths, options, out)
    })?;
    let mut lines = shown.held;
    let mut line = total_of(&totals, ("picture", "pictures"), options.dry_run);
    if totals.done > 0 && !options.dry_run {
        let sizes = text::in_and_out(totals.bytes_in, Some(totals.bytes_out));
        line += &format!(": {sizes} in {rate}");
    }
    lines.push(line);
    end(&options.destination, options.dry_run, &lines, ui);
    Ok(())
}

/// Shows each picture that was converted.
struct ShowPictures<'a> {
    ui: &'a Ui,
    options: &'a PictureConversion,
    /// The line about a picture that goes to standard output. It is printed when the picture is there.
    held: Vec<String>,
}

impl Show<ConvertedPicture> for ShowPictures<'_> {
    fn findings(row: &ConvertedPicture) -> &[Finding] {
        &row.findings
    }

    fn json(&self, out: &mut Stdout, row: &ConvertedPicture) -> io::Result<bool> {
        json_line(out, row)?;
        Ok(true)
    }

    fn text(&mut self, out: &mut Stdout, row: ConvertedPicture) -> io::Result<()> {
        let (source, target) = (text::path(&row.source), text::path(&row.target));
        let sizes = text::in_and_out(row.bytes_in, row.bytes_out);
        let what = match row.status {
            OutputStatus::Planned(Fate::Keep) | OutputStatus::Done(Fate::Keep) => "kept".to_owned(),
            OutputStatus::Planned(Fate::Replace) => format!("would replace it, {sizes}"),
            OutputStatus::Planned(Fate::New) => format!("would write it, {sizes}"),
            OutputStatus::Done(Fate::New | Fate::Replace) => sizes,
            OutputStatus::Failed | OutputStatus::Skipped => "not written".to_owned(),
            OutputStatus::Stopped => return Ok(()),
        };
        let line = format!("{source} -> {target}: {what}");
        if matches!(self.options.destination, Destination::Spool(_)) && !self.options.dry_run {
            self.held.push(line);
            return Ok(());
        }
        self.ui.print(out, self.options.dry_run, &line)
    }
}

//! Arguments that several verbs share, converted to the options of an operation, and the values that arguments
//! accept.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum, ValueHint};

use crate::Format;
use crate::archive::quoted;
use crate::codec::Reserved;
use crate::engine::{Engine, Engines};
pub(crate) use crate::fs::is_standard_input as is_standard;
use crate::media::{DecodeOptions, FileType};
use crate::ops::finding::Finding;
use crate::ops::pictures::PictureOptions;
use crate::ops::row::WrittenType;
use crate::ops::{Existing, PackOptions};

/// The help heading of options about a game's directories.
pub(crate) const SERVED: &str = "A game as an engine sees it";
/// The help heading of options about how things are shown.
pub(crate) const SHOWN: &str = "Display";

/// Where palettes are looked for.
#[derive(Debug, Args)]
pub(crate) struct PaletteArgs {
    /// Take palettes from this game; may be repeated [default: DAISHO_GAME]
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath, hide_short_help = true)]
    #[arg(help_heading = "Pictures")]
    game: Vec<PathBuf>,
    /// Palette for images that have none: 768 bytes, or a file with one
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, hide_short_help = true)]
    #[arg(help_heading = "Pictures")]
    palette: Option<PathBuf>,
}

impl PaletteArgs {
    /// How pictures are decoded. Without `--game`, the game is the one that the environment names.
    pub(crate) fn options(&self) -> Result<PictureOptions, Finding> {
        let (decode, palette) = (DecodeOptions::default(), self.palette.clone());
        let is_default_game = self.game.is_empty();
        let mut game = self.game.clone();
        if is_default_game {
            game.extend(environment_game()?);
        }
        Ok(PictureOptions { decode, game, is_default_game, palette })
    }

    /// How pictures are made. If none is made, these options are refused with this advice, and the environment is not
    /// looked at.
    pub(crate) fn options_if(
        &self,
        are_made: bool,
        advice: &'static str,
    ) -> Result<PictureOptions, Finding> {
        if are_made {
            return self.options();
        }
        if self.is_given() {
            let error = Finding::error("--palette and --game are about pictures, and none is made");
            return Err(error.advice(advice));
        }
        Ok(PictureOptions::default())
    }

    fn is_given(&self) -> bool {
        self.palette.is_some() || !self.game.is_empty()
    }
}

/// How pictures are decoded.
#[derive(Debug, Args)]
#[command(next_help_heading = "Pictures")]
pub(crate) struct PictureArgs {
    #[command(flatten)]
    palettes: PaletteArgs,
    /// All frames of a sprite, or sizes of a texture, side by side
    #[arg(long, hide_short_help = true)]
    frames: bool,
    /// Refuse images with more pixels than N, such as 4M
    // The error about such an image names this option, so the help need not.
    #[arg(long, value_name = "N", value_parser = parse_size, default_value = "64M")]
    #[arg(hide_short_help = true, hide_long_help = true)]
    max_pixels: u64,
}

impl PictureArgs {
    /// How pictures are decoded.
    pub(crate) fn options(&self) -> Result<PictureOptions, Finding> {
        let (frames, max_pixels) = (self.frames, self.max_pixels);
        let decode = DecodeOptions { all_frames: frames, mips: frames, max_pixels };
        Ok(PictureOptions { decode, ..self.palettes.options()? })
    }

    /// How pictures are decoded if `png` is given. Without it these options are refused.
    pub(crate) fn options_if(&self, png: bool) -> Result<Option<PictureOptions>, Finding> {
        if png {
            return self.options().map(Some);
        }
        if self.frames || self.palettes.is_given() {
            let error = Finding::error("these options are about pictures that are decoded");
            return Err(error.advice("give --png as well, or try '--help'"));
        }
        Ok(None)
    }
}

/// How files become entries.
#[derive(Debug, Args)]
pub(crate) struct PackArgs {
    /// Make names relative to DIR
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    root: Option<PathBuf>,
    /// Also take hidden files (.git, .DS_Store), Thumbs.db, desktop.ini and backups (a.txt~) of directories
    #[arg(long)]
    hidden: bool,
    /// Make pictures of a game of NAME.EXT.png, and of pictures in gfx/ and textures/
    ///
    /// floor.wal.png becomes floor.wal. Other pictures become .lmp under gfx/, and .wal under textures/. In a WAD
    /// pictures always become textures.
    #[arg(long, help_heading = "Pictures")]
    png: bool,
    #[command(flatten)]
    palettes: PaletteArgs,
}

impl PackArgs {
    /// How files become entries of an archive, or of a WAD, where pictures become textures.
    pub(crate) fn options(self, is_wad: bool) -> Result<PackOptions, Finding> {
        let Self { root, hidden, png, palettes } = self;
        let pictures = palettes.options_if(png || is_wad, "leave them out, or give --png")?;
        Ok(PackOptions { root, hidden, png, pictures })
    }
}

/// How much an archive may unpack to.
#[derive(Debug, Default, Args)]
pub(crate) struct ExpansionArgs {
    /// Refuse an archive that unpacks to more than N times its length [default: 65, ZIP: 1032]
    #[arg(long, value_name = "N", value_parser = number::<u64>, hide_short_help = true)]
    #[arg(help_heading = None)]
    pub(crate) max_expansion: Option<u64>,
}

/// The engine whose rules apply.
#[derive(Debug, Args)]
pub(crate) struct EngineArgs {
    /// The engine whose rules apply [default: quake or daikatana]
    #[arg(long, value_name = "ENGINE", value_parser = engine(), ignore_case = true)]
    #[arg(hide_possible_values = true, long_help = with_engine_names(RULES_OF))]
    pub(crate) engine: Option<Engine>,
}

/// What to do about files that exist.
#[derive(Debug, Args)]
#[command(next_help_heading = "Overwriting")]
pub(crate) struct OverwriteArgs {
    /// Overwrite existing files (never a source)
    #[arg(short, long, conflicts_with = "keep")]
    force: bool,
    /// Keep existing files and go on with the rest
    #[arg(short, long)]
    keep: bool,
}

impl OverwriteArgs {
    /// What to do about an existing file at an output's path.
    pub(crate) const fn existing(&self) -> Existing {
        match (self.force, self.keep) {
            (true, _) => Existing::Replace,
            (false, true) => Existing::Keep,
            (false, false) => Existing::Refuse,
        }
    }
}

/// The help of an engine whose rules apply.
pub(crate) const RULES_OF: &str = "The engine whose rules apply [default: quake or daikatana]";

/// The help of an option for one engine, with the names of engines.
pub(crate) fn with_engine_names(help: &str) -> String {
    format!("{help}\n\nENGINE: {}.", engine_names())
}

/// The help of an option for several engines, with the names of engines and families.
pub(crate) fn with_engines(help: &str) -> String {
    let families = Engines::families().join(", ");
    let engines = engine_names();
    format!("{help}\n\nENGINES, separated by commas: {engines}. Families: {families}.")
}

fn engine_names() -> String {
    let names: Vec<&str> = Engine::ALL.into_iter().map(Engine::as_str).collect();
    names.join(", ")
}

/// The most threads that `-j` accepts: far more than any machine needs, but far fewer than a system refuses to
/// start.
const JOBS_MAX: usize = 1024;

/// Parses a number of threads, from `-j` or from the environment.
pub(crate) fn parse_jobs(text: &str) -> Result<NonZeroUsize, String> {
    text.parse::<NonZeroUsize>()
        .ok()
        .filter(|jobs| jobs.get() <= JOBS_MAX)
        .ok_or_else(|| format!("expected a number from 1 to {JOBS_MAX}"))
}

/// The environment variable for a game's directory.
const GAME: &str = "DAISHO_GAME";

/// The directory or archive of a game that the environment names.
fn environment_game() -> Result<Option<PathBuf>, Finding> {
    let Some(game) = std::env::var_os(GAME).filter(|value| !value.is_empty()) else {
        return Ok(None);
    };
    let game = PathBuf::from(game);
    if !game.exists() {
        let game = quoted(game.as_os_str().as_encoded_bytes());
        let error =
            Finding::error(format!("{GAME} is {game}, but there is no such file or directory"));
        return Err(error.advice("correct it, or unset it"));
    }
    Ok(Some(game))
}

/// The directories of a game, the base first. If the user gave one or none, the base is the one that the environment
/// names.
pub(crate) fn with_base(mut folders: Vec<PathBuf>) -> Result<Vec<PathBuf>, Finding> {
    if folders.len() > 1 {
        return Ok(folders);
    }
    if let Some(base) = environment_game()?
        && !folders.iter().any(|folder| is_same(&base, folder))
    {
        folders.insert(0, base);
    }
    Ok(folders)
}

/// Whether two paths lead to one directory.
fn is_same(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// Parses a number, with an error that a user understands.
pub(crate) fn number<T: core::str::FromStr>(text: &str) -> Result<T, &'static str> {
    text.parse().map_err(|_| "expected a number, such as 100")
}

/// When to do things that are meant for a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    /// Where it is a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// Parses one of these words into its value.
pub(crate) fn one_of<T: Clone + Send + Sync + 'static>(
    words: impl IntoIterator<Item = (PossibleValue, T)>,
) -> impl TypedValueParser<Value = T> {
    let words: Vec<(PossibleValue, T)> = words.into_iter().collect();
    let accepted = words.iter().map(|(word, _)| word.clone());
    PossibleValuesParser::new(accepted).try_map(move |typed| {
        let found = words.iter().find(|(word, _)| word.matches(&typed, true));
        found.map(|(_, value)| value.clone()).ok_or("no such word")
    })
}

/// Parses the name of a format that is written.
pub(crate) fn written_format() -> impl TypedValueParser<Value = Format> {
    let written = Format::ALL.into_iter().filter(|it| it.spec().is_written());
    one_of(written.map(|it| (format_word(it), it)))
}

/// Parses the name of a format that is written, or of a type of pictures.
pub(crate) fn written_type() -> impl TypedValueParser<Value = WrittenType> {
    let formats = Format::ALL.into_iter().filter(|it| it.spec().is_written());
    let formats = formats.map(|it| (format_word(it), WrittenType::Archive(it)));
    let pictures = FileType::ALL.iter().copied().filter(is_written_picture);
    let pictures = pictures.map(|it| {
        let word = PossibleValue::new(it.as_str()).help(it.described());
        (word, WrittenType::Picture(it))
    });
    one_of(formats.chain(pictures))
}

/// Whether daisho writes pictures of this type.
pub(crate) fn is_written_picture(file_type: &FileType) -> bool {
    file_type.is_written() || *file_type == FileType::Png
}

/// Parses the name of a format, or `auto`.
pub(crate) fn format_or_auto() -> impl TypedValueParser<Value = OrAuto<Format>> {
    let auto = (PossibleValue::new(AUTO).help("Detect it"), OrAuto(None));
    let formats = Format::ALL.map(|it| (format_word(it), OrAuto(Some(it))));
    one_of(core::iter::once(auto).chain(formats))
}

fn format_word(format: Format) -> PossibleValue {
    PossibleValue::new(format.as_str()).help(format.spec().about)
}

/// Parses the word for how to read the reserved byte, or `auto`.
pub(crate) fn reserved_or_auto() -> impl TypedValueParser<Value = OrAuto<Reserved>> {
    let words = [
        (AUTO, "Find out from the pak's streams", None),
        ("skip", "As the game does: skip it", Some(Reserved::Skip)),
        (
            "copy",
            "As one packer does: copy 64 bytes, from the distance that follows",
            Some(Reserved::Copy),
        ),
        ("error", "It is damage", Some(Reserved::Error)),
    ];
    one_of(words.map(|(word, help, value)| (PossibleValue::new(word).help(help), OrAuto(value))))
}

/// The word for a value that daisho finds out.
pub(crate) const AUTO: &str = "auto";

/// A value, or `None` if daisho finds it out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OrAuto<T>(pub(crate) Option<T>);

/// Parses the name of an engine.
pub(crate) fn engine() -> impl TypedValueParser<Value = Engine> {
    one_of(Engine::ALL.map(|it| (it.as_str().into(), it)))
}

/// Parses the word for one engine or several.
pub(crate) fn engines() -> impl TypedValueParser<Value = Engines> {
    one_of(Engines::words().filter_map(|word| Some((word.into(), Engines::by_word(word)?))))
}

/// Parses a number of bytes: `700K`, `1.5M`, `1MiB`, and `1MB`, which is a million.
pub(crate) fn parse_size(text: &str) -> Result<u64, String> {
    let end = text.find(|c: char| c.is_ascii_alphabetic());
    let (number, unit) = text.split_at(end.unwrap_or(text.len()));
    let scale: Option<u64> = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => Some(1),
        "k" | "kib" => Some(1 << 10),
        "m" | "mib" => Some(1 << 20),
        "g" | "gib" => Some(1 << 30),
        "kb" => Some(1_000),
        "mb" => Some(1_000_000),
        "gb" => Some(1_000_000_000),
        _ => None,
    };
    let size = scale.and_then(|scale| {
        let (whole, part) = number.split_once('.').unwrap_or((number, "0"));
        let is_number =
            |digits: &str| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        // Nine digits of a part say more than any unit can show.
        if !is_number(whole) || !is_number(part) || part.len() > 9 {
            return None;
        }
        let below = 10_u64.pow(u32::try_from(part.len()).ok()?);
        let part = part.parse::<u64>().ok()?.checked_mul(scale)? / below;
        let whole = whole.parse::<u64>().ok()?.checked_mul(scale)?;
        whole.checked_add(part)
    });
    size.filter(|size| *size > 0).ok_or_else(|| {
        "give a number of bytes, such as 2000000000, 650M, 1.5G, 700MiB (1 KiB = 1024 bytes) or 700MB (1 kB = 1000 bytes)".to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_a_number_with_a_unit_or_without() {
        for (text, size) in [
            ("1", 1),
            ("700K", 700 << 10),
            ("650m", 650 << 20),
            ("2G", 2 << 30),
            ("1.5M", 3 << 19),
            ("1.5g", 3 << 29),
            ("0.5K", 512),
            ("1MB", 1_000_000),
            ("1.25mb", 1_250_000),
            ("1MiB", 1 << 20),
            ("1GiB", 1 << 30),
            ("7B", 7),
            ("17179869183G", 17_179_869_183 << 30),
        ] {
            assert_eq!(parse_size(text), Ok(size));
        }
        for text in [
            "",
            "0",
            "K",
            "-1",
            "+1",
            "1T",
            "1Ki",
            "1KBB",
            "1Kib2",
            "iB",
            ".5G",
            "1.G",
            "1..5G",
            "1.5.5G",
            "0.0000000001G",
            "1.1x",
            " 1",
            "1 K",
            "17179869184G",
            "0x10",
            "1é",
        ] {
            assert!(parse_size(text).is_err(), "{text}");
        }
    }
}

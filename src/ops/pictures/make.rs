//! Encodes pictures as files of a game's own formats.
//!
//! The pictures are encoded into a temporary file before anything is written. So each of them can be refused, and
//! memory does not depend on their number.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use crate::archive::{
    Archive, Case, Entry, Extent, Format, LooseFile, RawName, ReadAt, StoredContent, Which,
};
use crate::fs::{Scratch, WriteAt as _, archive_of, lock};
use crate::media::{
    Data, DecodeOptions, Depth, EncodeOptions, EncodeRemark, EncodedPicture, FileType, Frame,
    LostColour, Palette, Picture, PictureError, PictureFields, Pixels, TargetPalette, facts, png,
    read_png,
};
use crate::ops::context::{Context, Refusal};
use crate::ops::finding::{Finding, Help};
use crate::ops::pictures::place::{MadeAs, PicturePlace};
use crate::ops::pictures::{PictureOptions, Pictures, full_size};

/// Files to be packed, some of which are pictures to be encoded, by their paths.
pub(crate) type Made = HashMap<PathBuf, MadeAs>;

/// How the pictures among the files of an archive are made.
pub(crate) struct MakePictures<'a> {
    /// What pictures become. `None` if they are packed as they are.
    pub(crate) place: Option<PicturePlace>,
    /// The pictures.
    pub(crate) made: &'a Made,
    /// Why other pictures cannot be packed.
    pub(crate) unmade: Vec<Finding>,
    /// Where palettes are looked for.
    pub(crate) options: &'a PictureOptions,
    /// Whether pictures that cannot be encoded are left out. Otherwise nothing is written.
    pub(crate) keep_going: bool,
    /// The archive whose entries are replaced. Fields that a picture lacks come from its entry there.
    pub(crate) old: Option<&'a Archive>,
}

/// A temporary file of encoded pictures, to which all threads append.
pub(crate) struct MadeFiles {
    pub(crate) scratch: Scratch,
    end: AtomicU64,
}

impl MadeFiles {
    pub(crate) fn new(context: &Context<'_>) -> Result<Self, Finding> {
        let scratch = context.system.scratch().map_err(Finding::from_io)?;
        Ok(Self { scratch, end: AtomicU64::new(0) })
    }

    /// Appends a picture, and returns its place.
    pub(crate) fn append(&self, picture: &[u8]) -> Result<Extent, Finding> {
        let len = picture.len() as u64;
        let offset = self.end.fetch_add(len, Ordering::Relaxed);
        self.scratch.write_at(picture, offset).map_err(Finding::from_io)?;
        Ok(Extent { offset, len })
    }
}

/// Where the encoded pictures lie in the temporary file, by the paths of the pictures.
type EncodedPlaces = HashMap<PathBuf, Extent>;

impl MakePictures<'_> {
    /// Makes an archive of the files, with the pictures encoded.
    pub(crate) fn archive(
        mut self,
        context: &Context<'_>,
        directory: &Path,
        mut files: Vec<LooseFile>,
        findings: &mut Vec<Finding>,
    ) -> Result<Archive, Refusal> {
        let Some(place) = self.place.filter(|_| !self.made.is_empty()) else {
            let unmade = core::mem::take(&mut self.unmade);
            self.leave_out(unmade, findings)?;
            return Ok(archive_of(&context.system, directory, files).map_err(Finding::from)?);
        };
        let made = MadeFiles::new(context)?;
        let originals =
            archive_of(&context.system, directory, files.clone()).map_err(Finding::from)?;
        let encoded = self.encode_all(context, place, &originals, &made, findings)?;
        files
            .retain(|file| !self.made.contains_key(&file.path) || encoded.contains_key(&file.path));
        for file in &mut files {
            if let Some(extent) = encoded.get(&file.path) {
                file.size = extent.len;
            }
        }
        let (system, scratch) = (context.system.clone(), Arc::new(made.scratch));
        let open = move |_: &[u8], path: &Path| -> io::Result<Arc<dyn ReadAt>> {
            Ok(match encoded.get(path) {
                Some(extent) => Arc::new(StoredContent::new(scratch.clone(), *extent)),
                None => Arc::new(system.open_regular(path)?),
            })
        };
        Ok(Archive::of_files(directory, files, Box::new(open)).map_err(Finding::from)?)
    }

    /// Encodes the pictures into the temporary file.
    fn encode_all(
        &mut self,
        context: &Context<'_>,
        place: PicturePlace,
        originals: &Archive,
        files: &MadeFiles,
        findings: &mut Vec<Finding>,
    ) -> Result<EncodedPlaces, Refusal> {
        let pictures = Pictures::open(context, self.options, Vec::new(), findings)?;
        let maker = Maker {
            pictures: &pictures,
            place,
            old: self.old,
            originals,
            targets: Mutex::new(Vec::new()),
        };
        let mut entries = Vec::new();
        for entry in originals.entries() {
            let Some(path) = entry.path() else { continue };
            if let Some(made) = self.made.get(path) {
                entries.push((entry, path.to_path_buf(), *made));
            }
        }
        let done = context.pool.map(&entries, |(entry, path, made)| -> Result<_, Finding> {
            context.cancel.check()?;
            let (made, warnings) = maker.encode(entry, path, *made)?;
            let place = files.append(&made.bytes)?;
            Ok((place, EncodedPicture { bytes: Vec::new(), ..made }, warnings))
        });
        let mut encoded = EncodedPlaces::new();
        let mut refused = core::mem::take(&mut self.unmade);
        let (mut lost, mut blue) = (Vec::new(), Vec::new());
        for ((_, path, _), done) in entries.iter().zip(done) {
            match done {
                Ok((at, made, warnings)) => {
                    findings.extend(warnings.into_iter().map(|it: Finding| it.at_path(path)));
                    lost.extend(made.lost.map(|lost| (lost, &**path)));
                    if made.remarks.contains(&EncodeRemark::BlueIsClear) {
                        blue.push(&**path);
                    }
                    encoded.insert(path.clone(), at);
                }
                Err(error) if error.is_stop() => return Err(error.into()),
                Err(error) => refused.push(error.at_path(path)),
            }
        }
        self.leave_out(refused, findings)?;
        findings.extend(loses_colours(&lost, &blue));
        Ok(encoded)
    }

    /// Reports pictures that are left out, or refuses the others because of them.
    fn leave_out(&self, refused: Vec<Finding>, findings: &mut Vec<Finding>) -> Result<(), Refusal> {
        if self.keep_going {
            findings.extend(refused);
            Ok(())
        } else {
            Refusal::if_any(refused)
        }
    }
}

/// A picture that was read.
struct SourcePicture {
    /// Indexed pixels have a palette.
    pixels: Pixels,
    fields: PictureFields,
    /// A warning if the palette was not found.
    remark: Option<Finding>,
}

/// Encodes pictures.
struct Maker<'a> {
    pictures: &'a Pictures,
    place: PicturePlace,
    /// The archive whose entries are replaced.
    old: Option<&'a Archive>,
    /// The files to be packed, in which palettes are looked for first.
    originals: &'a Archive,
    /// The palettes that pictures needed so far. Preparing one takes as long as encoding a picture.
    targets: Mutex<Vec<Arc<TargetPalette>>>,
}

impl Maker<'_> {
    /// Encodes a picture, and returns warnings about it.
    fn encode(
        &self,
        entry: &Entry<'_>,
        path: &Path,
        made: MadeAs,
    ) -> Result<(EncodedPicture, Vec<Finding>), Finding> {
        let file = self.pictures.read(entry)?;
        let name = RawName::of_file(path);
        let found = facts(name, &file, Depth::Header).map_err(Finding::from_io)?;
        let area =
            found.number("width").unwrap_or(0).saturating_mul(found.number("height").unwrap_or(0));
        // The pixels, their numbers, and the encoded file.
        let _share = self.pictures.share(area.saturating_mul(12).saturating_add(file.len() as u64));
        let SourcePicture { pixels, mut fields, remark } = self.source(entry, name, &file)?;
        drop(file);
        let mut warnings: Vec<Finding> = remark.into_iter().collect();
        if made.file_type == FileType::Png {
            let png = png(&pixels, &Palette::grey(), Some(&fields));
            let bytes = png.map_err(Finding::from_io)?;
            return Ok((EncodedPicture { bytes, remarks: Vec::new(), lost: None }, warnings));
        }
        let is_unedited =
            matches!(pixels.data, Data::Indexed { .. }) && fields.file_type == Some(FileType::Wal3);
        let mut old = self.replaced(entry.name());
        if let Some((_, (_, of_old))) = &old {
            fields.complete(of_old.clone());
        }
        let takes_name = self.place.takes_name_of_lump(made.file_type);
        if takes_name {
            fields.name.clear();
        }
        let file_type = self.wal_version(made.file_type, &fields);
        warnings.extend(lacks_numbers(file_type, &fields));
        let palette = self.palette(file_type, entry.name())?.map(|it| self.target(&it));
        if palette.is_none() && !is_unedited {
            warnings.extend(lacks_level_palette(file_type, entry.name()));
        }
        let options = EncodeOptions {
            palette: palette.as_deref(),
            fullbright: made.fullbright,
            fields: &fields,
        };
        let encoded =
            file_type.encode(entry.name(), &pixels, &options).map_err(Finding::encoding)?;
        let mut new = full_size(entry.name(), &encoded.bytes);
        if takes_name {
            let of_both = old.iter_mut().map(|it| &mut it.1).chain(&mut new);
            of_both.for_each(|(_, fields)| fields.name.clear());
        }
        if let Some((bytes, picture)) = old
            && new == Some(picture)
        {
            // Its smaller sizes would be other ones.
            return Ok((EncodedPicture { bytes, remarks: Vec::new(), lost: None }, Vec::new()));
        }
        warnings.extend(encoded.remarks.iter().filter_map(|it| warning(*it)));
        Ok((encoded, warnings))
    }

    /// The version of a WAL: that of the file which the picture was made of, else the one that the place asks for.
    fn wal_version(&self, file_type: FileType, fields: &PictureFields) -> FileType {
        let is_daikatana = matches!(self.place, PicturePlace::Archive { is_daikatana: true, .. });
        match (file_type, fields.file_type) {
            _ if matches!(self.place, PicturePlace::Loose { is_fixed: true, .. }) => file_type,
            (FileType::Wal, Some(FileType::Wal3)) => FileType::Wal3,
            (FileType::Wal, Some(FileType::Wal)) => FileType::Wal,
            (FileType::Wal, _) if is_daikatana => FileType::Wal3,
            (file_type, _) => file_type,
        }
    }

    /// The picture in a file.
    fn source(
        &self,
        entry: &Entry<'_>,
        name: RawName<'_>,
        file: &[u8],
    ) -> Result<SourcePicture, Finding> {
        let most = self.pictures.options.max_pixels;
        if FileType::by_magic(file) == Some(FileType::Png) {
            let (pixels, fields) = read_png(file, most).map_err(Finding::encoding)?;
            return Ok(SourcePicture { pixels, fields, remark: None });
        }
        let options = DecodeOptions { max_pixels: most, ..DecodeOptions::default() };
        let picture = Picture::decode(name, file, &options).map_err(Finding::encoding)?;
        let chosen = self.pictures.palettes.of(entry, &picture)?;
        let Some(frame) = picture.frames.into_iter().next() else {
            return Err(Finding::encoding(PictureError::NotAPicture));
        };
        let mut fields = PictureFields::of_file(picture.file_type, file, &frame);
        fields.is_stand_in = chosen.is_stand_in;
        let mut pixels = frame.pixels;
        pixels.complete(&chosen.palette);
        Ok(SourcePicture { pixels, fields, remark: chosen.remark })
    }

    /// The file and the picture of the entry that is replaced.
    fn replaced(&self, name: RawName<'_>) -> Option<(Vec<u8>, (Frame, PictureFields))> {
        let entry = self.old?.find(name.as_bytes(), Case::Matters, Which::First)?;
        let file = self.pictures.read(&entry).ok()?;
        let picture = full_size(name, &file)?;
        Some((file, picture))
    }

    /// The game's palette for a picture. `None` if the format holds its own, or none is found.
    fn palette(
        &self,
        file_type: FileType,
        name: RawName<'_>,
    ) -> Result<Option<Arc<Palette>>, Finding> {
        let is_wad3 = matches!(self.place, PicturePlace::Archive { to: Format::Wad3, .. });
        if is_wad3 {
            return Ok(None);
        }
        let archives = std::iter::once(self.originals).chain(self.old);
        self.pictures.target(archives, file_type, name)
    }

    fn target(&self, palette: &Palette) -> Arc<TargetPalette> {
        let mut targets = lock(&self.targets);
        if let Some(target) = targets.iter().find(|it| it.palette() == palette) {
            return Arc::clone(target);
        }
        let target = Arc::new(TargetPalette::new(palette.clone()));
        targets.push(Arc::clone(&target));
        target
    }
}

/// A warning about pictures of which some colours changed most like these, and others have pure blue.
fn loses_colours(lost: &[(LostColour, &Path)], blue: &[&Path]) -> Option<Finding> {
    let worst = lost.iter().max_by_key(|(colour, _)| colour.distance);
    let path = worst.map(|(_, path)| *path).or_else(|| blue.first().copied())?;
    let mut said = Vec::new();
    if let Some((LostColour { distance, colour, nearest }, _)) = worst {
        let (gets, own) = match lost.len() {
            1 => ("it gets".to_owned(), "its"),
            count => (format!("{count} pictures get"), "their"),
        };
        let distance = distance.isqrt();
        said.push(format!("{gets} the nearest colours of the game's palette, because {own} own are others; the largest change is {colour:?} to {nearest:?}, a distance of {distance}"));
    }
    if !blue.is_empty() {
        said.push(format!("pure blue becomes transparent (pictures: {})", blue.len()));
    }
    let advice = "look at them in a viewer, because colours may differ; WADs of Half-Life (wad3) and WALs of Daikatana (wal3) have colours of their own";
    Some(Finding::warning(said.join("; ")).advice(advice).at_path(path))
}

/// A warning about a WAL made of a picture that does not say its numbers.
fn lacks_numbers(file_type: FileType, fields: &PictureFields) -> Option<Finding> {
    if !matches!(file_type, FileType::Wal | FileType::Wal3) || fields.numbers.is_some() {
        return None;
    }
    let why = "its flags, contents and value become 0, because a PNG does not hold them";
    let warning = Finding::warning(why)
        .many("WALs get flags, contents and value 0, because PNGs do not hold them")
        .advice("a texture that its picture replaces keeps them");
    Some(warning)
}

/// A warning about a new texture of Daikatana whose level's palette was not found.
fn lacks_level_palette(file_type: FileType, name: RawName<'_>) -> Option<Finding> {
    let start = name.as_bytes().get(..9);
    let is_texture = start.is_some_and(|start| start.eq_ignore_ascii_case(b"textures/"));
    if file_type != FileType::Wal3 || !is_texture {
        return None;
    }
    let why = "the palette of its level was not found, so it gets 256 colours of its own";
    let warning = Finding::warning(why)
        .many("textures get colours of their own, because the palettes of their levels were not found")
        .advice("put the level's colormap.bmp beside its textures, which Daikatana's editor wants and daisho does not write")
        .help(Help::GivePalette);
    Some(warning)
}

/// A warning about an encoded picture.
fn warning(remark: EncodeRemark) -> Option<Finding> {
    Some(match remark {
        EncodeRemark::ClearIsZero => loses_transparency("its transparent pixels become colour 0, which is black, because its name does not begin with '{'"),
        EncodeRemark::OddSides => Finding::warning("its sides are no multiples of 16, and engines of Quake and Half-Life refuse such textures in a map")
            .many("textures have sides that are no multiples of 16, and engines of Quake and Half-Life refuse such textures in a map")
            .advice("scale them to multiples of 16"),
        EncodeRemark::NoPowersOfTwo => Finding::warning("its sides are no powers of two, and Daikatana's editor refuses such textures")
            .many("textures have sides that are no powers of two, and Daikatana's editor refuses them")
            .advice("scale them to 16, 32, 64, 128, 256 or 512"),
        EncodeRemark::AlphaIgnored => loses_transparency("its transparent pixels become opaque, because the format has none"),
        // Pictures are counted.
        EncodeRemark::BlueIsClear => return None,
    })
}

/// The warning that transparent pixels of a picture become opaque.
fn loses_transparency(why: &str) -> Finding {
    Finding::warning(why).many("pictures lose transparent pixels").advice(
        "textures of Quake and Half-Life have transparent pixels if their names begin with '{'",
    )
}

//! PCX, TGA and BMP against Pillow, where Python has it: what it writes, we read as it does; what we write
//! in the ways that it never writes, it reads as we do. Without Pillow, the test is skipped.

use std::fs;
use std::path::Path;
use std::process::Command;

use daisho::media::{DecodeOptions, Palette, Picture};

use super::files;
use crate::archive::encoded;

/// Writes pictures of random pixels in every mode that Pillow writes, and beside every picture in the
/// folder its pixels as Pillow reads them.
const SCRIPT: &str = r#"
import glob, os, random, sys
from PIL import Image
folder = sys.argv[1]
random.seed(7)
def pixels(mode, size):
    image = Image.new(mode, size)
    count = len(image.getbands())
    def one():
        return random.randrange(256) if count == 1 else tuple(random.randrange(256) for _ in range(count))
    data = []
    while len(data) < size[0] * size[1]:
        data += [one()] * random.choice((1, 1, 1, 2, 3, 70, 300))
    image.putdata(data[:size[0] * size[1]])
    if mode == 'P': image.putpalette([random.randrange(256) for _ in range(768)])
    return image
ways = [('pcx', 'P', {}), ('pcx', 'RGB', {}), ('bmp', 'P', {}), ('bmp', 'L', {}),
        ('bmp', 'RGB', {}), ('bmp', 'RGBA', {})]
for mode in ('P', 'L', 'LA', 'RGB', 'RGBA'):
    for compression in (None, 'tga_rle'):
        for orientation in (-1, 1):
            ways.append(('tga', mode, dict(compression=compression, orientation=orientation)))
for number, (kind, mode, options) in enumerate(ways * 12):
    size = random.randrange(1, 90), random.randrange(1, 40)
    pixels(mode, size).save(f'{folder}/{number:03}-{mode}.{kind}', **options)
for path in glob.glob(folder + '/*.*'):
    try:
        image = Image.open(path)
        image.load()
        open(path + '.rgba', 'wb').write(image.convert('RGBA').tobytes())
    except Exception as error:
        open(path + '.error', 'w').write(repr(error))
"#;

/// What Pillow does not read, or reads another way than the format's makers say.
const OTHERWISE: [(&str, &str); 3] = [
    ("indexed.pcx", "does not believe a line's length that is longer than it need be"),
    ("alpha_16.tga", "takes the highest bit for transparent"),
    ("colour_15.tga", "does not read 15 bits"),
];

fn python(arguments: &[&str]) -> bool {
    let run = Command::new("python3").args(arguments).output();
    run.is_ok_and(|it| {
        print!("{}", String::from_utf8_lossy(&it.stderr));
        it.status.success()
    })
}

#[test]
fn standard_formats_are_read_as_pillow_reads_them() {
    if !python(&["-c", "import PIL"]) {
        crate::skips::skip("python3 with Pillow is not installed");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let standard = ["pcx", "tga", "bmp"].map(Some);
    for (name, file) in files::all() {
        if standard.contains(&name.rsplit_once('.').map(|it| it.1)) {
            fs::write(folder.path().join(name), file).unwrap();
        }
    }
    for (name, file, _) in encoded::written() {
        fs::write(folder.path().join(name), file).unwrap();
    }
    assert!(python(&["-c", SCRIPT, &folder.path().to_string_lossy()]));
    let (mut compared, mut wrong) = (0, Vec::new());
    for path in fs::read_dir(folder.path()).unwrap().map(|it| it.unwrap().path()) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let beside = |ending: &str| Path::new(&format!("{}{ending}", path.display())).to_owned();
        if OTHERWISE.iter().any(|it| it.0 == name)
            || [".rgba", ".error"].iter().any(|it| name.ends_with(it))
        {
            continue;
        }
        let ours =
            Picture::decode(name[..].into(), &fs::read(&path).unwrap(), &DecodeOptions::default());
        let ours = ours.map(|it| it.frames[0].pixels.to_rgba(&Palette::grey()));
        match fs::read(beside(".rgba")) {
            Ok(theirs) if ours.as_ref() == Ok(&theirs) => compared += 1,
            Ok(_) => wrong.push(format!("{name}: {:?}", ours.err())),
            Err(_) => {
                wrong.push(format!("{name}: {}", fs::read_to_string(beside(".error")).unwrap()))
            }
        }
    }
    assert!(wrong.is_empty() && compared > 515, "{compared} alike, others: {wrong:#?}");
}

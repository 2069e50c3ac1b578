//! Recognises ZIPs that are programs, books or office files by the names in them.
//!
//! Each kind is recognised by names that its readers require, so a game's archive has them only if somebody
//! added them. A Java manifest alone proves nothing: `jar` is also used to make PK3s, and leaves one in
//! them.

/// A kind of ZIP, and the names that prove it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OtherKind {
    pub(crate) what: &'static str,
    pub(crate) by: &'static str,
}

/// Names with a meaning, one bit each.
const ANDROID: u32 = 1;
const ANDROID_CODE: u32 = 1 << 1;
const BUNDLE: u32 = 1 << 2;
const BUNDLE_BASE: u32 = 1 << 19;
const IOS: u32 = 1 << 3;
const MANIFEST: u32 = 1 << 4;
const CLASS: u32 = 1 << 5;
const FIREFOX: u32 = 1 << 6;
const WHEEL: u32 = 1 << 7;
const TYPE_FIRST: u32 = 1 << 8;
const EPUB: u32 = 1 << 9;
const OPEN_DOCUMENT: u32 = 1 << 10;
const OPEN_RASTER: u32 = 1 << 11;
const KRITA: u32 = 1 << 12;
const TYPES: u32 = 1 << 13;
const RELATIONS: u32 = 1 << 14;
const WORD: u32 = 1 << 15;
const EXCEL: u32 = 1 << 16;
const POWER_POINT: u32 = 1 << 17;
const MINECRAFT: u32 = 1 << 18;

const OOXML: u32 = TYPES | RELATIONS;

/// The kinds, each with the names that it requires. The first match counts.
#[rustfmt::skip]
const KINDS: [(u32, &str, &str); 15] = [
    (ANDROID | ANDROID_CODE, "an Android app (APK)", "\"AndroidManifest.xml\" with code or resources"),
    (BUNDLE | BUNDLE_BASE, "an Android app bundle (AAB)", "\"BundleConfig.pb\" and \"base/manifest/AndroidManifest.xml\""),
    (IOS, "an iOS app (IPA)", "\"Info.plist\" in an app's folder below \"Payload\""),
    (MANIFEST | CLASS, "a Java archive (JAR)", "\"META-INF/MANIFEST.MF\" with classes"),
    (FIREFOX, "a Firefox add-on (XPI)", "\"META-INF/mozilla.rsa\""),
    (WHEEL, "a Python package (wheel)", "\"WHEEL\" in a folder of that kind"),
    (TYPE_FIRST | EPUB, "a book (EPUB)", "\"mimetype\" as the first and \"META-INF/container.xml\""),
    (TYPE_FIRST | OPEN_RASTER, "an OpenRaster picture", "\"mimetype\" as the first and \"stack.xml\""),
    (TYPE_FIRST | KRITA, "a Krita picture", "\"mimetype\" as the first and \"maindoc.xml\""),
    (TYPE_FIRST | OPEN_DOCUMENT, "an OpenDocument file, as LibreOffice writes them", "\"mimetype\" as the first and \"META-INF/manifest.xml\""),
    (OOXML | WORD, "a Word document (DOCX)", "\"[Content_Types].xml\" and \"word/document.xml\""),
    (OOXML | EXCEL, "an Excel workbook (XLSX)", "\"[Content_Types].xml\" and a workbook in \"xl\""),
    (OOXML | POWER_POINT, "a PowerPoint presentation (PPTX)", "\"[Content_Types].xml\" and \"ppt/presentation.xml\""),
    (OOXML, "a package of office or program files (OPC)", "\"[Content_Types].xml\" and \"_rels/.rels\""),
    (MINECRAFT, "a Minecraft pack", "\"pack.mcmeta\""),
];

/// The names with a meaning that were seen.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Marks(u32);

impl Marks {
    /// Adds a name from the directory.
    pub(super) fn see(&mut self, name: &[u8], is_first: bool) {
        self.0 |= match name {
            b"mimetype" if is_first => TYPE_FIRST,
            b"AndroidManifest.xml" => ANDROID,
            b"classes.dex" | b"resources.arsc" => ANDROID_CODE,
            b"BundleConfig.pb" => BUNDLE,
            b"base/manifest/AndroidManifest.xml" => BUNDLE_BASE,
            b"META-INF/MANIFEST.MF" => MANIFEST,
            b"META-INF/mozilla.rsa" => FIREFOX,
            b"META-INF/container.xml" => EPUB,
            b"META-INF/manifest.xml" => OPEN_DOCUMENT,
            b"stack.xml" => OPEN_RASTER,
            b"maindoc.xml" => KRITA,
            b"[Content_Types].xml" => TYPES,
            b"_rels/.rels" => RELATIONS,
            b"word/document.xml" => WORD,
            b"xl/workbook.xml" | b"xl/workbook.bin" => EXCEL,
            b"ppt/presentation.xml" => POWER_POINT,
            b"pack.mcmeta" => MINECRAFT,
            _ => match name.last() {
                Some(b's') if name.ends_with(b".class") => CLASS,
                Some(b't') if is_plist_of_an_app(name) => IOS,
                Some(b'L') if is_of_a_wheel(name) => WHEEL,
                _ => 0,
            },
        };
    }

    /// The kind of ZIP that these names prove.
    pub(super) fn kind(self) -> Option<OtherKind> {
        let found = KINDS.iter().find(|(all, ..)| self.0 & all == *all);
        found.map(|&(_, what, by)| OtherKind { what, by })
    }
}

/// Whether it is `Payload/NAME.app/Info.plist`.
fn is_plist_of_an_app(name: &[u8]) -> bool {
    let app = name.strip_prefix(b"Payload/");
    let app = app.and_then(|rest| rest.strip_suffix(b".app/Info.plist"));
    app.is_some_and(|app| !app.is_empty() && !app.contains(&b'/'))
}

/// Whether it is `NAME-VERSION.dist-info/WHEEL`.
fn is_of_a_wheel(name: &[u8]) -> bool {
    let package = name.strip_suffix(b".dist-info/WHEEL");
    package.is_some_and(|package| package.contains(&b'-') && !package.contains(&b'/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(names: &[&str]) -> Option<&'static str> {
        let mut marks = Marks::default();
        for (index, name) in names.iter().enumerate() {
            marks.see(name.as_bytes(), index == 0);
        }
        marks.kind().map(|kind| kind.what)
    }

    /// The names that each kind's documentation requires, and the first word of the kind.
    #[test]
    fn every_kind_is_told_by_its_names() {
        let kinds: [(&[&str], &str); 16] = [
            (
                &[
                    "META-INF/MANIFEST.MF",
                    "AndroidManifest.xml",
                    "classes.dex",
                    "assets/pak0.pk3",
                ],
                "an Android app (APK)",
            ),
            (
                &["AndroidManifest.xml", "resources.arsc"],
                "an Android app (APK)",
            ),
            (
                &["BundleConfig.pb", "base/manifest/AndroidManifest.xml"],
                "an Android app bundle (AAB)",
            ),
            (
                &["Payload/Quake.app/Quake", "Payload/Quake.app/Info.plist"],
                "an iOS app (IPA)",
            ),
            (
                &["META-INF/MANIFEST.MF", "org/a/Main.class"],
                "a Java archive (JAR)",
            ),
            (
                &["Main.class", "pack.mcmeta", "META-INF/MANIFEST.MF"],
                "a Java archive (JAR)",
            ),
            (
                &["manifest.json", "META-INF/mozilla.rsa"],
                "a Firefox add-on (XPI)",
            ),
            (
                &["pak/__init__.py", "pak-1.0.dist-info/WHEEL"],
                "a Python package (wheel)",
            ),
            (&["mimetype", "META-INF/container.xml"], "a book (EPUB)"),
            (&["mimetype", "stack.xml"], "an OpenRaster picture"),
            (&["mimetype", "maindoc.xml"], "a Krita picture"),
            (
                &["mimetype", "content.xml", "META-INF/manifest.xml"],
                "an OpenDocument file, as LibreOffice writes them",
            ),
            (
                &["[Content_Types].xml", "_rels/.rels", "word/document.xml"],
                "a Word document (DOCX)",
            ),
            (
                &["_rels/.rels", "[Content_Types].xml", "xl/workbook.xml"],
                "an Excel workbook (XLSX)",
            ),
            (
                &["[Content_Types].xml", "_rels/.rels", "ppt/presentation.xml"],
                "a PowerPoint presentation (PPTX)",
            ),
            (
                &["[Content_Types].xml", "_rels/.rels", "a.nuspec"],
                "a package of office or program files (OPC)",
            ),
        ];
        for (names, what) in kinds {
            assert_eq!(kind(names), Some(what), "{names:?}");
        }
        assert_eq!(kind(&["pack.mcmeta"]), Some("a Minecraft pack"));
    }

    #[test]
    fn a_games_archive_is_nothing_else() {
        for names in [
            &["maps/a.bsp", "default.cfg"][..],
            // `jar` leaves a manifest in a PK3 that it makes.
            &["META-INF/MANIFEST.MF", "maps/a.bsp"],
            &["AndroidManifest.xml"],
            &["maps/a.bsp", "mimetype", "META-INF/container.xml"],
            &["META-INF/container.xml", "META-INF/manifest.xml"],
            &["mimetype"],
            &["[Content_Types].xml"],
            &["scripts/Main.class"],
            &["Payload/Info.plist", "Payload/.app/Info.plist"],
            &["Payload/a/b.app/Info.plist", "WHEEL"],
            &["a/b-1.dist-info/WHEEL", ".dist-info/WHEEL"],
            &["meta-inf/manifest.mf", "a.CLASS"],
            &[],
        ] {
            assert_eq!(kind(names), None, "{names:?}");
        }
    }
}

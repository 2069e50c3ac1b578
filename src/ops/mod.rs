//! Operations on archives. They take options and return rows. Nothing here prints.
//!
//! Each operation is one function. It takes a [`Context`], its options and a [`Sink`], hands rows and
//! [findings](finding::Finding) to the sink while it works, and returns totals. An entry that fails is
//! reported, and the rest of the work goes on. The sink can end the operation. A call fails only before it has
//! done anything: its error is a [`Refusal`]. The command is a thin layer over these functions, so a program can
//! do everything that the command does.
//!
//! | module                             | job                                                                 |
//! |------------------------------------|---------------------------------------------------------------------|
//! | `selection`                        | selects entries by globs and names                                  |
//! | [`source`]                         | finds and opens the archives that the user named                    |
//! | [`game`](mod@game)                 | a game: which copy of a file its engine serves                      |
//! | `plan`                             | decides what is written where, before anything is written           |
//! | `stream`                           | reads contents, on all threads                                      |
//! | [`write`](mod@write)               | writes planned archives                                             |
//! | `convert`, `create`                | the operations that write archives                                  |
//! | `convert_pictures`                 | writes loose pictures as files of other types                       |
//! | `edit`, `undo`                     | change an archive, and undo the change                              |
//! | `extract`                          | writes files                                                        |
//! | `read`                             | operations that only look: list, info, verify, diff, cat and others |
//! | [`catalogue`]                      | contents read, compared, and recorded in snapshots                  |
//! | [`pictures`]                       | decodes pictures with their palettes, and makes pictures of games   |
//! | `other_palette`                    | gives textures of a WAD the palette that another game wants         |
//! | `context`                          | what every operation gets: threads, an observer, a way to stop      |
//! | `report`, [`row`], [`finding`]     | what operations report                                              |
//! | `gather_files`                     | the files below paths, for `create` and `add`                       |
//! | `expansion`                        | limits how much an archive may expand to                            |
//! | `pool`                             | the threads of an operation                                         |
//! | `json`                             | rows as JSON                                                        |
//!
//! # Archives, converted
//!
//! All paks below a directory, to Quake's layout, on all cores:
//!
//! ```
//! # let dir = tempfile::tempdir()?;
//! # let to = dir.path().join("quake");
//! use daisho::ops::{Context, Reported, convert};
//! use daisho::ops::write::{Destination, WriteOptions};
//! use daisho::Format;
//!
//! let context = Context::new();
//! let options = WriteOptions::new(Destination::Directory(to.clone()), Format::Quake);
//! let mut reported = Reported::default();
//! let totals = convert(&context, &["corpus/game"], &options.into(), &mut reported)?;
//! for pak in &reported.rows {
//!     println!("{} -> {}", pak.source.display(), pak.target.display());
//! }
//! assert_eq!(totals.done, 5);
//! assert!(to.join("data/pak1.pak").exists());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # An archive made, and extracted
//!
//! ```
//! # let dir = tempfile::tempdir()?;
//! # let mod_dir = dir.path().join("mymod");
//! # std::fs::create_dir_all(mod_dir.join("maps"))?;
//! # std::fs::write(mod_dir.join("maps/end.ent"), "{ \"classname\" \"worldspawn\" }")?;
//! # std::fs::write(mod_dir.join("autoexec.cfg"), "bind x +attack\n")?;
//! # let (pak, files) = (dir.path().join("pak0.pak"), dir.path().join("files"));
//! use daisho::ops::{Context, ExtractOptions, Reported, create, extract};
//! use daisho::ops::source::Selection;
//! use daisho::ops::write::{Destination, WriteOptions};
//! use daisho::Format;
//!
//! let context = Context::new();
//! let to = Destination::File(pak.clone());
//! let made = create(&context, &[mod_dir], &WriteOptions::new(to, Format::Quake).into(), &mut Reported::default())?;
//! assert_eq!(made.entries, 2);
//!
//! let options = ExtractOptions {
//!     directory: Some(files.clone()),
//!     selection: Selection::new(&["*.ent"], &[])?,
//!     ..ExtractOptions::default()
//! };
//! let totals = extract(&context, &[pak], &options, &mut Reported::default())?;
//! assert_eq!(totals.done, 1);
//! assert!(files.join("maps/end.ent").exists());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Progress in one's own program
//!
//! The threads that work tell an [`Observer`] how much work was found and how much is done. The
//! observer only counts. Another thread reads the counters now and then, and draws. Here the counter is only a
//! percentage.
//!
//! ```
//! use daisho::ops::{Cancel, Context, Observer, Reported, VerifyOptions, Work, verify};
//! use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
//!
//! #[derive(Default)]
//! struct Progress {
//!     found: AtomicU64,
//!     done: AtomicU64,
//! }
//!
//! impl Observer for Progress {
//!     fn found(&self, work: Work) {
//!         self.found.fetch_add(work.bytes, Relaxed); // grows as paks are opened
//!     }
//!     fn done(&self, work: Work) {
//!         self.done.fetch_add(work.bytes, Relaxed);
//!     }
//! }
//!
//! impl Progress {
//!     fn percent(&self) -> u64 {
//!         100 * self.done.load(Relaxed) / self.found.load(Relaxed).max(1)
//!     }
//! }
//!
//! let progress = Progress::default();
//! let context = Context::new().observed_by(&progress);
//! let options = VerifyOptions::default();
//! assert_eq!(progress.percent(), 0);
//! verify(&context, &["corpus/game"], &options, &mut Reported::default())?;
//! assert_eq!(progress.percent(), 100);
//! # Ok::<(), daisho::ops::Refusal>(())
//! ```
//!
//! `begin` and `end` say which paks are being worked on. [`Cancel::set`], called from any
//! thread, makes an operation end early. It leaves nothing incomplete.
//!
//! # Nothing lost, and proof of it
//!
//! [`verify`] decodes everything. A [snapshot](catalogue) records the contents in lines of CRC-32, size and
//! name. A pak and its conversion have the same snapshot.
//!
//! ```
//! # let dir = tempfile::tempdir()?;
//! # let (to, file) = (dir.path().join("quake.pak"), dir.path().join("snapshot"));
//! use daisho::ops::{Context, Reported, VerifyOptions, convert, verify};
//! use daisho::ops::catalogue::{Recorded, SnapshotOptions};
//! use daisho::ops::write::{Destination, WriteOptions};
//! use daisho::Format;
//!
//! let from = "corpus/game/data/pak1.pak";
//! let context = Context::new();
//! let snapshot = SnapshotOptions { path: file, update: true };
//! let mut options = VerifyOptions {
//!     snapshot: Some(snapshot),
//!     ..VerifyOptions::default()
//! };
//! let before = verify(&context, &[from], &options, &mut Reported::default())?;
//! assert_eq!((before.entries, before.damaged), (8, 0));
//! assert_eq!(before.snapshot.map(|it| it.outcome), Some(Recorded::Created(8)));
//!
//! let file = Destination::File(to.clone());
//! convert(&context, &[from], &WriteOptions::new(file, Format::Quake).into(), &mut Reported::default())?;
//!
//! options.snapshot.as_mut().unwrap().update = false;
//! let after = verify(&context, &[to], &options, &mut Reported::default())?;
//! let compared = after.snapshot.expect("a result");
//! assert_eq!((compared.outcome, compared.differences.len()), (Recorded::Compared, 0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Refused, and failed
//!
//! There are two kinds of problem, and each has its own type. A [`Refusal`] is a list of
//! [findings](finding::Finding): nothing was written, and the request must change. A
//! [`Finding`](finding::Finding) in a row names one thing that failed or is unusual; the rest was done.
//!
//! ```
//! # let dir = tempfile::tempdir()?;
//! # let to = dir.path().join("rest.pak");
//! use daisho::ops::{Context, ConvertOptions, Reported, convert};
//! use daisho::ops::row::{Fate, OutputStatus};
//! use daisho::ops::write::{Destination, WriteOptions};
//! use daisho::Format;
//!
//! let bad = "corpus/paks/broken/size-one-too-large.pak";
//! let context = Context::new();
//! let mut write = WriteOptions::new(Destination::File(to), Format::Quake);
//! write.keep_going = true;
//! let options = ConvertOptions::from(write);
//! let mut reported = Reported::default();
//! convert(&context, &[bad], &options, &mut reported)?;
//! let pak = &reported.rows[0];
//! assert_eq!((pak.status, pak.skipped), (OutputStatus::Done(Fate::New), 1));
//! for finding in pak.findings.iter().filter(|finding| finding.is_error()) {
//!     if let Some((index, name)) = finding.place.entry() {
//!         println!("entry {index}, {name}: {}", finding.detail);
//!     }
//! }
//!
//! // Once more: now it exists, and nothing is replaced unless that is asked for.
//! let refusal = convert(&context, &[bad], &options, &mut Reported::default()).unwrap_err();
//! assert_eq!(&*refusal.0[0].detail, "already exists");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod catalogue;
pub(crate) mod context;
pub(crate) mod convert;
mod convert_pictures;
pub(crate) mod create;
pub(crate) mod edit;
pub(crate) mod expansion;
pub(crate) mod extract;
pub mod finding;
pub mod game;
mod gather_files;
pub(crate) mod json;
mod other_palette;
pub mod pictures;
pub(crate) mod plan;
pub(crate) mod pool;
pub(crate) mod read;
pub(crate) mod report;
pub mod row;
pub(crate) mod selection;
pub mod source;
pub(crate) mod stream;
pub(crate) mod undo;
pub mod write;

pub use context::{Cancel, Context, Existing, Observer, Refusal, Unobserved, Work};
pub use convert::{ConvertOptions, convert, merge};
pub use convert_pictures::{PictureConversion, convert_pictures};
pub use create::{CreateOptions, create, create_map};
pub use edit::{AddOptions, Edit, EditOptions, EditRow, edit};
pub use extract::{ExtractOptions, ExtractRow, ExtractedArchive, FileRow, extract, extract_served};
pub use gather_files::PackOptions;
pub use plan::paths::Aside;
pub use read::cat::{Printed, cat, cat_png};
pub use read::info::{InfoRow, info};
pub use read::list::{ListOptions, ListRow, ListTotals, list, list_served};
pub use read::needs::maps_named;
pub use read::verify::{
    VerifiedArchive, VerifiedEntry, VerifyOptions, VerifyRow, VerifyTotals, verify,
};
pub use report::{Reported, Sink};
pub use undo::{UndoRow, Version, undo};

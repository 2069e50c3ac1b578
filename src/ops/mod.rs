//! What people do with archives: plain options in, plain reports out, and nothing printed.
//!
//! An operation takes a [`Context`](context::Context) and its own options. It returns a report of
//! what was done and of everything that was not: a failed entry is a row of the report, not an
//! early return. Only what is refused before anything was done is an error of the call, a
//! [`Refusal`](context::Refusal). The command is a thin layer of words over these functions; all
//! that it does, a program can do.
//!
//! | module                                            | job                                      |
//! |---------------------------------------------------|------------------------------------------|
//! | [`source`]                                        | from what a user typed to opened archives |
//! | [`convert`], [`create`], [`merge`]                | what writes archives, through one pipeline: [`write`](mod@write) |
//! | [`edit`], [`undo`]                                | what changes an archive, and goes back    |
//! | [`extract`]                                       | what writes files                        |
//! | [`gallery`]                                       | a page that shows what archives hold     |
//! | [`pictures`]                                      | pictures decoded, with their palettes; PNG |
//! | [`read`]                                          | what looks: list, info, verify, cat, diff, missing |
//! | [`base64`](mod@base64)                            | bytes as text                            |
//! | [`expansion`]                                     | how much may come out of an archive      |
//! | [`game`](mod@game)                              | a game: what an engine serves from its folders |
//! | [`row`]                                           | what operations report                   |
//! | `open`, `nearby`                                  | what is odd of an archive; small payloads, read together |
//!
//! # Archives, converted
//!
//! All paks below a directory, to Quake's layout, on all cores:
//!
//! ```
//! # let dir = tempfile::tempdir()?;
//! # let to = dir.path().join("quake");
//! use daisho::ops::context::Context;
//! use daisho::ops::convert::convert;
//! use daisho::ops::source::Search;
//! use daisho::ops::row::Row;
//! use daisho::ops::write::{Destination, WriteOptions};
//! use daisho::Format;
//!
//! let context = Context::new();
//! let options = WriteOptions {
//!     search: Search::RECURSIVE,
//!     ..WriteOptions::new(Destination::Directory(to.clone()), Format::Quake)
//! };
//! let summary = convert(&context, &["corpus/game".into()], &options, &mut |row| {
//!     if let Row::Output(pak) = row {
//!         println!("{} -> {}", pak.source.display(), pak.target.display());
//!     }
//! })?;
//! assert_eq!(summary.done, 5);
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
//! use daisho::ops::context::Context;
//! use daisho::ops::create::create;
//! use daisho::ops::extract::{ExtractOptions, extract};
//! use daisho::ops::source::Selection;
//! use daisho::ops::write::{Destination, WriteOptions};
//! use daisho::Format;
//!
//! let context = Context::new();
//! let to = Destination::File(pak.clone());
//! let made = create(&context, &[mod_dir], &WriteOptions::new(to, Format::Quake), &mut |_row| {})?;
//! assert_eq!(made.entries, 2);
//!
//! let options = ExtractOptions {
//!     directory: Some(files.clone()),
//!     selection: Selection::new(&["*.ent"], &[])?,
//!     ..ExtractOptions::default()
//! };
//! let summary = extract(&context, &[pak], &options, &mut |_row| {})?;
//! assert_eq!(summary.done, 1);
//! assert!(files.join("maps/end.ent").exists());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Progress in one's own program
//!
//! An [`Observer`](context::Observer) is told what work was found and what of it was done, from
//! whichever thread does it. It counts, and something else draws: here nothing but a percentage,
//! which another thread would read now and then.
//!
//! ```
//! use daisho::ops::context::{Cancel, Context, Observer, Work};
//! use daisho::ops::source::Search;
//! use daisho::ops::read::verify::{VerifyOptions, verify};
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
//! let options = VerifyOptions {
//!     search: Search::RECURSIVE,
//!     ..VerifyOptions::default()
//! };
//! assert_eq!(progress.percent(), 0);
//! verify(&context, &["corpus/game".into()], &options, &mut |_row| {})?;
//! assert_eq!(progress.percent(), 100);
//! # Ok::<(), daisho::ops::context::Refusal>(())
//! ```
//!
//! `begin` and `end` tell which paks are worked on. [`Cancel::set`](context::Cancel::set), from any
//! thread, brings an operation to an early end, at which nothing half done is left.
//!
//! # Nothing lost, and proof of it
//!
//! [`verify`](read::verify) decodes everything. A [snapshot](read::snapshot) remembers what it found
//! in lines of CRC-32, size and name; a pak and its conversion have the same one.
//!
//! ```
//! # let dir = tempfile::tempdir()?;
//! # let (to, file) = (dir.path().join("quake.pak"), dir.path().join("snapshot"));
//! use daisho::ops::context::Context;
//! use daisho::ops::convert::convert;
//! use daisho::ops::read::snapshot::SnapshotOptions;
//! use daisho::ops::read::verify::{VerifyOptions, verify};
//! use daisho::ops::row::{Recorded, Row};
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
//! let mut recorded = Vec::new();
//! let mut take = |row| {
//!     if let Row::Recorded(row) = row {
//!         recorded.push(row);
//!     }
//! };
//!
//! let before = verify(&context, &[from.into()], &options, &mut take)?;
//! assert_eq!((before.entries, before.failed), (8, 0));
//!
//! let file = Destination::File(to.clone());
//! convert(&context, &[from.into()], &WriteOptions::new(file, Format::Quake), &mut |_row| {})?;
//!
//! options.snapshot.as_mut().unwrap().update = false;
//! verify(&context, &[to], &options, &mut take)?;
//! assert_eq!(recorded[0].outcome, Recorded::Made(8));
//! assert_eq!(recorded[1].outcome, Recorded::Compared);
//! assert_eq!(recorded[1].differences, [0; 4]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Refused, and failed
//!
//! Two things can go wrong, and they are two types. A [`Refusal`](context::Refusal) is a list of
//! [errors](crate::ops::finding::Finding): nothing was written, and what was asked for must change. A
//! [finding](finding::Finding) is a row of a report: this much was not done, or is odd, and the
//! rest was done all the same.
//!
//! ```
//! # let dir = tempfile::tempdir()?;
//! # let to = dir.path().join("rest.pak");
//! use daisho::ops::context::Context;
//! use daisho::ops::convert::convert;
//! use daisho::ops::finding::Notice;
//! use daisho::ops::row::{Outcome, Row};
//! use daisho::ops::write::{Destination, WriteOptions};
//! use daisho::Format;
//!
//! let bad = "corpus/paks/broken/size-one-too-large.pak";
//! let context = Context::new();
//! let options = WriteOptions {
//!     keep_going: true,
//!     ..WriteOptions::new(Destination::File(to), Format::Quake)
//! };
//! convert(&context, &[bad.into()], &options, &mut |row| {
//!     let Row::Output(pak) = row else { return };
//!     assert_eq!((pak.outcome, pak.skipped), (Outcome::Written, 1));
//!     for finding in pak.findings.iter().filter(|finding| finding.is_error()) {
//!         if let (Notice::Damaged, Some((index, name))) = (finding.notice, finding.place.entry()) {
//!             println!("entry {index}, {name}: {}", finding.detail);
//!         }
//!     }
//! })?;
//!
//! // Once more: now it exists, and nothing is replaced unless that is asked for.
//! let refusal = convert(&context, &[bad.into()], &options, &mut |_row| {}).unwrap_err();
//! assert_eq!(refusal.0[0].notice, Notice::Exists);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod base64;
pub mod context;
pub mod convert;
pub mod create;
pub mod edit;
pub mod expansion;
pub mod extract;
pub mod finding;
pub mod gallery;
pub mod game;
mod gather_files;
pub mod merge;
mod open;
pub mod pictures;
mod plan;
mod pool;
pub mod read;
pub mod row;
pub mod source;
mod stream;
pub mod undo;
pub mod write;

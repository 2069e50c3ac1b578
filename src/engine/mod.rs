//! The engines that load paks and ZIPs, and what each makes of one: as data, in one table.
//!
//! A pak that its engine refuses is no pak. How many entries it may have, how names are compared,
//! which of two entries of one name is served, which archives of a folder are loaded at all and in
//! which order: engines of one family differ in each of these. The container knows none of it.
//!
//! | file         | job                                                                 |
//! |--------------|---------------------------------------------------------------------|
//! | `engines`    | the engines, a word for each, and sets of them                      |
//! | `table`      | one profile an engine, with how each fact is known                  |
//! | `profile`    | what a profile says; `steps` is the part of it about order          |
//! | `names`      | which names are one to an engine, and which it never finds          |
//! | `facts`      | what matters of a pak to the engines                                |
//! | `check`      | whether an engine loads a pak, and why not; `reason` says it in words |
//! | `zip_check`  | `check` for ZIPs, and which of their entries are passed over        |
//! | `load_order` | which archives of a folder an engine asks for, and in which order   |
//! | `content`    | which types of files an engine reads                                |
//! | `stock`      | Quake's own paks, which it knows by a checksum                      |
//! | `game`       | a game's files: which archives load, and which copy is served       |
//!
//! ```
//! use daisho::engine::{Effect, Engine};
//! use daisho::Format;
//!
//! let quake = Engine::by_name("quake").ok_or("no such engine")?.profile();
//! assert_eq!(quake.layout, Format::Quake);
//! let most = quake.max_entries.ok_or("no limit")?;
//! assert_eq!((most.count, most.over), (2048, Effect::NoStart));
//! # Ok::<(), &str>(())
//! ```

mod check;
mod content;
mod engines;
mod facts;
mod game;
mod load_order;
mod names;
mod profile;
mod reason;
mod steps;
mod stock;
mod table;
mod zip_check;

pub use check::{Verdict, check};
pub use engines::{Engine, Engines};
pub use facts::{Entries, Facts, FarEntry};
pub use game::{
    FileCopy, FolderEntry, FolderEntryKind, Game, GameFolder, GameNote, GameNoteKind, GameOptions,
    Loaded, NotLoaded, ServedFile, Skipped,
};
pub use load_order::{LoadOrder, LoadPosition, load_order, load_position};
pub use names::{Findable, LongName, Names};
pub use profile::{CutPayload, Duplicates, Effect, Known, MaxEntries, OddEntry, Profile, Zips};
pub use reason::{Reason, Unasked};
pub use stock::Stock;

pub(crate) use load_order::is_pak_name;
pub(crate) use names::findable;
pub(crate) use zip_check::passed_over;

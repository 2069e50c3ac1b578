//! The engines that load paks and ZIPs, and the rules of each, in one table.
//!
//! Even engines of one family differ in how many entries a pak may have, how they compare names, which of two
//! entries with one name they serve, and which archives of a folder they load in which order. The container format
//! defines none of this.
//!
//! ```
//! use daisho::engine::{Effect, Engine};
//! use daisho::Format;
//!
//! let quake = Engine::by_word("quake").ok_or("no such engine")?.profile();
//! let paks = quake.paks.ok_or("it reads no paks")?;
//! assert_eq!(paks.layout, Format::Quake);
//! let most = paks.rules.max_entries.ok_or("no limit")?;
//! assert_eq!((most.count, most.over), (2048, Effect::NoStart));
//! # Ok::<(), &str>(())
//! ```

// | file         | job                                                                 |
// |--------------|---------------------------------------------------------------------|
// | `table`      | the engines: a row for each, with everything that is known of it    |
// | `engines`    | words for engines and families, and sets of engines                 |
// | `profile`    | the rules of an engine as data                                      |
// | `names`      | how an engine compares names, and which names it never finds        |
// | `facts`      | the facts of an archive that matter to engines                      |
// | `check`, `reason` | whether an engine loads an archive, and why not                |
// | `zip_check`  | `check` for ZIPs, and which of their entries an engine skips        |
// | `load_order` | which archives of a folder an engine asks for, and in which order   |
// | `releases`   | files of releases that everybody knows                              |
// | `game`       | a game's files: which archives load, and which copy is served       |

mod check;
mod engines;
mod facts;
mod game;
mod load_order;
mod names;
mod profile;
mod reason;
mod releases;
// Several fields of a row are in one line.
#[rustfmt::skip]
mod table;
mod zip_check;

pub use check::Verdict;
pub use engines::Engines;
pub use facts::{EntrySet, Facts};
pub use game::{
    DiskFolder, FileCopy, FolderEntry, FolderEntryKind, Game, GameBuilder, GameFolder, GameNote,
    GameNoteKind, Loaded, NotLoaded, ServedFile, Skipped,
};
pub use names::{Findable, LongName, Names};
pub use profile::{
    ArchiveRules, Duplicates, Effect, EngineProfile, Known, MaxEntries, OddEntry, Paks, Zips,
};
pub use reason::{Reason, Unasked};
pub use releases::Release;
pub use table::Engine;

pub(crate) use load_order::{is_pak_name, load_order, loads_after};
pub(crate) use names::findable;
pub(crate) use zip_check::passed_over;

//! Writing a pak: two ways to decide where everything lies, one thing that comes out.
//!
//! | the sizes are                                       | with              | payloads come                       |
//! |-----------------------------------------------------|-------------------|-------------------------------------|
//! | known: everything is stored                         | [`Planner`]       | in any order, from any thread       |
//! | found out on the way: an encoder decides            | [`Writer`]        | in entry order                      |
//!
//! Both lay payloads without gaps in entry order, from behind the header on; the directory last,
//! the padding of its names zeroed; and the header last of all, so that what was not finished is
//! no pak. The same entries give the same bytes, whatever the order they are filled in.
//!
//! What the format or an engine cannot take is refused: see [`Limits`]. A directory of no entry
//! is never written, because two engines refuse such a pak and three others stop looking for
//! further paks at it.

mod directory;
mod limits;
mod plan;
mod shares;
mod sink;
mod writer;

pub use limits::Limits;
pub use plan::{Plan, Planned, Planner, Slot};
pub use shares::{Coding, Origin, Shares, coding_for};
pub use sink::{MemorySink, Sink};
pub use writer::Writer;

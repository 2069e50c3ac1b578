//! Snapshots as files: what `verify` compares with, and writes. What stands in one is
//! [`archive::snapshot`](crate::archive::snapshot).

mod baseline;
mod file;
mod leads;
mod summer;

pub(super) use baseline::Baseline;
pub(super) use summer::Summer;

pub use crate::archive::snapshot::{
    Hash, Line, Snapshot, SnapshotChange, SnapshotDifference, Sum, Sums,
};
pub use baseline::SnapshotOptions;

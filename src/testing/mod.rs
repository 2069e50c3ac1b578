//! Tests that inject faults into system calls.
//!
//! A test puts a [`Faulty`] system between `fs` and its calls. Three sweeps make every call fail in turn, in every
//! way: `one_file` writes a single file, `operations` runs whole operations, `edits` changes an archive.

mod destination;
mod edits;
mod faulty;
mod fixtures;
mod judge;
mod one_file;
mod operations;
mod scenarios;

pub(crate) use crate::fs::Call;
pub(crate) use faulty::{Fault, Faulty, When};
pub(crate) use fixtures::pak;

//! Faults in system calls, and what has to hold in spite of them. Tests only.
//!
//! A test puts a [`Faulty`] system between `fs` and its calls. Two sweeps let every call fail in turn, in every way: of one file that is written,
//! and of whole operations.

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

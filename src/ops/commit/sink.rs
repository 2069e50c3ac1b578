//! What the layer below writes into, and reads from.

pub(crate) use crate::pak::{ReadAt, Sink};

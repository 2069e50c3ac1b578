//! Paks from strangers who mean harm, and systems that fail: the command, through the real binary,
//! held to what it promises.

mod limits;

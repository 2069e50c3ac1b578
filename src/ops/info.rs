//! What kind of pak it is, and what is odd in it.

//! What people do with archives: plain options in, plain reports out, and nothing printed.
//!
//! An operation takes a [`Context`] and its own options. It returns a report of what was done
//! and of everything that was not: a failed entry is a row of the report, not an early return.
//! Only what is refused before anything was done is an error of the call, a [`Refusal`].
//!
//! | module      | job                                                                        |
//! |-------------|----------------------------------------------------------------------------|
//! | [`inputs`]  | from the paths a user names to the paks that are meant                      |
//! | [`select`]  | from globs to entries                                                       |
//! | [`commit`]  | the only code that makes, links, renames or removes files                   |

pub mod context;
pub mod inputs;
mod pool;
pub mod select;

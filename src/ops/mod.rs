//! What people do with archives: plain options in, plain reports out, and nothing printed.
//!
//! An operation takes a [`Context`](context::Context) and its own options. It returns a report of
//! what was done and of everything that was not: a failed entry is a row of the report, not an
//! early return. Only what is refused before anything was done is an error of the call, a
//! [`Refusal`](context::Refusal).
//!
//! | module                                            | job                                      |
//! |---------------------------------------------------|------------------------------------------|
//! | [`inputs`]                                        | from the paths a user names to paks      |
//! | [`select`]                                        | from globs to entries                    |
//! | [`convert`], [`extract`], [`create`]              | what writes                              |
//! | [`list`], [`info`], [`verify`], [`cat`], [`diff`] | what looks                               |
//! | [`expansion`]                                     | how much may come out of a pak           |
//! | [`snapshot`]                                      | what `verify` remembers, and compares with |
//! | [`engine`]                                        | the engines, what each loads, and what it makes of a name |
//! | [`game`]                                          | a game's folders, as an engine sees them |
//! | `open`, `once`, `nearby`                          | paks, opened; payloads, each decoded once; small ones read together |
//! | [`split`]                                         | the limits an output keeps to, and the parts it takes |
//! | `assemble`                                        | a new pak, put together from entries or files, on all threads |
//! | `commit`                                          | the only code that makes, links, renames or removes files |

mod assemble;
pub mod cat;
mod commit;
pub mod context;
pub mod convert;
pub mod create;
pub mod diff;
pub mod engine;
pub mod expansion;
pub mod extract;
pub mod game;
pub mod info;
pub mod inputs;
pub mod list;
mod nearby;
mod once;
mod open;
mod pool;
pub mod select;
pub mod snapshot;
pub mod split;
#[cfg(test)]
#[cfg(unix)]
mod sweep;
pub mod verify;

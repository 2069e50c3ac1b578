//! The operations, as a library's user calls them.

mod extract;

//! What people do with archives: options in, reports out, never a line printed.

// Nothing but its own tests uses it yet.
#[allow(dead_code, unused_imports)]
mod commit;

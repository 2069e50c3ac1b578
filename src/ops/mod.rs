//! What people do with archives: options in, reports out, never a line printed.

// Nothing but its own tests uses all of it yet.
#[allow(dead_code)]
mod commit;

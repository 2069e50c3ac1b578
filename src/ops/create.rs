//! A pak out of files.

//! The contents of entries, one after another, into a writer.

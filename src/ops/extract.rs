//! The files of paks, written into directories.

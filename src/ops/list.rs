//! The entries of paks.

//! Everything in paks decoded, and compared with a snapshot.

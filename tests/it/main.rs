//! The integration tests: one binary, so that it links once; its modules mirror `src/`.

mod layers;

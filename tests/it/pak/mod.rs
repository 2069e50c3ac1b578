//! The container's tests.

mod detection;
mod generate;

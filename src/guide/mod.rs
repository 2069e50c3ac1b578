//! How to use the command: the chapters that `daisho help TOPIC` prints.

#[doc = include_str!("formats.md")]
pub mod formats {}

#[doc = include_str!("extracting.md")]
pub mod extracting {}

#[doc = include_str!("editing.md")]
pub mod editing {}

#[doc = include_str!("snapshots.md")]
pub mod snapshots {}

#[doc = include_str!("engines.md")]
pub mod engines {}

#[doc = include_str!("damage.md")]
pub mod damage {}

#[doc = include_str!("scripting.md")]
pub mod scripting {}

#[doc = include_str!("windows.md")]
pub mod windows {}

#[doc = include_str!("measurements.md")]
pub mod measurements {}

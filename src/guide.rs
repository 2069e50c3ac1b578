//! How to use the command: the chapters that `daisho help TOPIC` prints.

#[doc = include_str!("guide/formats.md")]
pub mod formats {}

#[doc = include_str!("guide/extracting.md")]
pub mod extracting {}

#[doc = include_str!("guide/editing.md")]
pub mod editing {}

#[doc = include_str!("guide/snapshots.md")]
pub mod snapshots {}

#[doc = include_str!("guide/engines.md")]
pub mod engines {}

#[doc = include_str!("guide/damage.md")]
pub mod damage {}

#[doc = include_str!("guide/conformance.md")]
pub mod conformance {}

#[doc = include_str!("guide/scripting.md")]
pub mod scripting {}

#[doc = include_str!("guide/windows.md")]
pub mod windows {}

#[doc = include_str!("guide/measurements.md")]
pub mod measurements {}

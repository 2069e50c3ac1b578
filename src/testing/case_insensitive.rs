//! A system that does not tell names apart by case, as those of Windows and macOS, made of one
//! that does: every name below a root is asked for in lower case.

use std::borrow::Cow;
use std::ffi::OsStr;

use crate::fs::{Call, Interference, Treatment};

/// A system where upper and lower case are the same in names.
#[derive(Debug)]
pub(crate) struct CaseInsensitive;

impl Interference for CaseInsensitive {
    fn treat(&self, _: Call) -> Treatment {
        Treatment::Make
    }

    fn spell<'name>(&self, name: &'name OsStr) -> Cow<'name, OsStr> {
        Cow::Owned(name.to_string_lossy().to_lowercase().into())
    }
}

//! `verify`

use super::refused;

#[test]
fn wrong_usage_is_refused() {
    refused(&["verify", "verify a.pak --update", "verify a.pak --snapshot"]);
}

//! `diff`

use super::refused;

#[test]
fn wrong_usage_is_refused() {
    refused(&["diff", "diff a.pak", "diff a.pak b.pak c.pak"]);
}

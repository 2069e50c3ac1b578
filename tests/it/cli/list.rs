//! `list`

use super::refused;

#[test]
fn wrong_usage_is_refused() {
    refused(&["list", "list a.pak --json --tree"]);
}

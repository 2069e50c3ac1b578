//! `info`

use super::refused;

#[test]
fn wrong_usage_is_refused() {
    refused(&["info", "info a.pak -i name"]);
}

//! `extract`

use super::refused;

#[test]
fn wrong_usage_is_refused() {
    refused(&["extract", "extract a.pak -f -k", "extract a.pak -o dir"]);
}

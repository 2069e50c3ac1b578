//! `create`

use super::refused;

#[test]
fn wrong_usage_is_refused() {
    refused(&[
        "create",
        "create dir",
        "create -o a.pak",
        "create dir -o a.pak -k",
    ]);
}

//! `cat`

use super::refused;

#[test]
fn wrong_usage_is_refused() {
    refused(&[
        "cat",
        "cat a.pak",
        "cat a.pak name --index 0",
        "cat a.pak --index",
        "cat a.pak --index x",
    ]);
}

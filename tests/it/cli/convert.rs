//! `convert`

use super::{Dir, refused};

#[test]
fn wrong_usage_is_refused() {
    refused(&[
        "convert",
        "convert a.pak -o b.pak -C dir",
        "convert a.pak -o b.pak -f -k",
        "convert a.pak -o b.pak --to quake2",
        "convert -o b.pak",
    ]);
}

#[test]
fn convert_wants_to_know_where_to() {
    Dir::new()
        .daisho()
        .args(["convert", "a.pak"])
        .run()
        .code(2)
        .err(
            "error: convert is not told where to write\n\
         help: give -o OUT.pak for one pak, or -C DIR for any number of them\n",
        );
}

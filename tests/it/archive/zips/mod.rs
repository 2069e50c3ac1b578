//! `corpus/zips`: ZIPs as games have them, and broken ones; what is in each, how it is made, and what
//! other programs say of what we write.

pub(crate) mod build;
pub(in crate::archive) mod others;
mod property;
mod rows;

use build::Zip;

use super::corpus::made::{Made, compare};

/// Its file, what it shows, how it is made.
type Row = (&'static str, &'static str, Zip);

fn made((file, shows, zip): &Row) -> Made {
    let entries = zip.entries();
    Made {
        file,
        shows,
        bytes: zip.bytes(),
        opens: zip.refused.map_or(Ok("pk3"), Err),
        entries: entries
            .iter()
            .map(|entry| (entry.name.clone(), entry.comes.clone()))
            .collect(),
    }
}

#[test]
fn the_zips_are_as_the_code_makes_them_and_the_library_finds_what_they_were_built_of() {
    for (folder, rows) in [
        ("zips/sound", rows::sound()),
        ("zips/broken", rows::broken()),
    ] {
        compare(folder, &rows.iter().map(made).collect::<Vec<_>>());
    }
}

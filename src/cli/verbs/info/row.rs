//! What `info` knows of an archive, as a row of JSON.

use std::io;

use daisho::engine::{Engine, Verdict};
use daisho::ops::read::info::Info;
use serde::Serialize;

use super::content;
use crate::cli::json;
use crate::cli::output::Output;

/// Writes a row. The fields from `file_size` on account for every byte of the file.
pub(super) fn show_json(out: &mut Output, info: &Info<'_>) -> io::Result<()> {
    let (archive, account) = (info.archive, &info.account);
    let warnings: Vec<String> = info.remarks.iter().map(ToString::to_string).collect();
    let engines: Vec<Judged> = info.engines.iter().map(Judged::new).collect();
    json::row(out, |row| {
        row.path("pak", info.path)?;
        row.field("layout", archive.format().as_str())?;
        row.field("why", archive.why())?;
        row.field("entries", archive.len())?;
        row.field("compressed", info.compressed)?;
        row.field("size", info.size)?;
        row.field("packed_size", info.packed_size)?;
        row.field("warnings", warnings)?;
        row.field("file_size", account.file)?;
        row.field("header_bytes", account.header)?;
        row.field("directory_bytes", account.directory)?;
        row.field("payload_bytes", account.payload)?;
        row.field("gap_bytes", account.gap_bytes())?;
        row.field("trailing_bytes", account.trailing)?;
        row.field("gaps", account.gaps.len())?;
        row.field("shared_extents", account.shared.len())?;
        row.field("shared_bytes_saved", account.saved_by_sharing())?;
        row.field("engines", engines)?;
        row.field("content", content::held_rows(archive, &info.content))?;
        row.field("contrary", content::contrary_rows(archive, &info.content))?;
        row.field("unread", content::unread_rows(&info.content))?;
        match info.stock {
            Some(stock) => row.field("stock", stock.version()),
            None => Ok(()),
        }
    })
}

/// An engine's verdict on the pak.
#[derive(Serialize)]
struct Judged {
    engine: &'static str,
    loads: bool,
    verdict: &'static str,
    why: Vec<String>,
}

impl Judged {
    fn new((engine, verdict): &(Engine, Verdict)) -> Self {
        Self {
            engine: engine.name(),
            loads: verdict.loads(),
            verdict: verdict.effect.verdict(),
            why: verdict.why.iter().map(ToString::to_string).collect(),
        }
    }
}

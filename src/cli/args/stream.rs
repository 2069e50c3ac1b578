//! `unpack-stream`, `pack-stream`

use clap::Args;

use super::shared::number;

/// Decompress a bare stream, from standard input to standard output
///
/// The stream is what a compressed entry of a Daikatana pak holds, without the pak around it.
/// Everything before a damage is written; then the error says at which byte of both sides the
/// token at fault begins, and the exit status is 1.
///
/// It never prints binary to a terminal.
#[derive(Debug, Args)]
#[command(after_long_help = UNPACK)]
pub(crate) struct UnpackStreamArgs {
    /// How many bytes must come out; more or fewer is damage
    #[arg(long, value_name = "N", value_parser = number::<u64>)]
    pub(crate) size: Option<u64>,
}

const UNPACK: &str = "\
Rules:
  A stream that ends without its end marker, bytes after the marker, and the reserved byte are
  reported as warnings. One that ends within a token is damaged; what there is of that token is
  written, too.
  Memory does not grow with the stream.

Examples:
  daisho unpack-stream < packed > plain
  daisho unpack-stream --size 196608 < packed > plain";

/// Compress into a bare stream, from standard input to standard output
///
/// The stream is the smallest that every known reader of such streams takes; memory does not grow
/// with the input.
///
/// It never prints binary to a terminal.
#[derive(Debug, Args)]
#[command(after_long_help = PACK)]
pub(crate) struct PackStreamArgs {}

const PACK: &str = "\
Examples:
  daisho pack-stream < plain > packed
  daisho pack-stream < plain | daisho unpack-stream | cmp - plain";

//! The command: parse, run, exit code.

#![forbid(unsafe_code)]

mod cli;

fn main() -> std::process::ExitCode {
    cli::run(std::env::args_os().collect()).into()
}

//! The command: parse, run, exit code. All of it is in `cli`.

#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    daisho::cli::run(std::env::args_os().collect()).into()
}

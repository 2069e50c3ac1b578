//! Interrupts, for what writes to standard output alone.

use std::io::Write as _;
use std::process::{Command, Stdio};

#[test]
fn a_filter_leaves_at_the_first_signal_with_its_own_status() {
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let mut filter = Command::new(env!("CARGO_BIN_EXE_daisho"))
            .arg("pack-stream")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        // More than a pipe holds: when it is taken the filter has begun to listen. It then waits
        // for more, in a call that no signal ends.
        let mut stdin = filter.stdin.take().unwrap();
        stdin.write_all(&vec![0; 1 << 20]).unwrap();
        let sent = Command::new("kill")
            .args(["-s", signal, &filter.id().to_string()])
            .status()
            .unwrap();
        assert!(sent.success());
        assert_eq!(filter.wait().unwrap().code(), Some(code));
        drop(stdin);
    }
}

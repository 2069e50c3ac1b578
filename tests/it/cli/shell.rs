//! `completions`, `man`

use super::Dir;

#[test]
fn every_shell_gets_completions_that_know_the_verbs() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let ran = Dir::new()
            .daisho()
            .args(["completions", shell])
            .run()
            .code(0)
            .quiet();
        let script = core::str::from_utf8(ran.stdout()).unwrap();
        for word in [
            "daisho",
            "convert",
            "unpack-stream",
            "keep-going",
            "snapshot",
        ] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
}

#[cfg(unix)]
#[test]
fn bash_can_read_its_completions() {
    let dir = Dir::new();
    dir.sh(r#"command -v bash >/dev/null || exit 0
        daisho completions bash >script && bash -n script"#)
        .run()
        .code(0)
        .quiet();
}

#[test]
fn the_manual_has_a_page_for_the_command_and_one_for_each_verb() {
    let dir = Dir::new();
    let page = |arguments: &[&str]| {
        let ran = dir
            .daisho()
            .arg("man")
            .args(arguments)
            .run()
            .code(0)
            .quiet();
        ran.text().to_owned()
    };
    let whole = page(&[]);
    assert!(whole.contains(".TH daisho 1"), "{whole}");
    for verb in ["convert", "unpack-stream", "man"] {
        assert!(whole.contains(&format!("daisho\\-{}(1)", verb.replace('-', "\\-"))));
        let page = page(&[verb]);
        assert!(page.contains(&format!(".TH daisho-{verb} 1")), "{page}");
        assert!(page.contains("Examples:"), "{page}");
    }
}

#[test]
fn there_is_no_page_for_what_is_no_verb() {
    Dir::new()
        .daisho()
        .args(["man", "nonsense"])
        .run()
        .code(2)
        .out("")
        .err("error: there is no verb \"nonsense\"\nhelp: daisho --help lists the verbs\n");
}

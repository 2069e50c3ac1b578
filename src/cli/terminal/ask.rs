//! Which pictures a terminal takes: by what it is called, or by what it answers.
//!
//! A terminal is asked two things at once: whether it knows kitty's pictures, and what it is, which all of them
//! answer. So one that knows nothing of pictures does not make us wait. One through which another is looked at
//! (tmux, screen) would take the first question for something else, and gets the second alone; and some that
//! are known to show the first are not asked.

use std::io::IsTerminal as _;

use super::protocol::{Colours, Protocol};
use super::tty;

/// What is known of a terminal by the environment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Guess {
    /// It takes this.
    Takes(Protocol),
    /// It has to be asked what it is; with `kitty`, also whether it knows kitty's pictures. Where it says
    /// that it knows sixels, it takes `by_sixel`.
    Asked { kitty: bool, by_sixel: Protocol },
}

/// What a terminal answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Answer {
    kitty: bool,
    sixel: bool,
}

/// What the terminal on standard output takes; none where there is no terminal that draws anything.
pub(crate) fn protocol() -> Option<Protocol> {
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    if !std::io::stdout().is_terminal() || variable("TERM") == "dumb" {
        return None;
    }
    let blocks = Protocol::Blocks(colours());
    Some(match guess(&variable, blocks) {
        Guess::Takes(protocol) => protocol,
        Guess::Asked { kitty, by_sixel } => match ask(kitty) {
            Answer { kitty: true, .. } => Protocol::Kitty,
            Answer { sixel: true, .. } => by_sixel,
            Answer { .. } => blocks,
        },
    })
}

/// The colours of text that the environment says the terminal has.
pub(crate) fn colours() -> Colours {
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let has_all = ["truecolor", "24bit"].contains(&&variable("COLORTERM")[..])
        || variable("TERM").ends_with("-direct")
        || !variable("WT_SESSION").is_empty();
    match has_all {
        true => Colours::All,
        false => Colours::Some,
    }
}

/// What is known by the environment, of which `variable` gives the values.
fn guess(variable: &dyn Fn(&str) -> String, blocks: Protocol) -> Guess {
    let (term, program) = (variable("TERM"), variable("TERM_PROGRAM"));
    let is = |name: &str| term == name || term.starts_with(&format!("{name}-"));
    let is_set = |name: &str| !variable(name).is_empty();
    let asked = |kitty| Guess::Asked {
        kitty,
        by_sixel: Protocol::Sixel,
    };
    // What is set outside of these is seen within, too.
    if is_set("TMUX") || is_set("STY") || is("screen") || is("tmux") {
        return asked(false);
    }
    match &program[..] {
        "WezTerm" | "iTerm.app" => return Guess::Takes(Protocol::Iterm2),
        "ghostty" => return Guess::Takes(Protocol::Kitty),
        // Where its pictures are turned on it says that it knows sixels.
        "vscode" => {
            return Guess::Asked {
                kitty: false,
                by_sixel: Protocol::Iterm2,
            };
        }
        "Apple_Terminal" => return Guess::Takes(blocks),
        _ => {}
    }
    if is_set("KITTY_WINDOW_ID") || is("xterm-kitty") || is("xterm-ghostty") {
        Guess::Takes(Protocol::Kitty)
    } else if ["foot", "mlterm", "yaft", "contour"].into_iter().any(is) {
        Guess::Takes(Protocol::Sixel)
    } else if is("linux") || term.is_empty() {
        Guess::Takes(blocks)
    } else {
        asked(true)
    }
}

/// The answer in what a terminal has sent so far; none as long as it has not said what it is.
fn answer(bytes: &[u8]) -> Option<Answer> {
    let text = String::from_utf8_lossy(bytes);
    let mut parts = text.split("\x1b[?").skip(1).filter_map(|it| {
        let end = it.find(|c: char| !c.is_ascii_digit() && c != ';')?;
        it.get(end..)?.starts_with('c').then(|| it.get(..end))?
    });
    let what = parts.next()?;
    Some(Answer {
        kitty: text.contains("\x1b_Gi=31;OK"),
        // The first number is a kind of terminal.
        sixel: what.split(';').skip(1).any(|number| number == "4"),
    })
}

/// Whether a picture of one pixel would be drawn.
const KITTY: &str = "\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\";
/// What the terminal is.
const WHAT: &str = "\x1b[c";

/// Asks the terminal; nothing is known of one that cannot be asked, or does not answer at once.
fn ask(kitty: bool) -> Answer {
    let question = if kitty {
        [KITTY, WHAT].concat()
    } else {
        WHAT.to_owned()
    };
    let is_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    let is_whole = |bytes: &[u8]| answer(bytes).is_some();
    let sent = is_terminal.then(|| tty::ask(&question, is_whole));
    let sent = sent.and_then(Result::ok);
    sent.and_then(|bytes| answer(&bytes)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_is_known_by_what_it_is_called() {
        const BLOCKS: Protocol = Protocol::Blocks(Colours::Some);
        let guess = |variables: &[(&str, &str)]| {
            let value = |name: &str| {
                let found = variables.iter().find(|(it, _)| *it == name);
                found.map_or_else(String::new, |(_, value)| (*value).to_owned())
            };
            guess(&value, BLOCKS)
        };
        let asked = |kitty| Guess::Asked {
            kitty,
            by_sixel: Protocol::Sixel,
        };
        let xterm = ("TERM", "xterm-256color");
        for (variables, expected) in [
            (vec![xterm], asked(true)),
            (vec![("TERM", "xterm-kitty")], Guess::Takes(Protocol::Kitty)),
            (
                vec![xterm, ("KITTY_WINDOW_ID", "1")],
                Guess::Takes(Protocol::Kitty),
            ),
            (
                vec![xterm, ("TERM_PROGRAM", "ghostty")],
                Guess::Takes(Protocol::Kitty),
            ),
            (
                vec![xterm, ("TERM_PROGRAM", "WezTerm")],
                Guess::Takes(Protocol::Iterm2),
            ),
            (
                vec![xterm, ("TERM_PROGRAM", "iTerm.app")],
                Guess::Takes(Protocol::Iterm2),
            ),
            (
                vec![xterm, ("TERM_PROGRAM", "Apple_Terminal")],
                Guess::Takes(BLOCKS),
            ),
            (vec![("TERM", "foot")], Guess::Takes(Protocol::Sixel)),
            (vec![("TERM", "foot-extra")], Guess::Takes(Protocol::Sixel)),
            (vec![("TERM", "footnote")], asked(true)),
            (vec![("TERM", "mlterm")], Guess::Takes(Protocol::Sixel)),
            (vec![("TERM", "linux")], Guess::Takes(BLOCKS)),
            (vec![], Guess::Takes(BLOCKS)),
            (
                vec![("TERM", "tmux-256color"), ("KITTY_WINDOW_ID", "1")],
                asked(false),
            ),
            (
                vec![xterm, ("TMUX", "x"), ("TERM_PROGRAM", "tmux")],
                asked(false),
            ),
            (vec![("TERM", "screen")], asked(false)),
        ] {
            assert_eq!(guess(&variables), expected, "{variables:?}");
        }
    }

    #[test]
    fn an_answer_is_whole_once_it_says_what_the_terminal_is() {
        let (kitty, sixel) = (true, true);
        for (bytes, expected) in [
            (&b""[..], None),
            (b"\x1b_Gi=31;OK\x1b\\", None),
            (b"\x1b[?62;4", None),
            (b"\x1b[?62;22c", Some((false, false))),
            (b"\x1b[?4c", Some((false, false))),
            (b"\x1b[?62;4c", Some((false, sixel))),
            (b"\x1b[?62;4;22c", Some((false, sixel))),
            (b"\x1b[?62;14;44c", Some((false, false))),
            (b"\x1b_Gi=31;OK\x1b\\\x1b[?62;c", Some((kitty, false))),
            (
                b"\x1b_Gi=31;ENOTSUP:no\x1b\\\x1b[?1;2;4c",
                Some((false, sixel)),
            ),
            // Something was typed.
            (b"ls -l\r\x1b[A\xff\x1b[?6c", Some((false, false))),
            (b"\x1b[?1049h", None),
        ] {
            let expected = expected.map(|(kitty, sixel)| Answer { kitty, sixel });
            assert_eq!(answer(bytes), expected, "{bytes:?}");
        }
    }
}

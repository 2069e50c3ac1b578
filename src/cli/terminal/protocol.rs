//! How a terminal draws pictures, chosen by environment variables. The terminal itself is never asked: its answer
//! could come late, or be mistaken for typed text.

use std::io::IsTerminal as _;

/// How pictures are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Protocol {
    /// kitty's graphics protocol.
    Kitty,
    /// iTerm2's inline images.
    Iterm2,
    /// Half blocks.
    Blocks(ColorDepth),
}

/// The colours that text can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ColorDepth {
    /// 24 bits each.
    All,
    /// A palette of 256.
    Some,
}

/// The protocol of the terminal on standard output, or `None` if standard output is not a terminal, or is a
/// dumb one.
pub(crate) fn protocol() -> Option<Protocol> {
    if !std::io::stdout().is_terminal() || variable("TERM") == "dumb" {
        return None;
    }
    Some(choose(&variable, colours()))
}

/// The colours that the environment promises.
pub(crate) fn colours() -> ColorDepth {
    let has_all = ["truecolor", "24bit"].contains(&&variable("COLORTERM")[..])
        || variable("TERM").ends_with("-direct")
        || !variable("WT_SESSION").is_empty();
    match has_all {
        true => ColorDepth::All,
        false => ColorDepth::Some,
    }
}

fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_default()
}

fn choose(variable: &dyn Fn(&str) -> String, colours: ColorDepth) -> Protocol {
    let blocks = Protocol::Blocks(colours);
    let term = variable("TERM");
    let is_set = |name: &str| !variable(name).is_empty();
    // tmux and screen pass on the variables of the terminal around them, but not its pictures.
    let is_inner = ["screen", "tmux"]
        .into_iter()
        .any(|name| term == name || term.starts_with(&format!("{name}-")));
    if is_inner || is_set("TMUX") || is_set("STY") {
        return blocks;
    }
    match &variable("TERM_PROGRAM")[..] {
        "WezTerm" | "iTerm.app" => return Protocol::Iterm2,
        "ghostty" => return Protocol::Kitty,
        // A terminal started from within kitty inherits KITTY_WINDOW_ID.
        "Apple_Terminal" | "vscode" => return blocks,
        _ => {}
    }
    if is_set("KITTY_WINDOW_ID") || ["xterm-kitty", "xterm-ghostty"].contains(&&term[..]) {
        return Protocol::Kitty;
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_names_the_protocol() {
        let blocks = Protocol::Blocks(ColorDepth::Some);
        let xterm = ("TERM", "xterm-256color");
        let kitty = ("KITTY_WINDOW_ID", "1");
        for (variables, expected) in [
            (vec![], blocks),
            (vec![xterm], blocks),
            (vec![("TERM", "linux")], blocks),
            (vec![("TERM", "foot")], blocks),
            (vec![("TERM", "xterm-kitty")], Protocol::Kitty),
            (vec![("TERM", "xterm-ghostty")], Protocol::Kitty),
            (vec![xterm, kitty], Protocol::Kitty),
            (vec![xterm, ("TERM_PROGRAM", "ghostty")], Protocol::Kitty),
            (vec![xterm, ("TERM_PROGRAM", "WezTerm")], Protocol::Iterm2),
            (vec![xterm, ("TERM_PROGRAM", "iTerm.app")], Protocol::Iterm2),
            (vec![xterm, ("TERM_PROGRAM", "Apple_Terminal")], blocks),
            (vec![xterm, kitty, ("TERM_PROGRAM", "vscode")], blocks),
            (vec![("TERM", "tmux-256color"), kitty], blocks),
            (vec![("TERM", "screen"), kitty], blocks),
            (vec![("TERM", "xterm-kitty"), ("STY", "1.x")], blocks),
            (
                vec![xterm, ("TMUX", "x"), ("TERM_PROGRAM", "WezTerm")],
                blocks,
            ),
        ] {
            let variable = |name: &str| {
                let found = variables.iter().find(|(it, _)| *it == name);
                found.map_or_else(String::new, |(_, value)| (*value).to_owned())
            };
            let chosen = choose(&variable, ColorDepth::Some);
            assert_eq!(chosen, expected, "{variables:?}");
        }
    }
}

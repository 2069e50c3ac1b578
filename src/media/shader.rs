//! The names that a shader script of Quake III defines: a name, then a block in braces, again and again.
//!
//! ```text
//! textures/base/floor
//! {
//!     { map textures/base/floor.tga }
//! }
//! ```
//!
//! What stands in the blocks, and so what a shader itself asks for, is not looked at.

use super::entities::{Word, Words};

/// The names that a script defines, in its order.
///
/// ```
/// use daisho::media::shader::names;
/// let script = b"textures/a // the floor\n{ { map a.tga } }\ntextures/b { }";
/// assert_eq!(names(script).collect::<Vec<_>>(), [&b"textures/a"[..], b"textures/b"]);
/// ```
pub fn names(script: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut depth: u32 = 0;
    let mut last = None;
    Words(script).filter_map(move |word| match word {
        Word::Text(name) => {
            if depth == 0 {
                last = Some(name);
            }
            None
        }
        Word::Brace(b'{') => {
            depth = depth.saturating_add(1);
            last.take().filter(|_| depth == 1)
        }
        Word::Brace(_) => {
            depth = depth.saturating_sub(1);
            None
        }
    })
}

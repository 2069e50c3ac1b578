//! Demos: DEM of Quake, QWD and MVD of QuakeWorld, DM2 of Quake II.
//!
//! | type | a file is                                                                                  |
//! |------|--------------------------------------------------------------------------------------------|
//! | DEM  | a line with the CD's track, then messages: length, three angles (f32), as many bytes         |
//! | QWD  | records: time (f32), kind; 0: 36 bytes of movement, 1: length and a packet, 2: 8 bytes       |
//! | MVD  | records: thousandths of a second (u8), kind (u8, of which three bits); 2: 8 bytes, 3: 4 bytes and, as all others, length and a message |
//! | DM2  | messages: length, as many bytes; a length of -1 ends                                         |
//!
//! Which level it is stands in the first message with the server's data:
//!
//! | type | byte | behind it                                                                            |
//! |------|------|--------------------------------------------------------------------------------------|
//! | DEM  | 11   | protocol, u8, u8, title, then the models' names, of which the first is the map         |
//! | QWD  | 11   | (after 8 bytes) protocol, number, directory, u8, title                                 |
//! | MVD  | 11   | protocol, number, directory, f32, title                                                |
//! | DM2  | 12   | protocol, number, u8, directory, u16, title; then `0D`, a number, a text: number 33 is the map |
//!
//! From id's `cl_demo.c` and `cl_parse.c` of Quake, QuakeWorld and Quake-2; MVD from general knowledge of
//! MVDSV and ezQuake. None has a magic, so a file is a demo where its first message can be one.

use std::io;

use super::source::{Source, byte, float, long, short};
use crate::archive::FileType;

/// The longest message that is taken for one: what the engines of today take.
const MESSAGE_MAX: u32 = 1 << 18;

/// How many messages are gone through for the length: some hours.
const COUNT_MAX: u32 = 1 << 20;

/// How long the line of the track may be.
const LINE_MAX: usize = 16;

/// What a demo's first message says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Demo {
    /// DEM, QWD, MVD or DM2.
    pub file_type: FileType,
    /// The CD's track, of a demo of Quake's that asks for one.
    pub track: Option<u32>,
    /// The protocol's number.
    pub protocol: Option<u32>,
    /// The game's directory, such as `baseq2`.
    pub directory: Option<Vec<u8>>,
    /// What the level calls itself.
    pub title: Option<Vec<u8>>,
    /// The map's file.
    pub map: Option<Vec<u8>>,
}

/// What stands at the beginning of a message, taken off bit by bit.
struct Message<'a>(&'a [u8]);

impl<'a> Message<'a> {
    fn skip(&mut self, count: usize) -> Option<()> {
        self.0 = self.0.get(count..)?;
        Some(())
    }

    fn byte(&mut self) -> Option<u8> {
        let number = byte(self.0, 0)?;
        self.skip(1)?;
        Some(number)
    }

    fn short(&mut self) -> Option<u16> {
        let number = short(self.0, 0)?;
        self.skip(2)?;
        Some(number)
    }

    fn long(&mut self) -> Option<u32> {
        let number = long(self.0, 0)?;
        self.skip(4)?;
        Some(number)
    }

    /// A text with the NUL that ends it.
    fn text(&mut self) -> Option<&'a [u8]> {
        let end = self.0.iter().position(|byte| *byte == 0)?;
        let (text, rest) = self.0.split_at_checked(end)?;
        self.0 = rest.get(1..)?;
        Some(text)
    }

    /// The number of a protocol, behind what others add to it, and whether they add something.
    fn protocol(&mut self) -> Option<(u32, bool)> {
        let mut is_extended = false;
        loop {
            match &self.long()?.to_le_bytes() {
                b"FTEX" | b"FTE2" | b"MVD1" => {
                    self.long()?;
                    is_extended = true;
                }
                number => return Some((u32::from_le_bytes(*number), is_extended)),
            }
        }
    }
}

/// What a text says, if it says something.
fn some(text: &[u8]) -> Option<Vec<u8>> {
    (!text.is_empty()).then(|| text.to_vec())
}

impl Demo {
    /// The demo that begins so, if it can be one. The more of it there is, the more is found.
    pub(super) fn of(file_type: FileType, start: &[u8], size: u64) -> Option<Self> {
        let mut demo = Self {
            file_type,
            track: None,
            protocol: None,
            directory: None,
            title: None,
            map: None,
        };
        // What is not there is not said.
        let _ = match file_type {
            FileType::Dem => demo.quake(start, size)?,
            FileType::Qwd => demo.quake_world(start, size)?,
            FileType::Mvd => demo.of_server(start, size)?,
            FileType::Dm2 => demo.quake2(start, size)?,
            _ => return None,
        };
        Some(demo)
    }

    /// None where it is no demo; else whether all was found.
    fn quake(&mut self, start: &[u8], size: u64) -> Option<Option<()>> {
        let (track, line) = track_line(start)?;
        self.track = track;
        let begin = line.checked_add(16)?;
        let message = message(start, line, begin, size)?;
        [4, 8, 12]
            .iter()
            .all(|at| float(start, line.saturating_add(*at)).is_some())
            .then_some(())?;
        Some(self.quake_data(Message(message)))
    }

    fn quake_data(&mut self, mut message: Message<'_>) -> Option<()> {
        // Text for the console comes before.
        loop {
            match message.byte()? {
                1 => {}
                8 | 9 => _ = message.text()?,
                11 => break,
                _ => return None,
            }
        }
        let (protocol, is_extended) = message.protocol()?;
        self.protocol = Some(protocol);
        match protocol {
            15 | 666 if !is_extended => {}
            999 if !is_extended => message.skip(4)?,
            // Others put more in between.
            _ => return None,
        }
        message.skip(2)?;
        self.title = some(message.text()?);
        self.map = some(message.text()?);
        Some(())
    }

    fn quake_world(&mut self, start: &[u8], size: u64) -> Option<Option<()>> {
        let mut at: usize = 0;
        loop {
            let is_time = float(start, at).is_some_and(|time| time >= 0.0);
            let kind = byte(start, at.checked_add(4)?).filter(|_| is_time)?;
            let content = at.checked_add(5)?;
            let len = match kind {
                0 => 36,
                2 => 8,
                1 => {
                    let packet = message(start, content, content.checked_add(4)?, size)?;
                    let mut message = Message(packet);
                    if let Some(found) = self.quake_world_data(&mut message, 1) {
                        return Some(found);
                    }
                    packet.len().checked_add(4)?
                }
                _ => return None,
            };
            at = content.checked_add(len)?;
            if at >= start.len() {
                return Some(None);
            }
        }
    }

    /// None where it is another message. `skipped` is how many bytes stand before the title.
    fn quake_world_data(
        &mut self,
        message: &mut Message<'_>,
        skipped: usize,
    ) -> Option<Option<()>> {
        if skipped == 1 {
            // The packet's number and that of the last one that came; or -1, which is no message.
            let first = message.long().filter(|number| *number != u32::MAX)?;
            let _ = (first, message.long()?);
        }
        if message.byte()? != 11 {
            return None;
        }
        let mut read = || {
            self.protocol = Some(message.protocol()?.0);
            message.long()?;
            self.directory = some(message.text()?);
            message.skip(skipped)?;
            self.title = some(message.text()?);
            Some(())
        };
        Some(read())
    }

    fn of_server(&mut self, start: &[u8], size: u64) -> Option<Option<()>> {
        let mut at: usize = 0;
        while at < start.len() {
            let kind = byte(start, at.checked_add(1)?)? & 7;
            let content = at.checked_add(2)?;
            at = match kind {
                2 => content.checked_add(8)?,
                1 | 3..=6 => {
                    let content = content.checked_add(if kind == 3 { 4 } else { 0 })?;
                    let begin = content.checked_add(4)?;
                    let bytes = message(start, content, begin, size)?;
                    if let Some(found) = self.quake_world_data(&mut Message(bytes), 4) {
                        return Some(found);
                    }
                    begin.checked_add(bytes.len())?
                }
                _ => return None,
            };
        }
        Some(None)
    }

    fn quake2(&mut self, start: &[u8], size: u64) -> Option<Option<()>> {
        let mut message = Message(message(start, 0, 4, size)?);
        if message.byte()? != 12 {
            return None;
        }
        let mut read = || {
            self.protocol = Some(message.long()?);
            message.skip(5)?;
            self.directory = some(message.text()?);
            message.skip(2)?;
            self.title = some(message.text()?);
            while message.byte()? == 13 {
                let number = message.short()?;
                let text = message.text()?;
                if number == 33 {
                    self.map = some(text);
                    break;
                }
            }
            Some(())
        };
        Some(read())
    }

    /// How many thousandths of a second it takes; none where its times do not say it, or where its messages
    /// do not end with the file.
    pub(super) fn milliseconds(
        &self,
        source: &mut (impl Source + ?Sized),
    ) -> io::Result<Option<u64>> {
        match self.file_type {
            FileType::Dem => quake_length(source),
            FileType::Qwd => quake_world_length(source),
            FileType::Mvd => server_length(source),
            _ => Ok(None),
        }
    }
}

/// The track of a demo of Quake's, where it is none below 0, and where its line ends.
fn track_line(start: &[u8]) -> Option<(Option<u32>, usize)> {
    let end = start
        .iter()
        .take(LINE_MAX)
        .position(|byte| *byte == b'\n')?;
    let line = core::str::from_utf8(start.get(..end)?).ok()?;
    let track: i32 = line.trim().parse().ok()?;
    Some((u32::try_from(track).ok(), end.checked_add(1)?))
}

/// The part of a message that is in `start`, whose length stands at `at`; none where it cannot be one.
fn message(start: &[u8], at: usize, begin: usize, size: u64) -> Option<&[u8]> {
    let len = long(start, at).filter(|len| (1..=MESSAGE_MAX).contains(len))?;
    let end = u64::try_from(begin).ok()?.checked_add(len.into())?;
    let rest = start.get(begin..).filter(|_| end <= size)?;
    let len = usize::try_from(len).ok()?;
    Some(rest.get(..len).unwrap_or(rest))
}

/// Times in their order, from the first to the last.
#[derive(Default)]
struct Times {
    first: Option<f32>,
    last: f32,
    /// Whether a time was before the one before it, as where a demo goes on in another level.
    is_broken: bool,
}

impl Times {
    fn add(&mut self, time: Option<f32>) {
        match time.filter(|time| (0.0..1e7).contains(time)) {
            Some(time) if self.first.is_none() || time >= self.last => {
                self.first.get_or_insert(time);
                self.last = time;
            }
            _ => self.is_broken = true,
        }
    }

    fn milliseconds(&self) -> Option<u64> {
        let first = self.first.filter(|_| !self.is_broken)?;
        let thousandths = (f64::from(self.last) - f64::from(first)) * 1000.0;
        // It is neither below 0 nor above what a number holds.
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "checked above"
        )]
        let whole = thousandths.round() as u64;
        Some(whole)
    }
}

/// The place behind a message whose length stands at the beginning of `head`.
fn behind(head: &[u8], at: u64, source: &(impl Source + ?Sized)) -> Option<u64> {
    let len = long(head, 0).filter(|len| (1..=MESSAGE_MAX).contains(len))?;
    let end = at.checked_add(len.into())?;
    (end <= source.size()).then_some(end)
}

/// Each message begins with its time, but for those at the beginning of a level.
fn quake_length(source: &mut (impl Source + ?Sized)) -> io::Result<Option<u64>> {
    let mut line = [0; LINE_MAX];
    let read = source.read_at(0, &mut line)?;
    let Some((_, end)) = track_line(line.get(..read).unwrap_or_default()) else {
        return Ok(None);
    };
    let mut at = end as u64;
    let mut times = Times::default();
    for _ in 0..COUNT_MAX {
        if at == source.size() {
            return Ok(times.milliseconds());
        }
        let mut head = [0; 21];
        let read = source.read_at(at, &mut head)?;
        let head = head.get(..read).unwrap_or_default();
        let Some(end) = behind(head, at.saturating_add(16), source) else {
            return Ok(None);
        };
        if byte(head, 16) == Some(7) {
            times.add(float(head, 17));
        }
        at = end;
    }
    Ok(None)
}

fn quake_world_length(source: &mut (impl Source + ?Sized)) -> io::Result<Option<u64>> {
    let mut at: u64 = 0;
    let mut times = Times::default();
    for _ in 0..COUNT_MAX {
        if at == source.size() {
            return Ok(times.milliseconds());
        }
        let mut head = [0; 9];
        let read = source.read_at(at, &mut head)?;
        let head = head.get(..read).unwrap_or_default();
        times.add(float(head, 0));
        let rest = head.get(5..).unwrap_or_default();
        let end = match byte(head, 4) {
            Some(0) => Some(at.saturating_add(41)),
            Some(1) => behind(rest, at.saturating_add(9), source),
            Some(2) => Some(at.saturating_add(13)),
            _ => None,
        };
        let Some(end) = end.filter(|end| *end <= source.size()) else {
            return Ok(None);
        };
        at = end;
    }
    Ok(None)
}

fn server_length(source: &mut (impl Source + ?Sized)) -> io::Result<Option<u64>> {
    let (mut at, mut total): (u64, u64) = (0, 0);
    for _ in 0..COUNT_MAX {
        if at == source.size() {
            return Ok(Some(total));
        }
        let mut head = [0; 10];
        let read = source.read_at(at, &mut head)?;
        let head = head.get(..read).unwrap_or_default();
        total = total.saturating_add(byte(head, 0).map_or(0, u64::from));
        let end = match byte(head, 1).map(|kind| kind & 7) {
            Some(2) => Some(at.saturating_add(10)),
            Some(3) => behind(
                head.get(6..).unwrap_or_default(),
                at.saturating_add(10),
                source,
            ),
            Some(1 | 4..=6) => behind(
                head.get(2..).unwrap_or_default(),
                at.saturating_add(6),
                source,
            ),
            _ => None,
        };
        let Some(end) = end.filter(|end| *end <= source.size()) else {
            return Ok(None);
        };
        at = end;
    }
    Ok(None)
}

//! Sounds: WAV, MP3 and Ogg, as their headers say.
//!
//! | type | first bytes | what is read                                              |
//! |------|-------------|-----------------------------------------------------------|
//! | WAV  | `RIFF`, size, `WAVE`, then chunks: name, size, content | `fmt `: format u16, channels u16, rate u32, -, -, bits u16 |
//! | MP3  | `ID3`, or a frame: eleven bits set | version, layer, rate and channels of the first frame; behind `ID3` nothing |
//! | Ogg  | `OggS`      | of Vorbis: channels and rate, of Opus: channels           |

use super::source::{big_long, byte, long, short};
use crate::media::FileType;

/// What a sound's header says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sound {
    /// WAV, MP3 or Ogg.
    pub file_type: FileType,
    /// How samples are coded: the number in a WAV's `fmt` chunk, where 1 is plain.
    pub coding: Option<u16>,
    /// Samples a second.
    pub rate: Option<u32>,
    /// How many channels.
    pub channels: Option<u16>,
    /// How many bits a sample has.
    pub bits: Option<u16>,
}

impl Sound {
    const fn new(file_type: FileType) -> Self {
        Self {
            file_type,
            coding: None,
            rate: None,
            channels: None,
            bits: None,
        }
    }

    /// The sound that begins so.
    pub(super) fn of(file_type: FileType, start: &[u8]) -> Option<Self> {
        match file_type {
            FileType::Wav => wav(start),
            FileType::Mp3 => Some(Self::new(FileType::Mp3)),
            FileType::Ogg => Some(ogg(start)),
            _ => None,
        }
    }
}

fn wav(start: &[u8]) -> Option<Sound> {
    if start.get(8..12) != Some(b"WAVE") {
        return None;
    }
    let mut sound = Sound::new(FileType::Wav);
    let mut at: usize = 12;
    while let (Some(name), Some(len)) = (
        start.get(at..at.saturating_add(4)),
        long(start, at.saturating_add(4)),
    ) {
        let content = at.saturating_add(8);
        if name == b"fmt " {
            sound.coding = short(start, content);
            sound.channels = short(start, content.saturating_add(2));
            sound.rate = long(start, content.saturating_add(4));
            sound.bits = short(start, content.saturating_add(14));
            break;
        }
        // Chunks begin at even places.
        let len = usize::try_from(len).unwrap_or(usize::MAX);
        at = content.saturating_add(len).saturating_add(len % 2);
    }
    Some(sound)
}

fn ogg(start: &[u8]) -> Sound {
    let mut sound = Sound::new(FileType::Ogg);
    // The first page's head is as long as its table of segments, and 27 bytes.
    let segments = byte(start, 26).map_or(0, usize::from);
    let packet = start.get(segments.saturating_add(27)..).unwrap_or_default();
    if packet.starts_with(b"\x01vorbis") {
        sound.channels = byte(packet, 11).map(u16::from);
        sound.rate = long(packet, 12);
    } else if packet.starts_with(b"OpusHead") {
        sound.channels = byte(packet, 9).map(u16::from);
    }
    sound
}

/// Rates of MPEG 1; those of MPEG 2 are half of them, and of 2.5 a quarter.
const RATES: [u32; 3] = [44_100, 48_000, 32_000];

/// The MP3 that begins with a frame of layer III.
pub(super) fn mp3(start: &[u8]) -> Option<Sound> {
    let head = big_long(start, 0)?;
    let (version, layer) = (head >> 19 & 3, head >> 17 & 3);
    let (bitrate, rate) = (head >> 12 & 15, head >> 10 & 3);
    let is_frame = head >> 21 == 0x7FF && layer == 1 && bitrate != 15;
    let rate = RATES
        .get(usize::try_from(rate).ok()?)
        .filter(|_| is_frame)?;
    let rate = match version {
        3 => *rate,
        2 => rate / 2,
        0 => rate / 4,
        _ => return None,
    };
    let mut sound = Sound::new(FileType::Mp3);
    sound.rate = Some(rate);
    sound.channels = Some(if head >> 6 & 3 == 3 { 1 } else { 2 });
    Some(sound)
}

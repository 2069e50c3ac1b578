//! Paks that a fuzzer puts together field by field: a row of instructions that lay payloads, gaps
//! and the directory behind each other, name files, and then change single fields of what is a
//! sound pak, if an odd one, up to there.
//!
//! The first byte of the input chooses the layout. Each instruction has [`STEP`] bytes of its own,
//! so that what changes in one leaves the others as they were, and whole ones can be moved about.
//!
//! | first byte, modulo 16 | what it does                                                      |
//! |-----------------------|-------------------------------------------------------------------|
//! | 0 to 4                | a payload and a file that has it: stored bytes, or tokens         |
//! | 5, 6                  | more bytes or tokens of the last payload                          |
//! | 7                     | another file that has a payload laid down before                  |
//! | 8                     | a gap                                                             |
//! | 9                     | the directory, if no later one says so                            |
//! | 10 to 13              | changes a field of a record                                       |
//! | 14                    | changes a field of the header                                     |
//! | 15                    | changes a byte anywhere, cuts the file, or lays bytes behind it   |

use daisho::Format;
use daisho::codec::Reserved;

use crate::archive::build::PACKS;
use crate::choices::Choices;
use crate::codec::dice::Dice;
use crate::codec::fuzz_tokens::Tokens;
use crate::codec::oracle::verdict;

/// How many bytes an instruction has.
pub(crate) const STEP: usize = 32;

/// How many bytes one payload can have before it takes no more: more than are read at once.
const PAYLOAD_LIMIT: usize = 40_000;

/// How many bytes all payloads can have before no more are laid down.
const LIMIT: usize = 120_000;

/// A pak, and what can be expected of it.
#[derive(Debug)]
pub(crate) struct Sketch {
    pub(crate) bytes: Vec<u8>,
    pub(crate) layout: Format,
    /// There are entries, and nothing was changed: the layout can be told.
    pub(crate) honest: bool,
    /// All names are such as files have.
    pub(crate) plausible: bool,
}

#[derive(Debug, Default)]
struct Plan {
    row: Vec<Part>,
    files: Vec<File>,
    /// Before which part the directory is; behind all where that is not said.
    directory: Option<usize>,
    changes: Vec<[u8; STEP]>,
    raw_names: bool,
}

#[derive(Debug)]
enum Part {
    Stored(Vec<u8>),
    Stream {
        tokens: Box<Tokens>,
        end: [u8; 4],
        /// Whether 0xFE is meant as a copy.
        copies: bool,
    },
    Gap(usize),
}

#[derive(Debug)]
struct File {
    name: [u8; 56],
    /// Its part of the row.
    part: usize,
    /// How the record says what has no meaning: bits.
    style: u8,
}

/// The four numbers of a record: offset, size, packed size, flag.
type Numbers = [u32; 4];

impl Sketch {
    pub(crate) fn of(data: &[u8]) -> Self {
        let (first, steps) = data.split_first().unwrap_or((&0, &[]));
        let layout = PACKS[usize::from(first % 2)];
        let mut plan = Plan::default();
        for step in steps.chunks(STEP) {
            let mut whole = [0; STEP];
            whole[..step.len()].copy_from_slice(step);
            plan.step(whole);
        }
        plan.build(layout)
    }
}

impl Plan {
    fn step(&mut self, step: [u8; STEP]) {
        let mut choices = Choices(&step[1..]);
        let full = self.row.iter().map(Part::len).sum::<usize>() > LIMIT;
        match step[0] % 16 {
            0..=4 if !full => {
                let (kind, style) = (choices.byte(), choices.byte());
                let name = self.name(&mut choices);
                let part = self.row.len();
                self.row.push(Part::new(kind, &mut choices));
                self.files.push(File { name, part, style });
            }
            5 | 6 if !full => {
                if let Some(last) = self.row.last_mut() {
                    last.go_on(&mut choices);
                }
            }
            7 if !self.files.is_empty() => {
                let (of, style) = (choices.below(256), choices.byte());
                let part = self.files[of % self.files.len()].part;
                let name = self.name(&mut choices);
                self.files.push(File { name, part, style });
            }
            8 => self.row.push(Part::Gap(match choices.byte() {
                few @ 0..=199 => usize::from(few) % 5,
                many => usize::from(many) * choices.below(8),
            })),
            9 => self.directory = Some(self.row.len()),
            10.. => self.changes.push(step),
            _ => {}
        }
    }

    /// A name, and what follows its NUL: nothing, or what another name has left there.
    fn name(&mut self, choices: &mut Choices<'_>) -> [u8; 56] {
        let mut field = [0; 56];
        let name = match choices.byte() {
            raw @ 240.. => {
                self.raw_names = true;
                let len = usize::from(raw - 240) * 4;
                choices.take(len).to_vec()
            }
            style => {
                let folder = ["", "maps/", "textures/e1/", "sound\\"][usize::from(style % 4)];
                let kinds = ["tga", "wal", "bsp", "pcx", "bmp", "wav", "dkm", "cfg"];
                let number = choices.byte();
                let name = format!("{folder}a{number}.{}", kinds[usize::from(style / 4 % 8)]);
                if style >= 224 {
                    name.to_uppercase().into_bytes()
                } else {
                    name.into_bytes()
                }
            }
        };
        field[..name.len()].copy_from_slice(&name);
        if let (0..=63, Some(rest)) = (choices.byte(), field.get_mut(name.len() + 1..)) {
            rest.fill(b'x');
        }
        field
    }

    fn build(self, layout: Format) -> Sketch {
        let record_len = if layout == Format::Quake { 64 } else { 72 };
        let directory_len = self.files.len() * record_len;
        let parts: Vec<(Vec<u8>, u32)> = self.row.iter().map(Part::lay).collect();
        let directory_at = self.directory.unwrap_or(parts.len());
        let (mut bytes, mut places) = (b"PACK\0\0\0\0\0\0\0\0".to_vec(), Vec::new());
        let mut directory = 0;
        for (n, (part, _)) in parts.iter().enumerate() {
            if n == directory_at {
                directory = bytes.len();
                bytes.resize(directory + directory_len, 0);
            }
            places.push(bytes.len() as u32);
            bytes.extend(part);
        }
        if directory_at >= parts.len() {
            directory = bytes.len();
            bytes.resize(directory + directory_len, 0);
        }
        let mut records: Vec<([u8; 56], Numbers)> = Vec::new();
        for file in &self.files {
            let (payload, size) = &parts[file.part];
            let stream = matches!(self.row[file.part], Part::Stream { .. });
            records.push((
                file.name,
                file.numbers(places[file.part], payload, *size, stream, layout),
            ));
        }
        let mut header = [directory as u32, directory_len as u32];
        self.change_fields(&mut records, &mut header, bytes.len() as u32);
        for (record, place) in records
            .iter()
            .zip(bytes[directory..].chunks_exact_mut(record_len))
        {
            place[..56].copy_from_slice(&record.0);
            let numbers = record.1.iter().flat_map(|number| number.to_le_bytes());
            for (to, from) in place[56..].iter_mut().zip(numbers) {
                *to = from;
            }
        }
        bytes[4..8].copy_from_slice(&header[0].to_le_bytes());
        bytes[8..12].copy_from_slice(&header[1].to_le_bytes());
        self.change_bytes(&mut bytes);
        let honest = self.changes.is_empty() && !self.raw_names && !self.files.is_empty();
        let plausible = self.changes.is_empty() && !self.raw_names;
        Sketch {
            bytes,
            layout,
            honest,
            plausible,
        }
    }

    /// Sets single fields to what sets their neighbours at odds: limits, places of other things,
    /// one more, one less, one bit.
    fn change_fields(
        &self,
        records: &mut [([u8; 56], Numbers)],
        header: &mut [u32; 2],
        file_len: u32,
    ) {
        let [directory, _] = *header;
        for step in &self.changes {
            let mut choices = Choices(&step[1..]);
            let (which, field) = (choices.below(1 << 16), choices.byte());
            let (how, arg) = (choices.byte(), choices.number());
            let other = records.len().checked_sub(1).map(|last| {
                let (_, numbers) = records[choices.below(256) % (last + 1)];
                numbers[choices.below(4)]
            });
            let new = |old: u32| match how % 24 {
                0..=3 => old.wrapping_add(arg % 70),
                4..=7 => old.wrapping_sub(arg % 70),
                8..=10 => old ^ 1 << (arg % 32),
                11 => file_len.wrapping_add(arg % 3).wrapping_sub(1),
                12 => directory.wrapping_add(arg % 3).wrapping_sub(1),
                13 => (1_u32 << 31).wrapping_add(arg % 3).wrapping_sub(1),
                14 => (arg % 3).wrapping_sub(1),
                15 | 16 => other.unwrap_or_default(),
                17 => old.wrapping_mul(65).wrapping_add(arg % 3),
                18 => file_len.wrapping_sub(old),
                19 => [12, 11, 64, 72, 576, 576 * 8, 1, 2][arg as usize % 8],
                20 => old.swap_bytes(),
                _ => arg,
            };
            if step[0] % 16 == 14 {
                let field = usize::from(field % 2);
                header[field] = new(header[field]);
            } else if let (10..=13, Some(last)) = (step[0] % 16, records.len().checked_sub(1)) {
                let (name, numbers) = &mut records[which % (last + 1)];
                match field % 6 {
                    4 => name[arg as usize % 56] = how,
                    5 => name.rotate_left(arg as usize % 56),
                    field => {
                        let field = usize::from(field);
                        numbers[field] = new(numbers[field]);
                    }
                }
            }
        }
    }

    fn change_bytes(&self, bytes: &mut Vec<u8>) {
        for step in self.changes.iter().filter(|step| step[0] % 16 == 15) {
            let mut choices = Choices(&step[1..]);
            let (how, at) = (choices.byte(), choices.below(1 << 16));
            let at = at.checked_rem(bytes.len()).unwrap_or_default();
            match how {
                0..=99 => bytes.truncate(at),
                100..=149 => bytes.extend_from_slice(choices.take(at % 32)),
                _ => {
                    if let Some(byte) = bytes.get_mut(at) {
                        *byte = choices.byte();
                    }
                }
            }
        }
    }
}

impl File {
    fn numbers(
        &self,
        place: u32,
        payload: &[u8],
        size: u32,
        stream: bool,
        layout: Format,
    ) -> Numbers {
        let len = payload.len() as u32;
        if !stream || layout == Format::Quake {
            let packed = [len, 0, 7, u32::MAX][usize::from(self.style % 4)];
            let place = match (len, self.style) {
                (0, 0..=99) => 0,
                (0, 100..=119) => u32::MAX,
                _ => place,
            };
            return [place, len, packed, 0];
        }
        let flag = match self.style {
            0..=15 => u32::from(self.style) + 1,
            16 => u32::MAX,
            _ => 1,
        };
        [place, size, len, flag]
    }
}

impl Part {
    fn new(kind: u8, choices: &mut Choices<'_>) -> Self {
        let mut part = match kind {
            0..=99 => Self::Stored(Vec::new()),
            _ => Self::Stream {
                tokens: Box::default(),
                end: [(); 4].map(|()| choices.byte()),
                copies: kind >= 250,
            },
        };
        part.go_on(choices);
        part
    }

    fn go_on(&mut self, choices: &mut Choices<'_>) {
        match self {
            Self::Stored(bytes) => {
                // A few as they are, or many of one.
                let len = choices.byte();
                if len < 200 {
                    bytes.extend_from_slice(choices.take(usize::from(len) % 29));
                } else if bytes.len() < PAYLOAD_LIMIT {
                    let many = choices.below(1 << 12);
                    bytes.resize(bytes.len() + many, len);
                }
            }
            Self::Stream { tokens, .. } => {
                while !choices.0.is_empty() {
                    tokens.push(choices, PAYLOAD_LIMIT);
                }
            }
            Self::Gap(_) => {}
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::Stored(bytes) => bytes.len(),
            Self::Stream { tokens, .. } => tokens.bytes.len(),
            Self::Gap(len) => *len,
        }
    }

    /// What is in the file, and what it decodes to, in bytes.
    fn lay(&self) -> (Vec<u8>, u32) {
        match self {
            Self::Stored(bytes) => (bytes.clone(), bytes.len() as u32),
            Self::Stream {
                tokens,
                end,
                copies,
            } => {
                let stream = tokens.end(&mut Choices(end));
                let reading = if *copies {
                    Reserved::Copy
                } else {
                    Reserved::Skip
                };
                let size = verdict(&stream, None, reading).output.len();
                (stream, size as u32)
            }
            Self::Gap(len) => (b"dead".iter().copied().cycle().take(*len).collect(), 0),
        }
    }
}

/// Changes an input by whole instructions: one is changed, copied, moved or taken out. `inside`
/// changes the bytes of one. Returns the new length, or `None` where it leaves all as it was.
pub(crate) fn mutate(
    data: &mut [u8],
    size: usize,
    max_size: usize,
    dice: &mut Dice,
    inside: &mut dyn FnMut(&mut [u8]),
) -> Option<usize> {
    let steps = size.saturating_sub(1) / STEP;
    let at = |step: usize| 1 + step * STEP;
    if steps == 0 || dice.below(4) == 0 {
        return None;
    }
    let (one, other) = (dice.below(steps), dice.below(steps));
    match dice.below(8) {
        0 | 1 if at(steps + 1) <= max_size => {
            data.copy_within(at(other)..at(steps), at(other) + STEP);
            let from = if one >= other { one + 1 } else { one };
            data.copy_within(at(from)..at(from + 1), at(other));
            Some(at(steps + 1))
        }
        2 => {
            let rest = at(one + 1)..at(steps);
            data.copy_within(rest, at(one));
            Some(at(steps - 1))
        }
        3 => {
            let (one, other) = (one.min(other), one.max(other));
            data[at(one)..at(other + 1)].rotate_right(STEP);
            Some(at(steps))
        }
        4 => {
            data[at(one)] = dice.byte();
            Some(at(steps))
        }
        _ => {
            inside(&mut data[at(one)..at(one + 1)]);
            Some(at(steps))
        }
    }
}

#[test]
fn instructions_are_changed_as_wholes() {
    let mut dice = Dice::new(1);
    let step = |n: u8| [n; STEP];
    let whole = [&[0][..], &step(1), &step(2), &step(3)].concat();
    for _ in 0..500 {
        let mut data = whole.clone();
        data.resize(5 * STEP, 9);
        let max_size = data.len();
        let mut changed = |step: &mut [u8]| step[1] = 77;
        let Some(size) = mutate(&mut data, whole.len(), max_size, &mut dice, &mut changed) else {
            assert_eq!(data[..whole.len()], whole);
            continue;
        };
        assert_eq!(size % STEP, 1);
        for step in data[1..size].chunks(STEP) {
            let inner = &step[2..];
            assert!(
                inner
                    .iter()
                    .all(|byte| *byte == inner[0] && (1..=3).contains(byte))
            );
        }
    }
}

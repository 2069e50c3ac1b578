//! Paks by hand: a call an entry, and with it what must come out of that entry.
//!
//! Nothing here asks the code under test: records are put together from the format's table,
//! streams decode by the byte-by-byte oracle. A build remembers its calls in words, which is what
//! the manifest says of how a file was made.

use daisho::Format;
use daisho::codec::Reserved;

use super::packer;
use crate::codec::build::Build as Tokens;
use crate::codec::oracle;

/// A pak as far as it is built.
#[derive(Debug, Clone)]
pub(crate) struct Build {
    pub(crate) layout: Format,
    entries: Vec<Entry>,
    /// All payloads, and whatever else is between header and end, without the directory.
    body: Vec<u8>,
    /// Where in the body the directory goes; at its end unless said otherwise.
    directory_at: Option<usize>,
    /// Bytes that the directory's length counts and that are no record.
    directory_tail: Vec<u8>,
    /// What the header says in place of the truth: offset and length.
    claims: (Option<u32>, Option<u32>),
    changes: Vec<Change>,
    /// How many entries at the end are lost, their records being gone.
    lost: usize,
    /// The word for the error that opening it gives.
    pub(crate) refused: Option<&'static str>,
    script: Vec<String>,
}

/// One entry, and what comes out of it.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) name: Vec<u8>,
    /// What is in the name's field behind its NUL.
    garbage: Vec<u8>,
    offset: Offset,
    pub(crate) size: u32,
    packed_size: u32,
    flag: u32,
    /// The content, or the word for the error.
    pub(crate) comes: Result<Vec<u8>, &'static str>,
}

#[derive(Debug, Clone, Copy)]
enum Offset {
    /// Of the body, wherever that comes to be.
    Body(usize),
    File(u32),
}

/// What happens to the whole file in the end.
#[derive(Debug, Clone)]
enum Change {
    Cut(usize),
    Magic([u8; 4]),
    Overwrite(usize, Vec<u8>),
}

impl Build {
    pub(crate) fn new(layout: Format) -> Self {
        Self {
            layout,
            entries: Vec::new(),
            body: Vec::new(),
            directory_at: None,
            directory_tail: Vec::new(),
            claims: (None, None),
            changes: Vec::new(),
            lost: 0,
            refused: None,
            script: Vec::new(),
        }
    }

    pub(crate) fn quake() -> Self {
        Self::new(Format::Quake)
    }

    pub(crate) fn daikatana() -> Self {
        Self::new(Format::Daikatana)
    }

    /// An entry that is stored. Its `packed_size`, where there is one, repeats its size.
    pub(crate) fn stored(mut self, name: impl AsRef<[u8]>, content: &[u8]) -> Self {
        self.say(format!("stored {}", word(name.as_ref())));
        let size = content.len();
        self.entry(name.as_ref(), content, size, 0, Ok(content.to_vec()))
    }

    /// An entry that is compressed as the original packer does it, or stored where that makes it
    /// no smaller.
    pub(crate) fn packed(mut self, name: impl AsRef<[u8]>, content: &[u8]) -> Self {
        let stream = packer::pack(content);
        if stream.len() >= content.len() {
            return self.stored(name, content);
        }
        self.say(format!("packed {}", word(name.as_ref())));
        let comes = Ok(content.to_vec());
        self.entry(name.as_ref(), &stream, content.len(), 1, comes)
    }

    /// An entry that is compressed as Anachronox has it: deflated, in zlib's header and checksum.
    pub(crate) fn zlib(mut self, name: impl AsRef<[u8]>, content: &[u8]) -> Self {
        self.say(format!("zlib {}", word(name.as_ref())));
        let (mut a, mut b) = (1_u32, 0_u32);
        for byte in content {
            a = (a + u32::from(*byte)) % 65521;
            b = (b + a) % 65521;
        }
        let mut payload = vec![0x78, 0x01];
        payload.extend(crate::archive::zips::build::deflate(content));
        payload.extend((b << 16 | a).to_be_bytes());
        let comes = Ok(content.to_vec());
        self.entry(name.as_ref(), &payload, content.len(), 1, comes)
    }

    /// An entry whose stream is put together token by token.
    pub(crate) fn stream(self, name: impl AsRef<[u8]>, tokens: Tokens) -> Self {
        self.stream_read_as(Reserved::Skip, name, tokens)
    }

    /// The same where the reserved byte means what it is read as here.
    pub(crate) fn stream_read_as(
        mut self,
        reading: Reserved,
        name: impl AsRef<[u8]>,
        tokens: Tokens,
    ) -> Self {
        self.say(format!(
            "stream {} of {}",
            word(name.as_ref()),
            tokens.script()
        ));
        let content = oracle::verdict(&tokens.bytes, None, reading).output;
        let size = content.len();
        self.entry(name.as_ref(), &tokens.bytes, size, 1, Ok(content))
    }

    /// An entry that has the extent of entry `of` and all else but the name.
    pub(crate) fn shares(mut self, name: impl AsRef<[u8]>, of: usize) -> Self {
        self.say(format!("{} shares {of}", word(name.as_ref())));
        let name = name.as_ref().to_vec();
        self.entries.push(Entry {
            name,
            ..self.entries[of].clone()
        });
        self
    }

    /// Bytes that no entry names.
    pub(crate) fn dead(mut self, bytes: &[u8]) -> Self {
        self.say(format!("{} dead bytes", bytes.len()));
        self.body.extend(bytes);
        self
    }

    /// The directory is here, and not at the end.
    pub(crate) fn directory_here(mut self) -> Self {
        self.say("the directory".to_owned());
        self.directory_at = Some(self.body.len());
        self
    }

    /// Bytes behind the directory, where that is last.
    pub(crate) fn behind(mut self, bytes: &[u8]) -> Self {
        if self.directory_at.is_none() {
            self = self.directory_here();
        }
        self.say(format!("{} bytes behind", bytes.len()));
        self.body.extend(bytes);
        self
    }

    /// Bytes at the directory's end that its length counts.
    pub(crate) fn directory_tail(mut self, bytes: &[u8]) -> Self {
        self.say(format!("{} bytes more in the directory", bytes.len()));
        self.directory_tail.extend(bytes);
        self
    }

    /// The header says another offset of the directory.
    pub(crate) fn claim_directory_offset(mut self, offset: u32) -> Self {
        self.say(format!("the header says the directory is at {offset}"));
        self.claims.0 = Some(offset);
        self
    }

    /// The header says another length of the directory.
    pub(crate) fn claim_directory_len(mut self, len: u32) -> Self {
        self.say(format!("the header says the directory has {len} bytes"));
        self.claims.1 = Some(len);
        self
    }

    /// The last entry's name has this behind its NUL.
    pub(crate) fn garbage(mut self, bytes: &[u8]) -> Self {
        self.say(format!("{} bytes behind the name's nul", bytes.len()));
        self.last().garbage = bytes.to_vec();
        self
    }

    /// The last entry's record says another offset.
    pub(crate) fn offset(mut self, offset: u32) -> Self {
        self.say(format!("its offset {offset}"));
        self.last().offset = Offset::File(offset);
        self
    }

    /// The last entry's record says another size.
    pub(crate) fn size(mut self, size: u32) -> Self {
        self.say(format!("its size {size}"));
        self.last().size = size;
        self
    }

    /// The last entry's record says another packed size.
    pub(crate) fn packed_size(mut self, size: u32) -> Self {
        self.say(format!("its packed size {size}"));
        self.last().packed_size = size;
        self
    }

    /// The last entry's record has another flag.
    pub(crate) fn flag(mut self, flag: u32) -> Self {
        self.say(format!("its flag {flag}"));
        self.last().flag = flag;
        self
    }

    /// The last entry comes out as this.
    pub(crate) fn comes(mut self, content: &[u8]) -> Self {
        self.last().comes = Ok(content.to_vec());
        self
    }

    /// The last entry fails with the error that this word stands for.
    pub(crate) fn fails(mut self, error: &'static str) -> Self {
        self.last().comes = Err(error);
        self
    }

    /// The last `count` entries are not there any more, once the file is changed.
    pub(crate) fn loses(mut self, count: usize) -> Self {
        self.lost = count;
        self
    }

    /// All entries fail with the error that this word stands for.
    pub(crate) fn all_fail(mut self, error: &'static str) -> Self {
        for entry in &mut self.entries {
            entry.comes = Err(error);
        }
        self
    }

    /// Opening the file fails with the error that this word stands for.
    pub(crate) fn refused(mut self, error: &'static str) -> Self {
        self.refused = Some(error);
        self.loses(usize::MAX)
    }

    /// The entries so far, in the opposite order; their payloads stay where they are.
    pub(crate) fn reversed(mut self) -> Self {
        self.say("the entries reversed".to_owned());
        self.entries.reverse();
        self
    }

    /// Only the first `len` bytes are left of the file.
    pub(crate) fn cut(mut self, len: usize) -> Self {
        self.say(format!("cut at {len}"));
        self.changes.push(Change::Cut(len));
        self
    }

    /// The last `len` bytes of the file are gone.
    pub(crate) fn cut_end(self, len: usize) -> Self {
        let whole = self.bytes().len();
        self.cut(whole - len)
    }

    /// Another magic.
    pub(crate) fn magic(mut self, magic: [u8; 4]) -> Self {
        self.say(format!("magic {}", magic.escape_ascii()));
        self.changes.push(Change::Magic(magic));
        self
    }

    /// Other bytes at a place of the file.
    pub(crate) fn overwrite(mut self, at: usize, bytes: &[u8]) -> Self {
        self.say(format!("{} bytes overwritten at {at}", bytes.len()));
        self.changes.push(Change::Overwrite(at, bytes.to_vec()));
        self
    }

    /// Other bytes in place of a record, where the directory comes first: a name without a nul,
    /// and numbers that lead out of the file.
    pub(crate) fn overwrite_record(mut self, index: usize, record: &[u8]) -> Self {
        let len = self.record_len();
        let entry = &mut self.entries[index];
        entry.name = record[..56].to_vec();
        entry.comes = Err("outside");
        self.overwrite(12 + index * len, record)
    }

    /// The entries that are found in it, in the directory's order.
    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries[..self.entries.len().saturating_sub(self.lost)]
    }

    /// The calls, in words.
    pub(crate) fn script(&self) -> String {
        if self.script.is_empty() {
            "nothing".to_owned()
        } else {
            self.script.join(", ")
        }
    }

    /// How long one record is.
    pub(crate) fn record_len(&self) -> usize {
        match self.layout {
            Format::Quake => 64,
            Format::Daikatana => 72,
            Format::Anachronox => 144,
            _ => 128,
        }
    }

    fn name_len(&self) -> usize {
        match self.layout {
            Format::Quake | Format::Daikatana => 56,
            Format::Anachronox => 128,
            _ => 120,
        }
    }

    fn own_magic(&self) -> [u8; 4] {
        match self.layout {
            Format::Sin => *b"SPAK",
            Format::Hrot => *b"HROT",
            Format::Anachronox => *b"ADAT",
            _ => *b"PACK",
        }
    }

    /// Where the body begins.
    fn body_at(&self) -> usize {
        match self.layout {
            Format::Anachronox => 16,
            _ => 12,
        }
    }

    /// The file.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let at = self.directory_at.unwrap_or(self.body.len());
        let (before, after) = self.body.split_at(at);
        let len = self.entries.len() * self.record_len() + self.directory_tail.len();
        let place = |offset| match offset {
            Offset::File(offset) => offset,
            Offset::Body(offset) if offset >= at => number(self.body_at() + offset + len),
            Offset::Body(offset) => number(self.body_at() + offset),
        };
        let mut directory = Vec::new();
        for entry in &self.entries {
            let mut field = entry.name.clone();
            if !entry.garbage.is_empty() {
                field.push(0);
                field.extend(&entry.garbage);
            }
            assert!(field.len() <= self.name_len());
            field.resize(self.name_len(), 0);
            directory.extend(field);
            directory.extend(place(entry.offset).to_le_bytes());
            directory.extend(entry.size.to_le_bytes());
            if self.layout == Format::Anachronox {
                // A stored file has no packed size. What the checksum is of, nobody knows.
                let packed = if entry.flag == 0 {
                    0
                } else {
                    entry.packed_size
                };
                directory.extend(packed.to_le_bytes());
                directory.extend(0x1234_5678_u32.to_le_bytes());
            }
            if self.layout == Format::Daikatana {
                directory.extend(entry.packed_size.to_le_bytes());
                directory.extend(entry.flag.to_le_bytes());
            }
        }
        directory.extend(&self.directory_tail);
        let (claimed_offset, claimed_len) = self.claims;
        let offset = claimed_offset.unwrap_or(number(self.body_at() + at));
        let len = claimed_len.unwrap_or(number(len));
        let mut header = [self.own_magic(), offset.to_le_bytes(), len.to_le_bytes()].concat();
        if self.layout == Format::Anachronox {
            header.extend(9_u32.to_le_bytes());
        }
        let mut file = [&header, before, &directory, after].concat();
        for change in &self.changes {
            match change {
                Change::Cut(len) => file.truncate(*len),
                Change::Magic(magic) => file[..4].copy_from_slice(magic),
                Change::Overwrite(at, bytes) => file[*at..][..bytes.len()].copy_from_slice(bytes),
            }
        }
        file
    }

    fn entry(
        mut self,
        name: &[u8],
        payload: &[u8],
        size: usize,
        flag: u32,
        comes: Result<Vec<u8>, &'static str>,
    ) -> Self {
        self.entries.push(Entry {
            name: name.to_vec(),
            garbage: Vec::new(),
            offset: Offset::Body(self.body.len()),
            size: number(size),
            packed_size: number(payload.len()),
            flag,
            comes,
        });
        self.body.extend(payload);
        self
    }

    fn last(&mut self) -> &mut Entry {
        self.entries.last_mut().unwrap()
    }

    fn say(&mut self, what: String) {
        self.script.push(what);
    }
}

fn number(value: usize) -> u32 {
    u32::try_from(value).unwrap()
}

fn word(name: &[u8]) -> String {
    match name {
        [] => "\"\"".to_owned(),
        _ => name.escape_ascii().to_string(),
    }
}

meta:
  id: daikatana_pak
  title: Pak of Daikatana
  file-extension: pak
  license: MIT OR Apache-2.0
  endian: le
doc: |
  As Quake's pak, with records of 72 bytes, which say whether a file is compressed. A compressed file is a stream of
  tokens that ends with one: each writes bytes behind those that are written already.
seq:
  - id: magic
    contents: PACK
  - id: directory_offset
    type: u4
  - id: directory_len
    type: u4
instances:
  num_entries:
    value: directory_len / 72
  entries:
    pos: directory_offset
    type: entry
    repeat: expr
    repeat-expr: num_entries
types:
  entry:
    seq:
      - id: name
        size: 56
        terminator: 0
      - id: offset
        type: u4
      - id: size
        type: u4
        doc: The length of the content, decompressed. An entry of 0 bytes has no payload, whatever else it says.
      - id: packed_size
        type: u4
        doc: The length of the stream; means nothing where the file is stored.
      - id: flag
        type: u4
        doc: 0 for a file that is stored, anything else for one that is compressed.
    instances:
      is_compressed:
        value: flag != 0
      content:
        io: _root._io
        pos: offset
        size: size
        if: not is_compressed
      stream:
        io: _root._io
        pos: offset
        size: packed_size
        type: stream
        if: is_compressed and size != 0
  stream:
    doc: |
      Tokens up to the end marker, or to the end of the stream where it has none. How much they write is the entry's
      size; a stream may have reached that and just end.
    seq:
      - id: tokens
        type: token
        repeat: until
        repeat-until: _.control == 0xff or _io.eof
  token:
    seq:
      - id: control
        type: u1
      - id: literal
        size: control + 1
        if: control < 0x40
        doc: These bytes are written.
      - id: value
        type: u1
        if: control >= 0x80 and control < 0xc0
        doc: This byte is written num_written times.
      - id: distance_minus_2
        type: u1
        if: control >= 0xc0 and control < 0xfe
        doc: |
          What stands so many bytes and two back is written again, byte by byte: a copy may reach what it has just
          written.
    instances:
      num_written:
        value: >-
          control < 0x40 ? control + 1
          : control < 0x80 ? control - 62
          : control < 0xc0 ? control - 126
          : control < 0xfe ? control - 190 : 0
        doc: |
          A control byte from 0x40 to 0x7f writes so many zeros. 0xfe writes nothing, as the game reads it; one
          packer means a copy of 64 bytes by it, whose distance follows. 0xff is the end.

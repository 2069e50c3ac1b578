meta:
  id: quake_pak
  title: Pak of Quake, Quake II, Half-Life and Hexen II
  file-extension: pak
  license: MIT OR Apache-2.0
  endian: le
doc: |
  A header of 12 bytes, a directory of records of 64 bytes anywhere in the file, and the contents of the files,
  stored. Daikatana's paks begin with the same four bytes and have records of 72 bytes: see daikatana_pak. The
  length of the directory tells the two apart where only one of them divides it; where both do, the records have to
  be looked at.
seq:
  - id: magic
    contents: PACK
  - id: directory_offset
    type: u4
  - id: directory_len
    type: u4
instances:
  num_entries:
    value: directory_len / 64
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
        doc: Ends at the first NUL; at most 55 bytes can be read safely by the games. What follows the NUL means nothing.
      - id: offset
        type: u4
      - id: size
        type: u4
    instances:
      content:
        io: _root._io
        pos: offset
        size: size

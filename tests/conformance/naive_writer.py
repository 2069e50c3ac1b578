"""Writes an archive in the simplest way, and prints its SHA-256: naive_writer.py FORMAT INPUT OUTPUT_FORMAT [FROM TO]

FROM and TO choose entries by number. Nothing is compressed. tests/it/cli/golden.rs compares daisho's output.
"""
import hashlib, struct, sys, zlib

sys.dont_write_bytecode = True
import readers


def write_pak(form, entries):
    magic, header, record, name_len = readers.PAKS[form]
    body, directory = b"", b""
    for name, content in entries:
        offset = header + len(body)
        directory += name.ljust(name_len, b"\0") + struct.pack("<II", offset, len(content))
        if form == "daikatana":
            directory += struct.pack("<II", len(content), 0)
        body += content
    return magic + struct.pack("<II", header + len(body), len(directory)) + body + directory


def write_zip(entries):
    body, directory = b"", b""
    for name, content in entries:
        size = len(content)
        common = struct.pack("<HHHHHIIIHH", 20, 0, 0, 0, 0x21, zlib.crc32(content), size, size, len(name), 0)
        directory += b"PK\1\2" + struct.pack("<H", 20) + common + struct.pack("<HHHII", 0, 0, 0, 0, len(body)) + name
        body += b"PK\3\4" + common + name + content
    counts = struct.pack("<HHHHIIH", 0, 0, len(entries), len(entries), len(directory), len(body), 0)
    return body + directory + b"PK\5\6" + counts


def main():
    form, path, output, *some = sys.argv[1:]
    if form == "pk3":
        entries = list(readers.pythons_zipfile(form, path))
    else:
        entries = list(readers.naive(form, path))
    if some:
        entries = entries[int(some[0]):int(some[1])]
    if output == "pk3":
        written = write_zip(entries)
    else:
        written = write_pak(output, entries)
    print(hashlib.sha256(written).hexdigest())


if __name__ == "__main__":
    main()

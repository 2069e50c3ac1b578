"""Readers in Python that tests/conformance/run scores: the simplest one of each format, Python's zipfile, vgio, and
bsp_tool. Each yields a name and a content for every entry; the content is None if it cannot be read.


    python3 tests/conformance/readers.py READER FORMAT ARCHIVE

prints what one of them reads, as the form 'rows:COMMAND' of tests/conformance/run wants it: so a reader that finds no
end can be ended.
"""
import struct, sys, zipfile, zlib

# Magic, header, record, name.
PAKS = {
    "quake": (b"PACK", 12, 64, 56),
    "daikatana": (b"PACK", 12, 72, 56),
    "sin": (b"SPAK", 12, 128, 120),
    "hrot": (b"HROT", 12, 128, 120),
    "anachronox": (b"ADAT", 16, 144, 128),
}


class Refused(Exception):
    pass


def naive(form, path, step=None):
    """Reads the format in the simplest way, and refuses whatever is unusual. Records lie `step` bytes apart:
    PhysicsFS had a wrong number there once."""
    with open(path, "rb") as file:
        data = file.read()
    try:
        return list(wad(form, data) if form.startswith("wad") else pak(form, data, step or PAKS[form][2]))
    except struct.error as error:
        raise Refused(error)


def pak(form, data, step):
    magic, header, record, name_len = PAKS[form]
    if len(data) < header or data[:4] != magic:
        raise Refused("another magic")
    offset, length = struct.unpack_from("<II", data, 4)
    if length % record:
        raise Refused("no whole records")
    for number in range(length // record):
        fields = inside(data, offset + number * step, record)
        name = fields[:name_len].split(b"\0")[0]
        at, size, packed, flag = struct.unpack("<IIII", fields[name_len:].ljust(16, b"\0")[:16])
        try:
            if form == "daikatana" and flag:
                content = daikatana(inside(data, at, packed), size)
            elif form == "anachronox" and packed:
                content = zlib.decompress(inside(data, at, packed))
            else:
                content = inside(data, at, size)
            yield name, content
        except (Refused, IndexError, zlib.error):
            yield name, None


def wad(form, data):
    magic, count, offset = struct.unpack_from("<4sII", data)
    if magic != form.upper().encode():
        raise Refused("another magic")
    for number in range(count):
        fields = inside(data, offset + 32 * number, 32)
        at, size, _, _, packing, name = struct.unpack("<IIIBBxx16s", fields)
        try:
            yield name.split(b"\0")[0], None if packing else inside(data, at, size)
        except Refused:
            yield name.split(b"\0")[0], None


def pythons_zipfile(_, path):
    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            if info.is_dir():
                continue
            try:
                yield info.filename.encode(), archive.read(info)
            except Exception:
                yield info.filename.encode(), None


def vgio(form, path):
    import vgio.hrot.pak, vgio.quake.pak, vgio.quake.wad

    kind = {"quake": vgio.quake.pak.PakFile, "hrot": vgio.hrot.pak.PakFile, "wad2": vgio.quake.wad.WadFile}
    with kind[form](path) as archive:
        for info in archive.infolist():
            try:
                yield info.filename.encode(), archive.read(info.filename)
            except Exception:
                yield info.filename.encode(), None


def bsp_tool(form, path):
    from bsp_tool.archives import id_software, ion_storm

    kind = {"quake": id_software.Pak, "daikatana": ion_storm.Pak, "anachronox": ion_storm.Dat}
    with open(path, "rb") as file:
        archive = kind[form].from_stream(file)
        for name in archive.namelist():
            try:
                yield name.encode(), archive.read(name)
            except Exception:
                yield name.encode(), None


def inside(data, offset, length):
    if length and offset + length > len(data):
        raise Refused("outside of the file")
    return data[offset:offset + length]


def daikatana(stream, size):
    out, at = bytearray(), 0
    while True:
        control = stream[at]
        at += 1
        if control == 0xFF:
            break
        if control < 64:
            out += inside(stream, at, control + 1)
            at += control + 1
        elif control < 128:
            out += bytes(control - 62)
        elif control < 192:
            out += bytes([stream[at]]) * (control - 126)
            at += 1
        elif control < 254:
            distance = stream[at] + 2
            at += 1
            if distance > len(out):
                raise Refused("a copy from before the start")
            for _ in range(control - 190):
                out.append(out[-distance])
        else:
            raise Refused("0xfe, whose meaning is not known")
    if len(out) != size or at != len(stream):
        raise Refused("another size")
    return bytes(out)


if __name__ == "__main__":
    is_whole = True
    for name, content in globals()[sys.argv[1]](*sys.argv[2:]):
        is_whole = is_whole and content is not None
        print(name.hex(), "!" if content is None else content.hex())
    sys.exit(not is_whole)

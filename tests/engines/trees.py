"""Made-up folders of archives, in which each copy of a file is a script that says which one it is."""

import struct
import warnings
import zipfile

# Quake's pak0.pak of version 1.06, to which an engine of its family holds every pak: the number of its entries
# and the checksum of its directory.
STOCK_ENTRIES, STOCK_SUM = 339, 32981


class Tree:
    """A game's folder, filled file by file."""

    def __init__(self, root, base, stock):
        self.root, self.base, self.stock = root, base, stock
        self.names, self.copies = set(), []
        (root / "home").mkdir()
        self.write("gfx.wad", b"WAD2\0\0\0\0\x0c\0\0\0")
        self.write("default.cfg", b"\n")
        self.write("quake.rc", b"exec autoexec.cfg\n")

    def write(self, path, content):
        path = self.root / path if path.startswith("mod/") else self.root / self.base / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)

    def add(self, file, names):
        """A pak, a ZIP, a folder (with a slash), or loose files (`loose`), with scripts of these names."""
        scripts, seen = [], {}
        for name in names:
            seen[name] = seen.get(name, 0) + 1
            self.names.add(name)
            scripts.append((name, f"echo FROM_{len(self.copies)}\n".encode()))
            self.copies.append((file, name, seen[name]))
        if file.endswith("/") or file.endswith("loose"):
            for name, script in scripts:
                self.write(file.removesuffix("loose") + name, script)
        elif file.lower().endswith(".pak"):
            self.write(file, pak(scripts, self.stock))
        else:
            self.write(file, zip_of(scripts, self.root / "zip"))


def zip_of(scripts, path):
    warnings.simplefilter("ignore")  # Several entries of one name are meant.
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, script in scripts:
            info = zipfile.ZipInfo("x")
            info.filename, info.compress_type = name, zipfile.ZIP_DEFLATED
            archive.writestr(info, script)
    return path.read_bytes()


def pak(scripts, stock):
    payloads = b"".join(script for _, script in scripts)
    directory, at = b"", 12
    for name, script in scripts:
        directory += struct.pack("<56sII", name.encode(), at, len(script))
        at += len(script)
    if stock:
        for number in range(len(scripts), STOCK_ENTRIES):
            directory += struct.pack("<56sII", f"none/{number}".encode(), 12, 0)
        directory = fit(directory)
    return struct.pack("<4sII", b"PACK", 12 + len(payloads), len(directory)) + payloads + directory


def fit(directory):
    """Changes two bytes behind the last name's end, so that the checksum is that of Quake's own."""
    start, rest = directory[:-10], directory[-8:]
    before = sum_of(start, 0xFFFF)
    for pair in range(1 << 16):
        pair = pair.to_bytes(2, "little")
        if sum_of(pair + rest, before) == STOCK_SUM:
            return start + pair + rest
    raise ValueError("no bytes fit")


def sum_of(content, crc):
    for byte in content:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ (0x1021 if crc & 0x8000 else 0)) & 0xFFFF
    return crc

#!/usr/bin/env python3
"""The peak of memory of each verb over paks of many entries, as GNU time measures it.

benches/memory.py DAISHO [-n ENTRIES] [-p PAK;PAK] [-v VERB;VERB] [-d DIRECTORY] [-g]

Prints a table in MiB and fails where a run takes more than 64 MiB, 4 MiB for each thread (one a core) and
1 KiB for each entry that it reads (of both paks, or of the pak and the snapshot).
Files are extracted in DIRECTORY, which is best a tmpfs, and only of the pak "empty".

-g prints how it grows instead: over paks of 10 MB, 100 MB and 1 GB in files of a megabyte, and of 1,000,
100,000 and a million entries of a byte each.
"""

import argparse
import os
import random
import struct
import subprocess
import sys
import tempfile

INSIDE, OUTSIDE = 12, 0x70000000


def long(i):
    return b"d/%07d%s.wav" % (i, b"x" * 42)


def deep(i):
    return b"%06x/a/b/c/d/e/f/g/h/i/j/k/%s" % (i, b"x" * 26)


def bad(i):  # rescued, it has three times the bytes
    return b"../%07d%s" % (i, b"!" * 45)


def upper_bad(i):
    return b"A:%07d%s" % (i, b"!" * 46)


def accents(i):
    return b"d/%07d%s.wav" % (i, "\u00c9".encode() * 21)


def cases(i):
    return long(i) if i % 2 == 0 else long(i - 1).upper()


def aside(i):  # as if it was put aside, below many directories
    return b"%06x/A/B/C/D/E/F/G/H/I/J/K/%s.dup-1" % (i // 2, b"x" * 20)


# Each pak's names, and each entry's offset and size.
PAKS = {
    "long names": (long, lambda i: (INSIDE + i, 1)),
    "empty": (long, lambda i: (0, 0)),
    "12 directories": (deep, lambda i: (INSIDE + i, 1)),
    "bad names": (bad, lambda i: (INSIDE + i, 1)),
    "bad, upper case": (upper_bad, lambda i: (INSIDE + i, 1)),
    "one name": (lambda i: long(0), lambda i: (INSIDE + i, 1)),
    "one bad name": (lambda i: bad(0), lambda i: (INSIDE + i, 1)),
    "two cases": (cases, lambda i: (INSIDE + i, 1)),
    "backslashes": (lambda i: long(i).replace(b"/", b"\\"), lambda i: (INSIDE + i, 1)),
    "not ASCII": (accents, lambda i: (INSIDE + i, 1)),
    "named as aside": (aside, lambda i: (INSIDE + i, 1)),
    "shared": (long, lambda i: (INSIDE, 40)),
    "outside": (long, lambda i: (OUTSIDE + i, 9)),
    "outside, bad": (bad, lambda i: (OUTSIDE + i, 9)),
    "negative": (long, lambda i: (-12 - i, -5)),
    "72: long names": (long, lambda i: (INSIDE + i, 1)),
    "72: shared": (long, lambda i: (INSIDE, 40)),
    "72: outside": (long, lambda i: (OUTSIDE + i, 9)),
    "72: damaged": (long, lambda i: (INSIDE + i, 9)),
}

RAISED = "--max-expansion 1000000"
VERBS = {
    "list --json": "list --json p.pak",
    "list --tree": "list --tree p.pak",
    "info": "info p.pak",
    "verify": "verify p.pak",
    "verify --json": "verify --json p.pak",
    "snapshot": "verify p.pak --snapshot lines --update",
    "snapshot, compared": "verify p.pak --snapshot lines",
    "diff": "diff p.pak q.pak",
    "extract -n": f"extract -n p.pak -C out {RAISED}",
    "with --lowercase": f"extract -n --lowercase p.pak -C out {RAISED}",
    "with --rescue": f"extract -n --rescue p.pak -C out {RAISED}",
    "convert": f"convert p.pak -o c.pak -f --keep-going {RAISED}",
    "to daikatana": f"convert p.pak -o c.pak -f --keep-going --to daikatana {RAISED}",
    "split": f"convert p.pak -o c0.pak -f --keep-going --max-entries 100000 {RAISED}",
    "merge": f"convert --merge game --engine fteqw -o new/c.pak -f --keep-going {RAISED}",
    "extract": "extract p.pak -C out",
    "again": "extract p.pak -C out",
    "again -f": "extract -f p.pak -C out",
}
WRITES_FILES = ["extract", "again", "again -f"]
READS_TWO = ["snapshot, compared", "diff"]


# What is run where growth is asked for, in this order: some take what others have made.
GROWTH = {
    "list": "list p.pak",
    "info": "info p.pak",
    "verify": "verify p.pak",
    "snapshot": "verify p.pak --snapshot lines --update",
    "dupes": "dupes p.pak",
    "diff": "diff p.pak q.pak",
    "convert": "convert p.pak -o c.pak -f",
    "to daikatana": "convert p.pak -o d.pak -f --to daikatana",
    "to pk3": "convert p.pak -o c.pk3 -f --to pk3 --level 1 --keep-going",
    "from daikatana": "convert d.pak -o c.pak -f",
    "from pk3": "convert c.pk3 -o c.pak -f",
    "remove": "remove c.pak wal/0.wal",
    "extract": "extract p.pak -C out -q",
    "create": "create out -o c.pak -f",
}


def files(count, size):
    """A pak of files, half of them of a kind that Daikatana compresses; a fifth of each is not of one byte."""
    noise = random.Random(1).randbytes(size // 5 + 1)
    payload = (noise + bytes(size))[:size]
    directory = bytearray()
    for i in range(count):
        kind = ("wal", "wav")[i % 2]
        directory += struct.pack("<56sII", b"%s/%d.%s" % (kind.encode(), i, kind.encode()), 12 + i * size, size)
    return struct.pack("<4sII", b"PACK", 12 + count * size, len(directory)) + payload * count + directory


def growth(daisho, place):
    sizes = [(f"{mb} MB", mb, 1_000_000) for mb in (10, 100, 1000)]
    counts = [(f"{count:,} entries", count, 1) for count in (1000, 100_000, 1_000_000)]
    print("| pak | " + " | ".join(GROWTH) + " |")
    print("|---|" + "---:|" * len(GROWTH))
    for name, count, size in sizes + counts:
        row = [name]
        with tempfile.TemporaryDirectory(dir=place) as directory:
            with open(directory + "/p.pak", "wb") as out:
                out.write(files(count, size))
            os.link(directory + "/p.pak", directory + "/q.pak")
            for verb, line in GROWTH.items():
                # A ZIP has 65,535 entries at most, and a million files take long to write.
                if count > 65_535 and ("pk3" in verb or verb in ("extract", "create")):
                    row.append("")
                    continue
                kilobytes, _ = peak(daisho, line, directory)
                row.append(str(round(kilobytes / 1024)))
        print("| " + " | ".join(row) + " |", flush=True)


def pak(entries, number, payload, tail):
    name, place = entries
    directory = bytearray()
    for i in number:
        directory += name(i).ljust(56, b"\0")
        directory += struct.pack("<II", *(number & 0xFFFFFFFF for number in place(i)))
        directory += tail
    header = struct.pack("<4sII", b"PACK", 12 + len(payload), len(directory))
    return header + payload + directory


def peak(daisho, line, directory):
    command = ["time", "-q", "-f", "%M", "-o", "peak", daisho, *line.split()]
    ran = subprocess.run(
        command, cwd=directory, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    with open(directory + "/peak") as file:
        return int(file.read().split()[-1]), ran.returncode


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("daisho")
    parser.add_argument("-n", type=int, default=1_000_000)
    parser.add_argument("-p", default=";".join(PAKS))
    parser.add_argument("-v", default=";".join(VERBS))
    parser.add_argument("-d", default=None)
    parser.add_argument("-g", action="store_true")
    given = parser.parse_args()
    if given.g:
        growth(os.path.abspath(given.daisho), given.d)
        return
    daisho, verbs = os.path.abspath(given.daisho), given.v.split(";")
    over = []
    print("| pak | " + " | ".join(verbs) + " |")
    print("|---|" + "---:|" * len(verbs))
    for name in given.p.split(";"):
        row = [name]
        with tempfile.TemporaryDirectory(dir=given.d) as directory:
            os.mkdir(directory + "/new")
            # What a record has besides: of "damaged", that the payload is a stream of two bytes, which ends early.
            tails = {"72: d": struct.pack("<II", 2, 1), "72": bytes(8)}
            tail = next((tail for kind, tail in tails.items() if name.startswith(kind)), b"")
            forth = range(given.n)
            for file, number in [("p", forth), ("q", reversed(forth))]:
                with open(f"{directory}/{file}.pak", "wb") as out:
                    out.write(pak(PAKS[name], number, bytes(given.n), tail))
            os.mkdir(directory + "/game")
            os.link(directory + "/p.pak", directory + "/game/pak0.pak")
            for verb in verbs:
                if verb in WRITES_FILES and name != "empty":
                    row.append("")
                    continue
                kilobytes, code = peak(daisho, VERBS[verb], directory)
                if code not in (0, 1) and verb != "again":
                    row.append("refused")
                    continue
                row.append(str(round(kilobytes / 1024)))
                read = given.n * (2 if verb in READS_TWO else 1)
                limit = (64 << 10) + (os.cpu_count() << 12) + read
                if kilobytes > limit:
                    over.append(f"{name}: {verb}: {kilobytes} kB of {limit}")
        print("| " + " | ".join(row) + " |", flush=True)
    sys.exit("\n".join(over) or None)


main()

#!/usr/bin/env python3
"""The peak of memory of each verb over paks of many entries, as GNU time measures it.

benches/memory.py DAISHO [-n ENTRIES] [-p PAK;PAK] [-v VERB;VERB] [-d DIRECTORY]

Prints a table in MiB and fails where a run takes more than 32 MiB and 512 bytes for each entry.
Files are extracted in DIRECTORY, which is best a tmpfs, and only of the pak "empty".
"""

import argparse
import os
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


def pak(entries, number, payload, is_wide):
    name, place = entries
    directory = bytearray()
    for i in number:
        directory += name(i).ljust(56, b"\0")
        directory += struct.pack("<II", *(number & 0xFFFFFFFF for number in place(i)))
        directory += bytes(8 if is_wide else 0)
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
    given = parser.parse_args()
    daisho, verbs = os.path.abspath(given.daisho), given.v.split(";")
    limit = (32 << 10) + given.n * 512 // 1024
    over = []
    print("| pak | " + " | ".join(verbs) + " |")
    print("|---|" + "---:|" * len(verbs))
    for name in given.p.split(";"):
        row = [name]
        with tempfile.TemporaryDirectory(dir=given.d) as directory:
            os.mkdir(directory + "/new")
            forth, is_wide = range(given.n), name.startswith("72")
            for file, number in [("p", forth), ("q", reversed(forth))]:
                with open(f"{directory}/{file}.pak", "wb") as out:
                    out.write(pak(PAKS[name], number, bytes(given.n), is_wide))
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
                if kilobytes > limit:
                    over.append(f"{name}: {verb}: {kilobytes} kB of {limit}")
        print("| " + " | ".join(row) + " |", flush=True)
    sys.exit("\n".join(over))


main()

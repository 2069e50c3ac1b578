"""The identity of what directories and archives hold, by the rule in src/guide/snapshots.md: identity.py [FORMAT:]PATH..."""
import hashlib, os, sys

sys.dont_write_bytecode = True
import readers


def identity(entries):
    served = {}
    for name, content in entries:
        served.setdefault(name.replace(b"\\", b"/").lower(), content)
    whole = hashlib.sha256()
    for name in sorted(served):
        content = served[name]
        text = b"".join(b"\\x%02x" % byte if byte < 0x20 or byte == 0x7F else bytes([byte]) for byte in name)
        whole.update(b"%s %d %s\n" % (hashlib.sha256(content).hexdigest().encode(), len(content), text))
    return whole.hexdigest()


def files(root):
    for folder, _, names in os.walk(root):
        for name in names:
            path = os.path.join(folder, name)
            with open(path, "rb") as file:
                yield os.path.relpath(path, root).replace(os.sep.encode(), b"/"), file.read()


def main():
    for argument in sys.argv[1:]:
        form, _, path = argument.rpartition(":")
        read = {"": lambda _, path: files(os.fsencode(path)), "pk3": readers.pythons_zipfile}.get(form, readers.naive)
        print(identity(read(form, path)))


if __name__ == "__main__":
    main()

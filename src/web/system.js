// The worker: one request is one run of the program, on the part of WASI (preview 1) that it uses. Its files are
// Blobs, read in pieces, and its outputs become Blobs, so that no file is ever in memory as a whole.

// Reading a Blob or making one asks another process, which takes about a third of a millisecond. Measured: 8 MB at
// once cost half as much as 1 MB at a time.
const READ = 1 << 23; // bytes of a file that are read at once
const READ_KEPT = 2; // pieces of that size that are kept
const WRITE = 1 << 23; // bytes that are collected before they become a Blob
const LARGE = 1 << 20; // the size from which a write becomes a Blob at once, and a copy is not read
const HOLE = 1 << 16; // the most bytes that may be skipped and written later
const BEFORE = 1 << 10; // the bytes before a place that may be written after it

const OK = 0, BAD_FILE = 8, EXISTS = 20, INVALID = 28, IO = 29, NO_ENTRY = 44, NO_SYSTEM_CALL = 52, NOT_EMPTY = 55;
const CHARACTERS = 2, FOLDER = 3, FILE = 4;
const ROOT = 3; // the only folder that is open from the start
const CREATE = 1, NEW = 4, TRUNCATE = 8; // how a file is opened
const COPY = /^\.copy\/(\d+)\/(\d+)\/(\d+)\/(\d+)\/(\d+)$/; // from a file, at, to a file, at, length

/** Thrown where the program ends by itself. */
class Exit {
  constructor(code) {
    this.code = code;
  }
}

function bytesOf(blob) {
  return new Uint8Array(new FileReaderSync().readAsArrayBuffer(blob));
}

/** A file that was dropped. */
class Input {
  constructor(blob) {
    this.blob = blob;
    this.pieces = new Map();
  }

  get size() {
    return this.blob.size;
  }

  piece(number) {
    let piece = this.pieces.get(number);
    if (!piece) {
      if (this.pieces.size >= READ_KEPT) this.pieces.delete(this.pieces.keys().next().value);
      piece = bytesOf(this.blob.slice(number * READ, (number + 1) * READ));
    } else {
      this.pieces.delete(number); // and add it at the end again: the first one is the least recently used
    }
    this.pieces.set(number, piece);
    return piece;
  }

  /** Reads into `to` at the offset `at`, and returns the number of bytes. */
  read(to, at) {
    let done = 0;
    while (done < to.length && at + done < this.size) {
      const number = Math.floor((at + done) / READ);
      const from = at + done - number * READ;
      const some = this.piece(number).subarray(from, from + to.length - done);
      to.set(some, done);
      done += some.length;
    }
    return done;
  }

  write() {
    return BAD_FILE;
  }
}

/** A file that the program makes: ranges of Blobs in their order, between which it is zero, and what is written just now. */
class Output {
  constructor() {
    this.size = 0;
    this.parts = []; // { at, length, blob, from }: so many bytes of the Blob from there
    this.tail = { at: 0, length: 0, memory: new Uint8Array(WRITE) };
    this.lastRead = null; // the Blob that was read last, as an Input
  }

  get end() {
    const last = this.parts.at(-1);
    return last ? last.at + last.length : 0;
  }

  /** Puts a range of a Blob at this place, instead of whatever is there. */
  lay(at, blob, from, length) {
    const end = at + length;
    this.size = Math.max(this.size, end);
    if (this.continuesCopy(at, blob, from)) {
      this.parts.at(-1).length += length;
      return;
    }
    if (this.end > at) this.parts = [...this.cut(0, at), ...this.cut(end, this.end)];
    let number = this.parts.length;
    while (number > 0 && this.parts[number - 1].at > at) number--;
    this.parts.splice(number, 0, { at, length, blob, from });
  }

  /** Whether this range of a Blob follows the last part, both here and in the Blob. */
  continuesCopy(at, blob, from) {
    const last = this.parts.at(-1);
    return last?.blob === blob && this.end === at && last.from + last.length === from && this.tail.length === 0;
  }

  /** The parts of the file between two places. */
  cut(start, end) {
    const all = [];
    for (const { at, length, blob, from } of this.parts) {
      const first = Math.max(at, start);
      const until = Math.min(at + length, end);
      if (first < until) all.push({ at: first, length: until - first, blob, from: from + first - at });
    }
    return all;
  }

  /** Makes a Blob of what is written just now. That has a copy, so the memory serves again. */
  flush() {
    const { at, length, memory } = this.tail;
    if (length > 0) this.lay(at, new Blob([memory.subarray(0, length)]), 0, length);
    this.tail = { at: 0, length: 0, memory: memory.fill(0, 0, length) };
  }

  /** Whether what is written here goes to where something is written just now: not over what is laid between. */
  continues(at, length) {
    const { tail } = this;
    const room = this.end <= tail.at + tail.length ? HOLE : 0;
    return at >= tail.at && at + length <= tail.at + WRITE && at <= tail.at + tail.length + room;
  }

  /**
   * Begins to write here: a little earlier, with what is there already, because the header of a file is written after
   * its payload. Otherwise each header and each payload would become a Blob.
   */
  begin(at) {
    this.flush();
    const hole = at > this.end && at - this.end <= HOLE ? at - this.end : 0;
    const length = Math.min(at, hole + BEFORE);
    const { memory } = this.tail;
    const start = at - length;
    for (const part of this.cut(start, at)) {
      memory.set(bytesOf(part.blob.slice(part.from, part.from + part.length)), part.at - start);
    }
    this.tail = { at: start, length, memory };
  }

  write(bytes, at) {
    if (bytes.length >= LARGE) {
      this.flush();
      this.lay(at, new Blob([bytes]), 0, bytes.length);
      return OK;
    }
    if (this.tail.length === 0 || !this.continues(at, bytes.length)) this.begin(at);
    const { tail } = this;
    tail.memory.set(bytes, at - tail.at);
    tail.length = Math.max(tail.length, at - tail.at + bytes.length);
    this.size = Math.max(this.size, tail.at + tail.length);
    return OK;
  }

  /** Puts a range of another file here, which is not even read for it. */
  link(at, blob, from, length) {
    this.flush();
    this.lay(at, blob, from, length);
  }

  read(to, at) {
    this.flush();
    const end = Math.min(at + to.length, this.size);
    if (end <= at) return 0;
    to.fill(0, 0, end - at);
    for (const part of this.cut(at, end)) {
      if (this.lastRead?.blob !== part.blob) this.lastRead = new Input(part.blob);
      this.lastRead.read(to.subarray(part.at - at, part.at - at + part.length), part.from);
    }
    return end - at;
  }

  resize(size) {
    this.flush();
    this.parts = this.cut(0, size);
    this.size = size;
  }

  toBlob() {
    this.flush();
    const all = [];
    let end = 0;
    for (const { at, length, blob, from } of this.parts) {
      if (at > end) all.push(new Uint8Array(at - end));
      all.push(blob.slice(from, from + length));
      end = at + length;
    }
    if (this.size > end) all.push(new Uint8Array(this.size - end));
    return new Blob(all);
  }
}

/**
 * Runs the program. `files` are pairs of a path and a Blob; `line` is called with each object of its standard
 * output, which has one a line. Returns its exit status, its standard error, and what it has written, as pairs again. What it
 * throws otherwise is a defect of the program: `stderr` of the error says what it said of it.
 */
function run(module, args, files, line) {
  const inputs = new Map(files.map(([name, blob]) => [name, new Input(blob)]));
  const outputs = new Map();
  const folders = new Set(files.flatMap(([name]) => [...name.matchAll(/\//g)].map(({ index }) => name.slice(0, index))));
  const open = new Map();
  const encoder = new TextEncoder();
  const argv = ["daisho-web", ...args].map((arg) => encoder.encode(arg + "\0"));
  const texts = { 1: new TextDecoder(), 2: new TextDecoder() };
  let memory, stdout = "", stderr = "";

  const view = () => new DataView(memory.buffer);
  const slice = (at, length) => new Uint8Array(memory.buffer, at, length);
  const path = (at, length) => new TextDecoder().decode(slice(at, length)).replace(/^(\.?\/)+/, "");
  const wrap = (call) => (...numbers) => {
    try {
      return call(...numbers) ?? OK;
    } catch (error) {
      if (error instanceof DOMException) return IO; // the file has changed, or is gone
      throw error;
    }
  };

  function say(fd, bytes) {
    const text = texts[fd].decode(bytes, { stream: true });
    if (fd === 2) {
      stderr += text;
      return;
    }
    const lines = (stdout + text).split("\n");
    stdout = lines.pop();
    lines.forEach((it) => line(JSON.parse(it)));
  }

  /** Puts a range of a file into another one, which the program then neither reads nor writes. Returns its length. */
  function copied([from, start, to, at, length]) {
    const [source, target] = [open.get(from)?.file, open.get(to)?.file];
    if (!(source instanceof Input) || !(target instanceof Output)) return 0;
    if (length < LARGE && !target.continuesCopy(at, source.blob, start)) return 0;
    const found = Math.min(length, source.size - start);
    target.link(at, source.blob, start, found);
    return found;
  }

  /** Calls `use` with each of the program's buffers, until one is not used up. */
  function buffers(at, count, result, use) {
    let done = 0;
    for (let n = 0; n < count; n++) {
      const start = view().getUint32(at + 8 * n, true);
      const length = view().getUint32(at + 8 * n + 4, true);
      const used = use(slice(start, length), done);
      done += used;
      if (used < length) break;
    }
    view().setUint32(result, done, true);
  }

  function stat(at, type, size) {
    slice(at, 64).fill(0);
    view().setUint8(at + 16, type);
    view().setBigUint64(at + 24, 1n, true);
    view().setBigUint64(at + 32, BigInt(size), true);
  }

  function find(name) {
    const copy = COPY.exec(name);
    if (copy) return { type: FILE, size: copied(copy.slice(1).map(Number)) };
    if (name === "" || name === "." || folders.has(name)) return { type: FOLDER, size: 0 };
    const file = outputs.get(name) ?? inputs.get(name);
    return file && { type: FILE, size: file.size, file };
  }

  const system = {
    args_sizes_get(count, length) {
      view().setUint32(count, argv.length, true);
      view().setUint32(length, argv.reduce((sum, arg) => sum + arg.length, 0), true);
    },
    args_get(pointers, at) {
      argv.forEach((arg, n) => {
        view().setUint32(pointers + 4 * n, at, true);
        slice(at, arg.length).set(arg);
        at += arg.length;
      });
    },
    environ_sizes_get(count, length) {
      view().setUint32(count, 0, true);
      view().setUint32(length, 0, true);
    },
    environ_get() {},
    clock_time_get(_clock, _precision, result) {
      view().setBigUint64(result, BigInt(Math.round(performance.now() * 1e6)), true);
    },
    random_get(at, length) {
      for (let done = 0; done < length; done += 65536) {
        crypto.getRandomValues(slice(at + done, Math.min(65536, length - done)));
      }
    },
    proc_exit(code) {
      throw new Exit(code);
    },
    fd_prestat_get(fd, result) {
      if (fd !== ROOT) return BAD_FILE;
      view().setUint32(result, 0, true);
      view().setUint32(result + 4, 1, true);
    },
    fd_prestat_dir_name(fd, at) {
      if (fd !== ROOT) return BAD_FILE;
      slice(at, 1)[0] = "/".charCodeAt(0);
    },
    fd_fdstat_get(fd, result) {
      const type = fd < ROOT ? CHARACTERS : fd === ROOT ? FOLDER : FILE;
      slice(result, 24).fill(0);
      view().setUint8(result, type);
      slice(result + 8, 16).fill(255);
    },
    fd_filestat_get(fd, result) {
      const it = open.get(fd);
      if (!it) return BAD_FILE;
      stat(result, FILE, it.file.size);
    },
    path_filestat_get(_fd, _flags, at, length, result) {
      const found = find(path(at, length));
      if (!found) return NO_ENTRY;
      stat(result, found.type, found.size);
    },
    path_open(_fd, _dirflags, at, length, flags, _rights, _inherited, _fdflags, result) {
      const name = path(at, length);
      if (flags & NEW && find(name)) return EXISTS;
      if (flags & CREATE && (flags & TRUNCATE || !find(name))) outputs.set(name, new Output());
      const found = find(name);
      if (!found?.file) return NO_ENTRY;
      let fd = ROOT + 1;
      while (open.has(fd)) fd++;
      open.set(fd, { file: found.file, at: 0 });
      view().setUint32(result, fd, true);
    },
    path_create_directory(_fd, at, length) {
      const name = path(at, length);
      if (find(name)) return EXISTS;
      folders.add(name);
    },
    path_remove_directory(_fd, at, length) {
      const name = path(at, length);
      const isUsed = [...outputs.keys(), ...inputs.keys(), ...folders].some((it) => it.startsWith(`${name}/`));
      if (isUsed) return NOT_EMPTY;
      if (!folders.delete(name)) return NO_ENTRY;
    },
    path_rename(_fd, at, length, _newFd, newAt, newLength) {
      const name = path(at, length);
      const output = outputs.get(name);
      if (!output) return NO_ENTRY;
      outputs.delete(name);
      outputs.set(path(newAt, newLength), output);
    },
    path_unlink_file(_fd, at, length) {
      if (!outputs.delete(path(at, length))) return NO_ENTRY;
    },
    fd_filestat_set_size(fd, size) {
      const output = open.get(fd)?.file;
      if (!(output instanceof Output)) return BAD_FILE;
      output.resize(Number(size));
    },
    fd_sync() {},
    fd_close(fd) {
      open.delete(fd);
    },
    fd_seek(fd, offset, whence, result) {
      const it = open.get(fd);
      if (!it) return BAD_FILE;
      const at = [0, it.at, it.file.size][whence] + Number(offset);
      if (!(at >= 0)) return INVALID;
      it.at = at;
      view().setBigUint64(result, BigInt(at), true);
    },
    fd_read(fd, at, count, result) {
      const it = open.get(fd);
      if (!it && fd !== 0) return BAD_FILE;
      buffers(at, count, result, (buffer) => {
        const read = it ? it.file.read(buffer, it.at) : 0;
        if (it) it.at += read;
        return read;
      });
    },
    fd_write(fd, at, count, result) {
      const it = open.get(fd);
      if (!it && fd !== 1 && fd !== 2) return BAD_FILE;
      let failed = OK;
      buffers(at, count, result, (buffer) => {
        if (it) {
          failed = it.file.write(buffer, it.at);
          it.at += buffer.length;
        } else {
          say(fd, buffer.slice());
        }
        return buffer.length;
      });
      return failed;
    },
  };

  const calls = {};
  for (const { name } of WebAssembly.Module.imports(module)) {
    calls[name] = wrap(system[name] ?? (() => NO_SYSTEM_CALL));
  }
  const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: calls });
  memory = instance.exports.memory;
  let code = 0;
  try {
    instance.exports._start();
  } catch (error) {
    if (!(error instanceof Exit)) throw Object.assign(error, { stderr });
    code = error.code;
  }
  const written = [...outputs].map(([name, output]) => [name, output.toBlob()]);
  return { code, stderr, outputs: written, memory: memory.buffer.byteLength };
}

self.onmessage = ({ data: { module, args, files } }) => {
  const line = (it) => self.postMessage({ line: it });
  try {
    self.postMessage({ end: run(module, args, files, line) });
  } catch (error) {
    self.postMessage({ defect: `${error.stderr || ""}${error.stack || error}` });
  }
};

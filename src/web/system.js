// The system that the program runs on: as much of WASI (preview 1) as it asks for. Its files are Blobs, read
// in pieces; what it writes becomes Blobs, so that no file is ever in memory as a whole.

const READ = 1 << 21; // how much of a file is read at once
const READ_KEPT = 4; // and how many such pieces are kept
const WRITE = 1 << 22; // the same for outputs, of which each piece becomes a Blob
const WRITE_KEPT = 3;

const OK = 0, BAD_FILE = 8, INVALID = 28, IO = 29, NO_ENTRY = 44, NO_SYSTEM_CALL = 52;
const CHARACTERS = 2, FOLDER = 3, FILE = 4;
const ROOT = 3; // the one folder that is open from the start

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
      this.pieces.delete(number); // and behind all others again: the first is the one not used for longest
    }
    this.pieces.set(number, piece);
    return piece;
  }

  /** Reads into `to` what stands at `at`, and says how much that was. */
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

/** A file that the program makes. Pieces that it has not touched for a while are Blobs. */
class Output {
  constructor() {
    this.size = 0;
    this.pieces = [];
    this.kept = new Map();
  }

  piece(number) {
    while (this.pieces.length <= number) this.pieces.push(null);
    let piece = this.kept.get(number);
    if (piece) {
      this.kept.delete(number);
    } else {
      if (this.kept.size >= WRITE_KEPT) {
        // A Blob has a copy, so the memory serves again.
        const [oldest, bytes] = this.kept.entries().next().value;
        this.pieces[oldest] = new Blob([bytes]);
        this.kept.delete(oldest);
        piece = bytes.fill(0);
      }
      piece ??= new Uint8Array(WRITE);
      const blob = this.pieces[number];
      if (blob) piece.set(bytesOf(blob));
      this.pieces[number] = null;
    }
    this.kept.set(number, piece);
    return piece;
  }

  each(length, at, touch) {
    for (let done = 0; done < length;) {
      const number = Math.floor((at + done) / WRITE);
      const from = at + done - number * WRITE;
      const count = Math.min(WRITE - from, length - done);
      touch(this.piece(number).subarray(from, from + count), done);
      done += count;
    }
  }

  read(to, at) {
    const length = Math.max(0, Math.min(to.length, this.size - at));
    this.each(length, at, (piece, done) => to.set(piece, done));
    return length;
  }

  write(bytes, at) {
    this.each(bytes.length, at, (piece, done) => piece.set(bytes.subarray(done, done + piece.length)));
    this.size = Math.max(this.size, at + bytes.length);
    return OK;
  }

  toBlob() {
    const parts = [];
    for (let number = 0; number * WRITE < this.size; number++) {
      const part = this.kept.get(number) ?? this.pieces[number] ?? new Uint8Array(WRITE);
      const length = Math.min(WRITE, this.size - number * WRITE);
      parts.push(part instanceof Blob ? part.slice(0, length) : part.subarray(0, length));
    }
    return new Blob(parts);
  }
}

/**
 * Runs the program. `files` are pairs of a path and a Blob; `line` is called with each line of its standard
 * output. Returns its exit status, its standard error, and what it has written, as pairs again. What it
 * throws otherwise is a defect of the program: `stderr` of the error says what it said of it.
 */
export function run(module, args, files, line) {
  const inputs = new Map(files);
  const outputs = new Map();
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
    lines.forEach(line);
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
    if (name === "" || name === ".") return { type: FOLDER, size: 0 };
    const file = outputs.get(name) ?? (inputs.has(name) ? new Input(inputs.get(name)) : undefined);
    return file && { type: FILE, size: file.size, file };
  }

  function seek(fd, offset, whence, result) {
    const it = open.get(fd);
    if (!it) return BAD_FILE;
    const at = [0, it.at, it.file.size][whence] + Number(offset);
    if (!(at >= 0)) return INVALID;
    it.at = at;
    view().setBigUint64(result, BigInt(at), true);
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
    fd_fdstat_set_flags() {},
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
      const create = flags & 1, truncate = flags & 8;
      if (create && (truncate || !outputs.has(name))) outputs.set(name, new Output());
      const found = find(name);
      if (!found?.file) return NO_ENTRY;
      let fd = ROOT + 1;
      while (open.has(fd)) fd++;
      open.set(fd, { file: found.file, at: 0 });
      view().setUint32(result, fd, true);
    },
    fd_close(fd) {
      open.delete(fd);
    },
    fd_seek: seek,
    fd_tell(fd, result) {
      return seek(fd, 0, 1, result);
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

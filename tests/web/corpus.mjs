// The page's program beside the command, over the corpus: the same rows, counts, messages and bytes. Needs no browser,
// because Node runs the program, too. Called by `test`:
//
//   node corpus.mjs PROGRAM COMMAND

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const [program, command] = process.argv.slice(2).map((path) => resolve(path));
const corpus = resolve(import.meta.dirname, "../../corpus");
const work = mkdtempSync(join(tmpdir(), "daisho-corpus-"));
const module = await WebAssembly.compile(readFileSync(program));

/** A Blob in memory: Node reads its own only later, and the page's worker reads them at once. */
class Bytes {
  constructor(parts) {
    this.bytes = Buffer.concat(parts.map((it) => (it instanceof Bytes ? it.bytes : Buffer.from(it))));
  }
  get size() {
    return this.bytes.length;
  }
  slice(from, to) {
    return new Bytes([this.bytes.subarray(from, to)]);
  }
}
globalThis.Blob = Bytes;
globalThis.FileReaderSync = class {
  readAsArrayBuffer({ bytes }) {
    return new Uint8Array(bytes).buffer;
  }
};
globalThis.self = {};
await import("../../src/web/system.js");

const objects = (text) => text.split("\n").filter(Boolean).map((line) => JSON.parse(line));

/** Runs the page's program on a file. Returns what it reports, and the files that it makes. */
function page(path, verb, ...args) {
  const lines = [];
  let outputs;
  self.postMessage = ({ line, end, defect }) => {
    assert.equal(defect, undefined);
    if (line && !("progress" in line)) lines.push(line);
    if (end) outputs = new Map(end.outputs);
  };
  const files = [[path, new Bytes([readFileSync(join(corpus, path))])]];
  self.onmessage({ data: { module, args: [verb, ...args], files } });
  return { lines, outputs };
}

/** Runs the command, and returns its rows and the text of its messages. */
function daisho(...args) {
  const { stdout, stderr } = spawnSync(command, ["-v", "--color", "never", ...args], { encoding: "utf8", maxBuffer: 1 << 28 });
  return { rows: args.includes("--json") ? objects(stdout) : [], messages: stderr };
}

/** The sentences of errors and warnings, sorted. */
const sentences = (lines) => lines.map((it) => it.error ?? it.warning).filter(Boolean).sort();

/** Whether the command says each sentence that the page says. */
function assertSaid(said, messages, what) {
  for (const sentence of said) assert.ok(messages.includes(sentence), `${what}: the command does not say: ${sentence}\n${messages}`);
}

const archives = readdirSync(corpus, { recursive: true, withFileTypes: true })
  .filter((it) => it.isFile() && /\.(pak|sin|wad|pk3|zip)$/.test(it.name))
  .map((it) => join(it.parentPath, it.name).slice(corpus.length + 1))
  .sort();

let compared = 0, pictures = 0;
for (const archive of archives) {
  const path = join(corpus, archive);
  const { lines: opened } = page(archive, "open", archive);
  const info = opened.find((it) => it.info)?.info;
  const described = daisho("info", "--json", path);
  assertSaid(sentences(opened.flatMap((it) => it.unread ?? [])), described.messages, archive);
  if (!info) continue;
  // In a browser the name of a file is Unicode, as on Windows, so other names are not allowed.
  const allowed = ({ warnings }) => warnings.filter((it) => !/^names that are not allowed/.test(it));
  // Of an archive whose directory is cut, another object says so.
  const row = described.rows.find((it) => "format" in it);
  assert.deepEqual({ ...info, archive: path, warnings: allowed(info) }, { ...row, warnings: allowed(row) }, archive);
  const entries = opened.flatMap((it) => it.entries ?? []).map(([, kind, size]) => [kind, size]);
  // Of an entry that cannot be read, another object says so.
  const listed = daisho("list", "--json", path).rows.filter((it) => "kind" in it);
  assert.deepEqual(entries, listed.map((it) => [it.kind, it.size]), archive);

  const verified = page(archive, "verify", ".snapshot", archive);
  const snapshot = join(work, "snapshot.txt");
  assertSaid(sentences(verified.lines), daisho("verify", path, "--snapshot", snapshot, "--update").messages, archive);
  assert.deepEqual(verified.outputs.get(".snapshot").bytes, readFileSync(snapshot), archive);
  rmSync(snapshot);

  for (const { index } of listed.filter((it) => it.kind === "picture")) {
    const { lines, outputs } = page(archive, "png", ".png", archive, String(index));
    const { stdout, stderr } = spawnSync(command, ["cat", "-v", "--color", "never", "--png", path, "--index", String(index)]);
    const what = `${archive}, picture ${index}`;
    const png = outputs.get(".png")?.bytes ?? Buffer.alloc(0);
    assert.ok(png.equals(stdout), `${what}: other bytes`);
    if (png.length > 0) assertSaid(sentences(lines), stderr.toString(), what);
    pictures += 1;
  }

  for (const format of ["quake", "daikatana", "pk3"]) {
    const what = `${archive} to ${format}`;
    const { lines, outputs } = page(archive, "convert", ".converted", archive, format, "keep-going");
    const out = join(work, "converted");
    const { messages } = daisho("convert", path, "-o", out, "--to", format, "--keep-going");
    assertSaid(sentences(lines), messages, what);
    assert.equal(outputs.has(".converted"), existsSync(out), what);
    if (existsSync(out)) assert.ok(outputs.get(".converted").bytes.equals(readFileSync(out)), `${what}: other bytes`);
    rmSync(out, { force: true });
    compared += 1;
  }
}
rmSync(work, { recursive: true });
assert.ok(compared > 100 && pictures > 100, `${compared} conversions and ${pictures} pictures are too few`);
console.log(`ok: ${archives.length} archives of the corpus have the same rows, messages and bytes as in the command`);

// Compiles the descriptions in corpus/kaitai with Kaitai's own compiler, reads the corpus's paks with what comes
// out, decodes their streams by the described tokens, and compares with what daisho says of every entry.
//
// node kaitai.mjs DAISHO MODULES: the command, and a folder of npm packages that has kaitai-struct-compiler,
// kaitai-struct and js-yaml.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import vm from "node:vm";

const [daisho, modules] = process.argv.slice(2);
const require = createRequire(join(modules, "package.json"));
const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const compiler = require("kaitai-struct-compiler");
const { KaitaiStream } = require("kaitai-struct");
const yaml = require("js-yaml");

const load = async (name) => {
  const text = readFileSync(join(root, "corpus/kaitai", `${name}.ksy`), "utf8");
  const compile = compiler.compile ?? new compiler().compile;
  const files = await compile("javascript", yaml.load(text), { importYaml: () => {} }, false);
  const [[file, code]] = Object.entries(files);
  const module = { exports: {} };
  const lookUp = (wanted) => (wanted.startsWith("kaitai-struct") ? require(wanted) : module);
  vm.runInThisContext(`(function (module, exports, require) {${code}\n})`)(module, module.exports, lookUp);
  const made = module.exports;
  return made.default ?? made[basename(file, ".js")] ?? made;
};

const decode = (entry) => {
  if (entry.size === 0) return Buffer.alloc(0);
  if (!entry.isCompressed) return Buffer.from(entry.content);
  const out = [];
  for (const token of entry.stream.tokens) {
    if (token.control === 0xff) break;
    for (let n = 0; n < token.numWritten; n += 1) {
      if (token.control < 0x40) out.push(token.literal[n]);
      else if (token.control < 0x80) out.push(0);
      else if (token.control < 0xc0) out.push(token.value);
      else out.push(out[out.length - token.distanceMinus2 - 2]);
    }
  }
  return Buffer.from(out);
};

const crc32 = (bytes) => {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ((sum ^ 0xffffffff) >>> 0).toString(16).padStart(8, "0");
};

const readers = { quake: await load("quake_pak"), daikatana: await load("daikatana_pak") };
const paks = [];
for (const folder of ["paks/sound", "game/id1", "game/data", "game/arena"]) {
  const all = readdirSync(join(root, "corpus", folder));
  paks.push(...all.filter((name) => name.endsWith(".pak")).map((name) => join(root, "corpus", folder, name)));
}
const rows = (verb, pak) => {
  const lines = execFileSync(daisho, [verb, "-q", "--json", pak], { encoding: "utf8" }).trim().split("\n");
  return lines.filter(Boolean).map((line) => JSON.parse(line));
};
let entries = 0;
let compared = 0;
for (const pak of paks) {
  const [{ layout }] = rows("info", pak);
  const Reader = readers[layout];
  if (!Reader) continue;
  const read = new Reader(new KaitaiStream(readFileSync(pak)));
  const listed = rows("list", pak);
  const sums = rows("verify", pak);
  if (read.entries.length !== listed.length) throw new Error(`${pak}: ${read.entries.length} entries`);
  read.entries.forEach((entry, at) => {
    const row = listed[at];
    const name = Buffer.from(row.name_hex ?? Buffer.from(row.name).toString("hex"), "hex");
    if (!name.equals(Buffer.from(entry.name))) throw new Error(`${pak}: ${at} is ${row.name}`);
    if (entry.offset !== row.offset || entry.size !== row.size) throw new Error(`${pak}: ${at}`);
    entries += 1;
    // What is damaged has no content; where 0xfe is read as a copy, the tokens are others.
    if (sums[at].status === "damaged" || (sums[at].problem ?? "").includes("0xfe")) return;
    if (crc32(decode(entry)) !== sums[at].crc32) throw new Error(`${pak}: content of ${row.name}`);
    compared += 1;
  });
}
console.log(`kaitai: ${paks.length} paks, ${entries} entries, ${compared} contents agree`);
if (compared < 100) throw new Error("too few to mean anything");

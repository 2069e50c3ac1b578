// Shows an entry: its picture, map, sound, text or bytes, and its facts.

import { Cancelled, request } from "./program.js";
import { media } from "./viewer.js";
import { Messages, bytes, count, element } from "./words.js";

const TEXT_MAX = 256 << 10; // bytes of a text that are shown
const HEX_MAX = 1024; // bytes of any other file that are shown
const FRAMES_MAX = 64; // pictures of one file that are shown
const WIDE = 128; // narrower pictures are enlarged if a file has several
const THUMBS = 24; // pictures that one run of the program makes small
const THUMBS_KEPT = 600;

/** What a browser can show by itself, by how it begins. */
const known = [
  ["RIFF", "audio/wav", "sound"],
  ["OggS", "audio/ogg", "sound"],
  ["ID3", "audio/mpeg", "sound"],
  ["\x89PNG", "image/png", "picture"],
  ["\xff\xd8\xff", "image/jpeg", "picture"],
  ["GIF8", "image/gif", "picture"],
];

const noPictures = ["sound", "text", "code"];

/** Reads entries for the viewer, one after another. `files(file)` are its archive and those with palettes. */
export class Reader {
  constructor(files) {
    Object.assign(this, { files, running: null, urls: [], wanted: new Map(), thumbs: new Map(), isMaking: false });
  }

  url(blob) {
    const url = URL.createObjectURL(blob);
    this.urls.push(url);
    return url;
  }

  /** Looks at one file, and at no other any more. */
  async look(file) {
    this.running?.cancel();
    this.urls.splice(0).forEach((url) => URL.revokeObjectURL(url));
    const problems = new Messages();
    let facts = {}, seen = {};
    const files = this.files(file);
    const [path, ...beside] = files.map(([path]) => path);
    const running = request(["look", ".look", path, String(file.index), ...beside], files, (line) => {
      if ("facts" in line) facts = line;
      else if ("shown" in line) seen = line;
      else if ("error" in line || "warning" in line) problems.add(line);
    });
    this.running = running;
    let end;
    try {
      end = await running.done;
    } catch (error) {
      if (error instanceof Cancelled) return null;
      throw error;
    }
    const blob = end.outputs[0]?.[1] ?? new Blob([]);
    const stage = element("div", { class: "preview" }, problems.root);
    if (seen.shown) stage.prepend(await this.preview(seen, blob, file));
    return { stage, facts: factsOf(facts, seen.palette), isPicture: seen.shown === "picture" };
  }

  async preview(seen, blob, { name, kind }) {
    if (seen.shown === "picture") return this.pictures(seen.frames, blob, name);
    if (seen.shown === "map") {
      const src = this.url(new Blob([blob], { type: "image/svg+xml" }));
      return media("map", src, `${name}, drawn from above`);
    }
    const start = new Uint8Array(await blob.slice(0, TEXT_MAX).arrayBuffer());
    const begins = String.fromCharCode(...start.subarray(0, 4));
    const [, type, look] = known.find(([magic]) => begins.startsWith(magic)) ?? [];
    if (type && (look === "picture" || kind === "sound")) {
      return media(look, this.url(new Blob([blob], { type })), name);
    }
    if (blob.size === 0) return element("p", { class: "quiet" }, "It is empty.");
    return isText(start, kind) ? textOf(start, blob.size) : hexOf(start, blob.size);
  }

  async pictures(frames, blob, name) {
    const figures = [];
    let at = 0;
    for (const [label, width, height] of frames.slice(0, FRAMES_MAX)) {
      const length = width * height * 4;
      const pixels = new Uint8ClampedArray(await blob.slice(at, at + length).arrayBuffer());
      at += length;
      const canvas = canvasOf(pixels, width, height, `${name} ${label}`);
      canvas.className = "picture";
      if (frames.length === 1) return canvas;
      canvas.style.width = `${width * Math.max(1, Math.floor(WIDE / width))}px`;
      const caption = [label, `${width} × ${height}`].filter(Boolean).join(", ");
      figures.push(element("figure", {}, canvas, element("figcaption", {}, caption)));
    }
    const more = frames.length - figures.length;
    return element("div", { class: "pictures" }, ...figures, more > 0 ? `and ${more} more` : null);
  }

  // Small pictures for tiles. The visible ones are requested together, so that one run of the program makes many.

  thumb(file, isWanted) {
    if (noPictures.includes(file.kind) || file.problem) return null;
    const made = this.thumbs.get(file);
    if (made) return made;
    return new Promise((resolve) => {
      this.wanted.set(file, { resolve, isWanted });
      if (!this.isMaking) setTimeout(() => this.makeThumbs(), 20);
    });
  }

  async makeThumbs() {
    if (this.isMaking) return;
    this.isMaking = true;
    while (this.wanted.size > 0) {
      for (const [file, { isWanted }] of this.wanted) if (!isWanted()) this.wanted.delete(file);
      const [[first] = []] = this.wanted;
      if (!first) break;
      const some = [...this.wanted].filter(([file]) => file.of === first.of).slice(0, THUMBS);
      for (const [file] of some) this.wanted.delete(file);
      await this.makeSome(some).catch(() => {}); // a tile without a picture names its kind
    }
    this.isMaking = false;
  }

  async makeSome(some) {
    const files = this.files(some[0][0]);
    const [path, ...beside] = files.map(([path]) => path);
    const lines = new Map();
    const indices = some.map(([file]) => file.index).join(",");
    const end = await request(["thumbs", ".thumbs", path, indices, ...beside], files, (line) => {
      if ("length" in line) lines.set(line.index, line);
    }).done;
    for (const [file, { resolve }] of some) {
      const line = lines.get(file.index);
      const blob = line && end.outputs[0][1].slice(line.at, line.at + line.length);
      const made = blob ? await this.small(line.look, blob) : null;
      if (made) {
        this.thumbs.set(file, made);
        if (this.thumbs.size > THUMBS_KEPT) this.thumbs.delete(this.thumbs.keys().next().value);
      }
      resolve(made);
    }
  }

  async small({ shown, width, height, type }, blob) {
    if (shown === "pixels") {
      const canvas = canvasOf(new Uint8ClampedArray(await blob.arrayBuffer()), width, height, "");
      canvas.className = "picture";
      return canvas;
    }
    const image = media(shown, URL.createObjectURL(new Blob([blob], { type })), "");
    await image.decode().catch(() => {});
    URL.revokeObjectURL(image.src);
    return image;
  }
}

function canvasOf(pixels, width, height, name) {
  const canvas = element("canvas", { width, height, role: "img", "aria-label": name });
  canvas.getContext("2d").putImageData(new ImageData(pixels, width, height), 0, 0);
  return canvas;
}

/** What the program says of an entry, as pairs of a label and a text. */
function factsOf(said, palette) {
  const facts = [];
  if (said.type) facts.push(["type", said.type]);
  if (said.packed) facts.push(["compressed to", bytes(said.packed)]);
  for (const [label, lines] of said.facts ?? []) facts.push([label, lines.join("\n")]);
  for (const remark of said.remarks ?? []) facts.push(["note", remark]);
  if (palette) facts.push(["palette", palette]);
  return facts;
}

const texts = ["text", "config", "script", "code"];

function isText(start, kind) {
  const some = start.subarray(0, 4096);
  const odd = some.filter((byte) => byte < 32 && ![9, 10, 13, 26].includes(byte)).length;
  return texts.includes(kind) ? odd < some.length / 10 : odd === 0;
}

function textOf(start, size) {
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: size <= start.length }).decode(start);
  } catch {
    text = new TextDecoder("windows-1252").decode(start);
  }
  const rest = size - start.length;
  return element(
    "div",
    {},
    element("pre", { tabindex: 0, role: "region", "aria-label": "Content" }, text),
    rest > 0 ? element("p", { class: "quiet" }, `and ${count(rest, "byte", "bytes")} more`) : null,
  );
}

function hexOf(start, size) {
  const lines = [];
  const shown = start.subarray(0, HEX_MAX);
  for (let at = 0; at < shown.length; at += 16) {
    const row = [...shown.subarray(at, at + 16)];
    const hex = row.map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
    const plain = row.map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : ".")).join("");
    lines.push(`${at.toString(16).padStart(6, "0")}  ${hex.padEnd(47)}  ${plain}`);
  }
  if (size > shown.length) lines.push(`... and ${bytes(size - shown.length)} more`);
  return element(
    "div",
    {},
    element("p", {}, "There is no preview of this file."),
    element("details", {}, element("summary", {}, "Its first bytes"),
      element("pre", { tabindex: 0, role: "region", "aria-label": "The first bytes" }, lines.join("\n"))),
  );
}

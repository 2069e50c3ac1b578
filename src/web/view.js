// One entry: its facts, and what can be seen or heard of it.

import { Cancelled, request } from "./program.js";
import { Messages, bytes, count, download, element, fileName, message } from "./words.js";

const TEXT_MAX = 256 << 10; // bytes of a text that are shown
const HEX_MAX = 1024; // bytes of anything else
const FRAMES_MAX = 64; // pictures that are shown of one file
const WIDE = 256; // a picture below this width is made larger

const texts = ["text", "config", "script", "code"];

/** What a browser can show by itself, by how it begins. */
const known = [
  ["RIFF", "audio/wav", "audio"],
  ["OggS", "audio/ogg", "audio"],
  ["ID3", "audio/mpeg", "audio"],
  ["\x89PNG", "image/png", "img"],
  ["\xff\xd8\xff", "image/jpeg", "img"],
  ["GIF8", "image/gif", "img"],
];

export class View {
  constructor(root) {
    this.root = root;
    this.urls = [];
    this.running = null;
  }

  clear(...children) {
    this.running?.cancel();
    this.running = null;
    this.urls.forEach((url) => URL.revokeObjectURL(url));
    this.urls = [];
    this.root.replaceChildren(...children);
  }

  url(blob) {
    const url = URL.createObjectURL(blob);
    this.urls.push(url);
    return url;
  }

  /** Shows the entry of this number. `files` are all archives, that of the entry first. */
  async show(files, index, name, failed) {
    const title = element("h3", {}, name);
    this.clear(title, element("p", { class: "quiet" }, "Reading ..."));
    const problems = new Messages();
    let facts = {}, seen = {}, palette;
    const [path, ...beside] = files.map(([path]) => path);
    const running = request(["look", ".look", path, String(index), ...beside], files, (line) => {
      if ("size" in line) facts = line;
      else if ("shown" in line) seen = line;
      else if ("palette" in line) palette = line.palette;
      else if ("error" in line || "warning" in line) problems.add(line);
    });
    this.running = running;
    let end;
    try {
      end = await running.done;
    } catch (error) {
      if (!(error instanceof Cancelled)) failed(error);
      if (this.running === running) this.clear(title);
      return;
    }
    if (this.running !== running) return;
    const blob = end.outputs[0]?.[1] ?? new Blob([]);
    const preview = seen.shown ? await this.preview(seen, blob, facts, name) : null;
    if (this.running !== running) return;
    const save = element("button", { type: "button", onclick: () => this.save(files, index, name, failed) });
    save.textContent = "Save this file";
    this.saved = element("span", { role: "status" });
    this.root.replaceChildren(
      element("div", { class: "title" }, title, save, this.saved),
      ...(preview ? [preview] : []),
      problems.root,
      this.facts(facts, palette),
    );
  }

  facts(facts, palette) {
    const row = (label, lines) => [element("dt", {}, label), ...lines.map((it) => element("dd", {}, it))];
    const rows = [];
    if (facts.type) rows.push(row("type", [facts.type]));
    if ("size" in facts) {
      const packed = facts.compressed ? `, compressed to ${bytes(facts.packed)}` : "";
      rows.push(row("size", [`${bytes(facts.size)}${packed}`]));
      rows.push(row("at", [`byte ${facts.offset}`]));
    }
    for (const [label, lines] of facts.facts ?? []) rows.push(row(label, lines));
    if (palette) rows.push(row("drawn with", [palette]));
    for (const remark of facts.remarks ?? []) rows.push(row("note", [remark]));
    return element("dl", {}, ...rows.flat());
  }

  async preview(seen, blob, facts, name) {
    if (seen.shown === "picture") return this.pictures(seen.frames, blob, name);
    if (seen.shown === "map") {
      const image = new Blob([await blob.text()], { type: "image/svg+xml" });
      return element("img", { class: "map", src: this.url(image), alt: `${name}, drawn from above` });
    }
    const start = new Uint8Array(await blob.slice(0, TEXT_MAX).arrayBuffer());
    const begins = String.fromCharCode(...start.subarray(0, 4));
    const [, type, tag] = known.find(([magic]) => begins.startsWith(magic)) ?? [];
    if (type && (tag === "img" || facts.kind === "sound")) {
      const src = this.url(new Blob([blob], { type }));
      return tag === "img"
        ? element("img", { src, alt: name })
        : element("audio", { src, controls: true, "aria-label": name });
    }
    if (blob.size === 0) return element("p", { class: "quiet" }, "It is empty.");
    return isText(start, facts.kind) ? textOf(start, blob.size) : hexOf(start, blob.size);
  }

  async pictures(frames, blob, name) {
    const figures = [];
    let at = 0;
    for (const [label, width, height] of frames.slice(0, FRAMES_MAX)) {
      const length = width * height * 4;
      const pixels = new Uint8ClampedArray(await blob.slice(at, at + length).arrayBuffer());
      at += length;
      const canvas = element("canvas", { width, height, role: "img", "aria-label": `${name} ${label}` });
      canvas.getContext("2d").putImageData(new ImageData(pixels, width, height), 0, 0);
      const wide = frames.length > 1 ? WIDE / 2 : WIDE;
      canvas.style.width = `${width * Math.max(1, Math.floor(wide / width))}px`;
      const caption = [label, `${width} × ${height}`].filter(Boolean).join(", ");
      figures.push(element("figure", {}, canvas, element("figcaption", {}, caption)));
    }
    const more = frames.length - figures.length;
    return element("div", { class: "pictures" }, ...figures, more > 0 ? `and ${more} more` : null);
  }

  async save(files, index, name, failed) {
    this.saved.textContent = "Reading ...";
    const errors = [];
    const line = (it) => "error" in it && errors.push(it);
    const args = ["content", ".content", files[0][0], String(index)];
    try {
      const end = await request(args, files.slice(0, 1), line).done;
      if (end.code === 0) this.saved.replaceChildren(download(end.outputs[0][1], fileName(name)));
      else this.saved.replaceChildren(element("ul", { class: "messages" }, ...errors.map(message)));
    } catch (error) {
      this.saved.textContent = "";
      failed(error);
    }
  }
}

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
  return element("pre", { tabindex: 0, role: "region", "aria-label": "The first bytes" }, lines.join("\n"));
}

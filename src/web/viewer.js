// The viewer: filters, a grid or a list of any number of files, and one file in a dialog. The page and the pages
// that `daisho gallery` writes both use it.

import { bytes, element, lastPart } from "./words.js";

const GAP = 8; // pixels between tiles
const UNDER = 44; // pixels of text below a tile's picture
const ROW = 30; // height of a row of the list, as in the style sheet
const AROUND = 2; // rows that are kept above and below those in view
const HEIGHT_MAX = 8e6; // what every browser can still scroll
const ZOOMS = ["fit", "1:1", "2:1", "4:1", "8:1"];

/** An element that shows or plays a file which the browser understands. */
export function media(look, src, name) {
  if (look === "sound") return element("audio", { src, controls: true, "aria-label": name });
  if (look === "text") return element("iframe", { src, sandbox: "", title: name });
  return element("img", { src, class: look, alt: name, decoding: "async" });
}

/** Whether names match what was typed: all of its words, or a glob as the command takes it. */
function matcher(text) {
  const typed = text.trim().toLowerCase();
  if (!/[*?]/.test(typed)) {
    const words = typed.split(/\s+/);
    return (name) => words.every((word) => name.includes(word));
  }
  const glob = typed.replace(/[.+^${}()|[\]\\]/g, "\\$&").replace(/\*/g, ".*").replace(/\?/g, ".");
  const pattern = new RegExp(`^${glob}$`);
  return (name) => pattern.test(typed.includes("/") ? name : lastPart(name));
}

export class Viewer {
  /**
   * A file is `{ archive, index, name, kind, size, problem, under, mark }`; the last three may be missing. `mark`
   * says in a word how the file was changed.
   *
   * `host.thumb(file)` returns the small picture of a tile, a promise of it, or nothing.
   * `host.look(file)` returns a promise of `{ stage, facts, buttons }`: what is shown, pairs of a label and a
   * text, and more buttons for the dialog. `host.changed(files)` gets the files that the filters leave.
   */
  constructor(root, host) {
    Object.assign(this, { host, all: [], files: [], tiles: new Map(), focus: 0, zoom: 0 });
    const select = (id) => element("select", { id, onchange: () => this.filter() });
    this.search = element("input", {
      id: "filter", type: "search", placeholder: "part of a name, or *.bsp", autocomplete: "off",
      spellcheck: "false", oninput: () => this.filter(), onkeydown: (event) => {
        if (event.key === "ArrowDown") this.go(this.focus);
      },
    });
    this.selects = { archive: select("of-archive"), kind: select("of-kind"), folder: select("of-folder") };
    this.size = element("input", {
      id: "tile-size", type: "range", min: 72, max: 288, step: 24, value: 144, oninput: () => this.redraw(),
    });
    this.asList = element("input", { id: "as-list", type: "checkbox", onchange: () => this.redraw() });
    this.count = element("p", { id: "count", role: "status", class: "quiet" });
    this.sheet = element("ul", { class: "sheet", "aria-label": "Files" });
    this.box = element("div", { id: "entries" }, this.sheet);
    const label = (text, control) => element("label", {}, `${text} `, control);
    root.replaceChildren(
      element("div", { class: "filters", role: "search" },
        label("Search", this.search), label("Archive", this.selects.archive), label("Kind", this.selects.kind),
        label("Folder", this.selects.folder), label("Size", this.size), label("List", this.asList), this.count),
      this.box, this.makeDialog());
    this.box.addEventListener("scroll", () => this.draw(), { passive: true });
    this.sheet.addEventListener("keydown", (event) => this.key(event));
    this.sheet.addEventListener("click", (event) => {
      const tile = event.target.closest("[data-at]");
      if (tile) this.open(Number(tile.dataset.at));
    });
    new ResizeObserver(() => this.draw()).observe(this.box);
    addEventListener("keydown", (event) => {
      const isTyping = ["INPUT", "SELECT"].includes(event.target.tagName);
      if (event.key !== "/" || isTyping || this.dialog.open || root.offsetParent === null) return;
      event.preventDefault();
      this.search.focus();
    });
  }

  // Filters.

  /** Shows these files instead of those before: all, or those that match the filters and from the same place. */
  show(files, isSameList = false) {
    const { focus } = this;
    const { scrollTop } = this.box;
    const chosen = Object.values(this.selects).map((it) => it.value);
    this.all = files;
    for (const file of files) {
      const end = file.name.lastIndexOf("/");
      Object.assign(file, { folder: file.name.slice(0, end + 1), last: file.name.slice(end + 1), lower: file.name.toLowerCase() });
    }
    const folders = ({ folder }) => [...folder.matchAll(/\//g)].map(({ index }) => folder.slice(0, index + 1));
    this.choices(this.selects.archive, (file) => [file.archive]);
    this.choices(this.selects.kind, (file) => [file.kind]);
    this.choices(this.selects.folder, folders);
    if (!isSameList) {
      this.search.value = "";
      this.filter();
      return;
    }
    Object.values(this.selects).forEach((it, at) => {
      const hasIt = [...it.options].some(({ value }) => value === chosen[at]);
      it.value = hasIt ? chosen[at] : "";
    });
    this.filter();
    this.focus = Math.max(0, Math.min(focus, this.files.length - 1));
    this.box.scrollTop = scrollTop;
    this.redraw();
  }

  /** The folder that is chosen, with a slash behind it, or nothing. */
  get folder() {
    return this.selects.folder.value.slice(1);
  }

  /** Fills a select with what the files have, and how many have it. */
  choices(select, of) {
    const counts = new Map();
    for (const file of this.all) for (const it of of(file)) counts.set(it, (counts.get(it) ?? 0) + 1);
    const some = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
    const option = ([it, number]) => new Option(`${it} (${number})`, `=${it}`);
    select.replaceChildren(new Option(`all (${this.all.length})`, ""), ...some.map(option));
    select.closest("label").hidden = some.length < 2;
  }

  filter() {
    const matches = matcher(this.search.value);
    const [archive, kind, folder] = Object.values(this.selects).map((it) => it.value.slice(1));
    this.files = this.all.filter((it) =>
      (!archive || it.archive === archive) && (!kind || it.kind === kind) && it.folder.startsWith(folder) && matches(it.lower));
    const size = this.files.reduce((sum, file) => sum + file.size, 0);
    this.count.textContent = `${this.files.length} of ${this.all.length} files, ${bytes(size)}`;
    this.focus = 0;
    this.box.scrollTop = 0;
    this.redraw();
    this.host.changed?.(this.files);
  }

  // The grid or list. Only the tiles in view, and those next to them, are in the document.

  measure() {
    if (this.asList.checked) return { columns: 1, step: 0, height: ROW };
    const tile = Number(this.size.value);
    const columns = Math.max(1, Math.floor((this.box.clientWidth - GAP) / (tile + GAP)));
    return { columns, step: tile + GAP, height: tile + UNDER };
  }

  /** How many pixels of files one pixel of scrolling moves: one, unless the files are millions. */
  get scale() {
    const { columns, height } = this.measure();
    const full = Math.ceil(this.files.length / columns) * height;
    const view = this.box.clientHeight;
    return full > HEIGHT_MAX ? (full - view) / (HEIGHT_MAX - view) : 1;
  }

  /** Makes all tiles again. */
  redraw() {
    this.tiles.clear();
    this.sheet.replaceChildren();
    this.box.classList.toggle("list", this.asList.checked);
    this.box.style.setProperty("--tile", `${this.size.value}px`);
    this.draw();
  }

  draw() {
    const { columns, step, height } = this.measure();
    this.sheet.style.height = `${Math.min(Math.ceil(this.files.length / columns) * height, HEIGHT_MAX)}px`;
    const top = this.box.scrollTop * this.scale;
    const first = Math.max(0, Math.floor(top / height) - AROUND) * columns;
    const last = Math.min(this.files.length, (Math.ceil((top + this.box.clientHeight) / height) + AROUND) * columns);
    for (const [at, tile] of this.tiles) {
      if (at >= first && at < last) continue;
      tile.remove();
      this.tiles.delete(at);
    }
    let next = this.sheet.firstChild;
    for (let at = first; at < last; at++) {
      let tile = this.tiles.get(at);
      if (tile) {
        next = tile.nextSibling;
      } else {
        tile = this.tile(this.files[at], at);
        this.tiles.set(at, tile);
        this.sheet.insertBefore(tile, next);
      }
      tile.style.left = `${(at % columns) * step}px`;
      tile.style.top = `${this.box.scrollTop + Math.floor(at / columns) * height - top}px`;
    }
  }

  tile(file, at) {
    const look = element("span", { class: "look", "aria-hidden": "true" }, file.kind === "sound" ? "♪ sound" : file.kind);
    const under = file.problem ?? file.under ?? [file.mark, bytes(file.size)].filter(Boolean).join(", ");
    const button = element("button",
      { type: "button", class: `tile ${file.problem ? "bad" : file.mark ? "changed" : ""}`, title: file.name, "data-at": at,
        tabindex: at === this.focus ? 0 : -1, "aria-label": `${file.name}, ${file.kind}, ${under}` },
      look,
      element("span", { class: "name" }, element("span", { class: "folder" }, file.folder), file.last),
      element("span", { class: "kind" }, file.kind),
      element("span", { class: "under" }, under));
    const fill = (thumb) => {
      if (!thumb) return;
      look.className = `look ${thumb.className}`;
      look.replaceChildren(thumb);
    };
    const thumb = this.asList.checked ? null : this.host.thumb(file, () => button.isConnected);
    if (thumb instanceof Promise) thumb.then(fill, () => {});
    else fill(thumb);
    return element("li", { "aria-setsize": this.files.length, "aria-posinset": at + 1 }, button);
  }

  /** Moves the focus to a file, and scrolls until it is in view. */
  go(to) {
    const at = Math.max(0, Math.min(this.files.length - 1, to));
    if (this.files.length === 0) return;
    this.tiles.get(this.focus)?.firstChild.setAttribute("tabindex", -1);
    this.focus = at;
    const { columns, height } = this.measure();
    const { box, scale } = this;
    const top = Math.floor(at / columns) * height;
    if (top < box.scrollTop * scale) box.scrollTop = top / scale;
    const bottom = top + height - box.clientHeight;
    if (bottom > box.scrollTop * scale) box.scrollTop = Math.ceil(bottom / scale);
    this.draw();
    const button = this.tiles.get(at)?.firstChild;
    button?.setAttribute("tabindex", 0);
    button?.focus({ preventScroll: true });
  }

  key(event) {
    const { columns, height } = this.measure();
    const page = Math.max(1, Math.floor(this.box.clientHeight / height)) * columns;
    const to = {
      ArrowLeft: this.focus - 1, ArrowRight: this.focus + 1, ArrowUp: this.focus - columns,
      ArrowDown: this.focus + columns, PageUp: this.focus - page, PageDown: this.focus + page,
      Home: 0, End: this.files.length - 1,
    }[event.key];
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.go(to);
  }

  // One file.

  makeDialog() {
    const button = (text, name, onclick) => element("button", { type: "button", title: name, "aria-label": name, onclick }, text);
    this.title = element("h2", { id: "view-name" });
    this.previous = button("←", "Previous file (left arrow)", () => this.open(this.focus - 1));
    this.next = button("→", "Next file (right arrow)", () => this.open(this.focus + 1));
    this.zoomer = element("button", { type: "button", id: "zoom", title: "Next zoom (z)", onclick: () => this.nextZoom() });
    this.more = element("span", { class: "group" });
    this.stage = element("div", { id: "stage", tabindex: -1 });
    this.facts = element("dl", { id: "facts" });
    const close = button("✕", "Close (Escape)", () => this.dialog.close());
    close.className = "close";
    this.dialog = element("dialog", { id: "view", "aria-labelledby": "view-name" },
      element("div", { class: "bar" }, this.title, this.more, this.zoomer, this.previous, this.next, close),
      this.stage, this.facts);
    this.dialog.addEventListener("click", (event) => event.target === this.dialog && this.dialog.close());
    this.dialog.addEventListener("close", () => {
      if (this.dialog.open) return; // opened again before this event came
      this.looking = null;
      this.stage.replaceChildren();
      this.go(this.focus);
    });
    this.dialog.addEventListener("keydown", (event) => {
      if (event.target.tagName === "AUDIO") return;
      if (event.key === "ArrowLeft") this.open(this.focus - 1);
      else if (event.key === "ArrowRight") this.open(this.focus + 1);
      else if (event.key === "z") this.nextZoom();
    });
    return this.dialog;
  }

  async open(at) {
    const file = this.files[at];
    if (!file) return;
    this.focus = at;
    this.title.textContent = file.name;
    this.previous.disabled = at === 0;
    this.next.disabled = at + 1 === this.files.length;
    this.present(file, { stage: element("p", { class: "quiet" }, "Reading ..."), facts: [] });
    if (!this.dialog.open) this.dialog.showModal();
    const looking = this.host.look(file);
    this.looking = looking;
    const look = await looking;
    if (this.looking === looking && look) this.present(file, look);
  }

  present(file, { stage, facts, buttons = [] }) {
    const all = [["archive", `${file.archive}, entry ${file.index}`], ["kind", file.kind], ["size", bytes(file.size)]];
    if (file.problem) all.push(["problem", file.problem]);
    const others = this.all.filter((it) => it.lower === file.lower && it !== file);
    const places = others.map((it) => `${it.archive}, entry ${it.index}`);
    if (places.length > 0) facts = [...facts, ["the same name in", places.join("\n")]];
    this.stage.replaceChildren(stage);
    this.more.replaceChildren(...buttons);
    const rows = [...all, ...facts].map(([label, text]) => [element("dt", {}, label), element("dd", {}, text)]);
    this.facts.replaceChildren(...rows.flat());
    for (const image of this.images()) image.addEventListener("load", () => this.applyZoom());
    this.applyZoom();
  }

  images() {
    return [...this.stage.querySelectorAll("img, canvas")];
  }

  nextZoom() {
    this.zoom = (this.zoom + 1) % ZOOMS.length;
    this.applyZoom();
  }

  applyZoom() {
    const images = this.images();
    this.zoomer.hidden = images.length === 0;
    this.zoomer.textContent = ZOOMS[this.zoom];
    for (const image of images) {
      const own = (image.dataset.width ??= image.style.width);
      const width = image.naturalWidth ?? image.width;
      image.classList.toggle("fit", this.zoom === 0 && images.length === 1);
      image.style.width = this.zoom > 0 ? `${width * 2 ** (this.zoom - 1)}px` : own;
    }
  }
}

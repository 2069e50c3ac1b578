"use strict";
// The list comes in pieces behind this script: archives("name", ...), then files([...], ...) as often as there
// are pieces, then start(). All text of theirs goes in by textContent, so that no name can be more than a name.
const paths = [];
const all = [];
const archives = (...names) => paths.push(...names);
const files = (...rows) => {
  for (const [archive, index, name, kind, size, look, thumb, full, facts, problem] of rows) {
    const cut = name.lastIndexOf("/");
    all.push({ archive, index, name, kind, size, look, thumb, full, facts, problem,
      folder: cut < 0 ? "" : name.slice(0, cut), last: name.slice(cut + 1), lower: name.toLowerCase() });
  }
};
const start = () => {
  const by = (id) => document.getElementById(id);
  const [grid, count, none, viewer, stage] = ["grid", "count", "none", "viewer", "stage"].map(by);
  const [search, archive, kind, folder, size] = ["search", "archive", "kind", "folder", "size"].map(by);
  const make = (tag, className, text) => {
    const made = document.createElement(tag);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const bytes = (n) => n < 10000 ? `${n} bytes` : n < 1e6 ? `${(n / 1e3).toFixed(1)} kB` : `${(n / 1e6).toFixed(1)} MB`;

  // Filters.
  const tally = (of) => {
    const counts = new Map();
    for (const file of all) for (const key of of(file)) counts.set(key, (counts.get(key) || 0) + 1);
    return counts;
  };
  const options = (select, word, counts, shown) => {
    select.add(new Option(`${word} (${all.length})`, ""));
    for (const [key, n] of counts) select.add(new Option(`${shown(key)} (${n})`, `=${key}`));
  };
  const sorted = (counts) => new Map([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
  const folders = (file) => {
    const parts = file.folder.split("/");
    return file.folder ? parts.map((_, n) => parts.slice(0, n + 1).join("/")) : [];
  };
  options(archive, "all", tally((file) => [file.archive]), (n) => paths[n]);
  options(kind, "all", sorted(tally((file) => [file.kind])), (word) => word);
  options(folder, "all", sorted(tally(folders)), (path) => `${path}/`);
  const also = tally((file) => [file.lower]);

  // The grid holds the tiles that are seen, and those next to them.
  let shown = all;
  let focus = 0;
  const tiles = new Map();
  const measure = () => {
    const tile = Number(size.value);
    const width = Math.max(grid.clientWidth, tile);
    const columns = Math.max(1, Math.floor((width + 8) / (tile + 8)));
    return { tile, columns, step: tile + 8, high: tile + 40 };
  };
  const tileOf = (file, at) => {
    const item = make("li");
    const button = make("button", "tile");
    button.type = "button";
    const look = make("span", "look");
    if (file.thumb) {
      const image = make("img");
      image.loading = "lazy";
      image.decoding = "async";
      image.alt = "";
      image.src = file.thumb;
      look.append(image);
      look.classList.add(file.look === "map" ? "map" : "clear");
      button.classList.add("small");
    } else {
      look.textContent = file.problem ? file.problem : { sound: "♪ sound", text: "text" }[file.look] || file.kind;
    }
    if (file.problem) button.classList.add("bad");
    const under = file.facts.length && file.facts[0][0] === "" ? file.facts[0][1] : bytes(file.size);
    button.append(look, make("span", "name", file.last), make("span", "under", under));
    button.title = file.name;
    button.setAttribute("aria-label", `${file.name}, ${file.kind}, ${under}${file.problem ? `, ${file.problem}` : ""}`);
    button.tabIndex = at === focus ? 0 : -1;
    button.addEventListener("click", () => open(at));
    item.setAttribute("aria-setsize", shown.length);
    item.setAttribute("aria-posinset", at + 1);
    item.append(button);
    return item;
  };
  const draw = () => {
    const { tile, columns, step, high } = measure();
    document.documentElement.style.setProperty("--tile", `${tile}px`);
    grid.style.height = `${Math.ceil(shown.length / columns) * high}px`;
    const top = Math.max(0, -grid.getBoundingClientRect().top);
    const first = Math.max(0, Math.floor(top / high) - 2) * columns;
    const last = Math.min(shown.length, (Math.ceil((top + innerHeight) / high) + 2) * columns);
    for (const [at, item] of tiles) {
      if (at < first || at >= last) {
        item.remove();
        tiles.delete(at);
      }
    }
    for (let at = first; at < last; at += 1) {
      let item = tiles.get(at);
      if (!item) {
        item = tileOf(shown[at], at);
        tiles.set(at, item);
        // In their order, as a screen reader and the tab key go.
        const after = [...tiles.keys()].filter((other) => other > at).sort((a, b) => a - b)[0];
        grid.insertBefore(item, after === undefined ? null : tiles.get(after));
      }
      item.style.left = `${(at % columns) * step}px`;
      item.style.top = `${Math.floor(at / columns) * high}px`;
    }
  };
  let waiting = false;
  const redraw = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; draw(); });
  };
  const clear = () => {
    for (const item of tiles.values()) item.remove();
    tiles.clear();
  };
  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const value = (select) => select.value && select.value.slice(1);
    const [inArchive, ofKind, below] = [archive, kind, folder].map(value);
    shown = all.filter((file) =>
      (!archive.value || String(file.archive) === inArchive)
      && (!kind.value || file.kind === ofKind)
      && (!folder.value || file.folder === below || file.folder.startsWith(`${below}/`))
      && words.every((word) => file.lower.includes(word)));
    focus = 0;
    const total = shown.reduce((sum, file) => sum + file.size, 0);
    count.textContent = `${shown.length} of ${all.length} files, ${bytes(total)}`;
    none.hidden = shown.length > 0;
    clear();
    scrollTo(0, 0);
    draw();
  };
  const go = (at) => {
    if (at < 0 || at >= shown.length) return;
    const old = tiles.get(focus);
    if (old) old.firstChild.tabIndex = -1;
    focus = at;
    const { columns, high } = measure();
    const top = grid.offsetTop + Math.floor(at / columns) * high;
    const bar = document.querySelector("header").offsetHeight;
    if (top < scrollY + bar) scrollTo(0, top - bar);
    if (top + high > scrollY + innerHeight) scrollTo(0, top + high - innerHeight);
    draw();
    const item = tiles.get(at);
    if (item) {
      item.firstChild.tabIndex = 0;
      item.firstChild.focus({ preventScroll: true });
    }
  };

  // One file.
  let zoom = 0;
  const zooms = ["fit", "1:1", "2:1", "4:1", "8:1"];
  const scale = () => {
    const image = stage.querySelector("img");
    by("zoom").textContent = zooms[zoom];
    by("zoom").hidden = !image;
    if (!image) return;
    image.classList.toggle("fit", zoom === 0);
    image.style.width = zoom ? `${image.naturalWidth * 2 ** (zoom - 1)}px` : "";
  };
  const open = (at) => {
    const file = shown[at];
    focus = at;
    by("viewer-name").textContent = file.name;
    stage.replaceChildren();
    stage.classList.toggle("clear", file.look === "picture");
    if (file.look === "picture" || file.look === "map") {
      const image = make("img", file.look);
      image.alt = `${file.kind} ${file.name}`;
      image.addEventListener("load", scale);
      image.src = file.full;
      stage.append(image);
    } else if (file.look === "sound") {
      const audio = make("audio");
      audio.controls = true;
      audio.src = file.full;
      stage.append(audio);
    } else if (file.look === "text") {
      const frame = make("iframe");
      frame.title = `text of ${file.name}`;
      frame.setAttribute("sandbox", "");
      frame.src = file.full;
      stage.append(frame);
    } else {
      stage.append(make("p", file.problem ? "bad" : "", file.problem || "There is nothing to look at: its facts are beside."));
    }
    const facts = by("facts");
    facts.replaceChildren();
    const add = (label, text) => facts.append(make("dt", "", label), make("dd", "", text));
    add("archive", `${paths[file.archive]}, entry ${file.index}`);
    add("kind", file.kind);
    add("size", bytes(file.size));
    if (file.problem) add("problem", file.problem);
    for (const [label, text] of file.facts) if (label) add(label, text);
    if (also.get(file.lower) > 1) {
      const others = all.filter((other) => other.lower === file.lower && other !== file);
      add("the same name in", others.map((other) => `${paths[other.archive]}, entry ${other.index}`).join("\n"));
    }
    by("previous").disabled = at === 0;
    by("next").disabled = at + 1 === shown.length;
    scale();
    if (!viewer.open) viewer.showModal();
  };
  const step = (by) => {
    const at = focus + by;
    if (at >= 0 && at < shown.length) open(at);
  };
  by("previous").addEventListener("click", () => step(-1));
  by("next").addEventListener("click", () => step(1));
  by("close").addEventListener("click", () => viewer.close());
  by("zoom").addEventListener("click", () => { zoom = (zoom + 1) % zooms.length; scale(); });
  viewer.addEventListener("click", (event) => { if (event.target === viewer) viewer.close(); });
  viewer.addEventListener("close", () => { stage.replaceChildren(); go(focus); });
  viewer.addEventListener("keydown", (event) => {
    if (event.target.tagName === "AUDIO") return;
    if (event.key === "ArrowLeft") step(-1);
    else if (event.key === "ArrowRight") step(1);
    else if (event.key === "z") { zoom = (zoom + 1) % zooms.length; scale(); }
  });
  grid.addEventListener("keydown", (event) => {
    const { columns } = measure();
    const moves = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns,
      PageUp: -4 * columns, PageDown: 4 * columns, Home: -focus, End: shown.length - 1 - focus };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    go(Math.min(Math.max(focus + move, 0), shown.length - 1));
  });
  addEventListener("keydown", (event) => {
    if (event.key === "/" && !viewer.open && document.activeElement !== search) {
      event.preventDefault();
      search.focus();
    }
  });
  document.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
  search.addEventListener("input", filter);
  for (const select of [archive, kind, folder]) select.addEventListener("change", filter);
  size.addEventListener("input", () => { clear(); draw(); });
  addEventListener("scroll", redraw, { passive: true });
  addEventListener("resize", redraw);
  filter();
};

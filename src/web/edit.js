// Changes of an archive. After each one the program makes all of them again, so the list shows what will be saved,
// and a change that the program refuses is never kept. That is fast: what stays of an archive is not even read.

import { ofInput } from "./dropped.js";
import { ask, download, element, fileName, lastPart, messages } from "./words.js";

const OUT = ".edited";

/** The largest archive that is copied into memory when it is saved: the user may save it over the dropped file. */
const COPY_MAX = 64 << 20;

/** How many names of new files a dialog lists. */
const NAMES_MAX = 5;

/** Whether the program makes such a picture of a PNG. */
const isMadeOfPng = (name) => /\.(wal|mip|lmp|pcx|tga|bmp)$/i.test(name);

/** Whether it is a file that systems and tools leave in folders. */
const isLitter = (path) => path.split("/").some((part) => /^\.|~$|^(thumbs\.db|desktop\.ini)$/i.test(part));

async function isPng(blob) {
  const start = new Uint8Array(await blob.slice(0, 4).arrayBuffer());
  return String.fromCharCode(...start) === "\x89PNG";
}

/** Whether a file can be named in a request: as plain text, and as a path that stays as it is. */
export function isEditable(file) {
  return !file.name.includes("\\") && !file.name.split("/").some((part) => ["", ".", ".."].includes(part));
}

/** A file in words, and how many have its name: a change is about all of them. */
function named(file) {
  const all = file.of.files.filter((it) => it.name === file.name).length;
  return all === 1 ? file.name : `all ${all} files named ${file.name}`;
}

/** Lets the user choose files, and returns them with their paths. Never ends if the user chooses none. */
export function pick(input) {
  return new Promise((resolve) => {
    input.onchange = () => {
      const files = ofInput(input);
      input.value = ""; // so that the same file can be chosen again
      resolve(files);
    };
    input.click();
  });
}

/**
 * A change is `{ words, parts, palette, keepGoing, replaced, made, mark, said }`: what it does, its part in the request,
 * the palette for its pictures, whether damaged files are left out, the names that it replaces, the new names with their
 * mark, and the warnings about it. An archive has its `changes`, its `file` with
 * them, and the `source` without them.
 */
export class Editor {
  /**
   * `host.run(what, args, files, line)` runs a request. `host.read(what, files)` returns the archives in files.
   * `host.options()` are a palette for new pictures, as a path and a file, and whether damaged files are left out.
   * `host.changed(archive)` shows the archive again.
   */
  constructor(host) {
    this.host = host;
  }

  /** Gives an archive these changes instead of those it has. Returns null, or the messages if they are refused. */
  async apply(archive, changes) {
    const keepGoing = changes.some((it) => it.keepGoing);
    const args = ["edit", OUT, archive.path, keepGoing ? "keep-going" : "all-or-nothing"];
    const files = [[archive.path, archive.source]];
    for (const [number, { parts, palette }] of changes.entries()) {
      let colours = "";
      if (palette) {
        colours = `.palette/${files.length}/${palette.name}`;
        files.push([colours, palette]);
      }
      for (const [verb, name, more] of parts) {
        if (more instanceof Blob) {
          const path = `.new/${number}/${name}`;
          files.push([path, more]);
          args.push(verb, path, colours);
        } else {
          args.push(verb, name, more ?? "");
        }
      }
    }
    const said = [];
    let file = archive.source;
    if (changes.length > 0) {
      const line = (it) => {
        const withNames = JSON.stringify(it).replace(/\.new\/\d+\//g, "");
        if ("error" in it || "warning" in it) said.push(JSON.parse(withNames));
      };
      const end = await this.host.run(`Changing ${archive.path}`, args, files, line);
      file = end && new Map(end.outputs).get(OUT);
      if (!file) return said;
    }
    const read = await this.host.read(`Reading ${archive.path}`, [[archive.path, file]]);
    if (!read) return [];
    const [now] = read.opened;
    if (!now) return read.unread;
    const before = new Set(archive.files.map((it) => it.name));
    // All changes are made again, so the warnings about earlier ones are repeated.
    const repeated = new Set(archive.changes.flatMap((it) => it.said).map((it) => JSON.stringify(it)));
    for (const change of changes.filter((it) => !archive.changes.includes(it))) {
      change.made = now.files.map((it) => it.name).filter((name) => !before.has(name));
      change.said = said.filter((it) => !repeated.has(JSON.stringify(it)));
    }
    Object.assign(archive, now, { source: archive.source, changes });
    for (const it of archive.files) it.of = archive;
    markFiles(archive);
    this.host.changed(archive);
    return null;
  }

  /** Makes one more change, with the palette and the choice about damaged files that there are now. */
  append(archive, change) {
    const { palette, keepGoing } = this.host.options();
    const [, file] = palette ?? [];
    return this.apply(archive, [...archive.changes, { replaced: [], mark: "added", palette: file, keepGoing, ...change }]);
  }

  /** Replaces the content of a file by a file that the user chooses. A PNG becomes a picture of the same type. */
  async replace(file, input) {
    const [[, chosen]] = await pick(input);
    const name = isMadeOfPng(file.name) && (await isPng(chosen)) ? `${file.name}.png` : file.name;
    return this.append(file.of, {
      words: `Replace ${named(file)} with ${chosen.name}`, replaced: [file.name], parts: [["replace", name, chosen]],
    });
  }

  remove(file) {
    return this.append(file.of, { words: `Remove ${named(file)}`, parts: [["remove", file.name]] });
  }

  /** Asks for a new name until the program takes it. Returns the name, or null if the user cancels. */
  async rename(file) {
    const name = element("input", { type: "text", required: true, value: file.name, spellcheck: "false" });
    let refused = [];
    while (refused) {
      const content = [element("label", {}, "New name ", name), messages(refused)];
      if (!(await ask(`Rename ${file.name}`, content, ["Rename"]))) return null;
      const to = name.value.trim();
      const change = { words: `Rename ${named(file)} to ${to}`, mark: "renamed", parts: [["rename", file.name, to]] };
      refused = await this.append(file.of, change);
    }
    const [made] = file.of.changes.at(-1).made;
    return made ?? file.name;
  }

  /** Asks for the name of a file, or the folder of several, and adds them. `folder` is empty or ends with a slash. */
  async add(archive, chosen, folder) {
    const files = chosen.length > 1 ? chosen.filter(([path]) => !isLitter(path)) : chosen;
    if (files.length === 0) return;
    const [[first, file]] = files;
    // The folder that was chosen is in the field, where it can be changed.
    const top = first.slice(0, first.indexOf("/") + 1);
    const common = files.every(([path]) => path.startsWith(top)) ? top : "";
    const isOne = files.length === 1;
    const where = element("input", {
      type: "text", required: isOne, spellcheck: "false", value: folder + (isOne ? first : common), oninput: () => draw(),
    });
    const replaces = element("input", { type: "checkbox" });
    const preview = element("ul", { class: "quiet" });
    const names = () => {
      const typed = where.value.trim().replaceAll("\\", "/").replace(/^\/+/, "");
      if (isOne) return [typed];
      const start = typed.replace(/([^/])$/, "$1/");
      return files.map(([path]) => start + path.slice(common.length));
    };
    const draw = () => {
      const more = files.length - NAMES_MAX;
      const items = isOne ? [] : names().slice(0, NAMES_MAX);
      if (more > 0) items.push(`and ${more} more`);
      preview.replaceChildren(...items.map((it) => element("li", {}, it)));
    };
    draw();
    const title = `Add ${isOne ? file.name : `${files.length} files`} to ${lastPart(archive.path)}`;
    let refused = [];
    while (refused) {
      const content = [
        element("label", {}, isOne ? "Name in the archive " : "Folder in the archive ", where), preview,
        element("label", {}, replaces, " replace files of the same name"), messages(refused),
      ];
      if (!(await ask(title, content, ["Add"]))) return;
      const all = names();
      const verb = replaces.checked ? "replace" : "add";
      const parts = all.map((name, at) => [verb, name, files[at][1]]);
      const words = isOne ? `Add ${all[0]}` : `Add ${files.length} files: ${all[0]}, ...`;
      const replaced = replaces.checked ? all.flatMap((name) => [name, name.replace(/\.png$/i, "")]) : [];
      refused = await this.append(archive, { words, parts, replaced });
    }
  }

  /** Takes one change back. Returns null, or why another change needs it. */
  undo(archive, change) {
    return this.apply(archive, archive.changes.filter((it) => it !== change));
  }

  /**
   * Hands the changed archive to the user. It is the archive from now on, without open changes. Returns a link, or null
   * if it cannot be read: a file of the user from which it takes something has changed. Then the changes stay.
   */
  async save(archive) {
    let { file } = archive;
    try {
      if (file.size <= COPY_MAX) file = new Blob([await file.arrayBuffer()]);
      else await file.stream().pipeTo(new WritableStream());
    } catch {
      return null;
    }
    const link = download(file, fileName(archive.path));
    Object.assign(archive, { source: file, file, changes: [] });
    markFiles(archive);
    this.host.changed(archive);
    return link;
  }
}

/** Marks the files that the changes of their archive have made. */
function markFiles({ files, changes }) {
  const marks = new Map();
  for (const { replaced, made, mark } of changes) {
    for (const name of replaced) marks.set(name, marks.get(name) ?? "replaced");
    for (const name of made) marks.set(name, mark);
  }
  for (const file of files) file.mark = marks.get(file.name);
}

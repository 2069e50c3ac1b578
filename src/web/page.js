// The page: what was dropped, the archive that is chosen, and what is done with it.

import { apart, ofDrop, ofInput } from "./dropped.js";
import { List } from "./list.js";
import { Cancelled, Defect, request } from "./program.js";
import { View } from "./view.js";
import { Messages, bytes, count, download, element, lastPart, message } from "./words.js";

const get = (id) => document.getElementById(id);
const status = (text) => (get("status").textContent = text);

const archives = []; // in the order in which they came
let chosen = null;
let running = null; // the request that takes long, of which there is one at a time

const view = new View(get("view"));
const list = new List(get("entries"), fillRow, (row) => {
  view.show(besides(chosen), row[5], row[0], failed);
});

function fillRow(box, [name, kind, size, , damage]) {
  const at = name.lastIndexOf("/") + 1;
  box.append(
    element(
      "span",
      { class: damage ? "name damaged" : "name" },
      element("span", { class: "folder" }, name.slice(0, at)),
      name.slice(at),
    ),
    element("span", { class: "kind" }, damage ? "damaged" : kind),
    element("span", { class: "size" }, bytes(size)),
  );
}

/** The chosen archive as a file for the program, and behind it those that may have a palette for it. */
function besides(archive) {
  const folder = (it) => it.path.slice(0, -lastPart(it.path).length);
  const near = (it) => (folder(it) === folder(archive) ? 0 : 1);
  const others = archives.filter((it) => it !== archive && it.format);
  others.sort((a, b) => near(a) - near(b));
  return [archive, ...others].map((it) => [it.path, it.file]);
}

/** Says that something went wrong that should never do so. */
function failed(error) {
  if (error instanceof Cancelled) return;
  const what = error instanceof Defect ? error.message : `${error.stack || error}`;
  const box = get("defect");
  box.querySelector("pre").textContent = what;
  box.hidden = false;
  status("A defect of daisho was met.");
}

// Long requests: one at a time, with its progress, and a way to end it.

function busy(is) {
  get("job").hidden = !is;
  for (const it of document.querySelectorAll("[data-job]")) it.disabled = is;
}

/** Runs a request; what it says goes to `line`. Returns its end, or nothing where it was cancelled or failed. */
async function long(what, args, files, line) {
  const bar = get("progress");
  bar.removeAttribute("value");
  get("what").textContent = what;
  status(`${what} ...`);
  busy(true);
  const focus = document.activeElement;
  try {
    running = request(args, files, (it) => {
      if ("progress" in it) bar.value = it.of > 0 ? it.progress / it.of : 1;
      else line(it);
    });
    return await running.done;
  } catch (error) {
    status(error instanceof Cancelled ? `${what}: cancelled.` : "");
    failed(error);
  } finally {
    running = null;
    busy(false);
    if (document.activeElement === document.body) focus?.focus();
  }
}

// What was dropped.

async function add(dropped) {
  if (running || dropped.length === 0) return;
  const files = apart(dropped, archives.map((it) => it.path));
  const found = new Map();
  let others = 0;
  const line = (it) => {
    if ("rows" in it) {
      const rows = found.get(it.file).rows;
      it.rows.forEach((row) => rows.push([...row, rows.length]));
    } else if (it.other && files.length > 1) {
      others += 1;
    } else {
      const [path, file] = files[it.file];
      found.set(it.file, { ...it, path, file, rows: [] });
    }
  };
  const what = files.length === 1 ? `Reading ${files[0][0]}` : `Reading ${files.length} files`;
  const end = await long(what, ["open", ...files.map(([path]) => path)], files, line);
  if (!end) return;
  const opened = [...found.values()];
  archives.push(...opened);
  const passed = others > 0 ? `, ${count(others, "other file", "other files")} passed over` : "";
  status(`${count(opened.length, "archive", "archives")} added${passed}.`);
  get("passed").textContent = others > 0 ? `Passed over: ${count(others, "file that is no archive", "files that are no archives")}.` : "";
  document.body.classList.toggle("begun", archives.length > 0);
  if (opened.length > 0) choose(opened.find((it) => it.format) ?? opened[0]);
}

function drawArchives() {
  const item = (it) => {
    const words = it.format ? `${it.format}, ${count(it.entries, "entry", "entries")}` : "cannot be read";
    const button = element(
      "button",
      { type: "button", "aria-current": it === chosen ? "true" : false, onclick: () => choose(it) },
      element("span", { class: "path" }, it.path),
      element("span", { class: "quiet" }, words),
    );
    return element("li", {}, button);
  };
  get("archives").replaceChildren(...archives.map(item));
}

// The archive that is chosen.

function choose(archive) {
  chosen = archive;
  get("archive").hidden = false;
  view.clear(element("p", { class: "quiet" }, "Choose an entry to look at it."));
  drawArchives();
  get("title").textContent = archive.path;
  get("results").hidden = true;
  get("readable").hidden = !archive.format;
  get("notes").replaceChildren();
  if (!archive.format) {
    get("summary").textContent = "";
    get("notes").append(message(archive));
    return;
  }
  const content = archive.rows.reduce((sum, row) => sum + row[2], 0);
  get("summary").textContent =
    `${archive.format}: ${count(archive.entries, "entry", "entries")} of ${bytes(content)}, in a file of ${bytes(archive.length)}`;
  get("why").replaceChildren(...archive.why.map((why) => element("li", {}, why)));
  get("notes").append(...archive.notes.map(message));
  drawEngines(get("engines"), archive.engines);
  const to = get("to");
  if (to.value === archive.format) to.value = archive.format === "quake" ? "pk3" : "quake";
  get("filter").value = "";
  filter();
}

function drawEngines(box, engines) {
  const item = ({ name, loads, verdict, why }) =>
    element(
      "li",
      { class: loads ? "loads" : "refuses" },
      element("strong", {}, `${name}: ${verdict}`),
      ...why.map((it) => element("p", {}, it)),
    );
  box.replaceChildren(...engines.map(item));
  box.closest("details").hidden = engines.length === 0;
}

/** Whether a name is meant: by a part of it, or by a glob as the command takes them. */
function matcher(text) {
  const asked = text.trim().toLowerCase();
  if (!/[*?]/.test(asked)) return (name) => name.includes(asked);
  const glob = asked.replace(/[.+^${}()|[\]\\]/g, "\\$&").replace(/\*/g, ".*").replace(/\?/g, ".");
  const pattern = new RegExp(`^${glob}$`);
  return (name) => pattern.test(asked.includes("/") ? name : lastPart(name));
}

function filter() {
  const matches = matcher(get("filter").value);
  const rows = chosen.rows.filter(([name]) => matches(name.toLowerCase()));
  list.show(rows);
  const all = chosen.rows.length;
  get("count").textContent =
    rows.length === all ? count(all, "entry", "entries") : `${rows.length} of ${count(all, "entry", "entries")}`;
  const whole = rows.length === all;
  get("zip").textContent = whole ? "Extract all as a ZIP" : `Extract ${rows.length} as a ZIP`;
  get("zip").disabled = rows.length === 0;
}

// What is done with it.

const stem = (path) => lastPart(path).replace(/(.)\.[^.]*$/, "$1");

/** Runs a request about the chosen archive, and shows its messages and its result below the buttons. */
async function work(what, args, files, result) {
  const problems = new Messages();
  const box = element("div", { class: "result" });
  const results = get("results");
  results.replaceChildren(box, problems.root);
  results.hidden = true;
  problems.onadd = () => (results.hidden = false);
  let said = null;
  const end = await long(what, args, files, (it) => {
    if ("error" in it || "warning" in it) problems.add(it);
    else said = it;
  });
  if (!end) return;
  if (!said) {
    status(`${what}: failed.`);
    return;
  }
  results.hidden = false;
  const words = result(said, said.out ? new Map(end.outputs).get(said.out) : null, box);
  status(words);
}

function convert() {
  const archive = chosen;
  const to = get("to").value;
  const args = ["convert", ".converted", archive.path, to];
  if (get("keep-going").checked) args.push("keep-going");
  work(`Converting ${archive.path} to ${to}`, args, [[archive.path, archive.file]], (it, blob, box) => {
    const missing = count(it.failed, "entry cannot be read", "entries cannot be read");
    if (!blob) {
      const words = it.failed > 0 ? `Nothing was made: ${missing}.` : "Nothing was made: there is no entry.";
      box.append(element("p", { class: "bad" }, words));
      return words;
    }
    const words = it.failed > 0 ? `Converted without some: ${missing}.` : `Converted: ${count(it.entries, "entry", "entries")}.`;
    const name = `${stem(archive.path)}.${it.extension}`;
    const engines = element("ul", { class: "engines" });
    box.append(
      element("p", { class: it.failed > 0 ? "bad" : "good" }, `${words} `, download(blob, name)),
      element("details", {}, element("summary", {}, "Which engines load it"), engines),
    );
    drawEngines(engines, it.engines);
    return words;
  });
}

function zip() {
  const archive = chosen;
  const all = list.rows.length === archive.rows.length;
  const indices = all ? [] : list.rows.map((row) => String(row[5]));
  const args = ["zip", ".zipped", archive.path, ...indices];
  work(`Extracting ${archive.path}`, args, [[archive.path, archive.file]], (it, blob, box) => {
    const missing = it.failed > 0 ? `, ${count(it.failed, "entry was", "entries were")} left out` : "";
    const words = `${count(it.left, "file", "files")} extracted${missing}.`;
    const link = blob && download(blob, `${stem(archive.path)}.zip`);
    box.append(element("p", { class: it.failed > 0 ? "bad" : "good" }, `${words} `, link ?? ""));
    return words;
  });
}

function verify(snapshot) {
  const archive = chosen;
  const files = [[archive.path, archive.file]];
  const args = ["verify", ".snapshot", archive.path];
  if (snapshot) {
    const [[path, file]] = apart([[snapshot.name, snapshot]], [archive.path]);
    files.push([path, file]);
    args.push(path);
  }
  work(`Verifying ${archive.path}`, args, files, (it, blob, box) => {
    const odd = it.odd > 0 ? `, ${it.odd} with warnings` : "";
    let words = `${count(it.entries, "entry", "entries")}, ${bytes(it.bytes)}: `;
    words += it.damaged > 0 ? `${it.damaged} damaged${odd}.` : `all sound${odd}.`;
    let well = it.damaged === 0;
    const differences = it.differences;
    if (differences) {
      words += differences.length === 0 ? " The same as the snapshot." : ` ${count(differences.length, "difference", "differences")} from the snapshot.`;
      well &&= differences.length === 0;
    }
    box.append(element("p", { class: well ? "good" : "bad" }, words));
    const name = `${stem(archive.path)}.txt`;
    const save = element("button", { type: "button" }, "Save the snapshot");
    save.onclick = () => save.replaceWith(download(blob, name));
    box.append(element("p", {}, save));
    if (differences?.length > 0) {
      const item = ({ change, name, from }) =>
        element("li", {}, element("strong", {}, `${change} `), name, from ? ` (was ${from})` : null);
      box.append(element("ul", { class: "differences" }, ...differences.slice(0, 1000).map(item)));
    }
    return words;
  });
}

// What the user does.

for (const id of ["files", "folder"]) {
  get(id).addEventListener("change", async ({ target }) => {
    const files = ofInput(target);
    target.value = ""; // so that the same can be chosen again
    await add(files).catch(failed);
  });
}
get("snapshot").addEventListener("change", ({ target }) => {
  const [file] = target.files;
  target.value = "";
  if (file && chosen?.format) verify(file);
});
get("close").addEventListener("click", () => {
  const at = archives.indexOf(chosen);
  archives.splice(at, 1);
  const next = archives[Math.min(at, archives.length - 1)];
  if (next) {
    choose(next);
    return;
  }
  chosen = null;
  view.clear();
  drawArchives();
  get("archive").hidden = true;
  document.body.classList.remove("begun");
  get("choose-files").focus();
});
get("convert").addEventListener("click", convert);
get("zip").addEventListener("click", zip);
get("verify").addEventListener("click", () => verify(null));
get("compare").addEventListener("click", () => get("snapshot").click());
get("choose-files").addEventListener("click", () => get("files").click());
get("choose-folder").addEventListener("click", () => get("folder").click());
get("cancel").addEventListener("click", () => running?.cancel());
get("filter").addEventListener("input", filter);
get("filter").addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown") {
    event.preventDefault();
    get("entries").focus();
    list.go(Math.max(0, list.active));
  }
});
get("dismiss").addEventListener("click", () => (get("defect").hidden = true));

const drop = document.documentElement;
drop.addEventListener("dragover", (event) => {
  event.preventDefault();
  document.body.classList.add("over");
});
drop.addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) document.body.classList.remove("over");
});
drop.addEventListener("drop", (event) => {
  event.preventDefault();
  document.body.classList.remove("over");
  ofDrop(event.dataTransfer).then(add).catch(failed);
});
busy(false);

// The page: the dropped files, the chosen archive, and the actions on it.

import { apart, ofDrop, ofInput } from "./dropped.js";
import { Editor, isEditable, pick } from "./edit.js";
import { Reader } from "./look.js";
import { Cancelled, Defect, request } from "./program.js";
import { Viewer } from "./viewer.js";
import { Messages, ask, bytes, count, download, element, fileName, lastPart, messages } from "./words.js";

const get = (id) => document.getElementById(id);
const status = (text) => (get("status").textContent = text);
const isArchive = (name) => /\.(pak|pk3|pk4|pkz|kpf|zip|wad|sin|dat)$/i.test(name);

const archives = []; // in the order in which they were dropped
let chosen = null; // null if all are shown
let running = null; // the long request, of which only one runs at a time
let palette = null; // a path and a file, for pictures without a palette

const reader = new Reader((file) => besides(file.of));
const viewer = new Viewer(get("viewer"), {
  thumb: (file, isWanted) => reader.thumb(file, isWanted),
  look: (file) => look(file).catch(failed),
  changed: label,
});
const editor = new Editor({ run: long, read, changed, options: () => ({ palette, keepGoing: get("keep-going").checked }) });

/** An archive as a file for the program, and after it the archives that may have a palette for it. */
function besides(archive) {
  const folder = (it) => it.path.slice(0, -lastPart(it.path).length);
  const near = (it) => (folder(it) === folder(archive) ? 0 : 1);
  const others = archives.filter((it) => it !== archive);
  others.sort((a, b) => near(a) - near(b));
  const files = [archive, ...others].map((it) => [it.path, it.file]);
  if (palette) files.splice(1, 0, palette);
  return files;
}

/** One entry, and what can be done with it. */
async function look(file) {
  const seen = await reader.look(file);
  if (!seen) return null;
  const button = (text, onclick) => element("button", { type: "button", onclick }, text);
  const buttons = [button("Save", () => save(["content", ".saved", file.of.path, String(file.index)], file, ""))];
  if (seen.isPicture) {
    const beside = besides(file.of).slice(1).map(([path]) => path);
    buttons.push(button("Save as PNG", () => save(["png", ".saved", file.of.path, String(file.index), ...beside], file, ".png")));
  }
  if (isArchive(file.name)) buttons.push(button("Open this archive", () => openNested(file)));
  const edits = [
    button("Replace...", () => replace(file).catch(failed)),
    button("Rename...", () => rename(file).catch(failed)),
    button("Remove", () => remove(file).catch(failed)),
  ];
  for (const it of edits) {
    if (isEditable(file)) {
      it.dataset.job = "";
      it.disabled = running !== null;
    } else {
      it.disabled = true;
      it.title = "The name is not plain text. Use the command to change this file.";
    }
  }
  return { ...seen, buttons: [...buttons, ...edits] };
}

async function replace(file) {
  const refused = await editor.replace(file, get("replacement"));
  if (refused) showRefused(refused);
  else await showChanged(file.of, file.name);
}

async function rename(file) {
  const name = await editor.rename(file);
  if (name !== null) await showChanged(file.of, name);
}

async function remove(file) {
  const refused = await editor.remove(file);
  if (refused) showRefused(refused);
  else viewer.dialog.close();
}

/** Shows why the file that is shown cannot be changed. */
function showRefused(lines) {
  viewer.stage.querySelector(".saved")?.remove();
  viewer.stage.append(element("div", { class: "saved", role: "alert" }, messages(lines)));
}

/** Shows a file after a change, with the focus where it was. If the filters hide it now, shows the list. */
async function showChanged(archive, name) {
  const at = viewer.files.findIndex((it) => it.of === archive && it.name === name);
  if (at < 0) {
    viewer.dialog.close();
    return;
  }
  const focus = document.activeElement.textContent;
  await viewer.open(at);
  [...viewer.more.children].find((it) => it.textContent === focus)?.focus();
}

/** Runs a request that makes one file, and hands it to the user. */
async function save(args, file, extension) {
  viewer.stage.querySelector(".saved")?.remove(); // what the last action said
  status("");
  const problems = new Messages();
  const line = (it) => ("error" in it || "warning" in it) && problems.add(it);
  const end = await request(args, besides(file.of), line).done.catch(failed);
  if (!end) return;
  const link = end.code === 0 ? download(end.outputs[0][1], fileName(file.name) + extension) : problems.root;
  viewer.stage.append(element("p", { class: "saved", role: "status" }, link));
}

/** Opens an archive that is an entry of another. */
async function openNested(file) {
  const args = ["content", ".nested", file.of.path, String(file.index)];
  const end = await long(`Reading ${file.name}`, args, besides(file.of), () => {});
  if (end?.code !== 0) return;
  viewer.dialog.close();
  await add([[`${file.of.path}//${file.name}`, end.outputs[0][1]]]);
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

// Long requests: one at a time, with progress and a way to stop.

function busy(is) {
  get("job").hidden = !is;
  for (const it of document.querySelectorAll("[data-job]")) it.disabled = is;
}

/** Runs a request; what it says goes to `line`. Returns its end, or nothing if it was cancelled, failed, or another runs. */
async function long(what, args, files, line) {
  if (running) return;
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
    const end = await running.done;
    status("");
    return end;
  } catch (error) {
    status(error instanceof Cancelled ? `${what}: cancelled.` : "");
    failed(error);
  } finally {
    running = null;
    busy(false);
    label(viewer.files);
    if (document.activeElement === document.body) focus?.focus();
  }
}

// Dropped files.

/** Reads files: returns the archives, why some of them cannot be read, and the other files with what they are. */
async function read(what, files) {
  const found = new Map();
  const unread = [], others = [];
  const line = (it) => {
    const [path, file] = files[it.file] ?? [];
    if ("entries" in it) {
      const of = found.get(it.file);
      for (const [name, kind, size, isToEdit] of it.entries) {
        of.files.push({ of, archive: path, index: of.files.length, name, kind, size, isToEdit });
      }
    } else if ("problems" in it) {
      for (const [index, problem] of it.problems) found.get(it.file).files[index].problem = problem.error;
    } else if (it.other && files.length > 1) {
      others.push([path, it.unread.error]);
    } else if ("unread" in it) {
      unread.push(it.unread);
    } else if ("info" in it) {
      const { described, info } = it;
      found.set(it.file, { path, file, source: file, described, info, format: info.format, files: [], changes: [] });
    }
  };
  const end = await long(what, ["open", ...files.map(([path]) => path)], files, line);
  return end && { opened: [...found.values()], unread, others };
}

async function add(dropped) {
  if (dropped.length === 0) return;
  const files = apart(dropped, archives.map((it) => it.path));
  const what = files.length === 1 ? `Reading ${files[0][0]}` : `Reading ${files.length} files`;
  const found = await read(what, files);
  if (!found) return;
  const { opened, unread, others } = found;
  archives.push(...opened);
  document.body.classList.toggle("begun", archives.length > 0);
  if (opened.length > 0) choose(opened[0]);
  drawOthers(others);
  get("unread").replaceChildren(messages(unread) ?? "");
  const words = [];
  if (opened.length > 0) words.push(`${count(opened.length, "archive", "archives")} added`);
  if (unread.length > 0) words.push(`${count(unread.length, "file", "files")} cannot be read`);
  if (others.length > 0) words.push(`${count(others.length, "other file", "other files")} passed over`);
  status(`${words.join(", ")}.`);
}

/** How many files that are no archives are named. */
const OTHERS_MAX = 200;

/** Names the files that are no archives, with what they are. */
function drawOthers(others) {
  get("passed").replaceChildren();
  if (others.length === 0) return;
  const items = others.slice(0, OTHERS_MAX).map(([path, why]) => element("li", {}, element("strong", {}, path), `: ${why}`));
  if (others.length > OTHERS_MAX) items.push(element("li", {}, `and ${others.length - OTHERS_MAX} more`));
  const summary = `Passed over: ${count(others.length, "file that is no archive", "files that are no archives")}`;
  get("passed").append(element("details", { open: others.length < 4 }, element("summary", {}, summary), element("ul", {}, ...items)));
}

function drawArchives() {
  const item = (it, path, ...words) => {
    const current = it === chosen && "true";
    const button = element("button", { type: "button", "aria-current": current, onclick: () => choose(it) },
      element("span", { class: "path" }, path), element("span", { class: "quiet" }, words.filter(Boolean).join(", ")));
    return element("li", {}, button);
  };
  const items = archives.map((it) => item(it, it.path, it.format, count(it.info.entries, "file", "files"), unsaved(it)));
  if (archives.length > 1) items.unshift(item(null, "All archives", count(archives.length, "archive", "archives")));
  get("archives").replaceChildren(...items);
}

// The chosen archive, or all archives.

function choose(archive) {
  chosen = archive;
  status("");
  get("results").hidden = true;
  get("unread").replaceChildren();
  draw();
  viewer.show(shown());
}

/** The files of the chosen archive, or of all. */
function shown() {
  return chosen ? chosen.files : archives.flatMap((it) => it.files);
}

/** How many changes of an archive are not saved, in words, if there are any. */
function unsaved({ changes }) {
  return changes.length > 0 && `${count(changes.length, "change", "changes")}, not saved`;
}

/** Shows an archive again whose files have changed. */
function changed(archive) {
  status(unsaved(archive) || "No changes.");
  if (chosen && chosen !== archive) {
    drawArchives();
    return;
  }
  draw();
  viewer.show(shown(), true);
}

/** Draws the archives, and what there is about the chosen one beside its files. */
function draw() {
  drawArchives();
  const archive = chosen;
  get("archive").hidden = false;
  get("title").textContent = archive ? archive.path : "All archives";
  get("close").textContent = archive ? "Close" : "Close all";
  get("tools").hidden = archive === null;
  get("rest").hidden = archive === null || get("more").getAttribute("aria-expanded") === "false";
  get("changes").hidden = !archive || archive.changes.length === 0;
  get("about").replaceChildren();
  get("notes").replaceChildren();
  if (!archive) return;
  const { why, warnings, engines } = archive.info;
  const line = (tag) => ([label, text]) => element(tag, {}, element("strong", {}, label), ` ${text}`);
  get("about").append(...summary(archive).map(line("span")));
  get("verdicts").replaceChildren(...verdicts(archive).map(line("p")));
  get("why").replaceChildren(...why.map((reason) => element("li", {}, reason)));
  if (warnings.length > 0) {
    const all = messages(warnings.map((warning) => ({ warning })));
    get("notes").append(element("details", {}, element("summary", {}, count(warnings.length, "warning", "warnings")), all));
  }
  drawEngines(get("engines"), engines);
  const to = get("to");
  if (to.value === archive.format) to.value = archive.format === "quake" ? "pk3" : "quake";
  get("changes-title").textContent = unsaved(archive) || "";
  get("changes").querySelector("ol").replaceChildren(...archive.changes.map((it) => changeItem(archive, it)));
}

/** A change in the list of those that are not saved. */
function changeItem(archive, change) {
  const item = element("li", {});
  const button = element("button", {
    type: "button", "data-job": true, disabled: running !== null, "aria-label": `Undo: ${change.words}`, onclick: () => undo(archive, change, item).catch(failed),
  }, "Undo");
  item.append(element("div", { class: "group" }, change.words, button), messages(change.said) ?? "");
  return item;
}

/** Takes a change back. The focus goes to the next change, as the button is gone. */
async function undo(archive, change, item) {
  const at = archive.changes.indexOf(change);
  const refused = await editor.undo(archive, change);
  if (refused) {
    if (refused.length === 0) return; // cancelled
    const why = element("p", {}, "This cannot be undone by itself:");
    item.querySelector(".messages")?.remove();
    item.append(element("div", { class: "messages", role: "alert" }, why, messages(refused)));
    return;
  }
  const buttons = get("changes").querySelectorAll("li > .group button");
  (buttons[Math.min(at, buttons.length - 1)] ?? get("add-files")).focus();
}

/** The kinds of files, in the order of `info`. */
const kinds = { map: "maps", picture: "pictures", model: "models", sound: "sounds", text: "texts", code: "code files" };

/** What an archive is, and what it holds, in the words of `info`. */
function summary({ described, info: { entries, file_size, size, compressed, content } }) {
  const packed = compressed > 0 ? ` unpacked, ${compressed} compressed` : "";
  const sum = (types) => types.reduce((all, it) => all + it.count, 0);
  const parts = [];
  for (const [kind, many] of Object.entries(kinds)) {
    const files = sum(content.filter((it) => it.kind === kind));
    if (files > 0) parts.push(count(files, many.slice(0, -1), many));
  }
  const others = entries - sum(content);
  if (others > 0) parts.push(count(others, "file of another type", "files of other types"));
  return [
    [`${described}, ${bytes(file_size)}`, `${count(entries, "file", "files")}, ${bytes(size)}${packed}`],
    ["Contents", parts.join(", ")],
  ];
}

/** Which engines load an archive. */
function verdicts({ info: { engines } }) {
  const words = { loads: "loads", misreads: "misread", refuses: "refused" }; // those of `info`
  const groups = new Map();
  for (const { verdict, engine } of engines) groups.set(verdict, [...(groups.get(verdict) ?? []), engine]);
  return [...groups].map(([verdict, some]) => [`Engines: ${words[verdict]}`, some.join(", ")]);
}

function drawEngines(box, engines) {
  const item = ({ engine, loads, verdict, why }) =>
    element(
      "li",
      { class: loads ? "loads" : "refuses" },
      element("strong", {}, `${engine}: ${verdict}`),
      ...why.map((it) => element("p", {}, it)),
    );
  box.replaceChildren(...engines.map(item));
  box.closest("details").hidden = engines.length === 0;
}

/** Labels the buttons: they take all files, or the files that the filters show. */
function label(files) {
  const all = chosen?.files.length === files.length;
  const some = (of) => (all && of.length === files.length ? "all" : String(of.length));
  const pictures = files.filter((it) => it.isToEdit);
  get("convert").textContent = `Convert ${some(files)}`;
  get("zip").textContent = `Extract ${some(files)} as a ZIP`;
  get("png").textContent = `Save ${count(pictures.length, "picture", "pictures")} as PNG`;
  get("convert").disabled = get("zip").disabled = files.length === 0;
  get("png").disabled = pictures.length === 0;
}

/** The numbers of the files that the filters leave; none if that is all. */
function indices() {
  const all = viewer.files.length === chosen.files.length;
  return all ? [] : viewer.files.map((file) => String(file.index));
}

// Actions on an archive.

const stem = (path) => lastPart(path).replace(/(.)\.[^.]*$/, "$1");

/** Runs a request about the chosen archive, and shows its messages and its result below the buttons. */
async function work(what, args, files, result) {
  const problems = new Messages();
  const box = element("div", { class: "result" });
  const results = get("results");
  results.replaceChildren(box, problems.root);
  results.hidden = true;
  problems.onadd = () => (results.hidden = false);
  const rows = [];
  const end = await long(what, args, files, (it) => {
    if ("error" in it || "warning" in it) problems.add(it);
    else rows.push(it);
  });
  if (!end) return;
  if (rows.length === 0) {
    status(`${what}: failed.`);
    return;
  }
  results.hidden = false;
  const [, out] = args;
  status(result(rows, new Map(end.outputs).get(out), box));
}

function convert() {
  const archive = chosen;
  const to = get("to").value;
  const keepGoing = get("keep-going").checked ? "keep-going" : "all-or-nothing";
  const args = ["convert", ".converted", archive.path, to, keepGoing, ...indices()];
  work(`Converting ${archive.path} to ${to}`, args, [[archive.path, archive.file]], ([it], blob, box) => {
    if (!blob) {
      const problems = it.problems.length;
      const words = problems > 0 ? `Nothing was made: ${count(problems, "error", "errors")}.` : "Nothing was made: there is no entry.";
      box.append(element("p", { class: "bad" }, words));
      return words;
    }
    const { left_out: leftOut, entries } = it;
    const missing = count(leftOut, "entry cannot be read", "entries cannot be read");
    const words = leftOut > 0 ? `Converted without some: ${missing}.` : `Converted: ${count(entries, "entry", "entries")}.`;
    const { extension } = get("to").selectedOptions[0].dataset;
    let name = `${stem(archive.path)}.${extension}`;
    if (name.toLowerCase() === lastPart(archive.path).toLowerCase()) name = `${stem(archive.path)}-${to}.${extension}`;
    const engines = element("ul", { class: "engines" });
    const draw = (line) => line.info && drawEngines(engines, line.info.engines);
    const judge = () => engines.hasChildNodes() || request(["open", name], [[name, blob]], draw).done.catch(failed);
    box.append(
      element("p", { class: leftOut > 0 ? "bad" : "good" }, `${words} `, download(blob, name)),
      element("details", { ontoggle: judge }, element("summary", {}, "Which engines load it"), engines),
    );
    return words;
  });
}

function zip() {
  const archive = chosen;
  const args = ["zip", ".zipped", archive.path, ...indices()];
  const chosenFiles = viewer.files.length;
  const result = ([it], blob) => {
    const left = blob ? it.entries : 0;
    return { left, failed: chosenFiles - left };
  };
  work(`Extracting ${archive.path}`, args, [[archive.path, archive.file]], extracted(`${stem(archive.path)}.zip`, result));
}

function png() {
  const archive = chosen;
  const files = besides(archive);
  const pictures = viewer.files.filter((file) => file.isToEdit).map((file) => file.index);
  const args = ["pngs", ".pictures", archive.path, pictures.join(","), ...files.slice(1).map(([path]) => path)];
  work(`Decoding pictures of ${archive.path}`, args, files, extracted(`${stem(archive.path)}.png.zip`, ([it]) => it));
}

/** Shows how many files are in a ZIP, and hands it out. */
const extracted = (name, counts) => (rows, blob, box) => {
  const { left, failed } = counts(rows, blob);
  const missing = failed > 0 ? `, ${count(failed, "entry was", "entries were")} left out` : "";
  const words = `${count(left, "file", "files")} extracted${missing}.`;
  const link = blob && left > 0 && download(blob, name);
  box.append(element("p", { class: failed > 0 ? "bad" : "good" }, `${words} `, link ?? ""));
  return words;
};

function verify(snapshot) {
  const archive = chosen;
  const files = [[archive.path, archive.file]];
  const args = ["verify", ".snapshot", archive.path];
  if (snapshot) {
    const [[path, file]] = apart([[snapshot.name, snapshot]], [archive.path]);
    files.push([path, file]);
    args.push(path);
  }
  work(`Verifying ${archive.path}`, args, files, (rows, blob, box) => {
    const it = rows.at(-1);
    const odd = it.warnings > 0 ? `, ${it.warnings} with warnings` : "";
    let words = `${count(it.entries, "entry", "entries")}, ${bytes(it.bytes)}: `;
    const notOk = [];
    if (it.damaged > 0) notOk.push(`${it.damaged} damaged`);
    if (it.unsupported > 0) notOk.push(`${it.unsupported} not supported`);
    words += `${notOk.join(", ") || "all OK"}${odd}.`;
    let well = notOk.length === 0;
    const differences = rows.slice(0, -1);
    if (snapshot) {
      words += differences.length === 0 ? " The same as the snapshot." : ` ${count(differences.length, "difference", "differences")} from the snapshot.`;
      well &&= differences.length === 0;
    }
    box.append(element("p", { class: well ? "good" : "bad" }, words));
    if (blob) {
      const save = element("button", { type: "button" }, "Save the snapshot");
      save.onclick = () => save.replaceWith(download(blob, `${stem(archive.path)}.txt`));
      box.append(element("p", {}, save));
    }
    if (differences.length > 0) {
      const item = ({ change, name, from }) =>
        element("li", {}, element("strong", {}, `${change} `), name, from ? ` (was ${from})` : null);
      box.append(element("ul", { class: "differences" }, ...differences.slice(0, 1000).map(item)));
    }
    return words;
  });
}

// Events.

for (const id of ["files", "folder"]) {
  get(id).addEventListener("change", async ({ target }) => {
    const files = ofInput(target);
    target.value = ""; // so that the same file can be chosen again
    await add(files).catch(failed);
  });
}
get("snapshot").addEventListener("change", ({ target }) => {
  const [file] = target.files;
  target.value = "";
  if (file && chosen) verify(file);
});
get("close").addEventListener("click", async () => {
  const closing = chosen ? [chosen] : [...archives];
  const some = closing.filter((it) => it.changes.length > 0);
  if (some.length > 0) {
    const words = some.map((it) => element("p", {}, `${it.path}: ${unsaved(it)}`));
    // A browser may block the second of several downloads.
    const answers = some.length === 1 ? ["Save and close", "Close without saving"] : ["Close without saving"];
    const answer = await ask(some.length === 1 ? "Save the changes?" : "Close without saving?", words, answers);
    if (!answer || (answer === "Save and close" && !(await saveArchive(some[0])))) return;
  }
  const at = archives.indexOf(chosen);
  if (chosen) archives.splice(at, 1);
  else archives.length = 0;
  const next = archives[Math.min(at, archives.length - 1)];
  if (next) {
    choose(next);
    return;
  }
  chosen = null;
  viewer.show([]);
  drawArchives();
  get("archive").hidden = true;
  document.body.classList.remove("begun");
  get("choose-files").focus();
});
/** Saves an archive with its changes, and says so. Returns whether that was possible. */
async function saveArchive(archive) {
  const link = await editor.save(archive);
  get("results").hidden = false;
  if (!link) {
    const words = "Not saved: a file that belongs to the archive has changed on this machine. Open it again.";
    get("results").replaceChildren(element("p", { class: "bad", role: "alert" }, words));
    return false;
  }
  get("results").replaceChildren(element("p", { class: "good" }, "Saved: ", link));
  status(`Saved ${lastPart(archive.path)}.`);
  return true;
}
get("save").addEventListener("click", async () => {
  if (await saveArchive(chosen)) get("add-files").focus(); // the button has gone with the changes
});
addEventListener("beforeunload", (event) => {
  if (archives.some((it) => it.changes.length > 0)) event.preventDefault();
});
function usePalette(file) {
  palette = file ? [`.palette/${file.name}`, file] : null;
  get("choose-palette").textContent = file ? `Without ${file.name}` : "Palette";
  reader.thumbs.clear();
  viewer.redraw();
}
get("palette").addEventListener("change", ({ target }) => {
  const [file] = target.files;
  target.value = "";
  if (file) usePalette(file);
});
get("choose-palette").addEventListener("click", () => (palette ? usePalette(null) : get("palette").click()));
get("more").addEventListener("click", ({ target }) => {
  const isOpen = target.getAttribute("aria-expanded") === "true";
  target.setAttribute("aria-expanded", !isOpen);
  get("rest").hidden = isOpen;
});
for (const [id, input] of [["add-files", "new-files"], ["add-folder", "new-folder"]]) {
  get(id).addEventListener("click", async () => {
    const archive = chosen;
    await editor.add(archive, await pick(get(input)), viewer.folder).catch(failed);
  });
}
get("png").addEventListener("click", png);
get("convert").addEventListener("click", convert);
get("zip").addEventListener("click", zip);
get("verify").addEventListener("click", () => verify(null));
get("compare").addEventListener("click", () => get("snapshot").click());
get("choose-files").addEventListener("click", () => get("files").click());
get("choose-folder").addEventListener("click", () => get("folder").click());
get("cancel").addEventListener("click", () => running?.cancel());
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
  ofDrop(event.dataTransfer).then(addOrOpen).catch(failed);
});

/** Adds what was dropped to the archive that is shown, or opens it, as the user likes. */
async function addOrOpen(dropped) {
  const archive = chosen;
  if (!archive || dropped.length === 0) return add(dropped);
  if (running || document.querySelector("dialog.ask")) return;
  const what = dropped.length === 1 ? dropped[0][0] : `${dropped.length} files`;
  const answers = [`Add to ${lastPart(archive.path)}`, "Open"];
  if (dropped.every(([path]) => isArchive(path))) answers.reverse();
  const answer = await ask(`${what}: add to the archive, or open?`, [], answers);
  if (answer === "Open") await add(dropped);
  else if (answer) await editor.add(archive, dropped, viewer.folder);
}
busy(false);

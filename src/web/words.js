// Elements and words. Nothing of an archive ever becomes markup: texts are set as texts.

/** An element with attributes, and children that are elements or texts. */
export function element(tag, attributes = {}, ...children) {
  const it = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) it.addEventListener(name.slice(2), value);
    else if (value === true) it.setAttribute(name, "");
    else if (value !== false && value !== undefined) it.setAttribute(name, value);
  }
  it.append(...children.filter((child) => child !== undefined && child !== null));
  return it;
}

/** A number of bytes, in the command's words. */
export function bytes(number) {
  if (number === 1) return "1 byte";
  if (number < 10_000) return `${number} bytes`;
  const [unit, name] = number < 999_950 ? [1e3, "kB"] : number < 999_950_000 ? [1e6, "MB"] : [1e9, "GB"];
  const tenths = Math.floor((number + unit / 20) / (unit / 10));
  return `${Math.floor(tenths / 10)}.${tenths % 10} ${name}`;
}

/** `1 entry`, `2 entries`. */
export function count(number, one, more) {
  return `${number} ${number === 1 ? one : more}`;
}

/** The last part of a path. */
export function lastPart(path) {
  return path.split(/[/\\]/).pop();
}

/** A name that a file may have on any system, made of the last part of an entry's. */
export function fileName(name) {
  return lastPart(name).replace(/[<>:"|?*\x00-\x1f]/g, "_") || "file";
}

/** An error or a warning as the command prints it. */
export function message(it) {
  const severity = "error" in it ? "error" : "warning";
  return element(
    "li",
    { class: severity },
    element("p", {}, element("strong", {}, `${severity}: `), it[severity]),
    it.place ? element("p", { class: "place" }, `--> ${it.place}`) : null,
    it.help ? element("p", {}, element("em", {}, "help: "), it.help) : null,
  );
}

/** How many messages that differ only in names and numbers are shown one by one, as the command does. */
const FEW = 3;

/** Messages, many of a kind as one. */
export class Messages {
  constructor() {
    this.kinds = new Map();
    this.root = element("div", { class: "messages" });
  }

  add(it) {
    this.onadd?.();
    const kind = `${"error" in it} ${it.error ?? it.warning}`.replace(/"[^"]*"|\b(\w*\d\w*|[a-f]{8})\b/g, "#");
    if (!this.kinds.has(kind)) {
      const list = element("ul", { class: "messages" });
      this.kinds.set(kind, { all: [], list });
      this.root.append(list);
    }
    const { all, list } = this.kinds.get(kind);
    all.push(it);
    if (all.length <= FEW) {
      list.append(message(it));
      return;
    }
    const showAll = () => list.replaceChildren(...all.map(message));
    const more = element("button", { type: "button", onclick: showAll }, `and ${all.length - 1} more like this: show all`);
    list.replaceChildren(list.firstChild, element("li", {}, more));
  }
}

/** These messages, or nothing. */
export function messages(lines) {
  const all = new Messages();
  lines.forEach((it) => all.add(it));
  return lines.length > 0 ? all.root : null;
}

/**
 * Asks in a small dialog. `content` are elements, `answers` the words of the buttons; Enter is the first. Returns the
 * answer, or null after Cancel or Escape. The focus then is where it was.
 */
export function ask(title, content, answers) {
  return new Promise((resolve) => {
    const submit = (answer, at) => element("button", { value: answer, class: at === 0 && "primary" }, answer);
    const cancel = element("button", { type: "button", onclick: () => dialog.close() }, "Cancel");
    const form = element("form", { onsubmit: (event) => {
      event.preventDefault();
      dialog.close(event.submitter.value);
    } }, element("h2", { id: "question" }, title), ...content, element("div", { class: "group" }, ...answers.map(submit), cancel));
    const dialog = element("dialog", { class: "ask", "aria-labelledby": "question", onclose: () => {
      dialog.remove();
      resolve(dialog.returnValue || null);
    } }, form);
    document.body.append(dialog);
    dialog.showModal();
    form.querySelector('[type="text"]')?.select();
  });
}

/** Hands a Blob to the user as a file, and returns a link to do so again. */
export function download(blob, name) {
  const href = URL.createObjectURL(blob);
  const link = element("a", { href, download: name }, `${name} (${bytes(blob.size)})`);
  link.click();
  return link;
}

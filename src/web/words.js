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
  const [unit, name] = number < 1e6 ? [1e3, "kB"] : number < 1e9 ? [1e6, "MB"] : [1e9, "GB"];
  return `${Math.floor(number / unit)}.${Math.floor(((number % unit) * 10) / unit)} ${name}`;
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

/** How many messages are shown before somebody asks for all. */
const SHOWN = 20;

/** A list of messages that grows, the first of them in view. */
export class Messages {
  constructor() {
    this.all = [];
    this.list = element("ul", { class: "messages" });
    this.more = element("button", { type: "button", hidden: true, onclick: () => this.showAll() });
    this.root = element("div", {}, this.list, this.more);
  }

  add(it) {
    this.onadd?.();
    this.all.push(it);
    if (this.all.length <= SHOWN) {
      this.list.append(message(it));
    } else {
      this.more.hidden = false;
      this.more.textContent = `Show ${this.all.length - SHOWN} more`;
    }
  }

  showAll() {
    this.list.append(...this.all.slice(SHOWN).map(message));
    this.more.remove();
  }
}

/** Hands a Blob to the user as a file, and returns a link to do so again. */
export function download(blob, name) {
  const href = URL.createObjectURL(blob);
  const link = element("a", { href, download: name }, `${name} (${bytes(blob.size)})`);
  link.click();
  return link;
}

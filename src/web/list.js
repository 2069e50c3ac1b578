// A list of any number of rows, of which only those in view are elements.

import { element } from "./words.js";

const ROW = 30; // pixels, as in the style sheet
const HEIGHT_MAX = 8e6; // what every browser can still scroll
const AROUND = 8; // rows above and below the view

export class List {
  /** `fill` puts a row's content into its element, `choose` is called with the row that was chosen. */
  constructor(box, fill, choose) {
    Object.assign(this, { box, fill, choose, rows: [], active: -1 });
    this.sheet = element("div", { role: "presentation", class: "sheet" });
    box.replaceChildren(this.sheet);
    box.addEventListener("scroll", () => this.draw(), { passive: true });
    box.addEventListener("keydown", (event) => this.key(event));
    box.addEventListener("click", (event) => {
      const row = event.target.closest("[data-at]");
      if (row) this.go(Number(row.dataset.at));
    });
    new ResizeObserver(() => this.draw()).observe(box);
  }

  /** Shows these rows instead of those before. */
  show(rows, active = -1) {
    this.rows = rows;
    this.active = active;
    this.sheet.style.height = `${Math.min(rows.length * ROW, HEIGHT_MAX)}px`;
    this.box.scrollTop = 0;
    if (active >= 0) this.reveal();
    this.draw();
  }

  /** How many pixels of rows one pixel of scrolling moves: one, but for lists beyond all measure. */
  get scale() {
    const view = this.box.clientHeight;
    const height = Math.min(this.rows.length * ROW, HEIGHT_MAX);
    return height > view ? (this.rows.length * ROW - view) / (height - view) : 1;
  }

  draw() {
    const top = this.box.scrollTop * this.scale;
    const first = Math.max(0, Math.floor(top / ROW) - AROUND);
    const last = Math.min(this.rows.length, Math.ceil((top + this.box.clientHeight) / ROW) + AROUND);
    const shown = [];
    for (let at = first; at < last; at++) {
      const row = element("div", {
        role: "option",
        id: `${this.box.id}-${at}`,
        "data-at": at,
        "aria-posinset": at + 1,
        "aria-setsize": this.rows.length,
        "aria-selected": at === this.active ? "true" : "false",
      });
      row.style.top = `${this.box.scrollTop + at * ROW - top}px`;
      this.fill(row, this.rows[at]);
      shown.push(row);
    }
    this.sheet.replaceChildren(...shown);
    if (this.active >= first && this.active < last) {
      this.box.setAttribute("aria-activedescendant", `${this.box.id}-${this.active}`);
    } else {
      this.box.removeAttribute("aria-activedescendant");
    }
  }

  /** Scrolls until the active row is in view. */
  reveal() {
    const view = this.box.clientHeight, scale = this.scale;
    const top = this.box.scrollTop * scale;
    const at = this.active * ROW;
    if (at < top) this.box.scrollTop = at / scale;
    else if (at + ROW > top + view) this.box.scrollTop = (at + ROW - view) / scale;
  }

  go(at) {
    if (this.rows.length === 0) return;
    this.active = Math.max(0, Math.min(this.rows.length - 1, at));
    this.reveal();
    this.draw();
    this.choose(this.rows[this.active]);
  }

  key(event) {
    const page = Math.max(1, Math.floor(this.box.clientHeight / ROW) - 1);
    const to = {
      ArrowDown: this.active + 1,
      ArrowUp: this.active - 1,
      PageDown: this.active + page,
      PageUp: this.active - page,
      Home: 0,
      End: this.rows.length - 1,
    }[event.key];
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.go(to);
  }
}

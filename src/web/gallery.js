// The start of a page that `daisho gallery` writes. Its list follows in pieces: archives("name", ...), then
// files([...], ...) as often as there are pieces, then start().

import { Viewer, media } from "./viewer.js";
import { element, fileName } from "./words.js";

const paths = [];
const all = [];
const archives = (...names) => paths.push(...names);
const files = (...rows) => {
  for (const [archive, index, name, kind, size, look, thumb, full, facts, problem] of rows) {
    const under = facts[0]?.[0] === "" ? facts[0][1] : undefined;
    all.push({ archive: paths[archive], index, name, kind, size, look, thumb, full, facts, under, problem: problem || undefined });
  }
};
/** A link that saves a picture, a sound or a text. A picture that is shown as PNG gets that extension. */
function save({ name, full }) {
  const isPng = /\.png$/i.test(full) && !/\.png$/i.test(name);
  return element("a", { href: full, download: fileName(name) + (isPng ? ".png" : ""), class: "save" }, "Save");
}
const nothing = "There is no preview of this file.";
const host = {
  thumb: (file) => file.thumb && media(file.look, file.thumb, ""),
  look: async (file) => ({
    stage: file.look ? media(file.look, file.full, file.name) : document.createTextNode(file.problem ?? nothing),
    facts: file.facts.filter(([label]) => label),
    buttons: file.look ? [save(file)] : [],
  }),
};
const start = () => new Viewer(document.getElementById("viewer"), host).show(all);

// How long the page takes to open an archive, to convert it and to change it, and how much memory. The conversion is
// measured beside the command on one thread. By hand:
//
//   node tests/web/measure.mjs CHROMIUM PAGE COMMAND ARCHIVE FORMAT
//
// Memory is what the browser's processes have of their own (Pss), above what they had before; sampled, so a
// short peak may be higher.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Browser } from "./browser.mjs";

const [chromium, index, command, archive, format] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "daisho-measure-"));
const browser = await Browser.start(chromium);

/** The memory of the browser's processes by their kind, in MB. */
function memory() {
  const all = {};
  const tree = [browser.process.pid];
  const parents = new Map();
  for (const pid of readdirSync("/proc").filter((it) => /^\d+$/.test(it))) {
    try {
      parents.set(Number(pid), Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ")[1]));
    } catch { /* it has ended */ }
  }
  for (const pid of tree) for (const [child, parent] of parents) if (parent === pid) tree.push(child);
  for (const pid of tree) {
    try {
      const kind = readFileSync(`/proc/${pid}/cmdline`, "utf8").match(/--type=([a-z-]+)/)?.[1] ?? "browser";
      const pss = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8").match(/Pss:\s+(\d+)/)[1];
      all[kind] = (all[kind] ?? 0) + pss / 1024;
    } catch { /* the same */ }
  }
  return all;
}

/** Does something that returns seconds. Returns them with the memory above that before. Sampling takes time itself. */
async function sampled(action) {
  const before = memory();
  const peak = {};
  let ended = false;
  const work = action().finally(() => (ended = true));
  while (!ended) {
    const now = memory();
    for (const kind of Object.keys(now)) peak[kind] = Math.max(peak[kind] ?? 0, now[kind] - (before[kind] ?? 0));
    await new Promise((done) => setTimeout(done, 20));
  }
  const most = Object.entries(peak).filter(([, mb]) => mb >= 1).map(([kind, mb]) => `${kind} ${mb.toFixed(0)} MB`).join(", ");
  return { seconds: await work, most: most || "less than 1 MB" };
}

/** Clicks a button, and takes the time until no work is in progress. */
const click = (button) => `(async () => {
  const from = performance.now();
  ${button}.click();
  while (!document.querySelector("#job").hidden) await new Promise((done) => setTimeout(done, 5));
  return (performance.now() - from) / 1000;
})()`;

try {
  const page = await browser.page();
  await browser.send("Browser.setDownloadBehavior", { behavior: "deny" });
  await page.open(pathToFileURL(resolve(index)).href);
  const idle = `document.querySelector("#job").hidden`;
  const opened = await sampled(async () => {
    const from = performance.now();
    await page.choose("#files", [resolve(archive)]);
    await page.until(`${idle} && document.querySelector("#archives li")`, 60);
    return (performance.now() - from) / 1000;
  });
  console.log(`opened in ${opened.seconds.toFixed(2)} s at most: ${opened.most}`);
  await page.value(`document.querySelector("#to").value = ${JSON.stringify(format)}`);
  const convert = click(`document.querySelector("#convert")`);
  const times = [];
  for (let n = 0; n < 5; n++) times.push(await page.value(convert));
  const converted = await sampled(() => page.value(convert));
  console.log(`memory of the page above before: ${converted.most} (${await page.text("#status")})`);
  for (let n = 0; n < 3; n++) {
    await page.click(".tile");
    const removing = `[...document.querySelectorAll("#view button")].find((it) => it.innerText === "Remove")`;
    await page.until(removing);
    const removed = await sampled(() => page.value(click(removing)));
    console.log(`removed a file in ${removed.seconds.toFixed(2)} s: ${removed.most} (${await page.text("#status")})`);
  }
  const bytes = statSync(archive).size;
  const commands = [];
  for (let n = 0; n < 5; n++) {
    const from = performance.now();
    execFileSync(command, ["convert", archive, "-o", join(folder, "out"), "--to", format, "-j", "1", "-f", "-q"]);
    commands.push((performance.now() - from) / 1000);
  }
  const [ours, theirs] = [Math.min(...times), Math.min(...commands)];
  console.log(`${basename(archive)}, ${(bytes / 1e6).toFixed(0)} MB to ${format}: page ${ours.toFixed(2)} s, command -j1 ${theirs.toFixed(2)} s, factor ${(ours / theirs).toFixed(1)}`);
} finally {
  await browser.end();
  rmSync(folder, { recursive: true, force: true });
}

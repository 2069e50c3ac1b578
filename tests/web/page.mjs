// The page in a real browser: everything that a user does, on the archives of corpus/, and what it gives
// compared with what the command gives. Called by `test`:
//
//   node page.mjs CHROMIUM PAGE COMMAND OUTPUT

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Browser } from "./browser.mjs";

const [chromium, index, command, output] = process.argv.slice(2);
const root = resolve(import.meta.dirname, "../..");
const game = join(root, "corpus/game");
const out = resolve(output);
const downloads = join(out, "downloads");
rmSync(out, { recursive: true, force: true });
mkdirSync(downloads, { recursive: true });

const browser = await Browser.start(chromium);
const page = await browser.page();
await browser.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: downloads });
const daisho = (...args) => execFileSync(command, args, { cwd: out, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

let passed = 0;
async function test(what, body) {
  try {
    await body();
    passed += 1;
    console.log(`ok: ${what}`);
  } catch (error) {
    console.log(`failed: ${what}`);
    await shoot("failed");
    throw error;
  }
}

async function shoot(name) {
  writeFileSync(join(out, `${name}.png`), await page.screenshot());
}

/** Waits for a file that the page hands out, and takes it away. */
async function downloaded(name) {
  const path = join(downloads, name);
  for (let n = 0; n < 300 && !existsSync(path); n++) await new Promise((done) => setTimeout(done, 50));
  const bytes = readFileSync(path);
  rmSync(path);
  return bytes;
}

const idle = `document.querySelector("#job").hidden`;
const status = (words) => `${idle} && document.querySelector("#status").innerText.includes(${JSON.stringify(words)})`;

/** A pak of Quake with these files. */
function pakOf(files) {
  const records = [];
  let at = 12;
  for (const [name, content] of files) {
    const record = Buffer.alloc(64);
    record.write(name);
    record.writeUInt32LE(at, 56);
    record.writeUInt32LE(content.length, 60);
    records.push(record);
    at += content.length;
  }
  const header = Buffer.from("PACK\0\0\0\0\0\0\0\0", "latin1");
  header.writeUInt32LE(at, 4);
  header.writeUInt32LE(records.length * 64, 8);
  return Buffer.concat([header, ...files.map(([, content]) => content), ...records]);
}

const quiet = `(!document.querySelector("#view").open || !document.querySelector("#stage").innerText.startsWith("Reading"))`;

async function filter(text) {
  await page.value(`(() => { const it = document.querySelector("#filter"); it.value = ${JSON.stringify(text)}; it.dispatchEvent(new Event("input")); })()`);
}

/** Chooses an archive, then an entry, by their names. */
async function choose(path, entry) {
  await page.value(`document.querySelector("#view").close()`);
  await page.value(`[...document.querySelectorAll("#archives button")].find((it) => it.innerText.startsWith(${JSON.stringify(path)})).click()`);
  if (!entry) return;
  await filter(entry);
  await page.value(`document.querySelector(${JSON.stringify(`.tile[title="${entry}"]`)}).click()`);
  await page.until(`document.querySelector("#view-name").innerText === ${JSON.stringify(entry)} && ${quiet}`);
}

async function convert(to, name) {
  await page.value(`document.querySelector("#to").value = ${JSON.stringify(to)}`);
  await page.click("#convert");
  await page.until(status("Converted"));
  return downloaded(name);
}

try {
  await page.size(1280, 900);
  await page.scheme("light");

  await test("the page opens from disk, paints within a second, and asks nobody for anything", async () => {
    await page.open(pathToFileURL(resolve(index)).href);
    const paint = await page.until(`performance.getEntriesByType("paint").find((it) => it.name === "first-contentful-paint")?.startTime`);
    console.log(`    first paint after ${Math.round(paint)} ms`);
    assert.ok(paint < 1000, `first paint after ${paint} ms`);
    await shoot("begin");
  });

  await test("a folder that is dropped is searched", async () => {
    assert.equal(await page.value(`document.querySelector("#archive").hidden`), true);
    await page.drop([game]);
    await page.until(status("archives added"));
    const archives = await page.text("#archives");
    for (const path of ["game/arena/pak0.pak", "game/data/pak0.pak", "game/data/pak1.pak", "game/id1/pak0.pak"]) {
      assert.ok(archives.includes(path), archives);
    }
    assert.match(await page.text("#passed"), /Passed over: \d+ files/);
  });

  await test("an archive's entries are those that the command lists", async () => {
    await choose("game/data/pak0.pak");
    const listed = daisho("list", "--json", join(game, "data/pak0.pak")).trim().split("\n").map((line) => JSON.parse(line).name);
    await page.click("#as-list");
    await page.value(`document.querySelector("#entries").style.flex = "0 0 1000px"`);
    await page.until(`document.querySelectorAll(".tile").length >= ${listed.length}`);
    const shown = await page.value(`[...document.querySelectorAll("#entries .name")].map((it) => it.textContent)`);
    assert.deepEqual(shown, listed);
    await shoot("list");
    await page.click("#as-list");
    await page.value(`document.querySelector("#entries").style.flex = ""`);
    // The summary has the words of `info`.
    const about = await page.text("#about");
    const said = daisho("info", join(game, "data/pak0.pak")).split("\n").map((line) => line.trim());
    for (const words of [said[0].split("  ").at(-1), said[1], "2 maps, 14 pictures, 3 models, 5 sounds"]) {
      assert.ok(about.includes(words), `${words}\n${about}`);
    }
    const verdicts = await page.text("#verdicts");
    assert.match(verdicts, /Engines: loads .*daikatana/);
    assert.match(verdicts, /Engines: misread quake,/);
    const why = await page.value(`document.querySelector("#why").textContent`);
    const reasons = JSON.parse(daisho("info", "--json", join(game, "data/pak0.pak")).split("\n")[0]).why;
    assert.equal(why, reasons.join(""));
    assert.equal(await page.value(`document.querySelector("#details").open`), false);
  });

  await test("pictures begin in the upper part of a laptop's window", async () => {
    await page.size(1366, 768);
    await page.value(`window.scrollTo(0, 0)`);
    for (const path of ["game/data/pak0.pak", "game/id1/pak0.pak"]) {
      await choose(path);
      const top = await page.value(`document.querySelector(".tile").getBoundingClientRect().top`);
      assert.ok(top < 300, `${path}: the first tile is ${top} pixels from the top`);
    }
    const buttons = await page.value(`[...document.querySelectorAll("#tools button")].map((it) => it.innerText)`);
    assert.match(buttons[0], /^Extract all/);
    const tops = await page.value(`new Set([...document.querySelectorAll("#tools button")].map((it) => it.offsetTop)).size`);
    assert.equal(tops, 1, "the buttons are not one row");
    await shoot("laptop");
    await page.scheme("dark");
    await shoot("laptop-dark");
    await page.scheme("light");
    // The rest is behind one button, which the keyboard reaches.
    const isShown = (selector) => page.value(`document.querySelector("${selector}").checkVisibility()`);
    for (const selector of ["#convert", "#verdicts", "#compare", "#choose-palette"]) assert.ok(!(await isShown(selector)), selector);
    await page.value(`document.querySelector("#verify").focus()`);
    await page.key("Tab");
    await page.key("Enter");
    assert.equal(await page.value(`document.activeElement.getAttribute("aria-expanded")`), "true");
    for (const selector of ["#convert", "#verdicts", "#compare", "#choose-palette"]) assert.ok(await isShown(selector), selector);
    await shoot("more");
    await page.key("Enter");
    assert.ok(!(await isShown("#convert")));
    await page.size(1280, 900);
  });

  await test("files are counted by their contents, as in the command", async () => {
    const pak = join(out, "counted.pak");
    const png = Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x01\0\0\0\x01\x08\0\0\0\0", "latin1");
    writeFileSync(pak, pakOf([["maps/a.bsp", Buffer.from("none")], ["b.bsp", Buffer.alloc(0)], ["c.png", png], ["d.bsp", png]]));
    await page.choose("#files", [pak]);
    await page.until(status("added"));
    await choose("counted.pak");
    const about = await page.text("#about");
    const said = daisho("info", pak);
    assert.match(said, /contents 2 pictures: .*\n +2 files of other types/);
    assert.match(about, /2 pictures, 2 files of other types/);
    assert.doesNotMatch(about, /map/);
    await page.click("#close");
  });

  await test("a picture has the colours that the command writes", async () => {
    await choose("game/data/pak1.pak", "skins/hero.tga");
    await page.until(`document.querySelector("#stage canvas")`);
    assert.match(await page.text("#facts"), /64/);
    const fits = await page.value(`(() => {
      const [stage, canvas] = ["#stage", "#stage canvas"].map((it) => document.querySelector(it).getBoundingClientRect());
      return canvas.top >= stage.top && canvas.bottom <= stage.bottom && canvas.left >= stage.left && canvas.right <= stage.right;
    })()`);
    assert.ok(fits, "the picture does not fit its stage");
    await shoot("picture");
    await page.scheme("dark");
    await shoot("picture-dark");
    await page.scheme("light");
    // The command's PNG, read by the browser.
    daisho("extract", join(game, "data/pak1.pak"), "-C", "png", "--png", "-i", "hero.tga");
    const png = readFileSync(join(out, "png/skins/hero.tga.png")).toString("base64");
    const same = await page.value(`(async () => {
      const bytes = Uint8Array.from(atob("${png}"), (c) => c.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes]), { premultiplyAlpha: "none" });
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      const context = canvas.getContext("2d");
      context.drawImage(bitmap, 0, 0);
      const theirs = context.getImageData(0, 0, bitmap.width, bitmap.height).data;
      const shown = document.querySelector("#stage canvas");
      const ours = shown.getContext("2d").getImageData(0, 0, shown.width, shown.height).data;
      return ours.length === theirs.length && ours.every((byte, at) => byte === theirs[at]);
    })()`);
    assert.ok(same, "other pixels than the command's");
  });

  await test("a map is drawn", async () => {
    // Rooms of four walls, one inside the other: a map of Quake with nothing but points and edges.
    const points = [], edges = [];
    for (let n = 0; n < 8; n++) {
      const [x, y] = [100 + n * 60, 80 + n * 30];
      for (const [dx, dy] of [[-x, -y], [x, -y], [x, y], [-x, y]]) points.push(dx, dy, 0);
      for (let side = 0; side < 4; side++) edges.push(4 * n + side, 4 * n + ((side + 1) % 4));
    }
    const map = Buffer.alloc(124 + points.length * 4 + edges.length * 2);
    map.writeUInt32LE(29, 0);
    [[3, 124, points.length * 4], [12, 124 + points.length * 4, edges.length * 2]].forEach(([lump, at, length]) => {
      map.writeUInt32LE(at, 4 + lump * 8);
      map.writeUInt32LE(length, 8 + lump * 8);
    });
    points.forEach((it, n) => map.writeFloatLE(it, 124 + 4 * n));
    edges.forEach((it, n) => map.writeUInt16LE(it, 124 + points.length * 4 + 2 * n));
    writeFileSync(join(out, "rooms.pak"), pakOf([["maps/rooms.bsp", map]]));
    await page.choose("#files", [join(out, "rooms.pak")]);
    await page.until(status("1 archive added"));
    await choose("rooms.pak", "maps/rooms.bsp");
    await page.until(`document.querySelector("#stage img.map")?.naturalWidth > 0`);
    // On each row of pixels through the middle there are the walls of eight rooms, on both sides.
    const walls = await page.value(`(() => {
      const canvas = new OffscreenCanvas(1024, 600), context = canvas.getContext("2d");
      context.drawImage(document.querySelector("#stage img.map"), 0, 0, 1024, 600);
      const row = context.getImageData(0, 300, 1024, 1).data.filter((_, at) => at % 4 === 3);
      return row.reduce((sum, alpha, at) => sum + (alpha > 0 && !(row[at - 1] > 0) ? 1 : 0), 0);
    })()`);
    assert.equal(walls, 16);
    await shoot("map");
    await page.click("#close");
  });

  await test("texts and sounds are shown and heard, and keys move through the list", async () => {
    await choose("game/id1/pak0.pak");
    const files = await page.value(`Number(document.querySelector("#count").innerText.split(" ")[0])`);
    const tags = ["pre", "audio", "canvas"];
    const kinds = new Set();
    await page.value(`document.querySelector(".tile").focus()`);
    await page.key("Enter");
    for (let n = 0; n < files; n++) {
      await page.until(quiet);
      for (const tag of tags) if (await page.value(`!!document.querySelector("#stage ${tag}")`)) kinds.add(tag);
      const before = await page.text("#view-name");
      if (n + 1 === files) break;
      await page.key("ArrowRight");
      await page.until(`document.querySelector("#view-name").innerText !== ${JSON.stringify(before)}`);
    }
    assert.deepEqual([...kinds].sort(), [...tags].sort());
    await page.key("Escape");
    await page.until(`!document.querySelector("#view").open`);
    // The file that was shown last has the focus, and keys move on from it.
    const focused = `document.activeElement.closest("li")?.getAttribute("aria-posinset")`;
    await page.until(`${focused} === "${files}"`);
    await page.key("Home");
    assert.equal(await page.value(focused), "1");
    await page.key("ArrowRight");
    assert.equal(await page.value(focused), "2");
  });

  await test("the grid shows pictures and maps, and a wall of them scrolls", async () => {
    await choose("game/data/pak0.pak");
    await page.until(`document.querySelectorAll(".tile canvas").length >= 5 && document.querySelectorAll(".tile img.map").length >= 2`);
    await shoot("grid");
    const many = join(out, "wall.pak");
    const pixels = (n) => Buffer.concat([Buffer.from([8, 0, 0, 0, 8, 0, 0, 0]), Buffer.alloc(64, n % 251)]);
    const files = Array.from({ length: 10_000 }, (_, n) => [`gfx/t${String(n).padStart(5, "0")}.lmp`, pixels(n)]);
    writeFileSync(many, pakOf([...files, ["gfx/palette.lmp", Uint8Array.from({ length: 768 }, (_, n) => n % 256)]]));
    await page.choose("#files", [many]);
    await page.until(status("1 archive added"));
    await page.until(`document.querySelectorAll(".tile canvas").length > 10`);
    const frames = await page.value(`(async () => {
      const box = document.querySelector("#entries"), times = [];
      let most = 0, last = performance.now();
      for (let n = 0; n < 120; n++) {
        box.scrollTop += 400;
        await new Promise(requestAnimationFrame);
        const now = performance.now();
        times.push(now - last);
        last = now;
        most = Math.max(most, document.querySelectorAll(".tile").length);
      }
      times.sort((a, b) => a - b);
      return { most, median: times[60], slow: times[114] };
    })()`);
    console.log(`    ${frames.most} tiles at most, a frame takes ${frames.median.toFixed(1)} ms, 19 of 20 below ${frames.slow.toFixed(1)} ms`);
    assert.ok(frames.most <= 300, `${frames.most} tiles`);
    await page.until(`[...document.querySelectorAll(".tile")].every((it) => it.querySelector("canvas"))`);
    await page.click("#close");
  });

  await test("a palette that is chosen colours pictures that have none", async () => {
    const grey = join(out, "grey.pak");
    writeFileSync(grey, pakOf([["gfx/a.lmp", Buffer.concat([Buffer.from([8, 0, 0, 0, 8, 0, 0, 0]), Buffer.alloc(64, 7)])]]));
    const palette = join(out, "palette.lmp");
    writeFileSync(palette, Uint8Array.from({ length: 768 }, (_, n) => [200, 100, 50][n % 3]));
    const colour = `(() => { const it = document.querySelector("#stage canvas"); return it && [...it.getContext("2d").getImageData(0, 0, 1, 1).data]; })()`;
    for (const path of await page.value(`[...document.querySelectorAll("#archives .path")].map((it) => it.textContent).filter((it) => it.includes("/"))`)) {
      await choose(path);
      await page.click("#close");
    }
    await page.choose("#files", [grey]);
    await page.until(status("1 archive added"));
    await choose("grey.pak", "gfx/a.lmp");
    // Colour 7 of Quake's palette, which is built in.
    assert.deepEqual(await page.value(colour), [107, 107, 107, 255]);
    assert.match(await page.text("#stage"), /no palette/);
    await page.value(`document.querySelector("#view").close()`);
    await page.choose("#palette", [palette]);
    await choose("grey.pak", "gfx/a.lmp");
    assert.deepEqual(await page.value(colour), [200, 100, 50, 255]);
    await page.value(`document.querySelector("#view").close()`);
    assert.equal(await page.text("#choose-palette"), "Without palette.lmp");
    await page.click("#choose-palette");
    await choose("grey.pak", "gfx/a.lmp");
    // Colour 7 of Quake's palette, which is built in.
    assert.deepEqual(await page.value(colour), [107, 107, 107, 255]);
    await page.value(`document.querySelector("#view").close()`);
    // The palette of another archive that is open is found without asking.
    writeFileSync(join(out, "colours.pak"), pakOf([["gfx/palette.lmp", readFileSync(palette)]]));
    await page.choose("#files", [join(out, "colours.pak")]);
    await page.until(status("1 archive added"));
    await choose("grey.pak", "gfx/a.lmp");
    assert.deepEqual(await page.value(colour), [200, 100, 50, 255]);
    assert.match(await page.text("#facts"), /gfx\/palette\.lmp/);
    await page.value(`document.querySelector("#view").close()`);
    await page.click("#close");
    await choose("colours.pak");
    await page.click("#close");
    await page.drop([game]); // no archive is open, so nothing is asked
    await page.until(status("archives added"));
  });

  await test("pictures are saved as PNG, one of them or all", async () => {
    const archive = join(game, "data/pak0.pak");
    daisho("extract", archive, "-C", "pictures", "--png");
    await choose("game/data/pak0.pak");
    await page.click("#png");
    await page.until(status("extracted"));
    writeFileSync(join(out, "pictures.zip"), await downloaded("pak0.png.zip"));
    daisho("extract", "pictures.zip", "-C", "ours");
    const names = daisho("list", "--names", "pictures.zip").trim().split("\n");
    assert.ok(names.length >= 10, names.join());
    for (const name of names) {
      assert.ok(readFileSync(join(out, "ours", name)).equals(readFileSync(join(out, "pictures", name))), name);
    }
    const one = names[0].replace(/\.png$/, "");
    await choose("game/data/pak0.pak", one);
    await page.value(`[...document.querySelectorAll("#view button")].find((it) => it.innerText === "Save as PNG").click()`);
    const saved = await downloaded(`${one.split("/").pop()}.png`);
    assert.ok(saved.equals(readFileSync(join(out, "ours", names[0]))));
  });

  await test("PNGs and JPEGs are saved with pictures as they are, and what is left out has a reason", async () => {
    const png = readFileSync(join(out, "pictures", daisho("list", "--names", "pictures.zip").split("\n")[0]));
    const jpeg = Buffer.from("\xff\xd8\xff\xe0\0\x10JFIF\0", "latin1");
    const wrong = Buffer.concat([Buffer.from([8, 0, 0, 0, 8, 0, 0, 0]), Buffer.alloc(64)]);
    const pak = join(out, "web.pak");
    writeFileSync(pak, pakOf([["a.png", png], ["b.jpg", jpeg], ["gfx/c.lmp", wrong], ["../d.png", png], ["gfx/c.lmp.png", png]]));
    await page.choose("#files", [pak]);
    await page.until(status("1 archive added"));
    assert.equal(await page.text("#png"), "Save 5 pictures as PNG");
    await page.click("#png");
    await page.until(status("3 files extracted, 2 entries were left out"));
    assert.match(await page.text("#results"), /error: .*\n+--> web\.pak: entry 3 "\.\.\/d\.png"/);
    assert.match(await page.text("#results"), /error: .*\n+--> entry 3 "gfx\/c\.lmp\.png"/);
    writeFileSync(join(out, "web.zip"), await downloaded("web.png.zip"));
    assert.deepEqual(daisho("list", "--names", "web.zip").trim().split("\n"), ["a.png", "b.jpg", "gfx/c.lmp.png"]);
    for (const [name, bytes] of [["a.png", png], ["b.jpg", jpeg]]) {
      assert.ok(execFileSync(command, ["cat", join(out, "web.zip"), name]).equals(bytes), name);
    }
    await page.click("#close");
  });

  await test("an archive in an archive is opened in place, and all archives are shown at once", async () => {
    daisho("create", "-o", "outer.pk3", join(game, "data/pak1.pak"), join(game, "readme.txt"), "-f");
    await page.choose("#files", [join(out, "outer.pk3")]);
    await page.until(status("1 archive added"));
    const inner = await page.value(`document.querySelector('.tile[title$="pak1.pak"]').title`);
    await choose("outer.pk3", inner);
    await page.value(`[...document.querySelectorAll("#view button")].find((it) => it.innerText === "Open this archive").click()`);
    await page.until(`${idle} && document.querySelector("#title").innerText === ${JSON.stringify(`outer.pk3//${inner}`)}`);
    assert.match(await page.text("#count"), /^8 of 8 files/);
    await choose("All archives");
    const all = await page.value(`Number(document.querySelector("#count").innerText.split(" ")[0])`);
    assert.ok(all > 60, `${all} files`);
    await shoot("all");
    for (const path of [`outer.pk3//${inner}`, "outer.pk3"]) {
      await choose(path);
      await page.click("#close");
    }
  });

  const focused = `document.activeElement.innerText`;
  const changes = `[...document.querySelectorAll("#changes ol > li")].map((it) => it.firstChild.firstChild.textContent)`;
  const listed = `[...document.querySelectorAll(".tile")].map((it) => it.title)`;
  const marked = `[...document.querySelectorAll(".tile.changed")].map((it) => [it.title, it.querySelector(".under").innerText.split(",")[0]])`;
  const asked = `document.querySelector("dialog.ask")?.innerText`;
  const picture = (name) => join(out, "pictures", `${name}.png`);
  const wall = "textures/e1/wall.wal";
  const files = join(out, "files");
  mkdirSync(join(files, "notes"), { recursive: true });
  writeFileSync(join(files, "notes/a.txt"), "the first");
  writeFileSync(join(files, "notes/b.txt"), "the second");
  writeFileSync(join(files, ".DS_Store"), "of the system's");
  const mine = join(out, "mine.pak");
  copyFileSync(join(game, "data/pak0.pak"), mine);

  await test("files are replaced, renamed, removed and added with the keyboard, and the archive is the command's", async () => {
    await page.choose("#files", [mine]);
    await page.until(status("1 archive added"));
    const before = await page.value(`document.querySelector("#count").innerText`);
    await filter(wall);
    await page.value(`document.querySelector(".tile").focus()`);
    await page.key("Enter");
    await page.until(`document.querySelector("#view").open && ${quiet}`);

    // A PNG becomes a WAL, and is shown.
    const pixels = `document.querySelector("#stage canvas")?.toDataURL()`;
    const old = await page.value(pixels);
    await page.tabTo("Replace...");
    await page.chooseAfter(() => page.key("Enter"), [picture("textures/e1/door.wal")]);
    await page.until(`${status("1 change, not saved")} && ${quiet} && ${pixels} !== undefined && ${pixels} !== ${JSON.stringify(old)}`);
    assert.equal(await page.text("#view-name"), wall);
    assert.match(await page.text("#facts"), /Daikatana texture/);
    assert.equal(await page.value(focused), "Replace...");
    assert.deepEqual(await page.value(marked), [[wall, "replaced"]]);
    await page.key("Escape");
    // The focus returns to the file: an event does that, after the view is closed.
    await page.until(`!document.querySelector("#view").open && document.activeElement.title === ${JSON.stringify(wall)}`);

    // A name is asked for again while it is taken, and Escape asks no more.
    await filter("skins/hero.tga");
    await page.value(`document.querySelector(".tile").focus()`);
    await page.key("Enter");
    await page.until(quiet);
    await page.tabTo("Rename...");
    await page.key("Enter");
    await page.type("skins/guard.tga");
    await page.key("Enter");
    await page.until(`${asked}?.includes("error: ")`);
    await shoot("refused");
    await page.key("Escape");
    await page.until(`!document.querySelector("dialog.ask")`);
    assert.equal(await page.value(focused), "Rename...", "the focus returns to the button");
    await page.key("Enter");
    await page.type("skins/old/hero.tga");
    await page.key("Enter");
    await page.until(status("2 changes, not saved"));
    await page.until(`!document.querySelector("#view").open`); // the filter hides it now
    await filter("hero.tga");
    assert.deepEqual(await page.value(marked), [["skins/old/hero.tga", "renamed"]]);

    await filter("sound/jump.wav");
    await page.value(`document.querySelector(".tile").focus()`);
    await page.key("Enter");
    await page.until(quiet);
    await page.tabTo("Remove");
    await page.key("Enter");
    await page.until(`${status("3 changes, not saved")} && !document.querySelector("#view").open`);
    assert.deepEqual(await page.value(listed), []);

    // What is dropped is added or opened, as the user likes.
    await filter("");
    await page.drop([join(files, "notes")]);
    await page.until(`${asked}?.includes("add to the archive, or open?")`);
    await shoot("dropped");
    await page.key("Escape");
    await page.until(`!document.querySelector("dialog.ask")`);
    assert.equal(await page.value(`${changes}.length`), 3);
    await page.drop([mine]);
    await page.until(asked);
    assert.equal(await page.value(focused), "Open", "an archive is rather opened");
    await page.key("Escape");
    await page.until(`!document.querySelector("dialog.ask")`);
    await page.drop([files]);
    await page.until(`document.querySelector("dialog.ask")`);
    assert.equal(await page.value(focused), "Add to mine.pak");
    await page.key("Enter");
    await page.until(`${asked}?.includes("Add 2 files to mine.pak")`);
    assert.equal(await page.value(`document.activeElement.value`), "files/");
    await page.type("docs");
    assert.match(await page.value(asked), /docs\/notes\/a\.txt\n+docs\/notes\/b\.txt/);
    await shoot("add");
    await page.key("Enter");
    await page.until(status("4 changes, not saved"));

    // A file that is added goes into the folder that is looked at, and may be replaced and looked at again.
    await page.value(`(() => { const it = document.querySelector("#of-folder"); it.value = "=docs/"; it.dispatchEvent(new Event("change")); })()`);
    await page.value(`document.querySelector("#png").focus()`);
    await page.tabTo("Add files...");
    await page.chooseAfter(() => page.key("Enter"), [join(files, "notes/a.txt")]);
    await page.until(`document.querySelector("dialog.ask")`);
    assert.equal(await page.value(`document.activeElement.value`), "docs/a.txt");
    await page.key("Enter");
    await page.until(status("5 changes, not saved"));
    assert.equal(await page.value(focused), "Add files...");
    assert.deepEqual(await page.value(listed), ["docs/notes/a.txt", "docs/notes/b.txt", "docs/a.txt"]);
    assert.equal(await page.value(`${marked}.length`), 3);
    await shoot("changes");
    await page.value(`document.querySelector('.tile[title="docs/a.txt"]').click()`);
    await page.until(`document.querySelector("#stage pre")?.innerText === "the first"`);
    await page.key("Escape");
    assert.deepEqual(await page.value(changes), [
      `Replace ${wall} with door.wal.png`, "Rename skins/hero.tga to skins/old/hero.tga", "Remove sound/jump.wav",
      "Add 2 files: docs/notes/a.txt, ...", "Add docs/a.txt",
    ]);

    // Nothing is lost while another archive is looked at.
    await choose("game/id1/pak0.pak");
    assert.equal(await page.value(`document.querySelector("#changes").hidden`), true);
    assert.match(await page.text("#archives"), /mine\.pak\n+daikatana, 30 files, 5 changes, not saved/);
    await choose("mine.pak");

    await page.value(`document.querySelector("#more").focus()`);
    await page.tabTo("Save the archive");
    await page.key("Enter");
    await page.until(status("Saved mine.pak"));
    const saved = await downloaded("mine.pak");
    assert.equal(await page.value(`document.querySelector("#changes").hidden`), true);
    assert.deepEqual(await page.value(marked), []);
    assert.notEqual(before, await page.value(`document.querySelector("#count").innerText`));

    // The same with the command, in the same order.
    for (const [name, from] of [[`${wall}.png`, picture("textures/e1/door.wal")], ["docs/notes/a.txt", join(files, "notes/a.txt")],
      ["docs/notes/b.txt", join(files, "notes/b.txt")], ["docs/a.txt", join(files, "notes/a.txt")]]) {
      mkdirSync(join(out, "new", name, ".."), { recursive: true });
      copyFileSync(from, join(out, "new", name));
    }
    daisho("add", "-f", "--png", mine, "--root", "new", `new/${wall}.png`);
    daisho("rename", mine, "skins/hero.tga", "skins/old/hero.tga");
    daisho("remove", mine, "sound/jump.wav");
    daisho("add", mine, "--root", "new", "new/docs/notes/a.txt", "new/docs/notes/b.txt");
    daisho("add", mine, "--root", "new", "new/docs/a.txt");
    assert.ok(saved.equals(readFileSync(mine)), "other bytes than the command's");

    // It is the saved archive that is shown, also if the file on disk is another one now.
    await page.click("#verify");
    await page.until(status("all OK"));
    await page.click("#close");
  });

  await test("each change can be undone, unless another needs it, and what is refused is not kept", async () => {
    const pak = join(out, "undo.pak");
    copyFileSync(join(game, "id1/pak0.pak"), pak);
    await page.choose("#files", [pak]);
    await page.until(status("1 archive added"));
    const all = await page.value(listed);
    const act = async (entry, button) => {
      await choose("undo.pak", entry);
      await page.value(`[...document.querySelectorAll("#view button")].find((it) => it.innerText === "${button}").click()`);
    };
    const add = async (path, name) => {
      await page.chooseAfter(() => page.value(`document.querySelector("#add-files").focus()`).then(() => page.key("Enter")), [path]);
      await page.until(`document.querySelector("dialog.ask")`);
      await page.type(name);
      await page.key("Enter");
    };
    await add(join(files, "notes/a.txt"), "new.txt");
    await page.until(status("1 change, not saved"));
    await act("new.txt", "Rename...");
    await page.type("newer.txt");
    await page.key("Enter");
    await page.until(status("2 changes, not saved"));
    await act("end1.bin", "Remove");
    await page.until(status("3 changes, not saved"));

    // The first is needed by the second, and says so.
    await page.value(`document.querySelector('[aria-label="Undo: Add new.txt"]').focus()`);
    await page.key("Enter");
    await page.until(`document.querySelector("#changes li .error")`);
    assert.match(await page.text("#changes li:first-child"), /This cannot be undone by itself:\n+error: .*new\.txt/);
    assert.equal(await page.value(`${changes}.length`), 3);
    for (const [words, left] of [["Remove end1.bin", 2], ["Rename new.txt to newer.txt", 1], ["Add new.txt", 0]]) {
      await page.value(`document.querySelector('[aria-label="Undo: ${words}"]').focus()`);
      await page.key("Enter");
      await page.until(`${idle} && ${changes}.length === ${left}`);
      assert.ok(await page.value(`document.activeElement !== document.body`), "the focus is lost");
      assert.equal(await page.value(`document.querySelectorAll("#changes .error").length`), 0);
    }
    await filter("");
    assert.deepEqual(await page.value(listed), all);

    // A folder keeps its name, unless another one is typed.
    await page.chooseAfter(() => page.value(`document.querySelector("#add-folder").focus()`).then(() => page.key("Enter")), [join(files, "notes")]);
    await page.until(asked);
    assert.match(await page.value(asked), /Add 2 files to undo\.pak.*notes\/a\.txt\n+notes\/b\.txt/s);
    await page.key("Enter");
    await page.until(status("1 change, not saved"));
    assert.deepEqual((await page.value(listed)).slice(all.length), ["notes/a.txt", "notes/b.txt"]);
    await page.value(`document.querySelector('[aria-label^="Undo: Add 2 files"]').click()`);
    await page.until(`${idle} && ${changes}.length === 0`);

    // Files that are refused: a name that is taken, and a PNG that is none.
    await add(join(files, "notes/a.txt"), "end1.bin");
    await page.until(`${asked}?.includes("help: give another name, or replace files of the same name")`);
    await page.value(`document.querySelector("dialog.ask input[type=checkbox]").focus()`);
    await page.key(" ", "Space");
    await page.tabTo("Add");
    await page.key("Enter");
    await page.until(status("1 change, not saved"));
    assert.deepEqual(await page.value(listed), all);
    assert.deepEqual(await page.value(marked), [["end1.bin", "replaced"]]);
    writeFileSync(join(out, "broken.png"), readFileSync(picture(wall)).subarray(0, 200));
    await choose("undo.pak", "gfx/conback.lmp");
    await page.tabTo("Replace...");
    await page.chooseAfter(() => page.key("Enter"), [join(out, "broken.png")]);
    await page.until(`document.querySelector("#stage .saved .error")`);
    await shoot("refused-picture");
    assert.match(await page.text("#stage .saved"), /error: the picture cannot be decoded: .*\n+--> gfx\/conback\.lmp\.png/);
    assert.equal(await page.value(`${changes}.length`), 1);
    await page.key("Escape");
  });

  await test("changes are not lost when an archive is closed, or the page is left", async () => {
    const leaving = page.event("Page.javascriptDialogOpening");
    page.send("Page.reload").catch(() => {});
    assert.equal((await leaving).type, "beforeunload");
    await page.send("Page.handleJavaScriptDialog", { accept: false });
    assert.equal(await page.value(`${changes}.length`), 1);
    await page.value(`document.querySelector("#close").focus()`);
    await page.key("Enter");
    await page.until(`${asked}?.includes("undo.pak: 1 change, not saved")`);
    await page.key("Escape");
    await page.until(`!document.querySelector("dialog.ask")`);
    assert.equal(await page.value(focused), "Close");
    assert.equal(await page.text("#title"), "undo.pak");
    await page.key("Enter");
    await page.until(asked);
    await page.key("Enter");
    await page.until(`document.querySelector("#title").innerText !== "undo.pak"`);
    const saved = await downloaded("undo.pak");
    daisho("add", "-f", "undo.pak", "--as", "end1.bin", join(files, "notes/a.txt"));
    assert.ok(saved.equals(readFileSync(join(out, "undo.pak"))), "other bytes than the command's");
  });

  await test("textures of a WAD and files of a PK3 are changed as the command does it", async () => {
    const press = (button) => page.value(`[...document.querySelectorAll("#view button")].find((it) => it.innerText === "${button}").focus()`)
      .then(() => page.key("Enter"));
    const saved = async (name) => {
      await page.click("#save");
      await page.until(status(`Saved ${name}`));
      const bytes = await downloaded(name);
      await page.click("#close");
      return bytes;
    };
    const open = async (path) => {
      await page.choose("#files", [path]);
      await page.until(status("1 archive added"));
    };

    const wad = join(out, "mine.wad");
    copyFileSync(join(root, "corpus/wads/sound/plain-wad3.wad"), wad);
    daisho("extract", wad, "-C", "wad", "--png");
    mkdirSync(join(out, "wad-new"));
    copyFileSync(join(out, "wad/{fence.mip.png"), join(out, "wad-new/crate01.mip.png"));
    await open(wad);
    await choose("mine.wad", "crate01.mip");
    await page.chooseAfter(() => press("Replace..."), [join(out, "wad/{fence.mip.png")]);
    await page.until(status("1 change, not saved"));
    await choose("mine.wad", "logo.lmp");
    await press("Rename...");
    await page.type("sign");
    await page.key("Enter");
    await page.until(status("2 changes, not saved"));
    await choose("mine.wad", "{fence.mip");
    await press("Remove");
    await page.until(status("3 changes, not saved"));
    await filter("");
    assert.deepEqual(await page.value(listed), ["crate01.mip", "sign.lmp", "font0.fnt"]);
    assert.deepEqual(await page.value(marked), [["crate01.mip", "replaced"], ["sign.lmp", "renamed"]]);
    const ours = await saved("mine.wad");
    daisho("add", "-f", "--png", "mine.wad", "--root", "wad-new", "wad-new/crate01.mip.png");
    daisho("rename", "mine.wad", "logo.lmp", "sign");
    daisho("remove", "mine.wad", "{fence.mip");
    assert.ok(ours.equals(readFileSync(wad)), "another WAD than the command's");

    daisho("convert", join(game, "id1/pak0.pak"), "-o", "mine.pk3", "-f");
    await open(join(out, "mine.pk3"));
    await choose("mine.pk3", "quake.rc");
    await page.chooseAfter(() => press("Replace..."), [join(files, "notes/a.txt")]);
    await page.until(status("1 change, not saved"));
    await choose("mine.pk3", "maps/start.bsp");
    await press("Remove");
    await page.until(status("2 changes, not saved"));
    const zip = await saved("mine.pk3");
    daisho("add", "-f", "mine.pk3", "--as", "quake.rc", join(files, "notes/a.txt"));
    daisho("remove", "mine.pk3", "maps/start.bsp");
    assert.ok(zip.equals(readFileSync(join(out, "mine.pk3"))), "another PK3 than the command's");
  });

  await test("a name that cannot be typed is not edited", async () => {
    writeFileSync(join(out, "odd.pak"), pakOf([["a\\b.txt", Buffer.from("text")]]));
    await page.choose("#files", [join(out, "odd.pak")]);
    await page.until(status("1 archive added"));
    await page.click(".tile");
    await page.until(quiet);
    const disabled = await page.value(`[...document.querySelectorAll("#view button:disabled")].map((it) => it.innerText)`);
    for (const it of ["Replace...", "Rename...", "Remove"]) assert.ok(disabled.includes(it), disabled.join());
    assert.match(await page.value(`document.querySelector("#view button:disabled[title^='The name']").title`), /Use the command/);
    await page.key("Escape");
    await page.click("#close");
  });

  await test("conversions have the bytes that the command writes", async () => {
    await choose("game/data/pak0.pak");
    // The name is never that of the source.
    const names = { quake: "pak0-quake.pak", pk3: "pak0.pk3", sin: "pak0.sin", daikatana: "pak0-daikatana.pak" };
    for (const [to, name] of Object.entries(names)) {
      daisho("convert", join(game, "data/pak0.pak"), "-o", `command.${to}`, "--to", to, "-f");
      const bytes = await convert(to, name);
      assert.ok(bytes.equals(readFileSync(join(out, `command.${to}`))), `${to} differs`);
      if (to === "pk3") await shoot("converted");
    }
    await page.value(`document.querySelector("#results details").open = true`);
    await page.until(`document.querySelector("#results .engines li.loads")`);
  });

  await test("long runs of payloads that are passed on are where the command puts them", async () => {
    // Two runs that are referred to, one that is too short for that, and what is decoded between them.
    const noise = (length, seed) => Uint8Array.from({ length }, (_, n) => (Math.imul(n + seed, 2654435761) >>> 13) & 255);
    mkdirSync(join(out, "long"), { recursive: true });
    const files = { "a.wav": 700_000, "b.wav": 700_000, "c.tga": 300_000, "d.wav": 1000, "e.tga": 9_000_000, "f.wav": 2_000_000 };
    for (const [name, length] of Object.entries(files)) {
      writeFileSync(join(out, "long", name), name.endsWith("tga") ? Buffer.alloc(length, name) : noise(length, length));
    }
    daisho("create", "long", "-o", "long.pak", "--to", "daikatana", "-f");
    await page.choose("#files", [join(out, "long.pak")]);
    await page.until(status("1 archive added"));
    for (const [to, name] of [["quake", "long-quake.pak"], ["pk3", "long.pk3"], ["daikatana", "long-daikatana.pak"]]) {
      daisho("convert", "long.pak", "-o", "command.long", "--to", to, "-f");
      const bytes = await convert(to, name);
      assert.ok(bytes.equals(readFileSync(join(out, "command.long"))), `${to} differs`);
    }
    await page.click("#close");
  });

  await test("all is extracted as a ZIP, or what is filtered", async () => {
    await choose("game/data/pak0.pak");
    await page.click("#zip");
    await page.until(status("extracted"));
    writeFileSync(join(out, "all.zip"), await downloaded("pak0.zip"));
    daisho("verify", join(game, "data/pak0.pak"), "--snapshot", "all.txt", "--update");
    daisho("verify", "all.zip", "--snapshot", "all.txt");
    await filter("*.bsp");
    assert.match(await page.text("#zip"), /^Extract 2 as a ZIP/);
    await page.click("#zip");
    await page.until(status("extracted"));
    writeFileSync(join(out, "some.zip"), await downloaded("pak0.zip"));
    assert.match(daisho("list", "some.zip"), /^.*\.bsp\s*$/m);
  });

  await test("one file is saved", async () => {
    await choose("game/data/pak1.pak", "skins/hero.tga");
    await page.click("#view .group button");
    const bytes = await downloaded("hero.tga");
    const told = execFileSync(command, ["cat", join(game, "data/pak1.pak"), "skins/hero.tga"]);
    assert.ok(bytes.equals(told));
  });

  await test("a snapshot is the command's, and is compared with", async () => {
    await choose("game/data/pak0.pak");
    await page.click("#verify");
    await page.until(status("all OK"));
    await page.click("#results button");
    const text = await downloaded("pak0.txt");
    assert.equal(text.toString(), readFileSync(join(out, "all.txt"), "utf8"));
    await page.choose("#snapshot", [join(out, "all.txt")]);
    await page.until(status("The same as the snapshot"));
    writeFileSync(join(out, "other.txt"), text.toString().replace(/^[0-9a-f]{8}/, "00000000"));
    await page.choose("#snapshot", [join(out, "other.txt")]);
    await page.until(status("1 difference"));
    await shoot("verified");
    await page.choose("#snapshot", [join(game, "readme.txt")]);
    await page.until(status("failed"));
    assert.match(await page.text("#results"), /error: line 1 of this snapshot/);
  });

  await test("damage is named in the command's words, and nothing is made of it unless asked", async () => {
    const broken = join(root, "corpus/paks/broken/size-one-too-large.pak");
    await page.choose("#files", [broken]);
    await page.until(status("1 archive added"));
    await page.click("#verify");
    await page.until(status("damaged"));
    let said = "";
    try {
      execFileSync(command, ["verify", broken], { stdio: ["ignore", "ignore", "pipe"], encoding: "utf8" });
    } catch (error) {
      said = error.stderr;
    }
    const shown = await page.value(`[...document.querySelectorAll("#results .error")].map((it) => it.querySelector("p").textContent)`);
    assert.ok(shown.length > 0);
    for (const line of shown) assert.ok(said.includes(line), `${line}\n${said}`);
    await page.value(`document.querySelector("#to").value = "quake"`);
    await page.click("#convert");
    await page.until(status("Nothing was made"));
    await shoot("damaged");
    await page.click("#keep-going");
    await page.click("#convert");
    await page.until(status("Converted without some"));
    await downloaded("size-one-too-large-quake.pak");
    await page.click("#keep-going");
  });

  await test("many problems of one kind are one, until all are asked for", async () => {
    // A ZIP of ten stored entries with wrong CRC-32s.
    const streams = join(out, "streams.pk3");
    const files = join(out, "wrong");
    mkdirSync(files);
    for (let n = 0; n < 10; n++) writeFileSync(join(files, `f${n}.txt`), `MARK${n}`);
    daisho("create", "wrong", "-o", "wrong.pk3", "-f");
    writeFileSync(streams, readFileSync(join(out, "wrong.pk3")).toString("latin1").replaceAll("MARK", "mark"), "latin1");
    await page.choose("#files", [streams]);
    await page.until(status("1 archive added"));
    await page.click("#verify");
    await page.until(status("10 damaged"));
    assert.equal(await page.value(`document.querySelectorAll("#results .error").length`), 1);
    const more = `[...document.querySelectorAll("#results button")].find((it) => it.innerText.includes("9 more"))`;
    await page.value(`${more}.click()`);
    assert.equal(await page.value(`document.querySelectorAll("#results .error").length`), 10);
    await page.click("#close");
  });

  await test("what is no archive says why, and what was shown stays", async () => {
    const title = await page.text("#title");
    const archives = await page.text("#archives");
    await page.choose("#files", [join(game, "readme.txt")]);
    await page.until(`${idle} && document.querySelector("#unread .error")`);
    assert.match(await page.text("#unread"), /error: .*\n.*readme\.txt\n.*help: daisho reads paks of/s);
    assert.equal(await page.text("#title"), title);
    assert.equal(await page.text("#archives"), archives);
    // It goes when another archive is looked at.
    await choose("game/id1/pak0.pak");
    assert.equal(await page.text("#unread"), "");
  });

  await test("a list of 50,000 entries scrolls, and is filtered", async () => {
    const files = join(out, "many");
    const empty = Buffer.alloc(0);
    mkdirSync(files);
    writeFileSync(join(files, "many.pak"), pakOf(Array.from({ length: 50_000 }, (_, n) => [`maps/number${n}.txt`, empty])));
    await page.choose("#files", [join(files, "many.pak")]);
    await page.until(status("1 archive added"));
    assert.match(await page.text("#count"), /^50000 of 50000 files/);
    await page.value(`document.querySelector(".tile").focus()`);
    await page.key("End");
    await page.key("Enter");
    await page.until(`document.querySelector("#view-name").innerText === "maps/number49999.txt"`);
    await page.key("Escape");
    const tiles = await page.value(`document.querySelectorAll(".tile").length`);
    assert.ok(tiles < 300, `${tiles} tiles are elements`);
    await filter("number4999?.txt");
    assert.match(await page.text("#count"), /^10 of 50000 files/);
  });

  await test("work is cancelled, and the next begins anew", async () => {
    const big = join(out, "big.pak");
    const content = Buffer.alloc(48 << 20, "all work and no play makes a dull texture ");
    writeFileSync(big, pakOf([["big.bsp", content]]));
    await page.choose("#files", [big]);
    await page.until(status("1 archive added"));
    await page.value(`document.querySelector("#to").value = "pk3"`);
    await page.click("#convert");
    await page.until(`!document.querySelector("#job").hidden`);
    await page.click("#cancel");
    await page.until(status("cancelled"));
    await page.click("#verify");
    await page.until(status("all OK"));
  });

  await test("a file that changes while it is open is an error in place", async () => {
    writeFileSync(join(out, "big.pak"), "short");
    await page.click("#verify");
    await page.until(status("failed"));
    assert.match(await page.text("#results"), /error: /);
  });

  await test("a defect is reported as one, and the page goes on", async () => {
    // No input is known that makes the program panic: it is made to by a module in its place.
    await page.value(`(() => {
      window.realWorker = Worker;
      window.Worker = class extends Worker {
        postMessage(message) { super.postMessage({ ...message, module: {} }); }
      };
    })()`);
    await choose("game/data/pak0.pak");
    await page.click("#verify");
    await page.until(`!document.querySelector("#defect").hidden`);
    await shoot("defect");
    await page.click("#dismiss");
    await page.value(`(() => { window.Worker = window.realWorker; })()`);
    await page.click("#verify");
    await page.until(status("all OK"));
  });

  await test("it fits a phone, in the dark", async () => {
    await page.size(390, 844, true);
    await page.scheme("dark");
    await choose("game/data/pak1.pak", "skins/hero.tga");
    const wide = await page.value(`document.documentElement.scrollWidth`);
    assert.ok(wide <= 390, `${wide} pixels wide`);
    await page.value(`window.scrollTo(0, 0)`);
    await shoot("phone");
    await page.value(`document.querySelector("#view").close(); document.querySelector("#entries").scrollIntoView()`);
    await shoot("phone-entries");
  });

  await test("everything that can be operated has a name, and can be reached by keyboard", async () => {
    const { nodes } = await page.send("Accessibility.getFullAXTree");
    const roles = ["button", "combobox", "checkbox", "searchbox", "listbox", "link", "progressbar", "Audio", "image"];
    const nameless = nodes.filter((it) => !it.ignored && roles.includes(it.role?.value) && !it.name?.value);
    assert.deepEqual(nameless.map((it) => it.role.value), []);
    const focusable = await page.value(`document.querySelectorAll('.tile[tabindex="0"]').length`);
    assert.equal(focusable, 1, "one tile is reached by the tab key, the others by arrows");
  });

  await test("nothing was asked of any network, and nothing was thrown", async () => {
    const asked = page.requests.filter((url) => !/^(file|blob|data|about):/.test(url));
    assert.deepEqual(asked, []);
    assert.deepEqual(page.errors, []);
  });
  console.log(`${passed} tests passed, screenshots in ${output}`);
} finally {
  await browser.end();
}

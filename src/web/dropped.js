// Files that were dropped or chosen, with their paths.

const byPath = ([a], [b]) => (a < b ? -1 : a > b ? 1 : 0);

/** The files of an <input>, in the order of their paths. */
export function ofInput(input) {
  return [...input.files].map((file) => [file.webkitRelativePath || file.name, file]).sort(byPath);
}

/**
 * The files of a drop, and of the folders in it, in the order of their paths. For a page from disk Chromium
 * opens no file by way of a folder's entry, but does by its handle; other browsers know entries alone.
 */
export async function ofDrop(transfer) {
  const found = [];
  const items = [...transfer.items].filter((item) => item.kind === "file");
  // Ask for all entries at once: the items are gone after the first await.
  const walks = items.map((item) => {
    const entry = item.webkitGetAsEntry?.();
    const file = item.getAsFile();
    if (!entry?.isDirectory) return file && found.push([file.name, file]);
    const handle = item.getAsFileSystemHandle?.();
    return handle ? handle.then((it) => walkHandle(it, it.name, found)) : walkEntry(entry, found);
  });
  await Promise.all(walks);
  return found.sort(byPath);
}

async function walkHandle(handle, path, found) {
  if (handle.kind === "file") {
    found.push([path, await handle.getFile()]);
    return;
  }
  for await (const child of handle.values()) await walkHandle(child, `${path}/${child.name}`, found);
}

async function walkEntry(entry, found) {
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
    found.push([entry.fullPath.replace(/^\//, ""), file]);
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    // Each call returns a part of the folder, and nothing at its end.
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return;
    for (const child of some) await walkEntry(child, found);
  }
}

/** These paths, none of which is among `taken`. */
export function apart(files, taken) {
  const seen = new Set(taken);
  return files.map(([path, file]) => {
    let name = path;
    for (let n = 2; seen.has(name); n++) name = path.replace(/(\.[^./]*)?$/, ` (${n})$1`);
    seen.add(name);
    return [name, file];
  });
}

// Chromium, driven through its pipe: nothing but node is needed.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const FLAGS = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--disable-extensions", "--disable-dev-shm-usage", "--hide-scrollbars",
  "--remote-debugging-pipe",
];

export class Browser {
  static async start(command) {
    const it = new Browser();
    it.profile = mkdtempSync(join(tmpdir(), "daisho-web-"));
    const args = [...FLAGS, `--user-data-dir=${it.profile}`, "about:blank"];
    it.process = spawn(command, args, { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    it.waiting = new Map();
    it.listeners = [];
    it.number = 0;
    let rest = Buffer.alloc(0);
    it.process.stdio[4].on("data", (data) => {
      rest = Buffer.concat([rest, data]);
      for (let end; (end = rest.indexOf(0)) >= 0; rest = rest.subarray(end + 1)) {
        it.receive(JSON.parse(rest.subarray(0, end).toString()));
      }
    });
    it.process.on("exit", () => it.waiting.forEach(({ reject }) => reject(new Error("the browser has ended"))));
    return it;
  }

  receive(message) {
    const waiting = this.waiting.get(message.id);
    if (!waiting) {
      this.listeners.forEach((listener) => listener(message));
      return;
    }
    this.waiting.delete(message.id);
    if (message.error) waiting.reject(new Error(`${waiting.method}: ${message.error.message}`));
    else waiting.resolve(message.result);
  }

  send(method, params = {}, sessionId) {
    const id = ++this.number;
    this.process.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + "\0");
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject, method }));
  }

  async page() {
    const { targetId } = await this.send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
    const page = new Page(this, sessionId);
    await page.send("Page.enable");
    await page.send("Runtime.enable");
    await page.send("Network.enable");
    return page;
  }

  async end() {
    const ended = new Promise((resolve) => this.process.once("exit", resolve));
    await this.send("Browser.close").catch(() => {});
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 5000))]);
    this.process.kill("SIGKILL");
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

class Page {
  constructor(browser, session) {
    this.browser = browser;
    this.session = session;
    this.errors = [];
    this.requests = [];
    browser.listeners.push(({ method, params, sessionId }) => {
      if (sessionId !== session) return;
      if (method === "Runtime.exceptionThrown") this.errors.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
      if (method === "Runtime.consoleAPICalled" && params.type === "error") this.errors.push(JSON.stringify(params.args));
      if (method === "Network.requestWillBeSent") this.requests.push(params.request.url);
    });
  }

  send(method, params) {
    return this.browser.send(method, params, this.session);
  }

  /** Waits for the next event of this kind, and returns what it says. */
  event(kind) {
    return new Promise((resolve) => {
      this.browser.listeners.push(({ method, params, sessionId }) => {
        if (method === kind && sessionId === this.session) resolve(params);
      });
    });
  }

  async open(url) {
    const loaded = this.event("Page.loadEventFired");
    await this.send("Page.navigate", { url });
    await loaded;
  }

  /** The value of an expression in the page. */
  async value(expression) {
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.exception?.description}`);
    return result.value;
  }

  /** Waits until an expression is true, and returns it. */
  async until(expression, seconds = 20) {
    const end = Date.now() + seconds * 1000;
    for (;;) {
      const value = await this.value(expression);
      if (value) return value;
      if (Date.now() > end) {
        throw new Error(`waited in vain for ${expression.slice(0, 300)}; the page says ${JSON.stringify(await this.text("body"))}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  }

  text(selector) {
    return this.value(`document.querySelector(${JSON.stringify(selector)})?.innerText`);
  }

  click(selector) {
    return this.value(`document.querySelector(${JSON.stringify(selector)}).click()`);
  }

  async choose(selector, files) {
    const { root } = await this.send("DOM.getDocument");
    const { nodeId } = await this.send("DOM.querySelector", { nodeId: root.nodeId, selector });
    await this.send("DOM.setFileInputFiles", { files, nodeId });
  }

  /** Does something that opens the system's dialog for files, and chooses these in it. */
  async chooseAfter(action, files) {
    await this.send("Page.setInterceptFileChooserDialog", { enabled: true });
    const opened = this.event("Page.fileChooserOpened");
    await action();
    const { backendNodeId } = await opened;
    await this.send("DOM.setFileInputFiles", { files, backendNodeId });
    await this.send("Page.setInterceptFileChooserDialog", { enabled: false });
  }

  /** Presses Tab until the element with this text has the focus. */
  async tabTo(text) {
    for (let n = 0; n < 60; n++) {
      if ((await this.value(`document.activeElement.innerText`)) === text) return;
      await this.key("Tab");
    }
    throw new Error(`the Tab key does not reach "${text}"`);
  }

  /** Types a text into the field that has the focus, instead of the text in it. */
  async type(text) {
    await this.value(`document.activeElement.select()`);
    await this.send("Input.insertText", { text });
  }

  async drop(files) {
    const data = { items: [], files, dragOperationsMask: 1 };
    for (const type of ["dragEnter", "dragOver", "drop"]) {
      await this.send("Input.dispatchDragEvent", { type, x: 300, y: 150, data });
    }
  }

  async key(key, code = key) {
    const more = {
      Enter: { text: "\r", windowsVirtualKeyCode: 13 }, Escape: { windowsVirtualKeyCode: 27 }, Tab: { windowsVirtualKeyCode: 9 },
    }[key];
    for (const type of ["keyDown", "keyUp"]) await this.send("Input.dispatchKeyEvent", { type, key, code, ...more });
  }

  size(width, height, mobile = false) {
    return this.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile });
  }

  scheme(value) {
    return this.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value }] });
  }

  async screenshot() {
    const { data } = await this.send("Page.captureScreenshot", { format: "png" });
    return Buffer.from(data, "base64");
  }
}

// The worker: one request, one run of the program.

import { run } from "./system.js";

self.onmessage = ({ data: { module, args, files } }) => {
  const line = (it) => self.postMessage({ line: it });
  try {
    self.postMessage({ end: run(module, args, files, line) });
  } catch (error) {
    self.postMessage({ defect: `${error.stderr || ""}${error.stack || error}` });
  }
};

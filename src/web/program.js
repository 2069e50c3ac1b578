// Requests to the program. Each has its own worker, so a failure does not affect the next request, and ending the
// worker cancels the request.

let compiled;

/** What was built into the page under this id. */
function embedded(id) {
  return document.getElementById(id).textContent.trim();
}

/** The program, which the page contains compressed, as base64. */
async function compile() {
  const bytes = Uint8Array.from(atob(embedded("program")), (c) => c.charCodeAt(0));
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(plain).arrayBuffer());
}

/** A defect of the program, or of this page: never the fault of an archive. */
export class Defect extends Error {}

/** What a request ends with that was cancelled. */
export class Cancelled extends Error {}

/**
 * Runs the program with these arguments and files (pairs of a path and a File). `line` gets each object that
 * it says. Returns the promise of its end, with a function that cancels it.
 */
export function request(args, files, line) {
  compiled ??= compile();
  let cancel;
  const done = new Promise((resolve, reject) => {
    const url = URL.createObjectURL(new Blob([embedded("worker")], { type: "text/javascript" }));
    const worker = new Worker(url);
    const end = (settle, value) => {
      worker.terminate();
      URL.revokeObjectURL(url);
      settle(value);
    };
    cancel = () => end(reject, new Cancelled("cancelled"));
    worker.onerror = (event) => end(reject, new Defect(event.message || "the worker has failed"));
    worker.onmessage = ({ data }) => {
      if (data.line) line(data.line);
      else if (data.end) end(resolve, data.end);
      else end(reject, new Defect(data.defect));
    };
    compiled.then(
      (module) => worker.postMessage({ module, args, files }),
      (error) => end(reject, new Defect(`the program cannot be compiled: ${error}`)),
    );
  });
  return { done, cancel };
}

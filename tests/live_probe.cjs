// Loaded into the gateway by the tests: how long does Strata hold its only thread?
//
// Counted are our handlers' own steps: starting the thread that starts the listener, and
// each batch of events handed to it. What a busy machine adds, because it runs other
// programs meanwhile, is taken off.

const fs = require("node:fs");
const threads = require("node:worker_threads");
const { syncBuiltinESMExports } = require("node:module");

const file = process.env.STRATA_PROBE;

// Milliseconds that this thread has been ready to run while others had the processors.
const queued = () => {
  try {
    return Number(fs.readFileSync("/proc/thread-self/schedstat", "utf8").split(" ")[1]) / 1e6;
  } catch {
    return 0;
  }
};

const measured = (what, step, names) => {
  const waited = queued();
  const begin = performance.now();
  const result = step();
  const others = queued() - waited;
  const passed = performance.now() - begin;
  const held = Math.max(0, passed - others);
  fs.appendFileSync(file, `${JSON.stringify({ what, held, passed, names, at: Date.now() / 1000 })}\n`);
  return result;
};

class Measured extends threads.Worker {
  postMessage(message, ...rest) {
    const names = [message.told].flat().map((event) => event.name);
    return measured("write", () => super.postMessage(message, ...rest), names);
  }
}

if (file && threads.isMainThread) {
  const Worker = threads.Worker;
  threads.Worker = new Proxy(Worker, {
    construct: (_target, [script, options]) =>
      String(script).endsWith("strata/plugin/hooks/carrier.js")
        ? measured("start", () => new Measured(script, options), [])
        : new Worker(script, options),
  });
  syncBuiltinESMExports();
}

// Loaded into the gateway by the tests: how long does Strata hold its only thread?
//
// Counted are our handlers' own steps: starting the thread that starts the listener, and
// each batch of events handed to it.

const fs = require("node:fs");
const threads = require("node:worker_threads");
const { syncBuiltinESMExports } = require("node:module");

const file = process.env.STRATA_PROBE;
const measured = (what, step, names) => {
  const begin = performance.now();
  const result = step();
  const held = performance.now() - begin;
  fs.appendFileSync(file, `${JSON.stringify({ what, held, names, at: Date.now() / 1000 })}\n`);
  return result;
};

class Measured extends threads.Worker {
  postMessage(message, ...rest) {
    const names = message.events.map((event) => event.name);
    return measured("write", () => super.postMessage(message, ...rest), names);
  }
}

if (file && threads.isMainThread) {
  const Worker = threads.Worker;
  threads.Worker = new Proxy(Worker, {
    construct: (_target, [script, options]) =>
      String(script).endsWith("strata/plugin/hooks/listener.js")
        ? measured("start", () => new Measured(script, options), [])
        : new Worker(script, options),
  });
  syncBuiltinESMExports();
}

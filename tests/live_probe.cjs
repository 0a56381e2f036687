// Loaded into the gateway by the tests: how long does Strata hold its only thread?
//
// Counted are our handlers' own steps: starting the listener, and each line written to it.

const childProcess = require("node:child_process");
const fs = require("node:fs");
const { syncBuiltinESMExports } = require("node:module");

const file = process.env.STRATA_PROBE;
const note = (what, begin, events) => {
  const held = performance.now() - begin;
  fs.appendFileSync(file, `${JSON.stringify({ what, held, events })}\n`);
};

const spawn = childProcess.spawn;
childProcess.spawn = function measured(command, ...rest) {
  const begin = performance.now();
  const child = spawn.call(this, command, ...rest);
  if (!file || !String(command).endsWith("strata/plugin/scripts/listen")) return child;
  note("start", begin, 0);
  const write = child.stdin?.write;
  if (write)
    child.stdin.write = function counted(line, ...more) {
      const started = performance.now();
      const result = write.call(this, line, ...more);
      note("write", started, JSON.parse(line.slice(line.indexOf(" "))).length);
      return result;
    };
  return child;
};
syncBuiltinESMExports();

// Runs in a thread of its own: starts a process, and carries lines to it and from it.

import { spawn } from "node:child_process";
import { parentPort, workerData } from "node:worker_threads";

const say = (message) => parentPort.postMessage(message);
const child = spawn(workerData.program, workerData.words, { detached: true, stdio: ["pipe", "pipe", "ignore"] });
child.on("error", (error) => say({ lost: error.code })).on("exit", (code) => say({ lost: `exit code ${code}` }));
child.stdin.on("error", (error) => say({ lost: error.code }));
child.stdout.setEncoding("utf8").on("data", (heard) => say({ heard })).on("error", () => {});

// What was written to the pipe survives the gateway.
parentPort.on("message", ({ number, told }) =>
  child.stdin.write(`${number} ${JSON.stringify(told)}\n`, () => say({ handed: number })));

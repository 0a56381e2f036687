// A process that Python answers in, and the thread of its own that carries lines to it and back.

import path from "node:path";
import { Worker } from "node:worker_threads";

const ended = "exit code 0"; // it made way for a newer version of itself
const betweenStarts = 30_000; // where it cannot be started

// The gateway's environment holds its owner's keys, so the child gets named variables only.
const passed = /^(HOME|PATH|LANG|LC_\w+|TZ|TMPDIR|OPENCLAW_STATE_DIR|OPENCLAW_CONFIG_PATH|STRATA_\w+|(HTTPS?|ALL|NO)_PROXY|(https?|all|no)_proxy|SSL_CERT_(FILE|DIR))$/;
const environment = () => Object.fromEntries(Object.entries(process.env).filter(([name]) => passed.test(name)));

export const within = (promise, ms) => {
  let timer;
  const late = new Promise((resolve) => { timer = setTimeout(resolve, ms); });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
};

// Whatever becomes of the process must not reach the gateway. Starting it takes 20 to 150 ms
// of a thread, because the gateway has a gigabyte of memory, so a thread of its own does that.
export class Process {
  constructor(root, program, ...words) {
    this.root = root;
    this.command = { program: path.join(root, "scripts", program), words };
    this.waiting = new Map();
    this.number = 0;
    this.tried = -betweenStarts;
  }

  start() {
    if (this.thread || performance.now() - this.tried < betweenStarts) return;
    this.tried = performance.now();
    try {
      const thread = new Worker(path.join(this.root, "hooks", "carrier.js"), {
        workerData: this.command, env: environment(), execArgv: [],
      });
      this.thread = thread;
      const lost = (why) => { if (this.thread === thread) this.lose(why); };
      thread.on("error", (error) => lost(error.code ?? error.message)).on("exit", (code) => lost(`exit code ${code}`));
      thread.on("message", (said) => {
        if (said.lost) lost(said.lost);
        else if (this.thread === thread) this.hear(said);
      });
      thread.unref();
    } catch (error) {
      this.lose(error.code ?? error.message);
    }
  }

  // Gives two promises: handed over, and answered with what Python printed, empty where it failed.
  send(told) {
    this.start();
    if (!this.thread) return { handed: Promise.resolve(), answered: Promise.resolve("") };
    const number = String(this.number += 1);
    const steps = { at: performance.now() };
    const step = (name) => new Promise((resolve) => { steps[name] = resolve; });
    const sent = { handed: step("handed"), answered: step("answered") };
    this.waiting.set(number, steps);
    this.thread.postMessage({ number, told });
    return sent;
  }

  // Milliseconds for which somebody has waited.
  get silence() {
    const [oldest] = this.waiting.values();
    return oldest ? performance.now() - oldest.at : 0;
  }

  hear({ handed, heard = "" }) {
    this.waiting.get(handed)?.handed();
    const lines = `${this.rest ?? ""}${heard}`.split("\n");
    this.rest = lines.pop();
    for (const line of lines) {
      const [, number, code, said] = /^(\d+) (\d+) ?(.*)$/.exec(line) ?? [];
      if (!number) continue;
      if (code !== "0") this.complain(`exit code ${code}`);
      this.waiting.get(number)?.answered(code === "0" ? said.trim() : "");
      this.waiting.delete(number);
    }
  }

  lose(why) {
    this.close();
    if (why !== ended) this.complain(why);
  }

  complain(why) {
    this.warn?.(`Strata could not ${this.does} (${why}); ${path.join(this.root, "scripts", "strata")} doctor says more`);
  }

  // Whoever waits has an answer, and an empty one.
  close() {
    this.thread?.terminate();
    this.thread = this.rest = undefined;
    for (const { handed, answered } of this.waiting.values()) { handed(); answered(""); }
    this.waiting.clear();
  }
}

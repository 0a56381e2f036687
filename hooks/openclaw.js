// Carries ids from OpenClaw's events to Python and returns at once; it never sees text.

import { spawn } from "node:child_process";
import path from "node:path";

// Milliseconds that OpenClaw may wait for Python: a summary is better made after the notes.
const waits = { session_end: 0, before_reset: 0, before_compaction: 3000, gateway_start: 0 };
const heartbeatWait = 10_000;
const betweenBatches = 250; // one Python for all events of a burst
const mostInOne = 200;
const betweenStarts = 30_000; // where the listener cannot be started
const afterStop = 10_000; // a plugin that is replaced is stopped, then started

// The gateway's environment holds its owner's keys, so the child gets named variables only.
const passed = /^(HOME|PATH|LANG|LC_\w+|TZ|TMPDIR|OPENCLAW_STATE_DIR|OPENCLAW_CONFIG_PATH|STRATA_\w+)$/;
const environment = () => Object.fromEntries(Object.entries(process.env).filter(([name]) => passed.test(name)));

const ids = (name, event, context) => ({
  name,
  agent: context?.agentId,
  workspace: context?.workspaceDir,
  session: event?.sessionId ?? context?.sessionId,
  reason: event?.reason,
});

const within = (promise, ms) => {
  let timer;
  const late = new Promise((resolve) => { timer = setTimeout(resolve, ms); });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
};

// One process that starts all others; whatever becomes of it must not reach the gateway.
class Listener {
  constructor(folder) {
    this.folder = folder;
    this.answers = new Map();
    this.number = 0;
    this.tried = -betweenStarts;
  }

  start() {
    if (this.child || performance.now() - this.tried < betweenStarts) return;
    this.tried = performance.now();
    try {
      const child = spawn(path.join(this.folder, "listen"), [], {
        detached: true, stdio: ["pipe", "pipe", "ignore"], env: environment(),
      });
      this.child = child;
      const lost = (why) => { if (this.child === child) this.lose(why); };
      child.on("error", (error) => lost(error.code)).on("exit", (code) => lost(`exit code ${code}`));
      child.stdin.on("error", (error) => lost(error.code));
      child.stdout.setEncoding("utf8").on("data", (data) => this.hear(data)).on("error", () => {});
      for (const part of [child, child.stdin, child.stdout]) part.unref?.();
    } catch (error) {
      this.lose(error.code ?? error.message);
    }
  }

  // Resolves with what Python printed, empty where it failed.
  send(events) {
    this.start();
    if (!this.child) return Promise.resolve("");
    const number = String(this.number += 1);
    const answer = new Promise((resolve) => this.answers.set(number, resolve));
    this.child.stdin.write(`${number} ${JSON.stringify(events)}\n`);
    return answer;
  }

  hear(data) {
    const lines = `${this.rest ?? ""}${data}`.split("\n");
    this.rest = lines.pop();
    for (const line of lines) {
      const [number, code, ...words] = line.split(" ");
      if (code !== "0") this.complain(`exit code ${code}`);
      this.answers.get(number)?.(code === "0" ? words.join(" ").trim() : "");
      this.answers.delete(number);
    }
  }

  lose(why) {
    this.child = undefined;
    this.complain(why);
    for (const resolve of this.answers.values()) resolve("");
    this.answers.clear();
  }

  complain(why) {
    this.warn?.(`Strata could not handle an event (${why}); ${path.join(this.folder, "strata")} doctor says more`);
  }

  close() {
    const child = this.child;
    this.child = undefined;
    child?.stdin.end();
  }
}

// Gives a function that takes an event's ids, and says when they were handed over and handled.
function collector(listener) {
  let open;
  let last = -betweenBatches;
  const start = () => {
    const batch = { events: [] };
    batch.handed = new Promise((resolve) => {
      setTimeout(() => {
        open = undefined;
        last = performance.now();
        batch.done = listener.send(batch.events);
        resolve();
      }, Math.max(0, last + betweenBatches - performance.now()));
    });
    return batch;
  };
  return async (event, wait) => {
    const batch = (open ??= start());
    if (batch.events.push(event) >= mostInOne) open = undefined;
    await batch.handed;
    return wait ? within(batch.done, wait) : undefined;
  };
}

export default {
  id: "strata",
  name: "Strata",
  description: "Long-term memory: conversations become daily notes that can be searched",
  register(api) {
    // Not import.meta.url: OpenClaw 2026.9 runs a copy of this file from its own folder.
    const folder = path.join(api.rootDir, "scripts");
    // OpenClaw registers a plugin again whenever its configuration changes.
    const listener = (globalThis[Symbol.for(`strata:${folder}`)] ??= new Listener(folder));
    listener.warn = (line) => api.logger?.warn?.(line);
    const hand = collector(listener);
    for (const [name, wait] of Object.entries(waits))
      api.on(name, async (event, context) => {
        clearTimeout(listener.closing);
        await hand(ids(name, event, context), wait);
      });
    api.on("gateway_stop", () => {
      listener.closing = setTimeout(() => listener.close(), afterStop);
      listener.closing.unref?.();
    });
    api.on("heartbeat_prompt_contribution", async (event, context) => {
      const notice = await within(listener.send([ids("heartbeat", event, context)]), heartbeatWait);
      return notice ? { appendContext: notice } : undefined;
    });
  },
};

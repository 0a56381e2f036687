// Carries ids from OpenClaw's events to Python and returns at once; it never sees text.

import { spawn } from "node:child_process";
import path from "node:path";

// Milliseconds that OpenClaw may wait for Python: a summary is better made after the notes.
const waits = { session_end: 0, before_reset: 0, before_compaction: 3000, gateway_start: 0 };
const heartbeatWait = 10_000;
const betweenStarts = 250; // one Python for all events of a burst
const mostInOne = 200;

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

// Resolves with what Python printed, whatever becomes of it: a failure must not reach the gateway.
const run = (strata, events, warn) => new Promise((resolve) => {
  const failed = (why) => { warn(`Strata could not handle an event (${why}); ${strata} doctor says more`); resolve(""); };
  try {
    const batch = JSON.stringify(events.slice(0, mostInOne));
    const child = spawn(strata, ["event", "--batch", batch], {
      detached: true, stdio: ["ignore", "pipe", "ignore"], env: environment(),
    });
    let printed = "";
    child.stdout.on("data", (data) => { printed += data; }).on("error", () => {}).unref();
    child.on("error", (error) => failed(error.code));
    child.on("close", (code) => (code ? failed(`exit code ${code}`) : resolve(printed.trim())));
    child.unref();
  } catch (error) {
    failed(error.code ?? error.message);
  }
});

// Gives a function that takes an event's ids, and says when they were handed over and handled.
function carrier(strata, warn) {
  let open;
  let last = -betweenStarts;
  const start = () => {
    const batch = { events: [] };
    batch.handed = new Promise((resolve) => {
      const go = () => {
        open = undefined;
        last = performance.now();
        batch.done = run(strata, batch.events, warn);
        resolve();
      };
      setTimeout(go, Math.max(0, last + betweenStarts - performance.now()));
    });
    return batch;
  };
  return async (event, wait) => {
    const batch = (open ??= start());
    batch.events.push(event);
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
    const strata = path.join(api.rootDir, "scripts", "strata");
    const warn = (line) => api.logger?.warn?.(line);
    const hand = carrier(strata, warn);
    for (const [name, wait] of Object.entries(waits))
      api.on(name, async (event, context) => { await hand(ids(name, event, context), wait); });
    api.on("heartbeat_prompt_contribution", async (event, context) => {
      const notice = await within(run(strata, [ids("heartbeat", event, context)], warn), heartbeatWait);
      return notice ? { appendContext: notice } : undefined;
    });
  },
};

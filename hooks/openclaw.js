// Carries ids from OpenClaw's events to Python and returns at once; it never sees text.

import { spawn } from "node:child_process";
import path from "node:path";

const passed = ["HOME", "PATH", "LANG", "LC_ALL", "TZ", "TMPDIR", "OPENCLAW_STATE_DIR", "OPENCLAW_CONFIG_PATH"];

const options = (given) =>
  Object.entries(given).flatMap(([name, value]) => (value ? [`--${name}`, String(value)] : []));

// The gateway's environment holds its owner's keys, so the child gets named variables only.
const environment = () => Object.fromEntries(passed.filter((name) => name in process.env).map((name) => [name, process.env[name]]));

function hand(strata, name, event, context) {
  const ids = options({
    agent: context?.agentId,
    workspace: context?.workspaceDir,
    session: event?.sessionId ?? context?.sessionId,
    reason: event?.reason,
  });
  const child = spawn(strata, ["event", name, ...ids], { detached: true, stdio: "ignore", env: environment() });
  child.on("error", () => {}); // A missing Python must never reach the gateway; the next sync catches up.
  child.unref();
}

export default {
  id: "strata",
  name: "Strata",
  description: "Long-term memory: conversations become daily notes that can be searched",
  register(api) {
    // Not import.meta.url: OpenClaw 2026.9 runs a copy of this file from its own folder.
    const strata = path.join(api.rootDir, "scripts", "strata");
    api.on("session_end", (event, context) => hand(strata, "session_end", event, context));
    api.on("before_reset", (event, context) => hand(strata, "session_end", event, context));
    api.on("before_compaction", (event, context) => hand(strata, "before_compaction", event, context));
  },
};

// Carries ids from OpenClaw's events to Python and returns at once; it never sees text.

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const strata = fileURLToPath(new URL("../scripts/strata", import.meta.url));
const passed = ["HOME", "PATH", "LANG", "LC_ALL", "TZ", "TMPDIR", "OPENCLAW_STATE_DIR", "OPENCLAW_CONFIG_PATH"];

const options = (given) =>
  Object.entries(given).flatMap(([name, value]) => (value ? [`--${name}`, String(value)] : []));

// The gateway's environment holds its owner's keys, so the child gets named variables only.
const environment = () => Object.fromEntries(passed.filter((name) => name in process.env).map((name) => [name, process.env[name]]));

function hand(name, event, context) {
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
    api.on("session_end", (event, context) => hand("session_end", event, context));
    api.on("before_reset", (event, context) => hand("session_end", event, context));
    api.on("before_compaction", (event, context) => hand("before_compaction", event, context));
  },
};

// Carries ids from OpenClaw's events to Python and returns at once, and what the owner asks
// with /strata. What the agent asks its memory, and with consent a message, goes by native.js.

import { nativeMemory } from "./native.js";
import { Process, within } from "./process.js";
import { memoryTab } from "./tab.js";

// Milliseconds that OpenClaw may wait for Python: a summary is better made after the notes.
const waits = { session_end: 0, before_reset: 0, before_compaction: 10_000, gateway_start: 0 };
const heartbeatWait = 10_000;
const answerWait = 25_000;
const noAnswer = "Strata does not answer; try again, or look: strata doctor / Strata 没有回答；请再试，或运行 strata doctor";
const betweenBatches = 250; // one Python for all events of a burst
const mostInOne = 200;
const handover = 2000; // OpenClaw gives all handlers as long when it stops
const afterStop = 10_000; // a plugin that is replaced is stopped, then started

const mostMinutes = 24 * 60; // far less than what overflows a timer

const ids = (name, event, context) => ({
  name,
  agent: context?.agentId,
  workspace: context?.workspaceDir,
  session: event?.sessionId ?? context?.sessionId,
  reason: event?.reason,
});

// Who asks, and where: Python says who may.
const command = ({ agentId, args, channel, from, gatewayClientScopes, senderId, sessionKey }) => ({
  name: "command", agent: agentId, words: args, channel, from, scopes: gatewayClientScopes, sender: senderId, key: sessionKey,
});

// Chats of machines among themselves.
const apart = /:(cron|subagent|heartbeat|internal-session-effects)(:|$)/;

// A timer for each conversation that goes on, which its next turn winds up again. How long it
// runs is a setting of the agent's memory, so Python tells that when it answers.
class Quiet {
  constructor(send) {
    this.send = send;
    this.timers = new Map();
    this.minutes = new Map();
  }

  turn({ sessionId, sessionKey, agentId, data }) {
    if (!sessionId || apart.test(sessionKey ?? "")) return;
    if (data?.phase === "start") this.over(sessionId);
    if (data?.phase !== "end" && data?.phase !== "error") return;
    this.over(sessionId);
    const agent = agentId ?? /^agent:([^:]+):/.exec(sessionKey)?.[1];
    const minutes = this.minutes.get(agent) ?? Number(process.env.STRATA_CAPTURE_QUIET_MINUTES ?? 5);
    if (!(minutes > 0)) return;
    const timer = setTimeout(() => this.settle(agent, sessionId), Math.min(minutes, mostMinutes) * 60_000);
    timer.unref();
    this.timers.set(sessionId, timer);
  }

  over(session) {
    clearTimeout(this.timers.get(session));
    this.timers.delete(session);
  }

  async settle(agent, session) {
    this.timers.delete(session);
    // Another conversation's answer may come with it.
    const told = parseInt(await this.send([{ name: "quiet", agent, session }]).answered, 10);
    if (told >= 0) this.minutes.set(agent, told);
  }
}

// One process that starts all others.
class Listener extends Process {
  does = "handle an event";

  constructor(root) {
    super(root, "listen");
    this.quiet = new Quiet((events) => this.send(events));
  }
}

// Gives a function that takes an event's ids, and says when they were handed over and handled.
function collector(listener) {
  let open;
  let last = -betweenBatches;
  const start = () => {
    const batch = { events: [] };
    batch.sent = new Promise((resolve) => {
      setTimeout(() => {
        open = undefined;
        last = performance.now();
        resolve({ steps: listener.send(batch.events) });
      }, Math.max(0, last + betweenBatches - performance.now()));
    });
    return batch;
  };
  return async (event, wait) => {
    const batch = (open ??= start());
    if (batch.events.push(event) >= mostInOne) open = undefined;
    const { steps } = await batch.sent;
    await within(wait ? steps.answered : steps.handed, wait || handover);
  };
}

export default {
  id: "strata",
  name: "Strata",
  description: "Long-term memory: conversations become daily notes that can be searched",
  register(api) {
    // Not import.meta.url: OpenClaw 2026.9 runs a copy of this file from its own folder.
    const root = api.rootDir;
    // OpenClaw registers a plugin again whenever its configuration changes.
    const listener = (globalThis[Symbol.for(`strata:${root}`)] ??= new Listener(root));
    listener.warn = (line) => api.logger?.warn?.(line);
    const hand = collector(listener);
    const memory = nativeMemory(api, root);
    memoryTab(api, root);
    for (const [name, wait] of Object.entries(waits))
      api.on(name, async (event, context) => {
        clearTimeout(listener.closing);
        if (name === "gateway_start") memory.start();
        listener.quiet.over(event?.sessionId ?? context?.sessionId);
        await hand(ids(name, event, context), wait);
      });
    api.on("gateway_stop", () => {
      listener.closing = setTimeout(() => { listener.close(); memory.close(); }, afterStop);
      listener.closing.unref?.();
    });
    // Not message_received: it misses what is said on the command line.
    listener.quiet.minutes.clear();
    api.agent?.events?.registerAgentEventSubscription?.({
      id: "strata", streams: ["lifecycle"], handle: (event) => listener.quiet.turn(event),
    });
    // A command that the agent runs asks for the conversation in which it does.
    api.on("resolve_exec_env", (event, context) => ({
      OPENCLAW_STRATA_SESSION: context?.sessionKey ?? event?.sessionKey ?? "",
    }));
    api.on("heartbeat_prompt_contribution", async (event, context) => {
      const notice = await within(listener.send([ids("heartbeat", event, context)]).answered, heartbeatWait);
      return notice ? { appendContext: notice } : undefined;
    });
    api.registerCommand?.({
      name: "strata",
      description: "What waits for your word in memory: review, accept 1, decline 1, undo, digest",
      acceptsArgs: true,
      requiredScopes: ["operator.admin"],
      handler: async (context) => {
        const said = await within(listener.send([command(context)]).answered, answerWait);
        return { text: said ? JSON.parse(said) : noAnswer };
      },
    });
  },
};

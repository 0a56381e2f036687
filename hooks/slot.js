// Strata in OpenClaw's memory slot, where the owner chose that: `memory_search` and
// `memory_get` are its own tools, and the prompt's section on memory is its own.
//
// OpenClaw's search is not there then. While Strata is away its owner's notes are looked
// through by their words.

import { writeFile } from "node:fs/promises";
import path from "node:path";

import { agentOf, askerOf, away, guidance, isOwnersOwn, serverOf, toolWait } from "./native.js";
import { lined, searched } from "./words.js";

const instead = `${away}; these lines were found in the notes by their words alone. Tell the user: strata doctor says why.`;
const section = [
  "## Memory Recall",
  "Before answering anything about prior work, decisions, dates, people, preferences, or todos: run memory_search; use memory_get to read more around a hit. Cite what you use as Source: <path#lines>. If nothing fits, say you checked.",
];
const parameters = (required, others) => ({
  type: "object", required: [required],
  properties: { [required]: { type: "string" }, ...others },
});
const whole = { type: "integer", minimum: 1 };

// What the redirect is told by the hook, a tool is told when it is made.
const contextOf = ({ agentId, sessionKey, requesterSenderId: senderId, senderIsOwner }) => ({
  agentId, sessionKey,
  requester: senderId === undefined && senderIsOwner === undefined ? undefined : { senderId, senderIsOwner },
});

const search = {
  name: "memory_search", label: "Memory Search",
  description: "Search long-term memory before answering anything about prior work, decisions, dates, people, preferences, or todos. `query` takes several wordings with ` | ` between them: the user's own words, other words, and the user's other language.",
  parameters: parameters("query", { maxResults: whole }),
  told: ({ query, maxResults }) => ({ name: "search", query, limit: maxResults }),
  said: ({ results = [], notice, refused }) => ({
    results: results.map(({ corpus, kind, ...each }) => ({ ...each, source: "memory" })),
    ...(notice || refused ? { notice: notice || refused } : {}),
    provider: "strata", mode: "hybrid", citations: "auto",
  }),
  async alone(workspace, { query, maxResults }) {
    const results = await searched(workspace, query, maxResults);
    return { results, notice: results.length ? instead : undefined };
  },
};

const get = {
  name: "memory_get", label: "Memory Get",
  description: "Read lines of a memory file: `path` as memory_search cites it, with `from` and `lines` for more; or the whole page of a person or thing.",
  parameters: parameters("path", { from: whole, lines: whole }),
  told: ({ path: asked, from, lines }) => ({ name: "get", path: asked, from, lines }),
  said: ({ path: found, text, notice, refused, from, lines, nextFrom }, { path: asked }) => text === undefined
    ? { status: refused ? "error" : "not_found", path: asked, text: "", notice: refused || notice }
    : { status: "ok", path: found, text, from, lines, nextFrom },
  alone: lined,
};

const answer = (value) => ({ content: [{ type: "text", text: JSON.stringify(value, null, 1) }], details: {} });

function tool(server, { told, said, alone, ...shown }, given) {
  const context = contextOf(given);
  const execute = async (_call, params = {}) => {
    const found = await server.ask({ ...told(params), slot: true, agent: agentOf(context), asker: askerOf(context) }, toolWait);
    const lost = !found || found.failed !== undefined;
    if (!lost && !found.elsewhere) return answer(said(found, params));
    const own = isOwnersOwn(context) && given.workspaceDir && (await alone(given.workspaceDir, params));
    return answer(said({ ...own, notice: own?.notice ?? (lost ? away : undefined) }, params));
  };
  // OpenClaw 2026.9 hides other tools behind a search for tools.
  return { ...shown, catalogMode: "direct-only", execute };
}

export default {
  id: "strata-memory",
  name: "Strata in the memory slot",
  description: "memory_search and memory_get are Strata's own, where the owner chose that",
  kind: "memory",
  register(api) {
    const server = serverOf(api, path.join(api.rootDir, "..", "plugin"));
    api.registerMemoryCapability({
      promptBuilder: ({ availableTools }) => (availableTools?.has("memory_search") ? [...section, ...guidance] : []),
    });
    for (const each of [search, get]) api.registerTool((given) => tool(server, each, given), { names: [each.name] });
    // So that `strata doctor` can say that it is loaded.
    api.on("gateway_start", () => writeFile(path.join(api.rootDir, "woken"), "").catch(() => {}));
  },
};

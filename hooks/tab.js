// A tab in OpenClaw's Control UI, with the page that Strata writes after each change of memory.

import { readFile } from "node:fs/promises";
import path from "node:path";

const place = "/plugins/strata";
const none = "Strata has written no page yet / Strata 还没有写出页面\n";
// The frame of a tab brings OpenClaw's cookie for the page alone, so its style is within it.
const headers = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

async function answer(file, request, response) {
  const say = (status, content, kind = "text/plain", more = {}) => {
    response.writeHead(status, { ...headers, "content-type": `${kind}; charset=utf-8`, ...more });
    response.end(request.method === "HEAD" ? undefined : content);
    return true;
  };
  if (request.method !== "GET" && request.method !== "HEAD") return say(405, "", undefined, { allow: "GET, HEAD" });
  try {
    return say(200, await readFile(file), "text/html");
  } catch {
    return say(404, none);
  }
}

// OpenClaw answers nobody there whom its gateway does not know, and frames the page so that it
// can do nothing. 2026.7.1 has tabs too, but does not know its own frame: nobody saw the page.
export function memoryTab(api, root) {
  const [year, month] = String(api.runtime?.version ?? "").split(".").map(Number);
  const controls = api.session?.controls;
  if (!(year * 100 + month >= 202609) || !api.registerHttpRoute || !controls?.registerControlUiDescriptor) return;
  const file = path.join(root, "..", "tab.html");
  api.registerHttpRoute({
    path: place, match: "exact", auth: "gateway", handler: (request, response) => answer(file, request, response),
  });
  controls.registerControlUiDescriptor({
    surface: "tab", id: "memory", label: "Strata", description: "What the agent remembers / 智能体记住了什么",
    icon: "brain", group: "agent", slug: "strata", path: place, requiredScopes: ["operator.read"],
  });
}

// The notes by their words alone, for their owner while nothing better answers.

import { readFile, readdir, realpath } from "node:fs/promises";
import path from "node:path";

const mostCharacters = 2_000_000; // the newest; the gateway waits meanwhile
const mostWords = 24;
const mostHits = 6;
const mostLines = 120;
const segments = new Intl.Segmenter("zh", { granularity: "word" });
const isNote = /^(MEMORY\.md|USER\.md|memory\/(?!\.)(?:[^/]+\/)*[^/.][^/]*\.md)$/;
const place = /^(.*?)(?:#L(\d+)(?:-L(\d+))?|:(\d+))?$/s;

// What is to be shown masked only Python can mask.
async function masks(workspace) {
  if (process.env.STRATA_TRUST_MASKED) return true;
  const settings = await readFile(path.join(workspace, ".strata", "config.toml"), "utf8").catch(() => "");
  return /\bmasked["']?\s*=\s*\[(?!\s*\])/.test(settings);
}

async function notesIn(workspace) {
  if (await masks(workspace)) return [];
  const found = await readdir(path.join(workspace, "memory"), { recursive: true }).catch(() => []);
  const below = found.map((each) => `memory/${each.split(path.sep).join("/")}`).filter((each) => isNote.test(each));
  return ["MEMORY.md", ...below.sort().reverse()];
}

// Undefined for what is no note, is encrypted, or leads out of the workspace.
async function linesOf(workspace, name) {
  if (!isNote.test(name)) return undefined;
  try {
    const [root, file] = await Promise.all([realpath(workspace), realpath(path.join(workspace, name))]);
    if (!file.startsWith(root + path.sep)) return undefined;
    const text = await readFile(file, "utf8");
    return text.startsWith("strata-encrypted-") ? undefined : text.split(/\r?\n/);
  } catch {
    return undefined;
  }
}

// A letter before it makes it another word; what follows may be its ending.
function pattern(word) {
  const escaped = word.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  return new RegExp(/^\p{Script=Han}/u.test(word) ? escaped : `(?<![\\p{L}\\p{N}])${escaped}`, "iu");
}

const patternsOf = (query) => {
  const asked = String(query ?? "").slice(0, 2_000).toLowerCase();
  const words = [...segments.segment(asked)].filter((each) => each.isWordLike);
  return [...new Set(words.map((each) => each.segment))].slice(0, mostWords).map(pattern);
};

// Lines of notes, those with the rarest words of the query first. Nobody waits for more
// than one note at a time.
export async function searched(workspace, query, most = mostHits) {
  const patterns = patternsOf(query);
  const lines = [];
  let left = mostCharacters;
  let count = 0;
  const counts = patterns.map(() => 1);
  for (const name of await notesIn(workspace)) {
    const read = (await linesOf(workspace, name)) ?? [];
    read.forEach((text, index) => {
      const held = patterns.flatMap((each, word) => (each.test(text) ? [word] : []));
      for (const word of held) counts[word] += 1;
      if (held.length && !text.startsWith("#")) lines.push({ name, text, number: index + 1, held });
    });
    count += read.length;
    left -= read.reduce((sum, text) => sum + text.length, 0);
    if (left < 0) break;
  }
  const weights = counts.map((each) => Math.log(1 + count / each));
  const weight = (words) => words.reduce((sum, word) => sum + weights[word], 0);
  const all = weight([...patterns.keys()]) || 1;
  return lines
    .map((line) => ({ ...line, score: weight(line.held) / all }))
    .sort((one, other) => other.score - one.score)
    .slice(0, most)
    .map(({ name, number, text, score }) => ({
      path: name, startLine: number, endLine: number, score: Math.round(score * 100) / 100, snippet: text.trim(),
      citation: `${name}#L${number}-L${number}`,
    }));
}

// The lines of a note from a citation or `from` on; undefined for what is none.
export async function lined(workspace, { path: asked = "", from, lines }) {
  const [, name, first, last, line] = place.exec(String(asked));
  const read = (await masks(workspace)) ? undefined : await linesOf(workspace, name);
  if (!read) return undefined;
  const start = Math.max(1, Number(first ?? line ?? from) || 1);
  const count = Math.min(mostLines, Number(lines) || (last ? last - start + 1 : mostLines));
  const shown = read.slice(start - 1, start - 1 + count);
  return { path: name, text: shown.join("\n"), from: start, lines: shown.length };
}

/**
 * How many calls of tools a second does one worker answer at `/mcp`, with the key checked and the quota counted? The
 * floor, in the same run: the request to `/v1` that the tool makes. Rounds alternate, and the best of each side counts.
 *
 *   node_modules/.bin/node bench/doors/mcp.ts [data folder] [rounds]
 */
import { loadavg } from "node:os";
import autocannon from "autocannon";
import { installOver } from "../load/installation.ts";
import { drawQuestions, type QueryKind } from "../load/questions.ts";
import { ServerProcess } from "../load/server-process.ts";

const CONNECTIONS = 64;
const ROUND_SECONDS = 3;
const QUESTIONS = { "look-up": 500, search: 500, nearby: 500 };
const LIMIT = "10";
const [dataDir = "data", rounds = "3"] = process.argv.slice(2);

/** The tool of a kind, and its arguments. */
const TOOLS: Record<QueryKind, readonly [string, (path: URL) => object]> = {
  "look-up": [
    "lookup_providers",
    ({ pathname }) => ({ npis: [pathname.slice(-10)] }),
  ],
  search: ["search_providers", argumentsOf],
  nearby: ["find_providers_nearby", argumentsOf],
};

using installation = await installOver(dataDir);
const { dataDir: folder, key, plans } = installation;
await using service = await ServerProcess.program(
  ["serve", "--data-dir", folder, "--port", "0", "--workers", "1"],
  { PLANS: plans, MCP: "on", PORTAL: "off" },
);
const headers = {
  authorization: `Bearer ${key}`,
  accept: "application/json, text/event-stream",
  "content-type": "application/json",
  "mcp-protocol-version": "2025-11-25",
};
const questions = drawQuestions(installation.dataDir, QUESTIONS);
for (const kind of ["look-up", "search", "nearby"] as const) {
  const [name, given] = TOOLS[kind];
  const urls = questions[kind].map(({ path }) => {
    const url = new URL(path, service.url);
    if (kind !== "look-up") url.searchParams.set("limit", LIMIT);
    return url;
  });
  const plain = urls.map(({ pathname, search }) => ({
    path: pathname + search,
    headers,
  }));
  const calls = urls.map((url, id) => ({
    path: "/mcp",
    method: "POST" as const,
    headers,
    body: JSON.stringify({
      jsonrpc: "2.0",
      id,
      method: "tools/call",
      params: { name, arguments: given(url) },
    }),
  }));
  await requireResult(calls[0]?.body ?? "");
  const best = [0, 0];
  for (let round = 0; round <= Number(rounds); round++)
    for (const [index, requests] of [calls, plain].entries()) {
      const {
        "2xx": answers,
        duration,
        errors,
      } = await autocannon({
        url: service.url,
        connections: CONNECTIONS,
        duration: ROUND_SECONDS,
        requests,
      });
      if (errors > 0) throw new Error(`${errors} requests failed`);
      // The first round warms up.
      if (round > 0) best[index] = Math.max(best[index]!, answers / duration);
    }
  const [tools = 0, floor = 1] = best;
  console.log(
    `${kind.padEnd(8)} ${Math.round(tools).toLocaleString("en")}/s, /v1 ${Math.round(floor).toLocaleString("en")}/s: ${(tools / floor).toFixed(2)} ×`,
  );
}
console.log(
  `load ${loadavg()
    .map((each) => each.toFixed(1))
    .join(" ")}`,
);

function argumentsOf({ searchParams }: URL): object {
  return Object.fromEntries(
    [...searchParams].map(([name, value]) =>
      ["limit", "radius"].includes(name)
        ? [name, Number(value)]
        : [name, value],
    ),
  );
}

async function requireResult(body: string): Promise<void> {
  const response = await fetch(`${service.url}/mcp`, {
    method: "POST",
    headers,
    body,
  });
  const text = await response.text();
  if (!text.includes("structuredContent")) throw new Error(text);
}

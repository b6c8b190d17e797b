import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer, request } from "node:http";
import { join } from "node:path";
import { after, suite, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { startHttpService } from "../support/app/http-service.ts";
import { runProgram, succeed } from "../support/program/program.ts";
import { demoFolder } from "../support/program/demo-folder.ts";
import { temporaryFolder } from "../support/pure/temporary-folder.ts";

const PROJECT = fileURLToPath(new URL("../..", import.meta.url));
const CONFORMANCE = join(
  PROJECT,
  "node_modules/@modelcontextprotocol/conformance/dist/index.js",
);
const INSPECTOR = "@modelcontextprotocol/inspector@2.12.0";

/** The scenarios that a server with tools only can pass, by the revisions that have them. */
const SCENARIOS: readonly [string, ...string[]][] = [
  ["server-initialize", "2025-06-18", "2025-11-25"],
  ["ping", "2025-06-18", "2025-11-25"],
  ["tools-list", "2025-06-18", "2025-11-25", "2026-07-28"],
  ["dns-rebinding-protection", "2025-11-25", "2026-07-28"],
  ["http-header-validation", "2026-07-28"],
];
/** Checks of other scenarios that need what the service lacks: tools for tests, prompts, resources, and subscriptions. */
const PARTLY: readonly [string, readonly string[]][] = [
  [
    "server-stateless",
    [
      "sep-2575-http-server-no-independent-requests-on-stream",
      "sep-2575-missing-capability-http-400",
      "sep-2575-server-no-log-without-loglevel",
      "sep-2575-server-rejects-undeclared-capability",
      "sep-2575-server-sends-subscription-ack",
      "sep-2575-server-tags-subscription-id",
    ],
  ],
  [
    "caching",
    [
      "sep-2549-prompts-list-caching-hints",
      "sep-2549-resources-list-caching-hints",
      "sep-2549-resources-templates-list-caching-hints",
    ],
  ],
];

interface Ran {
  readonly code: unknown;
  readonly output: string;
}

/** Runs a program, and returns all that it prints. */
async function run(
  file: string,
  args: readonly string[],
  cwd = PROJECT,
): Promise<Ran> {
  const child = spawn(file, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const [code]: unknown[] = await once(child, "close");
  return { code, output };
}

suite("official programs", async () => {
  const service = await startHttpService({ settings: { mcp: "on" } });
  after(() => service[Symbol.asyncDispose]());
  const port = await service.listen();
  // The conformance package has no option for a key.
  const keyed = createServer((asked, answer) => {
    service.installation.clock.nowMs += 1_000;
    const authorization = `Bearer ${service.paidKey}`;
    const { method, url: path } = asked;
    const headers = { ...asked.headers, authorization };
    asked.pipe(
      request({ port, method, path, headers }, (answered) => {
        answer.writeHead(answered.statusCode ?? 500, answered.headers);
        answered.pipe(answer);
      }),
    );
  }).listen(0, "127.0.0.1");
  await once(keyed, "listening");
  after(() => {
    keyed.close();
    keyed.closeAllConnections();
  });
  const address = keyed.address();
  assert.ok(address !== null && typeof address === "object");
  const url = `http://localhost:${address.port}/mcp`;

  function conform(scenario: string, ...args: string[]): Promise<Ran> {
    const all = ["server", "--url", url, "--scenario", scenario, ...args];
    return run(process.execPath, [CONFORMANCE, ...all]);
  }

  for (const [scenario, ...revisions] of SCENARIOS)
    for (const revision of revisions)
      test(`conformance: ${scenario}, ${revision}`, async () => {
        const { code, output } = await conform(
          scenario,
          "--spec-version",
          revision,
        );
        assert.equal(code, 0, output);
      });

  for (const [scenario, lacking] of PARTLY)
    test(`conformance: ${scenario}, all that applies`, async () => {
      const { output } = await conform(scenario);
      const failed = output.matchAll(/\[([a-z0-9-]+) *\] \S*FAILURE/g);
      assert.deepEqual(
        new Set([...failed].map(([, check]) => check)),
        new Set(lacking),
        output,
      );
    });

  test("the client of the revisions of 2025", async () => {
    const client = new OldClient({ name: "test", version: "1" });
    const transport = new OldTransport(new URL(url));
    await client.connect(transport);
    const { tools } = await client.listTools();
    assert.equal(tools.length, 7);
    const result = await client.callTool({
      name: "search_providers",
      arguments: { state: "IL" },
    });
    assert.match(JSON.stringify(result), /Providers that match: 132/);
    await client.close();
  });

  test("the inspector's command line", async (context) => {
    using folder = temporaryFolder();
    const install = ["install", "--ignore-scripts", "--no-save", INSPECTOR];
    await run("npm", ["init", "-y"], folder.path);
    const installed = await run("npm", install, folder.path);
    const inspector = join(folder.path, "node_modules/.bin/mcp-inspector");
    if (installed.code !== 0 || !existsSync(inspector)) {
      context.skip(`npm can't install ${INSPECTOR}.`);
      return;
    }
    const call = ["--method", "tools/call", "--tool-name", "search_providers"];
    const { code, output } = await run(
      inspector,
      ["--cli", url, "--transport", "http", ...call, "--tool-arg", "state=IL"],
      folder.path,
    );
    assert.equal(code, 0, output);
    assert.match(output, /Providers that match: 132/);
  });
});

suite("the command mcp", () => {
  for (const mode of ["legacy", { pin: "2026-07-28" }] as const)
    test(`talks over standard input and output, ${JSON.stringify(mode)}`, async () => {
      using demo = await demoFolder();
      const client = new Client(
        { name: "test", version: "1" },
        { versionNegotiation: { mode } },
      );
      const transport = new StdioClientTransport({
        command: join(PROJECT, "bin/provider-directory"),
        args: ["mcp", "--data-dir", demo.path],
        stderr: "pipe",
      });
      let errors = "";
      transport.stderr?.on("data", (chunk: Buffer) => {
        errors += chunk.toString();
      });
      await client.connect(transport);
      const { tools } = await client.listTools();
      assert.equal(tools.length, 7);
      for (const name of [
        "describe_data",
        "search_providers",
        "list_changes",
      ]) {
        const { content, isError } = await client.callTool({ name });
        assert.notEqual(isError, true, JSON.stringify(content));
      }
      await client.close();
      assert.equal(errors, "");
    });

  test("takes up the data that an import makes current", async () => {
    using folder = temporaryFolder();
    const data = ["--data-dir", folder.path];
    const client = new Client({ name: "test", version: "1" });
    await succeed(["demo", "--providers", "100", ...data]);
    await client.connect(
      new StdioClientTransport({
        command: join(PROJECT, "bin/provider-directory"),
        args: ["mcp", ...data],
      }),
    );
    const said = async () =>
      JSON.stringify(await client.callTool({ name: "describe_data" }));
    assert.match(await said(), /100 providers/);
    await succeed(["demo", "--providers", "200", "--force", ...data]);
    assert.match(await said(), /200 providers/);
    await client.close();
  });

  test("ends when its output has no reader, or a line is far too long", async () => {
    using demo = await demoFolder();
    for (const [line, hasReader, error] of [
      ['{"jsonrpc":"2.0","id":1,"method":"ping"}\n', false, "write EPIPE"],
      ["x".repeat(11_000_000), true, "ReadBuffer exceeded maximum size"],
    ] as const) {
      const command = join(PROJECT, "bin/provider-directory");
      const child = spawn(command, ["mcp", "--data-dir", demo.path]);
      let errors = "";
      child.stderr.on("data", (chunk: Buffer) => {
        errors += chunk.toString();
      });
      child.stdin.on("error", () => undefined);
      if (!hasReader) child.stdout.destroy();
      child.stdin.write(line);
      const [code] = await once(child, "close");
      assert.equal(code, 0, errors);
      assert.match(errors, new RegExp(`^provider-directory: ${error}.*\n$`));
    }
  });

  test("answers what it was asked before its input ended", async () => {
    using demo = await demoFolder();
    const command = join(PROJECT, "bin/provider-directory");
    const child = spawn(command, ["mcp", "--data-dir", demo.path]);
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
    const messages = [
      {
        id: 1,
        method: "initialize",
        params: {
          protocolVersion: "2025-11-25",
          capabilities: {},
          clientInfo: { name: "test", version: "1" },
        },
      },
      { method: "notifications/initialized" },
      { id: 2, method: "tools/call", params: { name: "describe_data" } },
      { method: "notifications/cancelled", params: { requestId: 3 } },
    ];
    child.stdin.end(
      messages
        .map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
        .join(""),
    );
    const [code] = await once(child, "close");
    assert.equal(code, 0);
    assert.deepEqual(
      output
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).id),
      [1, 2],
    );
  });

  test("takes no key that a header can't have, and doesn't show it", async () => {
    const url = "http://127.0.0.1:1";
    const environment = { MCP_API_KEY: "pd_live_a\nb" };
    const { code, err } = await runProgram(["mcp", "--url", url], {
      environment,
    });
    assert.equal(code, 2);
    assert.match(err, /MCP_API_KEY must be an API key/);
    assert.doesNotMatch(err, /pd_live/);
  });

  test("sends the requests of its tools to a service, with the key", async () => {
    await using service = await startHttpService();
    const port = await service.listen();
    const client = new Client({ name: "test", version: "1" });
    const url = `http://127.0.0.1:${port}`;
    const args = ["mcp", "--url", url];
    const command = join(PROJECT, "bin/provider-directory");
    for (const [key, text] of [
      [service.paidKey, /Providers that match: 132/],
      ["pd_live_wrong", /^invalid_api_key: /],
    ] as const) {
      const env = { MCP_API_KEY: key };
      await client.connect(new StdioClientTransport({ command, args, env }));
      const { content } = await client.callTool({
        name: "search_providers",
        arguments: { state: "IL" },
      });
      const [first] = content;
      assert.match(first?.type === "text" ? first.text : "", text);
      await client.close();
    }
  });
});

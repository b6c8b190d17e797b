/**
 * The program of `npm run dev`: the service on a demo, restarted when its sources change, behind Vite's development
 * server on one origin. `/dev/` and the pages are Vite's; everything else goes to the service. Ctrl-C ends both.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync, watch } from "node:fs";
import { createServer, request, type ServerResponse } from "node:http";
import { join } from "node:path";
import { createServer as createVite } from "vite";
import { documentsPlugin } from "../src/build/portal/guide-document.ts";
import { mapShapesPlugin } from "../src/build/portal/map-shapes.ts";
import { matchPage } from "../src/site/page-paths.ts";

const ROOT = join(import.meta.dirname, "..");
const PORTAL = join(ROOT, "src", "portal");
const PORT = portOf("PORT", 8080);
const SERVICE_PORT = portOf("SERVICE_PORT", PORT + 1);
if (PORT === SERVICE_PORT)
  refuse("PORT and SERVICE_PORT are the same. Set them to two free ports.", 2);
/** Editors write a file in several steps. */
const SETTLE_MS = 200;
const HOST = "127.0.0.1";

const server = createServer();
const vite = await createVite({
  root: PORTAL,
  base: "/dev/",
  configFile: false,
  appType: "custom",
  plugins: [documentsPlugin(), mapShapesPlugin()],
  css: { modules: { localsConvention: "camelCaseOnly" } },
  server: { middlewareMode: true, hmr: { server } },
});
/** Answers with the page, or with why it cannot be made, as while a file is being replaced. */
async function sendPage(url: string, answer: ServerResponse): Promise<void> {
  try {
    const html = readFileSync(join(PORTAL, "index.html"), "utf8").replaceAll(
      /(href|src)="\.\//g,
      '$1="/',
    );
    const page = await vite.transformIndexHtml(url, html);
    answer.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    answer.end(page);
  } catch (error) {
    console.error(`The page cannot be made: ${messageOf(error)}`);
    answer.writeHead(500, { "content-type": "text/plain; charset=utf-8" });
    answer.end(`The page cannot be made: ${messageOf(error)}\n`);
  }
}

/** A port from the environment. An empty variable counts as unset. */
function portOf(variable: string, byDefault: number): number {
  const value = process.env[variable] ?? "";
  const port = value === "" ? byDefault : Number(value);
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
  return refuse(
    `${variable} must be a whole number from 1 to 65535, not "${value === "" ? byDefault : value}".`,
    2,
  );
}

function refuse(sentence: string, code: 1 | 2): never {
  console.error(`npm run dev: ${sentence}`);
  process.exit(code);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function startService(): ChildProcess {
  return spawn(
    process.execPath,
    [join(ROOT, "src", "cli", "program.ts"), "start"],
    {
      cwd: ROOT,
      stdio: "inherit",
      env: {
        DATA_DIR: join(ROOT, "data", "dev"),
        PUBLIC_URL: `http://${HOST}:${PORT}`,
        ...process.env,
        HOST,
        PORT: String(SERVICE_PORT),
      },
    },
  );
}

server.on("request", (asked, answer) => {
  const url = asked.url ?? "/";
  const [path = "/"] = url.split("?");
  if (path.startsWith("/dev/")) return vite.middlewares(asked, answer);
  if (asked.method === "GET" && matchPage(path) !== null) {
    void sendPage(url, answer);
    return;
  }
  const { headers, method } = asked;
  const passed = request(
    { host: HOST, port: SERVICE_PORT, path: url, method, headers },
    (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(answer);
    },
  );
  passed.on("error", () => {
    if (!answer.headersSent) answer.writeHead(503, { "retry-after": "1" });
    answer.end("The service is starting, or has failed: see the terminal.\n");
  });
  asked.pipe(passed);
});
server.listen(PORT, HOST);
await once(server, "listening").catch((error: unknown) =>
  refuse(
    `Cannot listen on ${HOST}:${PORT}: ${messageOf(error)}. Stop the program that uses it, or set PORT.`,
    1,
  ),
);
console.log(`Development server: http://${HOST}:${PORT}`);
// Not Node's --watch: what it reports from worker threads, the service would take for their answers.
let isEnding = false;
let service = startService();
// Whatever ends this program, a fault included, ends the service.
process.on("exit", () => service.kill("SIGTERM"));
let restart: NodeJS.Timeout | undefined;
const watcher = watch(join(ROOT, "src"), { recursive: true }, (_, path) => {
  if (path === null || path.startsWith("portal")) return;
  clearTimeout(restart);
  restart = setTimeout(() => {
    console.log(`${path} changed: restarting the service ...`);
    if (service.exitCode !== null || service.signalCode !== null) {
      service = startService();
      return;
    }
    service.removeAllListeners("exit");
    service.once("exit", () => (service = startService()));
    service.kill("SIGTERM");
  }, SETTLE_MS);
});
process.on("SIGINT", end).on("SIGTERM", end);

function end(): void {
  if (isEnding) return;
  isEnding = true;
  clearTimeout(restart);
  watcher.close();
  service.removeAllListeners("exit");
  service.kill("SIGTERM");
  server.close();
  server.closeAllConnections();
  void vite.close();
}

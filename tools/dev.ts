/**
 * The program of `npm run dev`: the service on a demo, restarted when its sources change, behind Vite's development server on
 * one origin. `/dev/` and the pages are Vite's; everything else goes to the service. Ctrl-C ends both.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { readFileSync, watch } from "node:fs";
import { createServer, request, type ServerResponse } from "node:http";
import { join } from "node:path";
import { createServer as createVite } from "vite";
import { documentsPlugin } from "../src/portal-build/documents-plugin.ts";
import { matchPage } from "../src/site/page-paths.ts";

const ROOT = join(import.meta.dirname, "..");
const PORTAL = join(ROOT, "src", "portal");
const PORT = Number(process.env["PORT"] ?? 8080);
const SERVICE_PORT = Number(process.env["SERVICE_PORT"] ?? PORT + 1);
/** Editors write a file in several steps. */
const SETTLE_MS = 200;
const HOST = "127.0.0.1";

const server = createServer();
const vite = await createVite({
  root: PORTAL,
  base: "/dev/",
  configFile: false,
  appType: "custom",
  plugins: [documentsPlugin()],
  css: { modules: { localsConvention: "camelCaseOnly" } },
  server: { middlewareMode: true, hmr: { server } },
});
// Not Node's --watch: what it reports from worker threads, the service would take for their answers.
let isEnding = false;
let service = startService();
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

async function sendPage(
  url: string,
  html: string,
  answer: ServerResponse,
): Promise<void> {
  const page = await vite.transformIndexHtml(url, html);
  answer.writeHead(200, { "content-type": "text/html; charset=utf-8" });
  answer.end(page);
}

function startService(): ChildProcess {
  return spawn(
    process.execPath,
    [join(ROOT, "src", "cli", "main.ts"), "start"],
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
    const html = readFileSync(join(PORTAL, "index.html"), "utf8").replaceAll(
      /(href|src)="\.\//g,
      '$1="/',
    );
    void sendPage(url, html, answer);
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
    answer.end("The service is starting.\n");
  });
  asked.pipe(passed);
});
server.listen(PORT, HOST, () =>
  console.log(`Development server: http://${HOST}:${PORT}`),
);
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

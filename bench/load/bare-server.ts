/**
 * The floor: a bare `node:http` server that answers given bodies by path, in a process of its own. It sends
 * Content-Type and Content-Length, and what Node adds by itself: Date, Connection, Keep-Alive.
 *
 *   node bench/load/bare-server.ts FILE.json    a list of [path, body]
 */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const bodies = new Map<string | undefined, string>(
  JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")),
);

const server = createServer((request, response) => {
  const body = bodies.get(request.url) ?? "";
  response.writeHead(200, [
    "content-type",
    "application/json; charset=utf-8",
    "content-length",
    String(Buffer.byteLength(body)),
  ]);
  response.end(body);
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address !== null && typeof address === "object")
    console.error(`Listening on http://127.0.0.1:${address.port}`);
});
process.on("SIGTERM", () => process.exit(0));

/**
 * The floor: a bare `node:http` server that answers given bodies by path with given headers, in a separate process.
 * Node itself adds Date, Connection and Keep-Alive.
 *
 *   node_modules/.bin/node bench/load/bare-server.ts FILE.json    { headers: [name, value, …], bodies: [path, body][] }
 */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

interface Answers {
  readonly headers: readonly string[];
  readonly bodies: readonly (readonly [path: string, body: string])[];
}

const { bodies, headers }: Answers = JSON.parse(
  readFileSync(process.argv[2] ?? "", "utf8"),
);
const bodyOf = new Map<string | undefined, string>(bodies);

const server = createServer((request, response) => {
  const body = bodyOf.get(request.url) ?? "";
  response.writeHead(
    200,
    headers.concat("content-length", String(Buffer.byteLength(body))),
  );
  response.end(body);
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address !== null && typeof address === "object")
    console.error(`Listening on http://127.0.0.1:${address.port}`);
});
process.on("SIGTERM", () => process.exit(0));

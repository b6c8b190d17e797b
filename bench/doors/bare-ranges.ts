/**
 * The floor: a bare `node:http` server that sends ranges of one file, in a separate process.
 *
 *   node_modules/.bin/node bench/doors/bare-ranges.ts FILE
 */
import { open } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";

const file = await open(process.argv[2] ?? "");

async function send(range: string, response: ServerResponse): Promise<void> {
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? [];
  const start = Number(from);
  const length = Number(to) + 1 - start;
  const { buffer } = await file.read(
    Buffer.allocUnsafe(length),
    0,
    length,
    start,
  );
  response.writeHead(206, { "content-length": length });
  response.end(buffer);
}

const server = createServer((request, response) => {
  void send(request.headers.range ?? "", response);
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address !== null && typeof address === "object")
    console.error(`Listening on http://127.0.0.1:${address.port}`);
});
process.on("SIGTERM", () => process.exit(0));

/**
 * The floor of exports: a bare `node:http` server that streams the bytes of a file from memory, in pieces like those of
 * an export, as fast as its client reads.
 *
 *   node_modules/.bin/node bench/load/bare-stream.ts FILE ROWS
 */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const PIECE_BYTES = 65_536;
const [file = "", rows = "0"] = process.argv.slice(2);
const bytes = readFileSync(file);

const server = createServer((_request, response) => {
  response.writeHead(200, { "x-total-count": rows });
  void send();

  async function send(): Promise<void> {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES)
      if (!response.write(bytes.subarray(at, at + PIECE_BYTES)))
        await once(response, "drain");
    response.end();
  }
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address !== null && typeof address === "object")
    console.error(`Listening on http://127.0.0.1:${address.port}`);
});
process.on("SIGTERM", () => process.exit(0));

import { once } from "node:events";
import { createServer } from "node:net";

/** A port that was free a moment ago, for what must know its address before it starts. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  if (address === null || typeof address === "string")
    throw new Error("The server listens without a port.");
  return address.port;
}

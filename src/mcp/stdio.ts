import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Api } from "./api.ts";
import { serverOver } from "./server.ts";

/** Serves the protocol over standard input and output. Returns the function that ends it. */
export function serveOverStdio(
  api: Api,
  onFault: (error: unknown) => void,
): () => Promise<void> {
  const handle = serveStdio(() => serverOver(api, onFault), {
    onerror: onFault,
    maxSubscriptions: 0,
  });
  return () => handle.close();
}

import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { createServer, type Server } from "node:net";

/** The address to listen on, or a sentence that says why the service cannot listen. */
export type ListenCheck =
  /** `address` is what `host` resolves to. */
  | { readonly outcome: "free"; readonly address: string }
  | { readonly outcome: "refused"; readonly message: string };

/**
 * Checks that a port is free. Threads share a port, and so would a second service started by mistake: the system would
 * give each half of the requests. Only an exclusive attempt to listen shows that the port is taken.
 */
export async function checkListening(
  host: string,
  port: number,
): Promise<ListenCheck> {
  const found = await lookup(host, { order: "ipv4first" }).catch(() => null);
  if (found === null)
    return {
      outcome: "refused",
      message: `Cannot resolve host ${host}. Set --host to an address of this machine, such as 127.0.0.1.`,
    };
  const { address } = found;
  const server = createServer();
  const fault = await listenUnshared(server, address, port);
  await new Promise((closed) => server.close(closed));
  return fault === null
    ? { outcome: "free", address }
    : { outcome: "refused", message: describeListenFault(host, port, fault) };
}

/** Listens exclusively. Returns the system's error code, or null if it listens. */
export async function listenUnshared(
  server: Server,
  host: string,
  port: number,
): Promise<string | null> {
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, "listening");
    return null;
  } catch (error) {
    return hasCode(error) ? error.code : "unknown";
  }
}

/** True for an error of the system. */
export function hasCode(error: unknown): error is Error & { code: string } {
  return (
    error instanceof Error && "code" in error && typeof error.code === "string"
  );
}

/** Returns the port of a server that listens. */
export function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string")
    throw new Error("The server listens without a port.");
  return address.port;
}

/** Describes a system error code from listening, and what to do. */
export function describeListenFault(
  host: string,
  port: number,
  code: string,
): string {
  switch (code) {
    case "EADDRINUSE":
      return `Port ${port} on ${host} is in use. Stop the program that uses it, or choose another port with --port.`;
    case "EACCES":
      return `Port ${port} is reserved for root. Choose a port above 1023 with --port.`;
    case "EADDRNOTAVAIL":
      return `${host} is not an address of this machine. Set --host to one, such as 127.0.0.1, or to 0.0.0.0 for all.`;
    default:
      return `Cannot listen on port ${port} of ${host} (${code}). Choose another with --host and --port.`;
  }
}

/** Returns a service's URL on its own machine. */
export function localUrl(host: string, port: number): string {
  const reachable =
    host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
}

import type { Server } from "node:http";
import type { Socket } from "node:net";
import { afterAnswers, answerOf } from "./open-answers.ts";
import { networkOf } from "../access/client-address.ts";

/** The longest request target, in bytes; longer is `uri_too_long`. */
export const MAX_URL_BYTES = 8_192;

/** All header lines together, in bytes; more is `headers_too_large`. */
export const MAX_HEADER_BYTES = 16_384;

/**
 * Node's own limit on target and headers together. It is well above our two limits, so ordinary excess reaches the app
 * and gets the right error. It is below the 64 KB that Node reads at once, so the line that exceeded it is usually
 * still available.
 */
export const PARSER_BYTES = 49_152;

/** The longest request body, in bytes; longer is `body_too_large`. */
export const MAX_BODY_BYTES = 16_384;

/** The time that a client may take to send a request, and only its headers, in milliseconds. */
export const REQUEST_TIMEOUT_MS = 30_000;
export const HEADERS_TIMEOUT_MS = 20_000;

/**
 * Bytes in either direction at which a connection counts as full; nothing more is read while that much waits to be
 * parsed. One read of up to 64 KB can exceed it.
 */
export const CONNECTION_BUFFER_BYTES = 16_384;

/** Connections per worker. With all buffers full, they take less than half a gigabyte. */
export const MAX_CONNECTIONS = 2_048;

/**
 * The longest time for which a client may leave an answer unread, in milliseconds. The system takes more of an answer
 * only once a third of its buffer is free, 1.3 MB of at most 4 MB: a client that reads 32 KB a second needs 42 s for
 * that.
 */
export const STALLED_MS = 60_000;

/** Exports that run at the same time in a worker, and of one account. Each takes up to 5 MB. */
export const MAX_EXPORTS = 16;
export const MAX_ACCOUNT_EXPORTS = 4;

/** Files and ranges of them that are sent at the same time in a worker, and to one account. Each takes 64 KB. */
export const MAX_FILES = 64;
export const MAX_ACCOUNT_FILES = 16;
/**
 * The longest time that a request for a file waits for others of its account, in milliseconds. Readers ask for hundreds
 * of ranges at once.
 */
export const MAX_FILE_WAIT_MS = 60_000;

/**
 * The least pace of reading exports: 32 KB a second on average, up to a minute behind. This bounds how long an account
 * can take places by what its month allows: the 100,000 records of the free plan half an hour, with all details an
 * hour.
 */
export const EXPORT_PACE = {
  stalledMs: STALLED_MS,
  bytesPerSecond: 32_768,
  behindMs: 60_000,
} as const;

/**
 * The most that a reader may be behind while places are out and an account without one asks, in milliseconds. More than
 * a reader that keeps the pace is behind before the system takes more (`STALLED_MS`).
 */
export const SCARCE_BEHIND_MS = 50_000;

/**
 * Characters of batches that are made or unread at the same time in a worker, and of one account. Sending takes as many
 * bytes again.
 */
export const MAX_BATCH_CHARACTERS = 2 ** 27;
export const MAX_ACCOUNT_BATCH_CHARACTERS = 2 ** 26;

/** The longest time that a request may wait for its turn, in milliseconds; after that it is `service_busy`. */
export const MAX_QUEUED_MS = 10_000;

/** The time that an idle connection stays open. Above the 60 s of common load balancers, so they close first. */
export const KEEP_ALIVE_TIMEOUT_MS = 72_000;

/** The time that a rejected connection stays open so the client can read why, in milliseconds. */
export const LINGER_MS = 1_000;

/** Bodies from this size on are compressed: above 1 KB. */
export const COMPRESSION_THRESHOLD_BYTES = 1_025;

/** Seconds until a retry while no snapshot is loaded; a new one is picked up that fast. */
export const DATA_RETRY_SECONDS = 5;

/** `Retry-After` while other nodes serve a newer snapshot. The next request may reach one of them. */
export const BEHIND_RETRY_SECONDS = 2;

/**
 * Makes a server finish the answers of clients that close their side of the connection after the request, as `nc -N`
 * does. Node closes the other side when its listener is called; here that is after the answers.
 */
export function finishHalfOpen(server: Server): void {
  server.on("connection", (socket: Socket) => {
    const close = socket.listeners("end");
    socket.removeAllListeners("end").once("end", () => {
      afterAnswers(socket, () => {
        for (const listener of close) listener.call(socket);
      });
    });
  });
  // Node took its listener away too, and gives the parser to another connection.
  server.on("connect", ({ socket }) => socket.removeAllListeners("end"));
}

/**
 * Closes connections whose client leaves an answer unread for the given milliseconds (up to twice as long). This
 * applies to every answer, however it is sent, but not while the answer is still being made.
 */
export function endStalled(server: Server, withinMs: number): void {
  server.timeout = withinMs;
  // Node emits this when nothing moved in either direction.
  server.on("timeout", (socket: Socket) => {
    // Between requests Node uses a different timeout.
    const isIdle = socket.timeout !== server.timeout;
    if (isIdle || socket.writableLength > 0) socket.destroy();
  });
}

/**
 * Limits a server's connections. Beyond the limit, each new one closes one from the network with the most connections:
 * the oldest idle one, else the oldest. A client that opens too many closes only its own.
 */
export function limitConnections(server: Server, most: number): void {
  const byNetwork = new Map<string, Set<Socket>>();
  let count = 0;
  server.on("connection", (socket: Socket) => {
    const network = networkOf(socket.remoteAddress ?? "");
    const sockets = byNetwork.get(network) ?? new Set();
    byNetwork.set(network, sockets.add(socket));
    count++;
    socket.once("close", () => forget(network, socket));
    if (count > most) endOne();
  });

  function forget(network: string, socket: Socket): void {
    const sockets = byNetwork.get(network);
    if (sockets?.delete(socket) !== true) return;
    count--;
    if (sockets.size === 0) byNetwork.delete(network);
  }

  function endOne(): void {
    let network = "";
    let sockets = new Set<Socket>();
    for (const [each, its] of byNetwork)
      if (its.size > sockets.size) [network, sockets] = [each, its];
    const all = [...sockets];
    const victim = all.find((socket) => answerOf(socket) === null) ?? all[0];
    if (victim === undefined) return;
    forget(network, victim);
    victim.destroy();
  }
}

import type { Server } from "node:http";
import type { Socket } from "node:net";
import {
  setImmediate as nextTurn,
  setTimeout as sleep,
} from "node:timers/promises";
import {
  answerOf,
  connectionsBetweenRequests,
} from "../../http/limits/node-connection.ts";
import { LINGER_MS } from "../../http/limits/server-limits.ts";

/** How often is looked which connections are quiet, in milliseconds. */
const LOOK_MS = 25;

/**
 * Ends all connections on which nothing is under way when nothing has come on any for `quietMs`, until `over` aborts. It is
 * meant for a server whose answers all end their connections: what is left then was not used. The end is said and not
 * forced, so that a client that writes at this moment gets no reset; one that does not react is cut off after a moment.
 */
export async function endQuietConnections(
  server: Server,
  sockets: ReadonlySet<Socket>,
  quietMs: number,
  over: AbortSignal,
): Promise<void> {
  const seen = new WeakMap<Socket, number>();
  let quietSinceMs = performance.now();
  noteReads();
  while (!over.aborted) {
    await sleep(LOOK_MS);
    // Behind the moment in which the thread reads what has come, so that no request is overlooked that waits for that.
    await nextTurn();
    if (noteReads()) quietSinceMs = performance.now();
    if (performance.now() - quietSinceMs >= quietMs) endIdle(server, sockets);
  }

  function noteReads(): boolean {
    let isNew = false;
    for (const socket of sockets) {
      const { bytesRead } = socket;
      if ((seen.get(socket) ?? 0) === bytesRead) continue;
      seen.set(socket, bytesRead);
      isNew = true;
    }
    return isNew;
  }
}

function endIdle(server: Server, sockets: ReadonlySet<Socket>): void {
  const between = connectionsBetweenRequests(server);
  for (const socket of sockets) {
    // Node counts a connection on which nothing was asked yet as one on which a request is arriving.
    const isArriving = socket.bytesRead > 0 && !between.has(socket);
    if (!isArriving && answerOf(socket) === null) endGently(socket);
  }
}

function endGently(socket: Socket): void {
  if (socket.writableEnded) return;
  socket.end();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

import type { Server } from "node:http";
import type { Socket } from "node:net";
import {
  setImmediate as nextTurn,
  setTimeout as sleep,
} from "node:timers/promises";
import { isBetweenRequests } from "../../http/limits/open-answers.ts";
import { LINGER_MS } from "../../http/limits/server-limits.ts";

/**
 * Listen backlog; the system may allow less. Clients beyond it retry after one, two and four seconds, so with a short
 * backlog some of a thousand simultaneous clients would wait for ten.
 */
export const MAX_UNACCEPTED = 4_096;

/** Interval between checks for idle connections, in milliseconds. */
const CHECK_MS = 25;

/**
 * Accepts the connections that wait to be accepted; the system would reset them when the server closes. There are many
 * if the thread stood still. While new ones keep arriving, it ends after `MAX_UNACCEPTED` of them or `withinMs`.
 */
export async function acceptWaiting(
  server: Server,
  withinMs: number,
): Promise<void> {
  const endMs = performance.now() + withinMs;
  let isAccepted = false;
  const note = () => {
    isAccepted = true;
  };
  server.on("connection", note);
  // The rest of this turn may accept none.
  await nextTurn();
  // Node accepts one in a turn.
  for (let turn = 0; turn < MAX_UNACCEPTED; turn++) {
    isAccepted = false;
    await nextTurn();
    if (!isAccepted || performance.now() > endMs) break;
  }
  server.off("connection", note);
}

/**
 * Ends idle connections once none was accepted and no data has arrived on any for `quietMs`, until `over` aborts. Meant
 * for a server whose responses all close their connections, so that only unused ones are left. Ends them gracefully, so
 * that a client that is writing gets no reset, and destroys those that do not react soon.
 */
export async function endQuietConnections(
  sockets: ReadonlySet<Socket>,
  quietMs: number,
  over: AbortSignal,
): Promise<void> {
  const seen = new WeakMap<Socket, number>();
  let quietSinceMs = performance.now();
  noteReads();
  while (!over.aborted) {
    await sleep(CHECK_MS);
    // After the thread has read pending data, so that no waiting request is overlooked.
    await nextTurn();
    if (noteReads()) quietSinceMs = performance.now();
    if (performance.now() - quietSinceMs < quietMs) continue;
    for (const socket of sockets)
      if (isBetweenRequests(socket)) endGently(socket);
  }

  function noteReads(): boolean {
    let isNew = false;
    for (const socket of sockets) {
      const { bytesRead } = socket;
      if (seen.get(socket) === bytesRead) continue;
      seen.set(socket, bytesRead);
      isNew = true;
    }
    return isNew;
  }
}

function endGently(socket: Socket): void {
  if (socket.writableEnded) return;
  socket.end();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

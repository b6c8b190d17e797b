import type { Socket } from "node:net";
import {
  setImmediate as nextTurn,
  setTimeout as sleep,
} from "node:timers/promises";
import { isBetweenRequests } from "../../http/limits/open-answers.ts";
import { LINGER_MS } from "../../http/limits/server-limits.ts";

/** Interval between checks for idle connections, in milliseconds. */
const CHECK_MS = 25;

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

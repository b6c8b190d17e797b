import type { Server } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * Listen backlog; the system may allow less. Clients beyond it retry after one, two and four seconds, so with a short
 * backlog some of a thousand simultaneous clients would wait for ten.
 */
export const MAX_UNACCEPTED = 4_096;

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

import type { Server } from "node:http";
import type { Socket } from "node:net";

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

import type { Server } from "node:http";
import type { Socket } from "node:net";

/**
 * Ends connections whose client takes nothing of what waits for it, for so many milliseconds, up to twice as long. It holds
 * for every answer, however it is sent. One that is still being made is waited for.
 */
export function endStalled(server: Server, withinMs: number): void {
  server.timeout = withinMs;
  // Node tells it of connections on which nothing moves in either direction.
  server.on("timeout", (socket: Socket) => {
    // Between requests the time is another one, after which nothing is expected any more.
    const isIdle = socket.timeout !== server.timeout;
    if (isIdle || socket.writableLength > 0) socket.destroy();
  });
}

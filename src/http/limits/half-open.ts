import type { Server } from "node:http";
import type { Socket } from "node:net";
import { afterAnswers } from "./open-answers.ts";

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

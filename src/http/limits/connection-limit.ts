import type { Server } from "node:http";
import type { Socket } from "node:net";
import { networkOf } from "../access/client-address.ts";
import { answerOf } from "./node-connection.ts";

/**
 * Keeps a server's connections to a number. One more ends another, of the network that has the most: the oldest on which no
 * answer is due, or else the oldest. A stranger who opens connections without end only loses their own.
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

import type { Server } from "node:http";
import type { Socket } from "node:net";
import { networkOf } from "../access/client-address.ts";
import { answerOf } from "./open-answers.ts";

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

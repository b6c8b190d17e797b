/** An address that leads to one server or another, as a virtual address or the name of a service does. */

import { connect, createServer, type Socket } from "node:net";
import { temporaryFolder } from "../pure/temporary-folder.ts";
import {
  socketIn,
  type TestDatabases,
  type TestPlace,
} from "./test-databases.ts";

export interface SwitchedAddress extends AsyncDisposable {
  /** The way to the same database by the address. */
  through(place: TestPlace): TestPlace;
  /** From now on new connections go to another server. Existing ones stay, unless they are cut. */
  leadTo(server: TestDatabases, options?: { cut: boolean }): void;
  /** Holds back everything in both directions, also ends of connections, as a network does that is split. */
  split(): void;
  /** Lets everything through again, and first what was held back. */
  rejoin(): void;
}

/** Makes an address that leads to a server. */
export async function switchedAddress(
  server: TestDatabases,
): Promise<SwitchedAddress> {
  const folder = temporaryFolder();
  let target = server;
  let isSplit = false;
  /** Each client's connection, and the one to the server. */
  const connections = new Map<Socket, Socket>();
  const listener = createServer((client) => {
    const upstream = connect(socketIn(target.folder));
    connections.set(client, upstream);
    for (const socket of [client, upstream])
      socket.on("error", () => undefined);
    if (!isSplit) client.pipe(upstream).pipe(client);
    upstream.on("close", () => client.destroy());
    client.on("close", () => {
      connections.delete(client);
      upstream.destroy();
    });
  });
  const cut = () => {
    for (const [client, upstream] of connections) {
      client.destroy();
      upstream.destroy();
    }
  };
  await new Promise<void>((listening) => {
    listener.listen(socketIn(folder.path), listening);
  });
  return {
    through: ({ url, ...place }) => ({
      ...place,
      url: url.replace(/@[^/]+/, `@${encodeURIComponent(folder.path)}`),
    }),
    leadTo(other, options) {
      target = other;
      if (options?.cut === true) cut();
    },
    split() {
      isSplit = true;
      // What isn't read stays with the system.
      for (const [client, upstream] of connections) {
        client.unpipe(upstream);
        upstream.unpipe(client);
      }
    },
    rejoin() {
      isSplit = false;
      for (const [client, upstream] of connections)
        client.pipe(upstream).pipe(client);
    },
    async [Symbol.asyncDispose]() {
      cut();
      await new Promise((closed) => {
        listener.close(closed);
      });
      folder[Symbol.dispose]();
    },
  };
}

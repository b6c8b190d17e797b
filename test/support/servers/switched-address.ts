/** An address that leads to one server or another, as a virtual address or the name of a service does. */

import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { temporaryFolder } from "../program/program.ts";
import type { TestDatabases, TestPlace } from "./test-databases.ts";

/** PostgreSQL's name for the socket of its port. */
const SOCKET = ".s.PGSQL.5432";

export interface SwitchedAddress extends AsyncDisposable {
  /** The way to the same database by the address. */
  through(place: TestPlace): TestPlace;
  /** From now on new connections go to another server. Existing ones stay, unless they are cut. */
  leadTo(server: TestDatabases, options?: { cut: boolean }): void;
}

/** Makes an address that leads to a server. */
export async function switchedAddress(
  server: TestDatabases,
): Promise<SwitchedAddress> {
  const folder = temporaryFolder();
  let target = server;
  const sockets = new Set<Socket>();
  const listener = createServer((client) => {
    const upstream = connect(join(target.folder, SOCKET));
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => sockets.delete(socket));
    }
    client.pipe(upstream).pipe(client);
    upstream.on("close", () => client.destroy());
    client.on("close", () => upstream.destroy());
  });
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  await new Promise<void>((listening) => {
    listener.listen(join(folder.path, SOCKET), listening);
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
    async [Symbol.asyncDispose]() {
      cut();
      await new Promise((closed) => {
        listener.close(closed);
      });
      folder[Symbol.dispose]();
    },
  };
}

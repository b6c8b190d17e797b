/** A way to a PostgreSQL server that is cut after so many messages of its clients, as by a server that goes away. */

import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { temporaryFolder } from "../../pure/temporary-folder.ts";

/** PostgreSQL's name for the socket of its port. */
const SOCKET = ".s.PGSQL.5432";

export interface CuttingProxy extends AsyncDisposable {
  /** The address of the same database by this way. */
  readonly url: string;
  /** True if the way was cut. */
  readonly isCut: boolean;
  /** Lets all traffic through permanently. */
  mend(): void;
}

/** Makes a way to a server that listens on a socket of this machine. */
export async function cuttingProxy(
  url: string,
  messages: number,
): Promise<CuttingProxy> {
  const folder = temporaryFolder();
  const host = /@([^/]+)\//.exec(url)?.[1] ?? "";
  const target = join(decodeURIComponent(host), SOCKET);
  const sockets = new Set<Socket>();
  let left = messages;
  const server = createServer((client) => {
    if (left <= 0) {
      client.destroy();
      return;
    }
    const upstream = connect(target);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => sockets.delete(socket));
    }
    upstream.pipe(client);
    upstream.on("close", () => client.destroy());
    client.on("close", () => upstream.destroy());
    client.on("data", (message) => {
      left--;
      if (left > 0) upstream.write(message);
      else for (const socket of sockets) socket.destroy();
    });
  });
  await new Promise<void>((listening) =>
    server.listen(join(folder.path, SOCKET), listening),
  );
  return {
    url: url.replace(host, encodeURIComponent(folder.path)),
    get isCut() {
      return left <= 0;
    },
    mend: () => void (left = Number.POSITIVE_INFINITY),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
      folder[Symbol.dispose]();
    },
  };
}

/** HTTP by hand, for what no client library sends. */

import { connect } from "node:net";

export interface RawAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

const GIVE_UP_MS = 5_000;

/** Sends bytes to a port of 127.0.0.1 and returns all that comes back until the server closes. */
export function exchange(port: number, sent: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, "127.0.0.1", () => socket.write(sent));
    socket.setTimeout(GIVE_UP_MS, () =>
      socket.destroy(new Error("The server did not close the connection.")),
    );
    socket.on("data", (chunk) => chunks.push(Buffer.from(chunk)));
    socket.on("error", reject);
    socket.on("close", () => {
      resolve(Buffer.concat(chunks).toString("latin1"));
    });
  });
}

/** `exchange` with a parsed answer. */
export async function askRaw(
  port: number,
  sent: string | Buffer,
): Promise<RawAnswer> {
  return parseAnswer(await exchange(port, sent));
}

/** A whole GET request with these headers, after which the server closes. */
export function rawGet(
  target: string | Buffer,
  headers: readonly string[] = ["Host: directory.example"],
): Buffer {
  const lines = [...headers, "Connection: close", "", ""].join("\r\n");
  return Buffer.concat([
    Buffer.from("GET "),
    Buffer.from(target),
    Buffer.from(` HTTP/1.1\r\n${lines}`),
  ]);
}

function parseAnswer(text: string): RawAnswer {
  const [head = "", ...rest] = text.split("\r\n\r\n");
  const [first = "", ...lines] = head.split("\r\n");
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  return {
    status: Number(first.split(" ")[1]),
    headers,
    body: rest.join("\r\n\r\n"),
  };
}

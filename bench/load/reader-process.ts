/** The client of `bench/export.ts` as a process: reads exports and drops what it reads. See `export-readers.ts`. */
import { once } from "node:events";
import { Agent, get, type IncomingMessage } from "node:http";
import type { ReaderOrder, Reading } from "./export-readers.ts";

const [order]: ReaderOrder[] = await once(process, "message");
if (order === undefined) throw new Error("No order was given.");
const reading = await readAll(order);
process.send?.(reading, () => process.disconnect?.());

async function readAll(given: ReaderOrder): Promise<Reading> {
  const startMs = performance.now();
  const endMs = startMs + given.seconds * 1_000;
  const counts = { rows: 0, bytes: 0 };
  await Promise.all(
    Array.from({ length: given.readers }, async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      do await readOne(given, agent, counts);
      while (performance.now() < endMs);
      agent.destroy();
    }),
  );
  return { ...counts, seconds: (performance.now() - startMs) / 1_000 };
}

async function readOne(
  { encoding, key, path, url }: ReaderOrder,
  agent: Agent,
  counts: { rows: number; bytes: number },
): Promise<void> {
  const request = get(`${url}${path}`, {
    agent,
    headers: { authorization: `Bearer ${key}`, "accept-encoding": encoding },
  });
  const [response]: IncomingMessage[] = await once(request, "response");
  if (response?.statusCode !== 200)
    throw new Error(`An export was answered ${response?.statusCode}.`);
  response.on("data", (piece: Buffer) => void (counts.bytes += piece.length));
  await once(response, "end");
  if (!response.complete) throw new Error("An export was cut.");
  counts.rows += Number(response.headers["x-total-count"]);
}

/**
 * What does it cost to verify every byte of a snapshot, as the service does after its start and before each swap? The
 * floor, in the same run: CRC-32 of the same bytes in one call. Also prints the longest turn of the event loop, because
 * the supervisor does other work between the parts.
 *
 *   node_modules/.bin/node bench/checksums.ts [data folder] [rounds]
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { crc32 } from "node:zlib";
import { MemorySections } from "../src/snapshot/container/sections.ts";
import { SnapshotStore } from "../src/store/store.ts";

const [dataDir = "data", rounds = "5"] = process.argv.slice(2);

const store = new SnapshotStore(dataDir);
const id = store.currentId();
if (id === null)
  throw new Error(
    `${dataDir} holds no snapshot: make one with import or demo.`,
  );
const { bytes: buffer } = store.share(id);
const file = new MemorySections(buffer);
console.log(`snapshot of ${(buffer.byteLength / 1e6).toFixed(0)} MB`);
for (let round = 0; round < Number(rounds); round++) {
  const floor = await processorMs(() => void crc32(Buffer.from(buffer)));
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  const checked = await processorMs(async () => {
    const corrupt = await file.findCorruptSections();
    if (corrupt.length > 0) throw new Error(`damaged: ${corrupt.join(", ")}`);
  });
  delays.disable();
  console.log(
    `all sections ${checked.toFixed(0)} ms, one CRC-32 ${floor.toFixed(0)} ms: ${(checked / floor).toFixed(2)} ×; longest turn ${(delays.max / 1e6).toFixed(0)} ms`,
  );
}

/** Milliseconds of the processor that something takes. */
async function processorMs(act: () => void | Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await act();
  const { system, user } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

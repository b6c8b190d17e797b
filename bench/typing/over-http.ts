/**
 * How long does a user wait for suggestions? Texts are typed letter by letter, each letter a request to
 * `/explore/suggest` of a service in a separate process, one after the other over one connection. The floor, in the same
 * run: as many requests for a text that has no suggestions. Each text is typed once, so the data is as cold as in a
 * service.
 *
 *   node_modules/.bin/node bench/typing/over-http.ts [data folder] [texts of each kind]
 */
import { Snapshot } from "../../src/snapshot/snapshot.ts";
import { SnapshotStore } from "../../src/store/store.ts";
import { installOver } from "../load/installation.ts";
import { ServerProcess } from "../load/server-process.ts";
import { printWaits, waitsFor } from "../support/waits.ts";
import { startsOf, typedKinds } from "./typed-texts.ts";

const WARM_UP = 200;
const NO_SUGGESTIONS = "?";
const [dataDir = "data", count = "20"] = process.argv.slice(2);

using installation = await installOver(dataDir);
const kinds = drawTexts();
await using service = await ServerProcess.program(
  ["serve", "--data-dir", installation.dataDir, "--port", "0"],
  { EXPLORER: "open", EXPLORER_BURST: "10000", LOG_LEVEL: "warn" },
);
const floor = () => Array.from({ length: WARM_UP }, () => NO_SUGGESTIONS);
await waitsForTexts(floor());
printWaits("floor: no suggestions", await waitsForTexts(floor()));
for (const { texts, title } of kinds)
  printWaits(title, await waitsForTexts(texts.flatMap(startsOf)));

/** Drawn before the service starts, so that the snapshot is in memory once. */
function drawTexts(): { title: string; texts: string[] }[] {
  const store = new SnapshotStore(installation.dataDir);
  const snapshot = new Snapshot(store.share(store.currentId() ?? ""));
  return typedKinds(snapshot).map(({ draw, title }) => ({
    title,
    texts: Array.from({ length: Number(count) }, draw),
  }));
}

function waitsForTexts(texts: readonly string[]): Promise<number[]> {
  return waitsFor(
    texts.map(
      (text) => `${service.url}/explore/suggest?q=${encodeURIComponent(text)}`,
    ),
  );
}

/**
 * What does the registry's own API cost compared with `/v1`, in process, with the answer rendered? Interleaved rounds
 * over the same providers; prints the least processor time of each kind for one answer, and for one byte of it.
 *
 *   node_modules/.bin/node bench/registry-api.ts [providers | data folder] [answers per round]
 */
import { existsSync } from "node:fs";
import { registryOperation } from "../src/http/routes/registry-api.ts";
import { WorkInPieces } from "../src/http/pipeline/work-in-pieces.ts";
import { Directory } from "../src/search/directory.ts";
import { DetailsReader } from "../src/snapshot/details/details-reader.ts";
import { Snapshot } from "../src/snapshot/snapshot.ts";
import type { SnapshotStore } from "../src/store/store.ts";
import { answerInProcess } from "./support/answer-in-process.ts";
import { withStore } from "./support/bench-store.ts";

const ROUNDS = 7;
const PAGE = 200;
const [source = "200000", asked = "400"] = process.argv.slice(2);
const answers = Number(asked);
const API = registryOperation(1_000_000_000, new WorkInPieces());

interface Kind {
  readonly title: string;
  readonly answer: (at: number) => string | Promise<string>;
}

await withStore(source, measure);

async function measure(store: SnapshotStore, id: string): Promise<void> {
  const details = store.detailsPathOf(id);
  const snapshot = new Snapshot(store.share(id));
  using directory = new Directory(
    snapshot,
    existsSync(details) ? new DetailsReader(details) : null,
  );
  console.log(
    `${snapshot.count} providers, with ${directory.detailParts.join(", ") || "no details"}`,
  );
  const docs = Uint32Array.from({ length: answers }, (_, i) =>
    Math.floor(((i * 0.618_033_988_75) % 1) * snapshot.count),
  );
  const npi = (at: number) => String(snapshot.npi[docs[at]!]);
  const cityOf = (at: number): string => {
    const { data } = JSON.parse(lookUp(directory, npi(at), false));
    return data.practice_address?.city ?? "NONE";
  };
  const cities = Array.from(docs, (_, at) => encodeURIComponent(cityOf(at)));
  const kinds: Kind[] = [
    {
      title: "/v1 look-up",
      answer: (at) => lookUp(directory, npi(at), false),
    },
    {
      title: "/v1 look-up, include=all",
      answer: (at) => lookUp(directory, npi(at), true),
    },
    {
      title: "/api number=",
      answer: (at) => answerApi(directory, `number=${npi(at)}`),
    },
    {
      title: `/v1 search by city, ${PAGE / 2} entries`,
      answer(at) {
        const query = { city: decodeURIComponent(cities[at]!) };
        const { hits } = directory.search.page({
          ...query,
          limit: PAGE / 2,
          page: 1,
        });
        return directory.lookup.rendering.renderPage(hits, {});
      },
    },
    {
      title: `/api city=, limit=${PAGE}`,
      answer: (at) => answerApi(directory, `city=${cities[at]}&limit=${PAGE}`),
    },
  ];
  const best = new Map<Kind, { us: number; bytes: number }>();
  for (let round = 0; round < ROUNDS; round++)
    for (const kind of kinds) {
      const before = process.cpuUsage();
      let bytes = 0;
      for (let at = 0; at < answers; at++) {
        const answer = await kind.answer(at);
        bytes += answer.length;
      }
      const { system, user } = process.cpuUsage(before);
      const us = (user + system) / answers;
      if (us < (best.get(kind)?.us ?? Infinity))
        best.set(kind, { us, bytes: bytes / answers });
    }
  for (const [{ title }, { bytes, us }] of best)
    console.log(
      `${title.padEnd(36)} ${us.toFixed(1).padStart(9)} µs  ${(bytes / 1000).toFixed(1).padStart(7)} kB  ${((us * 1000) / bytes).toFixed(1).padStart(6)} ns/byte`,
    );
}

function lookUp(directory: Directory, npi: string, all: boolean): string {
  const found = directory.lookup.find(npi, all ? directory.detailParts : []);
  return found === null
    ? ""
    : directory.lookup.rendering.renderRecord(found, {});
}

/** All steps of a request, without HTTP. */
function answerApi(directory: Directory, query: string): Promise<string> {
  return answerInProcess(directory, API, `/api/?version=2.1&${query}`);
}

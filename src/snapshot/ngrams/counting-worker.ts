/** The program of a thread that finds the words of organization names and counts the pieces of all. Pieces are moved, not copied. */
import { parentPort, workerData } from "node:worker_threads";
import { countPieces } from "./count-frequent-ngrams.ts";
import { dictionaryOf } from "../dictionary/dictionary.ts";
import type { Names } from "../names/name-index.ts";
import {
  organizationWords,
  type OrganizationWords,
} from "../names/organization-words.ts";

/** What it says: the words first, then the pieces to store, ascending, in arrays alone. */
export type CountingMessage =
  | { kind: "words"; words: OrganizationWords }
  | {
      kind: "pieces";
      pieces: {
        number: number;
        docCount: number;
        counts: Uint16Array<ArrayBuffer>;
        /** The words of the piece's set of documents, when it has one. */
        bits: Uint32Array<ArrayBuffer> | null;
      }[];
    };

if (parentPort === null)
  throw new Error("This file is the program of a worker thread.");
const names: Names = workerData;
const words = organizationWords(dictionaryOf(names.organizations));
const found: CountingMessage = { kind: "words", words };
parentPort.postMessage(found, []);
const pieces = countPieces(names, words).map(
  ({ number, piece: { counts, docCount, docs } }) => ({
    number,
    docCount,
    counts: counts.slice(),
    bits: docs === null ? null : owned(docs.bits),
  }),
);
const message: CountingMessage = { kind: "pieces", pieces };
parentPort.postMessage(
  message,
  pieces.flatMap(({ bits, counts }) =>
    bits === null ? [counts.buffer] : [counts.buffer, bits.buffer],
  ),
);

/** The array itself, when its memory may be moved to another thread. */
function owned(array: Uint32Array): Uint32Array<ArrayBuffer> {
  const { buffer } = array;
  return buffer instanceof ArrayBuffer
    ? new Uint32Array(buffer, array.byteOffset, array.length)
    : array.slice();
}

/** The program of a thread that counts the pieces of names. Its result is moved, not copied. */
import { parentPort, workerData } from "node:worker_threads";
import { countPieces, type PieceNames } from "./count-pieces.ts";

/** The pieces to store, ascending, in arrays alone. */
export type CountingResult = {
  number: number;
  docCount: number;
  counts: Uint16Array<ArrayBuffer>;
  /** The words of the piece's set of documents, when it has one. */
  bits: Uint32Array<ArrayBuffer> | null;
}[];

if (parentPort === null)
  throw new Error("This file is the program of a worker thread.");
const names: PieceNames = workerData;
const result: CountingResult = countPieces(names).map(
  ({ number, piece: { counts, docCount, docs } }) => ({
    number,
    docCount,
    counts: counts.slice(),
    bits: docs === null ? null : owned(docs.bits),
  }),
);
parentPort.postMessage(
  result,
  result.flatMap(({ bits, counts }) =>
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

import type { CallOptions } from "./call.ts";
import { UnexpectedResponseError } from "./errors.ts";
import type { Transport } from "./transport.ts";
import type { BatchEntry, BatchParameters, BatchResponse } from "./types.ts";

/** The most numbers of a request. */
const MAX_NUMBERS = 500;
/** The most characters of the numbers in a URL; the service takes 8,192 of it all. */
const MAX_CHARACTERS = 7_000;
const MAX_NUMBER_LENGTH = 100;

/** Any number of NPIs. */
export type Npis = Iterable<string> | AsyncIterable<string>;

/** The entries of a batch, one for each number, in order. Requests are sent as the entries are read. */
export interface Batch extends AsyncIterable<BatchEntry> {
  /** Reads all entries. */
  toArray(): Promise<BatchEntry[]>;
}

/** Makes the entries of a batch. */
export function batchOf(
  transport: Transport,
  npis: Npis,
  parameters: Omit<BatchParameters, "npi"> = {},
  options?: CallOptions,
): Batch {
  const batch = {
    async *[Symbol.asyncIterator]() {
      for await (const numbers of cut(npis)) {
        const sent = numbers.filter(canBeSent);
        const answered = sent.length === 0 ? [] : await entriesOf(sent);
        let next = 0;
        for (const number of numbers)
          yield (
            (canBeSent(number) ? answered[next++] : null) ?? malformed(number)
          );
      }
    },
    async toArray() {
      const entries: BatchEntry[] = [];
      for await (const entry of batch) entries.push(entry);
      return entries;
    },
  };
  return batch;

  async function entriesOf(npi: readonly string[]): Promise<BatchEntry[]> {
    const request = { path: "/v1/providers", query: { ...parameters, npi } };
    const { data } = await transport.data<BatchResponse>(request, options);
    if (data.length !== npi.length)
      throw new UnexpectedResponseError(
        `The response has ${data.length} entries for ${npi.length} numbers.`,
      );
    return data;
  }
}

/** Cuts numbers into as many as a request takes. */
async function* cut(npis: Npis): AsyncGenerator<string[], void, undefined> {
  let numbers: string[] = [];
  let characters = 0;
  for await (const npi of npis) {
    const length = encodeURIComponent(npi).length + ",".length * 3;
    if (
      numbers.length === MAX_NUMBERS ||
      characters + length > MAX_CHARACTERS
    ) {
      yield numbers;
      numbers = [];
      characters = 0;
    }
    numbers.push(npi);
    characters += length;
  }
  if (numbers.length > 0) yield numbers;
}

/** False for what a list of a URL cannot have as one value. The service would find no NPI in it either. */
function canBeSent(number: string): boolean {
  return (
    number.length <= MAX_NUMBER_LENGTH &&
    number.trim() !== "" &&
    // oxlint-disable-next-line no-control-regex -- control characters are refused
    !/[,\u0000-\u001f\u007f]/.test(number)
  );
}

/** Makes the entry that the service would. */
function malformed(npi: string): BatchEntry {
  return {
    npi: npi.trim(),
    verdict: "malformed",
    provider: null,
    replaced_by: null,
  };
}

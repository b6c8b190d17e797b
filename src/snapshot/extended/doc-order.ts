import { sortByKey } from "../bytes/radix-sort.ts";

/** The order in which rows of a draft are written: by document, and those of one document as they were added. */
export interface DocOrder {
  /** The number of each row in the draft. */
  readonly rows: Uint32Array;
  /** The document of each row, ascending. */
  readonly docs: Uint32Array;
}

/**
 * Orders rows by their documents. `providers` has the provider number of each row, `docs` the document of each
 * provider; null if providers have the numbers of documents.
 */
export function orderByDoc(
  providers: Uint32Array,
  docs: Uint32Array | null,
): DocOrder {
  const docOfRow =
    docs === null ? providers : providers.map((provider) => docs[provider]!);
  const { keys, order } = sortByKey(docOfRow, docOfRow.length);
  return { rows: order, docs: keys };
}

/** The texts of one record as UTF-8: text n is `bytes[starts[n], ends[n])`, empty if the record lacks it. */
export interface RecordTexts {
  readonly bytes: Uint8Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

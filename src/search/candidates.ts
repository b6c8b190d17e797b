import { NumberSet } from "../snapshot/number-set.ts";
import { itemsOf, type Postings } from "../snapshot/postings.ts";
import { docsIn } from "./doc-ranges.ts";
import type { NumberRange } from "../snapshot/dictionary.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import type { Plan } from "./plan.ts";

/** Up to this many listed documents are sorted; more are marked in a set, which costs a pass over all documents' bits. */
const SORTED_LISTS = 4096;
/** Gathering a document from lists costs about as much as testing this many in a scan. */
const LIST_COST = 3;

/**
 * Documents in ascending order among which all matches of a plan are: those in its ranges, or those that its rarest
 * list filter names, whichever is less work.
 */
export type Candidates =
  | { kind: "ranges"; ranges: readonly NumberRange[] }
  | { kind: "docs"; docs: Uint32Array };

export function candidatesOf(snapshot: Snapshot, plan: Plan): Candidates {
  const lists = rarestLists(snapshot, plan);
  if (lists === null || docsIn(plan.ranges) <= lists.docCount * LIST_COST)
    return { kind: "ranges", ranges: plan.ranges };
  return { kind: "docs", docs: union(snapshot.count, lists) };
}

/** Lists of documents, not necessarily disjoint. */
interface Lists {
  docCount: number;
  eachList(add: (docs: Uint32Array) => void): void;
}

function rarestLists(
  snapshot: Snapshot,
  { taxonomies, texts }: Plan,
): Lists | null {
  const all: Lists[] = [...texts];
  if (taxonomies !== null)
    all.push(taxonomyLists(snapshot.taxonomyDocs, taxonomies));
  if (all.length === 0) return null;
  return all.reduce((rarest, lists) =>
    lists.docCount < rarest.docCount ? lists : rarest,
  );
}

function taxonomyLists(postings: Postings, taxonomies: Uint32Array): Lists {
  const lists = Array.from(taxonomies, (number) => itemsOf(postings, number));
  return {
    docCount: lists.reduce((count, list) => count + list.length, 0),
    eachList: (add) => lists.forEach((list) => add(list)),
  };
}

/** The documents of the lists, each once, ascending. */
function union(docCount: number, lists: Lists): Uint32Array {
  if (lists.docCount > SORTED_LISTS) {
    const docs = new NumberSet(docCount);
    lists.eachList((list) => docs.addAll(list));
    return docs.toArray();
  }
  const docs = new Uint32Array(lists.docCount);
  let count = 0;
  lists.eachList((list) => {
    docs.set(list, count);
    count += list.length;
  });
  docs.sort();
  let kept = 0;
  for (let i = 0; i < count; i++) {
    if (i === 0 || docs[i] !== docs[i - 1]) docs[kept++] = docs[i]!;
  }
  return docs.subarray(0, kept);
}

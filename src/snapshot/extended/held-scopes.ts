import { SECTIONS } from "../container/descriptors.ts";
import { openGroup } from "../container/sections.ts";
import { DiskSections } from "../container/disk-sections.ts";
import { MovedDocs, NO_DOC } from "../postings/merge-postings.ts";
import { NpiIndex } from "../postings/npi-index.ts";
import { NumberSet } from "../bytes/bitset.ts";
import { release } from "../bytes/release.ts";
import { openScopesIn, type Scopes } from "./scopes.ts";
import { MemorySections } from "../container/memory-sections.ts";

/** What the base of an update can be searched by besides its records, of those whom the update says nothing of. */
export interface HeldScopes {
  readonly scopes: Scopes;
  /** Where the documents of the base are now that keep their scopes. */
  readonly docs: MovedDocs;
}

/** Of the base and the new snapshot by their files; `written` are the NPIs whose details the update brings. */
export function heldScopes(
  basePath: string,
  snapshotPath: string,
  written: Uint32Array,
): HeldScopes {
  using base = new DiskSections(basePath);
  using snapshot = new DiskSections(snapshotPath);
  const before = base.get(SECTIONS.npis.npi);
  const docs = docsNow(before, snapshot, written);
  release(before);
  const bytes = new SharedArrayBuffer(base.length(SECTIONS.scopes));
  base.readAt(SECTIONS.scopes, new Uint8Array(bytes), 0);
  return {
    scopes: openScopesIn(new MemorySections(bytes)),
    docs,
  };
}

/** An update leaves those of whom it says nothing in their order. */
function docsNow(
  before: Uint32Array,
  snapshot: DiskSections,
  written: Uint32Array,
): MovedDocs {
  const npis = openGroup(snapshot, SECTIONS.npis);
  const { npi } = npis;
  const index = new NpiIndex(npis);
  const isWritten = new NumberSet(npi.length);
  for (const each of written) isWritten.add(index.find(each));
  const docs = new Uint32Array(before.length).fill(NO_DOC);
  let old = 0;
  for (let doc = 0; doc < npi.length; doc++) {
    if (isWritten.has(doc)) continue;
    while (old < before.length && before[old] !== npi[doc]) old++;
    docs[old++] = doc;
  }
  if (old > before.length)
    throw new Error("The update moved documents of which it says nothing");
  release(npi, npis.order);
  return new MovedDocs(docs);
}

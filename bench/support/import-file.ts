import { recordChanges } from "../../src/changes/record-changes.ts";
import { builtinTaxonomy } from "../../src/reference/builtin-specialties.ts";
import {
  DETAIL_PARTS,
  type DetailPart,
} from "../../src/contract/detail-parts.ts";
import { loadCentroids } from "../../src/reference/centroids.ts";
import { importRegistryFile } from "../../src/importing/import-registry.ts";
import type { SnapshotStore } from "../../src/store/store.ts";

/** A new snapshot, and how long writing down took what it changes. */
interface Imported {
  id: string;
  comparedSeconds: number;
}

/** Imports a registry file as the program does; with `force` also one that was imported before. */
export async function importFile(
  path: string,
  store: SnapshotStore,
  force = false,
  details: ReadonlySet<DetailPart> = new Set(DETAIL_PARTS),
): Promise<Imported> {
  let comparedSeconds = 0;
  const outcome = await importRegistryFile({
    path,
    store,
    taxonomy: { table: builtinTaxonomy(), source: "the built-in table" },
    centroids: loadCentroids,
    deactivatedDetails: "keep",
    details,
    force,
    demo: false,
    now: Date.now,
    onBuilt(built) {
      const began = performance.now();
      recordChanges(built, { store, now: Date.now, keepDays: 400 });
      comparedSeconds = (performance.now() - began) / 1000;
    },
  });
  if (outcome.status !== "imported") throw new Error(outcome.message);
  return { id: outcome.id, comparedSeconds };
}

import { builtinTaxonomy } from "../src/reference/builtin-specialties.ts";
import { loadCentroids } from "../src/reference/centroids.ts";
import { importRegistryFile } from "../src/snapshot/import-registry.ts";
import type { SnapshotStore } from "../src/snapshot/store.ts";

/** Imports a registry file as the program does, and returns the new snapshot's id. */
export async function importFile(
  path: string,
  store: SnapshotStore,
): Promise<string> {
  const outcome = await importRegistryFile({
    path,
    store,
    taxonomy: { table: builtinTaxonomy(), source: "the built-in table" },
    centroids: loadCentroids(),
    deactivatedDetails: "keep",
    force: false,
    demo: false,
    now: Date.now,
  });
  if (outcome.status !== "imported") throw new Error(outcome.message);
  return outcome.id;
}

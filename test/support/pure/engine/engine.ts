/** The engine as tests start it: registry rows → CSV file → real import → snapshot → the real search. */

import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  DETAIL_PARTS,
  type DetailPart,
} from "../../../../src/contract/detail-parts.ts";
import { taxonomyTable } from "../../../../src/reference/taxonomy-table.ts";
import { ParsedDirectory } from "./parsed-directory.ts";
import { importRegistryFile } from "../../../../src/importing/import-registry.ts";
import { Snapshot } from "../../../../src/snapshot/snapshot.ts";
import { SnapshotStore } from "../../../../src/store/store.ts";
import { verifySnapshot } from "../../../../src/snapshot/verify/verify.ts";
import { DetailsReader } from "../../../../src/snapshot/details/details-reader.ts";
import { ExtendedIndexBuilder } from "../../../../src/snapshot/extended/extended-index-builder.ts";
import type { Centroids } from "../../../../src/snapshot/places/centroids.ts";
import type { References } from "../arbitrary/arbitrary-registry.ts";
import {
  type DetailsByNpi,
  writeDetails,
} from "../registry/searchable-details.ts";
import type {
  ImportOptions,
  ImportOutcome,
  RegistryFile,
} from "../reference/reference-registry.ts";
import { type CsvLayout, registryCsv } from "../registry/registry-csv.ts";

/** An installation with a temporary data folder. */
export interface Engine extends AsyncDisposable {
  /** Imports one file. The limits on bad and missing rows do not stop it, whatever `force` says. */
  import(file: RegistryFile, options: ImportOptions): Promise<ImportOutcome>;
  /** Gives the snapshot that is served now, which must have none, details and what searches can be widened to. */
  widen(details: DetailsByNpi): Promise<void>;
  /** What the installation serves now. */
  directory(): ParsedDirectory;
}

/** Starts an installation without data, which knows these display names and centroids and gets its files so written. */
export async function startEngine(
  references: References,
  layout: CsvLayout,
  parts: readonly DetailPart[] = DETAIL_PARTS,
): Promise<Engine> {
  const folder = await mkdtemp(join(tmpdir(), "provider-directory-"));
  const store = new SnapshotStore(folder);
  const opened = new DisposableStack();
  return {
    async import(file, options) {
      const path = join(folder, officialFileName(file));
      await writeFile(path, registryCsv(file.rows, layout));
      const outcome = await importRegistryFile({
        path,
        store,
        taxonomy: {
          table: taxonomyTable(references.taxonomy),
          source: "the test's",
        },
        centroids: () => centroidsOf(references.centroids),
        details: new Set(parts),
        demo: false,
        now: Date.now,
        ...options,
      });
      return outcome.status === "imported" ? "applied" : outcome.status;
    },
    async widen(details) {
      const id = store.currentId() ?? "none";
      using snapshot = new Snapshot(store.share(id));
      writeDetails(store.detailsPathOf(id), snapshot, details);
      using extended = new ExtendedIndexBuilder({
        detailsPath: store.detailsPathOf(id),
        taxonomyNames: references.taxonomy,
      });
      extended.write(store.pathOf(id));
    },
    directory() {
      const snapshot = new Snapshot(store.share(store.currentId() ?? "none"));
      const faults = verifySnapshot(snapshot);
      if (faults.length > 0) throw new Error(faults.join(" "));
      const details = store.detailsPathOf(snapshot.metadata.id);
      return opened.use(
        new ParsedDirectory(
          snapshot,
          existsSync(details) ? new DetailsReader(details) : null,
        ),
      );
    },
    async [Symbol.asyncDispose]() {
      opened.dispose();
      await rm(folder, { recursive: true });
    },
  };
}

/** The name under which the registry publishes a file: it carries the period. */
export function officialFileName({ from, to }: RegistryFile): string {
  return `npidata_pfile_${from.replaceAll("-", "")}-${to.replaceAll("-", "")}.csv`;
}

function centroidsOf(points: References["centroids"]): Centroids {
  const sorted = [...points].sort(([a], [b]) => Number(a) - Number(b));
  return {
    zips: Uint32Array.from(sorted, ([zip]) => Number(zip)),
    lat: Float64Array.from(sorted, ([, { lat }]) => lat),
    lng: Float64Array.from(sorted, ([, { lng }]) => lng),
  };
}

/** This project's own engine: the normal import, then the snapshot in this process, the entries rendered. */

import { statSync } from "node:fs";
import {
  ParsedDirectory,
  type SearchPage,
} from "../../test/support/pure/engine/parsed-directory.ts";
import { Snapshot } from "../../src/snapshot/snapshot.ts";
import { SnapshotStore } from "../../src/store/store.ts";
import { importFile } from "../support/import-file.ts";
import {
  ALL_LIMIT,
  PAGE_LIMIT,
  type Answer,
  type Question,
} from "./queries/question.ts";
import type { OpenSystem } from "./systems/system.ts";

const PAGE = { limit: PAGE_LIMIT, page: 1 };

export async function load(folder: string, zip: string): Promise<void> {
  await importFile(zip, new SnapshotStore(folder));
}

export async function open(folder: string): Promise<OpenSystem> {
  const directory = new ParsedDirectory(openSnapshot(folder));
  const store = new SnapshotStore(folder);
  return {
    ask: (question) => answer(directory, question),
    version: () => "this project",
    size: () => statSync(store.pathOf(directory.id)).size,
    memory: () => process.memoryUsage.rss(),
    async [Symbol.asyncDispose]() {},
  };
}

/** The snapshot that `load` made. */
export function openSnapshot(folder: string): Snapshot {
  const store = new SnapshotStore(folder);
  return new Snapshot(store.share(currentId(store)));
}

function answer(directory: ParsedDirectory, question: Question): Answer {
  switch (question.kind) {
    case "npi": {
      const provider = directory.recordOf(question.npi);
      return provider === null
        ? { total: 0, npis: [] }
        : { total: 1, npis: [Number(provider.npi)] };
    }
    case "nearby": {
      const { lat, lng, radiusMiles, taxonomy } = question;
      const entries = directory.near({
        center: { lat, lng },
        radius: radiusMiles,
        ...(taxonomy !== null && { taxonomy }),
        ...PAGE,
      });
      return { total: null, npis: entries.map(({ npi }) => Number(npi)) };
    }
    case "all":
      return pageOf(directory.found({ limit: ALL_LIMIT, page: question.page }));
    default: {
      const { kind: _, ...filters } = question;
      return pageOf(directory.found({ ...filters, ...PAGE }));
    }
  }
}

function pageOf({ total, entries }: SearchPage): Answer {
  return { total, npis: entries.map(({ npi }) => Number(npi)) };
}

function currentId(store: SnapshotStore): string {
  const id = store.currentId();
  if (id === null) throw new Error("The import made no snapshot.");
  return id;
}

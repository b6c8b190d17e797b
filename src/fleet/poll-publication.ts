import type { ActivePublication } from "./follower.ts";
import { readPublicationFile } from "./manifest.ts";
import type { ObjectStore } from "./objects/object-store.ts";

/** The interval at which nodes without PostgreSQL ask the store what is published. */
const POLL_MS = 2_000;

export interface PublicationPoll {
  readonly objects: ObjectStore;
  readonly onKnown: (active: ActivePublication | null) => void;
  readonly onFault: (error: unknown) => void;
  readonly intervalMs?: number;
}

/** Reads `publication.json` of a store now and then every two seconds, for nodes without PostgreSQL. */
export function pollPublication({
  intervalMs = POLL_MS,
  objects,
  onFault,
  onKnown,
}: PublicationPoll): AsyncDisposable {
  const stopping = new AbortController();
  /** The read on its way; while it waits for the store, no other is started. */
  let running: Promise<void> | null = null;

  async function read(): Promise<void> {
    try {
      const file = await readPublicationFile(objects, stopping.signal);
      onKnown(file && { ...file, activatedAt: Date.parse(file.activatedAt) });
    } catch (error) {
      if (!stopping.signal.aborted) onFault(error);
    }
  }

  function poll(): void {
    running ??= read().finally(() => (running = null));
  }

  poll();
  const timer = setInterval(poll, intervalMs);
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}

import { TaskProgram } from "../../threads/task-thread.ts";
import { SnapshotFormatError } from "../container/section-file.ts";
import { ScopesMaker, type ScopesTask } from "./write-scopes.ts";

/** The scopes of fewer providers are made sooner than a thread is of use. */
const LEAST_PROVIDERS = 500_000;

const MAKING = new TaskProgram(
  import.meta.url,
  {
    name: "scopes",
    purpose: "makes the scopes",
    errors: [SnapshotFormatError],
  },
  (task: ScopesTask) => {
    const maker = new ScopesMaker(task);
    return {
      write(snapshotPath: string): void {
        using written = maker;
        written.write(snapshotPath);
      },
    };
  },
);

/** Scopes that are made in the background. Dispose it when done: what still runs ends then. */
export interface ScopesInWork extends AsyncDisposable {
  /** Writes them for a finished snapshot file, as ScopesMaker does; to be asked for once. */
  write(snapshotPath: string): Promise<void>;
}

/**
 * Begins to make scopes as ScopesMaker does: those of at least `leastThreadProviders` in a thread of its own, in which what
 * needs no snapshot begins at once.
 */
export function makeScopesAside(
  task: ScopesTask,
  providers: number,
  leastThreadProviders: number = LEAST_PROVIDERS,
): ScopesInWork {
  const making =
    providers >= leastThreadProviders
      ? MAKING.inThread(task)
      : MAKING.here(task);
  return {
    write: (snapshotPath) => making.ask("write", snapshotPath),
    [Symbol.asyncDispose]: () => making[Symbol.asyncDispose](),
  };
}

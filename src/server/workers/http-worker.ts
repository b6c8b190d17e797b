import type { Socket } from "node:net";
import {
  setImmediate as nextTurn,
  setTimeout as sleep,
} from "node:timers/promises";
import { buildApp, type App } from "../../http/app.ts";
import type { AppContext } from "../../http/app-context.ts";
import { answerOf } from "../../http/limits/open-answers.ts";
import { Directory } from "../../search/directory.ts";
import { DetailsReader } from "../../snapshot/details/details-reader.ts";
import { Snapshot } from "../../snapshot/snapshot.ts";
import { ExpectedSnapshots } from "../expected-snapshots.ts";
import { hasCode, portOf } from "../free-port.ts";
import {
  acceptWaiting,
  endQuietConnections,
  MAX_UNACCEPTED,
} from "./last-connections.ts";
import type {
  ListenOutcome,
  SnapshotToServe,
  WorkerSetup,
} from "./messages.ts";
import {
  openContext,
  type WorkerState,
  releaseOldSnapshot,
} from "./worker-context.ts";

/** The time that connected clients may still send requests when the service stops, in milliseconds. */
const LAST_CALL_MS = 250;
/** The time without a request after which unused connections are ended, in milliseconds. */
const QUIET_MS = 1_000;

/** The time that exports may go on if their snapshot is closed at once by its successor, in milliseconds. */
const MAX_EXPORT_MS = 600_000;

/** One thread's part of the service: an app over the shared snapshot, with its own gate. */
export class HttpWorker {
  readonly #address: string;
  readonly #app: App;
  readonly #logger: AppContext["logger"];
  readonly #owned: AsyncDisposableStack;
  readonly #sockets = new Set<Socket>();
  readonly #state: WorkerState;

  private constructor(
    address: string,
    context: AppContext,
    state: WorkerState,
    owned: AsyncDisposableStack,
  ) {
    this.#address = address;
    this.#app = buildApp(context);
    this.#logger = context.logger;
    this.#owned = owned;
    this.#state = state;
    owned.defer(() => {
      state.current?.[Symbol.dispose]();
      state.previous?.[Symbol.dispose]();
    });
    this.#app.server.on("connection", (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once("close", () => this.#sockets.delete(socket));
    });
  }

  /**
   * Creates the app, ready to listen. `writeLog` gets its log lines, `show` lines for the terminal. Throws
   * AccountsDatabaseError if the accounts cannot be read.
   */
  static async start(
    setup: WorkerSetup,
    writeLog: (lines: string) => void,
    show: (line: string) => void,
  ): Promise<HttpWorker> {
    const owned = new AsyncDisposableStack();
    const state: WorkerState = {
      current: null,
      previous: null,
      expected: new ExpectedSnapshots(setup.expected),
      port: 0,
    };
    const context = await openContext(setup, state, owned, writeLog, show);
    return new HttpWorker(setup.address, context, state, owned);
  }

  /**
   * Switches to another snapshot and its details at the next request. If the snapshot cannot be opened, returns why and
   * keeps the old one. If only the details cannot be opened, requests for them fail. With `keepsCurrent`, the old one
   * stays open for requests that insist on it.
   */
  open(
    { file, detailsPath, updated }: SnapshotToServe,
    keepsCurrent: boolean,
  ): string | null {
    const before = this.#state.current;
    let data: Directory;
    try {
      const snapshot = new Snapshot(file, updated);
      const details = this.#openDetails(snapshot, detailsPath);
      data = new Directory(snapshot, details);
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
    const previous = keepsCurrent && before?.id !== data.id ? before : null;
    void this.#replaceData(data, previous);
    void this.#warmUp(data);
    return null;
  }

  /** Prepares a snapshot for the first text that a user types, while no request waits. */
  async #warmUp(data: Directory): Promise<void> {
    for (const _step of data.explore.warmUp()) {
      await nextTurn();
      if (this.#state.current !== data) return;
    }
  }

  /** Closes the snapshot before the current one, and cuts exports of it; resolves when its memory is given back. */
  async releasePrevious(): Promise<void> {
    const { current, previous } = this.#state;
    const released = this.#replaceData(current, null);
    previous?.expirePins();
    await released;
  }

  /** Closes the snapshot: from the next request on, no data is loaded. */
  close(): void {
    void this.#replaceData(null, null);
  }

  async #replaceData(
    current: Directory | null,
    previous: Directory | null,
  ): Promise<void> {
    const before = [this.#state.current, this.#state.previous];
    this.#state.current = current;
    this.#state.previous = previous;
    // No search is running: each completes within one turn of this thread. Exports may be.
    const unused = before.filter(
      (data) => data !== current && data !== previous,
    );
    await Promise.all(unused.map((data) => closeUnused(data)));
    await releaseOldSnapshot();
  }

  #openDetails({ metadata }: Snapshot, path: string): DetailsReader | null {
    if (metadata.details === undefined) return null;
    try {
      return new DetailsReader(path);
    } catch (error) {
      this.#logger?.error(
        { err: error, snapshot: metadata.id },
        "cannot open the details file: lookups with include fail",
      );
      return null;
    }
  }

  /**
   * Starts to listen. Rejects without a system error code: that is a bug, which the supervisor gets as the thread ends.
   */
  async listen(port: number, reusePort: boolean): Promise<ListenOutcome> {
    const host = this.#address;
    const backlog = MAX_UNACCEPTED;
    try {
      await this.#app.listen({ host, port, reusePort, backlog });
    } catch (error) {
      if (!hasCode(error)) throw error;
      const { code, message } = error;
      return { outcome: "not_listening", code, message };
    }
    this.#state.port = portOf(this.#app.server);
    return { outcome: "listening", port: this.#state.port };
  }

  /**
   * Finishes running requests, stops listening and closes everything; after `withinMs` drops unfinished ones. From the
   * start every response closes its connection. New connections are accepted a moment longer; old ones stay while
   * requests arrive on any of them.
   */
  async drain(withinMs: number): Promise<void> {
    const { server } = this.#app;
    server.prependListener("request", (_request, response) => {
      response.setHeader("connection", "close");
    });
    // Node would also cut off connections whose request is waiting to be read or answered.
    server.closeIdleConnections = () => undefined;
    const lastCallMs = Math.min(LAST_CALL_MS, withinMs);
    const closed = new AbortController();
    const ending = endQuietConnections(this.#sockets, QUIET_MS, closed.signal);
    if (this.#sockets.size > 0) await sleep(lastCallMs);
    const limit = setTimeout(() => {
      // A reset: no client takes a part of an answer for the whole.
      for (const socket of this.#sockets)
        if (answerOf(socket) !== null) socket.resetAndDestroy();
      server.closeAllConnections();
    }, withinMs);
    // A flood of connections leaves time to answer them.
    await acceptWaiting(server, withinMs / 2);
    await this.#app.close();
    clearTimeout(limit);
    closed.abort();
    await ending;
    await this.#owned.disposeAsync();
  }
}

/** Closes data that is no longer served, once the exports of it have ended. */
async function closeUnused(data: Directory | null): Promise<void> {
  if (data === null) return;
  data[Symbol.dispose]();
  const limit = setTimeout(() => data.expirePins(), MAX_EXPORT_MS).unref();
  await data.closed();
  clearTimeout(limit);
}

import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance, FastifyListenOptions } from "fastify";
import { buildApp } from "../../http/app.ts";
import type { AppContext } from "../../http/app-context.ts";
import { Directory } from "../../search/directory.ts";
import { DetailsReader } from "../../snapshot/details/details-reader.ts";
import { Snapshot } from "../../snapshot/snapshot.ts";
import { endQuietConnections } from "./end-quiet-connections.ts";
import type { SnapshotToServe, WorkerSetup } from "./messages.ts";
import { openContext, type WorkerState } from "./worker-context.ts";
import { releaseOldSnapshot } from "./release-old-snapshot.ts";

/** How long clients that are connected may still ask when the service stops, in milliseconds. */
const LAST_CALL_MS = 250;
/** How long no request must have come before connections are ended that were not used since, in milliseconds. */
const QUIET_MS = 1_000;

/**
 * Connections that may wait to be taken while the thread works; the system may allow fewer. Beyond it clients try again
 * only after a second, then after two and four, so that of a thousand that come at once some would wait for ten.
 */
const MOST_UNACCEPTED = 4_096;

/** One thread's share of the service: an app over the shared snapshot, with a gate of its own. */
export class HttpWorker {
  readonly #app: FastifyInstance;
  readonly #host: string;
  readonly #owned: AsyncDisposableStack;
  readonly #sockets = new Set<Socket>();
  readonly #state: WorkerState;
  readonly #logger: AppContext["logger"];

  private constructor(
    app: FastifyInstance,
    host: string,
    owned: AsyncDisposableStack,
    state: WorkerState,
    logger: AppContext["logger"],
  ) {
    this.#logger = logger;
    this.#app = app;
    this.#host = host;
    this.#owned = owned;
    this.#state = state;
    app.server.on("connection", (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once("close", () => this.#sockets.delete(socket));
    });
  }

  /**
   * Makes the app, ready to listen; `writeLog` gets the lines of its log, `show` lines for the terminal. Throws
   * AccountsDatabaseError when the accounts cannot be read.
   */
  static async start(
    setup: WorkerSetup,
    writeLog: (lines: string) => void,
    show: (line: string) => void,
  ): Promise<HttpWorker> {
    const owned = new AsyncDisposableStack();
    const state: WorkerState = { current: null, draining: false, port: 0 };
    const context = await openContext(setup, state, owned, writeLog, show);
    const app = await buildApp(context);
    await app.ready();
    owned.defer(() => state.current?.[Symbol.dispose]());
    return new HttpWorker(app, setup.address, owned, state, context.logger);
  }

  /**
   * Answers from another snapshot from the next request on, with its file of details. Throws where the
   * snapshot cannot be opened; then nothing changes. Details that cannot be opened are missed by those who ask for them.
   */
  open({ bytes, detailsPath, updated }: SnapshotToServe): void {
    const snapshot = new Snapshot(bytes, updated);
    const details = this.#openDetails(snapshot, detailsPath);
    this.#replaceData(new Directory(snapshot, details));
  }

  /** Lets go of the snapshot: from the next request on, no data are loaded. */
  close(): void {
    this.#replaceData(null);
  }

  #replaceData(data: Directory | null): void {
    const before = this.#state.current;
    this.#state.current = data;
    // No answer is under way: each is found within one turn of this thread.
    before?.[Symbol.dispose]();
    releaseOldSnapshot();
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

  /** Begins to listen and returns the port. Rejects with the system's error. */
  async listen(port: number, reusePort: boolean): Promise<number> {
    // Fastify hands its options to Node as they are, and does not name this one.
    const options: FastifyListenOptions & { reusePort: boolean } = {
      host: this.#host,
      port,
      reusePort,
      backlog: MOST_UNACCEPTED,
    };
    await this.#app.listen(options);
    const address = this.#app.server.address();
    if (address === null || typeof address === "string")
      throw new Error("The server listens without a port.");
    this.#state.port = address.port;
    return address.port;
  }

  /**
   * Answers what has been asked, stops listening, and lets go of everything; after `withinMs` also of unfinished answers.
   * From the first moment every answer says that its connection ends with it. New connections are taken for a moment longer;
   * old ones stay for as long as requests come on any of them.
   */
  async drain(withinMs: number): Promise<void> {
    const { server } = this.#app;
    this.#state.draining = true;
    server.prependListener("request", (_request, response) => {
      response.shouldKeepAlive = false;
    });
    // Node takes for idle also a connection whose request waits to be read or answered, and cuts it off.
    server.closeIdleConnections = () => undefined;
    const lastCallMs = Math.min(LAST_CALL_MS, withinMs);
    const closed = new AbortController();
    const ending = endQuietConnections(
      server,
      this.#sockets,
      QUIET_MS,
      closed.signal,
    );
    if (this.#sockets.size > 0) await sleep(lastCallMs);
    const limit = setTimeout(() => server.closeAllConnections(), withinMs);
    await this.#app.close();
    clearTimeout(limit);
    closed.abort();
    await ending;
    await this.#owned.disposeAsync();
  }
}

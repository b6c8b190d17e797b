import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Random } from "../accounts/keys/api-key.ts";
import { createGateMemory } from "../accounts/metering/gate-memory.ts";
import { createFileDaysMemory } from "../http/access/file-days.ts";
import { createWorkbookMemory } from "../http/exports/workbook/workbook-places.ts";
import { createIpRateLimiterMemory } from "../http/limits/ip-rate-limiter.ts";
import { readUpdateStatus } from "../update/update-status.ts";
import type { ServiceSettings } from "../settings/service-settings.ts";
import type { SnapshotStore } from "../store/store.ts";
import { createAnswerMemory } from "./metrics/request-metrics.ts";
import { checkListening, describeListenFault } from "./free-port.ts";
import { openLog, type LogOutput } from "./log/log.ts";
import { listenForMetrics } from "./metrics/metrics-listener.ts";
import { metricsText, type Metric } from "./metrics/metrics-text.ts";
import {
  openServiceAccounts,
  retryUntilAvailable,
} from "./open-service-accounts.ts";
import type { Follower } from "../fleet/follower.ts";
import { followPublications } from "./follow-publications.ts";
import {
  createExpectedMemory,
  ExpectedSnapshots,
} from "./expected-snapshots.ts";
import { startHeartbeat, type Heartbeat } from "./heartbeat.ts";
import { FilesInBackground } from "./make-files.ts";
import { keepGate } from "./keep-gate.ts";
import {
  createReadinessMemory,
  graceLeftMs,
  keepReadiness,
  unreadyReason,
} from "./readiness.ts";
import { releaseOldSnapshot } from "./workers/worker-context.ts";
import { serviceMetrics } from "./metrics/service-metrics.ts";
import { FORMAT_VERSION } from "../snapshot/container/section-file.ts";
import { SnapshotWatch, type OpenedSnapshot } from "./snapshot-watch.ts";
import { WorkerPool } from "./workers/worker-pool.ts";

/** Time limit for running requests when the service stops, in milliseconds. */
const DRAIN_MS = 10_000;

const SALT_BYTES = 16;

export interface ServiceOptions {
  readonly settings: ServiceSettings;
  readonly store: SnapshotStore;
  /** Shows a line in the terminal. */
  readonly show: (line: string) => void;
  /** The output of the log. */
  readonly output: LogOutput;
  /** The program's version, for the metrics, and for the files that it makes. */
  readonly version: string;
  /** Returns epoch milliseconds. */
  readonly clock: () => number;
  readonly random: Random;
  /** Stops a start that is waiting. */
  readonly stop: AbortSignal;
  /** Reports a problem to the operator in a sentence, in addition to the log. */
  readonly warn: (message: string) => void;
}

export type StartOutcome =
  | { readonly outcome: "started"; readonly service: Service }
  /** One sentence for the operator. */
  | { readonly outcome: "refused"; readonly message: string }
  /** Stopped while waiting. */
  | { readonly outcome: "stopped" };

/**
 * A listening service. Disposing of it leaves, waits until the drain delay is over, finishes running requests and
 * writes the counted usage.
 */
export interface Service extends AsyncDisposable {
  /** Makes `/readyz` fail, so that load balancers send requests to other nodes, and starts the drain delay. */
  leave(): void;
  readonly port: number;
  /** The port of the metrics; null if they are off. */
  readonly metricsPort: number | null;
  /** The number of threads that answer. */
  readonly workers: number;
  /** The served snapshot, or null. */
  readonly snapshot: OpenedSnapshot | null;
  /** The log of the process. */
  readonly logger: Logger;
}

/**
 * Starts the service on a data folder: this thread supervises, worker threads answer. It starts without data, too, and
 * switches to each snapshot that becomes current. Throws AccountsDatabaseError if the accounts cannot be opened.
 */
export async function startService(
  options: ServiceOptions,
): Promise<StartOutcome> {
  const { clock, random, settings, store } = options;
  const { database, host, plans, port } = settings;
  const check = await checkListening(host, port);
  if (check.outcome === "refused") return check;

  await using owned = new AsyncDisposableStack();
  const log = owned.use(
    openLog({
      level: settings.logLevel,
      format: settings.logFormat,
      node: settings.nodeName,
      output: options.output,
      onFault: options.warn,
    }),
  );
  const { logger } = log;
  const accountsOpened = await retryUntilAvailable(
    () =>
      openServiceAccounts(
        { place: database, plans, clock, random, onWait: options.warn },
        settings.billing,
        logger,
      ),
    {
      waitMs: settings.databaseWaitMs,
      stop: options.stop,
      onAway(reason) {
        logger.warn({ reason }, "waiting for the accounts database");
        options.warn(reason);
      },
    },
  );
  if (accountsOpened === null) return { outcome: "stopped" };
  const accounts = owned.use(accountsOpened.accounts);
  const process = randomUUID();
  const { version } = options;
  let heartbeat: Heartbeat | null = null;
  let follower: Follower | null = null;
  if (accounts.nodes !== null)
    heartbeat = owned.use(
      await startHeartbeat({
        nodes: accounts.nodes,
        identity: { process, name: settings.nodeName, version },
        isPulling: settings.snapshotStore !== null,
        logger,
        onBeat: ({ publications }) => follower?.learn(publications),
      }),
    );
  const source = { process, node: settings.nodeName, version };
  const memory = createGateMemory();
  const liveNodes = () => heartbeat?.fleet.liveNodes ?? 1;
  const keeper = await keepGate(
    accounts,
    { process, memory, liveNodes },
    logger,
    owned,
  );
  const exported = settings.telemetry?.metrics ?? null;
  const answers =
    settings.metrics === null && exported === null
      ? null
      : Array.from({ length: settings.workers }, createAnswerMemory);
  const graceMs = database.kind === "sqlite" ? null : settings.databaseGraceMs;
  const readinessMemory = createReadinessMemory();
  let isLeaving = false;
  const checkReadiness = keepReadiness(
    readinessMemory,
    () => {
      if (isLeaving) return "shutting_down";
      // Without PostgreSQL, no one knows whether another node has the publication.
      if (heartbeat !== null && follower?.isLeftBehind)
        return "snapshot_behind";
      return isGraceEnding() ? "accounts_unavailable" : null;
    },
    logger,
    owned,
  );
  /** True if known keys may stop working before load balancers send requests to other nodes. */
  function isGraceEnding(): boolean {
    const { state } = keeper.flusher;
    return (
      graceMs !== null &&
      state.failingSinceMs !== null &&
      graceLeftMs(state, graceMs, clock()) <=
        Math.min(settings.drainDelayMs, graceMs / 2)
    );
  }
  const expectedMemory = createExpectedMemory();
  const expected = new ExpectedSnapshots(expectedMemory);
  const makeSaltedLimiter = () =>
    createIpRateLimiterMemory(Buffer.from(random(SALT_BYTES)).toString("hex"));
  const pool = new WorkerPool({
    setup: {
      settings,
      source,
      address: check.address,
      tagSecret: accountsOpened.tagSecret,
      gate: memory,
      readiness: readinessMemory,
      expected: expectedMemory,
      ipRateLimiter: makeSaltedLimiter(),
      registryVisitors: makeSaltedLimiter(),
      workbooks: createWorkbookMemory(),
      fileDays: settings.files === "off" ? null : createFileDaysMemory(),
    },
    answers,
    logger,
    writeLog: (lines) => log.write(lines),
    show: options.show,
    clock,
  });
  owned.defer(() => pool.drain(DRAIN_MS));
  /** Makes the workers answer from a snapshot, and logs the result. */
  async function present(
    opened: OpenedSnapshot,
    insteadOf: string | null,
    isUpdate: boolean,
  ): Promise<void> {
    const { detailsPath, file, format, id, providers, updated } = opened;
    expected.opening = id;
    const faults = await pool.open(
      { detailsPath, file, updated },
      isUpdate ? settings.previousSnapshotMs : 0,
    );
    void releaseOldSnapshot();
    for (const reason of faults)
      logger.error({ snapshot: id, reason }, "worker cannot open the snapshot");
    if (faults.length > 0) return;
    files?.make(opened);
    const facts = { snapshot: id, providers, source: opened.source };
    if (format < FORMAT_VERSION)
      logger.warn(
        { snapshot: id, format },
        `the snapshot has an older format: it is served as before, and the next import writes format ${FORMAT_VERSION}`,
      );
    if (insteadOf === null) logger.info(facts, "serving snapshot");
    else
      logger.warn(
        { ...facts, instead_of: insteadOf },
        "serving an older snapshot instead of the current one",
      );
  }
  const files =
    settings.files === "off"
      ? null
      : owned.use(
          new FilesInBackground(
            settings.dataDir,
            `provider-directory ${options.version}`,
            logger,
          ),
        );
  const watch = owned.use(
    new SnapshotWatch({
      store,
      clock,
      onOpened: (...opened) => void present(...opened),
      onOpening(id) {
        expected.opening = id;
        return pool.releasePrevious();
      },
      onNotOpened(served) {
        expected.opening = served.id;
      },
      onClosed() {
        logger.error("no intact snapshot left: data requests get 503");
        pool.close();
      },
      onFault: (reason) => logger.error({ reason }, "snapshot not served"),
    }),
  );
  const readMetrics = (): Metric[] =>
    serviceMetrics({
      version,
      node: settings.nodeName,
      nowMs: clock(),
      workers: pool.count,
      workersReplaced: pool.replaced,
      answers: answers ?? [],
      gate: memory,
      flush: keeper.flusher.state,
      quota: keeper.quota,
      liveNodes: heartbeat?.fleet.liveNodes ?? null,
      graceMs,
      unready: unreadyReason(readinessMemory),
      watch,
      behindMs: follower?.behindMs ?? null,
      update: readUpdateStatus(store.dataDir),
      logLinesLost: log.lost,
    });
  const metrics =
    settings.metrics === null
      ? null
      : await listenForMetrics(
          settings.metrics,
          () => metricsText(readMetrics()),
          owned,
        );
  if (metrics?.outcome === "refused") return metrics;
  if (exported !== null) {
    const { exportMetrics } = await import("./telemetry/export-metrics.ts");
    await exportMetrics(exported, source, readMetrics, logger, owned);
  }
  // The threads start while this one reads the snapshot; messages are queued in order.
  watch.start();
  await pool.started();
  const listening = await pool.listen(port);
  if (listening.outcome === "not_listening")
    return {
      outcome: "refused",
      message: describeListenFault(host, port, listening.code),
    };
  if (settings.snapshotStore !== null) {
    const place = settings.snapshotStore;
    follower = await followPublications(
      { place, store, watch, heartbeat, expected, clock, logger },
      owned,
    );
  }

  await pool.complete();
  logger.info({ host, port: listening.port, workers: pool.count }, "listening");

  const running = owned.move();
  let drainDelay: Promise<void> | null = null;
  const leave = (): Promise<void> => {
    if (drainDelay !== null) return drainDelay;
    isLeaving = true;
    checkReadiness();
    logger.info({ seconds: settings.drainDelayMs / 1000 }, "leaving");
    return (drainDelay = sleep(settings.drainDelayMs));
  };
  const service: Service = {
    leave: () => void leave(),
    port: listening.port,
    metricsPort: metrics?.port ?? null,
    workers: pool.count,
    logger,
    get snapshot() {
      return watch.opened;
    },
    [Symbol.asyncDispose]: async () => {
      await leave();
      logger.info("stopping");
      await running.disposeAsync();
    },
  };
  return { outcome: "started", service };
}

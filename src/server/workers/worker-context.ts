import { randomBytes, randomUUID } from "node:crypto";
import { LazyBillingRecords } from "../../accounts/billing-records/billing-records.ts";
import { isUseWritten } from "../../accounts/metering/gate-memory.ts";
import type { AnswerTracer } from "../../http/pipeline/request-log.ts";
import { ThreadGate } from "../../accounts/metering/thread-gate.ts";
import { ChangeReader } from "../../changes/change-reader.ts";
import type {
  BillingDependencies,
  AppContext,
  LazyAuth,
  PortalDependencies,
} from "../../http/app-context.ts";
import { FileDays } from "../../http/access/file-days.ts";
import { WorkbookPlaces } from "../../http/exports/workbook/workbook-places.ts";
import { IpRateLimiter } from "../../http/limits/ip-rate-limiter.ts";
import { BuiltSite } from "../../http/pages/built-site.ts";
import { TileFile } from "../../http/pages/tile-file.ts";
import { headersOf } from "../../http/pipeline/headers.ts";
import { KeptFiles } from "../../tables/kept-files.ts";
import type { Directory } from "../../search/directory.ts";
import { readUpdateStatus } from "../../update/update-status.ts";
import { localUrl } from "../free-port.ts";
import { openWorkerLog } from "../log/log.ts";
import type { ExpectedSnapshots } from "../expected-snapshots.ts";
import { unreadyReason } from "../readiness.ts";
import { AnswerMemory } from "../metrics/request-metrics.ts";
import type { WorkerSetup } from "./messages.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Logger } from "pino";
import type { AuthService } from "../../auth/auth.ts";
import type { ServiceSettings } from "../../settings/service-settings.ts";

/** The mutable state of a worker. */
export interface WorkerState {
  /** The served data. */
  current: Directory | null;
  /** The data that was served before, for requests that insist on it. */
  previous: Directory | null;
  /** The snapshots that the supervisor says will be served. */
  readonly expected: ExpectedSnapshots;
  /** The port; 0 before listening. */
  port: number;
}

/**
 * Opens everything that a worker's app needs; `owned` gets what must be closed. `writeLog` gets its log lines, `show`
 * lines for the terminal. Throws AccountsDatabaseError.
 */
export async function openContext(
  setup: WorkerSetup,
  state: WorkerState,
  owned: AsyncDisposableStack,
  writeLog: (lines: string) => void,
  show: (line: string) => void,
): Promise<AppContext> {
  const { settings } = setup;
  const { answers, logger } = owned.use(
    openWorkerLog(
      settings.logLevel,
      { node: settings.nodeName, thread: setup.name },
      writeLog,
    ),
  );
  const isFile = settings.database.kind === "sqlite";
  const gate = new ThreadGate({
    plans: settings.plans,
    memory: setup.gate,
    // Only this process counts in a file, so memory stays right while the file can't be written.
    graceMs: isFile ? Infinity : settings.databaseGraceMs,
    whenAway: isFile ? "grace" : settings.quotaWhenAway,
  });
  const serviceUrl = () => localUrl(setup.address, state.port);
  const auth = await loadAuth({ settings, serviceUrl, show, logger }, owned);
  let answerTracer: AnswerTracer | null = null;
  const traces = settings.telemetry?.traces ?? null;
  if (traces !== null) {
    // The packages are loaded only if needed.
    const { traceAnswers } = await import("../telemetry/trace-answers.ts");
    answerTracer = await traceAnswers(traces, setup.source, logger, owned);
  }
  return {
    settings,
    data: state,
    changes: owned.use(new ChangeReader(settings.dataDir)),
    nextUpdate: () => readUpdateStatus(settings.dataDir)?.nextAt ?? null,
    gate,
    tagSecret: setup.tagSecret,
    now: Date.now,
    makeRequestId: randomUUID,
    logger,
    answerLog: answers,
    answerTracer,
    answerCounts:
      setup.answers === null ? null : new AnswerMemory(setup.answers),
    unreadyReason: () => unreadyReason(setup.readiness),
    isUseWritten: () => isUseWritten(setup.gate),
    localUrl: serviceUrl,
    billing: await billingOf(setup, owned, auth),
    auth,
    portal: portalOf(setup),
    files:
      setup.fileDays === null
        ? null
        : {
            kept: new KeptFiles(settings.dataDir),
            days: new FileDays(setup.fileDays),
          },
    registryVisitors: new IpRateLimiter(
      setup.registryVisitors,
      settings.registryApi.burstPerSecond,
    ),
  };
}

/** Makes the portal's parts; null if it is off. */
function portalOf({
  ipRateLimiter,
  settings: { portal, publicUrl },
  workbooks,
}: WorkerSetup): PortalDependencies | null {
  if (portal === null) return null;
  const { build, burstPerSecond, tiles } = portal;
  return {
    settings: portal,
    site: build === null ? null : new BuiltSite(build, publicUrl),
    limiter: new IpRateLimiter(ipRateLimiter, burstPerSecond),
    workbooks: new WorkbookPlaces(workbooks),
    tileFile: TileFile.of(tiles),
  };
}

/** Opens billing; null if no plans are sold. Loads the SDK only if needed. */
async function billingOf(
  { settings: { billing: config, database, publicUrl } }: WorkerSetup,
  owned: AsyncDisposableStack,
  lazyAuth: LazyAuth | null,
): Promise<BillingDependencies | null> {
  if (config === null || publicUrl === null) return null;
  const { Billing } = await import("../../billing/billing.ts");
  const records = owned.use(
    new LazyBillingRecords({
      place: database,
      clock: Date.now,
      random: randomBytes,
      actor: "stripe",
    }),
  );
  return {
    billing: new Billing({ config, records, clock: Date.now }),
    publicUrl,
    attempts: {
      async take(of, limit) {
        const auth = await lazyAuth?.open();
        return auth?.accounts.attempts.take(of, limit) ?? 0;
      },
    },
    async findOwner(request) {
      // With sign-up off, no user is signed in.
      if (lazyAuth === null) return null;
      const auth = await lazyAuth.open();
      const user = await auth.findSessionUser(headersOf(request));
      if (user === null || !user.isVerified) return null;
      const { email, id } = await auth.accountOf(user);
      return { accountId: id, email };
    },
  };
}

/** Requests that run during a swap end within this time, and with them the last use of the old snapshot. */
const LAST_USE_MS = 1_000;

/**
 * Frees a replaced snapshot. A thread's garbage collector does not see the size of the shared memory behind a few
 * objects and could keep it for hours, so each thread forces a collection soon after a swap. Resolves after it.
 */
export async function releaseOldSnapshot(): Promise<void> {
  await sleep(LAST_USE_MS, undefined, { ref: false });
  collectGarbage();
}

function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect === "function") collect();
}

interface LazyAuthOptions {
  readonly settings: ServiceSettings;
  /** Returns the service's URL on this machine, once it listens. */
  readonly serviceUrl: () => string;
  readonly show: (line: string) => void;
  readonly logger: Logger;
}

/** The interval at which keys that expire soon are looked up. The first thread to look notifies their owners. */
const NOTIFY_INTERVAL_MS = 3_600_000;

/**
 * Loads sign-up and sign-in of one thread before the thread listens, because loading blocks it for half a second, and
 * starts notifying owners of keys that expire soon; null if they are off. The database is opened on first use; look-ups
 * need neither.
 */
async function loadAuth(
  { logger, serviceUrl, settings, show }: LazyAuthOptions,
  owned: AsyncDisposableStack,
): Promise<LazyAuth | null> {
  const { publicUrl, signUp } = settings;
  if (signUp === null) return null;
  const { openAuth } = await import("../../auth/open-auth.ts");
  if (signUp.mail.kind === "smtp") await import("../../auth/mail/smtp.ts");
  const url = () => publicUrl ?? serviceUrl();
  let opened: Promise<AuthService> | null = null;
  const onFault = (reason: string): void =>
    logger.error({ reason }, "sign-up or sign-in failed");

  function origins(): readonly string[] {
    if (publicUrl !== null) return [new URL(publicUrl).origin];
    const { port } = new URL(url());
    // Without a public URL, only this machine's names.
    const names = ["127.0.0.1", "localhost", "[::1]"];
    return [url(), ...names.map((name) => `http://${name}:${port}`)];
  }

  const open = (): Promise<AuthService> =>
    (opened ??= openAuth({
      ...signUp,
      place: settings.database,
      plans: settings.plans,
      clock: Date.now,
      random: randomBytes,
      url: url(),
      origins: origins(),
      show,
      onFault,
    }).catch((error: unknown) => {
      opened = null;
      throw error;
    }));

  async function notify(): Promise<void> {
    try {
      await (await open()).notifyOfEndingKeys();
    } catch (error) {
      onFault(error instanceof Error ? error.name : "unknown");
    }
  }

  const timer = setInterval(() => void notify(), NOTIFY_INTERVAL_MS).unref();
  owned.defer(async () => {
    clearInterval(timer);
    const auth = await opened?.catch(() => null);
    await auth?.[Symbol.asyncDispose]();
  });
  return { open, url, origins };
}

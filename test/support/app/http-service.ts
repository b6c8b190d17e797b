/** The real HTTP app over the real accounts and a real directory, with a clock that moves on before every request. */

import inject, { type InjectOptions, type Response } from "light-my-request";
import type { BaseLogger } from "pino";
import { ChangeReader } from "../../../src/changes/change-reader.ts";
import type { Directory } from "../../../src/search/directory.ts";
import { buildApp, type App } from "../../../src/http/app.ts";
import type {
  BillingDependencies,
  LazyAuth,
  PortalDependencies,
  UnreadyReason,
} from "../../../src/http/app-context.ts";
import {
  createIpRateLimiterMemory,
  IpRateLimiter,
} from "../../../src/http/limits/ip-rate-limiter.ts";
import {
  createFileDaysMemory,
  FileDays,
} from "../../../src/http/access/file-days.ts";
import { KeptFiles } from "../../../src/tables/kept-files.ts";
import type { AnswerCounts } from "../../../src/http/pipeline/answer-counts.ts";
import type {
  AnswerLog,
  AnswerTracer,
} from "../../../src/http/pipeline/request-log.ts";
import {
  createExpectedMemory,
  ExpectedSnapshots,
} from "../../../src/server/expected-snapshots.ts";
import type { TrustedProxies } from "../../../src/settings/addresses.ts";
import type { ServiceSettings } from "../../../src/settings/service-settings.ts";
import {
  install as installSqlite,
  type Installation,
  issueKey,
} from "./accounts-installation.ts";
import { checkAnswer } from "./check-answer.ts";
import { serviceSettings } from "./service-settings.ts";
import { sampleDirectory } from "../pure/engine/sample-directory.ts";

/** Where the service says that this machine reaches it. */
export const LOCAL_URL = "http://127.0.0.1:8080";

export interface HttpService extends AsyncDisposable {
  readonly app: App;
  readonly installation: Installation;
  /** What is served; a test may swap it. */
  readonly data: { directory: Directory | null };
  /** What will be served; a test may set it. */
  readonly expected: ExpectedSnapshots;
  readonly freeKey: string;
  readonly paidKey: string;
  /** GET with the paid key, a second after the request before. */
  get(url: string, headers?: Record<string, string>): Promise<Response>;
  /** Any request, exactly as given, at the clock's present time. Its JSON is held to the schema of its route. */
  ask(options: InjectOptions): Promise<Response>;
  /** Lets the service know the changes of keys and accounts so far. */
  hear(): Promise<void>;
  /** Writes down what was counted, and gives back what is prepaid. */
  write(): Promise<unknown>;
  /** Listens on a free port of 127.0.0.1, the same each time, and returns it. */
  listen(): Promise<number>;
}

export interface HttpServiceOptions {
  /** What is set, but for `serviceSettings`; the portal is `portal`. */
  readonly settings?: Partial<ServiceSettings>;
  readonly publicUrl?: string | null;
  /** The data folder whose changes are listed; without it there are none. */
  readonly changesOf?: string;
  /** What `nextUpdate` says. */
  readonly nextUpdate?: string;
  readonly logger?: BaseLogger;
  readonly answerLog?: AnswerLog;
  readonly answerTracer?: AnswerTracer;
  readonly answerCounts?: AnswerCounts;
  /** How plans are sold; without it none is. */
  readonly billing?: (
    installation: Installation,
  ) => BillingDependencies & AsyncDisposable;
  /** Another database than SQLite. */
  readonly install?: () => Promise<Installation>;
  /** For two services whose answers are compared; else the installation's own. */
  readonly tagSecret?: Uint8Array;
  readonly trustProxy?: TrustedProxies;
  readonly securityContacts?: readonly string[];
  /** Why it is not ready though it has data. */
  readonly unready?: UnreadyReason | null;
  /** The pages for people; without it there are none. */
  readonly portal?: PortalDependencies;
  /** Sign-up over the accounts of the installation; it belongs to the service. */
  readonly auth?: (installation: Installation) => LazyAuth & AsyncDisposable;
}

/** Sends a request to an app without a connection. */
export function askApp(
  { listener }: App,
  options: InjectOptions,
): Promise<Response> {
  return inject(listener, options);
}

let sample: Promise<Directory> | null = null;

/** Starts a service; all tests of a file share the directory, because nothing changes it. */
export async function startHttpService({
  settings,
  publicUrl = null,
  changesOf,
  nextUpdate,
  logger,
  answerCounts,
  answerLog,
  answerTracer,
  billing,
  install = installSqlite,
  auth,
  portal,
  tagSecret,
  unready = null,
  trustProxy = null,
  securityContacts = [],
}: HttpServiceOptions = {}): Promise<HttpService> {
  sample ??= sampleDirectory();
  const owned = new AsyncDisposableStack();
  const installation = owned.use(await install());
  const { accounts, gate, hear, write } = await installation.startProcess();
  const { clock } = installation;
  const data: { directory: Directory | null } = { directory: await sample };
  const expected = new ExpectedSnapshots(createExpectedMemory());
  let requests = 0;
  const allSettings = serviceSettings(installation.folder, {
    publicUrl,
    trustProxy,
    securityContacts,
    portal: portal?.settings ?? null,
    ...settings,
  });
  const app = buildApp({
    settings: allSettings,
    data: {
      get current() {
        return data.directory;
      },
      previous: null,
      expected,
    },
    changes: owned.use(new ChangeReader(changesOf ?? installation.folder)),
    nextUpdate: () => nextUpdate ?? null,
    gate,
    tagSecret:
      tagSecret ??
      (await installation.accounts.installationSecret("entity_tags")),
    now: () => clock.nowMs,
    makeRequestId: () => `test-${++requests}`,
    logger: logger ?? null,
    answerLog: answerLog ?? null,
    answerTracer: answerTracer ?? null,
    answerCounts: answerCounts ?? null,
    unreadyReason: () => unready,
    isUseWritten: () => true,
    localUrl: () => LOCAL_URL,
    billing: billing === undefined ? null : owned.use(billing(installation)),
    auth: auth === undefined ? null : owned.use(auth(installation)),
    portal: portal ?? null,
    files:
      allSettings.files === "off"
        ? null
        : {
            kept: new KeptFiles(installation.folder),
            days: new FileDays(createFileDaysMemory()),
          },
    registryVisitors: new IpRateLimiter(
      createIpRateLimiterMemory("a test"),
      allSettings.registryApi.burstPerSecond,
    ),
  });
  owned.defer(() => app.close());
  const ask = async (options: InjectOptions) =>
    checkAnswer(options, await askApp(app, options));
  const paidKey = await issueKey(accounts, "paid@clinic.example", "paid");
  return {
    app,
    installation,
    data,
    expected,
    freeKey: await issueKey(accounts, "free@clinic.example"),
    paidKey,
    get(url, headers = {}) {
      clock.nowMs += 1_000;
      return ask({
        url,
        headers: { authorization: `Bearer ${paidKey}`, ...headers },
      });
    },
    ask,
    hear,
    write,
    async listen() {
      if (!app.server.listening)
        await app.listen({ host: "127.0.0.1", port: 0 });
      const address = app.server.address();
      if (address === null || typeof address === "string")
        throw new Error("The app does not listen on a port.");
      return address.port;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

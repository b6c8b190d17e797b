import { availableParallelism } from "node:os";
import { MOST_WAITING } from "../../../server/log/log.ts";
import { localUrl } from "../../../server/local-url.ts";
import { startService, type Service } from "../../../server/service.ts";
import type {
  LogLevel,
  ServiceSettings,
} from "../../../settings/service-settings.ts";
import { SnapshotStore } from "../../../store/store.ts";
import {
  BILLING_SETTINGS,
  readBilling,
} from "../../settings/billing-settings.ts";
import { closedParts } from "./closed-parts.ts";
import { fail, PROGRAM, type Context, type ExitCode } from "../../command.ts";
import type { SettingReader } from "../../settings/config.ts";
import {
  ACCOUNTS_SETTINGS,
  databaseOf,
  readAccountsPlace,
} from "../../data-folder.ts";
import { METRICS } from "../../settings/metrics-setting.ts";
import {
  portalFor,
  PORTAL_SETTINGS,
  readPortal,
  type PortalOptions,
} from "./portal.ts";
import {
  DATABASE_GRACE,
  DATABASE_WAIT,
  HOST,
  LOG_LEVEL,
  PORT,
  PUBLIC_URL,
  WORKERS,
} from "../../settings/settings.ts";
import { SECURITY_CONTACT } from "../../settings/security-settings.ts";
import { TRUST_PROXY } from "../../settings/sign-up-settings.ts";
import {
  readSignUp,
  servesDemo,
  SIGN_UP_SETTINGS,
  signUpFor,
  type SignUpOptions,
} from "./sign-up.ts";
import { PORTAL_NAME } from "../../settings/portal-settings.ts";
import { untilAborted } from "../../stop-signal.ts";
import { UpdateSchedule } from "./update-schedule.ts";
import {
  readUpdateOptions,
  UPDATE,
  UPDATE_SETTINGS,
  UPDATE_ZONE,
  type UpdateOptions,
} from "../../settings/update-settings.ts";
import { programVersion } from "../../version.ts";

export const SERVE_SETTINGS = [
  ...ACCOUNTS_SETTINGS,
  ...BILLING_SETTINGS,
  DATABASE_GRACE,
  DATABASE_WAIT,
  HOST,
  PORT,
  WORKERS,
  PUBLIC_URL,
  TRUST_PROXY,
  SECURITY_CONTACT,
  LOG_LEVEL,
  METRICS,
  UPDATE,
  UPDATE_ZONE,
  ...UPDATE_SETTINGS,
  ...SIGN_UP_SETTINGS,
  ...PORTAL_SETTINGS,
];

/** What the service is set to, but for what `serveUntilStopped` settles first. */
export interface ServeOptions extends Omit<
  ServiceSettings,
  "database" | "portal" | "signUp"
> {
  /** Null for the database in the data folder. */
  readonly databaseUrl: string | null;
  /** What pages and mails call the service. */
  readonly name: string;
  readonly signUp: SignUpOptions;
  /** Null when it is off. */
  readonly portal: PortalOptions | null;
  /** When to update, and how; null for never. */
  readonly update: UpdateTimes | null;
}

interface UpdateTimes {
  /** A cron expression, and the time zone in which it is meant. */
  readonly schedule: string;
  readonly zone: string;
  readonly options: UpdateOptions;
}

/** Reads SERVE_SETTINGS; `logLevel` holds where nobody chose one. */
export function readServeOptions(
  reader: SettingReader,
  logLevel: LogLevel,
): ServeOptions {
  const place = readAccountsPlace(reader);
  return {
    ...place,
    databaseGraceMs: (reader.read(DATABASE_GRACE) ?? 0) * 1_000,
    databaseWaitMs: (reader.read(DATABASE_WAIT) ?? 0) * 1_000,
    host: reader.read(HOST),
    port: reader.read(PORT) ?? 0,
    workers: reader.read(WORKERS) ?? availableParallelism(),
    publicUrl: reader.read(PUBLIC_URL),
    name: reader.read(PORTAL_NAME),
    billing: readBilling(reader, place.plans),
    trustProxy: reader.read(TRUST_PROXY),
    securityContacts: reader.read(SECURITY_CONTACT),
    signUp: readSignUp(reader),
    portal: readPortal(reader),
    logLevel: reader.read(LOG_LEVEL) ?? logLevel,
    metrics: reader.read(METRICS),
    update: readUpdateTimes(reader),
  };
}

function readUpdateTimes(reader: SettingReader): UpdateTimes | null {
  const schedule = reader.read(UPDATE);
  const zone = reader.read(UPDATE_ZONE);
  const options = readUpdateOptions(reader);
  return schedule === null ? null : { schedule, zone, options };
}

/** Serves until the program is asked to stop; `onListening` is told where, with an address that works on this machine. */
export async function serveUntilStopped(
  options: ServeOptions,
  context: Context,
  onListening: (service: Service, url: string) => void,
): Promise<ExitCode> {
  const { name: _name, databaseUrl: _url, update, ...chosen } = options;
  const { dataDir, host } = options;
  const { now: clock, random, stop } = context;
  const store = new SnapshotStore(dataDir);
  const signUp = signUpFor(options, store, random);
  if (signUp.outcome === "refused") return fail(context, signUp.message);
  const started = await startService({
    settings: {
      ...chosen,
      database: databaseOf(options),
      signUp: signUp.people,
      portal: await portalFor(options.portal, dataDir, context),
    },
    store,
    show(line) {
      if (context.output.waiting < MOST_WAITING) context.out(line);
    },
    version: programVersion(),
    clock,
    random,
    stop,
    output: context.output,
    warn: (message) => context.err(`${PROGRAM}: ${message}`),
  });
  if (started.outcome === "stopped") return 0;
  if (started.outcome === "refused") return fail(context, started.message);
  await using service = started.service;
  onListening(service, localUrl(host, service.port));
  for (const line of closedParts(options, {
    hasPeople: signUp.people !== null,
    isDemo: servesDemo(store),
  }))
    context.err(line);
  const { logger } = service;
  // It ends before the service does, whose log it writes.
  await using _schedule =
    update === null
      ? null
      : new UpdateSchedule({ ...update, now: clock, logger, store });
  await untilAborted(stop);
  return 0;
}

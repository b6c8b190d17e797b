import { availableParallelism } from "node:os";
import type { Plans } from "../accounts/plans.ts";
import type { LogLevel } from "../server/log.ts";
import { startService, type Service } from "../server/service.ts";
import { SnapshotStore } from "../snapshot/store.ts";
import { fail, type Context, type ExitCode } from "./command.ts";
import type { SettingReader } from "./config.ts";
import {
  DATA_DIR,
  HOST,
  LOG_LEVEL,
  PLANS,
  PORT,
  PUBLIC_URL,
  WORKERS,
} from "./settings.ts";
import { untilAborted } from "./stop-signal.ts";
import { UpdateSchedule } from "./update-schedule.ts";
import {
  readUpdateOptions,
  UPDATE,
  UPDATE_SETTINGS,
  UPDATE_ZONE,
  type UpdateOptions,
} from "./update-settings.ts";

export const SERVE_SETTINGS = [
  DATA_DIR,
  HOST,
  PORT,
  WORKERS,
  PUBLIC_URL,
  LOG_LEVEL,
  PLANS,
  UPDATE,
  UPDATE_ZONE,
  ...UPDATE_SETTINGS,
];

export interface ServeOptions {
  readonly dataDir: string;
  readonly host: string;
  readonly port: number;
  readonly workers: number;
  readonly publicUrl: string | null;
  readonly logLevel: LogLevel;
  readonly plans: Plans;
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
  return {
    dataDir: reader.read(DATA_DIR),
    host: reader.read(HOST),
    port: reader.read(PORT) ?? 0,
    workers: reader.read(WORKERS) ?? availableParallelism(),
    publicUrl: reader.read(PUBLIC_URL),
    logLevel: reader.read(LOG_LEVEL) ?? logLevel,
    plans: reader.read(PLANS),
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
  {
    dataDir,
    host,
    logLevel,
    plans,
    port,
    publicUrl,
    update,
    workers,
  }: ServeOptions,
  context: Context,
  onListening: (service: Service, url: string) => void,
): Promise<ExitCode> {
  const { now: clock, random, stop } = context;
  const store = new SnapshotStore(dataDir);
  const started = await startService({
    store,
    plans,
    host,
    port,
    workers,
    publicUrl,
    logLevel,
    clock,
    random,
  });
  if (started.outcome === "refused") return fail(context, started.message);
  await using service = started.service;
  onListening(service, localUrl(host, service.port));
  const { logger } = service;
  // It ends before the service does, whose log it writes.
  await using _schedule =
    update === null
      ? null
      : new UpdateSchedule({ ...update, now: clock, logger, store });
  await untilAborted(stop);
  return 0;
}

/** The address of the service as this machine reaches it. */
export function localUrl(host: string, port: number): string {
  const reachable =
    host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
}

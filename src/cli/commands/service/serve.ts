import { localUrl } from "../../../server/free-port.ts";
import {
  NO_OPERANDS,
  type Command,
  CommandError,
  type Context,
  type ExitCode,
  PROGRAM,
  programVersion,
} from "../../command.ts";
import { databaseOf } from "../../../accounts/database/database.ts";
import { MAX_PENDING } from "../../../server/log/log.ts";
import { startService, type Service } from "../../../server/service.ts";
import {
  ACCOUNTS,
  type LogLevel,
  type PortalSettings,
  SERVICE,
  SNAPSHOT_STORE,
  type ServiceSettings,
} from "../../../settings/service-settings.ts";
import { BILLING, readBilling } from "../../../settings/billing-settings.ts";
import { PORTAL, PORTAL_SWITCH } from "../../../settings/portal-settings.ts";
import { REGISTRY_API } from "../../../settings/registry-api-settings.ts";
import { readTelemetry } from "../../../settings/telemetry-settings.ts";
import { SIGN_UP } from "../../../settings/sign-up-settings.ts";
import type { ValuesOf } from "../../../settings/setting.ts";
import type { SettingReader } from "../../../settings/setting-reader.ts";
import { readStorePlace } from "../../settings/fleet-settings.ts";
import { openSnapshots, type AccountsPlace } from "../../data-folder.ts";
import { servesDemo, signUpFor, type SignUpOptions } from "./sign-up.ts";
import { untilAborted } from "../../stop-signal.ts";
import { UpdateSchedule } from "./update-schedule.ts";
import {
  readUpdateOptions,
  UPDATE,
  UPDATE_SETTINGS,
  UPDATE_ZONE,
  type UpdateOptions,
} from "../../settings/update-settings.ts";
import { readLogo } from "../../../http/pages/logo.ts";
import { readBuild } from "../../../http/pages/site-files.ts";
import { TileFile } from "../../../http/pages/tile-file.ts";
import { builtFolder, PROJECT } from "../../../build/built-folder.ts";

export const SERVE_SETTINGS = [
  ...Object.values(ACCOUNTS),
  ...Object.values(BILLING),
  ...Object.values(SERVICE),
  SNAPSHOT_STORE,
  UPDATE,
  UPDATE_ZONE,
  ...UPDATE_SETTINGS,
  ...Object.values(SIGN_UP),
  PORTAL_SWITCH,
  ...Object.values(PORTAL),
  ...Object.values(REGISTRY_API),
];

/** The service's settings, before `serveUntilStopped` resolves some of them. */
export interface ServeOptions
  extends
    AccountsPlace,
    Omit<ServiceSettings, "database" | "portal" | "signUp"> {
  /** The service's name on pages and in emails. */
  readonly name: string;
  readonly signUp: SignUpOptions;
  /** Null when it is off. */
  readonly portal: ValuesOf<typeof PORTAL> | null;
  /** The update schedule and options; null for never. */
  readonly update: UpdateTimes | null;
}

interface UpdateTimes {
  /** A cron expression and its time zone. */
  readonly schedule: string;
  readonly zone: string;
  readonly options: UpdateOptions;
}

export const serveCommand: Command = {
  operands: NO_OPERANDS,
  settings: SERVE_SETTINGS,
  summary: "Serve the API and the portal over HTTP.",
  details: [
    "Starts without data too, and switches to each import and rollback within five seconds. Writes its log to standard output: as JSON lines, or readable ones in a terminal.",
    "With --update, runs the update command at those times, with the same options, in a separate process. If there is no registry data yet, the first update starts at once.",
    "OTEL_EXPORTER_OTLP_ENDPOINT sends traces and metrics to an OpenTelemetry collector. For this and its other OTEL_ variables, see docs/metrics.md.",
    "SIGTERM or SIGINT stops the service: /readyz is 503 at once, requests are served for another --drain-delay, running ones finish within ten seconds, and the usage counted so far is written. A second signal stops it at once.",
  ],
  prepare(reader) {
    const options = readServeOptions(reader, "info");
    return (context) =>
      serveUntilStopped(options, context, (service, url) => {
        const { metricsPort, snapshot, workers } = service;
        context.err(
          `Listening on ${url} with ${workers === 1 ? "one worker" : `${workers} workers`}. API documentation: ${url}/docs`,
        );
        if (metricsPort !== null && options.metrics !== null)
          context.err(
            `Metrics: ${localUrl(options.metrics.host, metricsPort)}/metrics`,
          );
        if (options.publicUrl === null && isLoopback(options.host))
          context.err(
            `Only this machine can reach the service (HOST is ${options.host}). Put a reverse proxy in front and set PUBLIC_URL, or set HOST to a network address. See docs/deploying.md.`,
          );
        if (snapshot === null)
          context.err(
            `No data to serve yet. ${nextData(options)} If there are snapshots, the log says why none is served.`,
          );
        else
          context.err(`Serving snapshot ${snapshot.id}: ${snapshot.source}.`);
      });
  },
};

/** Names the source of the first data. */
function nextData({ snapshotStore, update }: ServeOptions): string {
  if (snapshotStore !== null)
    return "The service pulls what is published to the snapshot store.";
  if (update !== null) return "The scheduled update imports it.";
  return "Run update, or import a registry file; the service picks it up.";
}

function isLoopback(host: string): boolean {
  return /^(localhost|127\..*|::1|\[::1\])$/.test(host);
}

/** Reads SERVE_SETTINGS. `logLevel` is the default level. */
export function readServeOptions(
  reader: SettingReader,
  logLevel: LogLevel,
): ServeOptions {
  const accounts = reader.readAll(ACCOUNTS);
  const service = reader.readAll(SERVICE);
  const portal = reader.readAll(PORTAL);
  return {
    ...accounts,
    ...service,
    snapshotStore: readStorePlace(reader),
    logLevel: service.logLevel ?? logLevel,
    name: portal.name,
    telemetry: readTelemetry(reader),
    registryApi: reader.readAll(REGISTRY_API),
    billing: readBilling(reader, accounts.plans, service.publicUrl),
    signUp: { ...reader.readAll(SIGN_UP), isForDemo: false },
    portal: reader.read(PORTAL_SWITCH) === "on" ? portal : null,
    update: readUpdateTimes(reader),
  };
}

function readUpdateTimes(reader: SettingReader): UpdateTimes | null {
  const schedule = reader.read(UPDATE);
  const zone = reader.read(UPDATE_ZONE);
  const options = readUpdateOptions(reader);
  return schedule === null ? null : { schedule, zone, options };
}

/** Serves until the program should stop. `onListening` gets a URL that works on this machine. */
export async function serveUntilStopped(
  options: ServeOptions,
  context: Context,
  onListening: (service: Service, url: string) => void,
): Promise<ExitCode> {
  const { name: _name, databaseUrl: _url, update, ...chosen } = options;
  const { dataDir, host } = options;
  const { now: clock, random, stop } = context;
  const store = openSnapshots(dataDir);
  const signUp = signUpFor(options, store, random);
  if (signUp.outcome === "refused") throw new CommandError(signUp.message);
  const started = await startService({
    settings: {
      ...chosen,
      logFormat:
        chosen.logFormat ?? (context.isOutputTerminal ? "text" : "json"),
      database: databaseOf(options),
      signUp: signUp.settings,
      portal: portalFor(options.portal, context),
    },
    store,
    show(line) {
      if (context.output.waiting < MAX_PENDING) context.out(line);
    },
    version: programVersion(),
    clock,
    random,
    stop,
    output: context.output,
    warn: (message) => context.err(`${PROGRAM}: ${message}`),
  });
  if (started.outcome === "stopped") return 0;
  if (started.outcome === "refused") throw new CommandError(started.message);
  await using service = started.service;
  onListening(service, localUrl(host, service.port));
  for (const line of closedParts(options, {
    hasSignUp: signUp.settings !== null,
    isDemo: servesDemo(store),
  }))
    context.err(line);
  if (options.registryApi.mode === "open")
    context.err(openApiLine(options.registryApi));
  const { logger } = service;
  // Disposed of before the service, because it writes to its log.
  await using _schedule =
    update === null
      ? null
      : new UpdateSchedule({ ...update, now: clock, logger, store });
  await untilAborted(stop);
  context.err("Stopping after the requests that still run. Good-bye.");
  service.leave();
  return 0;
}

/** Says that everyone may use the registry's API. */
function openApiLine({
  burstPerSecond,
}: Pick<ServeOptions["registryApi"], "burstPerSecond">): string {
  return `The registry's API at /api/ is open: everyone may use it without an API key, ${burstPerSecond} requests per second for each address. NPI_REGISTRY_API=key requires a key.`;
}

/** Parts of the portal that are closed by default: one line each, with the setting that opens it. */
function closedParts(
  { portal, signUp }: Pick<ServeOptions, "portal" | "signUp">,
  {
    hasSignUp,
    isDemo,
  }: {
    /** True if users can sign up and in. */
    readonly hasSignUp: boolean;
    /** True if demo data is served. */
    readonly isDemo: boolean;
  },
): string[] {
  if (hasSignUp) return [];
  const isSignUpChosen = signUp.wanted === "off";
  const lines = isSignUpChosen
    ? []
    : [
        "Sign-up is off: no mail server is set. To turn it on, set SMTP_URL, MAIL_FROM and PUBLIC_URL. Until then, create keys with keys create. SIGN_UP=off hides this message.",
      ];
  if (portal === null) return lines;
  const isOpen =
    portal.explorer === "open" || (portal.explorer === null && isDemo);
  const isChosen = isSignUpChosen && portal.explorer === "signed-in";
  if (!isOpen && !isChosen)
    lines.push(
      "The explorer is closed: only signed-in users may use it, and no one can sign in. EXPLORER=open opens it to every visitor. EXPLORER=signed-in with SIGN_UP=off hides this message.",
    );
  return lines;
}

/** Returns the portal's settings. Without its build, the service runs without pages. */
function portalFor(
  options: ValuesOf<typeof PORTAL> | null,
  context: Context,
): PortalSettings | null {
  if (options === null) return null;
  const problem = options.tiles && TileFile.of(options.tiles)?.problem();
  if (problem)
    context.err(
      `${PROGRAM}: The map's tiles can't be used: ${options.tiles}: ${problem}. Until the file (PORTAL_TILES) is replaced, the map draws its built-in shapes.`,
    );
  const logo = options.logo === null ? null : readLogo(options.logo);
  if (typeof logo === "string")
    throw new CommandError(
      `PORTAL_LOGO can't be used: ${options.logo}: ${logo}. Name an SVG or PNG file of up to 100 KB, or leave it out.`,
    );
  const settings = { ...options, logo, version: programVersion() };
  const folder = builtFolder("portal");
  if (folder !== null) return { ...settings, build: readBuild(folder) };
  context.err(
    `${PROGRAM}: The portal is not built for this version of the program. The API is served without it. Run "npm run build" in ${PROJECT}, then restart. PORTAL=off turns the portal off.`,
  );
  return { ...settings, build: null };
}

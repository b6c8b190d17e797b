import { parseKeyEnd, type KeyEnd } from "../../accounts/keys/key-end.ts";
import { isOverlap, type Overlap } from "../../contract/key-limits.ts";
import {
  BUILT_IN_PLANS,
  configurePlans,
  DEFAULT_PLAN,
  type Plans,
} from "../../accounts/plans.ts";
import { dayOfIso } from "../../text/dates.ts";
import { checkNpi } from "../../registry/npi.ts";
import { DETAIL_PARTS, type DetailPart } from "../../contract/detail-parts.ts";
import { LOG_LEVELS, type LogLevel } from "../../settings/service-settings.ts";
import { DEFAULT_SEED } from "../../registry-generator/registry-rows.ts";
import { oneOf, toggle, whole, type Parsed, type Setting } from "./setting.ts";

const MOST_PROVIDERS = 50_000_000;
const MOST_SEED = 4_294_967_295;
const DEMO_PROVIDERS = 25_000;

export const DATA_DIR: Setting<string> = {
  flag: "data-dir",
  variable: "DATA_DIR",
  takes: "DIR",
  help: "The data folder: snapshots, accounts, usage.",
  fallback: "data",
  fallbackText: "./data",
  parse: (text) => ({ ok: true, value: text }),
};

export const DATABASE_URL: Setting<string | null> = {
  flag: "database-url",
  variable: "DATABASE_URL",
  takes: "URL",
  help: "A PostgreSQL database for accounts, keys and usage, as postgres://USER:PASSWORD@HOST:PORT/DATABASE.",
  fallback: null,
  fallbackText: "accounts.sqlite in the data folder",
  isSecret: true,
  parse: parseDatabaseUrl,
};

export const TO: Setting<string | null> = {
  flag: "to",
  variable: "MIGRATE_TO",
  takes: "URL",
  help: "The PostgreSQL database that takes the accounts, as postgres://USER:PASSWORD@HOST:PORT/DATABASE.",
  fallback: null,
  fallbackText: "",
  isSecret: true,
  parse: parseDatabaseUrl,
};

export const DATABASE_GRACE = whole({
  flag: "database-grace",
  variable: "DATABASE_GRACE",
  takes: "SECONDS",
  help: "How long known keys go on working from memory while the PostgreSQL database is away.",
  fallback: 300,
  fallbackText: "300",
  least: 0,
  most: 86_400,
});

export const DATABASE_WAIT = whole({
  flag: "database-wait",
  variable: "DATABASE_WAIT",
  takes: "SECONDS",
  help: "How long to wait for the PostgreSQL database at the start, where it is away.",
  fallback: 60,
  fallbackText: "60",
  least: 0,
  most: 86_400,
});

export const HOST: Setting<string> = {
  flag: "host",
  variable: "HOST",
  takes: "HOST",
  help: "The address to listen on; 0.0.0.0 is every one of the machine.",
  fallback: "127.0.0.1",
  fallbackText: "127.0.0.1",
  parse: (text) => ({ ok: true, value: text }),
};

export const PORT = whole({
  flag: "port",
  variable: "PORT",
  takes: "PORT",
  help: "The port to listen on; 0 lets the system choose.",
  fallback: 8080,
  fallbackText: "8080",
  least: 0,
  most: 65_535,
});

export const WORKERS = whole({
  flag: "workers",
  variable: "WORKERS",
  takes: "N",
  help: "How many threads answer requests.",
  fallback: null,
  fallbackText: "one for each core",
  least: 1,
  most: 256,
});

export const PUBLIC_URL: Setting<string | null> = {
  flag: "public-url",
  variable: "PUBLIC_URL",
  takes: "URL",
  help: "Where clients reach the service, for the links in answers.",
  fallback: null,
  fallbackText: "the host of the request",
  parse: parsePublicUrl,
};

export const LOG_LEVEL: Setting<LogLevel | null> = {
  flag: "log-level",
  variable: "LOG_LEVEL",
  takes: "LEVEL",
  help: `The least serious lines to log: ${LOG_LEVELS.join(", ")}.`,
  fallback: null,
  fallbackText: "info, for npm start warn",
  parse: oneOf(LOG_LEVELS),
};

export const PLANS: Setting<Plans> = {
  flag: "plans",
  variable: "PLANS",
  takes: "JSON",
  help: "Plans beside or instead of free and paid: an object of names, each with monthlyQuota, burstPerSecond and, if need be, explorerPages.",
  fallback: BUILT_IN_PLANS,
  fallbackText: "free and paid",
  parse: parsePlans,
};

export const TAXONOMY: Setting<string | null> = {
  flag: "taxonomy",
  variable: "TAXONOMY",
  takes: "FILE.csv",
  help: "NUCC's taxonomy file, for the names of specialties; a copy stays in the data folder for later imports.",
  fallback: null,
  fallbackText: "the one kept, else a built-in table",
  parse: (text) => ({ ok: true, value: text }),
};

export const DETAILS: Setting<ReadonlySet<DetailPart>> = {
  flag: "details",
  variable: "DETAILS",
  takes: "all|none|LIST",
  help: `What is kept of the registry's files besides the records: all, none, or a list of ${DETAIL_PARTS.join(", ")}.`,
  fallback: new Set(DETAIL_PARTS),
  fallbackText: "all",
  parse: parseDetails,
};

const OF_DEACTIVATED = ["keep", "withhold"] as const;

export const DEACTIVATED_DETAILS: Setting<(typeof OF_DEACTIVATED)[number]> = {
  flag: "deactivated-details",
  variable: "DEACTIVATED_DETAILS",
  takes: OF_DEACTIVATED.join("|"),
  help: "Whether the last known details of a deactivated NPI are kept when the registry withholds them.",
  fallback: "keep",
  fallbackText: "keep",
  parse: oneOf(OF_DEACTIVATED),
};

export const FORCE = toggle({
  flag: "force",
  variable: "FORCE",
  help: "Import in spite of bad rows, missing rows, an older period, the same file again, or data that a demo would replace; update: import again what was rolled back.",
});

export const KEEP_SNAPSHOTS = whole({
  flag: "keep-snapshots",
  variable: "KEEP_SNAPSHOTS",
  takes: "N",
  help: "How many snapshots stay for a rollback, the current one included; older ones are removed after an import.",
  fallback: 3,
  fallbackText: "3",
  least: 1,
  most: 1_000,
});

export const KEEP_CHANGES = whole({
  flag: "keep-changes",
  variable: "KEEP_CHANGES",
  takes: "DAYS",
  help: "For how many days what imports changed is kept; older sets of changes are removed at an import.",
  fallback: 400,
  fallbackText: "400",
  least: 1,
  most: 36_500,
});

export const EMAIL: Setting<string | null> = {
  flag: "email",
  variable: "KEY_EMAIL",
  takes: "ADDRESS",
  help: "The account, by its e-mail address.",
  fallback: null,
  fallbackText: "",
  parse: (text) => ({ ok: true, value: text }),
};

export const NAME: Setting<string> = {
  flag: "name",
  variable: "KEY_NAME",
  takes: "TEXT",
  help: "What the key is called, to tell it from the account's others.",
  fallback: "",
  fallbackText: "",
  parse: (text) => ({ ok: true, value: text }),
};

export const EXPIRES: Setting<KeyEnd | null> = {
  flag: "expires",
  variable: "KEY_EXPIRES",
  takes: "DAYS|DATE",
  help: "When the key ends: 90d, or a day (UTC) such as 2027-02-20.",
  fallback: null,
  fallbackText: "never",
  parse(text) {
    const value = parseKeyEnd(text);
    return value === null
      ? {
          ok: false,
          problem:
            "must be a number of days such as 90d, or a day such as 2027-02-20",
        }
      : { ok: true, value };
  },
};

export const PLAN: Setting<string | null> = {
  flag: "plan",
  variable: "KEY_PLAN",
  takes: "free|paid",
  help: "The account's plan; an account that has another one changes to it.",
  fallback: null,
  fallbackText: `${DEFAULT_PLAN} for a new account`,
  parse: (text) => ({ ok: true, value: text }),
};

export const OVERLAP: Setting<Overlap> = {
  flag: "overlap",
  variable: "KEY_OVERLAP",
  takes: "0|1h|24h|7d",
  help: "How long the old key goes on working beside the new one.",
  fallback: "24h",
  fallbackText: "24h",
  parse: (text) =>
    isOverlap(text)
      ? { ok: true, value: text }
      : { ok: false, problem: "must be 0, 1h, 24h or 7d" },
};

export const JSON_OUTPUT = toggle({
  flag: "json",
  variable: "JSON_OUTPUT",
  help: "Print JSON instead of text.",
});

export const SINCE: Setting<string | null> = {
  flag: "since",
  variable: "CHANGES_SINCE",
  takes: "DATE",
  help: "Only what was taken up on this day (UTC, YYYY-MM-DD) or later.",
  fallback: null,
  fallbackText: "",
  parse: (text) =>
    dayOfIso(text) > 0
      ? { ok: true, value: text }
      : { ok: false, problem: "must be a day such as 2026-11-15" },
};

export const ONE_NPI: Setting<string | null> = {
  flag: "npi",
  variable: "CHANGES_NPI",
  takes: "NPI",
  help: "Only the changes of this provider.",
  fallback: null,
  fallbackText: "",
  parse: (text) =>
    checkNpi(text) === "ok"
      ? { ok: true, value: text }
      : {
          ok: false,
          problem: "must be an NPI: 10 digits, the last a check digit",
        },
};

export const ALL = toggle({
  flag: "all",
  variable: "VERIFY_ALL",
  help: "Verify every snapshot instead of the current one alone.",
});

export const PROVIDERS: Setting<number> = whole({
  flag: "providers",
  variable: "PROVIDERS",
  takes: "N",
  help: "How many providers to invent.",
  fallback: DEMO_PROVIDERS,
  fallbackText: "25000 for a demo",
  least: 1,
  most: MOST_PROVIDERS,
});

export const OUT: Setting<string | null> = {
  flag: "out",
  variable: "OUT",
  takes: "FILE.csv|FILE.zip",
  help: "The file to write.",
  fallback: null,
  fallbackText: "",
  parse: (text) =>
    /\.(csv|zip)$/i.test(text)
      ? { ok: true, value: text }
      : { ok: false, problem: "must end in .csv or .zip" },
};

export const WITH_OTHER_FILES = toggle({
  flag: "with-other-files",
  variable: "WITH_OTHER_FILES",
  help: "Write other names of organizations and secondary practice locations too, as the registry's zip holds them.",
});

export const SEED = whole({
  flag: "seed",
  variable: "SEED",
  takes: "S",
  help: "Another number gives other providers; the same number gives the same file.",
  fallback: DEFAULT_SEED,
  fallbackText: String(DEFAULT_SEED),
  least: 0,
  most: MOST_SEED,
});

function parseDetails(text: string): Parsed<ReadonlySet<DetailPart>> {
  if (text === "all") return { ok: true, value: new Set(DETAIL_PARTS) };
  if (text === "none") return { ok: true, value: new Set() };
  const named = text.split(",").map((part) => part.trim());
  const parts = DETAIL_PARTS.filter((part) => named.includes(part));
  if (parts.length === named.length) return { ok: true, value: new Set(parts) };
  return {
    ok: false,
    problem: `must be all, none, or a list such as ${DETAIL_PARTS.join(",")}`,
  };
}

function parseDatabaseUrl(text: string): Parsed<string> {
  return /^postgres(ql)?:\/\/./.test(text)
    ? { ok: true, value: text }
    : {
        ok: false,
        problem: "must begin with postgres://",
      };
}

function parsePublicUrl(text: string): Parsed<string> {
  const problem =
    "must be an http or https address without query, such as https://api.example.org";
  const url = URL.parse(text);
  if (
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    url.search !== "" ||
    url.hash !== "" ||
    url.username !== ""
  ) {
    return { ok: false, problem };
  }
  return { ok: true, value: url.href.replace(/\/+$/, "") };
}

function parsePlans(text: string): Parsed<Plans> {
  let configuration: unknown;
  try {
    configuration = JSON.parse(text);
  } catch {
    return {
      ok: false,
      problem:
        'must be JSON, such as {"team":{"monthlyQuota":100000,"burstPerSecond":100}}',
    };
  }
  const outcome = configurePlans(configuration);
  return outcome.outcome === "plans"
    ? { ok: true, value: outcome.plans }
    : {
        ok: false,
        problem: `is not usable (${outcome.problems.join(" ")})`,
      };
}

import { parseKeyEnd, type KeyEnd } from "../../accounts/keys/key-end.ts";
import { isOverlap, type Overlap } from "../../contract/key-limits.ts";
import { DEFAULT_PLAN } from "../../accounts/plans.ts";
import { dayOfIso } from "../../text/dates.ts";
import { checkNpi } from "../../registry/npi.ts";
import { DETAIL_PARTS, type DetailPart } from "../../contract/detail-parts.ts";
import { parseDatabaseUrl } from "../../settings/addresses.ts";
import { ACCOUNTS } from "../../settings/service-settings.ts";
import { DEFAULT_SEED } from "../../registry-generator/registry-rows.ts";
import {
  oneOf,
  toggle,
  whole,
  type Parsed,
  type Setting,
} from "../../settings/setting.ts";

const MOST_PROVIDERS = 50_000_000;
const MOST_SEED = 4_294_967_295;
const DEMO_PROVIDERS = 25_000;

export const DATA_DIR = ACCOUNTS.dataDir;
export const DATABASE_URL = ACCOUNTS.databaseUrl;

export const TO: Setting<string | null> = {
  flag: "to",
  variable: "MIGRATE_TO",
  takes: "URL",
  help: "PostgreSQL database to copy the accounts to: postgres://USER:PASSWORD@HOST:PORT/DATABASE.",
  fallback: null,
  fallbackText: "",
  isSecret: true,
  parse: parseDatabaseUrl,
};

export const TAXONOMY: Setting<string | null> = {
  flag: "taxonomy",
  variable: "TAXONOMY",
  takes: "FILE.csv",
  help: "NUCC's taxonomy file, for specialty names. A copy is kept in the data folder for later imports.",
  fallback: null,
  fallbackText: "the kept copy, else a built-in table",
  parse: (text) => ({ ok: true, value: text }),
};

export const DETAILS: Setting<ReadonlySet<DetailPart>> = {
  flag: "details",
  variable: "DETAILS",
  takes: "all|none|LIST",
  help: `Details to keep in addition to the records: all, none, or a comma-separated list of ${DETAIL_PARTS.join(", ")}.`,
  fallback: new Set(DETAIL_PARTS),
  fallbackText: "all",
  parse: parseDetails,
};

const OF_DEACTIVATED = ["keep", "withhold"] as const;

export const DEACTIVATED_DETAILS: Setting<(typeof OF_DEACTIVATED)[number]> = {
  flag: "deactivated-details",
  variable: "DEACTIVATED_DETAILS",
  takes: OF_DEACTIVATED.join("|"),
  help: "Keep or withhold the last known details of a deactivated NPI once the registry withholds them.",
  fallback: "keep",
  fallbackText: "keep",
  parse: oneOf(OF_DEACTIVATED),
};

export const FORCE = toggle({
  flag: "force",
  variable: "FORCE",
  help: "import: accept bad rows, missing rows, an older period, or the same file again. update: import again what was rolled back. demo: replace the registry's data.",
});

export const KEEP_SNAPSHOTS = whole({
  flag: "keep-snapshots",
  variable: "KEEP_SNAPSHOTS",
  takes: "N",
  help: "How many snapshots to keep, including the current one. Older ones are deleted after an import.",
  fallback: 3,
  fallbackText: "3",
  least: 1,
  most: 1_000,
});

export const KEEP_CHANGES = whole({
  flag: "keep-changes",
  variable: "KEEP_CHANGES",
  takes: "DAYS",
  help: "How many days to keep lists of changes. Older ones are deleted at an import.",
  fallback: 400,
  fallbackText: "400",
  least: 1,
  most: 36_500,
});

export const EMAIL: Setting<string | null> = {
  flag: "email",
  variable: "KEY_EMAIL",
  takes: "ADDRESS",
  help: "The account's email address.",
  fallback: null,
  fallbackText: "",
  parse: (text) => ({ ok: true, value: text }),
};

export const NAME: Setting<string> = {
  flag: "name",
  variable: "KEY_NAME",
  takes: "TEXT",
  help: "A name for the key, to tell it from the account's other keys.",
  fallback: "",
  fallbackText: "",
  parse: (text) => ({ ok: true, value: text }),
};

export const EXPIRES: Setting<KeyEnd | null> = {
  flag: "expires",
  variable: "KEY_EXPIRES",
  takes: "DAYS|DATE",
  help: "When the key expires: a number of days such as 90d, or a date (UTC) such as 2027-02-20.",
  fallback: null,
  fallbackText: "never",
  parse(text) {
    const value = parseKeyEnd(text);
    return value === null
      ? {
          ok: false,
          problem:
            "must be a number of days such as 90d, or a date such as 2027-02-20",
        }
      : { ok: true, value };
  },
};

export const PLAN: Setting<string | null> = {
  flag: "plan",
  variable: "KEY_PLAN",
  takes: "free|paid",
  help: "The account's plan. An existing account on another plan is moved to it.",
  fallback: null,
  fallbackText: `${DEFAULT_PLAN} for a new account`,
  parse: (text) => ({ ok: true, value: text }),
};

export const OVERLAP: Setting<Overlap> = {
  flag: "overlap",
  variable: "KEY_OVERLAP",
  takes: "0|1h|24h|7d",
  help: "How long the old key keeps working after the new one is created.",
  fallback: "24h",
  fallbackText: "24h",
  parse: (text) =>
    isOverlap(text)
      ? { ok: true, value: text }
      : { ok: false, problem: "must be 0, 1h, 24h or 7d" },
};

export const DESPITE_SUBSCRIPTION = toggle({
  flag: "despite-subscription",
  variable: "DESPITE_SUBSCRIPTION",
  help: "Do it even if a subscription is active or cannot be ended.",
});

export const JSON_OUTPUT = toggle({
  flag: "json",
  variable: "JSON_OUTPUT",
  help: "Print JSON instead of text.",
});

export const EXPLAIN = toggle({
  flag: "explain",
  variable: "SEARCH_EXPLAIN",
  help: "Print how the search runs instead of its results.",
});

export const NEARBY_SEARCH = toggle({
  flag: "nearby",
  variable: "SEARCH_NEARBY",
  help: "Search by distance from zip, or from lat and lng.",
});

export const SINCE: Setting<string | null> = {
  flag: "since",
  variable: "CHANGES_SINCE",
  takes: "DATE",
  help: "Only changes imported on this date (UTC, YYYY-MM-DD) or later.",
  fallback: null,
  fallbackText: "",
  parse: (text) =>
    dayOfIso(text) > 0
      ? { ok: true, value: text }
      : { ok: false, problem: "must be a date such as 2026-11-15" },
};

export const ONE_NPI: Setting<string | null> = {
  flag: "npi",
  variable: "CHANGES_NPI",
  takes: "NPI",
  help: "Only changes to this provider.",
  fallback: null,
  fallbackText: "",
  parse: (text) =>
    checkNpi(text) === "ok"
      ? { ok: true, value: text }
      : {
          ok: false,
          problem: "must be a valid NPI: 10 digits, the last a check digit",
        },
};

export const ALL = toggle({
  flag: "all",
  variable: "VERIFY_ALL",
  help: "Verify every snapshot, not only the current one.",
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
  help: "Also write other names of organizations and secondary practice locations, as in the registry's zip.",
});

export const SEED = whole({
  flag: "seed",
  variable: "SEED",
  takes: "S",
  help: "Seed of the random data. The same seed gives the same file.",
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

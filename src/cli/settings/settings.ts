import { parseKeyEnd } from "../../accounts/keys/key-selector.ts";
import { isOverlap, type Overlap } from "../../contract/credentials.ts";
import { DEFAULT_PLAN } from "../../accounts/plans.ts";
import { dayOfIso } from "../../text/dates.ts";
import { checkNpi, npiAsTyped } from "../../registry/npi.ts";
import { DETAIL_PARTS, type DetailPart } from "../../contract/detail-parts.ts";
import { EXPORT_FORMATS } from "../../contract/row-formats.ts";
import { parseDatabaseUrl, parsePublicUrl } from "../../settings/addresses.ts";
import { ACCOUNTS } from "../../settings/service-settings.ts";
import { DEFAULT_SEED } from "../../registry-generator/random.ts";
import {
  anyText,
  choice,
  integer,
  optional,
  setting,
  toggle,
  valid,
  type Parsed,
} from "../../settings/setting.ts";

export const DATA_DIR = ACCOUNTS.dataDir;
export const DATABASE_URL = ACCOUNTS.databaseUrl;

export const TO = optional({
  flag: "to",
  variable: "MIGRATE_TO",
  placeholder: "URL",
  help: "PostgreSQL database to copy the accounts to: postgres://USER:PASSWORD@HOST:PORT/DATABASE.",
  isSecret: true,
  parse: parseDatabaseUrl,
});

export const MCP_URL = optional({
  flag: "url",
  variable: "MCP_URL",
  placeholder: "URL",
  help: "The service that mcp uses instead of a data folder.",
  parse: parsePublicUrl,
});

export const MCP_API_KEY = optional({
  flag: "api-key",
  variable: "MCP_API_KEY",
  placeholder: "KEY",
  help: "The API key for MCP_URL.",
  isSecret: true,
  // A header can't have others, and the error of `fetch` would show the key to the assistant.
  parse: valid((key) => /^[\x21-\x7e]+$/.test(key), "must be an API key"),
});

export const TAXONOMY = anyText({
  flag: "taxonomy",
  variable: "TAXONOMY",
  placeholder: "FILE.csv",
  help: "NUCC's taxonomy file, for specialty names. A copy is kept in the data folder for later imports.",
  defaultText: "the kept copy, else a built-in table",
});

export const DETAILS = setting<ReadonlySet<DetailPart>>({
  flag: "details",
  variable: "DETAILS",
  placeholder: "all|none|LIST",
  help: `Details to keep in addition to the records: all, none, or a comma-separated list of ${DETAIL_PARTS.join(", ")}.`,
  defaultValue: new Set(DETAIL_PARTS),
  defaultText: "all",
  parse: parseDetails,
});

export const DEACTIVATED_DETAILS = choice({
  flag: "deactivated-details",
  variable: "DEACTIVATED_DETAILS",
  help: "Keep or withhold the last known details of a deactivated NPI once the registry withholds them.",
  defaultValue: "keep",
  choices: ["keep", "withhold"],
});

export const FORCE = toggle({
  flag: "force",
  variable: "FORCE",
  help: "import: accept bad rows, missing rows, an older period, or the same file again. update: import again what was rolled back. publish: check what the snapshot store has, and upload damaged objects again. demo: replace the registry's data. generate: replace an existing file.",
});

export const KEEP_SNAPSHOTS = integer({
  flag: "keep-snapshots",
  variable: "KEEP_SNAPSHOTS",
  placeholder: "N",
  help: "How many snapshots to keep, including the current one. Older ones are deleted after an import.",
  defaultValue: 3,
  min: 1,
  max: 1_000,
});

export const KEEP_CHANGES = integer({
  flag: "keep-changes",
  variable: "KEEP_CHANGES",
  placeholder: "DAYS",
  help: "How many days to keep lists of changes. Older ones are deleted at an import.",
  defaultValue: 400,
  min: 1,
  max: 36_500,
});

export const EMAIL = anyText({
  flag: "email",
  variable: "KEY_EMAIL",
  placeholder: "ADDRESS",
  help: "The account's email address.",
});

export const NAME = setting<string>({
  flag: "name",
  variable: "KEY_NAME",
  placeholder: "TEXT",
  help: "A name for the key, to tell it from the account's other keys.",
  defaultValue: "",
  parse: (text) => ({ ok: true, value: text }),
});

export const EXPIRES = optional({
  flag: "expires",
  variable: "KEY_EXPIRES",
  placeholder: "DAYS|DATE",
  help: "When the key expires: a number of days such as 90d, or a date (UTC) such as 2027-02-20.",
  defaultText: "never",
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
});

export const PLAN = anyText({
  flag: "plan",
  variable: "KEY_PLAN",
  placeholder: "free|paid",
  help: "The account's plan. An existing account on another plan is moved to it.",
  defaultText: `${DEFAULT_PLAN} for a new account`,
});

export const OVERLAP = setting<Overlap>({
  flag: "overlap",
  variable: "KEY_OVERLAP",
  placeholder: "0|1h|24h|7d",
  help: "How long the old key keeps working after the new one is created.",
  defaultValue: "24h",
  parse: (text) =>
    isOverlap(text)
      ? { ok: true, value: text }
      : { ok: false, problem: "must be 0, 1h, 24h or 7d" },
});

export const DESPITE_SUBSCRIPTION = toggle({
  flag: "despite-subscription",
  variable: "DESPITE_SUBSCRIPTION",
  help: "Continue even if a subscription is active or cannot be ended.",
});

export const JSON_OUTPUT = toggle({
  flag: "json",
  variable: "JSON_OUTPUT",
  help: "Print JSON instead of text.",
});

export const WITH_DETAILS = toggle({
  flag: "with-details",
  variable: "CHANGES_WITH_DETAILS",
  help: "Also show changes of details, such as mailing addresses.",
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

export const SINCE = optional({
  flag: "since",
  variable: "CHANGES_SINCE",
  placeholder: "DATE",
  help: "Only changes imported on this date (UTC, YYYY-MM-DD) or later.",
  parse: valid(
    (text) => dayOfIso(text) > 0,
    "must be a date such as 2026-11-15",
  ),
});

export const ONE_NPI = optional({
  flag: "npi",
  variable: "CHANGES_NPI",
  placeholder: "NPI",
  help: "Only changes to this provider.",
  parse(text) {
    const npi = npiAsTyped(text);
    return checkNpi(npi) === "ok"
      ? { ok: true, value: npi }
      : {
          ok: false,
          problem: "must be a valid NPI: 10 digits, the last a check digit",
        };
  },
});

export const ALL = toggle({
  flag: "all",
  variable: "VERIFY_ALL",
  help: "Verify every snapshot, not only the current one.",
});

export const PROVIDERS = integer({
  flag: "providers",
  variable: "PROVIDERS",
  placeholder: "N",
  help: "How many providers to invent. Required for generate.",
  defaultValue: 25_000,
  defaultText: "25000 for a demo",
  min: 1,
  max: 50_000_000,
});

export const NPI_COLUMN = setting<string>({
  flag: "column",
  variable: "CHECK_COLUMN",
  placeholder: "NAME",
  help: "The column with the NPIs.",
  defaultValue: "npi",
  parse: (text) => ({ ok: true, value: text }),
});

export const FILE_FORMATS = [...EXPORT_FORMATS, "parquet"] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

export const EXPORT_FORMAT = choice({
  flag: "format",
  variable: "EXPORT_FORMAT",
  help: "The format of the file.",
  choices: FILE_FORMATS,
  defaultValue: null,
  defaultText: "from FILE's extension; ndjson without one",
});

export const OUT = anyText({
  flag: "out",
  variable: "OUT",
  placeholder: "FILE",
  help: "The file to write.",
});

export const WITH_OTHER_FILES = toggle({
  flag: "with-other-files",
  variable: "WITH_OTHER_FILES",
  help: "Also write other names of organizations, secondary practice locations, and endpoints, as in the registry's zip.",
});

export const SEED = integer({
  flag: "seed",
  variable: "SEED",
  placeholder: "S",
  help: "Seed of the random data. The same seed gives the same file.",
  defaultValue: DEFAULT_SEED,
  min: 0,
  max: 4_294_967_295,
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

import { FILTER_NAMES } from "../contract/filters.ts";
import type { SearchEntry } from "../contract/provider.ts";
import { naturalCase, typedCase } from "../text/natural-case.ts";
import type { PageName } from "./page-paths.ts";
import { placeText, providerName } from "./provider-name.ts";

/**
 * The titles of pages in the window and in link previews, for server and browser. Titles don't include the service's
 * name; `windowTitle` adds it.
 */

/** The pages whose title doesn't depend on their content. */
export const PAGE_TITLES = {
  explorer: "Find a healthcare provider",
  check: "Check a list",
  "sign-in": "Sign in",
  "sign-up": "Sign up",
  "forgot-password": "Forgot your password?",
  "reset-password": "Choose a new password",
  "confirm-email": "Confirm your email address",
  settings: "API keys",
  usage: "Usage",
  plan: "Plans",
  security: "Security",
  guide: "Guide",
  reference: "API reference",
} as const satisfies Partial<Record<PageName, string>>;

export const NOT_FOUND_TITLE = "Page not found";

/** The parameters that an address of a search may have, apart from `limit`. */
export const SEARCH_PARAMETERS: ReadonlySet<string> = new Set([
  ...FILTER_NAMES,
  "lat",
  "lng",
  "radius",
  "place",
  "sort",
  "page",
]);

/** A word of several letters without a capital. */
const SMALL_WORD = /(?<!\p{L})\p{Ll}{2,}(?!\p{L})/gu;

/** Characters of a value that a visitor typed. */
const MAX_TYPED_CHARACTERS = 60;
/** Specialties that are people, so that several of them have a plural. */
const PEOPLE =
  /(?:assistant|chiropractor|counselor|dentist|doctor|ian|ist|midwife|nurse|practitioner|surgeon|worker)$/i;
const KINDS: ReadonlyMap<string, string> = new Map([
  ["individual", "Individuals"],
  ["organization", "Organizations"],
]);

/** Writes `Sign in – Clinic Directory`. */
export function windowTitle(title: string, serviceName: string): string {
  return `${oneLine(title)} – ${serviceName}`;
}

/**
 * Writes a text of the registry or a visitor for where no markup isolates it, on one line: without characters that only
 * format it, such as those that reverse what follows.
 */
export function oneLine(text: string): string {
  return text
    .replace(/[\t-\r\p{Z}]+/gu, " ")
    .replace(/\p{C}+/gu, "")
    .trim();
}

/** Titles an NPI that the registry doesn't have, or that isn't one. */
export function unknownNpiTitle(npi: string): string {
  return /^\d{10}$/.test(npi) ? `NPI ${npi} not found` : "NPI not found";
}

/** The parts that a provider's title is made of. */
export type TitledProvider = Pick<
  SearchEntry,
  | "name"
  | "npi"
  | "organization_name"
  | "primary_taxonomy"
  | "city"
  | "state"
  | "status"
>;

/** Writes `Jane Doe, MD – Cardiology in Chicago, IL`. */
export function providerTitle(provider: TitledProvider): string {
  const { city, name, primary_taxonomy: taxonomy, state, status } = provider;
  const called = [providerName(provider), name?.credential]
    .filter(Boolean)
    .join(", ");
  if (status === "deactivated") return `${called} – Deactivated`;
  const specialty = taxonomy?.description ?? "";
  const at = placeText(city, state);
  const where = at === "" ? "" : `in ${at}`;
  const what = joined([specialty === "" ? "Provider" : specialty, where]);
  return specialty === "" && where === "" ? called : `${called} – ${what}`;
}

/**
 * Titles a search by its address, in the API's own parameters: `Cardiologists near 60601`, `“smith” in Chicago, IL`.
 * Null for an address without a search. `specialtyOf` has the display name of a taxonomy code, if it knows it.
 */
export function searchTitle(
  query: URLSearchParams,
  specialtyOf: (code: string) => string | null = () => null,
): string | null {
  const get = (name: string) => typed(query.get(name));
  const names = [
    "name",
    "first_name",
    "middle_initial",
    "last_name",
    "organization",
  ]
    .map(get)
    .filter((value) => value !== "");
  const code = get("taxonomy");
  const specialty =
    get("specialty") || (code === "" ? "" : (specialtyOf(code) ?? code));
  const whom = [
    names.length === 0 ? "" : `“${names.join(" ")}”`,
    specialty === "" ? "" : plural(specialty),
  ].filter(Boolean);
  const where = place(query, get);
  const isSearch = [...query].some(
    ([name, value]) => SEARCH_PARAMETERS.has(name) && typed(value) !== "",
  );
  if (!isSearch) return null;
  const kind = KINDS.get(get("entity_type")) ?? "Providers";
  const what = whom.length === 0 ? kind : whom.join(", ");
  const page = Number(get("page"));
  const turned = Number.isSafeInteger(page) && page > 1 ? `, page ${page}` : "";
  return `${joined([what, where])}${turned}`;
}

/** Writes `near 60601` for a search by distance, `in Chicago, IL` for another. */
function place(query: URLSearchParams, get: (name: string) => string): string {
  const isNearby = ["radius", "lat", "lng"].some((name) => query.has(name));
  const [city, state, zip] = [get("city"), get("state"), get("zip")];
  if (isNearby) {
    const center = get("place") || zip;
    return zip === "" ? "nearby" : `near ${center}`;
  }
  const area = joined([state.length === 2 ? state.toUpperCase() : state, zip]);
  const found = [typedCase(city, "city"), area].filter(Boolean).join(", ");
  return found === "" ? "" : `in ${found}`;
}

/** Writes `cardiologist` as `Cardiologists`, `ent doctor` as `ENT doctors`; `Cardiology` as it is. */
function plural(specialty: string): string {
  const written = specialty.replace(SMALL_WORD, abbreviation);
  const text = written.charAt(0).toUpperCase() + written.slice(1);
  if (!PEOPLE.test(text)) return text;
  return /wife$/i.test(text) ? `${text.slice(0, -2)}ves` : `${text}s`;
}

/** Writes an abbreviation in capitals, as in names of organizations: `PT`, `ENT`. Any other word stays as it is. */
function abbreviation(word: string): string {
  const capitals = word.toUpperCase();
  return naturalCase(capitals, "organization") === capitals ? capitals : word;
}

/** Returns what a visitor typed, on one line and not too long. */
export function typed(value: string | null): string {
  const text = oneLine(value ?? "");
  if (text.length <= MAX_TYPED_CHARACTERS) return text;
  // By character, because half of a pair isn't text.
  const [...characters] = text.slice(0, 2 * MAX_TYPED_CHARACTERS);
  const start = characters.slice(0, MAX_TYPED_CHARACTERS).join("");
  return `${start.trimEnd()}…`;
}

function joined(parts: readonly (string | null | undefined)[]): string {
  return parts.filter(Boolean).join(" ");
}

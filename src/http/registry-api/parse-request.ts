import {
  GENERIC_FIELD,
  registryError,
  type RegistryError,
  type RegistryErrorNumber,
} from "../../contract/npi-registry/answer.ts";
import {
  DEFAULT_REGISTRY_LIMIT,
  MAX_REGISTRY_LIMIT,
  MAX_REGISTRY_TEXT_CHARACTERS,
  MIN_WILDCARD_CHARACTERS,
  NPI_REGISTRY_VERSION,
  RegistryParameters,
  type RegistryParameter,
} from "../../contract/npi-registry/parameters.ts";
import type {
  FieldText,
  RegistryQuery,
} from "../../search/registry-api/registry-query.ts";
import { hasText } from "../../text/fold.ts";
import { isBlank, parseQuery } from "../queries/query-string.ts";

/** A request to the registry's API. */
export interface RegistryRequest {
  /** Without `taxonomies`. */
  readonly query: Omit<RegistryQuery, "taxonomies">;
  /** A description of taxonomies, which only the data resolves. */
  readonly taxonomy: FieldText | undefined;
}

/** A parsed query string: a request, or the registry's errors in their order. */
export interface RegistryParsing {
  /** Null if there are errors. */
  readonly request: RegistryRequest | null;
  readonly errors: readonly RegistryError[];
  /** True if the answer is indented. */
  readonly isPretty: boolean;
}

/** Letters of any script, digits, and the signs that the registry allows in names and places. */
const TEXT = /^[\p{L}\p{M}\p{N} &'’:,/()\-.#";]+$/u;
const ORGANIZATION = /^[\p{L}\p{M}\p{N} &'’:,/()\-.#";@]+$/u;
const POSTAL_CODE = /^[A-Za-z0-9 -]{2,}$/;
const TWO_LETTERS = /^[A-Za-z]{2}$/;
const TEN_DIGITS = /^[0-9]{10}$/;
const WHOLE = /^[0-9]{1,9}$/;
const OFF = /^(?:false|off|no|0)$/i;
const WILDCARD = "*";

const NAMES: ReadonlySet<string> = new Set(
  Object.keys(RegistryParameters.properties),
);

/** Parameters that suffice by themselves. */
const CRITERIA: readonly RegistryParameter[] = [
  "number",
  "taxonomy_description",
  "first_name",
  "last_name",
  "organization_name",
  "city",
  "postal_code",
];

/**
 * Parses a query string as the registry does: blank parameters are absent, unknown ones are ignored, and the first of
 * repeated ones counts. `maxSkip` is how deep pages may start.
 */
export function parseRegistryRequest(
  query: string,
  maxSkip: number,
): RegistryParsing {
  const given = givenParameters(query);
  const pretty = given.get("pretty");
  const isPretty = pretty !== undefined && !OFF.test(pretty);
  if (given.get("version") !== NPI_REGISTRY_VERSION) {
    const errors = [registryError("17", "version")];
    return { request: null, errors, isPretty };
  }
  const reader = new RegistryReader(given);
  const number = reader.matching("number", TEN_DIGITS, "06");
  const enumerationType = reader.oneOf("enumeration_type", {
    "NPI-1": "individual",
    "NPI-2": "organization",
  });
  const taxonomy = reader.text("taxonomy_description", TEXT);
  const purpose = reader.oneOf("name_purpose", {
    AO: "official",
    PROVIDER: "provider",
  });
  const first = reader.text("first_name", TEXT);
  const useAliases = reader.oneOf("use_first_name_alias", {
    TRUE: true,
    FALSE: false,
  });
  const last = reader.text("last_name", TEXT);
  const organizationName = reader.text("organization_name", ORGANIZATION);
  const addressPurpose = reader.oneOf("address_purpose", {
    LOCATION: "location",
    MAILING: "mailing",
    PRIMARY: "primary",
    SECONDARY: "secondary",
  });
  const city = reader.text("city", TEXT);
  const state = reader.matching("state", TWO_LETTERS)?.toUpperCase();
  const postalCode = reader.text("postal_code", POSTAL_CODE);
  const country = reader.matching("country_code", TWO_LETTERS)?.toUpperCase();
  const limit = reader.whole("limit", MAX_REGISTRY_LIMIT, "lowered");
  const skip = reader.whole("skip", maxSkip, "refused");
  // Those with the same number stay in the order of the parameters.
  const errors = [...reader.errors, ...missingCriteria(given)].sort(
    (a, b) => Number(a.number) - Number(b.number),
  );
  if (errors.length > 0) return { request: null, errors, isPretty };

  const hasName = first !== undefined || last !== undefined;
  const hasPlace = [city, state, postalCode, country].some(
    (part) => part !== undefined,
  );
  return {
    errors,
    isPretty,
    request: {
      query: {
        number,
        enumerationType,
        organizationName,
        names: hasName
          ? {
              purpose: purpose ?? "provider",
              first,
              last,
              useAliases: useAliases !== false && first?.isPrefix !== true,
            }
          : undefined,
        place: hasPlace
          ? {
              purpose: addressPurpose ?? null,
              city,
              state,
              postalCode,
              country,
            }
          : undefined,
        // The registry reads 0 as its default.
        limit: limit || DEFAULT_REGISTRY_LIMIT,
        skip: skip ?? 0,
      },
      taxonomy,
    },
  };
}

/** Reads parameters one by one, and collects what is wrong with them. */
class RegistryReader {
  readonly errors: RegistryError[] = [];
  readonly #given: ReadonlyMap<string, string>;

  constructor(given: ReadonlyMap<string, string>) {
    this.#given = given;
  }

  /** Reads a text, which may end with a wildcard. */
  text(name: RegistryParameter, allowed: RegExp): FieldText | undefined {
    const value = this.#given.get(name);
    if (value === undefined) return undefined;
    const isPrefix = value.endsWith(WILDCARD);
    const text = isPrefix ? beforeWildcards(value) : value;
    if (isPrefix && text.length < MIN_WILDCARD_CHARACTERS)
      return this.#wrong("03", name);
    return text.length <= MAX_REGISTRY_TEXT_CHARACTERS &&
      allowed.test(text) &&
      hasText(text)
      ? { text, isPrefix }
      : this.#wrong("05", name);
  }

  matching(
    name: RegistryParameter,
    pattern: RegExp,
    otherwise: RegistryErrorNumber = "05",
  ): string | undefined {
    const value = this.#given.get(name);
    if (value === undefined) return undefined;
    return pattern.test(value) ? value : this.#wrong(otherwise, name);
  }

  /** Reads one of some words in upper case; requests may have them in any case. */
  oneOf<const T>(
    name: RegistryParameter,
    meanings: Readonly<Record<string, T>>,
  ): T | undefined {
    const word = this.#given.get(name)?.toUpperCase();
    if (word === undefined) return undefined;
    return Object.hasOwn(meanings, word)
      ? meanings[word]
      : this.#wrong("05", name);
  }

  /** Reads a whole number; one above the maximum is lowered to it, or refused. */
  whole(
    name: RegistryParameter,
    max: number,
    above: "lowered" | "refused",
  ): number | undefined {
    const value = this.#given.get(name);
    if (value === undefined) return undefined;
    if (!/^[0-9]+$/.test(value)) return this.#wrong("05", name);
    const number = WHOLE.test(value) ? Number(value) : Infinity;
    if (number > max && above === "refused") return this.#wrong("05", name);
    return Math.min(number, max);
  }

  #wrong(number: RegistryErrorNumber, field: RegistryParameter): undefined {
    this.errors.push(registryError(number, field));
  }
}

/** Returns a text without the wildcards at its end. Some clients send several. */
function beforeWildcards(value: string): string {
  let end = value.length;
  while (end > 0 && value[end - 1] === WILDCARD) end--;
  return value.slice(0, end).trimEnd();
}

/** Collects the first value of each parameter that is not blank, without outer white space. */
function givenParameters(query: string): ReadonlyMap<string, string> {
  const given = new Map<string, string>();
  for (const [name, value] of parseQuery(query))
    if (NAMES.has(name) && !isBlank(value) && !given.has(name))
      given.set(name, value.trim());
  return given;
}

/** Returns the errors of a request that has none of the criteria that suffice. */
function missingCriteria(given: ReadonlyMap<string, string>): RegistryError[] {
  if (CRITERIA.some((name) => given.has(name))) return [];
  const country = given.get("country_code")?.toUpperCase();
  const isAbroad = country !== undefined && country !== "US";
  const errors: RegistryError[] = [];
  if (given.has("state")) errors.push(registryError("07", "state"));
  else if (isAbroad) return [];
  if (country === "US") errors.push(registryError("07", "country_code"));
  if (given.has("enumeration_type") && !isAbroad)
    errors.push(registryError("09", "enumeration_type"));
  return errors.length > 0 ? errors : [registryError("04", GENERIC_FIELD)];
}

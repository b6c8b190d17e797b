/** Numbers and questions for all doors, drawn with one seed. */

import { env } from "node:process";
import * as fc from "fast-check";
import type { ProviderRecord } from "../../../src/contract/provider.ts";
import { loadCentroids } from "../../../src/reference/centroids.ts";
import { foldCity } from "../../../src/text/fold.ts";
import { readSentences } from "../pure/sentence-table.ts";
import { arbitraryNearbyAsk } from "../pure/arbitrary/arbitrary-nearby.ts";
import {
  arbitraryScopes,
  scopedNearby,
  scopedSearch,
} from "../pure/arbitrary/arbitrary-scopes.ts";
import {
  arbitrarySearchAsk,
  type Known,
} from "../pure/arbitrary/arbitrary-search.ts";
import { inventedNpi } from "../pure/registry/invented-npi.ts";
import type { Parameters, Question } from "./doors.ts";

export const SEED = Number(env["TEST_SEED"] ?? 1);
/** The most rows of a page that all doors give. */
const MOST = 50;
const MOST_CHANGES = 30;
/** The rows of the imported week, or some of them. */
const CHANGES = 400;

/** What questions are made of. */
export function knownOf(providers: readonly ProviderRecord[]): Known {
  const { lat, lng, zips } = loadCentroids();
  const centroids = new Map(
    Array.from(zips, (zip, index) => [
      String(zip).padStart(5, "0"),
      { lat: lat[index] ?? 0, lng: lng[index] ?? 0 },
    ]),
  );
  const taxonomy = new Map(
    providers.flatMap(({ primary_taxonomy: own }) =>
      own?.description == null ? [] : [[own.code, own.description] as const],
    ),
  );
  return { providers, centroids, taxonomy };
}

function sample<T>(arbitrary: fc.Arbitrary<T>, numRuns: number): T[] {
  return fc.sample(arbitrary, { seed: SEED, numRuns });
}

/** Numbers of providers, of none, with a typo, and what is no number, in any order. */
export function drawNpis(providers: readonly ProviderRecord[]): string[] {
  const npi = fc
    .integer({ min: 100_000_000, max: 299_999_999 })
    .map(inventedNpi);
  const deactivated = providers.filter(
    ({ status }) => status === "deactivated",
  );
  const drawn = [
    ...deactivated.slice(0, 500).map((each) => each.npi),
    ...sample(fc.constantFrom(...providers), 5_500).map((each) => each.npi),
    ...sample(npi, 1_500),
    ...sample(fc.tuple(npi, fc.integer({ min: 1, max: 9 })), 1_500).map(
      ([good, more]) => good.slice(0, 9) + ((Number(good[9]) + more) % 10),
    ),
    ...sample(
      fc.oneof(
        fc.stringMatching(/^[0-9]{1,9}$/),
        fc.stringMatching(/^[0-9]{11,40}$/),
        fc.stringMatching(/^[0-9]{9}[A-Za-z#+.é٣３-]$/),
        fc.stringMatching(/^[ -+--~]{0,38}[!-+--~]$/),
        fc.constantFrom("..", "1234567893.0", "１２３４５６７８９３", "👩‍⚕️"),
      ),
      1_500,
    ).map((text) => text.trim()),
  ];
  const shuffled = fc.shuffledSubarray(drawn, {
    minLength: drawn.length,
    maxLength: drawn.length,
  });
  return sample(shuffled, 1)[0]?.slice(0, 10_000) ?? [];
}

/** Draws questions of all kinds; some are refused. */
export function drawQuestions(known: Known): Question[] {
  const provider = fc.constantFrom(...known.providers);
  const scopes = arbitraryScopes();
  const limit = fc.integer({ min: 1, max: MOST });
  const question = (
    ask: Question["ask"],
    parameters: Parameters,
    walk = false,
  ): Question => {
    const top = ask === "changes" ? MOST_CHANGES : MOST;
    const most = Math.min(Number(parameters["limit"] ?? top), top);
    const all =
      ask === "interpret" || ask === "export"
        ? parameters
        : { ...parameters, limit: most };
    return {
      ask,
      walk,
      parameters:
        "specialty" in all ? { specialty_scope: "common", ...all } : all,
    };
  };
  const near = sample(fc.tuple(arbitraryNearbyAsk(), scopes), 450).map(
    (ask) => {
      const { center, ...others } = scopedNearby(ask, known);
      return question("nearby", { ...others, ...center });
    },
  );
  const texts = [
    ...sample(fc.constantFrom(...readSentences()), 200).map(
      ({ typed }) => typed,
    ),
    ...sample(provider, 100).map(textFor),
  ].filter((text) => text.trim() !== "");
  const words = [...known.taxonomy].flat();
  return [
    ...sample(fc.tuple(arbitrarySearchAsk(), scopes), 950).map((ask) =>
      question("search", { ...scopedSearch(ask, known) }),
    ),
    ...near,
    ...near
      .slice(0, 20)
      .map(({ parameters: { lat, lng } }) =>
        question("nearby", { lat, lng, radius: 12.5 }, true),
      ),
    ...texts.map((q) => question("interpret", { q })),
    ...sample(fc.tuple(fc.constantFrom(...words), fc.nat(12), limit), 130).map(
      ([text, length, most]) =>
        question(
          "taxonomies",
          { q: text.slice(0, length + 2), limit: most },
          true,
        ),
    ),
    question("taxonomies", {}, true),
    ...sample(provider, 60).map(({ practice_address: address }, index) =>
      question(
        "search",
        index % 2 === 0
          ? { zip: address?.postal_code?.slice(0, 5) ?? "60601" }
          : { city: address?.city ?? "CHICAGO", sort: "name" },
        true,
      ),
    ),
    ...sample(
      fc.tuple(fc.integer({ min: 1, max: CHANGES }), limit, fc.boolean()),
      120,
    ).map(([behind, most, details], index) =>
      question("changes", {
        ...(index % 3 === 0
          ? { since: `20${20 + (behind % 8)}-11-${10 + (behind % 19)}` }
          : {}),
        ...(details ? { include: "details" } : {}),
        limit: most,
      }),
    ),
    question("changes", {}, true),
    question("changes", { include: "details", limit: 25 }, true),
    ...WRONG.map(([ask, parameters]) => question(ask, parameters)),
  ];
}

/** Draws exports. */
export function drawExports(providers: Known["providers"]): Question[] {
  return sample(fc.constantFrom(...providers), 40).map(
    ({ npi, practice_address: address }) => ({
      ask: "export",
      walk: true,
      parameters: {
        state: address?.state ?? "IL",
        status: Number(npi) % 3 === 0 ? "deactivated" : "active",
        include: Number(npi) % 2 === 0 ? "all" : "taxonomies",
      },
    }),
  );
}

/** Questions that are refused. */
const WRONG: readonly (readonly [Question["ask"], Parameters])[] = [
  ["search", { state: "ZZ" }],
  ["search", { zip: "1234", city: "" }],
  ["search", { last_updated_since: "2024-02-30", entity_type: "robot" }],
  ["search", { taxonomy: "207Q" }],
  ["search", { limit: 0 }],
  ["search", { page: -1, sort: "price" }],
  ["nearby", {}],
  ["nearby", { zip: "60601", radius: 501 }],
  ["nearby", { lat: 91, lng: 0 }],
  ["interpret", { q: "x".repeat(400) }],
  ["changes", { since: "yesterday" }],
  ["changes", { cursor: "bm8" }],
];
/** Filters that SQL can say exactly: the condition before the value, and where a record has it. */
const SQL_FILTERS: readonly (readonly [string, string, string])[] = [
  ["state", "state =", "practice_address.state"],
  [
    "zip",
    "country = 'US' AND left(postal_code, 5) =",
    "practice_address.postal_code",
  ],
  ["city", "city =", "practice_address.city"],
  ["country", "country =", "practice_address.country"],
  ["taxonomy", "taxonomy_code =", "primary_taxonomy.code"],
  ["entity_type", "entity_type =", "entity_type"],
  ["status", "status =", "status"],
  ["last_updated_since", "last_updated >=", "last_updated"],
];

/** Draws filters, with their condition. */
export function drawSql(providers: readonly ProviderRecord[]) {
  const cities = new Set(
    providers.map(({ practice_address: address }) => address?.city ?? ""),
  );
  const spellings = Map.groupBy(cities, foldCity);
  const filters = fc.subarray([...SQL_FILTERS], { minLength: 1 });
  return sample(fc.tuple(fc.constantFrom(...providers), filters), 400).flatMap(
    ([provider, chosen]) => {
      const isAny = Number(provider.npi) % 2 === 0;
      const isForeign = provider.practice_address?.country !== "US";
      const conditions: string[] = [];
      const parameters: Record<string, string | number> = { limit: 1 };
      for (const [name, sql, path] of chosen) {
        const whole = valueAt(provider, path);
        if (typeof whole !== "string" || (name === "zip" && isForeign))
          continue;
        // A city that is written in one way only.
        if (name === "city" && spellings.get(foldCity(whole))?.length !== 1)
          continue;
        const value = name === "zip" ? whole.slice(0, 5) : whole;
        parameters[name] = value;
        if (name === "taxonomy" && isAny) parameters["taxonomy_scope"] = "any";
        conditions.push(
          name === "taxonomy" && isAny
            ? `npi IN (SELECT npi FROM taxonomies WHERE upper(code) = '${value}')`
            : `${sql} '${value.replaceAll("'", "''")}'`,
        );
      }
      const from = isAny ? "providers" : "providers-by-npi";
      return conditions.length === 0
        ? []
        : [{ from, parameters, where: conditions.join(" AND ") }];
    },
  );
}

/** What a user may type for a provider. */
function textFor(provider: ProviderRecord): string {
  const {
    name,
    organization_name: organization,
    primary_taxonomy: taxonomy,
  } = provider;
  const { city, postal_code: zip, state } = provider.practice_address ?? {};
  const who = organization ?? `${name?.first} ${name?.last}`;
  const what = taxonomy?.description ?? taxonomy?.code;
  const texts = [
    who,
    provider.npi,
    `${who} ${city}`,
    `${what} near ${zip?.slice(0, 5)}`,
    `${what} in ${city} ${state}`,
  ];
  return texts[Number(provider.npi) % texts.length]?.slice(0, 200) ?? "";
}

/** A member of a record by its path; null if there is none. */
export function valueAt(record: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce((value, name) => Reflect.get(Object(value), name) ?? null, record);
}

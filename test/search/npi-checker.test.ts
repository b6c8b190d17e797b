import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { Provider } from "../../src/contract/provider.ts";
import { arbitraryLayout } from "../support/pure/arbitrary/arbitrary-layout.ts";
import { arbitraryRegistry } from "../support/pure/arbitrary/arbitrary-registry.ts";
import { check, same } from "../support/pure/arbitrary/check.ts";
import {
  FORCE,
  fullFile,
  ReferenceRegistry,
} from "../support/pure/reference/reference-registry.ts";
import {
  FULL,
  npiOf,
  person,
  SmallRegistry,
} from "../support/pure/registry/small-registry.ts";
import { startEngine } from "../support/pure/engine/engine.ts";

const digit = fc.integer({ min: 0, max: 9 }).map(String);

/** How a number is made of an NPI in the registry, or else of nothing. */
const arbitraryTypo = fc.oneof(
  fc.record({ kind: fc.constant("none" as const) }),
  fc.record({ kind: fc.constant("swap" as const), at: fc.nat({ max: 8 }) }),
  fc.record({
    kind: fc.constant("replace" as const),
    at: fc.nat({ max: 9 }),
    digit,
  }),
  fc.record({
    kind: fc.constant("other" as const),
    text: fc.oneof(
      fc.string({ maxLength: 12 }),
      fc
        .array(digit, { minLength: 9, maxLength: 11 })
        .map((all) => all.join("")),
    ),
  }),
);

test("every verdict, record and suggestion is what a reading of all providers gives", async () => {
  await check(
    40,
    fc.record({
      registry: arbitraryRegistry({ minRows: 20, maxRows: 200 }),
      layout: arbitraryLayout(),
      asked: fc.array(fc.tuple(fc.nat(), arbitraryTypo), { maxLength: 200 }),
    }),
    async ({ asked, layout, registry: { centroids, rows, taxonomy } }) => {
      const file = fullFile(rows);
      const reference = new ReferenceRegistry(taxonomy);
      reference.import(file, FORCE);
      await using engine = await startEngine({ centroids, taxonomy }, layout);
      await engine.import(file, FORCE);
      const directory = engine.directory();
      const providers = [...reference.providers()];
      for (const [index, typo] of asked) {
        const { npi: original = "1234567893" } =
          providers[index % Math.max(providers.length, 1)] ?? {};
        const number =
          typo.kind === "none"
            ? original
            : typo.kind === "swap"
              ? swap(original, typo.at)
              : typo.kind === "replace"
                ? original.slice(0, typo.at) +
                  typo.digit +
                  original.slice(typo.at + 1)
                : typo.text;
        const entry = JSON.parse(
          directory.lookup.rendering.renderChecked(
            directory.lookup.checker.check(number),
          ),
        );
        same(entry, expected(number, providers));
      }
    },
  );
});

test("a deactivated NPI is replaced by the NPI in its row; its own or any other text there names none", async () => {
  using registry = new SmallRegistry();
  const texts = [
    npiOf(9),
    ` ${npiOf(9)} `,
    "=1+1",
    '"A",\nB',
    "1234567890",
    npiOf(5),
    ` ${npiOf(6)} `,
  ];
  await registry.import(
    FULL,
    texts.map((text, number) => ({
      ...person(number, { deactivationDate: "01/02/2026" }),
      "Replacement NPI": text,
    })),
    { details: new Set(["identity"]) },
  );
  const directory = registry.directory();
  assert.deepEqual(
    texts.map(
      (_, number) => directory.lookup.checker.check(npiOf(number)).replacedBy,
    ),
    [npiOf(9), npiOf(9), null, null, null, null, null],
  );
});

/** The entry of a number, by its definition. */
function expected(npi: string, providers: readonly Provider[]) {
  const nothing = { npi, provider: null, replaced_by: null };
  if (!/^[0-9]{10}$/.test(npi)) return { ...nothing, verdict: "malformed" };
  if (!isNpi(npi)) {
    const ranked = providers.flatMap((provider) => {
      const rank = rankOf(npi, provider);
      return rank === null ? [] : [{ rank, npi: provider.npi }];
    });
    ranked.sort((a, b) => compare(a.rank, b.rank));
    const suggestions = ranked.slice(0, 5).map((each) => each.npi);
    return { ...nothing, verdict: "invalid_check_digit", suggestions };
  }
  const provider = providers.find((each) => each.npi === npi);
  return provider === undefined
    ? { ...nothing, verdict: "not_found" }
    : { ...nothing, verdict: provider.status, provider };
}

/** How likely a provider is meant; null if it differs by more. The lowest is the most likely. */
function rankOf(
  npi: string,
  provider: Pick<Provider, "npi" | "status">,
): readonly number[] | null {
  const places = Array.from(npi).flatMap((each, at) =>
    each === provider.npi[at] ? [] : [at],
  );
  const [first = 0, second] = places;
  const isSwap =
    places.length === 2 &&
    second === first + 1 &&
    swap(npi, first) === provider.npi;
  if (!isSwap && places.length !== 1) return null;
  return [isSwap ? 0 : 1, provider.status === "active" ? 0 : 1, first];
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((each, index) => each !== b[index]);
  return at === -1 ? 0 : a[at]! - b[at]!;
}

function swap(npi: string, at: number): string {
  return npi.slice(0, at) + npi[at + 1] + npi[at] + npi.slice(at + 2);
}

/** The check digit, as the standard describes it: every second digit doubled, from the right. */
function isNpi(npi: string): boolean {
  const sum = `80840${npi}`
    .split("")
    .reverse()
    .reduce((total, each, index) => {
      const value = Number(each) * (index % 2 === 1 ? 2 : 1);
      return total + Math.floor(value / 10) + (value % 10);
    }, 0);
  return sum % 10 === 0;
}

import type { Parameter } from "./openapi.ts";

/** The names of parameters that take an NPI, or a list of them. */
const NPI_NAMES: ReadonlySet<string> = new Set(["npi", "number"]);

/** Parameters without which there is nothing to find, although none of them is always required. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  "/v1/providers": ["npi"],
  "/v1/providers/nearby": ["zip"],
  "/v1/providers/interpret": ["q"],
  "/api/": ["version", "number"],
};

/**
 * Chooses the first values of an operation's fields, so that the first try finds something: the example of each
 * parameter that it needs. `npi` is one in the data, if known; that of the OpenAPI document is only in a demo.
 */
export function firstValues(
  path: string,
  parameters: readonly Parameter[],
  npi: string | null,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    parameters.map((each) => {
      const { name, required = false } = each;
      const isNeeded = required || (NEEDED[path]?.includes(name) ?? false);
      const example =
        npi !== null && NPI_NAMES.has(name) ? npi : exampleOf(each);
      return [name, isNeeded ? example : ""];
    }),
  );
}

/** The text of a parameter's example, or "". */
export function exampleOf({ schema }: Parameter): string {
  return String(schema.examples?.[0] ?? "");
}

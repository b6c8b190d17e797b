/** Values of query parameters, made from their schemas: valid ones, and those that must be refused. */
import type { TSchema } from "typebox";

/** Texts that clients send by mistake or on purpose; percent-encoded where they are not themselves the mistake. */
const ODD_TEXTS = [
  "",
  "%20%20",
  "%C3%89lodie",
  "e%CC%81lodie",
  "O%E2%80%99Brien",
  "O'Brien",
  "st.%20louis",
  "smith*",
  "*",
  "%26",
  "johnson%20%26%20johnson",
  "%EF%AC%81rst",
  "%F0%9F%98%80",
  "%E2%80%AEabc",
  "%D9%85%D8%AD%D9%85%D8%AF",
  "%00",
  "%ff",
  "%zz",
  "a+b",
  "A".repeat(100),
  "A".repeat(101),
  "a%20b%20c%20d%20e%20f%20g%20h%20i%20j%20k",
];
const ODD_NUMBERS = ["", "0", "-1", "1.5", "1e3", "abc", "007", "%2B5", "NaN"];

interface Described {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly { readonly const?: unknown }[];
  readonly examples?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly maxItems?: number;
  readonly items?: Described;
}

/** Values that the schema allows, as they are in a query string. */
export function validValues(schema: TSchema): string[] {
  const { anyOf, examples = [], items, maximum, minimum } = schema as Described;
  const named = [
    ...((schema as Described).enum ?? items?.enum ?? []),
    ...(anyOf ?? []).flatMap((each) => each.const ?? []),
  ].map(String);
  return [
    ...new Set([
      ...examples.map(String).map(encodeURIComponent),
      ...named,
      ...named.map((name) => name.toUpperCase()),
      ...(minimum === undefined ? [] : [String(minimum)]),
      ...(maximum === undefined ? [] : [String(maximum)]),
    ]),
  ];
}

/** Values at and beyond the edges of what the schema allows. */
export function edgeValues(schema: TSchema): string[] {
  const described = schema as Described;
  const { exclusiveMinimum, items, maximum, minimum, type } = described;
  const names = (described.enum ?? items?.enum ?? []).map(String);
  const edges = [
    ...(minimum === undefined ? [] : [String(minimum - 1)]),
    ...(maximum === undefined ? [] : [String(maximum + 1)]),
    ...(exclusiveMinimum === undefined ? [] : [String(exclusiveMinimum)]),
    ...(names.length === 0 ? [] : [`${names[0]}x`, names.join(",")]),
    ...(type === "array" ? ["a,a", ",", "a,,b"] : []),
  ];
  const isNumber = type === "integer" || type === "number";
  return [...edges, ...(isNumber ? ODD_NUMBERS : ODD_TEXTS)];
}

/**
 * Writes the types of the TypeScript client, `packages/client/src/types.ts`, from the schemas that make openapi.json.
 * Run it after a change of schemas or errors. With `--check` it only compares, and exits with 1 if they differ; that is
 * part of `npm run check`.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { argv, exit } from "node:process";
import { format } from "prettier";
import type { TSchema } from "typebox";
import * as answers from "../src/contract/answers.ts";
import * as details from "../src/contract/details.ts";
import { API_ERROR_CODES, ERRORS } from "../src/contract/errors/errors.ts";
import { InterpretAnswer } from "../src/contract/interpret.ts";
import * as parameters from "../src/contract/parameters.ts";
import * as provider from "../src/contract/provider.ts";

const FILE = new URL("../packages/client/src/types.ts", import.meta.url);
/** A parameter with more values takes any string: most are known only as such. */
const MAX_CLOSED_VALUES = 20;

interface Node {
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly (string | null)[];
  readonly const?: unknown;
  readonly anyOf?: readonly Node[];
  readonly items?: Node;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
  readonly default?: string | number;
}

/** The schemas with a name. */
const NAMED: ReadonlyMap<string, Node> = new Map(
  [
    provider.ProviderRecord,
    provider.SearchEntry,
    provider.NearbyEntry,
    provider.MatchedLocation,
    provider.PersonName,
    provider.Taxonomy,
    ...Object.values(details),
    ...Object.values(answers),
    InterpretAnswer,
  ]
    .map(nodeOf)
    .flatMap((node) => (node.title === undefined ? [] : [[node.title, node]])),
);

/** The parameters of each operation. */
const REQUESTS: Readonly<Record<string, Node>> = {
  LookupParameters: nodeOf(parameters.LookupParameters),
  BatchParameters: nodeOf(parameters.BatchParameters),
  SearchParameters: nodeOf(parameters.SearchParameters),
  NearbyParameters: nodeOf(parameters.NearbyParameters),
  ExportParameters: nodeOf(parameters.ExportParameters),
  InterpretParameters: nodeOf(parameters.InterpretParameters),
  ChangesParameters: nodeOf(parameters.ChangesParameters),
  TaxonomyParameters: nodeOf(parameters.TaxonomyParameters),
  TaxonomiesParameters: nodeOf(parameters.TaxonomiesParameters),
};

const text = await format(
  [
    "/* Written by tools/write-client-types.ts from the service's schemas. Do not edit. */",
    ...[...NAMED].map(([name, node]) => declared(name, node, false)),
    ...Object.entries(REQUESTS).map(([name, node]) =>
      declared(name, node, true),
    ),
    errorCodes(),
  ].join("\n\n"),
  { parser: "typescript" },
);
if (!argv.includes("--check")) writeFileSync(FILE, text);
else if (readFileSync(FILE, "utf8") !== text) {
  console.error(
    "The client's types are not those of the schemas: run node_modules/.bin/node tools/write-client-types.ts.",
  );
  exit(1);
}

function nodeOf(schema: TSchema): Node {
  return JSON.parse(JSON.stringify(schema));
}

/** Writes an interface. Parameters are all optional: the service has their defaults. */
function declared(name: string, node: Node, isRequest: boolean): string {
  return `${comment(node)}export interface ${name} ${members(node, isRequest)}`;
}

function members(
  { properties = {}, required = [] }: Node,
  isRequest: boolean,
): string {
  const lines = Object.entries(properties).map(([name, member]) => {
    const isOptional = isRequest || !required.includes(name);
    return `${comment(member, isRequest)}${isRequest ? "readonly " : ""}${name}${isOptional ? "?" : ""}: ${typeOf(member, isRequest)}${isRequest ? " | undefined" : ""};`;
  });
  return `{\n${lines.join("\n")}\n}`;
}

function typeOf(node: Node, isRequest: boolean): string {
  const { anyOf, const: constant, enum: values, title, type } = node;
  const types = [type ?? []].flat();
  if (title !== undefined && NAMED.has(title))
    return types.includes("null") ? `${title} | null` : title;
  if (constant !== undefined) return JSON.stringify(constant);
  if (values !== undefined) return union(values, isRequest);
  if (anyOf !== undefined)
    return anyOf.map((each) => typeOf(each, isRequest)).join(" | ");
  if (types.length === 0) return "unknown";
  return types.map((each) => typeNamed(each, node, isRequest)).join(" | ");
}

function typeNamed(type: string, node: Node, isRequest: boolean): string {
  switch (type) {
    case "integer":
      return "number";
    case "array":
      return `${isRequest ? "readonly " : ""}(${typeOf(node.items ?? {}, isRequest)})[]`;
    case "object":
      return members(node, isRequest);
    default:
      return type;
  }
}

function union(values: readonly (string | null)[], isRequest: boolean): string {
  const literals = values.map((value) => JSON.stringify(value));
  if (!isRequest) return literals.join(" | ");
  if (values.every((value) => value === "true" || value === "false"))
    return [...literals, "boolean"].join(" | ");
  const others = values.length > MAX_CLOSED_VALUES ? ["(string & {})"] : [];
  return [...literals, ...others].join(" | ");
}

/** Writes the doc comment of a schema: its description, and the default of a parameter. */
function comment(
  { default: given, description = "" }: Node,
  isRequest = false,
): string {
  const standard =
    isRequest && given !== undefined ? ` Default: ${given}.` : "";
  const words = `${description}${standard}`.trim().replaceAll("*/", "*∕");
  return words === "" ? "" : `/** ${words} */\n`;
}

function errorCodes(): string {
  const cases = API_ERROR_CODES.map(
    (code) =>
      `/** ${ERRORS[code].status}: ${ERRORS[code].when} */\n| "${code}"`,
  );
  return `/** The codes of errors. Later versions of the service can add some. */\nexport type ErrorCode =\n${cases.join("\n")};`;
}

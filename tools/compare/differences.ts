/** What differs between two responses or two runs of a command. */
import type { Response } from "./exchange.ts";
import type { Output } from "./checkout.ts";

/** One difference: what was sent or run, which part differs, and both values. */
export interface Difference {
  readonly name: string;
  readonly target: string;
  readonly part: string;
  readonly old: string;
  readonly new: string;
}

/** Random or derived from a file's content: secrets, IDs of sessions, and names of built files. */
const UNSTABLE: readonly (readonly [RegExp, string])[] = [
  [/pd_live_\w{36}/g, "KEY"],
  [/(pd_live_)\w{4}(?!\w)/g, "$1PREFIX"],
  [/("last_four":"|\.\.\.)\w{4}/g, "$1LAST"],
  [/(provider-directory\.\w+=)[^;\s]+/g, "$1COOKIE"],
  [/("(?:token|id)":")\w{32}/g, "$1SESSION"],
  [/(\/assets\/[\w.]+-)[\w-]{8}(?=\.\w+)/g, "$1HASH"],
  [/'sha256-[^']+'/g, "'sha256-HASH'"],
];

/** Compares two responses to the same request. */
export function compareResponses(
  request: { readonly name: string; readonly target: string },
  before: Response,
  after: Response,
): Difference[] {
  const differences = [
    difference(request, "status", String(before.status), String(after.status)),
    ...compareHeaders(request, headersOf(before), headersOf(after)),
    before.body.equals(after.body)
      ? null
      : difference(request, "body", textOf(before.body), textOf(after.body)),
  ];
  return differences.filter((each) => each !== null);
}

/** Compares the responses of two connections on which the same bytes were sent. */
export function compareConnections(
  name: string,
  before: readonly Response[],
  after: readonly Response[],
): Difference[] {
  const request = { name, target: "" };
  const [old, now] = [String(before.length), String(after.length)];
  const count = difference(request, "responses", old, now);
  const compared = before.flatMap((one, index) => {
    const two = after[index];
    return two === undefined ? [] : compareResponses(request, one, two);
  });
  return count === null ? compared : [count, ...compared];
}

/** Compares two runs of the same command. */
export function compareOutputs(
  args: readonly string[],
  before: Output,
  after: Output,
): Difference[] {
  const request = { name: `command: ${args[0] ?? ""}`, target: args.join(" ") };
  return (["code", "out", "err"] as const)
    .map((part) =>
      difference(request, part, String(before[part]), String(after[part])),
    )
    .filter((each) => each !== null);
}

function compareHeaders(
  request: { readonly name: string; readonly target: string },
  before: readonly string[],
  after: readonly string[],
): (Difference | null)[] {
  const names = new Set([...before, ...after].map((line) => nameOf(line)));
  return [...names].map((name) =>
    difference(request, name, valuesOf(before, name), valuesOf(after, name)),
  );
}

/** The headers of a response, without a length that the body shows. */
function headersOf({ body, headers }: Response): string[] {
  return body.length === 0
    ? [...headers]
    : headers.filter((line) => line !== `content-length: ${body.length}`);
}

/** The lines of a header. */
function valuesOf(lines: readonly string[], name: string): string {
  return lines.filter((line) => nameOf(line) === name).join("\n");
}

function nameOf(line: string): string {
  return line.slice(0, line.indexOf(":"));
}

function textOf(body: Buffer): string {
  const text = body.toString("utf8");
  return Buffer.from(text).equals(body) ? text : body.toString("base64");
}

function difference(
  { name, target }: { readonly name: string; readonly target: string },
  part: string,
  before: string,
  after: string,
): Difference | null {
  const [old, now] = [stable(before), stable(after)];
  return old === now ? null : { name, target, part, old, new: now };
}

function stable(text: string): string {
  return UNSTABLE.reduce(
    (each, [pattern, replacement]) => each.replace(pattern, replacement),
    text,
  );
}

/** The surroundings of the first byte that differs. */
export function excerpt(text: string, other: string): string {
  let at = 0;
  while (at < text.length && text[at] === other[at]) at++;
  const from = Math.max(0, at - 60);
  return `${from > 0 ? "…" : ""}${text.slice(from, at + 100)}${text.length > at + 100 ? "…" : ""}`;
}

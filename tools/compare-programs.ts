/**
 * Compares two checkouts of the program: both import the same files and have the same accounts, fixed clock and
 * secrets, and get the same requests and command lines. Prints each difference in status, headers, body, or output
 * that isn't listed in `compare/accepted.ts`, and exits with 1 if there is one; of those listed, their number.
 *
 *   node_modules/.bin/node tools/compare-programs.ts OLD NEW
 *     [--file F]... [--providers N] [--combinations N] [--every N]
 *
 * OLD and NEW are folders with `npm ci` done. The registry's files are imported in their order; without one, each makes a
 * demo of `--providers`.
 */
import { parseArgs } from "node:util";
import { reasonOf } from "./compare/accepted.ts";
import { comparePrograms } from "./compare/compare.ts";
import { excerpt } from "./compare/differences.ts";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    file: { type: "string", multiple: true, default: [] },
    providers: { type: "string", default: "25000" },
    combinations: { type: "string", default: "500" },
    every: { type: "string", default: "1" },
  },
});
const [before, after] = positionals;
if (before === undefined || after === undefined) {
  console.error("Name two checkouts: tools/compare-programs.ts OLD NEW");
  process.exit(2);
}
const { commands, differences, requests } = await comparePrograms(
  { old: before, new: after },
  {
    files: values.file,
    providers: Number(values.providers),
    combinations: Number(values.combinations),
    every: Number(values.every),
  },
);
const accepted = new Map<string, number>();
let refused = 0;
for (const difference of differences) {
  const reason = reasonOf(difference);
  if (reason !== null) {
    accepted.set(reason, (accepted.get(reason) ?? 0) + 1);
    continue;
  }
  refused++;
  const { name, old, part, target } = difference;
  console.log(`DIFFERS: ${name}, ${part}`);
  console.log(`  ${target.slice(0, 200)}`);
  console.log(`  old: ${excerpt(old, difference.new)}`);
  console.log(`  new: ${excerpt(difference.new, old)}`);
}
for (const [reason, count] of accepted)
  console.log(`accepted ${count} times: ${reason}`);
console.log(
  `${requests} requests and ${commands} commands: ${refused} differences that are not accepted, ${differences.length - refused} accepted.`,
);
process.exitCode = refused === 0 ? 0 : 1;

import type { Fact, Facts } from "../../search/filters/text-filter.ts";
import { formatCount, formatTable } from "./format.ts";

/** Facts as text: one line each; groups are indented below their name, and rows of single values are a table. */
export function factLines(facts: Facts): string[] {
  return Object.entries(facts).flatMap(([name, fact]) => {
    const label = `${name.replaceAll("_", " ")}:`;
    const single = singleText(fact);
    return single === null
      ? [label].concat(groupLines(fact).map((line) => `  ${line}`))
      : [`${label} ${single}`];
  });
}

function groupLines(fact: Fact): string[] {
  if (!isList(fact)) return isFacts(fact) ? factLines(fact) : [];
  const groups = fact.filter(isFacts);
  const rows = groups.map((group) => Object.values(group).map(singleText));
  const [first] = groups;
  if (first !== undefined && rows.every((row) => !row.includes(null)))
    return formatTable(
      Object.keys(first).map((name) => name.replaceAll("_", " ")),
      rows.map((row) => row.map(String)),
    );
  return groups.flatMap((group) =>
    factLines(group).map((line, index) =>
      index === 0 ? `- ${line}` : `  ${line}`,
    ),
  );
}

/** A fact of one line; null for a group. */
function singleText(fact: Fact | undefined): string | null {
  if (fact === undefined || fact === null) return "none";
  if (typeof fact === "boolean") return fact ? "yes" : "no";
  if (typeof fact === "number")
    return Number.isInteger(fact) ? formatCount(fact) : String(fact);
  if (typeof fact === "string") return fact;
  if (!isList(fact)) return null;
  if (fact.length === 0) return "none";
  return fact.some(isFacts) ? null : fact.map(singleText).join("; ");
}

function isList(fact: Fact): fact is readonly Fact[] {
  return Array.isArray(fact);
}

function isFacts(fact: Fact): fact is Facts {
  return typeof fact === "object" && fact !== null && !isList(fact);
}

const AND = new Intl.ListFormat("en-GB", { type: "conjunction" });
const OR = new Intl.ListFormat("en-GB", { type: "disjunction" });

/** Joins names as in "a, b and c". */
export function allOf(names: readonly string[]): string {
  return AND.format(names);
}

/** Joins names as in "a, b or c". */
export function oneOf(names: readonly string[]): string {
  return OR.format(names);
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** Escapes a text for HTML, also within double quotes. */
export function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? "");
}

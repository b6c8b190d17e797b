import type { FilterValues } from "../../contract/parameters/filter-schemas.ts";

/** The filters that name a file, in this order. */
const NAMING = [
  "specialty",
  "taxonomy",
  "name",
  "first_name",
  "middle_initial",
  "last_name",
  "organization",
  "city",
  "state",
  "zip",
] as const satisfies readonly (keyof FilterValues)[];

const MAX_VALUE_CHARACTERS = 30;
const MAX_CHARACTERS = 80;

/**
 * What a download is called, without extension: `providers-cardiology-springfield-il`. It consists of `a` to `z`,
 * digits and hyphens, whatever the filters are.
 *
 * @param first How many rows it has, if that isn't all.
 */
export function downloadName(
  filters: Pick<FilterValues, (typeof NAMING)[number]>,
  first: number | null,
): string {
  const values = NAMING.map((name) =>
    lettersOf(filters[name] ?? "", MAX_VALUE_CHARACTERS),
  );
  const part = first === null ? [] : [`first-${first}`];
  const name = ["providers", ...part, ...values].filter(Boolean).join("-");
  return lettersOf(name, MAX_CHARACTERS);
}

function lettersOf(text: string, most: number): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, most)
    .replace(/^-|-$/g, "");
}

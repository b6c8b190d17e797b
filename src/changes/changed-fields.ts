import type { Provider } from "../registry/provider.ts";
import type { ChangedFields } from "./change.ts";

type Path = string;

/** The fields in which two records of one provider differ. Names of specialties are no part of the registry's record. */
export function changedFields(
  before: Provider,
  after: Provider,
): ChangedFields {
  const old = fieldsOf(before);
  const now = fieldsOf(after);
  const changed: Record<Path, [string | null, string | null]> = {};
  for (const path of new Set([...now.keys(), ...old.keys()])) {
    const values = [old.get(path) ?? null, now.get(path) ?? null] as const;
    if (values[0] !== values[1]) changed[path] = [...values];
  }
  return changed;
}

/** A record's values by their paths; an absent part has none. */
function fieldsOf(record: Provider): Map<Path, string | null> {
  const fields = new Map<Path, string | null>();
  for (const [member, value] of Object.entries(record)) {
    if (value === null || typeof value === "string") fields.set(member, value);
    else
      for (const [part, text] of Object.entries<string | null>(value))
        fields.set(`${member}.${part}`, text);
  }
  fields.delete("primary_taxonomy.description");
  return fields;
}

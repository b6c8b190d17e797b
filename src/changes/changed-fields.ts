import type { Provider } from "../contract/provider.ts";
import type { ChangedFields } from "./change.ts";

type Text = string | null;
/** A record, or a part of it. */
type Members = Readonly<Record<string, unknown>>;

const NAME_OF_TAXONOMY = "primary_taxonomy.description";

/**
 * The fields in which two records of one provider differ; a part that is null as a whole counts as one whose members are.
 * Names of specialties are no part of the registry's record.
 */
export function changedFields(
  before: Provider,
  after: Provider,
): ChangedFields {
  const changed: Record<string, [Text, Text]> = {};
  addChanged(changed, "", { ...before }, { ...after });
  return changed;
}

function addChanged(
  changed: Record<string, [Text, Text]>,
  prefix: string,
  before: Members | null,
  after: Members | null,
): void {
  for (const member of Object.keys(after ?? before ?? {})) {
    const was = before?.[member] ?? null;
    const is = after?.[member] ?? null;
    if (was === is) continue;
    const path = prefix + member;
    if (isPart(was) || isPart(is))
      addChanged(
        changed,
        `${path}.`,
        isPart(was) ? was : null,
        isPart(is) ? is : null,
      );
    else if (path !== NAME_OF_TAXONOMY)
      changed[path] = [textOf(was), textOf(is)];
  }
}

function isPart(value: unknown): value is Members {
  return typeof value === "object" && value !== null;
}

function textOf(value: unknown): Text {
  return typeof value === "string" ? value : null;
}

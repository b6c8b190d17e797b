import type { ProviderRecord } from "../../contract/provider.ts";
import { Alert } from "../components/alert.tsx";
import { formatDay } from "../format.ts";
import { meaningOf } from "./fields.tsx";
import { npiLink } from "./overview.tsx";

/** What a deactivated NPI means; nothing for an active one. */
export function Deactivation({ record }: { readonly record: ProviderRecord }) {
  const { deactivation_date: date, entity_type: type, identity } = record;
  if (record.status === "active") return null;
  const reason = meaningOf(identity?.deactivation_reason ?? null);
  const replacement = identity?.replacement_npi ?? null;
  return (
    <Alert kind="warning" title="This NPI is deactivated">
      <p>
        {date === null
          ? "The provider no longer has it."
          : `The provider no longer has it since ${formatDay(date)}.`}
        {reason !== null && ` The reason: ${reason}.`}
        {type === null
          ? " The registry publishes only the number and the date of a deactivated NPI."
          : " The details below are the last ones that were published: don’t rely on them."}
      </p>
      {replacement !== null && (
        <p>It was replaced by {npiLink(replacement)}.</p>
      )}
    </Alert>
  );
}

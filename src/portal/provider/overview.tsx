import type { ReactNode } from "react";
import { Link } from "../shell/router.tsx";
import { formatDay } from "../format.ts";
import type { ProviderRecord } from "../../contract/provider.ts";
import { naturalCase } from "../../text/natural-case.ts";
import { FactsList, meaningOf } from "./fields.tsx";
import { FIELD_LABELS, SEXES, TYPES } from "./labels.ts";

/** Says who the provider is, as far as the registry does. */
export function Overview({ record }: { readonly record: ProviderRecord }) {
  const { identity } = record;
  return (
    <FactsList
      facts={[
        [FIELD_LABELS.entity_type, typeOf(record)],
        [FIELD_LABELS["primary_taxonomy.code"], specialtyOf(record)],
        [FIELD_LABELS.enumeration_date, day(record.enumeration_date)],
        [FIELD_LABELS.last_updated, day(record.last_updated)],
        [
          FIELD_LABELS["identity.certification_date"],
          day(identity?.certification_date),
        ],
        [
          FIELD_LABELS.deactivation_date,
          day(record.deactivation_date ?? identity?.deactivation_date),
        ],
        [
          FIELD_LABELS["identity.deactivation_reason"],
          meaningOf(identity?.deactivation_reason ?? null),
        ],
        [
          FIELD_LABELS["identity.reactivation_date"],
          day(identity?.reactivation_date),
        ],
        [
          FIELD_LABELS["identity.replacement_npi"],
          identity?.replacement_npi && npiLink(identity.replacement_npi),
        ],
        [FIELD_LABELS["identity.name_prefix"], affix(identity?.name_prefix)],
        [FIELD_LABELS["identity.name_suffix"], affix(identity?.name_suffix)],
        [
          FIELD_LABELS["identity.sex"],
          identity?.sex ? (SEXES[identity.sex] ?? identity.sex) : null,
        ],
        [
          FIELD_LABELS["identity.sole_proprietor"],
          yesOrNo(identity?.sole_proprietor),
        ],
        [
          FIELD_LABELS["identity.organization_subpart"],
          yesOrNo(identity?.organization_subpart),
        ],
        [
          FIELD_LABELS["identity.parent_organization"],
          identity?.parent_organization
            ? naturalCase(identity.parent_organization, "organization")
            : null,
        ],
      ]}
    />
  );
}

function typeOf({ entity_type: type }: ProviderRecord): string | null {
  return type === null ? null : (TYPES[type] ?? type);
}

function specialtyOf({ primary_taxonomy: taxonomy }: ProviderRecord) {
  if (taxonomy === null) return null;
  const { code, description } = taxonomy;
  return description === null ? code : `${description} (${code})`;
}

/** Links to another provider's page. */
export function npiLink(npi: string): ReactNode {
  return <Link href={`/npi/${encodeURIComponent(npi)}`}>{npi}</Link>;
}

/** Writes a prefix or suffix of a name. */
function affix(value: string | null | undefined): string | null {
  return value ? naturalCase(value, "person") : null;
}

function day(value: string | null | undefined): string | null {
  return value ? formatDay(value) : null;
}

function yesOrNo(value: boolean | null | undefined): string | null {
  if (value === true) return "Yes";
  return value === false ? "No" : null;
}

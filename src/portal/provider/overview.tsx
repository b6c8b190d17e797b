import type { ReactNode } from "react";
import { Link } from "../shell/router.tsx";
import { formatDay } from "../format.ts";
import type { ProviderRecord } from "../../contract/provider.ts";
import { naturalCase } from "../../text/natural-case.ts";
import { FactsList, meaningOf } from "./fields.tsx";

const SEXES: Readonly<Record<string, string>> = { F: "Female", M: "Male" };

/** Who the provider is, as far as the registry says it. */
export function Overview({ record }: { readonly record: ProviderRecord }) {
  const { identity } = record;
  return (
    <FactsList
      facts={[
        ["Type", typeOf(record)],
        ["Specialty", specialtyOf(record)],
        ["Enumerated", day(record.enumeration_date)],
        ["Last updated", day(record.last_updated)],
        ["Last certified", day(identity?.certification_date)],
        [
          "Deactivated",
          day(record.deactivation_date ?? identity?.deactivation_date),
        ],
        [
          "Deactivation reason",
          meaningOf(identity?.deactivation_reason ?? null),
        ],
        ["Reactivated", day(identity?.reactivation_date)],
        [
          "Replaced by",
          identity?.replacement_npi && npiLink(identity.replacement_npi),
        ],
        ["Name prefix", affix(identity?.name_prefix)],
        ["Name suffix", affix(identity?.name_suffix)],
        ["Sex", identity?.sex ? (SEXES[identity.sex] ?? identity.sex) : null],
        ["Sole proprietor", yesOrNo(identity?.sole_proprietor)],
        [
          "Part of another organization",
          yesOrNo(identity?.organization_subpart),
        ],
        [
          "Parent organization",
          identity?.parent_organization
            ? naturalCase(identity.parent_organization, "organization")
            : null,
        ],
      ]}
    />
  );
}

function typeOf({ entity_type: type }: ProviderRecord): string | null {
  if (type === null) return null;
  return type === "individual" ? "Individual" : "Organization";
}

function specialtyOf({ primary_taxonomy: taxonomy }: ProviderRecord) {
  if (taxonomy === null) return null;
  const { code, description } = taxonomy;
  return description === null ? code : `${description} (${code})`;
}

/** A link to another provider's page. */
export function npiLink(npi: string): ReactNode {
  return <Link href={`/npi/${encodeURIComponent(npi)}`}>{npi}</Link>;
}

/** A prefix or suffix of a name. */
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

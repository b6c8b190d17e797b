import { Type } from "typebox";
import type { Static } from "typebox";
import { nullable, nullableText } from "./nullable.ts";

/**
 * The members that `include` adds to a provider's record. Titles are the names of the OpenAPI document's components.
 */

const CODE = { description: "The registry's code." };
const MEANING = nullableText("What the code means; null for an unknown one.");

export const Coded = Type.Object({
  code: Type.String(CODE),
  description: MEANING,
});

const FULL_NAME = {
  prefix: nullableText("Such as `DR.`"),
  first: nullableText("As published."),
  middle: nullableText("As published."),
  last: nullableText("As published."),
  suffix: nullableText("Such as `JR.`"),
  credential: nullableText("As published, such as `MD`."),
};

export const FullName = Type.Object(FULL_NAME, {
  title: "FullName",
  description: "A person's name with all its parts, as published.",
});

export const TaxonomySlot = Type.Object(
  {
    code: Type.String({ description: "NUCC taxonomy code." }),
    description: nullableText(
      "NUCC's display name; null for a code that the loaded NUCC table lacks.",
    ),
    primary: Type.Boolean({
      description:
        "Whether the registry marks it as the primary one. Where it marks none, `primary_taxonomy` is the first.",
    }),
    license_number: nullableText("As published."),
    license_state: nullableText("The state that gave the license."),
    group: nullable(
      Coded,
      "The kind of group practice; null when the registry shows none.",
    ),
  },
  { title: "TaxonomySlot", description: "One of a provider's taxonomies." },
);

export const OtherName = Type.Object(
  {
    type: nullable(
      Coded,
      "1 Former Name, 2 Professional Name, 3 Doing Business As, 4 Former Legal Business Name, 5 Other Name; null when the registry shows none.",
    ),
    name: nullable(FullName, "Null for an organization's name."),
    organization_name: nullableText("Null for a person's name."),
  },
  { title: "OtherName", description: "Another name of a provider." },
);

export const PracticeLocation = Type.Object(
  {
    address_1: nullableText("As published."),
    address_2: nullableText("As published."),
    city: nullableText("As published."),
    state: nullableText("As published."),
    postal_code: nullableText("As published, without reformatting."),
    country: nullableText("Two-letter country code."),
    phone: nullableText("As published."),
    phone_extension: nullableText("As published."),
    fax: nullableText("As published."),
  },
  {
    title: "PracticeLocation",
    description: "A practice location besides the primary one.",
  },
);

export const AuthorizedOfficial = Type.Object(
  {
    ...FULL_NAME,
    title: nullableText("Title or position."),
    phone: nullableText("As published."),
  },
  {
    title: "AuthorizedOfficial",
    description: "Who may act for an organization.",
  },
);

export const Identity = Type.Object(
  {
    name_prefix: nullableText("An individual's, such as `DR.`"),
    name_suffix: nullableText("An individual's, such as `JR.`"),
    sex: nullableText("As the registry codes it: `F`, `M`."),
    sole_proprietor: nullableYesOrNo("Individuals; null for not answered."),
    organization_subpart: nullableYesOrNo(
      "Whether the organization is a part of another one.",
    ),
    parent_organization: nullableText(
      "Legal business name of the organization that it is a part of.",
    ),
    phone: nullableText("Of the primary practice location, as published."),
    fax: nullableText("Of the primary practice location, as published."),
    certification_date: nullableText(
      "ISO 8601 date on which the provider last certified the record.",
    ),
    deactivation_reason: nullable(
      Coded,
      "DT Death, DB Disbandment, FR Fraud, OT Other; null when the registry shows none.",
    ),
    deactivation_date: nullableText(
      "ISO 8601 date of the last deactivation, also of an NPI that is active again.",
    ),
    reactivation_date: nullableText("ISO 8601 date."),
    replacement_npi: nullableText("The NPI that replaces this one."),
    authorized_official: nullable(
      AuthorizedOfficial,
      "Organizations; null when the registry shows none.",
    ),
  },
  {
    title: "Identity",
    description: "What else the registry says of the provider.",
  },
);

export const DETAIL_COMPONENTS = [
  TaxonomySlot,
  OtherName,
  FullName,
  PracticeLocation,
  AuthorizedOfficial,
  Identity,
];

function nullableYesOrNo(description: string) {
  return Type.Unsafe<boolean | null>({
    type: ["boolean", "null"],
    description,
  });
}

export type Coded = Static<typeof Coded>;
export type FullName = Static<typeof FullName>;
export type TaxonomySlot = Static<typeof TaxonomySlot>;
export type OtherName = Static<typeof OtherName>;
export type PracticeLocation = Static<typeof PracticeLocation>;
export type AuthorizedOfficial = Static<typeof AuthorizedOfficial>;
export type Identity = Static<typeof Identity>;

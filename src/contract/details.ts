import { Type } from "typebox";
import type { Static } from "typebox";
import { Address } from "./address.ts";
import { nullable, nullableText } from "./nullable.ts";

/** The fields that `include` adds to a provider's record. Titles are the component names in the OpenAPI document. */

const CODE = { description: "The registry's code." };
const MEANING = nullableText("What the code means; null if unknown.");

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
  description: "All parts of a person's name, as published.",
});

export const TaxonomySlot = Type.Object(
  {
    code: Type.String({ description: "NUCC taxonomy code." }),
    description: nullableText(
      "NUCC's display name; null if the loaded NUCC table does not have the code.",
    ),
    primary: Type.Boolean({
      description:
        "Whether the registry marks it as primary. If it marks none, `primary_taxonomy` is the first one.",
    }),
    license_number: nullableText("As published."),
    license_state: nullableText("The state that issued the license."),
    group: nullable(
      Coded,
      "The kind of group practice; null if the registry lists none.",
    ),
  },
  { title: "TaxonomySlot", description: "One of a provider's taxonomies." },
);

export const OtherName = Type.Object(
  {
    type: nullable(
      Coded,
      "1 Former Name, 2 Professional Name, 3 Doing Business As, 4 Former Legal Business Name, 5 Other Name; null if the registry lists none.",
    ),
    name: nullable(FullName, "A person's name; null for an organization."),
    organization_name: nullableText("Null for a person."),
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
    description: "A secondary practice location.",
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
    description: "The person authorized to act for an organization.",
  },
);

export const Identity = Type.Object(
  {
    name_prefix: nullableText("For individuals, such as `DR.`"),
    name_suffix: nullableText("For individuals, such as `JR.`"),
    sex: nullableText("The registry's code, such as `F` or `M`."),
    sole_proprietor: nullableYesOrNo("For individuals; null if not answered."),
    organization_subpart: nullableYesOrNo(
      "Whether the organization is part of another one.",
    ),
    parent_organization: nullableText(
      "Legal business name of the parent organization.",
    ),
    phone: nullableText("Of the primary practice location, as published."),
    fax: nullableText("Of the primary practice location, as published."),
    certification_date: nullableText(
      "ISO 8601 date on which the provider last certified the record.",
    ),
    deactivation_reason: nullable(
      Coded,
      "DT Death, DB Disbandment, FR Fraud, OT Other; null if the registry lists none.",
    ),
    deactivation_date: nullableText(
      "ISO 8601 date of the last deactivation, even if the NPI is active again.",
    ),
    reactivation_date: nullableText("ISO 8601 date."),
    replacement_npi: nullableText("The NPI that replaces this one."),
    authorized_official: nullable(
      AuthorizedOfficial,
      "For organizations; null if the registry lists none.",
    ),
  },
  {
    title: "Identity",
    description: "Other facts that the registry publishes about the provider.",
  },
);

export const MailingAddress = Type.Object(
  {
    ...Address.properties,
    phone: nullableText("As published."),
    fax: nullableText("As published."),
  },
  { title: "MailingAddress", description: "A mailing address." },
);

export const Identifier = Type.Object(
  {
    identifier: nullableText("The number, as published."),
    type: nullable(
      Coded,
      "01 OTHER, 02 MEDICARE UPIN, 04 MEDICARE ID-TYPE UNSPECIFIED, 05 MEDICAID, 06 MEDICARE OSCAR/CERTIFICATION, 07 MEDICARE NSC, 08 MEDICARE PIN; null if the registry lists none.",
    ),
    state: nullableText("The state of the issuer, as published."),
    issuer: nullableText("Who issued it, for type 01; as published."),
  },
  {
    title: "Identifier",
    description: "A number that a payer or a state gave the provider.",
  },
);

export const Endpoint = Type.Object(
  {
    type: nullable(
      Coded,
      "Such as DIRECT (Direct Messaging Address) or FHIR (FHIR URL); null if the registry lists none.",
    ),
    address: nullableText("The electronic address: an email address or a URL."),
    description: nullableText("As published."),
    affiliation: nullableYesOrNo(
      "Whether it belongs to another organization; null if the registry does not say.",
    ),
    affiliation_name: nullableText(
      "Legal business name of the organization that it belongs to.",
    ),
    use: nullable(
      Coded,
      "Such as DIRECT or HIE (Health Information Exchange); null if the registry lists none.",
    ),
    other_use: nullableText("The use, in the provider's own words."),
    content_type: nullable(
      Coded,
      "The kind of documents it takes; null if the registry lists none.",
    ),
    other_content_type: nullableText(
      "The kind of documents, in the provider's own words.",
    ),
    location: nullable(
      Address,
      "Where it is used; null if all of its fields would be null.",
    ),
  },
  {
    title: "Endpoint",
    description:
      "An electronic address for health information. Descriptions of its codes are the registry's.",
  },
);

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
export type MailingAddress = Static<typeof MailingAddress>;
export type Identifier = Static<typeof Identifier>;
export type Endpoint = Static<typeof Endpoint>;

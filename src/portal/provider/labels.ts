/** The titles of a record's parts on its page, by their path in the record. */
export const PART_TITLES = {
  practice_address: "Practice location",
  mailing_address: "Mailing address",
  "identity.authorized_official": "Authorized official",
  taxonomies: "Specialties and licenses",
  other_names: "Other names",
  locations: "Other practice locations",
  identifiers: "Other identifiers",
  endpoints: "Endpoints",
} as const;

/** The labels of single fields. */
export const FIELD_LABELS = {
  entity_type: "Type",
  status: "Status",
  "name.first": "First name",
  "name.middle": "Middle name",
  "name.last": "Last name",
  "name.credential": "Credential",
  organization_name: "Organization",
  "primary_taxonomy.code": "Specialty",
  enumeration_date: "Enumerated",
  last_updated: "Last updated",
  deactivation_date: "Deactivated",
  "identity.phone": "Phone",
  "identity.fax": "Fax",
  "identity.certification_date": "Last certified",
  "identity.deactivation_date": "Deactivated",
  "identity.deactivation_reason": "Deactivation reason",
  "identity.reactivation_date": "Reactivated",
  "identity.replacement_npi": "Replaced by",
  "identity.name_prefix": "Name prefix",
  "identity.name_suffix": "Name suffix",
  "identity.sex": "Sex",
  "identity.sole_proprietor": "Sole proprietor",
  "identity.organization_subpart": "Part of another organization",
  "identity.parent_organization": "Parent organization",
} as const;

/** The labels of fields that several parts have. */
const MEMBER_LABELS: Readonly<Record<string, string>> = {
  address_1: "street",
  address_2: "second line",
  city: "city",
  state: "state",
  postal_code: "ZIP code",
  country: "country",
  phone: "phone",
  fax: "fax",
  prefix: "prefix",
  first: "first name",
  middle: "middle name",
  last: "last name",
  suffix: "suffix",
  credential: "credential",
  title: "title",
};

export const SEXES: Readonly<Record<string, string>> = {
  F: "Female",
  M: "Male",
};
export const TYPES: Readonly<Record<string, string>> = {
  individual: "Individual",
  organization: "Organization",
};

/** Names a field in words: `Practice location, street` for `practice_address.address_1`. */
export function labelOf(path: string): string {
  const labels: Readonly<Record<string, string>> = {
    ...FIELD_LABELS,
    ...PART_TITLES,
  };
  const whole = labels[path];
  if (whole !== undefined) return whole;
  const dot = path.lastIndexOf(".");
  const member = path.slice(dot + 1);
  const parent = dot < 0 ? undefined : labels[path.slice(0, dot)];
  if (parent === undefined) return wordsOf(path);
  // A code and its meaning are one value.
  if (member === "code" || member === "description") return parent;
  return `${parent}, ${MEMBER_LABELS[member] ?? wordsOf(member).toLowerCase()}`;
}

/** Names a field that the page doesn't show. */
function wordsOf(path: string): string {
  const text = path.replaceAll(/[._]/g, " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

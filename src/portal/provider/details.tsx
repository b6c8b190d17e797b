import { Tag } from "../components/elements.tsx";
import type {
  AuthorizedOfficial,
  Coded,
  Endpoint,
  Identifier,
  MailingAddress,
  OtherName,
  PracticeLocation,
  TaxonomySlot,
} from "../../contract/details.ts";
import { Table } from "../components/table.tsx";
import { fullName } from "../format.ts";
import { phoneText } from "./contact-text.ts";
import { AddressText, FactsList, meaningOf, phoneLink } from "./fields.tsx";
import { naturalCase } from "../../text/natural-case.ts";
import styles from "./provider.module.css";

export function Taxonomies({
  taxonomies,
}: {
  readonly taxonomies: readonly TaxonomySlot[];
}) {
  const hasGroups = taxonomies.some(({ group }) => group !== null);
  return (
    <Table
      caption="Specialties"
      rows={taxonomies}
      columns={[
        { title: "Specialty", cell: specialtyOf },
        { title: "License", cell: licenseOf },
        ...(hasGroups
          ? [
              {
                title: "Group",
                cell: ({ group }: TaxonomySlot) => meaningOf(group) ?? "–",
              },
            ]
          : []),
      ]}
    />
  );
}

/** Lists former names, doing-business-as names and the like. */
export function OtherNames({
  names,
}: {
  readonly names: readonly OtherName[];
}) {
  return (
    <Table
      caption="Other names"
      rows={names}
      columns={[
        { title: "Name", cell: otherNameOf },
        { title: "Type", cell: ({ type }) => meaningOf(type) ?? "–" },
      ]}
    />
  );
}

/** Lists secondary practice locations. */
export function Locations({
  locations,
}: {
  readonly locations: readonly PracticeLocation[];
}) {
  const numbered = locations.map((location, place) => ({ location, place }));
  return (
    <ul className={styles.locations}>
      {numbered.map(({ location, place }) => (
        <li key={place}>
          <AddressText address={location} />
          <FactsList
            facts={[
              ["Phone", phoneLink(location.phone, location.phone_extension)],
              ["Fax", location.fax && phoneText(location.fax)],
            ]}
          />
        </li>
      ))}
    </ul>
  );
}

/** Numbers that payers and states gave the provider. */
export function Identifiers({
  identifiers,
}: {
  readonly identifiers: readonly Identifier[];
}) {
  return (
    <Table
      caption="Other identifiers"
      rows={identifiers}
      columns={[
        { title: "Identifier", cell: ({ identifier }) => textOf(identifier) },
        { title: "Type", cell: ({ type }) => meaningOf(type) ?? "–" },
        { title: "State", cell: ({ state }) => textOf(state) },
        { title: "Issuer", cell: ({ issuer }) => textOf(issuer) },
      ]}
    />
  );
}

/** Lists electronic addresses. They are anyone's text, so none of them is a link. */
export function Endpoints({
  endpoints,
}: {
  readonly endpoints: readonly Endpoint[];
}) {
  const numbered = endpoints.map((endpoint, place) => ({ endpoint, place }));
  return (
    <ul className={styles.locations}>
      {numbered.map(({ endpoint, place }) => (
        <li key={place}>
          <FactsList
            facts={[
              ["Type", meaningOf(endpoint.type)],
              ["Address", endpoint.address],
              ["Description", endpoint.description],
              ["Belongs to", endpoint.affiliation_name],
              ["Use", withOther(endpoint.use, endpoint.other_use)],
              [
                "Content",
                withOther(endpoint.content_type, endpoint.other_content_type),
              ],
            ]}
          />
          {endpoint.location !== null && (
            <AddressText address={endpoint.location} />
          )}
        </li>
      ))}
    </ul>
  );
}

/** Shows the address for mail. */
export function Mailing({ address }: { readonly address: MailingAddress }) {
  return (
    <>
      <AddressText address={address} />
      <FactsList
        facts={[
          ["Phone", phoneLink(address.phone)],
          ["Fax", address.fax && phoneText(address.fax)],
        ]}
      />
    </>
  );
}

/** Shows the person who may act for an organization. */
export function Official({
  official,
}: {
  readonly official: AuthorizedOfficial;
}) {
  return (
    <FactsList
      facts={[
        ["Name", fullName(official)],
        [
          "Title",
          official.title && naturalCase(official.title, "organization"),
        ],
        ["Phone", phoneLink(official.phone)],
      ]}
    />
  );
}

function textOf(value: string | null) {
  return value === null ? "–" : <bdi>{value}</bdi>;
}

/** Joins the code's meaning and what the provider wrote about it. */
function withOther(coded: Coded | null, other: string | null): string | null {
  const said = [meaningOf(coded), other].filter(Boolean);
  return said.length === 0 ? null : said.join(": ");
}

function licenseOf({
  license_number: number,
  license_state: state,
}: TaxonomySlot) {
  const license = [number, state].filter(Boolean).join(", ");
  return license === "" ? "–" : <bdi>{license}</bdi>;
}

function specialtyOf({ code, description, primary }: TaxonomySlot) {
  return (
    <>
      <span>{description ?? "Unknown specialty"}</span>{" "}
      {primary && <Tag look="accent">Primary</Tag>}
      <br />
      <code>{code}</code>
    </>
  );
}

function otherNameOf({ name, organization_name: organization }: OtherName) {
  return (
    <bdi>
      {organization === null
        ? name && fullName(name)
        : naturalCase(organization, "organization")}
    </bdi>
  );
}

/** The registry's own answers of 2019 and 2020, as others recorded them. They are of real people: never commit them. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { LOCATION_COLUMNS } from "../reference/reference-details.ts";
import type { RawRow } from "../registry/raw-row.ts";
import type { ZipRows } from "../registry/registry-zip.ts";

const FOLDER = new URL(
  "../../../../../shared/data/npi-registry-api/",
  import.meta.url,
);

type Texts = Readonly<Record<string, string>>;

/** A provider as the registry showed it then. */
export interface RecordedProvider {
  readonly number: number;
  readonly enumeration_type: string;
  readonly created_epoch: number;
  readonly last_updated_epoch: number;
  readonly basic: Texts;
  readonly addresses: readonly Texts[];
  readonly practiceLocations?: readonly Texts[];
  readonly identifiers: readonly Texts[];
  readonly other_names: readonly Texts[];
  readonly taxonomies: readonly Readonly<Record<string, string | boolean>>[];
}

export interface RecordedAnswer {
  readonly result_count?: number;
  readonly results?: readonly RecordedProvider[];
  readonly Errors?: readonly Texts[];
}

/** The answers; null where the folder is not there. */
export function recordedAnswers(): RecordedAnswer[] | null {
  if (!existsSync(FOLDER)) return null;
  return readdirSync(FOLDER).map((file) => {
    const answer: RecordedAnswer = JSON.parse(
      readFileSync(new URL(file, FOLDER), "utf8"),
    );
    return answer;
  });
}

/** The providers of the answers, each once. */
export function recordedProviders(
  answers: readonly RecordedAnswer[],
): RecordedProvider[] {
  const byNumber = new Map(
    answers
      .flatMap(({ results = [] }) => results)
      .map((provider) => [provider.number, provider]),
  );
  return [...byNumber.values()];
}

/** The rows of the registry's files that hold these providers, made of the answers themselves. */
export function rowsOfRecorded(
  providers: readonly RecordedProvider[],
): ZipRows {
  return {
    rows: providers.map(rowOf),
    otherNames: providers.flatMap(({ number, other_names }) =>
      other_names
        .filter(({ organization_name }) => organization_name !== undefined)
        // The first one is in the provider's row.
        .slice(1)
        .map((name) => ({
          NPI: String(number),
          "Provider Other Organization Name": name["organization_name"] ?? "",
          "Provider Other Organization Name Type Code": name["code"] ?? "",
        })),
    ),
    locations: providers.flatMap(({ number, practiceLocations = [] }) =>
      practiceLocations.map((at) => {
        const values = [
          String(number),
          at["address_1"],
          at["address_2"],
          at["city"],
          at["state"],
          at["postal_code"],
          at["country_code"],
          digits(at["telephone_number"]),
          "",
          digits(at["fax_number"]),
        ];
        return Object.fromEntries(
          LOCATION_COLUMNS.map((column, index) => [
            column,
            values[index] ?? "",
          ]),
        );
      }),
    ),
    endpoints: [],
  };
}

function rowOf(provider: RecordedProvider): RawRow {
  const { basic } = provider;
  const row: Record<string, string> = {
    NPI: String(provider.number),
    "Entity Type Code": provider.enumeration_type === "NPI-2" ? "2" : "1",
    "Provider Enumeration Date": american(basic["enumeration_date"]),
    "Last Update Date": american(basic["last_updated"]),
    "NPI Deactivation Date": american(basic["deactivation_date"]),
    "NPI Reactivation Date": american(basic["reactivation_date"]),
  };
  const texts: Readonly<Record<string, string>> = {
    organization_name: "Provider Organization Name (Legal Business Name)",
    last_name: "Provider Last Name (Legal Name)",
    first_name: "Provider First Name",
    middle_name: "Provider Middle Name",
    name_prefix: "Provider Name Prefix Text",
    name_suffix: "Provider Name Suffix Text",
    credential: "Provider Credential Text",
    gender: "Provider Sex Code",
    authorized_official_last_name: "Authorized Official Last Name",
    authorized_official_first_name: "Authorized Official First Name",
    authorized_official_middle_name: "Authorized Official Middle Name",
    authorized_official_title_or_position:
      "Authorized Official Title or Position",
    authorized_official_name_prefix: "Authorized Official Name Prefix Text",
    authorized_official_name_suffix: "Authorized Official Name Suffix Text",
    authorized_official_credential: "Authorized Official Credential Text",
  };
  for (const [member, column] of Object.entries(texts))
    row[column] = basic[member] ?? "";
  row["Authorized Official Telephone Number"] = digits(
    basic["authorized_official_telephone_number"],
  );
  row["Is Sole Proprietor"] = (basic["sole_proprietor"] ?? "").slice(0, 1);
  row["Is Organization Subpart"] = (
    basic["organizational_subpart"] ?? ""
  ).slice(0, 1);
  for (const at of provider.addresses)
    Object.assign(
      row,
      addressOf(
        at,
        at["address_purpose"] === "MAILING" ? "Mailing" : "Practice Location",
      ),
    );
  const ofPerson = provider.other_names.find(
    (name) => name["last_name"] !== undefined,
  );
  if (ofPerson !== undefined)
    Object.assign(row, {
      "Provider Other Last Name": ofPerson["last_name"],
      "Provider Other First Name": ofPerson["first_name"] ?? "",
      "Provider Other Middle Name": ofPerson["middle_name"] ?? "",
      "Provider Other Name Prefix Text": ofPerson["prefix"] ?? "",
      "Provider Other Name Suffix Text": ofPerson["suffix"] ?? "",
      "Provider Other Credential Text": ofPerson["credential"] ?? "",
      "Provider Other Last Name Type Code": ofPerson["code"] ?? "",
    });
  const ofOrganization = provider.other_names.find(
    (name) => name["organization_name"] !== undefined,
  );
  if (ofOrganization !== undefined)
    Object.assign(row, {
      "Provider Other Organization Name": ofOrganization["organization_name"],
      "Provider Other Organization Name Type Code":
        ofOrganization["code"] ?? "",
    });
  provider.taxonomies.forEach((slot, index) => {
    const number = index + 1;
    row[`Healthcare Provider Taxonomy Code_${number}`] = String(slot["code"]);
    row[`Provider License Number_${number}`] = String(slot["license"] ?? "");
    row[`Provider License Number State Code_${number}`] = String(
      slot["state"] ?? "",
    );
    row[`Healthcare Provider Primary Taxonomy Switch_${number}`] =
      slot["primary"] === true ? "Y" : "N";
    row[`Healthcare Provider Taxonomy Group_${number}`] = String(
      slot["taxonomy_group"] ?? "",
    );
  });
  provider.identifiers.forEach((identifier, index) => {
    const number = index + 1;
    row[`Other Provider Identifier_${number}`] = identifier["identifier"] ?? "";
    row[`Other Provider Identifier Type Code_${number}`] =
      identifier["code"] ?? "";
    row[`Other Provider Identifier State_${number}`] =
      identifier["state"] ?? "";
    row[`Other Provider Identifier Issuer_${number}`] =
      identifier["issuer"] ?? "";
  });
  return row;
}

function addressOf(at: Texts, kind: string): RawRow {
  const business = `Business ${kind} Address`;
  return {
    [`Provider First Line ${business}`]: at["address_1"] ?? "",
    [`Provider Second Line ${business}`]: at["address_2"] ?? "",
    [`Provider ${business} City Name`]: at["city"] ?? "",
    [`Provider ${business} State Name`]: at["state"] ?? "",
    [`Provider ${business} Postal Code`]: at["postal_code"] ?? "",
    [`Provider ${business} Country Code (If outside U.S.)`]:
      at["country_code"] ?? "",
    [`Provider ${business} Telephone Number`]: digits(at["telephone_number"]),
    [`Provider ${business} Fax Number`]: digits(at["fax_number"]),
  };
}

/** The ten digits of a number that the API writes with hyphens. */
function digits(number = ""): string {
  return /^\d{3}-\d{3}-\d{4}$/.test(number)
    ? number.replaceAll("-", "")
    : number;
}

/** `YYYY-MM-DD` as the files write it. */
function american(date = ""): string {
  const [year = "", month = "", day = ""] = date.split("-");
  return date === "" ? "" : `${month}/${day}/${year}`;
}

/** The oracle for searches as the registry's own API has them: brute force over records and details. */

import type { Address } from "../../../../src/contract/details.ts";
import type { Provider } from "../../../../src/contract/provider.ts";
import type { ProviderDetails } from "./provider-details.ts";
import type {
  FieldText,
  RegistryPlace,
  RegistryQuery,
} from "../../../../src/search/registry-api/registry-query.ts";
import { areAliases } from "./reference-aliases.ts";
import { comparePlaced, placeOf } from "./reference-place.ts";
import { isUsCountry } from "./reference-provider.ts";
import { referenceCity, referenceFold } from "./reference-fold.ts";

const STATES =
  "AK AL AR AZ CA CO CT DC DE FL GA HI IA ID IL IN KS KY LA MA MD ME MI MN MO MS MT NC ND NE NH NJ NM NV NY OH OK OR PA RI SC SD TN TX UT VA VT WA WI WV WY".split(
    " ",
  );

interface PersonName {
  readonly first: string | null;
  readonly last: string | null;
}

interface Candidate {
  readonly provider: Provider;
  readonly details: ProviderDetails;
}

export class ReferenceRegistryQueries {
  /** In the order of documents. */
  readonly #candidates: readonly Candidate[];

  /** The details of every provider. */
  constructor(
    providers: readonly Provider[],
    details: ReadonlyMap<string, ProviderDetails>,
  ) {
    this.#candidates = providers
      .map((provider) => ({
        provider,
        npi: provider.npi,
        place: placeOf(provider),
        details: details.get(provider.npi)!,
      }))
      .sort(comparePlaced);
  }

  /** The NPIs that match, in order, without skip and limit. */
  search(query: RegistryQuery): string[] {
    return this.#candidates
      .filter((each) => matches(query, each))
      .map(({ provider }) => provider.npi);
  }
}

function matches(
  {
    enumerationType,
    names,
    number,
    organizationName,
    place,
    taxonomies,
  }: RegistryQuery,
  { details, provider }: Candidate,
): boolean {
  const { entity_type: type, npi, status } = provider;
  if (status !== "active") return false;
  if (number !== undefined && npi !== number) return false;
  if (enumerationType !== undefined && type !== enumerationType) return false;
  if (taxonomies !== undefined) {
    const slots = details.taxonomies.map(({ code }) => code);
    const codes = new Set(
      [provider.primary_taxonomy?.code ?? "", ...slots].map((code) =>
        code.toUpperCase(),
      ),
    );
    if (!taxonomies.some((code) => codes.has(code.toUpperCase()))) return false;
  }
  if (names !== undefined) {
    const { first, last, purpose, useAliases } = names;
    const people: (PersonName | null)[] =
      purpose === "official"
        ? [type === "organization" ? details.identity.official : null]
        : type === "individual"
          ? [provider.name, ...details.otherNames.map(({ person }) => person)]
          : [];
    const isNamed = people.some(
      (person) =>
        person !== null &&
        isField(last, person.last) &&
        (isField(first, person.first) ||
          (first !== undefined &&
            useAliases &&
            !first.isPrefix &&
            areAliases(
              referenceFold(first.text),
              referenceFold(person.first ?? ""),
            ))),
    );
    if (!isNamed) return false;
  }
  if (organizationName !== undefined) {
    const all = [
      provider.organization_name,
      ...details.otherNames.map(({ organization }) => organization),
    ];
    if (
      type !== "organization" ||
      !all.some((each) => isField(organizationName, each))
    )
      return false;
  }
  if (place === undefined) return true;
  return addressesOf(place, provider, details).some(
    (address) => address !== null && isThere(place, address),
  );
}

function isField(asked: FieldText | undefined, value: string | null): boolean {
  return (
    asked === undefined ||
    compare(asked, referenceFold(asked.text), referenceFold(value ?? ""))
  );
}

function compare(
  { isPrefix }: FieldText,
  asked: string,
  value: string,
): boolean {
  if (asked === "") return false;
  return isPrefix ? value.startsWith(asked) : value === asked;
}

/** Of cities, spaces are no part. */
function compareCity(by: FieldText, asked: string, value: string): boolean {
  const [one = "", other = ""] = [asked, value].map((each) =>
    each.split(" ").join(""),
  );
  return compare(by, one, other);
}

function addressesOf(
  { purpose }: RegistryPlace,
  { practice_address: primary }: Provider,
  { locations, mailingAddress }: ProviderDetails,
): (Address | null)[] {
  const isIncluded = (...purposes: RegistryPlace["purpose"][]): boolean =>
    purpose === null || purposes.includes(purpose);
  return [
    ...(isIncluded("location", "primary") ? [primary] : []),
    ...(isIncluded("location", "secondary") ? locations : []),
    ...(isIncluded("mailing") ? [mailingAddress] : []),
  ];
}

function isThere(
  { city, country, postalCode, state }: RegistryPlace,
  address: Address,
): boolean {
  const { city: inCity, postal_code: code, state: inState } = address;
  if ([inCity, code, inState, address.country].every((each) => each === null))
    return false;
  const isInState =
    isUsCountry(address.country) && STATES.includes(inState ?? "");
  const inCountry = isInState ? "US" : (address.country ?? "US");
  if (
    state !== undefined &&
    (referenceFold(state) === "" ||
      referenceFold(inState ?? "") !== referenceFold(state))
  )
    return false;
  if (
    country !== undefined &&
    referenceFold(inCountry) !== referenceFold(country)
  )
    return false;
  if (city !== undefined) {
    const asked = referenceCity(city.text);
    const all = referenceCity(inCity ?? "");
    // ST may be SAINT, or the start of STAMFORD.
    const last = referenceFold(city.text).split(" ").at(-1) ?? "";
    const asWritten = [...asked.split(" ").slice(0, -1), last].join(" ");
    const isCity =
      compareCity(city, asked, all) ||
      (city.isPrefix && compareCity(city, asWritten, all));
    if (!isCity) return false;
  }
  if (postalCode === undefined) return true;
  const [asked, whole] = [postalCode.text, code ?? ""].map((each) =>
    referenceFold(each).replaceAll(" ", ""),
  );
  const isZip = /^[0-9]{5}$/.test(asked!);
  return compare(
    { ...postalCode, isPrefix: postalCode.isPrefix || isZip },
    asked!,
    whole!,
  );
}

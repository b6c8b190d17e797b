import { BLOB } from "../../../../src/registry/details/detail-blob.ts";
import type { DetailsView } from "../../../../src/snapshot/details/details-view.ts";
import type {
  OtherName,
  ProviderDetails,
} from "../reference/provider-details.ts";

/** A provider's stored details in the oracle's form: the registry's codes, without their meanings. */
export function storedDetails(view: DetailsView): ProviderDetails {
  const text = (place: number) => view.text(place);
  const { text: identity } = BLOB.identity;
  const { text: status } = BLOB.status;
  view.only(BLOB.status);
  const deactivation = {
    deactivationReason: text(status.deactivation_reason),
    deactivationDate: view.date(status.deactivation_date),
    reactivationDate: view.date(status.reactivation_date),
    replacementNpi: text(status.replacement_npi),
  };
  view.only(BLOB.identity);
  const official = {
    prefix: text(identity["authorized_official.prefix"]),
    first: text(identity["authorized_official.first"]),
    middle: text(identity["authorized_official.middle"]),
    last: text(identity["authorized_official.last"]),
    suffix: text(identity["authorized_official.suffix"]),
    credential: text(identity["authorized_official.credential"]),
    title: text(identity["authorized_official.title"]),
    phone: text(identity["authorized_official.phone"]),
  };
  return {
    identity: {
      prefix: text(identity.name_prefix),
      suffix: text(identity.name_suffix),
      sex: text(identity.sex),
      soleProprietor: text(identity.sole_proprietor),
      organizationSubpart: text(identity.organization_subpart),
      parentOrganization: text(identity.parent_organization),
      phone: text(identity.phone),
      fax: text(identity.fax),
      certificationDate: view.date(identity.certification_date),
      ...deactivation,
      official: isNothing(official) ? null : official,
    },
    taxonomies: taxonomies(view),
    otherNames: otherNames(view),
    locations: view.each(BLOB.locations, () => ({
      ...view.address(0),
      phone: text(BLOB.locations.text.phone),
      phone_extension: text(BLOB.locations.text.phone_extension),
      fax: text(BLOB.locations.text.fax),
    })),
    mailingAddress:
      view.each(BLOB.mailingAddress, () => ({
        ...view.address(0),
        phone: text(BLOB.mailingAddress.text.phone),
        fax: text(BLOB.mailingAddress.text.fax),
      }))[0] ?? null,
    identifiers: view.each(BLOB.identifiers, () => ({
      identifier: text(BLOB.identifiers.text.identifier),
      type: text(BLOB.identifiers.text.type),
      state: text(BLOB.identifiers.text.state),
      issuer: text(BLOB.identifiers.text.issuer),
    })),
    endpoints: endpoints(view),
  };
}

function taxonomies(view: DetailsView): ProviderDetails["taxonomies"] {
  const { text: at } = BLOB.taxonomies;
  return view.each(BLOB.taxonomies, () => ({
    code: view.text(at.code) ?? "",
    primary: view.text(at.primary) === "Y",
    licenseNumber: view.text(at.license_number),
    licenseState: view.text(at.license_state),
    group: view.text(at.group),
  }));
}

function otherNames(view: DetailsView): OtherName[] {
  const { text: at } = BLOB.mainRowName;
  const names: OtherName[] = [];
  view.each(BLOB.mainRowName, () => {
    const organization = view.text(at.organization_name);
    const person = {
      prefix: view.text(at["name.prefix"]),
      first: view.text(at["name.first"]),
      middle: view.text(at["name.middle"]),
      last: view.text(at["name.last"]),
      suffix: view.text(at["name.suffix"]),
      credential: view.text(at["name.credential"]),
    };
    if (organization !== null)
      names.push({
        type: view.text(at.organization_type),
        organization,
        person: null,
      });
    if (!isNothing(person))
      names.push({ type: view.text(at.type), organization: null, person });
  });
  const { text: inFile } = BLOB.otherNames;
  return [
    ...names,
    ...view.each(BLOB.otherNames, () => ({
      type: view.text(inFile.type),
      organization: view.text(inFile.organization_name),
      person: null,
    })),
  ];
}

function endpoints(view: DetailsView): ProviderDetails["endpoints"] {
  const { text: at } = BLOB.endpoints;
  return view.each(BLOB.endpoints, () => {
    const location = view.address(at["location.address_1"]);
    return {
      type: view.text(at.type),
      typeDescription: view.text(at["type.description"]),
      address: view.text(at.address),
      description: view.text(at.description),
      affiliation: view.text(at.affiliation),
      affiliationName: view.text(at.affiliation_name),
      use: view.text(at.use),
      useDescription: view.text(at["use.description"]),
      otherUse: view.text(at.other_use),
      contentType: view.text(at.content_type),
      contentTypeDescription: view.text(at["content_type.description"]),
      otherContentType: view.text(at.other_content_type),
      location: isNothing(location) ? null : location,
    };
  });
}

function isNothing(object: object): boolean {
  return Object.values(object).every((text) => text === null);
}

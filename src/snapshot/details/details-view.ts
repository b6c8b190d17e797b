import { isUsAddress, stateOf } from "../../registry/rows/address.ts";
import { NO_STATE, STATE_CODES } from "../../contract/states.ts";
import { isoDate } from "../../text/dates.ts";
import { ByteReader } from "../bytes/varint.ts";
import {
  AddressText,
  BlobSection,
  ENDPOINT_TEXTS,
  EndpointText,
  IDENTIFIER_TEXTS,
  IdentifierText,
  IDENTITY_TEXTS,
  IdentityText,
  LOCATION_TEXTS,
  LocationText,
  MAILING_TEXTS,
  MailingText,
  OTHER_NAME_TEXTS,
  OtherNameText,
  MAIN_ROW_NAME_TEXTS,
  MainRowNameText,
  STATUS_TEXTS,
  StatusText,
  TAXONOMY_TEXTS,
  TaxonomyText,
} from "../../registry/details/detail-blob.ts";
import type {
  Endpoint,
  Identifier,
  Identity,
  OtherName,
  ProviderDetails,
  TaxonomySlot,
} from "../../registry/details/provider-details.ts";
import type { Address } from "../../contract/address.ts";
import type {
  MailingAddress,
  PracticeLocation,
} from "../../contract/details.ts";

const MAX_TEXTS = Math.max(IDENTITY_TEXTS, ENDPOINT_TEXTS);
const SECTION_ENDS = Math.max(...Object.values(BlobSection)) + 1;

/**
 * One provider's details, read from a blob. Every access to a member decodes it again. For loops over the whole
 * registry, `begin` and `next` step through the records of a section without creating anything.
 */
export class DetailsView extends ByteReader implements ProviderDetails {
  /** The texts of the current record: `bytes[starts[text], ends[text])`. */
  readonly starts = new Int32Array(MAX_TEXTS);
  readonly ends = new Int32Array(MAX_TEXTS);
  /** Per section: position of its header, start and end of its records; all equal if it is missing. */
  readonly #headers = new Int32Array(SECTION_ENDS);
  readonly #recordStarts = new Int32Array(SECTION_ENDS);
  readonly #ends = new Int32Array(SECTION_ENDS);
  #end = 0;
  #blobStart = 0;
  #blobEnd = 0;

  /** Opens the blob `bytes[start, end)` without copying it. */
  open(bytes: Uint8Array, start: number, end: number): void {
    this.bytes = bytes;
    this.#blobStart = start;
    this.#blobEnd = end;
    // For so few numbers, a loop takes less time than fill().
    for (let section = 0; section < SECTION_ENDS; section++)
      this.#headers[section] =
        this.#recordStarts[section] =
        this.#ends[section] =
          0;
    this.at = start;
    while (this.at < end) {
      const header = this.at;
      const section = bytes[this.at++]!;
      const length = this.varint();
      this.#headers[section] = header;
      this.#recordStarts[section] = this.at;
      this.#ends[section] = this.at += length;
    }
  }

  /** The whole blob. */
  get blob(): Uint8Array {
    return this.bytes.subarray(this.#blobStart, this.#blobEnd);
  }

  has(section: number): boolean {
    return this.#ends[section]! > this.#recordStarts[section]!;
  }

  /** A section with its header, as bytes of the blob. */
  section(section: number): Uint8Array {
    return this.bytes.subarray(this.#headers[section], this.#ends[section]);
  }

  /** Moves before the first record of a section. */
  begin(section: number): void {
    this.at = this.#recordStarts[section]!;
    this.#end = this.#ends[section]!;
  }

  /** Moves to the next record, of `texts` texts; false if there is none. */
  next(texts: number): boolean {
    if (this.at >= this.#end) return false;
    const { ends, starts } = this;
    for (let text = 0; text < texts; text++) {
      const length = this.at < this.#end ? this.varint() : 0;
      starts[text] = this.at;
      ends[text] = this.at += length;
    }
    return true;
  }

  /** Moves to the text `text` of a section's only record, and returns whether the record has it. Fills no ranges. */
  reaches(section: number, text: number): boolean {
    this.begin(section);
    for (let skipped = 0; skipped < text && this.at < this.#end; skipped++) {
      const length = this.varint();
      this.at += length;
    }
    return this.at < this.#end;
  }

  /** Whether a section has more than one record of `texts` texts. Moves to its first one. */
  hasSeveral(section: number, texts: number): boolean {
    this.begin(section);
    return this.next(texts) && this.at < this.#end;
  }

  get taxonomies(): TaxonomySlot[] {
    return this.#records(BlobSection.taxonomies, TAXONOMY_TEXTS, () => ({
      code: this.text(TaxonomyText.code) ?? "",
      primary: this.text(TaxonomyText.primary) === "Y",
      licenseNumber: this.text(TaxonomyText.license),
      licenseState: this.text(TaxonomyText.licenseState),
      group: this.text(TaxonomyText.group),
    }));
  }

  get otherNames(): OtherName[] {
    return [
      ...this.#records(BlobSection.mainRowName, MAIN_ROW_NAME_TEXTS, () =>
        this.#mainRowNames(),
      ).flat(),
      ...this.#records(BlobSection.otherNames, OTHER_NAME_TEXTS, () => ({
        type: this.text(OtherNameText.type),
        organization: this.text(OtherNameText.name),
        person: null,
      })),
    ];
  }

  get locations(): PracticeLocation[] {
    return this.#records(BlobSection.locations, LOCATION_TEXTS, () => ({
      ...this.#address(0),
      phone: this.text(LocationText.phone),
      phone_extension: this.text(LocationText.phoneExtension),
      fax: this.text(LocationText.fax),
    }));
  }

  /** The phone of the practice address; null if there is none. */
  get phone(): string | null {
    this.#open(BlobSection.identity, IDENTITY_TEXTS);
    return this.text(IdentityText.phone);
  }

  get identity(): Identity {
    this.#open(BlobSection.status, STATUS_TEXTS);
    const status = {
      deactivationReason: this.text(StatusText.reason),
      deactivationDate: this.#date(StatusText.deactivated),
      reactivationDate: this.#date(StatusText.reactivated),
      replacementNpi: this.text(StatusText.replacementNpi),
    };
    this.#open(BlobSection.identity, IDENTITY_TEXTS);
    const official = {
      prefix: this.text(IdentityText.officialPrefix),
      first: this.text(IdentityText.officialFirst),
      middle: this.text(IdentityText.officialMiddle),
      last: this.text(IdentityText.officialLast),
      suffix: this.text(IdentityText.officialSuffix),
      credential: this.text(IdentityText.officialCredential),
      title: this.text(IdentityText.officialTitle),
      phone: this.text(IdentityText.officialPhone),
    };
    return {
      prefix: this.text(IdentityText.prefix),
      suffix: this.text(IdentityText.suffix),
      sex: this.text(IdentityText.sex),
      soleProprietor: this.text(IdentityText.soleProprietor),
      organizationSubpart: this.text(IdentityText.subpart),
      parentOrganization: this.text(IdentityText.parent),
      phone: this.text(IdentityText.phone),
      fax: this.text(IdentityText.fax),
      certificationDate: this.#date(IdentityText.certified),
      ...status,
      official: isNothing(official) ? null : official,
    };
  }

  get mailingAddress(): MailingAddress | null {
    if (!this.has(BlobSection.mailingAddress)) return null;
    this.#open(BlobSection.mailingAddress, MAILING_TEXTS);
    return {
      ...this.#address(0),
      phone: this.text(MailingText.phone),
      fax: this.text(MailingText.fax),
    };
  }

  get identifiers(): Identifier[] {
    return this.#records(BlobSection.identifiers, IDENTIFIER_TEXTS, () => ({
      identifier: this.text(IdentifierText.identifier),
      type: this.text(IdentifierText.type),
      state: this.text(IdentifierText.state),
      issuer: this.text(IdentifierText.issuer),
    }));
  }

  get endpoints(): Endpoint[] {
    return this.#records(BlobSection.endpoints, ENDPOINT_TEXTS, () => {
      const location = this.#address(EndpointText.location);
      return {
        type: this.text(EndpointText.type),
        typeDescription: this.text(EndpointText.typeDescription),
        address: this.text(EndpointText.address),
        description: this.text(EndpointText.description),
        affiliation: this.text(EndpointText.affiliation),
        affiliationName: this.text(EndpointText.affiliationName),
        use: this.text(EndpointText.use),
        useDescription: this.text(EndpointText.useDescription),
        otherUse: this.text(EndpointText.otherUse),
        contentType: this.text(EndpointText.contentType),
        contentTypeDescription: this.text(EndpointText.contentTypeDescription),
        otherContentType: this.text(EndpointText.otherContentType),
        location: isNothing(location) ? null : location,
      };
    });
  }

  /** A text of the current record; null if it is empty. */
  text(text: number): string | null {
    const start = this.starts[text]!;
    const end = this.ends[text]!;
    if (start === end) return null;
    const { buffer, byteOffset } = this.bytes;
    return Buffer.from(buffer, byteOffset + start, end - start).toString();
  }

  /** The address in the current record from its text `first`, with the members of a record's address. */
  #address(first: number): Address {
    return {
      address_1: this.text(first + AddressText.address1),
      address_2: this.text(first + AddressText.address2),
      city: this.text(first + AddressText.city),
      state: this.#state(
        first + AddressText.state,
        first + AddressText.country,
      ),
      postal_code: this.text(first + AddressText.postalCode),
      country: this.text(first + AddressText.country),
    };
  }

  /** The state of an address, formatted as in a record: two letters for a U.S. address. */
  #state(state: number, country: number): string | null {
    const { bytes, ends, starts } = this;
    const number = stateOf(bytes, starts[state]!, ends[state]!);
    return number !== NO_STATE &&
      isUsAddress(bytes, starts[country]!, ends[country]!, number)
      ? STATE_CODES[number - 1]!
      : this.text(state);
  }

  /** The provider's own row can have another organization name and another person's name. */
  #mainRowNames(): OtherName[] {
    const names: OtherName[] = [];
    const organization = this.text(MainRowNameText.organization);
    const organizationType = this.text(MainRowNameText.organizationType);
    if (organization !== null)
      names.push({ type: organizationType, organization, person: null });
    const person = {
      prefix: this.text(MainRowNameText.prefix),
      first: this.text(MainRowNameText.first),
      middle: this.text(MainRowNameText.middle),
      last: this.text(MainRowNameText.last),
      suffix: this.text(MainRowNameText.suffix),
      credential: this.text(MainRowNameText.credential),
    };
    if (!isNothing(person))
      names.push({
        type: this.text(MainRowNameText.lastType),
        organization: null,
        person,
      });
    return names;
  }

  #records<T>(section: number, texts: number, make: () => T): T[] {
    const records: T[] = [];
    this.begin(section);
    while (this.next(texts)) records.push(make());
    return records;
  }

  /** Moves to the only record of a section, or to an empty one. */
  #open(section: number, texts: number): void {
    this.begin(section);
    if (this.next(texts)) return;
    this.starts.fill(0);
    this.ends.fill(0);
  }

  #date(text: number): string | null {
    const at = this.starts[text]!;
    if (this.ends[text] !== at + 2) return null;
    return isoDate(this.bytes[at]! | (this.bytes[at + 1]! << 8));
  }
}

function isNothing(object: object): boolean {
  return Object.values(object).every((text) => text === null);
}

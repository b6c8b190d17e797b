/** A provider's details as the oracle sees them and as a details file has them. */

import type { Address } from "../../../src/contract/address.ts";
import { isMilitary, stateNumberOfName } from "../../../src/contract/states.ts";
import {
  BlobSection,
  LOCATION_TEXTS,
  LocationText,
  MAIN_ROW_NAME_TEXTS,
  MainRowNameText,
  TAXONOMY_TEXTS,
  TaxonomyText,
} from "../../../src/registry/details/detail-blob.ts";
import { DetailsWriter } from "../../../src/snapshot/details/details-writer.ts";
import type { Snapshot } from "../../../src/snapshot/snapshot.ts";
import {
  varintBytes,
  writeVarint,
} from "../../../src/snapshot/bytes/varint.ts";
import { fold } from "../../../src/text/fold.ts";
import { isUsCountry } from "../reference/reference-provider.ts";

/** Another name: of an organization, or of a person. */
export interface SearchableName {
  organization: string | null;
  last: string | null;
  first: string | null;
}

export interface SearchableDetails {
  /** The codes of all slots. */
  taxonomies: readonly string[];
  otherNames: readonly SearchableName[];
  locations: readonly Address[];
}

export type DetailsByNpi = ReadonlyMap<string, SearchableDetails>;

/** The ZIP of a further location; '' if it has no known location in the U.S. */
export function zipOfLocation(address: Address): string {
  const state = stateNumberOfName(fold(address.state ?? ""));
  if (!isUsCountry(address.country) || isMilitary(state)) return "";
  return /^[0-9]{5}/.exec(address.postal_code ?? "")?.[0] ?? "";
}

/** Writes the details file of a snapshot. */
export function writeDetails(
  path: string,
  { metadata, npi }: Snapshot,
  details: DetailsByNpi,
): void {
  using writer = new DetailsWriter(path, metadata.id);
  for (const each of npi) {
    writer.begin(each);
    const further = details.get(String(each));
    if (further !== undefined) {
      const blob = blobOf(further);
      writer.append(blob, 0, blob.length);
    }
    writer.end();
  }
  writer.finish(["taxonomies", "other_names", "locations"], []);
}

function blobOf({
  locations,
  otherNames,
  taxonomies,
}: SearchableDetails): Buffer {
  return Buffer.concat([
    section(
      BlobSection.taxonomies,
      taxonomies.map((code) =>
        record(TAXONOMY_TEXTS, { [TaxonomyText.code]: code }),
      ),
    ),
    // Several, although the registry's rows only have room for one.
    section(
      BlobSection.mainRowName,
      otherNames.map(({ first, last, organization }) =>
        record(MAIN_ROW_NAME_TEXTS, {
          [MainRowNameText.organization]: organization,
          [MainRowNameText.first]: first,
          [MainRowNameText.last]: last,
        }),
      ),
    ),
    section(
      BlobSection.locations,
      locations.map((location) =>
        record(LOCATION_TEXTS, {
          [LocationText.address1]: location.address_1,
          [LocationText.address2]: location.address_2,
          [LocationText.city]: location.city,
          [LocationText.state]: location.state,
          [LocationText.postalCode]: location.postal_code,
          [LocationText.country]: location.country,
        }),
      ),
    ),
  ]);
}

function section(number: number, records: readonly Buffer[]): Buffer {
  const bytes = Buffer.concat(records);
  return bytes.length === 0
    ? bytes
    : Buffer.concat([Buffer.of(number), varint(bytes.length), bytes]);
}

/** A record of as many `texts`, by their numbers. */
function record(texts: number, values: Record<number, string | null>): Buffer {
  return Buffer.concat(
    Array.from({ length: texts }, (_, text) => {
      const bytes = Buffer.from(values[text] ?? "");
      return Buffer.concat([varint(bytes.length), bytes]);
    }),
  );
}

function varint(value: number): Buffer {
  const bytes = Buffer.alloc(varintBytes(value));
  writeVarint(bytes, 0, value);
  return bytes;
}

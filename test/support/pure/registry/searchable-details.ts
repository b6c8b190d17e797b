/** A provider's details as the oracle sees them and as a details file has them. */

import type { Address } from "../../../../src/contract/details.ts";
import {
  isMilitary,
  stateNumberOfName,
} from "../../../../src/contract/states.ts";
import {
  BLOB,
  type BlobSection,
} from "../../../../src/registry/details/detail-blob.ts";
import { DetailsWriter } from "../../../../src/snapshot/details/details-writer.ts";
import type { Snapshot } from "../../../../src/snapshot/snapshot.ts";
import {
  varintBytes,
  writeVarint,
} from "../../../../src/snapshot/bytes/varint.ts";
import { fold } from "../../../../src/text/fold.ts";
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
      BLOB.taxonomies,
      taxonomies.map((code) => ({ code })),
    ),
    // Several, although the registry's rows only have room for one.
    section(
      BLOB.mainRowName,
      otherNames.map(({ first, last, organization }) => ({
        organization_name: organization,
        "name.first": first,
        "name.last": last,
      })),
    ),
    section(
      BLOB.locations,
      locations.map((location) => ({ ...location })),
    ),
  ]);
}

/** A section with a record for each of `records`: texts by their names. */
function section(
  { number, text }: BlobSection,
  records: readonly Readonly<Record<string, string | null>>[],
): Buffer {
  const bytes = Buffer.concat(
    records.flatMap((record) =>
      Object.keys(text).map((name) => {
        const value = Buffer.from(record[name] ?? "");
        return Buffer.concat([varint(value.length), value]);
      }),
    ),
  );
  return bytes.length === 0
    ? bytes
    : Buffer.concat([Buffer.of(number), varint(bytes.length), bytes]);
}

function varint(value: number): Buffer {
  const bytes = Buffer.alloc(varintBytes(value));
  writeVarint(bytes, 0, value);
  return bytes;
}

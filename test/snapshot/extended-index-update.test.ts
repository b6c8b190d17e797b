import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { extendedPath } from "../../src/snapshot/container/shared-file.ts";
import { DetailsReader } from "../../src/snapshot/details/details-reader.ts";
import { ExtendedIndexBuilder } from "../../src/snapshot/extended/extended-index-builder.ts";
import {
  feedExtended,
  type ExtendedSink,
} from "../../src/snapshot/extended/extended-draft.ts";
import type { RecordTexts } from "../../src/snapshot/extended/doc-order.ts";
import {
  NO_ZIP4,
  POSTAL_CODES,
  type ReadAddress,
} from "../../src/snapshot/extended/areas.ts";
import { AddressText } from "../../src/registry/details/detail-blob.ts";
import { STATE_CODES, stateNumberOfName } from "../../src/contract/states.ts";
import { fold } from "../../src/text/fold.ts";
import { itemsOf } from "../../src/snapshot/postings/postings.ts";
import type { Snapshot } from "../../src/snapshot/snapshot.ts";
import { writeSyntheticRegistry } from "../../src/registry-generator/write-registry.ts";
import { SmallRegistry } from "../support/registry/small-registry.ts";

const PROVIDERS = 4_000;
const WEEKS = [
  { from: "2026-11-10", to: "2026-11-16" },
  { from: "2026-11-17", to: "2026-11-23" },
];

describe("the extended index after weeks", () => {
  it("covers all details of every provider", async () => {
    using registry = new SmallRegistry();
    const bring = async (name: string, contents: object): Promise<void> => {
      const out = join(registry.folder, name);
      await writeSyntheticRegistry({
        providers: PROVIDERS,
        out,
        otherFiles: true,
        ...contents,
      });
      const { status } = await registry.importPath(out);
      assert.equal(status, "imported");
      const snapshot = registry.snapshot();
      assert.deepEqual(registry.faults(), []);
      using details = new DetailsReader(registry.detailsPath());
      assert.deepEqual(held(snapshot), told(details, snapshot));
      // Of the same bytes as one that is built from the snapshot and its details.
      const path = registry.store.pathOf(snapshot.metadata.id);
      using extended = new ExtendedIndexBuilder({
        detailsPath: registry.detailsPath(),
        taxonomyNames: details.taxonomyNames,
      });
      const imported = readFileSync(extendedPath(path));
      rmSync(extendedPath(path));
      extended.write(path);
      assert.ok(readFileSync(extendedPath(path)).equals(imported));
    };
    await bring("NPPES_Data_Dissemination_November_2026.zip", {});
    for (const week of WEEKS) {
      const [from, to] = [week.from, week.to].map(shortDate);
      await bring(`NPPES_Data_Dissemination_${from}_${to}_Weekly.zip`, {
        week: { ...week, changes: 400 },
      });
    }
  });
});

/** What can be found, by document and kind of scope. */
type Found = Map<string, string[]>;

function add(found: Found, doc: number, kind: string, value: string): void {
  const key = `${doc} ${kind}`;
  found.set(key, [...(found.get(key) ?? []), value].sort());
}

/** The contents of the snapshot. */
function held({ extended }: Snapshot): Found {
  const found: Found = new Map();
  const { locations, names, slots } = extended;
  assert.ok(locations !== null && names !== null && slots !== null);
  for (let code = 1; code <= slots.taxonomies.count; code++)
    for (const doc of itemsOf(slots.taxonomyDocs, code))
      add(found, doc, "taxonomy", slots.taxonomies.spelling(code) ?? "");
  const { firstNames, lastNames, organizations } = names;
  names.owners.forEach((doc, at) => {
    const name = names.name[at]!;
    const last =
      name <= lastNames.count
        ? lastNames.spelling(name)
        : organizations.spelling(name - lastNames.count);
    const first = firstNames.spelling(names.firstName[at]!);
    add(found, doc, "name", `${first ?? ""} ${last ?? ""}`);
  });
  locations.docs.forEach((doc, at) => {
    const value = `${locations.zips[at]} ${locations.indexes[at]}`;
    add(found, doc, "location", value);
  });
  const { addresses, officials } = extended;
  assert.ok(addresses !== null && officials !== null);
  officials.owners.forEach((doc, at) => {
    const last = officials.lastNames.spelling(officials.name[at]!);
    const first = officials.firstNames.spelling(officials.firstName[at]!);
    add(found, doc, "official", `${first ?? ""} ${last ?? ""}`);
  });
  const { areas, mailing, secondary } = addresses;
  for (const [kind, list] of Object.entries({ mailing, secondary })) {
    assert.ok(list !== null);
    list.area.forEach((area, item) => {
      if (area === 0) return;
      const { city, country, state, zip } = areas.areas;
      const at = area - 1;
      const number = zip[at]!;
      const digits = String(number).padStart(5, "0");
      const [zip4] = list.zip4.subarray(item);
      const postalCode =
        number > POSTAL_CODES
          ? areas.postalCodes.spelling(number - POSTAL_CODES)
          : number === POSTAL_CODES
            ? ""
            : digits + (zip4 === NO_ZIP4 ? "" : String(zip4).padStart(4, "0"));
      add(
        found,
        list.docOf(item),
        kind,
        [
          areas.cities.spelling(city[at]!) ?? "",
          areas.states.spelling(state[at]!) ?? "",
          postalCode,
          areas.countries.spelling(country[at]!),
        ].join("|"),
      );
    });
  }
  return ordered(found);
}

/** The same from the details, all of which are read. */
function told(
  details: DetailsReader,
  { npi: npis, taxonomies, taxonomy }: Snapshot,
): Found {
  const found: Found = new Map();
  const docs = new Map(Array.from(npis, (npi, doc) => [npi, doc]));
  const read: string[] = [""];
  const addAddress = (kind: string) => ({
    add: (doc: number, { area }: ReadAddress) => {
      if (area > 0) add(found, doc, kind, read[area]!);
    },
  });
  const addName = (
    doc: number,
    kind: string,
    first: string,
    last: string,
  ): void => {
    if (first + last !== "") add(found, doc, kind, `${first} ${last}`);
  };
  const sink: ExtendedSink = {
    provider: (npi) => docs.get(npi) ?? -1,
    slots: {
      add(doc, texts, code) {
        const slot = text(texts, code);
        const isKnown = found.get(`${doc} taxonomy`)?.includes(slot);
        const primary = taxonomies.spelling(taxonomy[doc]!);
        if (slot !== "" && slot !== primary && isKnown !== true)
          add(found, doc, "taxonomy", slot);
      },
    },
    names: {
      addOrganization(doc, texts, name) {
        addName(doc, "name", "", text(texts, name));
      },
      addPerson(doc, texts, last, first) {
        addName(doc, "name", text(texts, first), text(texts, last));
      },
    },
    locations: {
      add(doc, zip, index) {
        if (zip >= 0) add(found, doc, "location", `${zip} ${index}`);
      },
    },
    officials: {
      add(doc, texts, last, first) {
        addName(doc, "official", text(texts, first), text(texts, last));
      },
    },
    areas: {
      read(texts) {
        const { city, country, postal_code: postalCode, state } = AddressText;
        const [inCity, inState, code, inCountry] = [
          city,
          state,
          postalCode,
          country,
        ].map((each) => text(texts, each));
        const known = STATE_CODES[stateNumberOfName(fold(inState ?? "")) - 1];
        // The index has the minor islands as a part of the U.S.
        const home = inCountry === "UM" ? "US" : inCountry;
        const isForeign = !["", "US", "PR"].includes(home ?? "");
        const address = [
          inCity,
          isForeign ? inState : (known ?? inState),
          isForeign ? code : code?.replace("-", ""),
          home,
        ].join("|");
        read.push(address);
        return { area: address === "|||" ? 0 : read.length - 1, zip4: 0 };
      },
    },
    mailing: addAddress("mailing"),
    secondary: addAddress("secondary"),
  };
  feedExtended(details, sink);
  return ordered(found);
}

function ordered(found: Found): Found {
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function text({ bytes, ends, starts }: RecordTexts, at: number): string {
  return Buffer.from(bytes.subarray(starts[at], ends[at])).toString();
}

/** A date as in the registry's file names. */
function shortDate(iso: string): string {
  return iso.slice(5, 7) + iso.slice(8) + iso.slice(2, 4);
}

import { STATE_CODES } from "../../../contract/states.ts";
import { Directory } from "../../../search/directory.ts";
import type { Snapshot } from "../../../snapshot/snapshot.ts";

/** One operation, ready to be pasted into a shell. */
export interface CurlExample {
  readonly title: string;
  readonly command: string;
}

/** What is looked for first: somebody with a name that everybody would try. */
const FIRST_CHOICE = {
  name: "smith",
  entity_type: "individual",
  status: "active",
} as const;
const RADIUS_MILES = "10";

/**
 * A `curl` for each operation, over providers that the data hold, so that every one finds something. Without any
 * provider that is a person with a known place, there are examples that find nothing.
 */
export function curlExamples(
  snapshot: Snapshot,
  url: string,
  key: string,
): CurlExample[] {
  const example = examplePerson(snapshot);
  const zip = example?.zip ?? "60601";
  const search = String(
    new URLSearchParams({
      name: example?.lastName.toLowerCase() ?? "smith",
      state: example?.state ?? "IL",
    }),
  );
  const nearby = String(new URLSearchParams({ zip, radius: RADIUS_MILES }));
  return [
    {
      title: "One provider by NPI",
      command: curl(`${url}/v1/providers/${example?.npi ?? "1234567893"}`, key),
    },
    {
      title: "Providers by name and state",
      command: curl(`${url}/v1/providers/search?${search}`, key),
    },
    {
      title: `Providers within ${RADIUS_MILES} miles of a ZIP code`,
      command: curl(`${url}/v1/providers/nearby?${nearby}`, key),
    },
  ];
}

interface ExamplePerson {
  readonly npi: number;
  readonly lastName: string;
  readonly state: string;
  readonly zip: string;
}

/** A person with a place that nearby knows. */
function examplePerson(snapshot: Snapshot): ExamplePerson | null {
  const { lastNames, name, npi, places } = snapshot;
  const directory = new Directory(snapshot);
  for (const filters of [
    FIRST_CHOICE,
    { entity_type: "individual", status: "active" } as const,
  ]) {
    const page = directory.searchHits({ ...filters, limit: 100, page: 1 });
    for (const { doc } of page.hits) {
      const place = places.placeOf(doc);
      if (place < 0 || places.zip[place] === 0) continue;
      const lastName = lastNames.spelling(name[doc]!);
      const state = STATE_CODES[places.state[place]! - 1];
      const zip = String(places.zip[place]! - 1).padStart(5, "0");
      const isKnown = directory.centroid(zip) !== null;
      if (lastName !== null && state !== undefined && isKnown)
        return { npi: npi[doc]!, lastName, state, zip };
    }
  }
  return null;
}

/** Both parts are quoted for the shell; neither can hold a quote: an address has them percent-encoded. */
function curl(address: string, key: string): string {
  return `curl -H 'Authorization: Bearer ${key}' '${address}'`;
}

import { STATE_CODES } from "../../../contract/states.ts";
import { Directory } from "../../../search/directory.ts";
import type { Snapshot } from "../../../snapshot/snapshot.ts";

/** A command to paste into a shell. */
export interface CurlExample {
  readonly title: string;
  readonly command: string;
}

/** Tried first: a name that anyone would search for. */
const FIRST_CHOICE = {
  name: "smith",
  entity_type: "individual",
  status: "active",
} as const;
const RADIUS_MILES = "10";

/**
 * A `curl` command for some operations, and for the registry's own API in its mode, built from a provider in the data
 * so that each finds something. If no individual has a known location, they find nothing.
 */
export function curlExamples(
  snapshot: Snapshot,
  url: string,
  key: string,
  registryApi: "off" | "key" | "open",
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
  const npi = String(example?.npi ?? "1234567893");
  return [
    {
      title: "One provider by NPI",
      command: curl(`${url}/v1/providers/${npi}`, key),
    },
    {
      title: "Providers by name and state",
      command: curl(`${url}/v1/providers/search?${search}`, key),
    },
    {
      title: `Providers within ${RADIUS_MILES} miles of a ZIP code`,
      command: curl(`${url}/v1/providers/nearby?${nearby}`, key),
    },
    ...(registryApi === "off"
      ? []
      : [registryExample(url, npi, registryApi === "open" ? null : key)]),
  ];
}

/** As clients of the registry's API send a key: in their base URL. */
function registryExample(
  url: string,
  npi: string,
  key: string | null,
): CurlExample {
  const base = key === null ? url : url.replace("://", `://${key}:x@`);
  return {
    title: "The same provider in NPPES API format",
    command: `curl '${base}/api/?version=2.1&number=${npi}'`,
  };
}

interface ExamplePerson {
  readonly npi: number;
  readonly lastName: string;
  readonly state: string;
  readonly zip: string;
}

/** An individual whose ZIP has a centroid. */
function examplePerson(snapshot: Snapshot): ExamplePerson | null {
  const { lastNames, name, npi, places } = snapshot;
  const directory = new Directory(snapshot);
  for (const filters of [
    FIRST_CHOICE,
    { entity_type: "individual", status: "active" } as const,
  ]) {
    const page = directory.search.page({ ...filters, limit: 100, page: 1 });
    for (const { doc } of page.hits) {
      const place = places.placeOf(doc);
      if (place < 0 || places.zip[place] === 0) continue;
      const lastName = lastNames.spelling(name[doc]!);
      const state = STATE_CODES[places.state[place]! - 1];
      const zip = String(places.zip[place]! - 1).padStart(5, "0");
      const isKnown = directory.nearby.centroid(zip) !== null;
      if (lastName !== null && state !== undefined && isKnown)
        return { npi: npi[doc]!, lastName, state, zip };
    }
  }
  return null;
}

/** Both parts are quoted for the shell. Neither can contain a quote; URLs percent-encode them. */
function curl(address: string, key: string): string {
  return `curl -H 'Authorization: Bearer ${key}' '${address}'`;
}

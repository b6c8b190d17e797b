import type { Provider } from "../../../contract/provider.ts";
import type { Directory } from "../../../search/directory.ts";

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
  directory: Directory,
  url: string,
  key: string,
): CurlExample[] {
  const example = exampleProvider(directory);
  const zip = example?.practice_address?.postal_code?.slice(0, 5) ?? "60601";
  const search = String(
    new URLSearchParams({
      name: example?.name?.last?.toLowerCase() ?? "smith",
      state: example?.practice_address?.state ?? "IL",
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

/** A person with a place that nearby knows. */
function exampleProvider(directory: Directory): Provider | null {
  for (const filters of [
    FIRST_CHOICE,
    { entity_type: "individual", status: "active" } as const,
  ]) {
    for (const { npi } of directory.search({ ...filters, limit: 100, page: 1 })
      .entries) {
      const provider = directory.lookup(npi);
      const zip = provider?.practice_address?.postal_code?.slice(0, 5) ?? "";
      const state = provider?.practice_address?.state ?? "";
      const isKnown =
        /^[0-9]{5}$/.test(zip) &&
        /^[A-Z]{2}$/.test(state) &&
        directory.centroid(zip) !== null;
      if (provider !== null && provider.name?.last != null && isKnown)
        return provider;
    }
  }
  return null;
}

/** Both parts are quoted for the shell; neither can hold a quote: an address has them percent-encoded. */
function curl(address: string, key: string): string {
  return `curl -H 'Authorization: Bearer ${key}' '${address}'`;
}

import type { NearbyEntry, SearchEntry } from "../../contract/provider.ts";
import type { Point } from "../../search/query.ts";
import type { ProviderData } from "../app-context.ts";

/** An answer's body with the member `points`: for each entry where it is shown on a map, `[lat,lng]` or null. */
export function shownWith(
  body: string,
  points: readonly (Point | null)[],
): string {
  const pairs = points.map((point) => point && [point.lat, point.lng]);
  return `${body.slice(0, -1)},"points":${JSON.stringify(pairs)}}`;
}

/** Where the entries of a page stand: at the location that was found, which is the primary one unless they say so. */
export function pointsOf(json: string, data: ProviderData): (Point | null)[] {
  const entries: (SearchEntry & Pick<NearbyEntry, "matched_location">)[] =
    JSON.parse(json);
  return entries.map(({ matched_location: matched, npi }) =>
    matched?.kind === "secondary"
      ? data.centroid(matched.address.postal_code?.slice(0, 5) ?? "")
      : data.pointOf(npi),
  );
}

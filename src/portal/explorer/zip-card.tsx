import type { ZipRow } from "../map/map-points.ts";
import { providers } from "../format.ts";
import type { Entry } from "./entry-list.tsx";
import { PlaceCard } from "./place-card.tsx";
import { addressOf, asKind, type Question } from "./question.ts";

/** Who is at a place where one ZIP has its middle, or several have. */
export function ZipCard({
  entries,
  question,
  rows,
}: {
  /** Those of the list's page. */
  readonly entries: readonly Entry[];
  readonly question: Question;
  readonly rows: readonly ZipRow[];
}) {
  const zips = rows.map(([zip]) => zip);
  const total = rows.reduce((sum, [, , , count]) => sum + count, 0);
  // A search by ZIP looks at primary locations alone.
  const hasSecondary = question.parameters.get("location_scope") === "any";
  return (
    <PlaceCard
      title={`${providers(total)} at ZIP ${zips.join(", ")}`}
      entries={entries}
      more={(hasSecondary ? [] : zips).map((zip) => ({
        href: addressOf(asKind("search", question, { zip })),
        text: `List all at ZIP ${zip}`,
      }))}
    />
  );
}

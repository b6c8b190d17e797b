import { Type } from "typebox";
import type { Static } from "typebox";
import { STALE_AFTER_DAYS } from "./data-age.ts";
import { nullableText } from "./nullable.ts";
import { NearbyEntry, NPI, ProviderRecord, SearchEntry } from "./provider.ts";

/**
 * What the paths under `/v1` answer: schemas and types. Titles are the names of the OpenAPI document's components.
 */

export const LookupAnswer = Type.Object(
  {
    data: ProviderRecord,
    meta: Type.Object({
      source: Type.String({
        description: "The origin of the data, and how far it reaches.",
      }),
    }),
  },
  { title: "LookupAnswer" },
);

const COUNT = Type.Integer({ description: "Entries on this page." });
const PAGE = Type.Integer({ description: "The page asked for." });
const LIMIT = Type.Integer({ description: "The limit asked for." });

export const SearchAnswer = Type.Object(
  {
    data: Type.Array(SearchEntry),
    meta: Type.Object({
      count: COUNT,
      page: PAGE,
      limit: LIMIT,
      total: Type.Integer({
        description: "All providers that match; always exact.",
      }),
    }),
  },
  { title: "SearchAnswer" },
);

export const NearbyAnswer = Type.Object(
  {
    data: Type.Array(NearbyEntry),
    meta: Type.Object({
      count: COUNT,
      page: PAGE,
      limit: LIMIT,
      radius_miles: Type.Number({ description: "The radius asked for." }),
      center: Type.Object({
        zip: Type.String({
          description:
            "The ZIP code asked for, or the one whose centroid is nearest to the pair.",
        }),
        lat: Type.Number({
          description:
            "Latitude of the centre: the pair's, or the ZIP code's centroid.",
        }),
        lng: Type.Number({
          description:
            "Longitude of the centre: the pair's, or the ZIP code's centroid.",
        }),
      }),
    }),
  },
  { title: "NearbyAnswer" },
);

export const ChangeEntry = Type.Object(
  {
    npi: NPI,
    kind: Type.Enum(
      ["added", "changed", "deactivated", "reactivated", "removed"],
      {
        type: "string",
        description:
          "`added`: the NPI was not held before. `removed`: the registry's new full file lacks it. `deactivated`, `reactivated`: its `status` is another now. `changed`: anything else.",
      },
    ),
    date: Type.String({
      description:
        "ISO 8601 day (UTC) on which this service took the change up.",
    }),
    data_date: nullableText(
      "ISO 8601 date to which the registry's file reaches that brought it; null where the file does not tell.",
    ),
    changed_fields: Type.Array(Type.String(), {
      description:
        "The paths of the members that are others now, such as `name.last`; empty for `added` and `removed`.",
    }),
  },
  { title: "Change", description: "What became of a provider's record." },
);

export const ChangesAnswer = Type.Object(
  {
    data: Type.Array(ChangeEntry),
    meta: Type.Object({
      count: Type.Integer({ description: "Changes in this answer." }),
      limit: LIMIT,
      has_more: Type.Boolean({
        description: "Whether more changes follow already.",
      }),
      next_cursor: Type.String({
        description:
          "Where the list goes on, now or after the next update; always given.",
      }),
      complete_since: Type.String({
        description:
          "ISO 8601 time of the data from which the list goes on. A copy taken from older data cannot be brought up to date with it.",
      }),
      source: Type.String({
        description: "The origin of the data, and how far it reaches.",
      }),
    }),
  },
  { title: "ChangesAnswer" },
);

export const StatusAnswer = Type.Object(
  {
    data: Type.Object({
      snapshot: Type.String({
        description: "The id of the data that are served.",
      }),
      taken_up_at: Type.String({
        description: "ISO 8601 time at which this service made them.",
      }),
      data_date: nullableText(
        "ISO 8601 date to which the registry's files reach; null where they do not tell, and for demo data.",
      ),
      data_age_days: Type.Unsafe<number | null>({
        type: ["integer", "null"],
        description: "Whole days since `data_date`.",
      }),
      stale: Type.Boolean({
        description: `Whether the data are older than ${STALE_AFTER_DAYS} days.`,
      }),
      warning: nullableText("One sentence while `stale`, else null."),
      counts: Type.Object({
        providers: Type.Integer({ description: "All records." }),
        individuals: Type.Integer({ description: "Of these, individuals." }),
        organizations: Type.Integer({
          description: "Of these, organizations.",
        }),
        deactivated: Type.Integer({
          description: "Of these, deactivated, with details or without.",
        }),
        withheld: Type.Integer({
          description:
            "Of the deactivated, those of which the NPI and the date alone are known.",
        }),
      }),
      next_update: nullableText(
        "ISO 8601 time at which this service looks for new data next; null without a schedule.",
      ),
    }),
    meta: Type.Object({
      source: Type.String({
        description: "The origin of the data, and how far it reaches.",
      }),
    }),
  },
  { title: "StatusAnswer" },
);

export type ChangeEntry = Static<typeof ChangeEntry>;
export type ChangesAnswer = Static<typeof ChangesAnswer>;
export type StatusAnswer = Static<typeof StatusAnswer>;
export type LookupAnswer = Static<typeof LookupAnswer>;
export type SearchAnswer = Static<typeof SearchAnswer>;
export type NearbyAnswer = Static<typeof NearbyAnswer>;

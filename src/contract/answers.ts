import { Type } from "typebox";
import type { Static, TSchema } from "typebox";
import { STALE_AFTER_DAYS } from "./data-age.ts";
import { DETAIL_PARTS } from "./detail-parts.ts";
import {
  decimal,
  nullable,
  nullableText,
  text,
  trueOrFalse,
  whole,
} from "./schemas.ts";
import {
  NearbyEntry,
  NPI,
  ProviderRecord,
  SearchEntry,
  Taxonomy,
} from "./provider.ts";
import { MAX_SUGGESTIONS, VERDICTS } from "./verdicts.ts";

/** Schemas and types of the responses under `/v1`. Titles are the component names in the OpenAPI document. */

const SOURCE = text("Where the data comes from, and the dates it covers.");

/** Describes a response that consists of its data, and says where it comes from. */
function withSource<Data extends TSchema>(title: string, data: Data) {
  return Type.Object(
    { data, meta: Type.Object({ source: SOURCE }) },
    { title },
  );
}

export const LookupAnswer = withSource("LookupResponse", ProviderRecord);

export const BatchEntry = Type.Object(
  {
    npi: text("The number as sent, without outer spaces."),
    verdict: Type.Enum([...VERDICTS], {
      type: "string",
      description:
        "`active`, `deactivated`: the status of the provider. `not_found`: the registry has no record of this NPI. `invalid_check_digit`: the last digit is wrong, so a digit has a typo. `malformed`: not 10 digits. Only the first three are looked up and count.",
    }),
    provider: nullable(
      ProviderRecord,
      "The record, as a lookup has it; null unless `active` or `deactivated`.",
    ),
    replaced_by: nullableText(
      "The NPI that the registry names as the replacement of a deactivated one; null if it names none, or if the installation does not store `identity`.",
    ),
    suggestions: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: MAX_SUGGESTIONS,
        description: `Only with \`invalid_check_digit\`: up to ${MAX_SUGGESTIONS} NPIs in the registry that differ by two neighboring digits in the wrong order, or by one digit. The most likely comes first: swapped digits before single ones, and of these, active providers first.`,
      }),
    ),
  },
  { title: "BatchEntry", description: "A number of a batch." },
);

export const BatchAnswer = Type.Object(
  {
    data: Type.Array(BatchEntry, {
      description: "An entry for each number, in the order sent.",
    }),
    meta: Type.Object({
      count: whole("Entries in this response."),
      counted: whole(
        "How many requests this one counts as: one for each NPI that was looked up.",
      ),
      source: SOURCE,
    }),
  },
  { title: "BatchResponse" },
);

const LIMIT = whole("The requested limit.");
const PAGE_META = {
  count: whole("Entries on this page."),
  page: whole("The requested page."),
  limit: LIMIT,
};

export const SearchAnswer = Type.Object(
  {
    data: Type.Array(SearchEntry),
    meta: Type.Object({
      ...PAGE_META,
      total: whole("Number of matching providers; always exact."),
    }),
  },
  { title: "SearchResponse" },
);

export const NearbyAnswer = Type.Object(
  {
    data: Type.Array(NearbyEntry),
    meta: Type.Object({
      ...PAGE_META,
      radius_miles: decimal("The requested radius."),
      center: Type.Object({
        zip: text(
          "The requested ZIP code, or the one whose centroid is nearest to `lat` and `lng`.",
        ),
        lat: decimal(
          "Latitude of the center: the requested `lat`, or that of the ZIP code's centroid.",
        ),
        lng: decimal(
          "Longitude of the center: the requested `lng`, or that of the ZIP code's centroid.",
        ),
      }),
    }),
  },
  { title: "NearbyResponse" },
);

export const ChangeEntry = Type.Object(
  {
    npi: NPI,
    kind: Type.Enum(
      ["added", "changed", "deactivated", "reactivated", "removed"],
      {
        type: "string",
        description:
          "`added`: the NPI is new here. `removed`: it is no longer in the registry's full file. `deactivated`, `reactivated`: its `status` changed. `changed`: anything else changed.",
      },
    ),
    date: text(
      "ISO 8601 date (UTC) on which this service imported the change.",
    ),
    data_date: nullableText(
      "ISO 8601 end date of the registry file that contained the change; null if the file has no dates.",
    ),
    changed_fields: Type.Array(Type.String(), {
      description:
        "Paths of the fields that changed, such as `name.last`; empty for `added` and `removed`.",
    }),
    details: Type.Optional(
      Type.Array(
        Type.Object({
          field: text(
            "Path of the member that `include` shows, such as `identity.phone`; for a list, its name.",
          ),
          old: Type.Unknown({
            description:
              "The old value; for a list, the entries that are gone. Null together with `new`: too long to list.",
          }),
          new: Type.Unknown({
            description: "The new value; for a list, the entries that are new.",
          }),
        }),
        {
          description:
            "Only with `include=details`, and only if details changed: each of them, with its old and new value.",
        },
      ),
    ),
  },
  { title: "Change", description: "A change to a provider's record." },
);

export const ChangesAnswer = Type.Object(
  {
    data: Type.Array(ChangeEntry),
    meta: Type.Object({
      count: whole("Changes in this response."),
      limit: LIMIT,
      has_more: trueOrFalse("Whether more changes are available now."),
      next_cursor: text(
        "The cursor for the next request, now or after the next update. Always present.",
      ),
      complete_since: text(
        "ISO 8601 time of the data on which the list of changes builds. A copy of older data cannot be updated with it.",
      ),
      source: SOURCE,
    }),
  },
  { title: "ChangesResponse" },
);

const PROVIDER_COUNTS = {
  individuals: whole("Active individuals."),
  organizations: whole("Active organizations."),
};
const ProviderCounts = Type.Object(PROVIDER_COUNTS);

export const TaxonomyEntry = Type.Object(
  {
    ...Taxonomy.properties,
    grouping: nullableText(
      "The top level of NUCC's hierarchy, such as `Allopathic & Osteopathic Physicians`. Null, like the two below, if the loaded NUCC table does not have it.",
    ),
    classification: nullableText("The level below it."),
    specialization: nullableText(
      "The lowest level; null for a taxonomy without one.",
    ),
    active_providers: Type.Object({
      primary: Type.Object(PROVIDER_COUNTS, {
        description: "Providers that have it as their primary taxonomy.",
      }),
      any: nullable(
        ProviderCounts,
        "Providers that have it as one of their taxonomies, each counted once; null if the installation stores only primary taxonomies, or was upgraded and has not imported anything since.",
      ),
    }),
  },
  {
    title: "TaxonomyEntry",
    description:
      "A taxonomy of the loaded NUCC table or of any provider, and how many active providers have it.",
  },
);

export const TaxonomyAnswer = withSource("TaxonomyResponse", TaxonomyEntry);

export const TaxonomiesAnswer = Type.Object(
  {
    data: Type.Array(TaxonomyEntry),
    meta: Type.Object({
      ...PAGE_META,
      total: whole("Number of matching taxonomies."),
    }),
  },
  { title: "TaxonomiesResponse" },
);

export const StatusAnswer = withSource(
  "StatusResponse",
  Type.Object({
    snapshot: text("The id of the snapshot being served."),
    taken_up_at: text(
      "ISO 8601 time at which this service created the snapshot.",
    ),
    data_date: nullableText(
      "ISO 8601 end date of the registry's files; null if they have no dates, and for demo data.",
    ),
    data_age_days: Type.Unsafe<number | null>({
      type: ["integer", "null"],
      description: "Whole days since `data_date`.",
    }),
    stale: trueOrFalse(
      `Whether the data is older than ${STALE_AFTER_DAYS} days.`,
    ),
    warning: nullableText(
      "A sentence about the data's age if `stale`, else null.",
    ),
    counts: Type.Object({
      providers: whole("All providers."),
      individuals: whole("Individuals."),
      organizations: whole("Organizations."),
      deactivated: whole("Deactivated providers, with or without details."),
      withheld: whole(
        "Deactivated providers of which only the NPI and the date are known.",
      ),
    }),
    next_update: nullableText(
      "ISO 8601 time of the next check for new data; null if no checks are scheduled.",
    ),
    details: Type.Array(Type.Enum([...DETAIL_PARTS], { type: "string" }), {
      description:
        "What `include` can add to a record: the parts that this installation stores.",
    }),
  }),
);

export const SnapshotFile = Type.Object(
  {
    name: text("Its name, such as `providers.parquet`."),
    description: text("What it has, and in what order."),
    media_type: text("Its media type."),
    rows: whole("The number of rows, or of lines of NDJSON."),
    bytes: whole("Size in bytes."),
    sha256: text("SHA-256 of its bytes, as 64 hexadecimal digits."),
    url: text(
      "Path of the file, below the service's address. Valid while the snapshot is kept; what is there never changes.",
    ),
    columns: Type.Array(
      Type.Object({
        name: text("The column's name."),
        type: text("Its type in SQL, such as `VARCHAR` or `DATE`."),
      }),
      { description: "The columns of a table; empty for NDJSON." },
    ),
  },
  { title: "SnapshotFile", description: "A file to copy, or to query." },
);

export const FilesAnswer = Type.Object(
  {
    data: Type.Array(SnapshotFile),
    meta: Type.Object({
      snapshot: text("The id of the snapshot."),
      data_date: nullableText(
        "ISO 8601 end date of the registry's files; null if they have no dates, and for demo data.",
      ),
      changes_from: nullableText(
        "The id of the snapshot that `changes.parquet` brings up to date; null without that file.",
      ),
      source: text("Where the data comes from, and the dates it covers."),
    }),
  },
  { title: "FilesResponse" },
);

/** `GET /healthz` */
export const HealthAnswer = Type.Object({
  data: Type.Object({ status: Type.Literal("ok") }),
  meta: Type.Object({}),
});

/** `GET /readyz` */
export const ReadinessAnswer = Type.Object({
  data: Type.Object({
    status: Type.Literal("ready"),
    warning: Type.Union([Type.String(), Type.Null()], {
      description:
        "A sentence while the accounts database cannot be written to, for example because the disk is full. Requests still get responses, and usage is counted in memory.",
    }),
  }),
  meta: Type.Object({ source: SOURCE }),
});

export type BatchEntry = Static<typeof BatchEntry>;
export type BatchAnswer = Static<typeof BatchAnswer>;
export type ChangeEntry = Static<typeof ChangeEntry>;
export type ChangesAnswer = Static<typeof ChangesAnswer>;
export type ProviderCounts = Static<typeof ProviderCounts>;
export type TaxonomyEntry = Static<typeof TaxonomyEntry>;
export type TaxonomyAnswer = Static<typeof TaxonomyAnswer>;
export type TaxonomiesAnswer = Static<typeof TaxonomiesAnswer>;
export type SnapshotFile = Static<typeof SnapshotFile>;
export type FilesAnswer = Static<typeof FilesAnswer>;
export type StatusAnswer = Static<typeof StatusAnswer>;
export type HealthAnswer = Static<typeof HealthAnswer>;
export type LookupAnswer = Static<typeof LookupAnswer>;
export type SearchAnswer = Static<typeof SearchAnswer>;
export type NearbyAnswer = Static<typeof NearbyAnswer>;

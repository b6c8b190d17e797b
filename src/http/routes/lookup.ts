import { LookupAnswer } from "../../contract/answers.ts";
import {
  DETAILS_EXAMPLE,
  LOOKUP_EXAMPLE,
  WITHHELD_EXAMPLE,
} from "../../contract/examples.ts";
import type { Static } from "typebox";
import type { Route } from "./route.ts";
import {
  ALL_PARTS,
  DETAIL_PARTS,
  type DetailPart,
} from "../../contract/detail-parts.ts";
import { checkNpi } from "../../registry/npi.ts";
import type { Directory } from "../../search/directory.ts";
import type { FoundRecord } from "../../search/query.ts";
import {
  LookupParameters,
  NoParameters,
  NpiParameter,
} from "../../contract/parameters.ts";
import {
  isFailure,
  Refusal,
  type Failure,
  type FailureDetail,
} from "../pipeline/failure.ts";
import type {
  RequestTarget,
  QuickOperation,
  OperationResult,
} from "../queries/data-operation.ts";
import {
  invalid,
  parameterFailure,
  queryOf,
  queryReader,
  type QueryReader,
} from "../queries/query-string.ts";

/** The parts to include, or all that are stored. */
type Included = readonly DetailPart[] | "available";

interface LookupQuery {
  readonly npi: string;
  readonly include: Included;
  readonly snapshot?: string | undefined;
}

interface LookupResult extends OperationResult {
  readonly hits: readonly [FoundRecord];
}

const NO_PARTS: readonly DetailPart[] = [];

/** The lookup of a provider by NPI. */
export const LOOKUP: QuickOperation<LookupQuery, LookupResult, LookupResult> = {
  parse: lookupParser(queryReader(LookupParameters)),
  pinned: ({ snapshot }) => snapshot,
  key: ({ include, npi }) =>
    include.length === 0 ? npi : [npi, include].flat().join("."),
  resolve(data, { include, npi }) {
    const parts = partsOf(data, include);
    if (isFailure(parts)) return parts;
    const record =
      parts.length === 0
        ? data.lookup.find(npi)
        : readable(() => data.lookup.find(npi, parts));
    return record === null ? notInRegistry(npi) : { hits: [record] };
  },
  execute: (_data, found) => found,
  render: ({ lookup: { rendering }, members }, { hits: [record] }, more) =>
    rendering.writeRecord(
      record,
      more === undefined ? members : { ...members, ...more },
    ),
};

/** The lookup for the explorer: no parameters, and all details that are stored. */
export const LOOKUP_WITH_DETAILS: typeof LOOKUP = {
  ...LOOKUP,
  parse: lookupParser(queryReader(NoParameters), [ALL_PARTS]),
};

/** `GET /v1/providers/{npi}` */
export const LOOKUP_ROUTE = {
  method: "GET",
  path: "/v1/providers/:npi",
  access: "key",
  counted: "lookup",
  described: {
    operationId: "getProvider",
    summary: "Look up a provider by NPI",
    description:
      "Returns one provider's record. The record of a deactivated NPI shows the last details that this service imported. If it never imported any, every field except `npi`, `status` and `deactivation_date` is null. `include` adds fields to the record.",
    pathParameters: { npi: NpiParameter },
    query: LookupParameters,
    answer: {
      description: "The provider's record.",
      schema: LookupAnswer,
      examples: {
        "An individual": LOOKUP_EXAMPLE,
        "An individual, with everything included": DETAILS_EXAMPLE,
        "A deactivated NPI without details": WITHHELD_EXAMPLE,
      },
    },
    codes: [
      "invalid_npi",
      "details_not_held",
      "provider_not_found",
      "details_unreadable",
    ],
  },
  isQuick: true,
  handler: ({ from }) => from(LOOKUP),
} satisfies Route;

/** Makes the parser of look-ups, which include what their parameters or `byDefault` say. */
function lookupParser(
  read: QueryReader<Static<typeof LookupParameters>>,
  byDefault: readonly string[] = NO_PARTS,
): (target: RequestTarget) => LookupQuery | Failure {
  return ({ params: { npi = "" }, url }) => {
    const { problems, value } = read(queryOf(url));
    const all = [...npiProblems(npi), ...problems];
    if (value === null || all.length > 0) return parameterFailure(all);
    const { include = byDefault, snapshot } = value;
    return { npi, include: inOrder(include), snapshot };
  };
}

/** Checks an NPI, without the data. */
export function npiProblems(npi: string): FailureDetail[] {
  const fault = checkNpi(npi);
  if (fault === "ok") return [];
  const message =
    fault === "shape"
      ? "An NPI must have 10 digits."
      : "The check digit of this NPI is wrong. Check the number for a typo.";
  return [invalid("npi", message, "invalid_npi")];
}

/** Sorts parts, so that equal answers have equal entity tags. */
export function inOrder(include: readonly string[]): Included {
  if (include.length === 0) return NO_PARTS;
  if (include.includes(ALL_PARTS)) return "available";
  return DETAIL_PARTS.filter((part) => include.includes(part));
}

/** Returns the parts to include of this data; a failure if it lacks one that is named. */
export function partsOf(
  { detailParts }: Directory,
  include: Included,
  param: "columns" | "include" = "include",
): readonly DetailPart[] | Failure {
  const parts = include === "available" ? detailParts : include;
  return parts.every((part) => detailParts.includes(part))
    ? parts
    : detailsNotAvailable(parts, detailParts, param);
}

export function detailsNotAvailable(
  include: readonly DetailPart[],
  available: readonly DetailPart[],
  param: "columns" | "include" = "include",
): Failure {
  const missing = include
    .filter((part) => !available.includes(part))
    .join(", ");
  const code = "details_not_held";
  const message = `This installation does not store ${missing}, only ${available.length === 0 ? "plain records" : available.join(", ")}. Its operator can add them: import the registry's full zip with --details all.`;
  return parameterFailure([invalid(param, message, code)]);
}

export function notInRegistry(npi: string): Failure {
  return {
    code: "provider_not_found",
    message: `The registry has no record of NPI ${npi}.`,
  };
}

/** Reads details. Throws a `Refusal` if their file cannot be read. */
export function readable<Details>(read: () => Details): Details {
  try {
    return read();
  } catch (err) {
    const message = "cannot read a provider's details";
    throw new Refusal({ ...UNREADABLE, cause: { err, message } });
  }
}

export const UNREADABLE: Failure = {
  code: "details_unreadable",
  message:
    "The file with these details cannot be read. Leave out include to get the record.",
};

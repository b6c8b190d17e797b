import type { ApiErrorCode } from "../../contract/errors/errors.ts";
import { SearchParameters } from "../../contract/parameters.ts";
import * as access from "../access/failures.ts";
import { quotaExceeded } from "../access/caller.ts";
import { serviceBusy, tooManyAtOnce } from "../limits/account-share.ts";
import { internalError, notFound, type Failure } from "../pipeline/failure.ts";
import { methodNotAllowed } from "../pipeline/methods.ts";
import * as unreadable from "../pipeline/request-check.ts";
import { RESPONSE_HEADERS } from "../pipeline/response-headers.ts";
import { dataNotLoaded, snapshotGone } from "../queries/data-operation.ts";
import { parameterFailure, queryReader } from "../queries/query-string.ts";
import { cursorGone } from "../routes/changes.ts";
import { unready } from "../routes/health.ts";
import * as lookup from "../routes/lookup.ts";
import { placeProblems } from "../routes/nearby.ts";
import { unknownTaxonomy } from "../routes/taxonomies.ts";

const RESET_AT = Number(RESPONSE_HEADERS["X-RateLimit-Reset"].example);

/** An example of each error, made by the code that returns it. */
export const EXAMPLE_FAILURES: Readonly<Record<ApiErrorCode, Failure>> = {
  accounts_unavailable: access.keyUnchecked(5),
  malformed_request: unreadable.notUtf8(),
  invalid_npi: parameterFailure(lookup.npiProblems("1976056767")),
  invalid_parameter: parameterFailure(
    queryReader(SearchParameters)("limit=0").problems,
  ),
  invalid_location: parameterFailure(placeProblems(new Set())),
  missing_api_key: access.missingKey(),
  invalid_api_key: access.invalidKey(),
  account_suspended: access.keySuspended(),
  details_not_held: lookup.detailsNotAvailable(
    ["locations"],
    ["taxonomies", "identity"],
  ),
  not_found: notFound(),
  provider_not_found: lookup.notInRegistry("1234567893"),
  taxonomy_not_found: unknownTaxonomy("207Q00000Y"),
  method_not_allowed: methodNotAllowed("POST"),
  cursor_gone: cursorGone(),
  snapshot_gone: snapshotGone(
    RESPONSE_HEADERS.Snapshot.example,
    "20261123T031500000Z",
  ),
  uri_too_long: unreadable.uriTooLong(),
  headers_too_large: unreadable.headersTooLarge(),
  too_many_failures: access.tooManyFailures(42),
  rate_limit_exceeded: access.tooFast(
    { name: "free", burstPerSecond: 10 },
    { retryAfterSeconds: 1 },
  ),
  too_many_at_once: tooManyAtOnce(),
  service_busy: serviceBusy(),
  quota_exceeded: quotaExceeded({
    limit: 1_000,
    remaining: 0,
    resetAt: RESET_AT,
    resetSeconds: 863_999,
  }),
  internal_error: internalError(),
  details_unreadable: lookup.UNREADABLE,
  data_not_loaded: dataNotLoaded(),
  snapshot_behind: unready("snapshot_behind"),
  shutting_down: unready("shutting_down"),
};

import type { ApiErrorCode } from "../../contract/errors/errors.ts";
import { SearchParameters } from "../../contract/parameters.ts";
import {
  invalidKey,
  keySuspended,
  keyUnchecked,
  missingKey,
  tooFast,
  tooManyFailures,
} from "../access/failures.ts";
import { serviceBusy, tooManyAtOnce } from "../limits/account-share.ts";
import { quotaExceeded } from "../access/caller.ts";
import { internalError, notFound, type Failure } from "../pipeline/failure.ts";
import { methodNotAllowed } from "../pipeline/methods.ts";
import {
  headersTooLarge,
  notUtf8,
  uriTooLong,
} from "../pipeline/request-check.ts";
import { RESPONSE_HEADERS } from "../pipeline/response-headers.ts";
import { dataNotLoaded, snapshotGone } from "../queries/data-operation.ts";
import { parameterFailure, queryReader } from "../queries/query-string.ts";
import { cursorGone } from "../routes/changes.ts";
import { unready } from "../routes/health.ts";
import {
  detailsNotAvailable,
  notInRegistry,
  npiProblems,
  UNREADABLE,
} from "../routes/lookup.ts";
import { placeProblems } from "../routes/nearby.ts";
import { unknownTaxonomy } from "../routes/taxonomies.ts";

const RESET_AT = Number(RESPONSE_HEADERS["X-RateLimit-Reset"].example);

/** An example of each error, made by the code that returns it. */
export const EXAMPLE_FAILURES: Readonly<Record<ApiErrorCode, Failure>> = {
  accounts_unavailable: keyUnchecked(5),
  malformed_request: notUtf8(),
  invalid_npi: parameterFailure(npiProblems("1976056767")),
  invalid_parameter: parameterFailure(
    queryReader(SearchParameters)("limit=0").problems,
  ),
  invalid_location: parameterFailure(placeProblems(new Set())),
  missing_api_key: missingKey(),
  invalid_api_key: invalidKey(),
  account_suspended: keySuspended(),
  details_not_held: detailsNotAvailable(
    ["locations"],
    ["taxonomies", "identity"],
  ),
  not_found: notFound(),
  provider_not_found: notInRegistry("1234567893"),
  taxonomy_not_found: unknownTaxonomy("207Q00000Y"),
  method_not_allowed: methodNotAllowed("POST"),
  cursor_gone: cursorGone(),
  snapshot_gone: snapshotGone(
    RESPONSE_HEADERS.Snapshot.example,
    "20261123T031500000Z",
  ),
  uri_too_long: uriTooLong(),
  headers_too_large: headersTooLarge(),
  too_many_failures: tooManyFailures(42),
  rate_limit_exceeded: tooFast(
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
  details_unreadable: UNREADABLE,
  data_not_loaded: dataNotLoaded(),
  snapshot_behind: unready("snapshot_behind"),
  shutting_down: unready("shutting_down"),
};

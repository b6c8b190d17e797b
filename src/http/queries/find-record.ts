import type { DetailPart } from "../../contract/detail-parts.ts";
import { checkNpi } from "../../registry/npi.ts";
import type { ProviderData } from "../app-context.ts";
import type { Failure, FailureDetail } from "../pipeline/failure.ts";

/**
 * The record of an NPI with some parts of its details, which must be held, as JSON; null where there is none. `onFault` is
 * told of a broken file.
 */
export function findRecord(
  data: ProviderData,
  npi: string,
  include: readonly DetailPart[],
  onFault: (error: unknown) => void,
): { readonly json: string | null } | { readonly failure: Failure } {
  if (include.length === 0) return { json: data.lookupJson(npi) };
  try {
    return { json: data.lookupJsonWith(npi, include) };
  } catch (error) {
    onFault(error);
    return { failure: UNREADABLE };
  }
}

/** What is wrong with an NPI before the data are asked. */
export function npiProblems(npi: string): FailureDetail[] {
  const fault = checkNpi(npi);
  if (fault === "ok") return [];
  const message =
    fault === "shape"
      ? "An NPI has 10 digits."
      : "The check digit of this NPI is wrong.";
  return [{ param: "npi", code: "invalid_npi", message }];
}

export function notInRegistry(npi: string): Failure {
  return {
    code: "provider_not_found",
    message: `The registry does not hold the NPI ${npi}.`,
  };
}

const UNREADABLE: Failure = {
  code: "details_unreadable",
  message:
    "The file that holds these details cannot be read. Without include the record is served.",
};

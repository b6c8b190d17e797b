import type {
  InterpretedFilters,
  InterpretedOperation,
} from "../../contract/interpret.ts";
import type { Draft } from "./draft.ts";
import { REASONS } from "./reasons.ts";

/**
 * Decides between search and nearby, and makes the filters those of the operation. It is nearby if a distance or a word
 * such as near is with a ZIP code or a city that has a location, or with no place at all, or if a specialty is with
 * such a ZIP code.
 */
export function decideOperation(draft: Draft): InterpretedOperation | null {
  const { filters, vocabulary } = draft;
  leaveOneName(draft);
  const isNear = draft.isNear || filters.radius !== undefined;
  const center = isNear ? centerOf(draft) : zipOfKind(filters);
  if (filters.specialty !== undefined) filters.specialty_scope = "common";
  if (center !== null && vocabulary.isLocated(center)) {
    becomeNearby(draft, center);
    return "nearby";
  }
  const { city, state, zip } = filters;
  if (isNear && (city ?? state ?? zip) === undefined) {
    draft.dropUnderstood("operation", REASONS.nearMe);
    return "nearby";
  }
  if (isNear) leaveNear(draft);
  return Object.keys(filters).length === 0 ? null : "search";
}

/** Returns the ZIP of a specialty that is wanted at a ZIP, not of a named organization; null if there is none. */
function zipOfKind({
  organization,
  specialty,
  taxonomy,
  zip,
}: InterpretedFilters): string | null {
  return (specialty ?? taxonomy) === undefined || organization !== undefined
    ? null
    : (zip ?? null);
}

function centerOf({ filters, vocabulary }: Draft): string | null {
  const { city, state, zip } = filters;
  if (zip !== undefined) return zip;
  return city === undefined ? null : vocabulary.centerOf(city, state);
}

function becomeNearby(draft: Draft, center: string): void {
  const { filters } = draft;
  const { city, state, zip } = filters;
  const isSharper = zip !== undefined;
  if (isSharper) draft.place = { zip };
  else {
    if (city !== undefined) draft.place.city = city;
    if (state !== undefined) draft.place.state = state;
  }
  for (const filter of ["city", "state"] as const) {
    delete filters[filter];
    if (isSharper) draft.dropUnderstood(filter, REASONS.sharper);
    else draft.renameUnderstood(filter, "zip");
  }
  filters.zip = center;
}

/** Drops what says that something near is wanted. */
function leaveNear(draft: Draft): void {
  const { filters } = draft;
  const { city, state, zip } = filters;
  delete filters.radius;
  const reason =
    city !== undefined || zip !== undefined
      ? REASONS.noLocation
      : state === undefined
        ? REASONS.noPlace
        : REASONS.stateCenter;
  for (const filter of ["radius", "operation"] as const)
    draft.dropUnderstood(filter, reason);
}

/** Leaves only the person's name: a record has the name of a person or of an organization, never both. */
function leaveOneName(draft: Draft): void {
  const { filters } = draft;
  if (filters.organization === undefined || filters.name === undefined) return;
  delete filters.organization;
  draft.dropUnderstood("organization", REASONS.employer);
}

/** The oracle for one registry row: the decisions under "Records", word for word and slowly. */

import type { Address } from "../../../../src/contract/details.ts";
import type {
  PersonName,
  Provider,
  Taxonomy,
} from "../../../../src/contract/provider.ts";
import {
  isMilitary,
  NO_STATE,
  STATE_CODES,
  stateNumberOfName,
} from "../../../../src/contract/states.ts";
import { isNpi } from "../registry/npi.ts";
import {
  type RawRow,
  rawValue,
  type RowValues,
  taxonomySlots,
} from "../registry/raw-row.ts";
import { referenceFold } from "./reference-fold.ts";

/** NUCC display names by taxonomy code in upper case. */
export type TaxonomyTable = ReadonlyMap<string, string>;

export type Reading =
  /** `detailsWithheld`: the registry publishes only the NPI and the deactivation date. */
  | {
      kind: "provider";
      provider: Provider;
      detailsWithheld: boolean;
      /** The taxonomy codes of all slots, as shown. */
      codes: readonly string[];
    }
  | { kind: "unusable"; reason: string };

/** Reads a row; `unusable` for a bad NPI, and for an invalid entity type without a deactivation. */
export function readRow(row: RawRow, taxonomy: TaxonomyTable): Reading {
  const npi = shown(row, "npi");
  if (npi === null || !isNpi(npi))
    return { kind: "unusable", reason: "bad NPI" };
  const deactivationDate = deactivationInForce(row);
  const entityType = shown(row, "entityType");
  if (entityType !== "1" && entityType !== "2") {
    if (deactivationDate === null)
      return { kind: "unusable", reason: "bad entity type" };
    return {
      kind: "provider",
      provider: silence(npi, deactivationDate),
      detailsWithheld: true,
      codes: [],
    };
  }
  return {
    kind: "provider",
    detailsWithheld: false,
    codes: taxonomySlots(row).flatMap(({ code }) => unmasked(code) ?? []),
    provider: {
      npi,
      entity_type: entityType === "1" ? "individual" : "organization",
      name: entityType === "1" ? personName(row) : null,
      organization_name: entityType === "2" ? shown(row, "organization") : null,
      status: deactivationDate === null ? "active" : "deactivated",
      enumeration_date: date(row, "enumerationDate"),
      last_updated: date(row, "lastUpdated"),
      deactivation_date: deactivationDate,
      primary_taxonomy: primaryTaxonomy(row, taxonomy),
      practice_address: practiceAddress(row),
    },
  };
}

/** A state as published: known ones have two letters on U.S. addresses. */
export function shownState(
  published: string | null,
  country: string | null,
): string | null {
  const state =
    published === null ? NO_STATE : stateNumberOfName(referenceFold(published));
  const isUs = isUsCountry(country) || isMilitary(state);
  return isUs && state !== NO_STATE
    ? (STATE_CODES[state - 1] ?? null)
    : published;
}

/** True if a country (null for blank) makes an address a U.S. address in any state. */
export function isUsCountry(country: string | null): boolean {
  return (
    country === null ||
    ["US", "UM", "PR", "GU", "VI", "AS", "MP"].includes(country.toUpperCase())
  );
}

/** A value as the service shows it: trimmed, null if blank or masked. */
function shown(row: RawRow, column: keyof RowValues): string | null {
  return unmasked(rawValue(row, column));
}

function unmasked(value: string): string | null {
  const trimmed = value.trim();
  return trimmed === "<UNAVAIL>" || /^[-_=*$#. ]*$/.test(trimmed)
    ? null
    : trimmed;
}

/** `MM/DD/YYYY` as `YYYY-MM-DD`; null if blank, masked, or invalid. */
function date(row: RawRow, column: keyof RowValues): string | null {
  const parts = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(shown(row, column) ?? "");
  if (parts === null) return null;
  const iso = `${parts[3]}-${parts[1]}-${parts[2]}`;
  const day = new Date(`${iso}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(iso)
    ? iso
    : null;
}

/** The deactivation date, unless there is none or a reactivation on or after it. */
function deactivationInForce(row: RawRow): string | null {
  const deactivated = date(row, "deactivationDate");
  const reactivated = date(row, "reactivationDate");
  if (
    deactivated !== null &&
    reactivated !== null &&
    reactivated >= deactivated
  )
    return null;
  return deactivated;
}

/** The record of a deactivated NPI of which nothing else is known. */
export function silence(
  npi: string,
  deactivationDate: string | null,
): Provider {
  return {
    npi,
    entity_type: null,
    name: null,
    organization_name: null,
    status: "deactivated",
    enumeration_date: null,
    last_updated: null,
    deactivation_date: deactivationDate,
    primary_taxonomy: null,
    practice_address: null,
  };
}

function personName(row: RawRow): PersonName {
  return {
    first: shown(row, "first"),
    middle: shown(row, "middle"),
    last: shown(row, "last"),
    credential: shown(row, "credential"),
  };
}

/** The filled slot whose switch is Y; with none, the first slot filled. */
function primaryTaxonomy(
  row: RawRow,
  taxonomy: TaxonomyTable,
): Taxonomy | null {
  const filled = taxonomySlots(row).flatMap(({ code, primary }) => {
    const shownCode = unmasked(code);
    return shownCode === null
      ? []
      : [{ code: shownCode, isPrimary: unmasked(primary) === "Y" }];
  });
  const slot = filled.find(({ isPrimary }) => isPrimary) ?? filled[0];
  if (slot === undefined) return null;
  return {
    code: slot.code,
    description: taxonomy.get(slot.code.toUpperCase()) ?? null,
  };
}

function practiceAddress(row: RawRow): Address | null {
  const country = shown(row, "country");
  const address = {
    address_1: shown(row, "address1"),
    address_2: shown(row, "address2"),
    city: shown(row, "city"),
    state: shownState(shown(row, "state"), country),
    postal_code: shown(row, "postalCode"),
    country,
  };
  return Object.values(address).every((member) => member === null)
    ? null
    : address;
}

import type { Coded } from "../../contract/details.ts";
import { DETAIL_PARTS } from "../../contract/detail-parts.ts";
import type { ProviderRecord } from "../../contract/provider.ts";

/** What `include` of the API has to be for the same answer; empty where nothing beyond the record is held. */
export function includeOf(record: ProviderRecord): string {
  return DETAIL_PARTS.filter((part) => record[part] !== undefined).join(",");
}

/** Its meaning, or the code where nobody says. */
export function meaningOf(coded: Coded | null): string | null {
  return coded && (coded.description ?? coded.code);
}

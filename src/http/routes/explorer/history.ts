import { changedDetailsList } from "../../../changes/change.ts";
import type { PastChange } from "../../../changes/provider-history.ts";
import {
  MAX_HISTORY,
  type HistoryEntry,
} from "../../../contract/explorer/history.ts";
import type { Directory } from "../../../search/directory.ts";
import type { Hit } from "../../../search/query.ts";
import type { Members } from "../../../search/render/renderer.ts";
import type { AppContext } from "../../app-context.ts";

/**
 * What imports changed about a provider, newest first, for its page. For a provider whose details are withheld, only
 * what kind of change it was: old values would show what is withheld.
 */
export function historyOf(
  data: Directory,
  [hit]: readonly Hit[],
  { changes, logger }: AppContext,
): Members {
  if (hit === undefined) return {};
  const { entity_type: type, npi } = data.entryOf(hit);
  try {
    const past = changes.history(data.id, npi, MAX_HISTORY);
    return { history: past.map((each) => entryOf(each, type === null)) };
  } catch (err) {
    // The record is worth more than its past.
    logger?.error({ err }, "cannot read a provider's changes");
    return { history: [] };
  }
}

function entryOf(
  { change: { details = {}, fields, kind }, set }: PastChange,
  isWithheld: boolean,
): HistoryEntry {
  const all = [...changedDetailsList(fields), ...changedDetailsList(details)];
  return { date: set.appliedOn, kind, fields: isWithheld ? [] : all };
}

import { cityKey } from "../../text/city.ts";
import { fold, words } from "../../text/fold.ts";
import type { Reading } from "../interpret/interpret.ts";
import type { Proposal } from "./proposal.ts";

/** Whether the reading of a completed text has what its proposal stands for. */
export function isMeant(
  { filters: meant }: Proposal,
  { filters, place }: Reading,
): boolean {
  if (meant.specialty !== undefined)
    return fold(filters.specialty ?? "") === fold(meant.specialty);
  if (meant.zip !== undefined) return filters.zip === meant.zip;
  if (meant.state !== undefined) {
    const { city, state } = { ...filters, ...place };
    return (
      state === meant.state && cityKey(city ?? "") === cityKey(meant.city ?? "")
    );
  }
  const { first_name, last_name, name, organization } = filters;
  const named = new Set(
    [name, first_name, last_name, organization].flatMap((text) =>
      words(fold(text ?? "")),
    ),
  );
  const wanted = words(fold(meant.name ?? meant.organization ?? ""));
  return wanted.every((word) => named.has(word));
}

import type { Interpretation } from "../../../contract/interpret.ts";

type Reading = Pick<Interpretation, "filters" | "operation">;

/** If a reading finds fewer providers, what else may be meant is shown. */
const FEW = 10;
/** The least factor by which a correction finds more, if the reading finds more than few. */
const TIMES_CORRECTED = 10;
/** The same for a name with its nicknames. */
const TIMES_NICKNAMED = 2;
/** A reading is ambiguous if another sense finds at least one provider for this many that it finds itself. */
const OWN_PER_OTHER = 10;

/**
 * Chooses the alternatives to a reading that users are shown: with few results all, unless they only find part of them;
 * otherwise other senses that are about as likely, and corrections that find many times as many.
 */
export function shownAlternatives(
  reading: Interpretation,
): Interpretation["alternatives"] {
  const { alternatives, total } = reading;
  return alternatives.filter((other) => {
    if (isWider(reading, other)) return total < FEW && other.total > total;
    if (total < FEW) return true;
    if (addsNicknames(reading, other))
      return other.total >= total * TIMES_NICKNAMED;
    return isCorrection(reading, other)
      ? other.total >= total * TIMES_CORRECTED
      : other.total * OWN_PER_OTHER >= total;
  });
}

/**
 * True if another reading has the same sense, with less said of it: the place without a distance, a name in any order.
 */
function isWider(reading: Reading, other: Reading): boolean {
  const hasOrder = "last_name" in reading.filters;
  return (
    reading.operation !== other.operation ||
    (hasOrder && !("last_name" in other.filters))
  );
}

function addsNicknames(reading: Reading, other: Reading): boolean {
  return (
    "name_aliases" in other.filters && !("name_aliases" in reading.filters)
  );
}

/** True if another reading has the same filters, so only other words. */
function isCorrection(reading: Reading, other: Reading): boolean {
  const names = Object.keys(other.filters);
  return (
    names.length === Object.keys(reading.filters).length &&
    names.every((name) => name in reading.filters)
  );
}

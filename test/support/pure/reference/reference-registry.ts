/** The oracle for an installation after a sequence of registry files. */

import type { Provider } from "../../../../src/contract/provider.ts";
import type { RawRow } from "../registry/raw-row.ts";
import {
  readRow,
  type Reading,
  silence,
  type TaxonomyTable,
} from "./reference-provider.ts";

/** A file with the period (ISO dates) in its name. */
export interface RegistryFile {
  kind: "full" | "weekly";
  from: string;
  to: string;
  rows: readonly RawRow[];
}

export interface ImportOptions {
  deactivatedDetails: "keep" | "withhold";
  /**
   * Applies a file again, and merges a week older than the newest one, even if nothing is missing. The oracle ignores
   * the limits on bad and missing rows.
   */
  force: boolean;
}

/** Applies every file, and shows all of the details of deactivated NPIs. */
export const FORCE: ImportOptions = { deactivatedDetails: "keep", force: true };

/** A full file that ends on a day. */
export function fullFile(
  rows: readonly RawRow[],
  to = "2026-11-08",
): RegistryFile {
  return { kind: "full", from: "2005-05-23", to, rows };
}

export type ImportOutcome = "applied" | "unchanged" | "refused";

/** One NPI: its record, and facts about the row that it came from. */
interface Held {
  provider: Provider;
  detailsWithheld: boolean;
  /** The taxonomy codes of all slots, as shown. */
  codes: readonly string[];
  period: Period;
  /**
   * The period of the file with the details that a deactivation without details keeps; null if a full file kept them.
   */
  detailsPeriod: Period | null;
}

/** The end of a file's period, then the start. */
type Period = readonly [end: string, begin: string];

export class ReferenceRegistry {
  readonly #taxonomy: TaxonomyTable;
  #held = new Map<string, Held>();
  #fullEnd: string | null = null;
  #weeklyEnd: string | null = null;
  /** The full file, if one was applied. */
  #fullFiles: RegistryFile[] = [];
  /** The weeks applied since the full file. */
  #weeks: RegistryFile[] = [];

  constructor(taxonomy: TaxonomyTable) {
    this.#taxonomy = taxonomy;
  }

  /** Applies one file to the data. */
  import(file: RegistryFile, options: ImportOptions): ImportOutcome {
    if (
      !options.force &&
      [...this.#fullFiles, ...this.#weeks].some((each) =>
        isSameFile(file, each),
      )
    )
      return "unchanged";
    const older = file.kind === "weekly" && this.#isOlder(file);
    if (older && !options.force && !this.#coversDaysLeftOut(file))
      return "refused";

    const next = new Map(file.kind === "full" ? [] : this.#held);
    for (const [npi, reading] of this.#usableRows(file)) {
      const { codes, provider, detailsWithheld } = reading;
      const period: Period = [file.to, file.from];
      const now: Held = {
        provider,
        detailsWithheld,
        codes,
        period,
        detailsPeriod: period,
      };
      const before = this.#held.get(npi);
      if (
        file.kind === "weekly" &&
        before !== undefined &&
        isNewer(before.period, now.period)
      ) {
        if (isUnderneath(now, before))
          next.set(npi, {
            ...before,
            provider: withDetailsOf(now.provider, before.provider),
            codes: now.codes,
            detailsPeriod: period,
          });
        continue;
      }
      if (detailsWithheld && before !== undefined) {
        now.provider = withDetailsOf(before.provider, provider);
        now.codes = before.codes;
        now.detailsPeriod = file.kind === "full" ? null : before.detailsPeriod;
      }
      next.set(npi, now);
    }
    if (options.deactivatedDetails === "withhold") {
      for (const each of next.values()) {
        if (!each.detailsWithheld) continue;
        each.provider = withoutDetails(each.provider);
        each.codes = [];
      }
    }
    this.#held = next;
    if (file.kind === "full") {
      [this.#fullEnd, this.#weeklyEnd] = [file.to, null];
      [this.#fullFiles, this.#weeks] = [[file], []];
    } else {
      if (!older) this.#weeklyEnd = file.to;
      this.#weeks.push(file);
    }
    return "applied";
  }

  /** All records, each NPI once. */
  providers(): Provider[] {
    return Array.from(this.#held.values(), ({ provider }) => provider);
  }

  /** The taxonomy codes of all slots of each NPI. */
  codes(): ReadonlyMap<string, readonly string[]> {
    return new Map(Array.from(this.#held, ([npi, { codes }]) => [npi, codes]));
  }

  /** The value of `meta.source`; '' before the first file. */
  source(): string {
    const parts = [
      this.#fullEnd === null ? [] : [`full file ${this.#fullEnd}`],
      this.#weeklyEnd === null ? [] : [`weekly updates to ${this.#weeklyEnd}`],
    ].flat();
    return parts.length === 0 ? "" : `NPPES (CMS), ${parts.join(", ")}`;
  }

  /** A week that ends before the newest period applied, or that the full file already covers. */
  #isOlder(week: RegistryFile): boolean {
    return (
      (this.#weeklyEnd !== null && week.to < this.#weeklyEnd) ||
      (this.#fullEnd !== null && week.to <= this.#fullEnd)
    );
  }

  /** True if a week has a day that no file covers, between what the full file covers and the end of the last week. */
  #coversDaysLeftOut(week: RegistryFile): boolean {
    const first = this.#weeks.map(({ from }) => from).sort()[0] ?? "";
    const last =
      this.#weeks
        .map(({ to }) => to)
        .sort()
        .at(-1) ?? "";
    for (let day = week.from; day <= week.to; day = dayAfter(day)) {
      const isCovered = this.#weeks.some(
        ({ from, to }) => from <= day && day <= to,
      );
      if (day > (this.#fullEnd ?? first) && day < last && !isCovered)
        return true;
    }
    return false;
  }

  /** The usable rows; the last one per NPI. */
  #usableRows(
    file: RegistryFile,
  ): Map<string, Extract<Reading, { kind: "provider" }>> {
    const readings = file.rows
      .map((row) => readRow(row, this.#taxonomy))
      .filter((each) => each.kind === "provider");
    return new Map(readings.map((each) => [each.provider.npi, each]));
  }
}

function isSameFile(a: RegistryFile, b: RegistryFile): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function dayAfter(day: string): string {
  return new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
}

function isNewer(a: Period, b: Period): boolean {
  return a[0] === b[0] ? a[1] > b[1] : a[0] > b[0];
}

/** True if a row has the last details before the current deactivation, which has none itself. */
function isUnderneath(row: Held, held: Held): boolean {
  if (row.detailsWithheld || !held.detailsWithheld) return false;
  const { entity_type, last_updated } = held.provider;
  if (entity_type === null) return true;
  return held.detailsPeriod === null
    ? (row.provider.last_updated ?? "") > (last_updated ?? "")
    : !isNewer(held.detailsPeriod, row.period);
}

/** The new row's deactivation with the last known details. */
function withDetailsOf(before: Provider, now: Provider): Provider {
  return {
    ...before,
    status: now.status,
    deactivation_date: now.deactivation_date,
  };
}

/** The registry's data of a withheld NPI. */
function withoutDetails({ npi, deactivation_date }: Provider): Provider {
  return silence(npi, deactivation_date);
}

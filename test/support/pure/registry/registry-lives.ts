/**
 * Providers' lives as a registry knows them, and the files that it publishes of them: a full file, weeks and reports.
 */

import * as fc from "fast-check";
import type { RawRow, RowValues } from "./raw-row.ts";
import {
  ENDPOINT_COLUMNS,
  LOCATION_COLUMNS,
  OTHER_NAME_COLUMNS,
} from "../reference/reference-details.ts";
import type { ReportRow } from "./deactivation-report.ts";
import type { ZipRows } from "./registry-zip.ts";
import { npiOf, person, withheld } from "./small-registry.ts";

/** Day 0 is the Sunday to which the full file reaches; the weeks follow it. */
const DAY_0 = Date.UTC(2026, 10, 8);
const FIRST_DAY = -40;
const WEEKS = 4;
const WEEK_DAYS = 7;

export interface Life {
  /** When something happens, ascending: first the NPI is assigned. */
  readonly days: readonly number[];
  /** What happens then: the details change, or the status; a deactivation may be dated earlier. */
  readonly events: readonly {
    readonly isOfStatus: boolean;
    readonly datedBack: number;
    /** The details change without a new date of the last update. */
    readonly keepsDate: boolean;
  }[];
}

/** What a registry publishes, as it can be imported. */
export type PublishedFile =
  | { kind: "full" | "week"; period: string; zip: ZipRows }
  | { kind: "report"; name: string; rows: readonly ReportRow[] };

/** What the registry knows of a provider at the end of a day. */
interface State {
  /** How many times the details have changed. */
  version: number;
  updated: number;
  deactivated: number | null;
  reactivated: number | null;
  isActive: boolean;
}

export function arbitraryLife(): fc.Arbitrary<Life> {
  return fc
    .uniqueArray(fc.integer({ min: FIRST_DAY, max: WEEKS * WEEK_DAYS }), {
      minLength: 1,
      maxLength: 6,
    })
    .chain((days) =>
      fc.record({
        days: fc.constant(days.toSorted((a, b) => a - b)),
        events: fc.array(
          fc.record({
            isOfStatus: fc.boolean(),
            datedBack: fc.nat(20),
            keepsDate: fc.boolean(),
          }),
          { minLength: days.length, maxLength: days.length },
        ),
      }),
    );
}

/** The full file, every week, and a report of each of the given days. */
export function publishedFiles(
  lives: readonly Life[],
  reportDays: readonly number[],
): PublishedFile[] {
  const weeks = Array.from({ length: WEEKS }, (_, week): PublishedFile => {
    const first = week * WEEK_DAYS + 1;
    const last = first + WEEK_DAYS - 1;
    return {
      kind: "week",
      period: `${compact(first)}-${compact(last)}`,
      zip: rowsOf(lives, last, ({ days }) =>
        days.some((day) => day >= first && day <= last),
      ),
    };
  });
  const full: PublishedFile = {
    kind: "full",
    period: `20050523-${compact(0)}`,
    zip: rowsOf(lives, 0, () => true),
  };
  const reports = reportDays.map((day): PublishedFile => {
    const [, month = "", date = ""] = slashed(day).match(/^(..).(..)/) ?? [];
    return {
      kind: "report",
      name: `NPPES_Deactivated_NPI_Report_${month}${date}${slashed(day).slice(-2)}.zip`,
      rows: lives.flatMap((life, number): ReportRow[] => {
        const state = stateAt(life, day);
        return state === null || state.isActive || state.deactivated === null
          ? []
          : [[npiOf(number), slashed(state.deactivated)]];
      }),
    };
  });
  return [full, ...weeks, ...reports];
}

/** The rows at the end of a day, of the lives that are chosen. */
function rowsOf(
  lives: readonly Life[],
  day: number,
  isChosen: (life: Life) => boolean,
): ZipRows {
  const shown = lives.flatMap((life, number) => {
    const state = isChosen(life) ? stateAt(life, day) : null;
    return state === null ? [] : [{ number, state }];
  });
  const active = shown.filter(({ state }) => state.isActive);
  return {
    rows: shown.map(({ number, state }) => rowOf(number, state)),
    otherNames: active.map(({ number, state }) =>
      record(OTHER_NAME_COLUMNS, [npiOf(number), `NAME ${state.version}`, "3"]),
    ),
    locations: active.map(({ number, state }) =>
      record(LOCATION_COLUMNS, [npiOf(number), `${state.version} AWAY ST`]),
    ),
    endpoints: active.map(({ number, state }) =>
      record(ENDPOINT_COLUMNS, [npiOf(number), "FHIR", "", `${state.version}`]),
    ),
  };
}

function stateAt({ days, events }: Life, at: number): State | null {
  let state: State | null = null;
  days.forEach((day, index) => {
    if (day > at) return;
    const event = events[index];
    if (state === null || event === undefined) {
      state = {
        version: 0,
        updated: day,
        deactivated: null,
        reactivated: null,
        isActive: true,
      };
    } else if (!state.isActive) {
      // A reactivated provider publishes its data again.
      state = {
        ...state,
        isActive: true,
        reactivated: day,
        updated: day,
        version: state.version + 1,
      };
    } else if (event.isOfStatus) {
      const after = (state.reactivated ?? days[0] ?? day) + 1;
      const dated = Math.max(day - event.datedBack, Math.min(after, day));
      state = { ...state, isActive: false, deactivated: dated };
    } else {
      const updated = event.keepsDate ? state.updated : day;
      state = { ...state, version: state.version + 1, updated };
    }
  });
  return state;
}

function rowOf(number: number, state: State): RawRow {
  const { deactivated, isActive, reactivated, updated, version } = state;
  if (!isActive) return withheld(number, slashed(deactivated ?? updated));
  const dates: RowValues =
    deactivated === null || reactivated === null
      ? {}
      : {
          deactivationDate: slashed(deactivated),
          reactivationDate: slashed(reactivated),
        };
  return {
    ...person(number, {
      last: `EXAMPLE ${version}`,
      address1: `${version} INVENTED WAY`,
      lastUpdated: slashed(updated),
      ...dates,
    }),
    "Provider First Line Business Mailing Address": `PO BOX ${version}`,
    [`Other Provider Identifier_${1 + (version % 50)}`]: `INV-${version}`,
  };
}

function record(columns: readonly string[], values: readonly string[]): RawRow {
  return Object.fromEntries(
    columns.map((column, index) => [column, values[index] ?? ""]),
  );
}

function isoOf(day: number): string {
  return new Date(DAY_0 + day * 86_400_000).toISOString().slice(0, 10);
}

function compact(day: number): string {
  return isoOf(day).replaceAll("-", "");
}

function slashed(day: number): string {
  const [year, month, date] = isoOf(day).split("-");
  return `${month}/${date}/${year}`;
}

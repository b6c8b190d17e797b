import { useState, type FormEvent } from "react";
import { FILTERS } from "../../contract/filters.ts";
import { STATE_CODES } from "../../contract/states.ts";
import type { ApiError } from "../api/api.ts";
import { Button } from "../components/button.tsx";
import { Field, Select } from "../components/field.tsx";
import { Link, navigate } from "../shell/router.tsx";
import { NearMe } from "./near-me.tsx";
import { OtherParameters } from "./other-parameters.tsx";
import {
  searchHref,
  toKind,
  withChanges,
  DEFAULT_RADIUS_MILES,
  type Changes,
  type ExplorerSearch,
} from "./explorer-search.ts";
import { ScopeSwitches } from "./scope-switches.tsx";
import { SpecialtyField } from "./specialty-field.tsx";
import { readTypedText } from "./typed-text.ts";
import styles from "./explorer.module.css";

const TYPES = [
  { value: "", text: "All types" },
  { value: "individual", text: "Individuals" },
  { value: "organization", text: "Organizations" },
];
const STATUSES = [
  { value: "", text: "Any status" },
  { value: "active", text: "Active" },
  { value: "deactivated", text: "Deactivated" },
];
const STATES = [
  { value: "", text: "All states" },
  ...STATE_CODES.map((code) => ({ value: code, text: code })),
];
/** Parameters that aren't counted as filters. On a phone the filters are collapsed. */
const ALWAYS_SHOWN = new Set(["name", "page", "limit", "radius"]);
/** The location, which isn't a filter in a search by distance. */
const PLACE = new Set(["zip", "lat", "lng"]);
const RADII = ["5", "10", "25", "50", "100", "250", "500"];

/** The search form. A select searches at once, a text field on Enter. */
export function Filters({
  error,
  near,
  onSame,
  search,
}: {
  readonly search: ExplorerSearch;
  /** Why the service refused this search. */
  readonly error: ApiError | null;
  /** The ZIP nearest to the search's center. */
  readonly near: string | null;
  /** Called when the user submits the search that is already shown. */
  readonly onSame: () => void;
}) {
  const { kind, parameters } = search;
  const address = searchHref(search);
  const [draft, setDraft] = useState(draftAt(address));
  const [isOpen, setOpen] = useState(false);
  // A draft is dropped once the address changes, even if the user comes back to it.
  if (draft.of !== address) setDraft(draftAt(address));
  const { changes, npiProblem } = draft;
  const isNearby = kind === "nearby";
  const filterCount = [...parameters.keys()].filter(
    (name) => !ALWAYS_SHOWN.has(name) && !(isNearby && PLACE.has(name)),
  ).length;

  function type(more: Changes, problem: string | null = null): void {
    setDraft({
      of: address,
      changes: { ...changes, ...more },
      npiProblem: problem,
    });
  }

  /** Searches with the draft and these changes. */
  function go(more: Changes = {}): void {
    const next = { ...changes, ...more };
    const typed = readTypedText(next["name"] ?? "");
    if (typed.kind === "npi") return navigate(`/npi/${typed.npi}`);
    if (typed.kind === "no-npi") return type({}, typed.problem);
    // A typed ZIP replaces the point.
    const point = isNearby && next["zip"] ? { lat: "", lng: "" } : {};
    const to = searchHref(withChanges(search, { ...next, ...point }));
    if (to !== address) return navigate(to);
    setDraft(draftAt(address));
    return onSame();
  }

  function control(name: string) {
    return {
      value: changes[name] ?? parameters.get(name) ?? "",
      problem: error?.details?.find(({ param }) => param === name)?.message,
    };
  }

  const text = (name: string) => ({
    ...control(name),
    autoComplete: "off",
    spellCheck: false,
    onChange: (event: { target: { value: string } }) =>
      type({ [name]: event.target.value }),
  });
  const choice = (name: string) => ({
    ...control(name),
    onChange: (event: { target: { value: string } }) =>
      go({ [name]: event.target.value }),
  });

  return (
    <search className={styles.filters}>
      <nav className={styles.filterKinds} aria-label="How to search">
        <Link
          href={searchHref(isNearby ? toKind("search", search) : search)}
          aria-current={isNearby ? undefined : "true"}
        >
          By name or location
        </Link>
        <Link
          href={searchHref(
            isNearby
              ? search
              : toKind("nearby", search, {
                  zip: parameters.get("zip") ?? "",
                }),
          )}
          aria-current={isNearby ? "true" : undefined}
        >
          By distance
        </Link>
      </nav>
      <form
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          go();
        }}
      >
        <div className={styles.filterFirst}>
          {isNearby ? (
            <>
              <Field
                label="ZIP code"
                inputMode="numeric"
                maxLength={5}
                placeholder={
                  parameters.has("lat")
                    ? `Your location${near === null ? "" : `, near ${near}`}`
                    : "62701"
                }
                {...text("zip")}
              />
              <Select
                label="Within"
                options={radiusOptions(parameters.get("radius"))}
                {...choice("radius")}
                value={parameters.get("radius") ?? DEFAULT_RADIUS_MILES}
              />
            </>
          ) : (
            <Field
              label={FILTERS.name.label}
              type="search"
              maxLength={100}
              {...text("name")}
              problem={npiProblem ?? text("name").problem}
            />
          )}
          <Button type="submit" look="primary">
            Search
          </Button>
          {isNearby && <NearMe search={search} />}
          <Button
            className={styles.filterToggle}
            aria-expanded={isOpen}
            aria-controls="more-filters"
            onClick={() => setOpen(!isOpen)}
          >
            Filters{filterCount > 0 && ` (${filterCount})`}
          </Button>
        </div>
        <div
          id="more-filters"
          className={
            isOpen ? `${styles.filterMore} ${styles.isOpen}` : styles.filterMore
          }
        >
          <div className={styles.filterRest}>
            {!isNearby && (
              <>
                <Field
                  label={FILTERS.city.label}
                  maxLength={100}
                  {...text("city")}
                />
                <Select
                  label={FILTERS.state.label}
                  options={STATES}
                  {...choice("state")}
                />
                <Field
                  label={FILTERS.zip.label}
                  inputMode="numeric"
                  maxLength={5}
                  {...text("zip")}
                />
              </>
            )}
            <SpecialtyField
              taxonomy={parameters.get("taxonomy") ?? null}
              specialty={parameters.get("specialty") ?? null}
              typed={changes["specialty"] ?? null}
              isAnySlot={parameters.get("taxonomy_scope") === "any"}
              problem={
                control("specialty").problem ?? control("taxonomy").problem
              }
              onType={(specialty) => type({ specialty, taxonomy: "" })}
              onChoose={(taxonomy) => go({ specialty: "", taxonomy })}
            />
            <Select
              label={FILTERS.entity_type.label}
              options={TYPES}
              {...choice("entity_type")}
            />
            <Field
              label={FILTERS.last_updated_since.label}
              type="date"
              {...text("last_updated_since")}
            />
            <Select
              label={FILTERS.status.label}
              options={STATUSES}
              {...choice("status")}
            />
          </div>
          <ScopeSwitches
            search={search}
            onChoose={(name, value) => go({ [name]: value })}
          />
        </div>
      </form>
      <OtherParameters search={search} />
    </search>
  );
}

/** Changes that were typed but not submitted, and the address at which they were. */
interface Draft {
  readonly of: string;
  readonly changes: Changes;
  /** What is wrong with the NPI in the search box. */
  readonly npiProblem: string | null;
}

function draftAt(address: string): Draft {
  return { of: address, changes: {}, npiProblem: null };
}

function radiusOptions(present: string | undefined) {
  const radii =
    present === undefined || RADII.includes(present)
      ? RADII
      : [...RADII, present];
  return radii.map((value) => ({
    value,
    text: `${value} ${value === "1" ? "mile" : "miles"}`,
  }));
}

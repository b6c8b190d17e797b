import { useEffect, useRef, type FormEvent } from "react";
import {
  FILTERS,
  filtersOf,
  isScope,
  type ScopeName,
} from "../../../contract/filters.ts";
import { STATE_CODES } from "../../../contract/states.ts";
import type { ApiError } from "../../api/api.ts";
import { Button } from "../../components/button.tsx";
import { Field, Select } from "../../components/field.tsx";
import { providerCount } from "../../format.ts";
import {
  type Changes,
  type ExplorerSearch,
  radiusOf,
} from "../explorer-search.ts";
import { IS_PHONE, useMedia } from "../hooks.ts";
import { NearMe } from "./near-me.tsx";
import { SpecialtyField } from "./specialty-field.tsx";
import { useFilterDraft } from "./use-filter-draft.ts";
import styles from "./question.module.css";
import { useConfig } from "../../api/config.ts";

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
const RADII = ["5", "10", "25", "50", "100", "250", "500"];
const PARTS = [
  "first_name",
  "middle_initial",
  "last_name",
  "organization",
] as const;
/** Characters of a text filter that the service reads. */
const MAX_CHARACTERS = 100;

/** Shows all filters of a search as a form. A select searches at once, a text field on Enter. */
export function Filters({
  edited,
  error,
  near,
  onDone,
  onSame,
  search,
  total,
}: {
  readonly search: ExplorerSearch;
  /** The service's reason for refusing this search. */
  readonly error: ApiError | null;
  /** The ZIP nearest to the search's center. */
  readonly near: string | null;
  /** The parameter whose field takes the focus, or null. */
  readonly edited: string | null;
  /** The number of providers that the search finds; null while unknown. */
  readonly total: number | null;
  /** Called when the user submits the search that is already shown. */
  readonly onSame: () => void;
  /** Called when the user goes on to the results. */
  readonly onDone: () => void;
}) {
  const { parameters } = search;
  const isPhone = useMedia(IS_PHONE);
  const form = useRef<HTMLFormElement>(null);
  const { changes, cityProblem, enter, go } = useFilterDraft(search, onSame);
  const isNearby = radiusOf(search, changes) !== "";
  useEffect(() => {
    const field =
      edited === null ? null : form.current?.elements.namedItem(edited);
    if (field instanceof HTMLElement) field.focus();
  }, [edited]);

  function control(name: string) {
    return {
      name,
      value: changes[name] ?? parameters.get(name) ?? "",
      problem: error?.details?.find(({ param }) => param === name)?.message,
    };
  }

  const text = (name: string) => ({
    ...control(name),
    autoComplete: "off",
    maxLength: MAX_CHARACTERS,
    spellCheck: false,
    onChange: (event: { target: { value: string } }) =>
      enter({ [name]: event.target.value }),
  });
  const choice = (name: string, act: (more: Changes) => void = go) => ({
    ...control(name),
    onChange: (event: { target: { value: string } }) =>
      act({ [name]: event.target.value }),
  });

  return (
    <form
      ref={form}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        go();
        if (isPhone) onDone();
      }}
    >
      <div className={styles.fields}>
        <Field label={FILTERS.name.label} {...text("name")} />
        <SpecialtyField
          taxonomy={parameters.get("taxonomy") ?? null}
          specialty={parameters.get("specialty") ?? null}
          typed={changes["specialty"] ?? null}
          isAnySlot={parameters.get("taxonomy_scope") === "any"}
          problem={control("specialty").problem ?? control("taxonomy").problem}
          onType={(specialty) =>
            enter({
              specialty,
              // Also everyday words.
              specialty_scope: specialty.trim() === "" ? "" : "common",
              taxonomy: "",
            })
          }
          onChoose={(taxonomy) =>
            go({ specialty: "", specialty_scope: "", taxonomy })
          }
        />
        <Field
          label={FILTERS.city.label}
          {...text("city")}
          problem={cityProblem ?? control("city").problem}
        />
        <Select
          label={FILTERS.state.label}
          options={STATES}
          {...choice("state", isNearby ? enter : go)}
        />
        <Field
          label={FILTERS.zip.label}
          inputMode="numeric"
          placeholder={
            isNearby && parameters.has("lat")
              ? `Your location${near === null ? "" : `, near ${near}`}`
              : ""
          }
          {...text("zip")}
          maxLength={5}
        />
        <Select
          label="Within"
          options={radiusOptions(parameters.get("radius"))}
          {...choice("radius")}
          value={radiusOf(search, changes)}
        />
        <Select
          label={FILTERS.entity_type.label}
          options={TYPES}
          {...choice("entity_type")}
        />
        <Select
          label={FILTERS.status.label}
          options={STATUSES}
          {...choice("status")}
        />
        <Field
          label={FILTERS.last_updated_since.label}
          type="date"
          {...text("last_updated_since")}
        />
        {PARTS.map((name) => (
          <Field
            key={name}
            label={FILTERS[name].label}
            {...text(name)}
            {...(name === "middle_initial" ? { maxLength: 1 } : {})}
          />
        ))}
      </div>
      <ScopeSwitches
        search={search}
        onChoose={(name, value) => go({ [name]: value })}
      />
      <div className={styles.formButtons}>
        <Button type="submit" look={isPhone ? "primary" : "plain"}>
          {isPhone
            ? `Show ${total === null ? "results" : providerCount(total)}`
            : "Apply"}
        </Button>
        <NearMe search={search} />
      </div>
    </form>
  );
}

function radiusOptions(present: string | undefined) {
  const radii =
    present === undefined || RADII.includes(present)
      ? RADII
      : [...RADII, present];
  return [
    { value: "", text: "Place only" },
    ...radii.map((value) => ({
      value,
      text: `${value} ${value === "1" ? "mile" : "miles"}`,
    })),
  ];
}

/** Widens a search beyond primary names, specialties and locations, if the installation has that data. */
function ScopeSwitches({
  onChoose,
  search: { kind, parameters },
}: {
  readonly search: ExplorerSearch;
  readonly onChoose: (name: ScopeName, value: "any" | "") => void;
}) {
  const { scopes } = useConfig();
  const offered = filtersOf(kind)
    .filter(isScope)
    .filter((name) => scopes.includes(name));
  if (offered.length === 0) return null;
  return (
    <fieldset className={styles.scopes}>
      <legend>Also match</legend>
      {offered.map((name) => (
        <label key={name}>
          <input
            type="checkbox"
            checked={parameters.get(name) === "any"}
            onChange={({ target }) =>
              onChoose(name, target.checked ? "any" : "")
            }
          />
          {FILTERS[name].any.label}
        </label>
      ))}
    </fieldset>
  );
}

import { useEffect, useRef, type FormEvent } from "react";
import {
  FILTERS,
  filtersOf,
  isFilter,
  isScope,
  type ScopeName,
} from "../../../contract/filters.ts";
import { STATE_CODES } from "../../../contract/states.ts";
import type { ApiError } from "../../api/api.ts";
import { Button } from "../../components/button.tsx";
import { Field, Select } from "../../components/field.tsx";
import { providerCount } from "../../format.ts";
import { type ExplorerSearch, radiusOf } from "../explorer-search.ts";
import { IS_PHONE, useMedia } from "../hooks.ts";
import { NearMe } from "./near-me.tsx";
import { SpecialtyField } from "./specialty-field.tsx";
import { useFilterDraft, type FilterDraft } from "./use-filter-draft.ts";
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
/** Characters of a text filter that the service reads. */
const MAX_CHARACTERS = 100;

/** Fields that are shown together. */
export interface FieldGroup {
  /** Null for a group by itself. */
  readonly legend: string | null;
  /** Parameters, in the order of their fields; `scopes` stands for the switches that widen a search. */
  readonly names: readonly string[];
}

/** All fields, in the order in which people think of what they look for. */
export const ALL_FIELDS: readonly FieldGroup[] = [
  {
    legend: "Who",
    names: [
      "name",
      "first_name",
      "middle_initial",
      "last_name",
      "organization",
      "entity_type",
    ],
  },
  { legend: "What", names: ["specialty"] },
  { legend: "Where", names: ["city", "state", "zip", "radius"] },
  { legend: "More", names: ["status", "last_updated_since", "scopes"] },
];

/** Shows filters of a search as a form. A select searches at once, a text field on Enter. */
export function Filters({
  edited,
  error,
  groups = ALL_FIELDS,
  near,
  onDone,
  onSame,
  search,
  total,
}: {
  readonly search: ExplorerSearch;
  readonly groups?: readonly FieldGroup[];
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
  const isPhone = useMedia(IS_PHONE);
  const form = useRef<HTMLFormElement>(null);
  const draft = useFilterDraft(search, onSame);
  useEffect(() => {
    const field =
      edited === null ? null : form.current?.elements.namedItem(edited);
    if (field instanceof HTMLElement) field.focus();
  }, [edited]);
  const isWhole = groups === ALL_FIELDS;
  return (
    <form
      ref={form}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        draft.go();
        if (isPhone || !isWhole) onDone();
      }}
    >
      <div className={styles.groups}>
        {groups.map(({ legend, names }) => {
          const fields = names.map((name) => (
            <FilterField
              key={name}
              name={name}
              {...{ draft, error, near, search }}
            />
          ));
          return legend === null ? (
            <div key={names[0]} className={styles.fields}>
              {fields}
            </div>
          ) : (
            <fieldset key={legend} className={styles.group}>
              <legend>{legend}</legend>
              <div className={styles.fields}>{fields}</div>
            </fieldset>
          );
        })}
      </div>
      <div className={styles.formButtons}>
        <Button type="submit" look={isPhone ? "primary" : "plain"}>
          {isPhone
            ? `Show ${total === null ? "results" : providerCount(total)}`
            : "Apply"}
        </Button>
        {groups.some(({ names }) => names.includes("zip")) && (
          <NearMe search={search} />
        )}
      </div>
    </form>
  );
}

/** Shows the field of a parameter. */
function FilterField({
  draft: { changes, cityProblem, enter, go },
  error,
  name,
  near,
  search,
}: {
  readonly name: string;
  readonly draft: FilterDraft;
} & Pick<Parameters<typeof Filters>[0], "error" | "near" | "search">) {
  const { parameters } = search;
  const problemOf = (param: string) =>
    error?.details?.find((each) => each.param === param)?.message;
  const control = {
    name,
    label: isFilter(name) ? FILTERS[name].label : name,
    value: changes[name] ?? parameters.get(name) ?? "",
    problem: problemOf(name),
  };
  const onEnter = ({ target }: { target: { value: string } }) =>
    enter({ [name]: target.value });
  const onPick = ({ target }: { target: { value: string } }) =>
    go({ [name]: target.value });
  const text = {
    ...control,
    autoComplete: "off",
    maxLength: MAX_CHARACTERS,
    spellCheck: false,
    onChange: onEnter,
  };
  const isNearby = radiusOf(search, changes) !== "";
  switch (name) {
    case "specialty":
      return (
        <SpecialtyField
          taxonomy={parameters.get("taxonomy") ?? null}
          specialty={parameters.get("specialty") ?? null}
          typed={changes["specialty"] ?? null}
          isAnySlot={parameters.get("taxonomy_scope") === "any"}
          problem={problemOf("specialty") ?? problemOf("taxonomy")}
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
      );
    case "city":
      return <Field {...text} problem={cityProblem ?? control.problem} />;
    case "state":
      return (
        <Select
          {...control}
          options={STATES}
          onChange={isNearby ? onEnter : onPick}
        />
      );
    case "zip":
      return (
        <Field
          {...text}
          inputMode="numeric"
          placeholder={
            isNearby && parameters.has("lat")
              ? `Your location${near === null ? "" : `, near ${near}`}`
              : ""
          }
          maxLength={5}
        />
      );
    case "radius":
      return (
        <Select
          {...control}
          label="Within"
          options={radiusOptions(parameters.get("radius"))}
          value={radiusOf(search, changes)}
          onChange={onPick}
        />
      );
    case "entity_type":
      return <Select {...control} options={TYPES} onChange={onPick} />;
    case "status":
      return <Select {...control} options={STATUSES} onChange={onPick} />;
    case "last_updated_since":
      return <Field {...text} type="date" />;
    case "middle_initial":
      return <Field {...text} maxLength={1} />;
    case "scopes":
      return (
        <ScopeSwitches
          search={search}
          onChoose={(scope, value) => go({ [scope]: value })}
        />
      );
    default:
      return <Field {...text} />;
  }
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

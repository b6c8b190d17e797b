import type { ScopeName } from "../../site/portal-facts.ts";
import { useConfig } from "../api/config.ts";
import type { Question } from "./question.ts";

const SCOPES: readonly {
  readonly name: ScopeName;
  readonly kinds: readonly Question["kind"][];
  readonly text: string;
}[] = [
  { name: "name_scope", kinds: ["search"], text: "Other names" },
  {
    name: "taxonomy_scope",
    kinds: ["search", "nearby"],
    text: "Further specialties",
  },
  { name: "location_scope", kinds: ["nearby"], text: "Further locations" },
];

/** Widens a question beyond primary names, specialties and locations, where the installation holds more. */
export function ScopeSwitches({
  onChoose,
  question: { kind, parameters },
}: {
  readonly question: Question;
  readonly onChoose: (name: ScopeName, value: "any" | "") => void;
}) {
  const { scopes } = useConfig();
  const offered = SCOPES.filter(
    ({ kinds, name }) => kinds.includes(kind) && scopes.includes(name),
  );
  if (offered.length === 0) return null;
  return (
    <fieldset className="filter-scopes">
      <legend>Also search</legend>
      {offered.map(({ name, text }) => (
        <label key={name}>
          <input
            type="checkbox"
            checked={parameters.get(name) === "any"}
            onChange={({ target }) =>
              onChoose(name, target.checked ? "any" : "")
            }
          />
          {text}
        </label>
      ))}
    </fieldset>
  );
}

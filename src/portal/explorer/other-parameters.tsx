import { useConfig } from "../api/config.ts";
import { Link } from "../shell/router.tsx";
import { addressOf, changed, type Question } from "./question.ts";

/** What a link may ask that no field of the form shows. */
const OTHERS: Readonly<Record<string, string>> = {
  first_name: "First name",
  last_name: "Last name",
  organization: "Organization",
  name_scope: "Names",
  taxonomy_scope: "Specialties",
  location_scope: "Locations",
};

/** Parameters without a field of their own, each to be taken away, and the way back to no filter at all. */
export function OtherParameters({ question }: { readonly question: Question }) {
  const { kind, parameters } = question;
  const { scopes } = useConfig();
  const others = [...parameters].filter(
    ([name]) =>
      Object.hasOwn(OTHERS, name) && !scopes.some((scope) => scope === name),
  );
  const isFiltered = [...parameters.keys()].some(
    (name) => !["page", "limit", "radius"].includes(name),
  );
  if (!isFiltered) return null;
  return (
    <ul className="filter-chips">
      {others.map(([name, value]) => (
        <li key={name}>
          <Link
            className="chip"
            href={addressOf(changed(question, { [name]: "" }))}
            aria-label={`Remove ${OTHERS[name]}: ${value}`}
          >
            {OTHERS[name]}: <bdi>{value}</bdi> <span aria-hidden="true">×</span>
          </Link>
        </li>
      ))}
      <li>
        <Link href={addressOf({ kind, parameters: new Map() })}>Clear all</Link>
      </li>
    </ul>
  );
}

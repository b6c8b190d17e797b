import type { ReactNode } from "react";

/** What a fact is called, and what the registry says; null where it says nothing. */
export type Fact = readonly [term: string, value: ReactNode];

/** Facts of a record, those that there are. */
export function FactsList({ facts }: { readonly facts: readonly Fact[] }) {
  const said = facts.filter(([, value]) => Boolean(value));
  return (
    <dl className="facts">
      {said.map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{typeof value === "string" ? <bdi>{value}</bdi> : value}</dd>
        </div>
      ))}
    </dl>
  );
}

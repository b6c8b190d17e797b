import type { ReactNode } from "react";

/** A term and its value; null if there is none. Facts with the same term need keys. */
export type Fact = readonly [term: string, value: ReactNode, key?: string];

/** The facts that have a value. */
export function Facts({
  className,
  facts,
}: {
  readonly className: string | undefined;
  readonly facts: readonly Fact[];
}) {
  const said = facts.filter(([, value]) => Boolean(value));
  return (
    <dl className={className}>
      {said.map(([term, value, key = term]) => (
        <div key={key}>
          <dt>{term}</dt>
          <dd>{typeof value === "string" ? <bdi>{value}</bdi> : value}</dd>
        </div>
      ))}
    </dl>
  );
}

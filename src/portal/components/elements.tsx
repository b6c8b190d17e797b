import type { ReactNode } from "react";
import styles from "./components.module.css";

/** Shows a notice. Screen readers interrupt for a problem, and read the other kinds when they are idle. */
export function Alert({
  children,
  kind = "info",
  title,
}: {
  readonly kind?: "info" | "success" | "warning" | "problem";
  readonly title: string;
  readonly children?: ReactNode;
}) {
  return (
    <div
      className={`alert alert-${kind}`}
      role={kind === "problem" ? "alert" : "status"}
    >
      <p className="alert-title">{title}</p>
      {children}
    </div>
  );
}

/** A term and its value, which is null if there is none. Facts with the same term need keys. */
export type Fact = readonly [term: string, value: ReactNode, key?: string];

/** Lists facts, without those that have no value. */
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

/** Appears only after a moment, so that the page doesn't flicker on fast responses. */
export function Spinner({ label }: { readonly label: string }) {
  return (
    <div className={styles.spinner} role="status">
      <span className="visually-hidden">{label}</span>
    </div>
  );
}

/** Holds the place of content that is loading. */
export function Skeleton({ lines = 3 }: { readonly lines?: number }) {
  return (
    <div className={styles.skeleton} aria-hidden="true">
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} />
      ))}
    </div>
  );
}

/** Shows a short state next to what it is about. */
export function Tag({
  children,
  look = "plain",
}: {
  readonly look?: "plain" | "good" | "warning" | "accent";
  readonly children: ReactNode;
}) {
  return <span className={`tag tag-${look}`}>{children}</span>;
}

const TIME = new Intl.DateTimeFormat("en-US", {
  dateStyle: "medium",
  timeStyle: "short",
});
const UTC_DAY = new Intl.DateTimeFormat("en-US", {
  dateStyle: "long",
  timeZone: "UTC",
});

/** Shows a time in the user's time zone. */
export function DateText({ at }: { readonly at: string }) {
  return <time dateTime={at}>{TIME.format(new Date(at))}</time>;
}

/** Shows the UTC day of a time. Months and quotas are in UTC. */
export function UtcDay({ at }: { readonly at: string }) {
  return <time dateTime={at}>{UTC_DAY.format(new Date(at))}</time>;
}

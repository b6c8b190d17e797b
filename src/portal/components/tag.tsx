import type { ReactNode } from "react";

/** A short state next to what it is about. */
export function Tag({
  children,
  look = "plain",
}: {
  readonly look?: "plain" | "good" | "warning" | "accent";
  readonly children: ReactNode;
}) {
  return <span className={`tag tag-${look}`}>{children}</span>;
}

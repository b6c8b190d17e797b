import type { ReactNode } from "react";

/** A notice. Screen readers interrupt for a problem, and read the other kinds when they are idle. */
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

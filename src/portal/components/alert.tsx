import type { ReactNode } from "react";

/** Something that the reader should know; a problem is read out at once, the rest when there is time. */
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

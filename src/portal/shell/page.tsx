import { useEffect, useRef, type ReactNode } from "react";
import { useConfig } from "../api/config.ts";
import { takesFocus } from "./router.tsx";

/** A page: its heading, which takes the focus when the reader comes here from another page, and its title. */
export function Page({
  before,
  children,
  isHeadingHidden = false,
  lead,
  title,
  width = "text",
}: {
  readonly title: string;
  /** What stands above the heading, such as a way back. */
  readonly before?: ReactNode;
  /** A sentence below the heading. */
  readonly lead?: ReactNode;
  /** Whether the heading is for screen readers alone. */
  readonly isHeadingHidden?: boolean;
  /** As wide as a form, as a text is read, or as the window. */
  readonly width?: "narrow" | "text" | "wide";
  readonly children?: ReactNode;
}) {
  const { name } = useConfig();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} – ${name}`;
  }, [name, title]);
  useEffect(() => {
    if (takesFocus()) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div className={`page page-${width}`}>
      {before}
      <h1
        ref={heading}
        tabIndex={-1}
        className={isHeadingHidden ? "visually-hidden" : undefined}
      >
        <bdi>{title}</bdi>
      </h1>
      {lead !== undefined && <p className="lead">{lead}</p>}
      {children}
    </div>
  );
}

import { useEffect, useRef, type ReactNode } from "react";
import { windowTitle } from "../../site/page-titles.ts";
import { useConfig } from "../api/config.ts";
import { focusesHeading } from "./router.tsx";

/** Shows a page with its title and heading, which takes the focus when the user comes from another page. */
export function Page({
  before,
  children,
  isHeadingHidden = false,
  lead,
  title,
  titleOfWindow = title,
  width = "text",
}: {
  readonly title: string;
  /** The window's title, if it says more than the heading. */
  readonly titleOfWindow?: string;
  /** Content above the heading, such as a link back. */
  readonly before?: ReactNode;
  /** A sentence below the heading. */
  readonly lead?: ReactNode;
  /** True if the heading is only for screen readers. */
  readonly isHeadingHidden?: boolean;
  /** The width of a form, of readable text, or of the window. */
  readonly width?: "narrow" | "text" | "wide";
  readonly children?: ReactNode;
}) {
  const { name } = useConfig();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = windowTitle(titleOfWindow, name);
  }, [name, titleOfWindow]);
  useEffect(() => {
    if (focusesHeading()) heading.current?.focus({ preventScroll: true });
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

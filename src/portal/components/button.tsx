import { type ComponentProps, useEffect, useState } from "react";
import { Link, type LinkProps } from "../shell/router.tsx";

export interface ButtonLook {
  /** `primary`: at most one on a page. `danger`: for what can't be undone. */
  readonly look?: "primary" | "plain" | "danger" | "quiet";
}

/** Does nothing while `isBusy` or `isInactive`, but can still be focused then, unlike a `disabled` button. */
export function Button({
  className = "",
  disabled,
  isBusy = false,
  isInactive = false,
  look = "plain",
  onClick,
  type = "button",
  ...others
}: ComponentProps<"button"> &
  ButtonLook & { readonly isBusy?: boolean; readonly isInactive?: boolean }) {
  return (
    <button
      {...others}
      type={type}
      disabled={disabled}
      aria-disabled={isBusy || isInactive || undefined}
      aria-busy={isBusy || undefined}
      className={`button button-${look} ${isInactive ? "is-off" : ""} ${className}`}
      onClick={(event) => {
        if (isBusy || isInactive) event.preventDefault();
        else onClick?.(event);
      }}
    />
  );
}

/** Looks like a button, but is a link. */
export function ButtonLink({
  className = "",
  look = "plain",
  ...others
}: LinkProps & ButtonLook) {
  return <Link {...others} className={`button button-${look} ${className}`} />;
}

const SHOWN_MS = 2_000;

/** Copies a text, and shows whether that worked. */
export function CopyButton({
  label = "Copy",
  text,
}: {
  readonly text: string;
  readonly label?: string;
}) {
  const [said, setSaid] = useState<string | null>(null);
  useEffect(() => {
    if (said === null) return undefined;
    const timer = setTimeout(() => setSaid(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [said]);
  return (
    <>
      <Button
        look="quiet"
        onClick={() => {
          void copied(text).then((isCopied) =>
            setSaid(isCopied ? "Copied" : "Couldn’t copy. Select the text."),
          );
        }}
      >
        {said ?? label}
      </Button>
      <span className="visually-hidden" role="status">
        {said ?? ""}
      </span>
    </>
  );
}

/** True if it was copied. Browsers may refuse, and have no clipboard on pages without TLS. */
async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

import { useEffect, useState } from "react";
import { Button } from "./button.tsx";

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

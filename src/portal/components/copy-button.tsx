import { useEffect, useState } from "react";
import { Button } from "./button.tsx";

const SHOWN_MS = 2_000;

/** Copies a text, and says that it did or could not. */
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
          navigator.clipboard.writeText(text).then(
            () => setSaid("Copied"),
            () => setSaid("Select and copy it by hand"),
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

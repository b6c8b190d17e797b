import { useEffect, useState } from "react";
import { Button } from "./button.tsx";

const SHOWN_MS = 2_000;
const COPIED = "Copied";

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
    if (said !== COPIED) return undefined;
    const timer = setTimeout(() => setSaid(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [said]);

  async function copy(): Promise<void> {
    try {
      // Over http on another machine than this one browsers have no clipboard at all.
      await navigator.clipboard.writeText(text);
      setSaid(COPIED);
    } catch {
      setSaid("Select and copy it by hand");
    }
  }

  return (
    <>
      <Button look="quiet" onClick={() => void copy()}>
        {said ?? label}
      </Button>
      <span className="visually-hidden" role="status">
        {said ?? ""}
      </span>
    </>
  );
}

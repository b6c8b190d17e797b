import { useEffect, useState } from "react";

/** Longer than a pause between letters, shorter than one between words. */
const PAUSE_MS = 150;

/** The text, once it hasn't changed for a moment. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

import { useEffect, useState } from "react";
import type { GuideDocument } from "../../site/guide-document.ts";

/** The repository's documents, each a separate chunk (`src/build/portal/guide-document.ts`). */
const LOADERS = import.meta.glob<GuideDocument>("../../../docs/*.md", {
  import: "default",
});

/** Loads the document with this name, null for none. Rejects if that fails. */
export async function loadDocument(
  name: string,
): Promise<GuideDocument | null> {
  return (await LOADERS[`../../../docs/${name}.md`]?.()) ?? null;
}

/** A result of loading: null until it is there, and whether it failed. */
export interface Loaded<T> {
  readonly value: T | null;
  readonly hasFailed: boolean;
}

/** Loads what `load` promises, again whenever `load` changes. */
export function useLoaded<T>(load: () => Promise<T | null>): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>(NOTHING);
  useEffect(() => {
    let isAwaited = true;
    load().then(
      (value) => isAwaited && setLoaded({ value, hasFailed: false }),
      () => isAwaited && setLoaded({ value: null, hasFailed: true }),
    );
    return () => {
      isAwaited = false;
    };
  }, [load]);
  return loaded;
}

const NOTHING = { value: null, hasFailed: false };

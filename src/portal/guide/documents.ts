import type { GuideDocument } from "../../site/guide-document.ts";

/** The repository's documents, each a chunk of its own (`src/portal-build/documents-plugin.ts`). */
const LOADERS = import.meta.glob<GuideDocument>("../../../docs/*.md", {
  import: "default",
});

/** The document of a name, null where there is none. Rejects when it cannot be loaded. */
export async function loadDocument(
  name: string,
): Promise<GuideDocument | null> {
  return (await LOADERS[`../../../docs/${name}.md`]?.()) ?? null;
}

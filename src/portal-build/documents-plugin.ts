import { basename } from "node:path";
import type { Plugin } from "vite";
import { guideDocument } from "./guide-document.ts";

/** Lets the portal import the repository's documents: `docs/*.md` become modules whose default is a `GuideDocument`. */
export function documentsPlugin(): Plugin {
  return {
    name: "documents",
    transform: {
      filter: { id: /\/docs\/[a-z-]+\.md$/ },
      handler(markdown, id) {
        try {
          const text = JSON.stringify(guideDocument(markdown));
          return {
            code: `export default JSON.parse(${JSON.stringify(text)});`,
            map: null,
            moduleType: "js",
          };
        } catch (error) {
          throw new Error(`${basename(id)} cannot be read`, { cause: error });
        }
      },
    },
  };
}

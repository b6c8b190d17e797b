import { basename, dirname, join } from "node:path";
import type { Plugin } from "vite";
import type { GuideDocument } from "../../site/guide-document.ts";
import { guideDocument } from "./guide-document.ts";
import { pictureSize } from "./picture-size.ts";

/** Lets the portal import `docs/*.md` as modules whose default export is a `GuideDocument`. */
export function documentsPlugin(): Plugin {
  return {
    name: "documents",
    transform: {
      filter: { id: /\/docs\/[a-z-]+\.md$/ },
      handler(markdown, id) {
        try {
          return {
            code: moduleOf(
              guideDocument(markdown, (file) =>
                pictureSize(join(dirname(id), file)),
              ),
            ),
            map: null,
            moduleType: "js",
          };
        } catch (error) {
          throw new Error(`${basename(id)} can't be read`, { cause: error });
        }
      },
    },
  };
}

/** A module that exports the document, with its pictures' URLs in the built portal. */
function moduleOf(document: GuideDocument): string {
  const text = JSON.stringify(JSON.stringify(document));
  const files = document.blocks.flatMap((block) =>
    block.kind === "picture" ? block.file : [],
  );
  if (files.length === 0) return `export default JSON.parse(${text});`;
  const imports = files.map(
    (file, index) => `import file${index} from ${JSON.stringify(`./${file}`)};`,
  );
  const entries = files.map(
    (file, index) => `${JSON.stringify(file)}: file${index}`,
  );
  return `${imports.join("\n")}
const files = { ${entries.join(", ")} };
export default JSON.parse(${text}, (key, value) => key === "file" ? files[value] : value);`;
}

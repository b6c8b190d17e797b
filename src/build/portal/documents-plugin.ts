import { basename, dirname, join } from "node:path";
import type { Plugin } from "vite";
import type { GuideDocument, PictureSize } from "../../site/guide-document.ts";
import { guideDocument } from "./guide-document.ts";
import { readFileSync } from "node:fs";

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

/** Writes a module that exports the document, with its pictures' URLs in the built portal. */
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

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** The offset of a PNG's width, followed by its height (ISO/IEC 15948, 11.2.2). */
const WIDTH_AT = 16;

/** Reads the size of a PNG file in pixels. Throws if it isn't a PNG. */
export function pictureSize(path: string): PictureSize {
  const bytes = readFileSync(path);
  if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE))
    throw new Error(`${path} isn't a PNG.`);
  return {
    width: bytes.readUInt32BE(WIDTH_AT),
    height: bytes.readUInt32BE(WIDTH_AT + 4),
  };
}

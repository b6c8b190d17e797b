import { lexer, type Token, type Tokens } from "marked";
import {
  plainText,
  type GuideBlock,
  type GuideCode,
  type GuideDocument,
  type GuidePicture,
  type GuideSpan,
  type GuideTable,
  type GuideText,
  type PictureSize,
} from "../../site/guide-document.ts";
import { PAGE_PATHS } from "../../site/page-paths.ts";
import { basename, dirname, join } from "node:path";
import type { Plugin } from "vite";
import { readFileSync } from "node:fs";

/** The paths of pages that documents name where readers should go there. */
const LINKED_PATHS: ReadonlySet<string> = new Set([
  PAGE_PATHS["sign-up"],
  PAGE_PATHS["sign-in"],
  PAGE_PATHS.settings,
  PAGE_PATHS.usage,
  PAGE_PATHS.plan,
  PAGE_PATHS.security,
  PAGE_PATHS.reference,
]);

/** Consecutive code blocks in different ones of these become one sample. */
const SAMPLE_LANGUAGES: ReadonlySet<string> = new Set(["sh", "ts", "python"]);

/**
 * Parses one of the project's documents; `sizeOf` gives the size of a picture. Throws for anything that the page can't
 * show, such as raw HTML or a deeper heading.
 */
export function guideDocument(
  markdown: string,
  sizeOf: (file: string) => PictureSize,
): GuideDocument {
  const tokens = lexer(markdown);
  const first = tokens[0];
  if (first?.type !== "heading" || first["depth"] !== 1)
    throw new Error("A document must start with its title.");
  const context: Context = {
    ids: new Map(),
    labels: new Map(),
    section: "",
    sizeOf,
  };
  return {
    title: plainText(inline(first.tokens)),
    blocks: blocksOf(tokens.slice(1), context),
  };
}

interface Context {
  /** The number of uses of each heading's id. */
  readonly ids: Map<string, number>;
  /** The number of uses of each label. */
  readonly labels: Map<string, number>;
  /** The current heading. */
  section: string;
  readonly sizeOf: (file: string) => PictureSize;
}

function blocksOf(tokens: readonly Token[], context: Context): GuideBlock[] {
  const blocks: GuideBlock[] = [];
  let samples: GuideCode[] = [];
  for (const token of tokens.filter(({ type }) => type !== "space")) {
    const isSample = isCode(token) && SAMPLE_LANGUAGES.has(token.lang ?? "");
    if (!isSample || samples.some(({ language }) => language === token.lang))
      flush();
    const next = block(token, context);
    if (isSample && next.kind === "code") samples.push(next);
    else blocks.push(next);
  }
  flush();
  return blocks;

  /** Turns consecutive code in several languages into one sample with tabs. */
  function flush(): void {
    if (samples.length > 1)
      blocks.push({
        kind: "samples",
        label: labelOf("Code samples", context),
        samples,
      });
    else blocks.push(...samples);
    samples = [];
  }
}

function block(token: Token, context: Context): GuideBlock {
  if (isHeading(token)) {
    const text = inline(token.tokens);
    const level = token.depth;
    if (level !== 2 && level !== 3)
      throw new Error(
        `The guide can't show a heading of level ${level}: ${token.raw}`,
      );
    context.section = plainText(text);
    return { kind: "heading", level, id: idOf(context), text };
  }
  if (isCode(token))
    return { kind: "code", language: token.lang ?? "", code: token.text };
  if (isList(token))
    return {
      kind: "list",
      isOrdered: token.ordered,
      items: token.items.map((item) => blocksOf(item.tokens, context)),
    };
  if (isTable(token)) return table(token, context);
  const picture = pictureIn(token, context);
  if (picture !== null) return picture;
  if (token.type === "paragraph" || token.type === "text")
    return { kind: "paragraph", text: inline(tokensOf(token)) };
  throw new Error(`A document can't contain this: ${token.raw}`);
}

/** Reads a paragraph with only a picture of `docs/pictures`. */
function pictureIn(token: Token, { sizeOf }: Context): GuidePicture | null {
  const [image, ...others] = tokensOf(token);
  if (image?.type !== "image" || others.length > 0) return null;
  const file: unknown = Reflect.get(image, "href");
  if (typeof file !== "string" || !/^pictures\/[a-z-]+\.png$/.test(file))
    throw new Error(`A picture must be a PNG in docs/pictures: ${token.raw}`);
  return { kind: "picture", file, text: textOf(image), size: sizeOf(file) };
}

function table(
  { align, header, rows }: Tokens.Table,
  context: Context,
): GuideTable {
  return {
    kind: "table",
    label: labelOf("Table", context),
    columns: header.map(({ tokens }, index) => ({
      title: inline(tokens),
      isNumber: align[index] === "right",
    })),
    rows: rows.map((row) => row.map(({ tokens }) => inline(tokens))),
  };
}

function inline(tokens: readonly Token[] = []): GuideText {
  return tokens.map(span);
}

function span(token: Token): GuideSpan {
  switch (token.type) {
    case "text":
    case "escape":
      return textOf(token);
    case "codespan":
      return codeSpan(textOf(token));
    case "strong":
    case "em":
      return { kind: token.type, text: inline(tokensOf(token)) };
    case "link":
      return link(token);
    default:
      throw new Error(`Text can't contain this: ${token.raw}`);
  }
}

/** Makes code of a text. The path of a page that any reader can open becomes a link to it. */
function codeSpan(code: string): GuideSpan {
  const plain: GuideSpan = { kind: "code", code };
  return LINKED_PATHS.has(code)
    ? { kind: "link", href: code, text: [plain] }
    : plain;
}

/** Makes a link to another document lead to its page; of a link to another file only the text is kept. */
function link(token: Token): GuideSpan {
  const href: unknown = Reflect.get(token, "href");
  const text = inline(tokensOf(token));
  if (typeof href !== "string") throw new Error("A link has no target.");
  const [, name, fragment = ""] = /^([a-z-]+)\.md(#[\w-]+)?$/.exec(href) ?? [];
  if (name !== undefined)
    return { kind: "link", href: `/guide/${name}${fragment}`, text };
  if (/^(#|https:\/\/)/.test(href)) return { kind: "link", href, text };
  return plainText(text);
}

/** Returns the anchor that GitHub would give the heading. */
function idOf({ ids, section }: Context): string {
  const name = section
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number} _-]/gu, "")
    .replaceAll(" ", "-");
  const taken = ids.get(name) ?? 0;
  ids.set(name, taken + 1);
  return taken === 0 ? name : `${name}-${taken}`;
}

/** Returns "Table: Search", then "Table: Search, 2" in the same section. */
function labelOf(what: string, { labels, section }: Context): string {
  const label = `${what}: ${section}`;
  const given = (labels.get(label) ?? 0) + 1;
  labels.set(label, given);
  return given === 1 ? label : `${label}, ${given}`;
}

function tokensOf(token: Token): readonly Token[] {
  return "tokens" in token && token.tokens !== undefined ? token.tokens : [];
}

function textOf(token: Token): string {
  return "text" in token && typeof token.text === "string" ? token.text : "";
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === "heading";
}

function isCode(token: Token): token is Tokens.Code {
  return token.type === "code";
}

function isList(token: Token): token is Tokens.List {
  return token.type === "list";
}

function isTable(token: Token): token is Tokens.Table {
  return token.type === "table";
}

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
  const files = document.blocks.flatMap((each) =>
    each.kind === "picture" ? each.file : [],
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

import { lexer, type Token, type Tokens } from "marked";
import {
  plainText,
  type GuideBlock,
  type GuideCode,
  type GuideDocument,
  type GuideSpan,
  type GuideTable,
  type GuideText,
} from "../site/guide-document.ts";

/** Blocks in different ones of these that follow each other are one sample. */
const SAMPLE_LANGUAGES: ReadonlySet<string> = new Set(["sh", "ts", "python"]);

/** Reads one of the project's documents. Throws for what its page could not show: raw HTML, images, a deeper heading. */
export function guideDocument(markdown: string): GuideDocument {
  const tokens = lexer(markdown);
  const first = tokens[0];
  if (first?.type !== "heading" || first["depth"] !== 1)
    throw new Error("A document begins with its title.");
  const context: Context = { ids: new Map(), tables: new Map(), section: "" };
  return {
    title: plainText(inline(first.tokens)),
    blocks: joinSamples(blocksOf(tokens.slice(1), context)),
  };
}

interface Context {
  /** How often a name for headings was taken. */
  readonly ids: Map<string, number>;
  /** How many tables a section has had. */
  readonly tables: Map<string, number>;
  /** The heading above. */
  section: string;
}

function blocksOf(tokens: readonly Token[], context: Context): GuideBlock[] {
  return tokens
    .filter(({ type }) => type !== "space")
    .map((token) => block(token, context));
}

function block(token: Token, context: Context): GuideBlock {
  if (isHeading(token)) {
    const text = inline(token.tokens);
    const level = token.depth;
    if (level !== 2 && level !== 3)
      throw new Error(`A heading of level ${level} is not shown: ${token.raw}`);
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
  if (token.type === "paragraph" || token.type === "text")
    return { kind: "paragraph", text: inline(tokensOf(token)) };
  throw new Error(`A document cannot hold this: ${token.raw}`);
}

function table(
  { align, header, rows }: Tokens.Table,
  { section, tables }: Context,
): GuideTable {
  const number = (tables.get(section) ?? 0) + 1;
  tables.set(section, number);
  return {
    kind: "table",
    label: number === 1 ? section : `${section}, table ${number}`,
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
      return { kind: "code", code: textOf(token) };
    case "strong":
    case "em":
      return { kind: token.type, text: inline(tokensOf(token)) };
    case "link":
      return link(token);
    default:
      throw new Error(`A text cannot hold this: ${token.raw}`);
  }
}

/** A link to another document becomes one to its page; one to a file of the repository becomes its words. */
function link(token: Token): GuideSpan {
  const href: unknown = Reflect.get(token, "href");
  const text = inline(tokensOf(token));
  if (typeof href !== "string") throw new Error(`A link leads nowhere.`);
  const [, name, fragment = ""] = /^([a-z-]+)\.md(#[\w-]+)?$/.exec(href) ?? [];
  if (name !== undefined)
    return { kind: "link", href: `/guide/${name}${fragment}`, text };
  if (/^(#|https:\/\/)/.test(href)) return { kind: "link", href, text };
  return plainText(text);
}

/** As GitHub makes it of a heading. */
function idOf({ ids, section }: Context): string {
  const name = section
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number} _-]/gu, "")
    .replaceAll(" ", "-");
  const taken = ids.get(name) ?? 0;
  ids.set(name, taken + 1);
  return taken === 0 ? name : `${name}-${taken}`;
}

/** Code in several languages, one after the other, is one sample with a choice. */
function joinSamples(blocks: readonly GuideBlock[]): GuideBlock[] {
  const joined: GuideBlock[] = [];
  let samples: GuideCode[] = [];
  for (const each of blocks) {
    const isSample =
      each.kind === "code" && SAMPLE_LANGUAGES.has(each.language);
    if (!isSample || samples.some(({ language }) => language === each.language))
      flush();
    if (isSample) samples.push(each);
    else joined.push(each);
  }
  flush();
  return joined;

  function flush(): void {
    if (samples.length > 1) joined.push({ kind: "samples", samples });
    else joined.push(...samples);
    samples = [];
  }
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

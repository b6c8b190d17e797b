/** The events of an XML text that a workbook needs. Names have no prefixes. */
export interface XmlHandlers {
  /** Takes the start of an element; `attributes` is the rest of the tag, for `attributeOf`. */
  open(name: string, attributes: string): void;
  close(name: string): void;
  /** Takes the text of an element, possibly in several chunks. */
  text(text: string): void;
}

/** The text is not XML, or not XML that a workbook contains. */
export class XmlError extends Error {
  override readonly name = "XmlError";
}

/** Longer than any tag of a workbook. Limits memory. */
const MAX_TAG_LENGTH = 1 << 16;
const SPACE_OR_SLASH = /[\s/]/;
const ENTITY = /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi;
const NAMED = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" } as const;
const LAST_CODE_POINT = 0x10_ffff;

/** Constructs without elements, by their delimiters. Document types may define entities, so they are refused. */
const SKIPPED = [
  ["<!--", "-->"],
  ["<?", "?>"],
] as const;
const CDATA = ["<![CDATA[", "]]>"] as const;

/** Reads XML in chunks and keeps at most one tag in memory. */
export class XmlScanner {
  readonly #handlers: XmlHandlers;
  #rest = "";
  /** The end of the construct that is being skipped or passed on as text; null outside of one. */
  #until: { end: string; isText: boolean } | null = null;
  #depth = 0;

  constructor(handlers: XmlHandlers) {
    this.#handlers = handlers;
  }

  /** Throws XmlError. */
  push(piece: string): void {
    const text = this.#rest + piece;
    let at = 0;
    for (;;) {
      const next = this.#step(text, at);
      if (next === at) break;
      at = next;
    }
    this.#rest = text.slice(at);
    if (this.#rest.length > MAX_TAG_LENGTH)
      throw new XmlError("a tag is too long");
  }

  /** Ends the text. Throws XmlError if something is unfinished. */
  end(): void {
    if (this.#rest.trim() !== "" || this.#until !== null || this.#depth !== 0)
      throw new XmlError("it ends in the middle of an element");
  }

  /** Reads one construct at `at` and returns its end; returns `at` if more text is needed. */
  #step(text: string, at: number): number {
    if (this.#until !== null) return this.#passOver(this.#until, text, at);
    const begin = text.indexOf("<", at);
    if (begin === -1) return this.#emitText(text, at, wholeEnd(text, at));
    if (begin > at) return this.#emitText(text, at, begin);
    if (text[at + 1] === "!" || text[at + 1] === "?")
      return this.#beginSpecial(text, at);
    const end = tagEnd(text, at);
    if (end === -1) return at;
    this.#tag(text, at + 1, end);
    return end + 1;
  }

  #emitText(text: string, from: number, to: number): number {
    if (to > from && this.#depth > 0)
      this.#handlers.text(decoded(text.slice(from, to)));
    return to;
  }

  #beginSpecial(text: string, at: number): number {
    for (const [begin, end] of [...SKIPPED, CDATA])
      if (text.startsWith(begin, at)) {
        this.#until = { end, isText: end === CDATA[1] };
        return at + begin.length;
      }
    // One of their openings may be cut off.
    if (text.length - at < CDATA[0].length) return at;
    throw new XmlError("it has a document type declaration");
  }

  #passOver(
    { end, isText }: { end: string; isText: boolean },
    text: string,
    at: number,
  ): number {
    const found = text.indexOf(end, at);
    // The closing delimiter may be cut in two.
    const to = found === -1 ? Math.max(at, text.length - end.length) : found;
    if (isText && to > at) this.#handlers.text(text.slice(at, to));
    if (found === -1) return to;
    this.#until = null;
    return found + end.length;
  }

  #tag(text: string, start: number, end: number): void {
    if (text[start] === "/") {
      this.#depth--;
      if (this.#depth < 0) throw new XmlError("an element ends twice");
      this.#handlers.close(localName(text.slice(start + 1, end).trim()));
      return;
    }
    const tag = text.slice(start, end);
    const space = tag.search(SPACE_OR_SLASH);
    const name = localName(space === -1 ? tag : tag.slice(0, space));
    this.#depth++;
    this.#handlers.open(name, space === -1 ? "" : tag.slice(space));
    if (!tag.endsWith("/")) return;
    this.#depth--;
    this.#handlers.close(name);
  }
}

/** Finds the value of an attribute, by name with prefix; null if the tag does not have it. */
export function attributeOf(attributes: string, name: string): string | null {
  for (let at = 0; ;) {
    const equals = attributes.indexOf("=", at);
    if (equals === -1) return null;
    const quoteAt = firstOther(attributes, equals + 1);
    const quote = attributes[quoteAt];
    if (quote !== '"' && quote !== "'") return null;
    const end = attributes.indexOf(quote, quoteAt + 1);
    if (end === -1) return null;
    if (attributes.slice(at, equals).trim() === name)
      return decoded(attributes.slice(quoteAt + 1, end));
    at = end + 1;
  }
}

function firstOther(text: string, from: number): number {
  let at = from;
  while (text[at] === " " || text[at] === "\n" || text[at] === "\t") at++;
  return at;
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

/** Finds the end of the tag that starts at `at`: its ">" outside quoted values; -1 if it is not in the text yet. */
function tagEnd(text: string, at: number): number {
  let quote = 0;
  for (let end = at + 1; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (quote !== 0) {
      if (code === quote) quote = 0;
    } else if (code === 0x3e) return end;
    else if (code === 0x22 || code === 0x27) quote = code;
  }
  return -1;
}

/** Returns where the text ends without an entity that is cut off at the end. */
function wholeEnd(text: string, from: number): number {
  const ampersand = text.lastIndexOf("&");
  const isCut =
    ampersand >= from &&
    text.length - ampersand < 12 &&
    !text.includes(";", ampersand);
  return isCut ? ampersand : text.length;
}

function decoded(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(
    ENTITY,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return nameOf(name) ?? whole;
      const code =
        hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= LAST_CODE_POINT ? String.fromCodePoint(code) : whole;
    },
  );
}

function nameOf(entity: string): string | undefined {
  return new Map<string, string>(Object.entries(NAMED)).get(entity);
}

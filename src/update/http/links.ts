const HREF = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;
const NUMERIC = /&#(?:x([0-9a-f]{1,6})|(\d{1,7}));/gi;
const LAST_CODE_POINT = 0x10_ffff;

/**
 * Where the links of a page lead, in its order: http and https alone, and from an https page https alone. Comments are
 * left out. This is no HTML parser: whatever has an `href` counts, since the names of the files decide.
 */
export function linksOf(html: string, page: URL): URL[] {
  return [...withoutComments(html).matchAll(HREF)].flatMap(
    ([, quoted, single, bare]) => {
      const text = decode(quoted ?? single ?? bare ?? "").trim();
      const url = URL.canParse(text, page.href)
        ? new URL(text, page.href)
        : null;
      return url !== null && mayLead(page, url) ? [url] : [];
    },
  );
}

/** Whether a page or a redirection at one URL may lead to the other: never out of the web, never out of encryption. */
export function mayLead(from: URL, to: URL): boolean {
  if (to.protocol === "https:") return true;
  return to.protocol === "http:" && from.protocol !== "https:";
}

/** The last part of a URL's path, readable. */
export function fileNameOf({ pathname }: URL): string {
  const last = pathname.slice(pathname.lastIndexOf("/") + 1);
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

/** An unfinished comment hides the rest, as in browsers. */
function withoutComments(html: string): string {
  const [begin = "", ...parts] = html.split("<!--");
  const shown = parts.map((part) => {
    const end = part.indexOf("-->");
    return end === -1 ? "" : part.slice(end + 3);
  });
  return begin + shown.join("");
}

function decode(text: string): string {
  return text
    .replace(NUMERIC, (whole, hex?: string, decimal?: string) => {
      const code =
        hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= LAST_CODE_POINT ? String.fromCodePoint(code) : whole;
    })
    .replaceAll("&amp;", "&");
}

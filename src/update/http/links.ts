import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { UpdateError } from "../update-error.ts";
import { requestWithRetry, type RequestContext } from "./request.ts";
import { mayFollow, redactedUrl } from "./source.ts";

/** The registry's page is 8 KB; a mirror's list of a thousand files about 200. */
const MAX_PAGE_BYTES = 4 << 20;

const HREF = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;
const NUMERIC = /&#(?:x([0-9a-f]{1,6})|(\d{1,7}));/gi;
const LAST_CODE_POINT = 0x10_ffff;

/** Lists the URLs of a page's links, or of a folder's files. */
export async function linksAt(
  source: URL,
  context: RequestContext,
): Promise<URL[]> {
  if (source.protocol === "file:") return await filesIn(fileURLToPath(source));
  return await requestWithRetry(context, source, {}, async (answer) => {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of answer.body) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > MAX_PAGE_BYTES)
        throw new UpdateError(
          `${redactedUrl(source)} is larger than 4 MB, so it is not a page of links. Use the page that lists the files.`,
        );
    }
    return linksOf(Buffer.concat(chunks).toString("utf8"), answer.url);
  });
}

async function filesIn(folder: string): Promise<URL[]> {
  try {
    const names = await readdir(folder);
    return names.sort().map((name) => pathToFileURL(join(folder, name)));
  } catch (error) {
    throw new UpdateError(
      `Cannot read ${folder} as a folder. Use a folder that contains the files, or the http or https URL of a page.`,
      { cause: error },
    );
  }
}

/**
 * Lists the links of a page, in order: http and https, or only https from an https page. Skips comments. Not an HTML
 * parser: any `href` counts, since file names decide.
 */
export function linksOf(html: string, page: URL): URL[] {
  return [...withoutComments(html).matchAll(HREF)].flatMap(
    ([, quoted, single, bare]) => {
      const text = decode(quoted ?? single ?? bare ?? "").trim();
      const url = URL.canParse(text, page.href)
        ? new URL(text, page.href)
        : null;
      return url !== null && mayFollow(page, url) ? [url] : [];
    },
  );
}

/** Returns the last part of a URL's path, decoded. */
export function fileNameOf({ pathname }: URL): string {
  const last = pathname.slice(pathname.lastIndexOf("/") + 1);
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

/** Removes comments; an unclosed one hides the rest, as in browsers. */
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

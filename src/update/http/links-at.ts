import { readdir } from "node:fs/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { join } from "node:path";
import { requestWithRetry, type RequestContext } from "./request.ts";
import { linksOf } from "./links.ts";
import { shownUrl } from "./source.ts";
import { UpdateError } from "../update-error.ts";

/** The registry's page has 8 KB; a mirror's list of a thousand files some 200. */
const LARGEST_PAGE_BYTES = 4 << 20;

/** Where a page's links lead, or where the files of a folder are. */
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
      if (bytes > LARGEST_PAGE_BYTES)
        throw new UpdateError(
          `${shownUrl(source)} is no page of links, for it has more than 4 MB: give the page that lists the files.`,
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
      `${folder} cannot be read as a folder: give one that holds the files, or a page's http or https URL.`,
      { cause: error },
    );
  }
}

import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { IncomingHttpHeaders } from "node:http";
import type { HeldBuild } from "../../settings/service-settings.ts";
import { bodiless, content, type Call, type Reply } from "../call.ts";
import type { HeaderList } from "../pipeline/headers.ts";
import { listsMediaType, weightOf } from "../pipeline/accept.ts";
import { matchesAny, listsTag } from "../pipeline/conditional.ts";
import { PageTemplate } from "./page-template.ts";
import {
  heldAssets,
  storedAssets,
  type FileEncoding,
  type SiteFile,
} from "./site-files.ts";

/**
 * The built portal: the template of all its pages and its assets, whose names change with their contents. It includes
 * the assets of earlier builds, so pages opened before an upgrade keep working.
 */
export class BuiltSite {
  readonly page: PageTemplate;
  readonly #assets: ReadonlyMap<string, SiteFile>;

  /** Lists the files of a build and of the other ones next to its folder. Throws file system errors. */
  constructor(build: HeldBuild, publicUrl: string | null) {
    const { folder } = build;
    this.page = new PageTemplate(build, publicUrl);
    const output = dirname(folder);
    const others = (existsSync(output) ? readdirSync(output) : [])
      .filter((name) => !name.startsWith(".") && name !== basename(folder))
      .flatMap((name) => storedAssets(join(output, name)));
    this.#assets = new Map([...others, ...heldAssets(build)]);
  }

  /** The file `/assets/NAME`, or null. */
  asset(name: string): SiteFile | null {
    return this.#assets.get(name) ?? null;
  }
}

/**
 * Makes the reply of a file in the smallest encoding that the client accepts, with these headers, or 304 if it has the
 * file. Null if the file is gone.
 */
export async function fileReply(
  { headers: asked }: Call,
  file: SiteFile,
  headers: HeaderList,
): Promise<Reply | null> {
  const { encodings, tag, type } = file;
  const accepted = [asked["accept-encoding"] ?? ""].flat().join(",");
  const encoding = encodings.find((each) => accepts(accepted, each));
  const bytes = await file.read(encoding ?? null);
  if (bytes === null) return null;
  const own = [...headers, "etag", `W/"${tag}"`, "vary", "Accept-Encoding"];
  if (isCurrent(asked, tag)) return bodiless(304, own);
  if (encoding !== undefined) own.push("content-encoding", encoding);
  return content(bytes, type, own);
}

/** True if the client has the file with this tag. */
export function isCurrent(
  { "if-none-match": match }: IncomingHttpHeaders,
  tag: string,
): boolean {
  return match !== undefined && (matchesAny(match) || listsTag(match, tag));
}

/** True if an Accept-Encoding lists an encoding, or `*`, with a weight above zero. */
function accepts(header: string, encoding: FileEncoding): boolean {
  const name = listsMediaType(header, encoding) ? encoding : "*";
  return listsMediaType(header, name) && weightOf(header, name) > 0;
}

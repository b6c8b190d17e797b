import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { typeOf, type SiteFile } from "./built-site.ts";
import { sharedFile } from "./shared-file.ts";

/** The page that shows the files has a path of its own. */
const PAGE = "index.html";

/** The files that the page `/docs` loads, by their names. The library would open and read one again for each request. */
export function swaggerFiles(): ReadonlyMap<string, SiteFile> {
  const library = import.meta.resolve("@fastify/swagger-ui");
  const folder = fileURLToPath(new URL("static/", library));
  const files = new Map<string, SiteFile>();
  for (const name of readdirSync(folder)) {
    const type = typeOf(name);
    if (type === null || name === PAGE) continue;
    const path = join(folder, name);
    const { mtimeMs, size } = statSync(path);
    const read = sharedFile(path);
    const tag = `${size.toString(36)}-${Math.floor(mtimeMs).toString(36)}`;
    files.set(name, { type, tag, encodings: [], read });
  }
  return files;
}

import { hash } from "node:crypto";
import { prefixOf } from "../../text/public-path.ts";
import { PAGE_NAMES, type PageName } from "../../site/page-paths.ts";

/** What the build's `index.html` has for every page, and each page replaces. */
const GENERAL = /<meta\s+name="description"[^>]*>\s*<title>[^<]*<\/title>/;
const TAG_LENGTH = 16;
/** The addresses of the build's files, which the build leaves open. */
const RELATIVE = /(href|src)="\.\//g;
const ROOT = '<div id="root">';

/** A file of the build, in Vite's manifest. */
interface BuiltChunk {
  readonly file: string;
  readonly css?: readonly string[];
  readonly imports?: readonly string[];
}

/** The manifest of a build. */
export type Manifest = Readonly<Record<string, BuiltChunk>>;

/** A page, ready to be sent. */
export interface PageText {
  readonly html: string;
  /** Identifies its contents. */
  readonly tag: string;
}

/** The HTML of all pages. They differ in their head: what they are called, and which files the browser loads early. */
export class PageTemplate {
  readonly #build: string;
  readonly #before: string;
  readonly #after: string;
  /** Links to the files of each page's own code and styles. */
  readonly #links: ReadonlyMap<PageName, string>;

  /** Takes the name of a build, which follows from its contents, its page, Vite's manifest, and the public URL. */
  constructor(
    build: string,
    built: string,
    manifest: Manifest,
    publicUrl: string | null,
  ) {
    const prefix = prefixOf(publicUrl);
    const html = placed(built, prefix, publicUrl);
    const general = GENERAL.exec(html);
    if (general === null)
      throw new Error(`The page of ${build} has no description and title.`);
    this.#build = build;
    this.#before = html.slice(0, general.index);
    this.#after = html.slice(general.index + general[0].length);
    this.#links = new Map(
      PAGE_NAMES.map((page) => [page, linksOf(page, manifest, prefix)]),
    );
  }

  /** The page with this head, in HTML; `page` is null for one that isn't found. */
  fill(page: PageName | null, head: string): PageText {
    const own = head + ((page && this.#links.get(page)) ?? "");
    return {
      html: this.#before + own + this.#after,
      tag: hash("sha256", this.#build + own, "base64url").slice(0, TAG_LENGTH),
    };
  }
}

/**
 * The files that a page's code consists of in addition to what every page loads. Otherwise they would load after it.
 */
function linksOf(page: PageName, manifest: Manifest, prefix: string): string {
  const shared = chunksOf("index.html", manifest);
  const source = page === "guide-page" ? "guide" : page;
  const chunks = [...chunksOf(`pages/${source}.tsx`, manifest)]
    .filter((key) => !shared.has(key))
    .flatMap((key) => manifest[key] ?? []);
  return [
    ...chunks.flatMap(({ css = [] }) =>
      css.map(
        (file) =>
          `<link rel="stylesheet" crossorigin href="${prefix}/${file}">`,
      ),
    ),
    ...chunks.map(
      ({ file }) =>
        `<link rel="modulepreload" crossorigin href="${prefix}/${file}">`,
    ),
  ].join("\n");
}

/**
 * The build's page with the addresses of its files. Below a path, it has the path for its scripts, and says where it
 * works, which is all that users see where its files aren't found.
 */
function placed(
  built: string,
  prefix: string,
  publicUrl: string | null,
): string {
  const html = built.replaceAll(RELATIVE, `$1="${prefix}/`);
  return prefix === ""
    ? html
    : html
        .replace("<html ", `<html data-prefix="${prefix}" `)
        .replace(
          ROOT,
          `${ROOT}<p>This page works only at <a href="${publicUrl}/">${publicUrl}/</a>, behind a proxy that removes ${prefix} from paths.</p>`,
        );
}

/** A chunk and all that it imports, but not what it loads later. */
function chunksOf(
  key: string,
  manifest: Manifest,
  found = new Set<string>(),
): Set<string> {
  if (found.has(key)) return found;
  found.add(key);
  for (const each of manifest[key]?.imports ?? [])
    chunksOf(each, manifest, found);
  return found;
}

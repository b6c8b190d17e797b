import { hash } from "node:crypto";
import { basename } from "node:path";
import type { HeldBuild } from "../../settings/service-settings.ts";
import { prefixOf } from "../../text/public-path.ts";
import { PAGE_NAMES, type PageName } from "../../site/page-paths.ts";
import { textOf } from "./site-files.ts";

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

type Manifest = Readonly<Record<string, BuiltChunk>>;

/** A page, ready to be sent. */
export interface PageText {
  readonly html: string;
  /** Identifies its contents. */
  readonly tag: string;
}

/** The HTML of all pages. They differ in their head: what they are called, and which files the browser loads early. */
export class PageTemplate {
  /** The name of the build, which follows from its contents. */
  readonly #build: string;
  readonly #html: string;
  /** Links to the files of each page's own code and styles. */
  readonly #links: ReadonlyMap<PageName, string>;

  constructor(build: HeldBuild, publicUrl: string | null) {
    const prefix = prefixOf(publicUrl);
    const manifest: Manifest = JSON.parse(textOf(build, "manifest.json"));
    this.#build = basename(build.folder);
    this.#html = placed(textOf(build, "index.html"), prefix, publicUrl);
    if (!GENERAL.test(this.#html))
      throw new Error(
        `The page of ${this.#build} has no description and title.`,
      );
    this.#links = new Map(
      PAGE_NAMES.map((page) => [page, linksOf(page, manifest, prefix)]),
    );
  }

  /** The page with this head, in HTML; `page` is null for one that isn't found. */
  fill(page: PageName | null, head: string): PageText {
    const own = head + ((page && this.#links.get(page)) ?? "");
    return {
      html: this.#html.replace(GENERAL, () => own),
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

import { hash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { IncomingHttpHeaders } from "node:http";
import type { HeldBuild } from "../../settings/service-settings.ts";
import { PAGE_NAMES, type PageName } from "../../site/page-paths.ts";
import { prefixOf } from "../../text/public-path.ts";
import { bodiless, content, type Call, type Reply } from "../call.ts";
import type { HeaderList } from "../pipeline/headers.ts";
import { listsMediaType, weightOf } from "../pipeline/accept.ts";
import { matchesAny, listsTag } from "../pipeline/conditional.ts";
import {
  heldAssets,
  storedAssets,
  textOf,
  type FileEncoding,
  type SiteFile,
} from "./site-files.ts";

/** The part of the build's `index.html` that each page replaces. */
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

/**
 * The built portal: the HTML of all its pages, which differ in their head, and its assets, whose names change with
 * their contents. It includes the assets of earlier builds, so pages opened before an upgrade keep working.
 */
export class BuiltSite {
  /** The name of the build's folder, which is the hash of its sources. */
  readonly #build: string;
  readonly #html: string;
  /** Links to the files of each page's own code and styles, which the browser loads early. */
  readonly #links: ReadonlyMap<PageName, string>;
  readonly #assets: ReadonlyMap<string, SiteFile>;

  /** Lists the files of a build and of the other ones next to its folder. Throws file system errors. */
  constructor(build: HeldBuild, publicUrl: string | null) {
    const name = basename(build.folder);
    const prefix = prefixOf(publicUrl);
    const manifest: Manifest = JSON.parse(textOf(build, "manifest.json"));
    this.#build = name;
    this.#html = placed(textOf(build, "index.html"), prefix, publicUrl);
    if (!GENERAL.test(this.#html))
      throw new Error(`The page of ${name} has no description and title.`);
    this.#links = new Map(
      PAGE_NAMES.map((page) => [page, linksOf(page, manifest, prefix)]),
    );
    const output = dirname(build.folder);
    const others = (existsSync(output) ? readdirSync(output) : [])
      .filter((other) => !other.startsWith(".") && other !== name)
      .flatMap((other) => storedAssets(join(output, other)));
    this.#assets = new Map([...others, ...heldAssets(build)]);
  }

  /** Makes the page with this head, in HTML; `page` is null for one that isn't found. */
  page(page: PageName | null, head: string): PageText {
    const own = head + ((page && this.#links.get(page)) ?? "");
    return {
      html: this.#html.replace(GENERAL, () => own),
      tag: hash("sha256", this.#build + own, "base64url").slice(0, TAG_LENGTH),
    };
  }

  /** Finds the file `/assets/NAME`, or null. */
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
  const { forms, tag, type } = file;
  const accepted = [asked["accept-encoding"] ?? ""].flat().join(",");
  const form = forms.find(({ encoding }) => accepts(accepted, encoding));
  const bytes = form && (await form.read());
  if (form === undefined || !bytes) return null;
  const own = [...headers, "etag", `W/"${tag}"`, "vary", "Accept-Encoding"];
  if (isCurrent(asked, tag)) return bodiless(304, own);
  if (form.encoding !== null) own.push("content-encoding", form.encoding);
  return content(bytes, type, own);
}

/** True if the client has the file with this tag. */
export function isCurrent(
  { "if-none-match": match }: IncomingHttpHeaders,
  tag: string,
): boolean {
  return match !== undefined && (matchesAny(match) || listsTag(match, tag));
}

/** True if there is no encoding, or an Accept-Encoding lists it, or `*`, with a weight above zero. */
function accepts(header: string, encoding: FileEncoding | null): boolean {
  if (encoding === null) return true;
  const name = listsMediaType(header, encoding) ? encoding : "*";
  return listsMediaType(header, name) && weightOf(header, name) > 0;
}

/** Links to the files of a page's code that not every page loads. Otherwise they would load later. */
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
 * Puts the addresses of its files in the build's page. Below a path, it has the path for its scripts, and says where it
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

/** Collects a chunk and all that it imports, but not what it loads later. */
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

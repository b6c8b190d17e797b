import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { HeldBuild } from "../../settings/service-settings.ts";
import { matchesAny, listsTag } from "../pipeline/conditional.ts";
import { PageTemplate } from "./page-template.ts";
import {
  heldAssets,
  storedAssets,
  textOf,
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
    this.page = new PageTemplate(
      basename(folder),
      textOf(build, "index.html"),
      JSON.parse(textOf(build, "manifest.json")),
      publicUrl,
    );
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
 * Sends a file in the smallest encoding that the client accepts, with these headers, or 304 if it has the file. Returns
 * null without an answer if the file is gone.
 */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: SiteFile,
  headers: Readonly<Record<string, string>>,
): Promise<FastifyReply | null> {
  const accepted = [request.headers["accept-encoding"] ?? ""].flat().join(",");
  const encoding = file.encodings.find((each) => accepts(accepted, each));
  const bytes = await file.read(encoding ?? null);
  if (bytes === null) return null;
  reply.headers(headers);
  if (isHeld(request, reply, file.tag)) return reply.code(304).send();
  if (encoding !== undefined) reply.header("content-encoding", encoding);
  return reply.type(file.type).send(bytes);
}

/** Sets the validator of a file, and returns whether the client has it. The page of an unknown path is never held. */
export function isHeld(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  tag: string,
): boolean {
  reply.header("etag", `W/"${tag}"`).header("vary", varyOf(reply));
  const match = headers["if-none-match"];
  return (
    reply.statusCode === 200 &&
    match !== undefined &&
    (matchesAny(match) || listsTag(match, tag))
  );
}

/** The existing `Vary` and the encodings. */
function varyOf(reply: FastifyReply): string {
  return [reply.getHeader("vary") ?? [], "Accept-Encoding"].flat().join(", ");
}

/** Whether an Accept-Encoding lists an encoding, or `*`, with a weight above zero. */
function accepts(header: string, encoding: FileEncoding): boolean {
  const weights = new Map(
    header.split(",").map((range) => {
      const [name = "", ...parameters] = range
        .split(";")
        .map((part) => part.trim().toLowerCase());
      const weight = parameters.find((each) => each.startsWith("q="));
      return [name, weight === undefined ? 1 : Number(weight.slice(2))];
    }),
  );
  return (weights.get(encoding) ?? weights.get("*") ?? 0) > 0;
}

import type { FastifyReply, FastifyRequest } from "fastify";
import type { FileEncoding, SiteFile } from "./built-site.ts";
import { isAny, namesTag } from "../pipeline/conditional.ts";

/** Sends a file in the smallest encoding that the client takes, or 304 where it holds the file already. */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: SiteFile,
): Promise<FastifyReply> {
  const { headers } = request;
  reply.header("etag", `W/"${file.tag}"`).header("vary", varyOf(reply));
  const match = headers["if-none-match"];
  // The page of a path that is not there is no answer that can be held.
  const isFound = reply.statusCode === 200;
  if (
    isFound &&
    match !== undefined &&
    (isAny(match) || namesTag(match, file.tag))
  )
    return reply.code(304).send();
  const accepted = [headers["accept-encoding"] ?? ""].flat().join(",");
  const encoding = file.encodings.find((each) => accepts(accepted, each));
  if (encoding !== undefined) reply.header("content-encoding", encoding);
  return reply.type(file.type).send(await file.read(encoding ?? null));
}

/** What the answer depends on already, and the encodings. */
function varyOf(reply: FastifyReply): string {
  return [reply.getHeader("vary") ?? [], "Accept-Encoding"].flat().join(", ");
}

/** Whether an Accept-Encoding names an encoding, or `*`, and not with a weight of nothing. */
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

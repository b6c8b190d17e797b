import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";

const ICON = join(import.meta.dirname, "..", "pages", "favicon.ico");
const A_DAY = "public, max-age=86400";

/** `GET /favicon.ico`, which browsers ask for by themselves, also beside a page of `/docs` or an answer in JSON. */
export function addFavicon(app: FastifyInstance): void {
  const bytes = readFileSync(ICON);
  app.get("/favicon.ico", (_request, reply) =>
    reply
      .type("image/x-icon")
      .header("cache-control", A_DAY)
      .header("cross-origin-resource-policy", "same-origin")
      .send(bytes),
  );
}

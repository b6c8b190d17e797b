import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Route } from "./route.ts";

const ICON = join(import.meta.dirname, "..", "pages", "favicon.ico");
const A_DAY = "public, max-age=86400";

/** `GET /favicon.ico`, which browsers ask for by themselves, also beside an answer in JSON. */
export const FAVICON_ROUTE: Route = {
  method: "GET",
  path: "/favicon.ico",
  access: "public",
  counted: "asset",
  handler() {
    const bytes = readFileSync(ICON);
    return (_request, reply) =>
      reply
        .type("image/x-icon")
        .header("cache-control", A_DAY)
        .header("cross-origin-resource-policy", "same-origin")
        .send(bytes);
  },
};

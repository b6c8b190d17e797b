import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { checkNpi } from "../../registry/npi.ts";
import { PAGE_PATHS, pageAt, type PagePlace } from "../../site/page-paths.ts";
import { prefersPage } from "../pipeline/accept.ts";
import type { BuiltSite } from "../pages/built-site.ts";
import type { HttpDependencies, PortalDependencies } from "../app-context.ts";
import { isOpen } from "../access/explorer-gate.ts";
import { notFound, type Refuse } from "../pipeline/failure.ts";
import { portalFacts } from "../pages/portal-facts.ts";
import { portalPageHeaders } from "../pages/portal-page-headers.ts";
import { sendFile } from "../pages/send-file.ts";
import { addExplore } from "./explore.ts";

const FOR_EVER = "public, max-age=31536000, immutable";
const OF_PROGRAMS = /^\/v1(?:[/?]|$)/;
/** Files lie ready in their encodings. */
const AS_IT_IS = { compress: false } as const;

/** The portal in one app. */
export interface Portal {
  /** Adds its paths: pages, assets, `/portal.json`, `/explore`. */
  add(app: FastifyInstance): Promise<void>;
  /** Shows a browser that there is nothing at a path; false for any other client, which is not answered. */
  showNotFound(request: FastifyRequest, reply: FastifyReply): boolean;
}

/** Makes the portal; without a built site its pages say so, and the rest is there all the same. */
export function portalOf(
  deps: HttpDependencies,
  portal: PortalDependencies,
  refuse: Refuse,
): Portal {
  const { site } = portal;
  const headers = portalPageHeaders(portal.settings.tiles);
  return { add, showNotFound };

  async function add(app: FastifyInstance): Promise<void> {
    for (const path of Object.values(PAGE_PATHS))
      app.get(path, AS_IT_IS, (request, reply) => {
        if (site === null) return sayUnbuilt(reply);
        const [asked = ""] = request.url.split("?");
        const place = pageAt(asked);
        if (place !== null && !isOfNobody(place, request))
          return sendPage(site, request, reply);
        return showNotFound(request, reply)
          ? reply
          : refuse(request, reply, notFound());
      });
    if (site !== null) addAssets(app, site, refuse);
    app.get("/portal.json", (_request, reply) => {
      reply.header("cache-control", "no-store");
      return { data: portalFacts(deps, portal), meta: {} };
    });
    await app.register((part, _options, done) => {
      addExplore(part, deps, portal, refuse);
      done();
    });
  }

  /**
   * Whether it is the page of an NPI that is not in the registry, or is none. What NPIs there are is told within the
   * explorer's limit, and where it is open to everybody: else a stranger would learn it uncounted.
   */
  function isOfNobody(
    { page, parameters }: PagePlace,
    { ip }: FastifyRequest,
  ): boolean {
    if (page !== "provider") return false;
    const npi = parameters["npi"] ?? "";
    if (checkNpi(npi) !== "ok") return true;
    const data = deps.data.current();
    return (
      data !== null &&
      isOpen(deps, portal) &&
      portal.bursts.take(ip, deps.now()).allowed &&
      data.find(npi) === null
    );
  }

  function showNotFound(request: FastifyRequest, reply: FastifyReply): boolean {
    if (site === null || !isVisit(request)) return false;
    reply.header("vary", "Accept, Sec-Fetch-Mode");
    void sendPage(site, request, reply.code(404));
    return true;
  }

  function sendPage(
    built: BuiltSite,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    reply.headers(headers).header("cache-control", "no-cache");
    return sendFile(request, reply, built.page);
  }
}

function addAssets(
  app: FastifyInstance,
  site: BuiltSite,
  refuse: Refuse,
): void {
  app.get<{ Params: { name: string } }>(
    "/assets/:name",
    AS_IT_IS,
    (request, reply) => {
      const file = site.asset(request.params.name);
      if (file === null) return refuse(request, reply, notFound());
      reply
        .header("cache-control", FOR_EVER)
        .header("cross-origin-resource-policy", "same-origin");
      return sendFile(request, reply, file);
    },
  );
}

/** Whether a browser goes to a path, for which it wants a page; nothing below /v1 is for browsers. */
function isVisit({ headers, method, url }: FastifyRequest): boolean {
  const mode = headers["sec-fetch-mode"] ?? "navigate";
  return (
    (method === "GET" || method === "HEAD") &&
    mode === "navigate" &&
    !OF_PROGRAMS.test(url) &&
    prefersPage(headers.accept)
  );
}

function sayUnbuilt(reply: FastifyReply): FastifyReply {
  return reply
    .code(503)
    .header("cache-control", "no-store")
    .type("text/plain; charset=utf-8")
    .send(
      "The portal could not be built; the service's terminal says why. The API is served: its description is at /docs.\n",
    );
}

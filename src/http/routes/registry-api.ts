import { RegistryAnswer } from "../../contract/npi-registry/answer.ts";
import { RegistryParameters } from "../../contract/npi-registry/parameters.ts";
import { registryOperation } from "../registry-api/registry-operation.ts";
import type { Route, RouteDescription } from "./route.ts";

const DESCRIBED: RouteDescription = {
  operationId: "searchNpiRegistry",
  tag: "NPI Registry API",
  summary: "Search as in the registry's own API",
  description:
    "Takes the parameters of NPI Registry API v2.1 and returns its responses: to use this service, programs that call the registry's own need only another base URL. An invalid request gets status 200 with `Errors`. Unlike elsewhere in this API, unknown parameters are ignored, and if a parameter is repeated, the first one counts. `/api` is the same.",
  query: RegistryParameters,
  answer: {
    description: "The providers that match, or the registry's errors.",
    schema: RegistryAnswer,
    headers: ["X-Total-Count"],
  },
  codes: ["details_not_held", "details_unreadable", "too_many_at_once"],
};

/** `GET /api/` and `GET /api`: the registry's own API (docs/npi-registry-api.md). */
export const REGISTRY_API_ROUTES: readonly Route[] = [
  { ...registryRoute("/api/"), described: DESCRIBED },
  { ...registryRoute("/api"), answer: RegistryAnswer },
];

function registryRoute(path: string): Route {
  return {
    method: "GET",
    path,
    access: "registry_api",
    counted: "registry_api",
    handler({ deps: { settings }, from, work }) {
      const { maxSkip, mode } = settings.registryApi;
      return mode === "off" ? null : from(registryOperation(maxSkip, work));
    },
  };
}

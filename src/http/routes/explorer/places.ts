import {
  MapPlacesAnswer,
  type MapPlacesAnswer as Places,
} from "../../../contract/explorer/map.ts";
import {
  cachedCopy,
  validatorsBySnapshot,
} from "../../pipeline/conditional.ts";
import { cacheHeaders, JSON_TYPE, setHeaders } from "../../pipeline/headers.ts";
import { dataNotLoaded } from "../../queries/data-operation.ts";
import type { Route } from "../route.ts";

/**
 * `GET /explore/places`: the cities that the map names. Free, as it reveals no providers. Pages keep it and ask whether
 * it changed.
 */
export const PLACES_ROUTE: Route = {
  method: "GET",
  path: "/explore/places",
  access: "explorer",
  counted: "explorer",
  explorerCost: "part",
  answer: MapPlacesAnswer,
  handler({ deps, refuse }) {
    if (deps.portal === null) return null;
    const validatorsOf = validatorsBySnapshot(deps.tagSecret);
    return (request, reply) => {
      const data = deps.data.current;
      if (data === null) return refuse(request, reply, dataNotLoaded());
      const validators = validatorsOf(data, "places");
      setHeaders(reply, cacheHeaders(validators));
      reply.header("cache-control", "private, no-cache");
      if (cachedCopy(request.headers, validators) !== "none")
        return reply.code(304).send();
      const { places } = data.map;
      const answer: Places = {
        data: [...places],
        meta: { count: places.length },
      };
      return reply.type(JSON_TYPE).send(JSON.stringify(answer));
    };
  },
};

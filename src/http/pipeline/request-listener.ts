import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";
import type { InvalidKeyLimiter } from "../access/authorize.ts";
import type { AppContext } from "../app-context.ts";
import { answerInTurns, type TakeTurn } from "../limits/fair-queue.ts";
import { isKeyed } from "../routes/route.ts";
import { ROUTES } from "../routes/table.ts";
import {
  plainAnswers,
  readPlainLookup,
  readPlainPage,
} from "./plain-answers.ts";
import { HELD } from "./write-answer.ts";

interface Ordering {
  readonly deps: AppContext;
  readonly invalidKeys: InvalidKeyLimiter;
  readonly takeTurn: TakeTurn;
  /** Gets the requests that waited too long, for which `buildApp` has a failure. */
  readonly late: WeakSet<IncomingMessage>;
}

/**
 * Answers cheap requests immediately: plain lookups, health, documentation. Operations are queued, except those with a
 * body, which is ignored: its errors must come after the answer.
 */
export function orderRequests(
  app: FastifyInstance,
  { deps, invalidKeys, late, takeTurn }: Ordering,
): void {
  const answerLookup = plainAnswers(deps, invalidKeys, {
    read: readPlainLookup,
    write: HELD.writeSoon,
  });
  const answerPage = plainAnswers(deps, invalidKeys, {
    read: readPlainPage(deps),
    write: HELD.write,
  });
  const answerInTurn = answerInTurns(
    {
      answer(request, response) {
        if (!answerPage(request, response)) route(request, response);
      },
      refuse(request, response) {
        late.add(request);
        route(request, response);
      },
    },
    takeTurn,
    deps.now,
  );
  app.server.removeAllListeners("request");
  app.server.on("request", (request, response) => {
    if (answerLookup(request, response)) return;
    if (isWaiting(request) && !hasBody(request))
      answerInTurn(request, response);
    else route(request, response);
  });

  /** Takes its time, so what waits is sent first. */
  function route(request: IncomingMessage, response: ServerResponse): void {
    HELD.send();
    app.routing(request, response);
  }
}

/** The first segments of paths that are answered from the data: `/v1/`, `/api`, `/api/` and `/explore/`. */
const WAITING: ReadonlySet<string> = new Set(
  ROUTES.filter(({ access }) => isKeyed(access) || access === "explorer").map(
    ({ path }) => firstSegment(path),
  ),
);

function isWaiting({ url }: IncomingMessage): boolean {
  return url !== undefined && WAITING.has(firstSegment(url));
}

/** The path up to its second slash, or all of it. */
function firstSegment(target: string): string {
  const query = target.indexOf("?");
  const path = query === -1 ? target : target.slice(0, query);
  const slash = path.indexOf("/", 1);
  return slash === -1 ? path : path.slice(0, slash + 1);
}

function hasBody({ headers }: IncomingMessage): boolean {
  return (
    headers["transfer-encoding"] !== undefined ||
    headers["content-length"] !== undefined
  );
}

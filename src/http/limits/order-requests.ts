import type { IncomingMessage } from "node:http";
import type { FastifyInstance } from "fastify";
import type { HttpDependencies } from "../app-context.ts";
import { plainLookup } from "../pipeline/plain-lookup.ts";
import { ROUTES } from "../routes/table.ts";
import { answerInTurns, type TurnLength } from "./fair-queue.ts";
import type { KeyGuesses } from "./invalid-key-limiter.ts";

/**
 * What costs next to nothing is answered as it comes: plain look-ups, health, documentation. The operations wait for
 * their turn, but not with a body, which nobody reads: what is wrong with it has to come after the answer.
 */
export function orderRequests(
  app: FastifyInstance,
  deps: HttpDependencies,
  guesses: KeyGuesses,
  turnLength: TurnLength,
): void {
  const answerPlainLookup = plainLookup(deps, guesses);
  const answerInTurn = answerInTurns((request, response) => {
    app.routing(request, response);
  }, turnLength);
  app.server.removeAllListeners("request");
  app.server.on("request", (request, response) => {
    if (answerPlainLookup(request, response)) return;
    if (isWaiting(request) && !hasBody(request))
      answerInTurn(request, response);
    else app.routing(request, response);
  });
}

/** What the paths that are answered from the data begin with: `/v1/`, and `/explore/`, which asks the same. */
const WAITING: ReadonlySet<string> = new Set(
  ROUTES.filter(({ access }) => access === "key" || access === "explorer").map(
    ({ path }) => firstSegment(path),
  ),
);

function isWaiting({ url }: IncomingMessage): boolean {
  return url !== undefined && WAITING.has(firstSegment(url));
}

/** A path up to its second slash. */
function firstSegment(path: string): string {
  return path.slice(0, path.indexOf("/", 1) + 1);
}

function hasBody({ headers }: IncomingMessage): boolean {
  return (
    headers["transfer-encoding"] !== undefined ||
    headers["content-length"] !== undefined
  );
}

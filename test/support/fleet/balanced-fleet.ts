/** Three nodes with accounts, for a test file, and load balancers in front of them. */

import { after } from "node:test";
import { createKey } from "../program/create-key.ts";
import { BalancedClient, type BalancerKind } from "./balancer.ts";
import { startThreeNodes } from "./three-nodes.ts";

/** So many that each of three nodes serves some of their keys. */
const ACCOUNTS = 30;
/** Longer than HAProxy takes to notice that a node is not ready. */
const DRAIN_SECONDS = 6;

type Fleet = Awaited<ReturnType<typeof startThreeNodes>> & {
  /** A key of each account. */
  readonly keys: readonly string[];
};

let started: Promise<Fleet> | null = null;

/** Starts a balancer in front of the file's nodes, with a client. */
export async function balanced(kind: BalancerKind) {
  await using owned = new AsyncDisposableStack();
  const fleet = await (started ??= startFleet());
  const balancer = owned.use(await kind.start(fleet));
  const client = owned.use(new BalancedClient(balancer.host));
  const running = owned.move();
  return {
    ...fleet,
    balancer,
    client,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function startFleet(): Promise<Fleet> {
  const nodes = await startThreeNodes({ DRAIN_DELAY: String(DRAIN_SECONDS) });
  const keys: string[] = [];
  for (let account = 0; account < ACCOUNTS; account++)
    keys.push(
      await createKey(nodes.dataDir, { email: `c${account}@clinic.example` }),
    );
  return { ...nodes, keys };
}

after(async () => {
  const fleet = await started;
  await fleet?.[Symbol.asyncDispose]();
});

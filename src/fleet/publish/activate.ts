import { setTimeout as sleep } from "node:timers/promises";
import {
  LIVE_MS,
  type FleetNode,
  type FleetNodes,
} from "../../accounts/fleet/fleet-nodes.ts";
import type {
  Publication,
  Publications,
} from "../../accounts/fleet/publications.ts";
import { FleetError } from "../fleet-error.ts";

const POLL_MS = 1_000;

export interface Activation {
  readonly publication: Publication;
  readonly publications: Publications;
  readonly nodes: FleetNodes;
  /** The time to wait for nodes that download it. */
  readonly waitMs: number;
  readonly signal: AbortSignal;
  /** Called when the nodes change that it waits for. */
  readonly onWaiting: (missing: readonly FleetNode[]) => void;
}

/**
 * Waits until all live nodes hold a publication, or the time is over, and activates it: nodes then serve it within
 * seconds. Nodes that were silent before have `LIVE_MS` to show that they run: after an outage of the database, all
 * are. Returns the live nodes that don't hold it. Throws FleetError if no live node holds it, so that the fleet keeps
 * serving what it has, or if there is a newer publication.
 */
export async function activate({
  nodes,
  onWaiting,
  publication,
  publications,
  signal,
  waitMs,
}: Activation): Promise<{ live: number; missing: readonly FleetNode[] }> {
  const { epoch } = publication;
  const startMs = performance.now();
  const until = startMs + waitMs;
  let shown = "";
  for (;;) {
    const nowMs = performance.now();
    const isOver = nowMs >= until;
    const pulling = (await nodes.list()).filter(pulls);
    const live = pulling.filter(isLive);
    const late = live.filter(({ heldEpoch }) => heldEpoch !== epoch);
    const missing =
      nowMs >= startMs + LIVE_MS
        ? late
        : pulling.filter(({ heldEpoch }) => heldEpoch !== epoch);
    if (missing.length === 0 || (isOver && late.length < live.length)) {
      if (!(await publications.activate(epoch))) throw superseded(epoch);
      return { live: live.length, missing: late };
    }
    if (isOver && live.length > 0) throw heldByNone(epoch, late);
    if ((await publications.newest())?.epoch !== epoch) throw superseded(epoch);
    const names = missing.map(({ process }) => process).join();
    if (names !== shown) onWaiting(missing);
    shown = names;
    const waitedMs = isOver ? POLL_MS : Math.min(POLL_MS, until - nowMs);
    await sleep(waitedMs, undefined, { signal }).catch(() =>
      signal.throwIfAborted(),
    );
  }
}

function pulls({ heldEpoch }: FleetNode): boolean {
  return heldEpoch !== null;
}

function isLive({ silentMs }: FleetNode): boolean {
  return silentMs < LIVE_MS;
}

function superseded(epoch: number): FleetError {
  return new FleetError(
    `Publication ${epoch} is not activated: another publisher published a newer one.`,
  );
}

function heldByNone(epoch: number, nodes: readonly FleetNode[]): FleetError {
  const reasons = nodes.map(
    ({ name, problem }) => `${name}: ${problem ?? "still downloading."}`,
  );
  return new FleetError(
    `Publication ${epoch} is not activated: none of the ${nodes.length} nodes has it, so activating it would leave none ready. ${reasons.join(" ")} To keep waiting, publish again.`,
  );
}

import type { Logger } from "pino";
import type {
  FleetNodes,
  FleetState,
  NodeIdentity,
  NodeReport,
} from "../accounts/fleet/fleet-nodes.ts";

const INTERVAL_MS = 2_000;

/** A node's place in the fleet while it runs. Disposing of it removes the node. */
export interface Heartbeat extends AsyncDisposable {
  /** The result of the last successful heartbeat; a fleet of one before. */
  readonly fleet: FleetState;
  /** The report that the next heartbeats send. */
  report: NodeReport;
}

export interface HeartbeatOptions {
  readonly nodes: FleetNodes;
  readonly identity: NodeIdentity;
  /** True if the node pulls publications. */
  readonly isPulling: boolean;
  readonly logger: Logger;
  /** Called after each successful heartbeat. */
  readonly onBeat?: (fleet: FleetState) => void;
}

/**
 * Shows the other nodes every two seconds that this one is running, and waits for the first time. Failures are logged,
 * the first of a run.
 */
export async function startHeartbeat({
  identity,
  isPulling,
  logger,
  nodes,
  onBeat,
}: HeartbeatOptions): Promise<Heartbeat> {
  const state: { fleet: FleetState; report: NodeReport } = {
    fleet: { liveNodes: 1, publications: { active: null, pending: null } },
    report: {
      heldEpoch: isPulling ? 0 : null,
      servedEpoch: null,
      problem: null,
    },
  };
  let isFailing = false;
  await beat();
  /** The heartbeat on its way; while it waits for the database, no other is sent. */
  let running: Promise<void> | null = null;
  const timer = setInterval(() => {
    running ??= beat().finally(() => (running = null));
  }, INTERVAL_MS);
  timer.unref();

  async function beat(): Promise<void> {
    try {
      state.fleet = await nodes.beat(identity, state.report);
      isFailing = false;
    } catch (err) {
      if (!isFailing) logger.warn({ err }, "cannot write the heartbeat");
      isFailing = true;
      return;
    }
    onBeat?.(state.fleet);
  }

  return Object.assign(state, {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await running;
      await nodes
        .leave(identity.process)
        .catch((err: unknown) =>
          logger.warn({ err }, "cannot remove the node: it will expire"),
        );
    },
  });
}

import type { Logger } from "pino";
import type { Accounts } from "../accounts/accounts.ts";
import { withoutDatabase } from "../accounts/metering/gate-memory.ts";
import type {
  GateKeeper,
  GateKeeperOptions,
} from "../accounts/metering/gate-keeper.ts";

/**
 * Keeps the memory of the workers' gates current, and logs failures and recoveries. At the end, when no worker answers
 * any more, writes the rest of the usage and gives back what is prepaid. Throws AccountsDatabaseError.
 */
export async function keepGate(
  accounts: Accounts,
  options: Pick<GateKeeperOptions, "liveNodes" | "memory" | "process">,
  logger: Logger,
  owned: AsyncDisposableStack,
): Promise<GateKeeper> {
  const keeper = await accounts.keepGate({
    ...options,
    onError: (err) =>
      logger.error(
        { err },
        "cannot write usage to the accounts database: counting in memory, will retry",
      ),
    onPurgeFault: (err) =>
      logger.warn(
        { err },
        "cannot delete expired data: will retry in five minutes",
      ),
    onRecovered(lastedMs, written) {
      const { fromMemory, refused } = withoutDatabase(options.memory);
      logger.warn(
        { seconds: Math.round(lastedMs / 1000), written, fromMemory, refused },
        "usage is written to the accounts database again, nothing was lost (fromMemory, refused: requests without it since startup)",
      );
    },
    onOverflow: (times) =>
      logger.warn(
        { times },
        "usage table full: keys of further accounts are refused until restart",
      ),
  });
  owned.defer(async () => {
    try {
      await keeper[Symbol.asyncDispose]();
    } catch (err) {
      logger.error(
        { err, lost: keeper.flusher.state.unwritten, held: keeper.quota.left },
        "accounts database unavailable at shutdown: usage not yet written is lost, and prepaid requests count as used",
      );
    }
  });
  return keeper;
}

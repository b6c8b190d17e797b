import type { Counters } from "./counters.ts";
import type {
  BurstRate,
  BurstState,
  ExplorerMeter,
  QuotaState,
  Viewer,
} from "./gate.ts";
import { monthAt, quotaIn } from "./month.ts";

/** Counts pages of the explorer in the memory of the process, beside the answers to keys. */
export class ExplorerCounts implements ExplorerMeter {
  readonly #counters: Counters;

  constructor(counters: Counters) {
    this.#counters = counters;
  }

  takeBurst(accountId: number, rate: BurstRate, nowMs: number): BurstState {
    const table = this.#counters.tableOf(accountId);
    return table.takeOwnerToken(accountId, "explorer", rate, nowMs);
  }

  month({ id, plan }: Viewer, nowMs: number): QuotaState | null {
    const month = monthAt(nowMs);
    const viewed = this.#counters.tableOf(id).pages(id, month.number);
    return viewed === null
      ? null
      : quotaIn(month, plan.explorerPages, viewed, nowMs);
  }

  begin(accountId: number, viewed: number, nowMs: number): void {
    const table = this.#counters.tableOf(accountId);
    table.beginPages(accountId, monthAt(nowMs).number, viewed);
  }

  take({ id, plan }: Viewer, nowMs: number): boolean {
    const month = monthAt(nowMs).number;
    return this.#counters.tableOf(id).countPage(id, month, plan.explorerPages);
  }
}

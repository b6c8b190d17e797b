import type { CsvRow } from "../csv-row.ts";
import { npiOfIndex } from "../npi-sequence.ts";
import { PROVIDER_COLUMN as COLUMN } from "./provider-columns.ts";
import { NEVER, type ProviderLife } from "./provider-life.ts";
import { Random } from "../random.ts";
import { Stream } from "../streams.ts";
import { WordPool } from "../names/word-pool.ts";

/** Share of the deactivated providers with details that have a reason. */
const REASON_SHARE = 0.5;
const REPLACED_SHARE = 0.06;

/** Death, disbandment, fraud, other. */
const REASONS = new WordPool(["DT", "DB", "FR", "OT"]);

/** Writes why a provider was deactivated, and which NPI replaced it. The registry's own files leave both blank. */
export class DeactivationColumns {
  readonly #seed: number;
  readonly #random = new Random();

  constructor(seed: number) {
    this.#seed = seed;
  }

  putReplacement(row: CsvRow, life: ProviderLife, index: number): void {
    const random = this.#random;
    random.restart(this.#seed, Stream.codes, index);
    if (life.deactivated === NEVER || !random.chance(REPLACED_SHARE)) return;
    row.open(COLUMN.replacement);
    row.putNumber(npiOfIndex(this.#seed, index === 0 ? 1 : index - 1));
    row.close();
  }

  putReason(row: CsvRow, life: ProviderLife, index: number): void {
    const random = this.#random;
    random.restart(this.#seed, Stream.codes, index);
    // The first number is for the replacement.
    random.next();
    if (life.deactivated === NEVER || !random.chance(REASON_SHARE)) return;
    row.open(COLUMN.deactivationReason);
    row.putWord(REASONS, random.below(REASONS.size));
    row.close();
  }
}

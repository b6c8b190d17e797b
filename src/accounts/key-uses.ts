import { NOWHERE, SharedIndex } from "./shared-index.ts";
import { viewUsageBuffer } from "./usage-buffer.ts";

/** That a key was used, and when: epoch seconds. */
export interface KeyUse {
  readonly keyId: number;
  readonly second: number;
}

/** When keys were last used, noted by all threads of a process and written down by its flusher. */
export class KeyUses {
  readonly #index: SharedIndex;
  readonly #lastUsed: Uint32Array<SharedArrayBuffer>;

  constructor(buffer: SharedArrayBuffer) {
    const memory = viewUsageBuffer(buffer);
    this.#index = new SharedIndex(memory.keys);
    this.#lastUsed = memory.lastUsed;
  }

  /** Notes a use. Where there is no room for another key, its last use stays unknown: nothing depends on it. */
  note(keyId: number, second: number): void {
    const place = this.#index.claim(keyId);
    if (place === NOWHERE) return;
    for (;;) {
      const noted = Atomics.load(this.#lastUsed, place);
      if (
        noted >= second ||
        Atomics.compareExchange(this.#lastUsed, place, noted, second) === noted
      )
        return;
    }
  }

  /** Takes out what was noted since the last time; the caller notes it again if it cannot be written. */
  drain(): KeyUse[] {
    const uses: KeyUse[] = [];
    const size = this.#index.size;
    for (let place = 0; place < size; place++) {
      if (Atomics.load(this.#lastUsed, place) === 0) continue;
      uses.push({
        keyId: this.#index.idAt(place),
        second: Atomics.exchange(this.#lastUsed, place, 0),
      });
    }
    return uses;
  }
}

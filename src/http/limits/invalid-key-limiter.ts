import { networkOf } from "../access/client-address.ts";

/** Keys that were never issued, from one address within a window; after that only keys in use are looked at from there. */
const MOST_GUESSES = 60;
const WINDOW_MS = 60_000;
/** Addresses remembered; beyond it the oldest go. */
const MOST_ADDRESSES = 10_000;

const LOOPBACK = /^(::1|(::ffff:)?127\.[0-9.]+)$/;

interface Guesses {
  readonly sinceMs: number;
  count: number;
}

/** How many keys were guessed from where, as one thread sees it. */
export class KeyGuesses {
  readonly #byAddress = new Map<string, Guesses>();
  readonly #isProxyUnknown: boolean;
  #limitedUntilMs = 0;

  /** Where nobody named the proxies, this machine's own address is most likely one, and stands for everybody. */
  constructor(isProxyUnknown: boolean) {
    this.#isProxyUnknown = isProxyUnknown;
  }

  /** Counts a key that was never issued. */
  note(address: string, nowMs: number): void {
    if (this.#isProxyUnknown && LOOPBACK.test(address)) return;
    const network = networkOf(address);
    let guesses = this.#byAddress.get(network);
    if (guesses === undefined || nowMs - guesses.sinceMs >= WINDOW_MS) {
      this.#byAddress.delete(network);
      this.#makeRoom();
      guesses = { sinceMs: nowMs, count: 0 };
      this.#byAddress.set(network, guesses);
    }
    guesses.count++;
    if (guesses.count >= MOST_GUESSES)
      this.#limitedUntilMs = Math.max(
        this.#limitedUntilMs,
        guesses.sinceMs + WINDOW_MS,
      );
  }

  /** Whether keys from any address are limited; costs nothing. */
  isAnyLimited(nowMs: number): boolean {
    return nowMs < this.#limitedUntilMs;
  }

  /** Whole seconds until keys from an address are looked up again, 0 when they are. */
  waitSeconds(address: string, nowMs: number): number {
    if (!this.isAnyLimited(nowMs)) return 0;
    const guesses = this.#byAddress.get(networkOf(address));
    if (guesses === undefined || guesses.count < MOST_GUESSES) return 0;
    return Math.max(0, Math.ceil((guesses.sinceMs + WINDOW_MS - nowMs) / 1000));
  }

  #makeRoom(): void {
    if (this.#byAddress.size < MOST_ADDRESSES) return;
    for (const oldest of this.#byAddress.keys()) {
      this.#byAddress.delete(oldest);
      return;
    }
  }
}

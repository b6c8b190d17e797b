/** What each response took from its caller's limits, instead of what is left. */
import type { Response } from "./exchange.ts";

/** The number in a header about limits: what is left of the month, or of a policy's burst. */
const LEFT = /^(?:x-ratelimit-remaining: |ratelimit: .*)/;
const NUMBER = /(?<=remaining: |r=)\d+/g;

/**
 * Remembers what was left to each caller of one program, so that two programs are compared by what each request took: a
 * difference then doesn't come back in all responses after it.
 */
export class Costs {
  readonly #left = new Map<string, number>();

  /** The response with amounts taken since the caller's last one; the first one keeps what is left. */
  of(headers: Readonly<Record<string, string>>, response: Response): Response {
    const caller = headers["authorization"] ?? headers["x-forwarded-for"] ?? "";
    return {
      ...response,
      headers: response.headers.map((line) => {
        if (!LEFT.test(line)) return line;
        let index = 0;
        return line.replace(NUMBER, (left) => {
          const key = `${caller} ${line.split(":")[0]} ${index++}`;
          const before = this.#left.get(key);
          this.#left.set(key, Number(left));
          return before === undefined ? left : `${before - Number(left)} less`;
        });
      }),
    };
  }
}

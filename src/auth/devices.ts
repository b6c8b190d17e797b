import { createHmac, timingSafeEqual } from "node:crypto";
import type { Random } from "../accounts/keys/api-key.ts";
import type { Attempt } from "../accounts/users/attempts.ts";

/** Its name, after the prefix of all cookies of the service. */
export const DEVICE_COOKIE = "device";

/** How long a device is known after somebody signed in with it: as long as browsers keep a cookie. */
export const DEVICE_SECONDS = 400 * 86_400;

/** How many people a browser is known for; beyond it whoever signed in longest ago is not. */
const MAX_USERS = 4;

const NONCE_BYTES = 12;
const TAG_LENGTH = 22;
const BETWEEN = "~";
/** Nonce, when it was made in seconds, mark of the password, tag. */
const DEVICE = /^([\w-]{16})\.([0-9a-z]{6,8})\.([\w-]{22})\.([\w-]{22})$/;
const LONGEST_COOKIE = MAX_USERS * 80;

/** A device that somebody signed in with, as its cookie says. */
export interface Device {
  readonly attempt: Attempt;
  /** Of the password that it signed in with. */
  readonly mark: string;
}

/**
 * Devices that somebody signed in with before, by a signed cookie (OWASP's device cookies): wrong passwords that come from
 * them are counted apart from those of strangers. The cookie names no one, and is void once the password has changed.
 */
export class Devices {
  readonly #secret: string;
  readonly #random: Random;
  readonly #clock: () => number;

  constructor(secret: string, random: Random, clock: () => number) {
    this.#secret = secret;
    this.#random = random;
    this.#clock = clock;
  }

  /** What a cookie says of a person's device, null when nothing does; whether the password is the same is to be seen. */
  find(cookie: string | null, email: string): Device | null {
    for (const text of devicesIn(cookie)) {
      const [, nonce = "", made = "", mark = "", tag = ""] =
        DEVICE.exec(text) ?? [];
      const age = this.#seconds() - Number.parseInt(made, 36);
      if (age <= DEVICE_SECONDS && this.#isTag(tag, email, nonce, made, mark))
        return { attempt: { kind: "password", of: `device ${nonce}` }, mark };
    }
    return null;
  }

  /** The cookie of a browser with which a person has just signed in; those of others that it held stay in it. */
  make(cookie: string | null, email: string, passwordHash: string): string {
    const nonce = Buffer.from(this.#random(NONCE_BYTES)).toString("base64url");
    const made = this.#seconds().toString(36);
    const mark = this.markOf(passwordHash);
    const tag = this.#sign(["device", email, nonce, made, mark]);
    const own = this.find(cookie, email)?.attempt.of.split(" ")[1];
    const others = devicesIn(cookie).filter(
      (text) => own === undefined || !text.startsWith(own),
    );
    return [`${nonce}.${made}.${mark}.${tag}`, ...others]
      .slice(0, MAX_USERS)
      .join(BETWEEN);
  }

  /** Tells passwords apart, and nothing else of them. */
  markOf(passwordHash: string): string {
    return this.#sign(["password", passwordHash]);
  }

  #isTag(
    tag: string,
    email: string,
    nonce: string,
    made: string,
    mark: string,
  ): boolean {
    const right = this.#sign(["device", email, nonce, made, mark]);
    return timingSafeEqual(Buffer.from(tag), Buffer.from(right));
  }

  #sign(parts: readonly string[]): string {
    return createHmac("sha256", `device cookie ${this.#secret}`)
      .update(parts.join("\n"))
      .digest("base64url")
      .slice(0, TAG_LENGTH);
  }

  #seconds(): number {
    return Math.floor(this.#clock() / 1_000);
  }
}

function devicesIn(cookie: string | null): string[] {
  return cookie === null || cookie.length > LONGEST_COOKIE
    ? []
    : cookie.split(BETWEEN).filter((text) => DEVICE.test(text));
}

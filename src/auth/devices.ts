import type { Random } from "../accounts/keys/api-key.ts";
import type { Attempt } from "../accounts/users/attempts.ts";
import { createHmac, timingSafeEqual } from "node:crypto";

/** The cookie's name, after the service's cookie prefix. */
export const DEVICE_COOKIE = "device";

/** The time that a device is known after a sign-in: the longest that browsers keep a cookie. */
export const DEVICE_SECONDS = 400 * 86_400;

/** Users per browser; beyond it the one who signed in longest ago is dropped. */
const MAX_USERS = 4;

const NONCE_BYTES = 12;
const SEPARATOR = "~";
/** Nonce, creation time in seconds, password mark, tag. */
const DEVICE = /^([\w-]{16})\.([0-9a-z]{6,8})\.([\w-]{22})\.([\w-]{22})$/;
const MAX_COOKIE_LENGTH = MAX_USERS * 80;

/** A known device, as its cookie describes it. */
export interface Device {
  readonly attempt: Attempt;
  /** Identifies the password used at that sign-in. */
  readonly mark: string;
}

/**
 * Known devices, by a signed cookie (OWASP's device cookies). Their wrong passwords are counted separately from those
 * of strangers. The cookie names no user, and is void once the password changes.
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

  /** Finds the user's device in a cookie, null without one. The caller still has to compare the password mark. */
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

  /** Makes the cookie for a browser in which a user has just signed in. Other users' devices stay in it. */
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
      .join(SEPARATOR);
  }

  /** Identifies a password without revealing it. */
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
    return isSameTag(tag, right);
  }

  #sign(parts: readonly string[]): string {
    return cookieTag(this.#secret, "device cookie", parts);
  }

  #seconds(): number {
    return Math.floor(this.#clock() / 1_000);
  }
}

function devicesIn(cookie: string | null): string[] {
  return cookie === null || cookie.length > MAX_COOKIE_LENGTH
    ? []
    : cookie.split(SEPARATOR).filter((text) => DEVICE.test(text));
}

/** The length of a tag, in characters: 132 bits in base64url. */
const TAG_LENGTH = 22;

/** Signs the parts of a cookie, by the installation's secret and what the cookie is for. */
export function cookieTag(
  secret: string,
  use: string,
  parts: readonly string[],
): string {
  return createHmac("sha256", `${use} ${secret}`)
    .update(parts.join("\n"))
    .digest("base64url")
    .slice(0, TAG_LENGTH);
}

/** Compares two tags in constant time. */
export function isSameTag(given: string, right: string): boolean {
  return (
    given.length === TAG_LENGTH &&
    timingSafeEqual(Buffer.from(given), Buffer.from(right))
  );
}

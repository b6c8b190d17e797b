/** Nothing else is shown: anyone can write a token. */
const ADDRESS = /^[^\s@]{1,64}@[^\s@]{1,255}$/;

/** The library's name for links that give an account another address. */
export const CHANGE_REQUEST = "change-email-verification";

/** The reasons why a link doesn't work, with what to do without the portal's pages. */
export const LINK_FAULTS = {
  expired:
    "This link has expired: links work for one hour. Request a new one with POST /auth/send-verification-email.",
  unknown:
    "This link doesn't work: it may be incomplete, or the sign-up may be gone. Sign up again, or request a new link with POST /auth/send-verification-email.",
  changeExpired:
    "This link has expired: links work for one hour. Request a new one with POST /account/email.",
  changeEnded:
    "This link no longer works: it was used, a later change of the account ended it, or the address has another account.",
} as const;

/** The data in a mailed link that confirms an address. */
export interface LinkToken {
  readonly email: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
  /** True if the address is to be the new one of an account, instead of a sign-up's. */
  readonly isChange: boolean;
}

/**
 * Reads a link's token, a signed JWT (RFC 7519), without checking its signature. Null if it can't be read.
 */
export function readLinkToken(token: string): LinkToken | null {
  try {
    const [, payload = ""] = token.split(".");
    const binary = atob(payload.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (each) => each.charCodeAt(0));
    const { email, exp, requestType } = JSON.parse(
      new TextDecoder().decode(bytes),
    );
    return ADDRESS.test(email) && typeof exp === "number"
      ? {
          email,
          expiresAt: exp * 1_000,
          isChange: requestType === CHANGE_REQUEST,
        }
      : null;
  } catch {
    return null;
  }
}

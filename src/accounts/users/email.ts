import { domainToASCII } from "node:url";

const MAX_LOCAL = 64;
const MAX_ADDRESS = 254;
const LOCAL_PART =
  /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const DOMAIN =
  /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?=[a-z0-9-]*[a-z])[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** The library's pattern (zod's): with other addresses users can't sign in by password. */
const SIGN_IN =
  /^(?:[a-z0-9_'+-]+\.)*[a-z0-9_'+-]*[a-z0-9_+-]@(?:[a-z0-9][a-z0-9-]*\.)+[a-z]{2,}$/;

/** True if a normalized address can be used to sign in. */
export function canSignIn(email: string): boolean {
  return SIGN_IN.test(email);
}

/**
 * Writes an email address as it identifies accounts: trimmed, Unicode-composed, lower case, the domain in ASCII. Null
 * if mail could not reach it over the public network (RFC 5321 without quoted local parts and address literals).
 */
export function normalizeEmail(text: string): string | null {
  const address = text.trim().normalize("NFC");
  const at = address.lastIndexOf("@");
  const local = address.slice(0, Math.max(at, 0)).toLowerCase();
  const domain = domainToASCII(address.slice(at + 1)).toLowerCase();
  if (!LOCAL_PART.test(local) || !DOMAIN.test(domain)) return null;
  if (
    Buffer.byteLength(local) > MAX_LOCAL ||
    Buffer.byteLength(local) + 1 + domain.length > MAX_ADDRESS
  )
    return null;
  return `${local}@${domain}`;
}

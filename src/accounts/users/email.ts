import { domainToASCII } from "node:url";

const MAX_LOCAL = 64;
const MAX_ADDRESS = 254;
const LOCAL_PART =
  /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const DOMAIN =
  /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?=[a-z0-9-]*[a-z])[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * An e-mail address as accounts are told apart by it: trimmed, Unicode-composed, in lower case, its domain in ASCII.
 * Null for what is no address that mail could reach over the public network (RFC 5321 without quoted local parts and
 * address literals).
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
